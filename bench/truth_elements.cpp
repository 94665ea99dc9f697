// Faults 5, 6, 12, 13 and 15: cables with elements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/truth.h"

namespace hawser {
namespace {

constexpr const char* turning_clamp = R"(
title: A cable hangs from a clamp that could turn
initial: static
sections: {rope: {EA: 1000 N, EI: 1 N m^2, mass: 1 kg/m}}
supports: {top: {position: [0, 0, 0]}}
cables:
  line: {section: rope, route: [{clamp: top}, [0, 0, -10 m]], length: 10 m, elements: 4, curvature: material}
motions: {still: {of: top, turn: {axis: y, angle: 0 rad}}}
loads: {pull: {at: line@end, force: [0, 0, -100 N]}}
solve: {until: 100 ms}
record: {channels: [line.position@end, line.strain@start]}
expect:
  tip: {channel: line.position.z@end, value: -11.4905 m, within: 1 m}
  strain: {channel: line.strain@start, value: 0.1981, within: 1}
)";

constexpr const char* starts_as_catenary = R"(
title: A slack wire rope of position elements that starts as a catenary
sections: {rope: {library: wire-rope-6x36, diameter: 16 mm}}
supports: {left: {position: [0, 0, 0]}, right: {position: [100 m, 0, 0]}}
cables: {line: {section: rope, model: np-fem, route: [left, right], length: 102 m, initial: catenary}}
solve: {until: 50 ms}
record: {channels: [line.tension@start]}
expect: {tension: {channel: line.tension@start, at: 0 s, value: 1571 N, within: 1 kN}}
)";

constexpr const char* hangs_still = R"(
title: A rope that should hang still
sections: {rope: {library: wire-rope-6x19, diameter: 12 mm, EI: 0}}
supports: {left: {position: [0, 0, 0]}, right: {position: [10 m, 0, 0]}}
cables: {rope: {section: rope, model: np-fem, route: [left, right], length: 12 m, elements: 10, initial: catenary}}
solve: {until: 1 s}
)";

constexpr const char* free_fall = R"(
title: A hanging cable let go at one end, of Tonin & Braun
sections: {w: {EA: 1.039860e6 N, mass: 0.153036 kg/m}}
supports: {pin: {position: [0, 0, 0]}}
cables: {c: {section: w, model: np-fem, route: [pin, [1 m, 0, 0]], length: 1.713 m, elements: 24, initial: catenary}}
solve: {until: 0.1 s}
record: {channels: [c.position@end]}
expect:
  x: {channel: c.position.x@end, value: 1 m, within: 1 m}
  z: {channel: c.position.z@end, value: 0 m, within: 1 m}
)";

constexpr const char* rubber = R"(
title: A load hangs on 2 m of rubber that it stretches by half
initial: static
sections: {rubber: {EA: 1 kN, mass: 0.1 g/m}}
supports: {top: {position: [0, 0, 0]}}
bodies: {load: {shape: {sphere: 0.1 m}, mass: 500 N / (9.81 m/s^2), position: [0, 0, -2 m]}}
cables: {line: {section: rubber, model: massless, route: [top, load], length: 2 m}}
solve: {until: 0.1 s}
record: {channels: [load.position]}
expect: {z: {channel: load.position.z, value: -3 m, within: 1 m}}
)";

constexpr const char* gu_bar = R"(
title: A stretched bar let go, with the sum of Gu et al. eq. 21
gravity: [0, 0, 0]
sections:
  bar: {EA: 100 N, EI: 8e-4 N m^2, mass: 0.1 kg/m, damping: {axial: {fractional: {order: 0.5, tau: 0.1, form: gu-eq21}}}}
supports: {wall: {position: [0, 0, 0]}}
cables: {bar: {section: bar, route: [{clamp: wall}, [1.001 m, 0, 0]], length: 1 m, elements: 20, curvature: material}}
solve: {until: 0.1 s}
)";

constexpr const char* pulled_up = R"(
title: A weight of 500 kg is pulled up by a support that moves 0.2 m in 0.1 s
initial: static
variables: {viscosity: 0 s}
sections: {rope: {library: wire-rope-6x19, diameter: 12 mm, damping: {axial: {viscosity: viscosity}}}}
supports: {a: {position: [0, 0, 0]}}
bodies: {w: {mass: 500 kg, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 0, -10 m]}}
cables: {line: {section: rope, route: [a, w], length: 10 m, elements: 10}}
motions: {up: {of: a, z: {smooth: [0 m, 0.2 m], from: 0.05 s, to: 0.15 s}}}
solve: {until: 0.2 s}
)";

constexpr const char* thrown_weight = R"(
title: A weight on a slack rope, thrown away from where it is tied
sections: {rope: {library: wire-rope-6x19, diameter: 12 mm}}
supports: {a: {position: [0, 0, 0]}}
bodies: {w: {mass: 20 kg, shape: {box: [0.2, 0.2, 0.2]}, position: [5 m, 0, 0], velocity: [5 m/s, 0, 0]}}
cables: {line: {section: rope, route: [a, w], length: 6 m, initial: catenary, model: np-fem}}
solve: {until: 0.4 s}
)";

double reached(const TruthRun& run) { return run.report.t; }

/// 1: a warning of the run has these words.
std::function<double(const TruthRun&)> says(const char* words) {
  return [=](const TruthRun& run) {
    return std::any_of(run.report.warnings.begin(), run.report.warnings.end(),
                       [&](const std::string& w) { return w.find(words) != std::string::npos; })
               ? 1.0
               : 0.0;
  };
}

}  // namespace

void add_elements(BenchReport& report) {
  add_truth(
      report, {"5 clamp that could turn", turning_clamp, {1e-3, 5e-3, 10e-3}},
      {{"height of the tip", "m", -11.4905, 1e-3, absolute, "L (1 + P/EA) + w L^2/(2 EA)",
        measured("tip")},
       {"strain at the clamp", "-", 0.1981, 1e-4, absolute, "(P + w L)/EA", measured("strain")}});
  add_truth(
      report, {"6 catenary of 10 position elements", starts_as_catenary, {1e-3, 5e-3, 10e-3}},
      {{"tension at the start", "N", 1571, 50, absolute, "elastic catenary", measured("tension")},
       {"largest tension", "N", 1571, 50, absolute, "elastic catenary", largest("line")}});
  add_truth(report, {"6 rope that hangs still", hangs_still, {1e-3, 5e-3, 10e-3}},
            {{"largest tension", "N", 43, 5, absolute, "elastic catenary", largest("rope")},
             {"least tension", "N", 27, 2, absolute, "elastic catenary", smallest("rope")}});
  add_truth(report, {"6 free fall of Tonin & Braun", free_fall, {0.1e-3, 0.5e-3, 2e-3}},
            {{"x of the tip at 0.1 s", "m", 0.9984, 1e-3, absolute, "independent prototype",
              measured("x")},
             {"z of the tip at 0.1 s", "m", -0.0542, 1e-3, absolute, "independent prototype",
              measured("z")}});
  for (const char* model : {"massless", "np-fem", "ancf"})
    add_truth(report,
              {fmt::format("12 rubber, {}", model),
               rubber,
               {1e-3, 5e-3, 10e-3},
               {fmt::format("cables.line.model={}", model)}},
              {{"height of the load", "m", -3, 2e-3, absolute, "L (1 + P/EA)", measured("z")}});
  add_truth(report, {"13 gu-eq21", gu_bar, {0.1e-3, 0.2e-3, 0.5e-3}},
            {{"end of the run", "s", 0.1, 1e-9, absolute, "as asked for", reached}});
  add_truth(report,
            {"13 GJ of a cable that does not twist",
             gu_bar,
             {0.5e-3, 0.2e-3, 0.1e-3},
             {"sections.bar.GJ=1 N m^2", "solve.until=1 ms"}},
            {{"warns", "-", 1, 0, absolute, "GJ is not felt", says("GJ")}});
  const TruthRow waves{"warns", "-", 1, 0, absolute, "the peak is of waves", says("axial wave")};
  add_truth(report, {"15 pulled up, ancf", pulled_up, {2e-3, 1e-3, 0.25e-3}}, {waves});
  add_truth(report, {"15 thrown, np-fem", thrown_weight, {1e-3, 0.5e-3, 0.25e-3}}, {waves});
  for (const char* model : {"ancf", "np-fem"})
    add_truth(report,
              {fmt::format("15 pulled up, {}, damped", model),
               pulled_up,
               {2e-3, 0.25e-3, 0.0625e-3},
               {fmt::format("cables.line.model={}", model), "variables.viscosity=0.5 ms",
                "solve.until=0.15 s"}},
              {{"largest tension", "N", 61516, 0.03, relative, "converged", largest("line")}});
}

}  // namespace hawser

// Faults 2 and 14: starts with pretension, with more cables than hold, and between what cannot
// yield. Fault 4: kinked starts and large ratios of mass.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/truth.h"
#include "hawser/measure.h"

namespace hawser {
namespace {

constexpr const char* pretensioned = R"(
title: 10 kg between two pretensioned cables, one above, one below
initial: static
sections: {wire: {EA: 5 MN, mass: 1 kg/m}}
supports: {top: {position: [0, 0, 1 m]}, bottom: {position: [0, 0, -1 m]}}
bodies: {ball: {shape: {sphere: 0.1 m}, mass: 10 kg, position: [0, 0, 0]}}
cables:
  upper: {section: wire, model: massless, route: [top, ball], length: 0.999 m}
  lower: {section: wire, model: massless, route: [ball, bottom], length: 0.999 m}
solve: {until: 0.5 s}
)";

constexpr const char* eight_cables = R"(
title: A point of 20 kg in the middle of a room, on eight cables that are 1 mm short
initial: static
sections: {wire: {EA: 2.5 MN, mass: 0.1 kg/m}}
supports:
  pa: {position: [3 m, 3 m, 2 m]}
  pb: {position: [-3 m, 3 m, 2 m]}
  pc: {position: [-3 m, -3 m, 2 m]}
  pd: {position: [3 m, -3 m, 2 m]}
  pe: {position: [3 m, 3 m, -2 m]}
  pf: {position: [-3 m, 3 m, -2 m]}
  pg: {position: [-3 m, -3 m, -2 m]}
  ph: {position: [3 m, -3 m, -2 m]}
variables: {L: sqrt(22) * 1 m - 1 mm}
bodies: {point: {shape: {sphere: 0.1 m}, mass: 20 kg, position: [0, 0, 0]}}
cables:
  a: {section: wire, model: massless, route: [pa, point], length: L}
  b: {section: wire, model: massless, route: [pb, point], length: L}
  c: {section: wire, model: massless, route: [pc, point], length: L}
  d: {section: wire, model: massless, route: [pd, point], length: L}
  e: {section: wire, model: massless, route: [pe, point], length: L}
  f: {section: wire, model: massless, route: [pf, point], length: L}
  g: {section: wire, model: massless, route: [pg, point], length: L}
  h: {section: wire, model: massless, route: [ph, point], length: L}
solve: {until: 1 s}
)";

constexpr const char* hung_platform = R"(
title: A platform on eight cables
initial: static
variables: {wide: 6 m, H: 4 m, a: 0.4 m, b: 0.3 m}
sections:
  cable: {library: wire-steel, diameter: 4 mm, damping: {axial: {viscosity: 1 ms}}}
supports:
  p1: {position: [-wide/2, -wide/2, H]}
  p2: {position: [wide/2, -wide/2, H]}
  p3: {position: [wide/2, wide/2, H]}
  p4: {position: [-wide/2, wide/2, H]}
  q1: {position: [-wide/2, -wide/2, 0]}
  q2: {position: [wide/2, -wide/2, 0]}
  q3: {position: [wide/2, wide/2, 0]}
  q4: {position: [-wide/2, wide/2, 0]}
bodies:
  platform:
    shape: {box: [2*a, 2*a, 2*b]}
    mass: 20 kg
    position: [0, 0, 2 m]
    frames: {u1: [-a, -a, b], u2: [a, -a, b], u3: [a, a, b], u4: [-a, a, b], d1: [-a, -a, -b], d2: [a, -a, -b], d3: [a, a, -b], d4: [-a, a, -b]}
cables:
  c1: {section: cable, model: massless, route: [p1, platform.d1]}
  c2: {section: cable, model: massless, route: [p2, platform.d2]}
  c3: {section: cable, model: massless, route: [p3, platform.d3]}
  c4: {section: cable, model: massless, route: [p4, platform.d4]}
  c5: {section: cable, model: massless, route: [q1, platform.u1]}
  c6: {section: cable, model: massless, route: [q2, platform.u2]}
  c7: {section: cable, model: massless, route: [q3, platform.u3]}
  c8: {section: cable, model: massless, route: [q4, platform.u4]}
solve: {until: 0.5 s}
)";

constexpr const char* four_legs = R"(
title: A load on four legs
initial: static
sections: {rope: {library: wire-rope-6x19, diameter: 12 mm}}
supports: {hook: {position: [0, 0, 8 m]}}
bodies:
  load: {mass: 500 kg, shape: {box: [4, 2, 1]}, position: [0, 0, 0], frames: {a: [2, 1, 0.5], b: [-2, 1, 0.5], c: [-2, -1, 0.5], d: [2, -1, 0.5]}}
cables:
  a: {section: rope, model: massless, route: [hook, load.a]}
  b: {section: rope, model: massless, route: [hook, load.b]}
  c: {section: rope, model: massless, route: [hook, load.c]}
  d: {section: rope, model: massless, route: [hook, load.d]}
solve: {until: 1 s}
)";

constexpr const char* winch_held = R"(
title: A winch pulls at something that stands still
sections: {rope: {EA: 100 kN, mass: 0.1}}
supports: {winch: {position: [0, 0, 0]}, rock: {position: [0, 0, -1]}}
bodies: {w: {mass: 10 kg, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 0, -1]}}
joints: {bolt: {kind: weld, between: [rock, w]}}
cables:
  rope: {section: rope, model: massless, route: [winch, w], length: 1.1 m, payout: {smooth: [0 m, -0.2 m], from: 0 s, to: 1 s}}
solve: {until: 1 s}
)";

constexpr const char* driven_trolley = R"(
title: A driven trolley pulls a rope taut
sections: {rope: {EA: 100 kN, mass: 0.1}}
supports: {wall: {position: [0, 0, 0]}, rail: {position: [1 m, 0, 0]}}
bodies: {trolley: {mass: 10 kg, shape: {box: [0.2, 0.2, 0.2]}, position: [1 m, 0, 0]}}
joints: {drive: {kind: slider, between: [rail, trolley], axis: x, travel: {smooth: [0 m, 0.2 m], from: 0 s, to: 1 s}}}
cables: {rope: {section: rope, model: massless, route: [wall, trolley], length: 1.1 m}}
solve: {until: 1 s}
)";

constexpr const char* prestressed = R"(
title: A body between two tight ropes
initial: static
sections: {rope: {EA: 100 kN, mass: 0.1}}
supports: {top: {position: [0, 0, 1]}, low: {position: [0, 0, -1]}}
bodies: {w: {mass: 10 kg, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 0, 0]}}
cables:
  up: {section: rope, model: massless, route: [top, w], length: 0.9 m}
  down: {section: rope, model: massless, route: [w, low], length: 0.9 m}
solve: {until: 1 s}
)";

constexpr const char* kinked_hook = R"(
title: Ten tonnes under a light hook that starts off the line
variables: {EA: 5 MN, rope: 10 m, sling: 2 m}
sections: {rope: {EA: EA, mass: 1 kg/m}}
supports: {top: {position: [0, 0, 0]}}
bodies:
  hook: {shape: {sphere: 0.05 m}, mass: 1 kg, position: [0.25 m, 0, -rope]}
  load: {shape: {sphere: 0.3 m}, mass: 10 t, position: [0, 0, -rope - sling]}
cables:
  rope: {section: rope, model: massless, route: [top, hook]}
  sling: {section: rope, model: massless, route: [hook, load]}
solve: {until: 1.2 s}
)";

constexpr const char* light_hook = R"(
title: A thousand tonnes swing below a hook of a kilogram
initial: straight
variables: {weight: 1000 t * 9.81 m/s^2, EA: 2 GN}
sections: {rope: {EA: EA, mass: 1 kg/m}}
supports: {top: {position: [0, 0, 0]}}
bodies:
  hook: {shape: {sphere: 0.1 m}, mass: 1 kg, position: [0, 0, -10 m]}
  load: {shape: {sphere: 1 m}, mass: 1000 t, position: [0, 0, -12 m], velocity: [1 m/s, 0, 0]}
cables:
  rope: {section: rope, model: massless, route: [top, hook], length: 10 m / (1 + weight/EA)}
  sling: {section: rope, model: massless, route: [hook, load], length: 2 m / (1 + weight/EA)}
solve: {until: 20 s}
)";

constexpr const char* gantry = R"(
title: A gantry crane with two ropes on one body that turns
gravity: [0, -9.81 m/s^2, 0]
sections: {rope: {library: wire-rope-6x36, diameter: 20 mm}}
supports: {rail: {position: [7.5 m, 20 m, 0]}}
bodies:
  rack: {shape: {box: [20 m, 1 m, 1 m]}, mass: 10 t, position: [7.5 m, 20 m, 0]}
  trolley: {shape: {box: [3 m, 0.5 m, 3 m]}, mass: 1 t, position: [7.5 m, 20 m, 0], frames: {l: [-1 m, 0, 0], r: [1 m, 0, 0]}}
  box: {shape: {box: [4 m, 2 m, 2 m]}, mass: 5 t, position: [7.5 m, 12 m, 0], frames: {l: [-1 m, 1 m, 0], r: [1 m, 1 m, 0]}}
joints:
  travel: {kind: slider, between: [rail, rack], axis: z, travel: {smooth: [0 m, 10 m], from: 5 s, to: 25 s}}
  cross: {kind: slider, between: [rack, trolley], axis: x, travel: {smooth: [0 m, -14 m], from: 5 s, to: 25 s}}
cables:
  left: {section: rope, model: massless, route: [trolley.l, box.l], payout: {table: [[0 s,0 m],[4 s,-3 m],[26 s,-3 m],[30 s,0 m]]}}
  right: {section: rope, model: massless, route: [trolley.r, box.r], payout: {table: [[0 s,0 m],[4 s,-3 m],[26 s,-3 m],[30 s,0 m]]}}
solve: {until: 40 s}
expect:
  x: {channel: box.position.x, value: 0 m, within: 100 m}
  z: {channel: box.position.z, value: 0 m, within: 100 m}
  left: {channel: left.tension@start, value: 0 N, within: 1 GN}
)";

/// Both cables of a pretension: at every step they carry what they carry at rest.
std::vector<TruthRow> rows_at_rest(const char* source, double tolerance,
                                   const std::vector<std::pair<const char*, double>>& cables) {
  std::vector<TruthRow> out;
  for (const auto& [cable, force] : cables) {
    out.push_back({fmt::format("largest tension of {}", cable), "N", force, tolerance, absolute,
                   source, largest(cable)});
    out.push_back({fmt::format("least tension of {}", cable), "N", force, tolerance, absolute,
                   source, smallest(cable)});
  }
  return out;
}

/// What the 36 kinked starts at one step have shown.
struct KinkedStarts {
  int stopped = 0;
  double highest = 0, lowest = HUGE_VAL;  ///< peak by its reference
  double off = 0;                         ///< of the load [m]
  double gain = 0;                        ///< of energy, by that of the stretched rope
};

void run_kinked_start(const KinkedStart& k, double step, KinkedStarts& out) {
  const TruthScene scene{
      "kinked start",
      kinked_hook,
      {},
      {fmt::format("variables.EA={} MN", k.EA), fmt::format("variables.rope={} m", k.rope),
       fmt::format("variables.sling={} m", k.sling)}};
  const SceneFile file = truth_file(scene, step);
  const Model model(file.scene);
  Integrator integrator(model, file.solve);
  State state = integrator.start();
  const double start = energy(model, state).balance(), weight = 1e4 * 9.81;
  const double scale = weight * weight * (k.rope + k.sling) / (k.EA * 1e6);
  double rope = 0, sling = 0;
  for (size_t i = 0; i < k.height.size(); ++i) {
    while (state.t < 0.04 * static_cast<double>(i + 1) - step / 2) {
      if (integrator.step(state) != Status::ok) {
        ++out.stopped;
        return;
      }
      rope = std::max(rope, state.row_largest[0]);
      sling = std::max(sling, state.row_largest[1]);
      out.gain = std::max(out.gain, (energy(model, state).balance() - start) / scale);
    }
    out.off = std::max(out.off, std::abs(state.position(1).z() - k.height[i]));
  }
  for (const double ratio : {rope / k.rope_peak, sling / k.sling_peak}) {
    out.highest = std::max(out.highest, ratio);
    out.lowest = std::min(out.lowest, ratio);
  }
}

}  // namespace

void add_starts(BenchReport& report) {
  add_truth(report, {"2 pretension", pretensioned, {0.2e-3, 1e-3, 10e-3}},
            rows_at_rest("EA stretch/length", 1e-3, {{"upper", 5054.055}, {"lower", 4955.955}}));
  add_truth(
      report,
      {"2 pretension, not at rest", pretensioned, {0.2e-3, 1e-3, 10e-3}, {"initial=straight"}},
      rows_at_rest("5005 N, and twice the weight at most", 105,
                   {{"upper", 5005}, {"lower", 5005}}));
  add_truth(report, {"2 eight cables on a point", eight_cables, {0.2e-3, 1e-3, 10e-3}},
            rows_at_rest("balance of one point", 1e-3, {{"a", 590.5795}, {"e", 475.6573}}));
  add_truth(report, {"2 platform on eight cables", hung_platform, {1e-3, 5e-3, 10e-3}},
            rows_at_rest("balance; the lower four are slack", 0.05, {{"c1", 92.48}, {"c5", 0}}));
  // A fourth of the weight each; the legs yield by less than 1e-4 of their height.
  const double leg = 500 * 9.81 / 4 * std::sqrt(5 + 7.5 * 7.5) / 7.5;
  add_truth(report, {"14 four legs", four_legs, {1e-3, 5e-3, 10e-3}},
            rows_at_rest("a fourth of the weight each", 1, {{"a", leg}, {"b", leg}}));
  add_truth(report, {"14 winch on a held body", winch_held, {1e-3, 5e-3, 10e-3}},
            {{"largest tension", "N", 100e3 * 0.1 / 0.9, 5, absolute, "EA stretch/length",
              largest("rope")}});
  add_truth(report, {"14 driven cable", driven_trolley, {1e-3, 5e-3, 10e-3}},
            {{"largest tension", "N", 100e3 * 0.1 / 1.1, 5, absolute, "EA stretch/length",
              largest("rope")}});
  add_truth(report, {"14 prestressed start", prestressed, {1e-3, 5e-3, 10e-3}},
            rows_at_rest("EA (1.0004/0.9 - 1)", 2, {{"up", 11160.16}}));
}

void add_kinked_starts(BenchReport& report) {
  for (const double step : {2.5e-3, 5e-3, 10e-3}) {
    KinkedStarts seen;
    for (const KinkedStart& k : kinked_starts()) run_kinked_start(k, step, seen);
    const auto add = [&](const char* quantity, const char* unit, double reference, double tolerance,
                         const char* source, double value) {
      add_truth_row(report, "4 36 kinked starts", step,
                    {quantity, unit, reference, tolerance, absolute, source, {}}, value);
    };
    add("stop", "-", 0, 0, "none", seen.stopped);
    add("highest peak by its reference", "-", 1, 0.05, "integrated apart", seen.highest);
    add("lowest peak by its reference", "-", 1, 0.08, "integrated apart", seen.lowest);
    add("load off by", "m", 0, 0.025, "integrated apart", seen.off);
    add("energy gained, by (m g)^2/k", "-", 0, 1e-3, "none", seen.gain);
  }
}

void add_mass_ratios(BenchReport& report) {
  const auto gain = [](const TruthRun& run) { return run.gain; };
  // The ropes start with the stretch of the weight alone, and overshoot what the swing adds.
  const double swung = 1e6 * (9.81 + 2.0 / 12);
  add_truth(report, {"4 mass ratio of 1e6", light_hook, {2e-3, 5e-3, 10e-3}},
            {{"largest tension", "N", swung, 0.002, relative, "m (g + 2 v^2/L)", largest("rope")},
             {"energy gained", "J", 0, 500, absolute, "none: 500 kJ swing", gain}});
  const std::string smooth = "payout='-3 m * (smooth(t, 0 s, 4 s) - smooth(t, 26 s, 30 s))'";
  const std::vector<std::string> damped = {"initial=static",
                                           "sections.rope.damping={axial: {viscosity: 10 ms}}",
                                           "cables.left." + smooth, "cables.right." + smooth};
  add_truth(report, {"4 gantry, damped and smooth", gantry, {2e-3, 5e-3, 10e-3}, damped},
            {{"x of the box at the end", "m", -6.50760, 0.01, absolute, "converged", measured("x")},
             {"z of the box at the end", "m", 10.05825, 0.01, absolute, "converged", measured("z")},
             {"tension of left at the end", "N", 24498.1, 0.01, relative, "converged",
              measured("left")}});
  add_truth(report, {"4 gantry, undamped", gantry, {2e-3, 5e-3, 10e-3}},
            {{"energy gained", "J", 0, 1500, absolute, "none: 150 kJ are hoisted", gain}});
}

}  // namespace hawser

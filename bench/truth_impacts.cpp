// Fault 1: impacts of massless cables. Faults 3 and 10: kinks of winches and drives.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/truth.h"
#include "hawser/measure.h"

namespace hawser {
namespace {

constexpr const char* snatch = R"(
title: A tonne falls 1 m and is caught by its rope
sections: {rope: {EA: 5 MN, mass: 1 kg/m}}
supports: {hook: {position: [0, 0, 0]}}
bodies: {load: {shape: {sphere: 0.3 m}, mass: 1 t, position: [0, 0, -9 m]}}
cables: {fall: {section: rope, model: massless, route: [hook, load], length: 10 m}}
solve: {until: 2 s}
)";

constexpr const char* snatch_block = R"(
title: The same by a light hook block
variables: {block: 50 kg}
sections: {rope: {EA: 5 MN, mass: 1 kg/m}}
supports: {hook: {position: [0, 0, 0]}}
bodies:
  block: {shape: {sphere: 0.1 m}, mass: block, position: [0, 0, -9 m]}
  load: {shape: {sphere: 0.3 m}, mass: 1 t - block, position: [0, 0, -9.5 m], frames: {eye: [0, 0, 0.5 m]}}
joints: {pin: {kind: pin, between: [block, load.eye]}}
cables: {fall: {section: rope, model: massless, route: [hook, block], length: 10 m}}
solve: {until: 2 s}
)";

constexpr const char* emergency_stop = R"(
title: A winch lowers 8 t at 1 m/s and stops at once
initial: static
sections: {wire: {EA: 9.859 MN, mass: 1.1 kg/m}}
supports: {winch: {position: [0, 0, 0]}}
bodies:
  block: {shape: {sphere: 0.2 m}, mass: 200 kg, position: [0, 0, -20 m], frames: {hook: [0, 0, -0.4 m]}}
  load: {shape: {box: [2 m, 2 m, 2 m]}, mass: 8 t, position: [0, 0, -21.4 m], frames: {eye: [0, 0, 1 m]}}
joints: {hook: {kind: pin, between: [block.hook, load.eye]}}
cables:
  hoist: {section: wire, model: massless, route: [winch, block], length: 20 m, payout: '1 m/s * (1 s * ramp(t, 1 s, 3 s)^2 + 2 s * ramp(t, 3 s, 5 s))'}
solve: {until: 7 s}
)";

constexpr const char* two_ropes = R"(
title: 400 and 600 kg on one bar, caught by two ropes one after the other
sections: {a: {EA: 4 MN, mass: 1 kg/m}, b: {EA: 8.824 MN, mass: 1 kg/m}}
supports: {top: {position: [0, 0, 0]}}
bodies:
  upper: {shape: {sphere: 0.2 m}, mass: 400 kg, position: [0, 0, -9.4 m]}
  lower: {shape: {sphere: 0.2 m}, mass: 600 kg, position: [0, 0, -10.4 m], frames: {eye: [0, 0, 1 m]}}
joints: {bar: {kind: weld, between: [upper, lower.eye]}}
cables:
  a: {section: a, model: massless, route: [top, upper], length: 10 m}
  b: {section: b, model: massless, route: [top, lower], length: 11.03 m}
solve: {until: 1 s}
)";

constexpr const char* chatter = R"(
title: 10 kg thrown between two slack ropes
gravity: [0, 0, 0]
sections: {wire: {EA: 5 MN, mass: 1 kg/m}}
supports: {l: {position: [-1 m, 0, 0]}, r: {position: [1 m, 0, 0]}}
bodies: {ball: {shape: {sphere: 0.1 m}, mass: 10 kg, position: [0, 0, 0], velocity: [1 m/s, 0, 0]}}
cables:
  a: {section: wire, model: massless, route: [l, ball], length: 1.001 m}
  b: {section: wire, model: massless, route: [ball, r], length: 1.001 m}
solve: {until: 1 s}
)";

constexpr const char* rubbing_pulley = R"(
title: A tonne falls 1 m onto a rope over a rubbing fixed pulley
sections: {rope: {EA: 5 MN, mass: 1 kg/m}}
supports: {winch: {position: [-5 m, 0, 0]}, top: {position: [0, 0, 0]}}
bodies: {load: {shape: {sphere: 0.3 m}, mass: 1 t, position: [0.1 m, 0, -9 m]}}
cables: {fall: {section: rope, model: massless, route: [winch, {over: top, radius: 0.1 m, axis: y, friction: 0.2}, load], length: 15.157 m}}
solve: {until: 1 s}
)";

constexpr const char* hoist_by_speed = R"(
title: A winch of given speed hoists a tonne at 2 m/s^2
initial: static
sections: {rope: {EA: 5 MN, mass: 1 kg/m}}
supports: {winch: {position: [0, 0, 0]}}
bodies: {load: {shape: {sphere: 0.3 m}, mass: 1 t, position: [0, 0, -20 m]}}
cables: {fall: {section: rope, model: massless, route: [winch, load], speed: '-2 m/s * ramp(t, 1 s, 2 s)'}
}
solve: {until: 1.9 s}
)";

constexpr const char* lift_by_rate = R"(
title: The same by a driven slider
supports: {top: {position: [0, 0, 0]}}
bodies: {load: {shape: {sphere: 0.3 m}, mass: 1 t, position: [0, 0, 0]}}
joints: {lift: {kind: slider, between: [top, load], axis: z, travel_rate: '2 m/s * ramp(t, 1 s, 2 s)'}
}
solve: {until: 1.9 s}
)";

constexpr const char* lift_by_place = R"(
title: The same by the place of a slider
supports: {top: {position: [0, 0, 0]}}
bodies: {load: {shape: {sphere: 0.3 m}, mass: 1 t, position: [0, 0, 0]}}
joints: {lift: {kind: slider, between: [top, load], axis: z, travel: '1 m * ramp(t, 1 s, 2 s)^2'}}
solve: {until: 1.9 s}
)";

const double snatch_peak = 9810 + std::sqrt(9810.0 * 9810 + 500e3 * 1000 * 2 * 9.81);  ///< [N]

TruthRow peak(const char* quantity, double reference, double share, const char* source,
              const std::string& cable) {
  return {quantity, "N", reference, share, relative, source, largest(cable)};
}

TruthRow gain(double most) {
  return {"energy gained",
          "J",
          0,
          most,
          absolute,
          "none",
          [](const TruthRun& run) { return run.gain; }};
}

/// The largest and the least force of the joint 'lift' at the ends of the steps.
void add_lift(BenchReport& report, const TruthScene& scene) {
  for (const double step : scene.steps) {
    const SceneFile file = truth_file(scene, step);
    const Model model(file.scene);
    Integrator integrator(model, file.solve);
    State state = integrator.start();
    double most = -HUGE_VAL, least = HUGE_VAL;
    const auto look = [&] {
      const double force = joint_force(model, state, "lift").force.z();
      most = std::max(most, force);
      least = std::min(least, force);
    };
    for (look(); state.t < file.until - step / 2; look())
      if (integrator.step(state) != Status::ok) most = least = HUGE_VAL;
    add_truth_row(report, scene.name, step,
                  {"largest force", "N", 11810, 1, absolute, "m (g + 2 m/s^2)", {}}, most);
    add_truth_row(report, scene.name, step, {"least force", "N", 9810, 1, absolute, "m g", {}},
                  least);
  }
}

/// How often the length paid out at t = 0 is asked for by the steps.
void add_asked(BenchReport& report) {
  const TruthScene scene{"10 payout by a function", snatch, {1e-3, 5e-3, 20e-3}};
  for (const double step : scene.steps) {
    SceneFile file = truth_file(scene, step);
    int asked = 0;
    file.scene.cables[0].payout = Signal::function([&asked](double t) -> Signal::Sample {
      if (t == 0) ++asked;
      return {0.1 * t, 0.1, 0};
    });
    const Model model(file.scene);
    Integrator integrator(model, file.solve);
    State state = integrator.start();
    asked = 0;
    const bool ok = integrator.advance(state, 0.2) == Status::ok;
    add_truth_row(report, scene.name, step,
                  {"questions for payout(0) in the steps",
                   "-",
                   0,
                   2,
                   absolute,
                   "at compilation and at the start alone",
                   {}},
                  ok ? std::optional<double>(asked) : std::nullopt);
  }
}

}  // namespace

void add_impacts(BenchReport& report) {
  const char* form = "m g + sqrt((m g)^2 + k m v^2)";
  const TruthRow caught = peak("largest tension", snatch_peak, 0.02, form, "fall");
  add_truth(report, {"1 snatch", snatch, {1e-3, 5e-3, 15e-3, 50e-3}}, {caught, gain(9.81)});
  add_truth(report, {"1 snatch, block of 50 kg", snatch_block, {1e-3, 5e-3, 15e-3}},
            {caught, gain(9.81)});
  add_truth(
      report,
      {"1 snatch, block of 1 kg", snatch_block, {1e-3, 5e-3, 15e-3}, {"variables.block=1 kg"}},
      {caught, gain(9.81)});
  add_truth(report, {"1 emergency stop", emergency_stop, {1e-3, 5e-3, 10e-3, 20e-3}},
            {peak("largest tension", 146.9e3, 0.01, "converged", "hoist")});
  const TruthRow first = peak("largest tension of a", 51278, 0.02, "integrated apart", "a");
  const TruthRow second = peak("largest tension of b", 78555, 0.02, "integrated apart", "b");
  add_truth(report, {"1 two ropes", two_ropes, {1e-3, 10e-3, 50e-3}}, {first, second});
  add_truth(report, {"1 chatter", chatter, {1e-3}},
            {peak("largest tension", 7071.07, 0.02, "v sqrt(k m)", "a"), gain(5e-3)});
  add_truth(report, {"1 chatter", chatter, {5e-3, 20e-3}}, {gain(5e-3)});
  add_truth(report, {"1 over a rubbing pulley", rubbing_pulley, {5e-3, 10e-3, 20e-3}},
            {peak("largest tension", 94960, 0.02, "converged", "fall")});
  const std::vector<std::string> cap = {"solve.factorization_cap=1"};
  add_truth(report, {"1 deadline, block of 50 kg", snatch_block, {5e-3, 20e-3, 50e-3}, cap},
            {caught, gain(9.81)});
  add_truth(report, {"1 deadline, two ropes", two_ropes, {5e-3, 10e-3, 20e-3}, cap},
            {first, second});
}

void add_kinks(BenchReport& report) {
  const TruthRow most{"largest tension", "N", 11810, 1, absolute, "m (g + 2 m/s^2)",
                      largest("fall")};
  const TruthRow least{"least tension", "N", 9810, 1, absolute, "m g", smallest("fall")};
  const std::vector<double> steps = {1e-3, 1.3e-3, 7e-3, 10e-3};
  add_truth(report, {"3 winch by speed", hoist_by_speed, steps}, {most, least});
  for (const char* scheme : {"bdf2", "generalized-alpha"})
    add_truth(report,
              {fmt::format("3 winch by speed, {}", scheme),
               hoist_by_speed,
               {1e-3, 1.3e-3, 10e-3},
               {fmt::format("solve.scheme={}", scheme)}},
              {most, least});
  add_lift(report, {"3 slider by rate", lift_by_rate, steps});
  add_lift(report, {"3 slider by place", lift_by_place, steps});
  add_asked(report);
}

}  // namespace hawser

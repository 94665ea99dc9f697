// Faults 7, 8, 9 and 11: what joints and channels say, and what methods cannot do.
#include <fmt/format.h>

#include <cmath>

#include "bench/truth.h"
#include "hawser/error.h"
#include "hawser/measure.h"

namespace hawser {
namespace {

constexpr const char* free_wheel = R"(
title: A free wheel
gravity: [0, 0, 0]
supports: {o: {position: [0, 0, 0]}}
bodies:
  wheel: {shape: {cylinder: {radius: 0.1 m, length: 0.1 m}}, mass: 1 kg, position: [0, 0, 0], angular_velocity: [0, 0, 10 rad/s]}
joints: {axle: {kind: hinge, between: [o, wheel], axis: z}}
solve: {until: 2 s}
record: {channels: [axle.turn]}
expect: {turn: {channel: axle.turn, value: 20 rad, within: 1 rad}}
)";

constexpr const char* pendulum = R"(
title: A pendulum on one pin
supports: {o: {position: [0, 0, 0]}}
bodies: {bob: {shape: {sphere: 0.1 m}, mass: 1 kg, position: [1 m, 0, 0], frames: {eye: [-1 m, 0, 0]}}}
joints: {pin: {kind: pin, between: [o, bob.eye]}}
solve: {until: 20 s}
)";

constexpr const char* viscous_winch = R"(
title: A winch lowers 1 t at a steady 2 m/s on a rope with axial viscosity
initial: static
sections: {rope: {EA: 2 MN, mass: 1 kg/m, damping: {axial: {viscosity: 20 ms}}}}
supports: {winch: {position: [0, 0, 0]}}
bodies: {load: {shape: {sphere: 0.3 m}, mass: 1 t, position: [0, 0, -10 m]}}
cables:
  fall: {section: rope, model: massless, route: [winch, load], length: 10 m, payout: '2 m/s * (1 s * ramp(t, 1 s, 3 s)^2 + 10 s * ramp(t, 3 s, 13 s))'}
solve: {until: 9 s}
record: {channels: [fall.strain, fall.tension@start, energy]}
expect:
  strain: {channel: fall.strain, value: 0.005, within: 1}
  tension: {channel: fall.tension@start, value: 9810 N, within: 1 kN}
  balance: {channel: energy.balance, at: 0 s, value: 0 J, within: 1 J}
  most: {channel: fall.tension@max, value: 9810 N, within: 1 kN}
)";

constexpr const char* slipping_winch = R"(
title: A winch that slips starts with the force of its rest
initial: static
sections: {rope: {EA: 1 GN, mass: 1 kg/m}}
supports: {rod: {position: [0, 0, 0]}}
bodies: {box: {shape: {sphere: 0.1 m}, mass: 1 kg, position: [0, 0, -5 m]}}
cables: {line: {section: rope, model: massless, route: [rod, box], speed: -2 m/s, slip: 0.1 m/s/N}}
solve: {until: 1 s}
)";

/// 1: refused with a reason, 0: taken.
void add_refused(BenchReport& report, const std::string& name,
                 const std::vector<std::string>& sets) {
  const TruthScene scene{name, pendulum, {1e-3, 10e-3, 20e-3}, sets};
  for (const double step : scene.steps) {
    bool refused = false;
    try {
      const SceneFile file = truth_file(scene, step);
      const Model model(file.scene);
      const Integrator integrator(model, file.solve);
    } catch (const Error&) {
      refused = true;
    }
    add_truth_row(report, name, step,
                  {"refused", "-", 1, 0, absolute, "swings and grows on a rigid joint", {}},
                  refused ? 1 : 0);
  }
}

/// Where the bob is at 2 s, on its way through the third swing.
Vec3 bob(const TruthScene& scene, double step) {
  const SceneFile file = truth_file(scene, step);
  const Model model(file.scene);
  Integrator integrator(model, file.solve);
  State state = integrator.start();
  return integrator.advance(state, 2) == Status::ok ? state.position(0) : Vec3(HUGE_VAL, 0, 0);
}

/// mixed3 against mixed with bodies: its error must not be larger.
void add_third_order(BenchReport& report) {
  const TruthScene mixed{"9 mixed3 with a body", pendulum, {2.5e-3, 5e-3, 10e-3}};
  TruthScene third = mixed;
  third.sets = {"solve.method=mixed3"};
  const Vec3 truth = bob(mixed, 0.05e-3);
  for (const double step : mixed.steps)
    add_truth_row(report, mixed.name, step,
                  {"error at 2 s by that of mixed", "-", 0, 1, absolute, "no larger", {}},
                  (bob(third, step) - truth).norm() / (bob(mixed, step) - truth).norm());
}

}  // namespace

void add_methods(BenchReport& report) {
  add_truth(report, {"7 free wheel", free_wheel, {1e-3, 5e-3, 20e-3}},
            {{"turn after 2 s", "rad", 20, 1e-3, absolute, "10 rad/s", measured("turn")}});
  add_refused(report, "8 newmark", {"solve.scheme=newmark"});
  add_refused(report, "8 rho 0.95", {"solve.scheme=generalized-alpha", "solve.rho_infinity=0.95"});
  add_refused(report, "8 alpha -0.02", {"solve.hht_alpha=-0.02"});
  add_refused(report, "8 baumgarte", {"solve.constraints=baumgarte"});
  const TruthRow kept{
      "energy at the end", "J", 0, 0.05, absolute, "none lost", [](const TruthRun& run) {
        return run.report.energy_end.balance() - run.report.energy_start.balance();
      }};
  add_truth(report, {"8 hht", pendulum, {1e-3, 10e-3, 20e-3}}, {kept});
  add_truth(report,
            {"8 rho 0.9",
             pendulum,
             {1e-3, 10e-3, 20e-3},
             {"solve.scheme=generalized-alpha", "solve.rho_infinity=0.9"}},
            {kept});
  add_third_order(report);
  add_truth(
      report, {"11 viscous winch", viscous_winch, {1e-3, 5e-3, 10e-3}},
      {{"strain at a steady speed", "-", 9810 / 2e6, 1e-5, absolute, "m g/EA", measured("strain")},
       {"tension at a steady speed", "N", 9810, 20, absolute, "m g", measured("tension")},
       {"energy.balance at the start", "J", 0, 1e-9, absolute, "by definition",
        measured("balance")}});
  add_truth(report, {"11 winch that slips", slipping_winch, {1e-3, 5e-3, 10e-3}},
            {{"largest tension", "N", 9.81, 1e-3, absolute, "m g", largest("line")},
             {"least tension", "N", 9.81, 1e-3, absolute, "m g", smallest("line")}});
  const TruthRow end{
      "end of a run of 5 s", "s", 5, 1e-9, absolute, "as asked for", [](const TruthRun& run) {
        return run.report.t;
      }};
  add_truth(report, {"11 end of the run", pendulum, {0.3, 0.07, 7e-3}, {"solve.until=5 s"}}, {end});
}

}  // namespace hawser

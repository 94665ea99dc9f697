// The price and the error of remembering everything: fractional damping at constant cost.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "bench/benches.h"
#include "bench/cases.h"
#include "bench/routes.h"
#include "damping/viscous.h"
#include "hawser/error.h"
#include "hawser/integrator.h"

namespace hawser {
namespace {

/// A pendulum being timed over a whole run: the least over windows of the CPU time of a step.
struct MemoryProbe {
  const char* name;
  Integrator integrator;
  State state;
  double seconds = 1e300;

  MemoryProbe(const char* label, const Scene& scene) : name(label), integrator(Model(scene), {}) {
    state = integrator.start();
  }
  void measure(long steps) {
    const double start = cpu_seconds();
    for (long i = 0; i < steps; ++i)
      if (integrator.step(state) != Status::ok)
        throw std::runtime_error(integrator.failure().message());
    seconds = std::min(seconds, (cpu_seconds() - start) / static_cast<double>(steps));
  }
};

Scene damped(const Damping& axial, const Damping& bending) {
  Scene scene = westin_irani_pendulum(1e8, 10);
  scene.cables[0].sections[0].axial_damping = axial;
  scene.cables[0].sections[0].bending_damping = bending;
  return scene;
}

void add_cost(BenchReport& report, long steps) {
  Damping memory;
  memory.fractional = {0.5, 1e-3};
  MemoryProbe probes[] = {{"elastic", damped({}, {})},
                          {"fractional in stretch", damped(memory, {})},
                          {"fractional in stretch and bending", damped(memory, memory)}};
  const long windows = 200, window = std::max(1L, steps / windows);
  for (long w = 0; w < windows; ++w)
    for (MemoryProbe& p : probes) p.measure(window);
  for (const MemoryProbe& p : probes) {
    BenchRow row;
    row.name = fmt::format("pendulum, 10 elements, {}, {} steps", p.name, window * windows);
    row.quantity = "CPU time of a step";
    row.unit = "us";
    row.ours = 1e6 * p.seconds;
    report.add(row);
    if (&p == &probes[0]) continue;
    row.quantity = "over that of the elastic one";
    row.unit = "-";
    row.ours = p.seconds / probes[0].seconds;
    if (&p == &probes[1]) {
      row.reference = 1.5;
      row.source = "goal: at most";
    }
    report.add(row);
  }
}

/// A cable drawn out at an even speed: D^order of a ramp is rate t^(1 - order)/Gamma(2 - order).
void add_error(BenchReport& report, long steps) {
  constexpr double EA = 1e4, rate = 1e-6, h = 1e-3, tau = 2;
  for (const double order : {0.25, 0.5, 0.75}) {
    Scene scene;
    scene.gravity.setZero();
    Cable c;
    c.name = "line";
    c.model = CableModel::np_fem;
    c.sections[0].EA = EA;
    c.sections[0].mass = 1;
    c.sections[0].axial_damping.fractional = {order, tau};
    c.elements = 1;
    scene.cables = {c};
    hold(scene, "line", 0);
    hold(scene, "line", -1).motion[0] = Signal::function([](double t) {
      return Signal::Sample{rate * t, rate, 0};
    });
    const Model model(scene);
    SolveOptions options;
    options.step = h;
    Integrator integrator(model, options);
    State state = integrator.start();
    const double bound = Viscous::law_of(c.sections[0].axial_damping, options).error;
    for (long done = 0, next = 100; done < steps;) {
      for (; done < std::min(next, steps); ++done)
        if (integrator.step(state) != Status::ok)
          throw std::runtime_error(integrator.failure().message());
      next *= 10;
      const double viscous = state.axial_force[0] / EA - rate * state.t;
      const double exact = tau * rate * std::pow(state.t, 1 - order) / std::tgamma(2 - order);
      BenchRow row;
      row.name = fmt::format("line drawn out evenly, order {}, {} steps", order, done);
      row.quantity = "error of the viscous force";
      row.unit = "-";
      row.ours = viscous / exact - 1;
      row.reference = 0;
      row.tolerance = bound;
      row.kind = Tolerance::absolute;
      row.source = "closed form; the tolerance is the stated bound";
      report.add(row);
    }
  }
}

}  // namespace

BenchReport bench_memory(long steps) {
  BenchReport report("memory", "hawser bench memory",
                     "Fractional damping with full memory at constant cost: CPU time per step, "
                     "minimum over windows, and error against a closed form.");
  add_cost(report, steps);
  add_error(report, steps);
  return report;
}

}  // namespace hawser

// CPU time of a step of the pendulum through the engine a scene uses.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/clock.h"
#include "bench/benches.h"
#include "bench/cases.h"
#include "hawser/error.h"
#include "hawser/integrator.h"

namespace hawser {
namespace {

const char* solve_name(Method solve) {
  switch (solve) {
    case Method::linearized:
      return "linearized";
    case Method::mixed:
      return "mixed";
    case Method::mixed3:
      return "mixed3";
    case Method::newton:
      return "newton";
    case Method::spook:
      return "spook";
  }
  return "";
}

/// Westin & Irani's pendulum with elements of 0.1 m, as long as it takes: the motion per element,
/// and so the work, stays comparable.
Scene long_pendulum(int elements) {
  Scene scene = westin_irani_pendulum(1e8, elements);
  scene.cables[0].route.back() = {0.1 * elements, 0, 0};
  return scene;
}

/// One pendulum being timed: the least over windows of the CPU time of a step.
struct PendulumProbe {
  Method solve;
  int elements;
  Integrator integrator;
  State state;
  double seconds = 1e300;

  PendulumProbe(Method s, int n)
      : solve(s), elements(n), integrator(Model(long_pendulum(n)), options(s)) {
    state = integrator.start();
  }

  static SolveOptions options(Method solve) {
    SolveOptions o;
    o.method = solve;
    o.step = 1e-3;
    if (solve == Method::linearized) o.hht_alpha = -0.05;
    return o;
  }

  void measure(int windows) {
    const int window = std::max(4, 20000 / elements);
    for (int w = 0; w < windows; ++w) {
      const double start = cpu_seconds();
      for (int i = 0; i < window; ++i)
        if (integrator.step(state) != Status::ok)
          throw std::runtime_error(integrator.failure().message());
      seconds = std::min(seconds, (cpu_seconds() - start) / window);
    }
  }
};

}  // namespace

BenchReport bench_step(const std::vector<int>& elements, const std::vector<Method>& solves) {
  BenchReport report("step", "hawser bench step",
                     "CPU time per step of the pendulum, h = 1e-3 s, minimum over windows.");
  const std::map<Method, double> prototype = {
      {Method::linearized, 2.1}, {Method::mixed, 2.2}, {Method::mixed3, 4.3}};
  std::vector<PendulumProbe> probes;
  for (const Method solve : solves)
    for (const int n : elements) probes.emplace_back(solve, n);
  for (int round = 0; round < 8; ++round)  // spread over seconds: machines have slow spells
    for (PendulumProbe& probe : probes) probe.measure(8);
  size_t next = 0;
  for (const Method solve : solves) {
    double at_100 = 0;
    for (const int n : elements) {
      const double seconds = probes[next++].seconds;
      BenchRow row;
      row.name = fmt::format("{}, {} elements", solve_name(solve), n);
      row.quantity = "CPU time of a step";
      row.unit = "us";
      row.ours = 1e6 * seconds;
      if (const auto known = prototype.find(solve); known != prototype.end() && n == 10) {
        row.reference = known->second;
        row.source = "tuned prototype, its own machine";
      }
      row.extra = {{"solve", solve_name(solve)},
                   {"elements", n},
                   {"us_per_step", 1e6 * seconds},
                   {"ns_per_element", 1e9 * seconds / n}};
      report.add(row);
      if (n == 100) at_100 = seconds / n;
      if (n == 10000 && at_100 > 0) {
        BenchRow growth = row;
        growth.name = fmt::format("{}, 10000 against 100 elements", solve_name(solve));
        growth.quantity = "ratio of the cost of an element";
        growth.unit = "-";
        growth.ours = seconds / n / at_100;
        growth.reference = 1;
        growth.source = "linear growth; goal at most 1.4";
        report.add(growth);
      }
    }
  }
  return report;
}

}  // namespace hawser

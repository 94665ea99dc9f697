#include "bench/contact_belts.h"

#include <fmt/format.h>

#include "bench/belt_scenes.h"
#include "bench/contact_cases.h"
#include "bench/edge_scenes.h"
#include "bench/sliding_scenes.h"
#include "hawser/error.h"

namespace hawser {
namespace touching {
namespace {

/// The mean of a second in the steady run; NaN where the steps fail.
belts::BeltState steady_belt(const belts::Belt& belt) {
  belts::BeltRun run(belt, 1e-3);
  if (run.to(2) != Status::ok) return {std::nan(""), 0, 0, 0, 0};
  return run.mean(3);
}

/// The turn rate of the driven pulley after 3 s over that of the driver.
double late_ratio(const belts::Belt& belt) {
  belts::BeltRun run(belt, 1e-3);
  return run.to(3) == Status::ok ? -run.driven_rate() / belt.rate : std::nan("");
}

/// 1: it stays at rest for a second; 0: there is no equilibrium, or it slides.
double rests(const EdgeRope& rope) {
  try {
    TouchRun run(rope_on_edge(rope), by(1e-3));
    const Vec3 before = run.state.position(0);
    if (run.to(1) != Status::ok) return std::nan("");
    return (run.state.position(0) - before).norm() < 1e-6 ? 1 : 0;
  } catch (const Error&) {
    return 0;
  }
}

/// Without friction the weight of what is below the table pulls: R + h = (R + h0) cosh(t
/// sqrt(g/L)). A rope with a little bending stiffness: none that is slack and laid over an edge
/// settles.
void add_smooth_table(BenchReport& report) {
  EdgeRope rope;
  rope.friction = 0;
  rope.EI = 1e-5;
  rope.at_rest = false;
  rope.hangs = 0.05;
  for (const double h : {1e-3, 2.5e-4}) {
    TouchRun run(rope_on_edge(rope), by(h));
    const double start = rope.radius + rope.hangs - run.state.position(0).x();
    for (const double t : {0.4, 0.65}) {
      const bool ok = run.to(t) == Status::ok;
      report.add(touch_row(fmt::format("rope off a smooth table, h = {:g} s", h),
                           fmt::format("below the table at {:g} s", t), "m",
                           ok ? start + run.state.position(0).x() : std::nan(""),
                           (rope.radius + rope.hangs) * std::cosh(t * std::sqrt(g / rope.length)),
                           5e-3, Tolerance::relative, "x0 cosh(t sqrt(g/L))"));
    }
  }
}

}  // namespace
}  // namespace touching

void add_belt_rows(BenchReport& report) {
  using namespace touching;
  const char* source =
      "creep theory, with the belt as deep in the pulleys as the tension presses it";
  belts::Belt belt;
  const double sunk = belt.EA * belt.prestrain / belt.radius / belt.stiffness;
  for (const double torque : {0.0, 10.0, 25.0, 40.0}) {
    belt.torque = torque;
    const belts::BeltState theory = belt_theory(belt, sunk), now = steady_belt(belt);
    const std::string name = fmt::format("belt, load {:g} N m", torque);
    const auto add = [&](const char* quantity, const char* unit, double ours, double reference,
                         double tolerance) {
      report.add(touch_row(name, quantity, unit, std::isnan(now.T1) ? now.T1 : ours, reference,
                           tolerance, Tolerance::relative, source));
    };
    add("tension of the tight span", "N", now.T1, theory.T1, 1e-2);
    add("tension of the slack span", "N", now.T2, theory.T2, 1e-2);
    add("turn rate over that of the driver", "", now.ratio, theory.ratio, 1e-3);
    add("force on a bearing", "N", now.bearing, theory.bearing, 1e-2);
  }
  const double capacity = belt_capacity(belt, sunk);
  belt.torque = 0.97 * capacity;
  report.add(touch_row(fmt::format("belt, load {:.1f} N m, 97 % of its capacity", belt.torque),
                       "turn rate over that of the driver", "", late_ratio(belt),
                       belt_theory(belt, sunk).ratio, 1e-2, Tolerance::relative, source));
  belt.torque = 1.03 * capacity;
  report.add(touch_row(fmt::format("belt, load {:.1f} N m, 103 % of its capacity", belt.torque),
                       "the driven pulley is turned back", "", late_ratio(belt) < 0 ? 1 : 0, 1, 0,
                       Tolerance::absolute, "the belt slips on the whole arc"));
}

void add_edge_rows(BenchReport& report) {
  using namespace touching;
  add_smooth_table(report);
  for (const bool rubs : {false, true})
    for (const double friction : {0.3, 0.5})
      for (const double share : {0.98, 1.02}) {
        EdgeRope rope;
        rope.friction = friction;
        rope.edge_rubs = rubs;
        rope.hangs = share * rope.critical();
        report.add(touch_row(
            fmt::format("rope over the {} edge of a table, mu = {:g}, {:g} % of what holds",
                        rubs ? "rounded" : "smooth", friction, 100 * share),
            "stays at rest", "", rests(rope), share < 1 ? 1 : 0, 0, Tolerance::absolute,
            fmt::format("share that hangs, R -> 0: {:.6f}", rope.limit())));
      }
}

/// On a rope of 0.4 kg and 10 MN the path lies up to 14 mm lower and the rider is up to 15 mm off:
/// the rope stretches by 5.5 mm, a quarter of its length over its sag times that in depth.
void add_zip_line(BenchReport& report) {
  SolveOptions options;
  options.step = 2e-3;
  sliding::SlideRun run(sliding::zip_line(640), options);
  for (const sliding::ZipLinePoint& p : sliding::zip_line_path) {
    const bool ok = run.to(p.t) == Status::ok;
    for (const auto& [axis, k, reference] : {std::tuple("x", 0, p.x), std::tuple("z", 2, p.z)})
      report.add(touch_row("zip line, np-fem, 640 elements", fmt::format("{} at {:g} s", axis, p.t),
                           "m", ok ? run.bead()[k] : std::nan(""), reference, 0.02,
                           Tolerance::absolute, "on the ellipse of a massless rope"));
  }
}

}  // namespace hawser

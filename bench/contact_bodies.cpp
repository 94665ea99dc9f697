#include "bench/contact_bodies.h"

#include <fmt/format.h>

#include "bench/body_scenes.h"
#include "bench/contact_cases.h"
#include "hawser/error.h"
#include "hawser/modes.h"

namespace hawser {
namespace touching {
namespace {

constexpr double degree = pi / 180;

/// How far a rope moves from a static start within a second [mm]; NaN: it has no equilibrium.
double moved_from_rest(const Scene& scene, double h) {
  try {
    TouchRun run(scene, by(h));
    const std::vector<double> start = run.state.q;
    if (run.to(1) != Status::ok) return std::nan("");
    double most = 0;
    for (size_t i = 0; i < start.size(); ++i)
      if (i % 6 < 3) most = std::max(most, std::abs(run.state.q[i] - start[i]));
    return 1e3 * most;
  } catch (const Error&) {
    return std::nan("");
  }
}

/// What goes down a slope within a second [m].
double down_slope(const Body& body, double angle, double friction, double h) {
  TouchRun run(on_slope(body, angle, friction), by(h));
  return run.to(1) == Status::ok ? place_of(run, 0).x() : std::nan("");
}

}  // namespace
}  // namespace touching

void add_contact_statics(BenchReport& report) {
  using namespace touching;
  const TouchedDown c;
  const TouchRun line(touched_down(c, 0), by(1e-3));
  const double top = reaction(line.model, line.state, Place::end("rope")).force.norm();
  report.add(touch_row("static catenary that touches the ground", "tension at the top", "N", top,
                       c.H + c.weight() * c.height, 2e-3, Tolerance::relative, "H + w z"));
  report.add(touch_row("static catenary that touches the ground", "tension at the anchor", "N",
                       line.pull(), c.H, 5e-3, Tolerance::relative, "H"));
  for (const double longer : {2.65, 2.70})
    report.add(touch_row(fmt::format("static rope over a bar, l1 = 1 m, l2 = {:g} m", longer),
                         "moves within 1 s", "mm", moved_from_rest(hung_rope(1, longer), 1e-3), 0,
                         1e-3, Tolerance::absolute, "holds up to 2.7626 m"));
  const double slides = moved_from_rest(hung_rope(1, 2.80), 1e-3);
  report.add(touch_row("static rope over a bar, l1 = 1 m, l2 = 2.8 m", "equilibria found", "",
                       std::isnan(slides) ? 0 : 1, 0, 0, Tolerance::absolute, "slides off"));
  for (const double mu : {0.0, 0.4}) {
    const Model model(string_on_bar(mu));
    const State state = Integrator(model, by(1e-3)).start();
    ModeOptions options;
    options.count = 1;
    const double wave = std::sqrt(100 / 0.1);
    report.add(
        touch_row(fmt::format("string of 1 m that a bar touches at its middle, mu = {:g}", mu),
                  "first frequency", "Hz", modes(model, state, options).modes[0].frequency,
                  mu > 0 ? wave : wave / 2, 1e-2, Tolerance::relative, "of its halves"));
  }
}

void add_touching_bodies(BenchReport& report) {
  using namespace touching;
  const Body block = solid("block", Solid::Kind::box, {0.4, 0.3, 0.2}, {0, 0, 0.1}),
             ball = solid("ball", Solid::Kind::sphere, {0.1, 0, 0}, {0, 0, 0.1});
  for (const double h : {1e-3, 1e-2}) {
    const std::string step = fmt::format(", h = {:g} s", h);
    report.add(touch_row("block on a slope of 25 deg, mu = 0.5" + step, "moves within 1 s", "mm",
                         1e3 * down_slope(block, 25 * degree, 0.5, h), 0, 0.05, Tolerance::absolute,
                         "holds below atan mu"));
    report.add(touch_row("block on a slope of 35 deg, mu = 0.5" + step, "slides within 1 s", "m",
                         down_slope(block, 35 * degree, 0.5, h),
                         g * (std::sin(35 * degree) - 0.5 * std::cos(35 * degree)) / 2, 5e-3,
                         Tolerance::relative, "g (sin - mu cos)"));
    report.add(touch_row("sphere on a slope of 20 deg, mu = 0.5" + step, "rolls within 1 s", "m",
                         down_slope(ball, 20 * degree, 0.5, h), 5 * g * std::sin(20 * degree) / 14,
                         5e-3, Tolerance::relative, "5/7 g sin"));
    TouchRun run(stack(5), by(h));
    const bool ok = run.to(10) == Status::ok;
    report.add(touch_row("stack of five boxes" + step, "moves within 10 s", "mm",
                         ok ? 1e3 * body_drift(run).way : std::nan(""), 0, 0.5, Tolerance::absolute,
                         "stays"));
  }
}

}  // namespace hawser

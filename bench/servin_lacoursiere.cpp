// Servin & Lacoursiere's validation of the massless cable: two boxes thrown apart or spun against
// each other, six stiffnesses, h = 0.01 s, by their own stepper and by Spook.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "bench/benches.h"
#include "bench/cases.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"

namespace hawser {
namespace {

using std::numbers::pi;
constexpr double their_step = 0.01;  ///< [s]

struct BoxesMode {
  double period = 0;  ///< [s]
  double kept = 0;    ///< of the energy, a step
};

/// What a linear oscillator's samples obey: x_{n+1} = 2 r cos(w h) x_n - r^2 x_{n-1}.
BoxesMode mode_of(const std::vector<double>& x, double step) {
  Eigen::Matrix2d A = Eigen::Matrix2d::Zero();
  Eigen::Vector2d b = Eigen::Vector2d::Zero();
  for (size_t n = 1; n + 1 < x.size(); ++n) {
    const Eigen::Vector2d past(x[n], x[n - 1]);
    A += past * past.transpose();
    b += past * x[n + 1];
  }
  const Eigen::Vector2d c = A.ldlt().solve(b);
  const double r2 = -c[1];
  return {2 * pi * step / std::acos(c[0] / (2 * std::sqrt(r2))), r2};
}

enum class Stepper { paper, spook, standard };

BoxesMode measure(const TwoBoxes& boxes, bool twist, Stepper stepper, double until,
                  double step = their_step) {
  SolveOptions o;
  o.step = step;
  if (stepper == Stepper::paper) {
    o.method = Method::linearized;
    o.scheme = Scheme::backward_euler;
  } else if (stepper == Stepper::spook) {
    o.method = Method::spook;
    o.damping_time = 0;
  }
  const Model model(two_boxes(boxes));
  Integrator integrator(model, o);
  State state = integrator.start();
  const double rest = (state.position(1) - state.position(0)).norm();
  std::vector<double> x;
  while (state.t < until && integrator.step(state) == Status::ok)
    x.push_back(twist ? state.twist[0] : (state.position(1) - state.position(0)).norm() - rest);
  return mode_of(x, step);
}

struct BoxesCase {
  bool twist;
  double c;               ///< [N/m] or [N m]
  double exact;           ///< period [s]
  double energy;          ///< left after it, by their stepper
  double spook;           ///< period [s]
  double printed, digit;  ///< period in their text [s], half a unit of its last digit
};

constexpr BoxesCase boxes_cases[] = {{false, 10, 44.4288, .99115, 44.4288, 44, .5},
                                     {false, 1e3, 4.44288, .91504, 4.44296, 4.4, .05},
                                     {false, 1e6, .140496, .0779, .1428, .14, .005},
                                     {true, 10, 36.2760, .98918, 36.2760, 36, .5},
                                     {true, 1e3, 3.62760, .89683, 3.62769, 3.6, .05},
                                     {true, 1e6, .114715, .0558, .1176, .11, .005}};

TwoBoxes boxes_of(const BoxesCase& c) {
  TwoBoxes boxes;
  if (c.twist) {
    boxes.twist_stiffness = c.c;
    boxes.spin = 1;
    boxes.speed = 0;
    boxes.stiffness = 1e9;
  } else {
    boxes.stiffness = c.c;
    boxes.speed = c.c < 100 ? 0.1 : 1;  // the soft cable must not turn inside out
  }
  return boxes;
}

void add_case(BenchReport& report, const BoxesCase& c) {
  const std::string name = fmt::format(
      "{} {:g} {}", c.twist ? "twist, c_t =" : "stretch, c_s =", c.c, c.twist ? "N m/rad" : "N/m");
  BenchRow row;
  row.name = name;
  const auto add = [&](const std::string& quantity, const char* unit, double ours, double reference,
                       double tolerance, const std::string& source) {
    row.quantity = quantity;
    row.unit = unit;
    row.ours = ours;
    row.reference = reference;
    row.tolerance = tolerance;
    row.source = source;
    report.add(row);
  };
  const BoxesMode theirs = measure(boxes_of(c), c.twist, Stepper::paper, 1.5 * c.exact);
  const double w = 2 * pi / c.exact;
  add("period, their stepper", "s", theirs.period, 2 * pi * their_step / std::atan(w * their_step),
      1e-3, "2 pi h/atan(w h)");
  add("energy left after a period, their stepper", "-",
      std::pow(theirs.kept, std::floor(c.exact / their_step + 0.01)), c.energy, 1e-3,
      "(1 + (w h)^2)^-n, n whole steps");
  const BoxesMode spook = measure(boxes_of(c), c.twist, Stepper::spook, 1.5 * c.exact);
  add("period, spook without damping", "s", spook.period, c.spook, 1e-3, "pi h/atan(w h/2)");
  add("energy left after a period, spook without damping", "-",
      std::pow(spook.kept, c.exact / their_step), 1, 1e-4, "undamped");
  const BoxesMode standard = measure(boxes_of(c), c.twist, Stepper::standard, 1.5 * c.exact);
  row.tolerance.reset();
  row.quantity = "period, mixed with hht";
  row.unit = "s";
  row.ours = standard.period;
  row.reference = c.exact;
  row.source = "closed form";
  report.add(row);
  row.quantity = "period, mixed with hht, 200 steps each";
  row.ours = measure(boxes_of(c), c.twist, Stepper::standard, 1.5 * c.exact, c.exact / 200).period;
  row.reference = c.printed;
  row.tolerance = c.digit;
  row.kind = Tolerance::absolute;
  row.source = "printed in sec. 5.1";
  report.add(row);
}

/// Fig. 5: the force over c_s is the elongation. Largest difference over a period, by their
/// stepper.
void add_force(BenchReport& report) {
  const BoxesCase& c = boxes_cases[1];
  const Model model(two_boxes(boxes_of(c)));
  SolveOptions o;
  o.method = Method::linearized;
  o.scheme = Scheme::backward_euler;
  o.step = their_step;
  Integrator integrator(model, o);
  State state = integrator.start();
  const double rest = (state.position(1) - state.position(0)).norm();
  double most = 0, apart = 0;
  while (state.t < c.exact && integrator.step(state) == Status::ok) {
    const double elongation = (state.position(1) - state.position(0)).norm() - rest;
    most = std::max(most, std::abs(elongation));
    apart = std::max(apart, std::abs(run_tensions(model, state, "rope")[0] / c.c - elongation));
  }
  BenchRow row;
  row.name = fmt::format("stretch, c_s = {:g} N/m", c.c);
  row.quantity = "tension over c_s, largest difference from the elongation";
  row.unit = "%";
  row.ours = 100 * apart / most;
  row.reference = 0;
  row.tolerance = 1e-6;
  row.kind = Tolerance::absolute;
  row.source = "Fig. 5, \"coincides very well\"";
  report.add(row);
}

}  // namespace

BenchReport bench_servin_lacoursiere() {
  BenchReport report(
      "servin-lacoursiere", "hawser bench servin-lacoursiere",
      "Two boxes of one tonne on a massless cable (`scenes/two-boxes.yaml`, Servin & Lacoursiere "
      "sec. 5.1), h = 0.01 s. Periods and energies are computed from samples of the motion. The "
      "stepper of the paper is linearized Backward Euler.");
  for (const BoxesCase& c : boxes_cases) add_case(report, c);
  add_force(report);
  for (const double angle : {0.0, 0.7, 1.4, pi / 2}) {
    TwoBoxes boxes = boxes_of(boxes_cases[4]);
    boxes.inclination = angle;
    BenchRow row;
    row.name = fmt::format("twist, cable inclined by {:.4g} rad", angle);
    row.quantity = "period, mixed with hht";
    row.unit = "s";
    row.ours = measure(boxes, true, Stepper::standard, 6).period;
    row.reference = boxes_cases[4].exact;
    row.tolerance = 1e-3;
    row.source = "closed form: the same at every inclination";
    report.add(row);
  }
  return report;
}

}  // namespace hawser

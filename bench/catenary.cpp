// Hanging cables: the catenary against closed forms and its own equations in long double, and the
// ANCF cable in balance against the catenary.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "bench/benches.h"
#include "bench/routes.h"
#include "elements/hermite.h"
#include "hawser/integrator.h"
#include "hawser/statics.h"
#include "math/catenary.h"

namespace hawser {
namespace {

using Real = long double;

constexpr double line_weight = 20;  // [N/m]

CatenaryProblem problem(double span, double rise, double length, double EA, StrainMeasure strain) {
  CatenaryProblem p;
  p.to = {span, 0, rise};
  p.length = length;
  p.weight = {0, 0, -line_weight};
  p.law = {EA, strain};
  return p;
}

void add(BenchReport& report, const std::string& name, const char* quantity, const char* unit,
         double ours, double reference, const char* source, double tolerance = 1e-10) {
  BenchRow row;
  row.name = name;
  row.quantity = quantity;
  row.unit = unit;
  row.ours = ours;
  row.reference = reference;
  row.tolerance = tolerance;
  row.kind = reference == 0 ? Tolerance::absolute : Tolerance::relative;
  row.source = source;
  report.add(row);
}

/// The root of a function that decreases, by halving.
template <class F>
Real halved(const F& f, Real low, Real high) {
  for (int i = 0; i < 200; ++i) (f((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  return low;
}

// --- inextensible ---

/// z = a cosh(x/a): 2 a sinh(span/2a) = sqrt(L^2 - rise^2), and with x the level distance from the
/// start to the lowest point a tanh gives where that lies.
void add_inextensible(BenchReport& report) {
  struct Case {
    const char* name;
    double span, rise, length;
  };
  for (const Case& c : {Case{"level, 10 % slack", 100, 0, 110}, Case{"inclined", 80, 30, 95},
                        Case{"nearly taut", 100, 10, 100.51}, Case{"deep", 1, 0.5, 200}}) {
    const Real span = c.span, rise = c.rise, length = c.length;
    const Real across = std::sqrt(length * length - rise * rise);
    const Real a = halved([&](Real x) { return 2 * x * std::sinh(span / (2 * x)) - across; },
                          span / 2e3L, 1e4L * span);
    const Real start = a * std::atanh(rise / length) - span / 2;  // x of the start, lowest at 0
    const Catenary catenary =
        solve_catenary(problem(c.span, c.rise, c.length, 1e19, StrainMeasure::green));
    const std::string name = fmt::format("inextensible, {}", c.name);
    constexpr const char* source = "closed form, bisected in long double";
    add(report, name, "tension at the start", "N", catenary.tension(0),
        static_cast<double>(line_weight * a * std::cosh(start / a)), source);
    const Eigen::Vector3d slope = catenary.slope(0);
    add(report, name, "angle at the start", "rad", std::atan2(slope.z(), slope.x()),
        static_cast<double>(std::atan(std::sinh(start / a))), source);
    const double half = c.length / 2;
    const Real u = std::sinh(start / a) + half / a;  // sinh(x/a) halfway along the cable
    add(report, name, "depth of the middle", "m", -catenary.position(half).z(),
        static_cast<double>(a * (std::cosh(start / a) - std::sqrt(1 + u * u))), source);
  }
}

// --- elastic ---

Real green_stretch(Real tension, Real EA) {
  Real l = 1 + std::cbrt(tension / EA);
  for (int i = 0; i < 100; ++i) l -= (l * l * l - l - 2 * tension / EA) / (3 * l * l - 1);
  return l;
}

/// r' = stretch(T) T/|T| from the start to the end, with the tension that the solver found: its
/// distance from the end asked for. Simpson's rule in long double.
double miss(const CatenaryProblem& p, const Catenary& c) {
  const Eigen::Vector3d slope = c.slope(0).normalized();
  const Real H = c.tension(0) * slope.x(), V = c.tension(0) * slope.z();
  constexpr int parts = 20000;
  const Real h = Real(p.length) / parts;
  Real x = 0, z = 0;
  for (int i = 0; i <= parts; ++i) {
    const Real rise = V + line_weight * h * i, T = std::sqrt(H * H + rise * rise);
    const Real l =
        p.law.strain == StrainMeasure::green ? green_stretch(T, p.law.EA) : 1 + T / Real(p.law.EA);
    const Real w = (i == 0 || i == parts ? 1 : i % 2 ? 4 : 2) * h / 3;
    x += w * l * H / T;
    z += w * l * rise / T;
  }
  return static_cast<double>(std::hypot(x - Real(p.to.x()), z - Real(p.to.z())));
}

void add_elastic(BenchReport& report) {
  for (const StrainMeasure strain : {StrainMeasure::engineering, StrainMeasure::green}) {
    const char* measure = strain == StrainMeasure::green ? "green" : "engineering";
    for (const double EA : {1e7, 1e4, 500.0})
      for (const double length : {130.0, 100.0, 60.0}) {
        const CatenaryProblem p = problem(90, 30, length, EA, strain);
        const double rounding = 1e-12 * (std::hypot(90, 30) + length);
        add(report, fmt::format("elastic, {}, EA {:g} N, {:g} m", measure, EA, length),
            "end missed, by 1e-12 of span and length", "-", miss(p, solve_catenary(p)) / rounding,
            0, "r' = stretch T/abs(T) integrated in long double", 1);
      }
  }
}

// --- a mooring line ---

/// Lifted length and reach of a line whose foot lies: l = sqrt(h^2 + 2 h a), a acosh(1 + h/a), and
/// with stretch Irvine's terms.
void add_mooring(BenchReport& report) {
  for (const double EA : {1e19, 2e5}) {
    const Real H = 4000, h = 60, w = line_weight, stiff = EA;
    const auto height = [&](Real l) {
      return (std::sqrt(H * H + w * l * w * l) - H) / w + w * l * l / (2 * stiff);
    };
    const Real lifted = halved([&](Real l) { return h - height(l); }, 0, 1000), lying = 80;
    const Real reach = H / w * std::asinh(w * lifted / H) + H * (lifted + lying) / stiff + lying;
    CatenaryProblem p;
    p.to = {static_cast<double>(reach), 0, static_cast<double>(h)};
    p.length = static_cast<double>(lifted + lying);
    p.weight = {0, 0, -line_weight};
    p.law = {EA, StrainMeasure::engineering};
    p.floor = 0;
    const Catenary c = solve_catenary(p);
    const std::string name = EA > 1e10 ? "mooring, inextensible" : "mooring, elastic";
    add(report, name, "tension at the anchor", "N", c.tension(0), static_cast<double>(H),
        "closed form");
    add(report, name, "tension at the top", "N", c.tension(p.length),
        static_cast<double>(std::sqrt(H * H + w * lifted * w * lifted)), "closed form");
    add(report, name, "lying on the ground", "m", c.lying(), static_cast<double>(lying),
        "closed form");
  }
}

// --- the ANCF cable ---

/// Largest distance of the cable in balance from the catenary, at 16 places of every element.
double ancf_error(int elements) {
  constexpr double EA = 2e3, length = 11;  // stretched by 10 %
  Scene scene;
  Cable c;
  c.name = "line";
  c.sections = {Section{EA, 0, line_weight / 9.81}};
  c.route.back() = {10, 0, 2};
  c.length = length;
  c.elements = elements;
  c.strain = StrainMeasure::green;
  c.axial_points = 7;
  c.initial = Initial::catenary;
  scene.cables = {c};
  hold(scene, "line", 0);
  hold(scene, "line", -1);
  const Model model(scene);
  State state = Integrator(model, {}).start();
  if (!equilibrium(model, state).converged) return std::nan("");
  const Catenary catenary = solve_catenary(problem(10, 2, length, EA, c.strain));
  const double l = c.length / elements;
  double most = 0;
  for (int e = 0; e < elements; ++e)
    for (int i = 0; i <= 16; ++i) {
      const double xi = i / 16.0;
      const auto n = hermite_position(xi);
      const Vec3 r = n[0] * state.position(e) + l * n[1] * state.slope(e) +
                     n[2] * state.position(e + 1) + l * n[3] * state.slope(e + 1);
      most = std::max(most, (r - catenary.position(l * (e + xi))).norm());
    }
  return most;
}

void add_ancf(BenchReport& report) {
  double before = 0;
  for (const int elements : {1, 2, 4, 8, 16, 32, 64}) {
    const double error = ancf_error(elements);
    BenchRow row;
    row.name = fmt::format("ancf in balance, {} element{}", elements, elements == 1 ? "" : "s");
    row.quantity = "largest distance from the catenary";
    row.unit = "m";
    row.ours = error;
    report.add(row);
    if (before > 0 && elements >= 16) {
      row.name = fmt::format("ancf in balance, {} to {} elements", elements / 2, elements);
      row.quantity = "order of that";
      row.unit = "-";
      row.ours = std::log2(before / error);
      row.reference = 4;
      row.tolerance = 0.3;
      row.kind = Tolerance::absolute;
      row.source = "cubic Hermite elements";
      report.add(row);
    }
    before = error;
  }
}

}  // namespace

BenchReport bench_catenary() {
  BenchReport report("catenary", "hawser bench catenary",
                     "A cable of 20 N/m without bending stiffness hangs between two points. The "
                     "catenary solver is compared with closed forms and with its own equations, "
                     "and the ANCF cable in equilibrium with the catenary.");
  add_inextensible(report);
  add_elastic(report);
  add_mooring(report);
  add_ancf(report);
  return report;
}

}  // namespace hawser

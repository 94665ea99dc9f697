// Gu et al. (2023), "Fractional derivative viscosity of ANCF cable element": the stretched bar
// (6.1) against the exact motion, the pendulum (6.2) and the released wire (6.3).
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "bench/benches.h"
#include "bench/cases.h"
#include "bench/gu_figures.h"
#include "hawser/integrator.h"

namespace hawser {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

// --- 6.1: a bar released from an even stretch ---

// The paper's figure lost its numbers; these are ours.
constexpr double bar_length = 1, bar_density = 1000, bar_youngs = 1e6, bar_strain = 1e-3,
                 bar_tau = 0.1;
constexpr double bar_times[] = {.02, .05, .1, .15, .2, .3, .5};  ///< [s]
constexpr int bar_elements = 20;

/// T'' + w^2 (T + tau D^order T) = 0, T(0) = 1, T'(0) = 0, whose transform is
/// (s + w^2 tau s^(order - 1))/(s^2 + w^2 + w^2 tau s^order): the pair of its poles and the
/// integral along its cut, the negative axis. Not for orders near 1, where poles lie on the cut.
double mode(double w, double order, double t) {
  const double w2 = w * w;
  Complex s(0, w);
  for (int i = 0; i < 200; ++i)  // contracts, by less than order/2 a turn
    s = Complex(0, w) * std::sqrt(1.0 + bar_tau * std::pow(s, order));
  const Complex creep = w2 * bar_tau * std::pow(s, order - 1);
  const double poles = 2 * ((s + creep) / (2.0 * s + order * creep) * std::exp(s * t)).real();

  double cut = 0;
  constexpr double dx = 0.05;  // the rule's error is that of the poles: e^(-2 pi 0.5/dx)
  const Complex turned = std::polar(1.0, pi * order);
  for (double x = -60; x < 60; x += dx) {
    const double r = std::exp(x);
    const Complex viscous = w2 * bar_tau * std::pow(r, order) * turned;
    const Complex transform = (-r - viscous / r) / (r * r + w2 + viscous);
    cut -= transform.imag() * std::exp(-r * t) * r * dx / pi;
  }
  return poles + cut;
}

/// The same for order 1.
double viscous_mode(double w, double t) {
  const double b = bar_tau * w * w / 2;
  const Complex q = std::sqrt(Complex(b * b - w * w)), fast = -b - q, slow = w * w / fast;
  return ((fast * std::exp(slow * t) - slow * std::exp(fast * t)) / (fast - slow)).real();
}

/// Order 0: eps + tau (eps - eps_0), an oscillation about tau/(1 + tau) with a stiffness 1 + tau;
/// the modes add up to a triangle of period 4 L/c.
double stiffer_tip(double t) {
  const double c = std::sqrt(bar_youngs / bar_density * (1 + bar_tau)),
               turns = c * t / (4 * bar_length);
  const double triangle = 1 - 4 * std::abs(std::remainder(turns, 1.0));
  return (bar_tau + triangle) / (1 + bar_tau);
}

/// Displacement of the tip over what it was at the release, by the modes of the clamped and free
/// bar. The highest creep alike: they take the rest of the weight.
double exact_tip(double order, double t) {
  if (order == 0) return stiffer_tip(t);
  double sum = 0, rest = 1, last = 0;
  for (int n = 1; n <= 400; ++n) {
    const double k = (n - 0.5) * pi, weight = 2 / (k * k);
    const double w = k / bar_length * std::sqrt(bar_youngs / bar_density);
    last = order < 1 ? mode(w, order, t) : viscous_mode(w, t);
    sum += weight * last;
    rest -= weight;
  }
  return sum + rest * last;
}

/// What makes scenes/bar-gu.yaml a bar of this order, evaluated in this form.
std::vector<std::string> fractional(double order, const char* form) {
  return {fmt::format("variables.order={}", order),
          fmt::format("sections.bar.damping.axial.fractional.form={}", form)};
}
const std::vector<std::string> kelvin_voigt = {
    "sections.bar.damping={axial: {viscosity: tau * (1 s)}}"};

/// The tip at the table's times, over the stretch at the release; nan from where it failed.
std::vector<double> tip_of(const std::vector<std::string>& sets, double step) {
  const Model model(shipped("bar-gu", sets).scene);
  SolveOptions options;
  options.step = step;
  Integrator integrator(model, options);
  State state = integrator.start();
  std::vector<double> out;
  for (const double t : bar_times) {
    const bool reached = integrator.advance(state, t) == Status::ok;
    out.push_back(reached
                      ? (state.position(bar_elements).x() - bar_length) / (bar_strain * bar_length)
                      : NAN);
    if (!reached) break;
  }
  out.resize(std::size(bar_times), NAN);
  return out;
}

BenchRow bar_row(const std::string& name, const std::string& quantity) {
  BenchRow row;
  row.name = "bar, " + name;
  row.quantity = quantity;
  row.unit = "-";
  row.kind = Tolerance::absolute;
  row.source = "modes of the bar, by residues and the integral along the cut";
  return row;
}

void set_ours(BenchRow& row, double ours) {
  row.ours.reset();
  if (std::isfinite(ours)) row.ours = ours;
}

void add_released_bar(BenchReport& report) {
  struct Case {
    const char* name;
    double order;
    std::vector<std::string> sets;
    double tolerance;
  };
  const Case cases[] = {
      {"order 0.5", .5, fractional(.5, "constant-cost"), 5e-4},
      {"order 0.5, direct", .5, fractional(.5, "direct"), 5e-4},
      {"order 0.75", .75, fractional(.75, "constant-cost"), 5e-4},
      {"order 0.75, direct", .75, fractional(.75, "direct"), 5e-4},
      {"Kelvin-Voigt", 1, kelvin_voigt, 5e-4},
      {"order 0.999, as Kelvin-Voigt", 1, fractional(.999, "constant-cost"), 2e-3},
      {"order 0.001, as an elastic factor 1 + tau", 0, fractional(.001, "constant-cost"), 2e-2}};
  for (const Case& c : cases) {
    const std::vector<double> ours = tip_of(c.sets, 6.25e-5);
    BenchRow row = bar_row(c.name, "");
    row.tolerance = c.tolerance;
    if (c.order == 1) row.source = "modes of the bar, Kelvin-Voigt";
    if (c.order == 0) row.source = "waves in a bar of stiffness 1 + tau";
    for (size_t i = 0; i < std::size(bar_times); ++i) {
      row.quantity = fmt::format("tip at {} s", bar_times[i]);
      row.reference = exact_tip(c.order, bar_times[i]);
      set_ours(row, ours[i]);
      report.add(row);
    }
  }
}

/// Stiffness over E by which eq. 21 as printed rings: from the time L/c in which the tip first
/// comes to rest length.
double printed_stiffness(double step) {
  const Model model(shipped("bar-gu", fractional(.5, "gu-eq21")).scene);
  SolveOptions options;
  options.step = step;
  Integrator integrator(model, options);
  State state = integrator.start();
  while (state.position(bar_elements).x() > bar_length && state.t < 1)
    if (integrator.step(state) != Status::ok) return NAN;
  const double speed = bar_length / state.t;
  return speed * speed * bar_density / bar_youngs;
}

/// Errors by step: the consistent forms converge, eq. 21 as printed does not.
void add_convergence(BenchReport& report) {
  constexpr size_t at = 2;  // 0.1 s
  const double exact = exact_tip(.5, bar_times[at]);
  for (const auto& [name, form] :
       {std::pair("constant cost", "constant-cost"), std::pair("direct", "direct"),
        std::pair("eq. 21 as printed", "gu-eq21")}) {
    const bool printed = std::string(form) == "gu-eq21";
    for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
      BenchRow row = bar_row(fmt::format("order 0.5, {}, h = {:g} s", name, h), "error at 0.1 s");
      set_ours(row, std::abs(tip_of(fractional(.5, form), h)[at] - exact));
      if (!printed) {
        row.reference = 0;
        row.tolerance = 8 * h;  // order 1
      }
      report.add(row);
    }
  }
  for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5}) {
    BenchRow row = bar_row(fmt::format("order 0.5, eq. 21 as printed, h = {:g} s", h),
                           "stiffness by which it rings, over E");
    set_ours(row, printed_stiffness(h));
    row.reference = 1 + bar_tau / 2 * std::pow(h, -.5);
    row.tolerance = .15;
    row.kind = Tolerance::relative;
    row.source = "1 + tau/2 h^-order: grows without bound as h falls";
    report.add(row);
  }
}

// --- 6.2: the pendulum ---

void add_gu_pendulum(BenchReport& report) {
  struct Point {
    double t, x, z;
  };
  constexpr Point truth[] = {{.25, 1.94872, -.44982},
                             {.5, 1.26072, -1.55234},
                             {.75, -.50074, -1.93630},
                             {1.0, -1.76899, -.93245}};
  for (const bool viscous : {false, true}) {
    const Model model(
        shipped("pendulum-gu", {fmt::format("variables.tau={}", viscous ? bar_tau : 0.0)}).scene);
    const int tip_node = model.node(Place::end("rod"));
    SolveOptions options;
    options.method = viscous ? Method::mixed : Method::mixed3;
    options.step = 1e-4;
    Integrator integrator(model, options);
    State state = integrator.start();
    BenchRow row;
    row.name = viscous ? "pendulum, viscous" : "pendulum, elastic";
    row.unit = "m";
    row.kind = Tolerance::absolute;
    row.tolerance = 2e-5;
    row.source = "independent prototype, +-5e-6 m; viscosity moves the tip by less";
    for (const Point& p : truth) {
      const bool reached = integrator.advance(state, p.t) == Status::ok;
      const Vec3 tip = state.position(tip_node);
      for (const auto& [axis, ours, reference] :
           {std::tuple("x", tip.x(), p.x), std::tuple("z", tip.z(), p.z)}) {
        row.quantity = fmt::format("tip {} at {} s", axis, p.t);
        set_ours(row, reached ? ours : NAN);
        row.reference = reference;
        report.add(row);
      }
    }
  }
}

// --- 6.3: the wire ---

void add_wire(BenchReport& report) {
  constexpr double tension = 7890, wire_length = 21;
  const Model model(shipped("wire-gu").scene);
  const int end = model.node(Place::end("wire"));
  const Section& section = model.scene().cables[0].sections[0];
  SolveOptions options;
  options.step = 2e-6;
  Integrator integrator(model, options);
  State state = integrator.start();
  const double begun = state.position(end).x();

  const double wave = std::sqrt(section.EA / section.mass), back = 2 * wire_length / wave;
  BenchRow row;
  row.name = "released wire";
  row.kind = Tolerance::relative;
  row.quantity = "speed of the end, mean to 7.5 ms";
  row.unit = "m/s";
  row.source = "wave equation, c eps = 1.14833 m/s";
  row.reference = wave * tension / section.EA;
  row.tolerance = 2e-3;
  bool reached = integrator.advance(state, 7.5e-3) == Status::ok;
  set_ours(row, reached ? (begun - state.position(end).x()) / state.t : NAN);
  report.add(row);

  // The end stands still for a moment when the wave is back: its speed passes through zero.
  row.quantity = "time at which it turns";
  row.unit = "ms";
  row.source = "2 L/c = 8.060 ms";
  row.reference = 1e3 * back;
  row.tolerance = 5e-3;
  double turned = NAN;
  while (reached && state.t < 2 * back && std::isnan(turned)) {
    reached = integrator.step(state) == Status::ok;
    if (state.velocity(end).x() > 0) turned = state.t;
  }
  set_ours(row, 1e3 * turned);
  report.add(row);
}

}  // namespace

BenchReport bench_gu() {
  BenchReport report(
      "gu", "hawser bench gu",
      "Gu et al. (2023): fractional viscosity. A bar released from a uniform strain of 0.1 % (20 "
      "elements, h = 6.25e-5 s; tip displacement relative to the initial one), a pendulum, a "
      "released wire. The paper gives no numbers for its figures: trends are compared.");
  add_released_bar(report);
  add_convergence(report);
  add_gu_pendulum(report);
  add_wire(report);
  add_gu_release(report);
  add_gu_figures(report);
  return report;
}

}  // namespace hawser

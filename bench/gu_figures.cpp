#include "bench/gu_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "bench/cases.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"

namespace hawser {
namespace {

// --- Figs. 3 and 4: the bar ---

struct FigureLaw {
  double order, tau;
  int remembered;  ///< N_t, strains
};

/// Half the tip's travel from 0.75 to 1 s by eq. 21 as printed, over the stretch at the release;
/// the paper does not print its step.
double amplitude(const FigureLaw& law) {
  constexpr double step = 1e-3, length = 1, stretch = 1e-3;
  const std::string fractional = "sections.bar.damping.axial.fractional.";
  const Model model(
      shipped("bar-gu", {fmt::format("variables.order={}", law.order),
                         fmt::format("variables.tau={}", law.tau), fractional + "form=gu-eq21",
                         fmt::format("{}memory={} s", fractional, step * law.remembered)})
          .scene);
  SolveOptions options;
  options.step = step;
  options.energy_guard = 0;  // the stiffness of eq. 21 comes from nowhere
  Integrator integrator(model, options);
  State state = integrator.start();
  const int tip = model.node(Place::end("bar"));
  double low = INFINITY, high = -INFINITY;
  while (state.t < 1) {
    if (integrator.step(state) != Status::ok) return NAN;
    if (state.t < 0.75) continue;
    low = std::min(low, state.position(tip).x());
    high = std::max(high, state.position(tip).x());
  }
  return (high - low) / 2 / (stretch * length);
}

/// "The damping effect would become more intense with" tau, N_t and the order.
void add_bar_figures(BenchReport& report) {
  const auto key = [](const FigureLaw& law) {
    return std::array{law.order, law.tau, static_cast<double>(law.remembered)};
  };
  std::map<std::array<double, 3>, double> left;
  for (const FigureLaw& law :
       {FigureLaw{.25, .1, 10}, FigureLaw{.5, .1, 10}, FigureLaw{.75, .1, 10},
        FigureLaw{.25, .1, 40}, FigureLaw{.5, .1, 40}, FigureLaw{.75, .1, 40},
        FigureLaw{.25, .4, 10}, FigureLaw{.5, .4, 10}, FigureLaw{.75, .4, 10}}) {
    BenchRow row;
    row.name = fmt::format("bar, eq. 21, order {:g}, tau {:g}, N_t {}", law.order, law.tau,
                           law.remembered);
    row.quantity = "amplitude left after 0.75 s";
    row.unit = "-";
    row.ours = left[key(law)] = amplitude(law);
    row.source = law.order == .5 ? "trend only: Figs. 3, 4" : "trend only: Fig. 4";
    report.add(row);
  }
  int by_tau = 0, by_memory = 0, by_order = 0;
  for (const double order : {.25, .5, .75}) {
    by_tau += !(left[{order, .4, 10}] < left[{order, .1, 10}]);
    by_memory += !(left[{order, .1, 40}] < left[{order, .1, 10}]);
  }
  for (const auto& [tau, remembered] : {std::pair(.1, 10), std::pair(.1, 40), std::pair(.4, 10)})
    for (const auto& [less, more] : {std::pair(.25, .5), std::pair(.5, .75)})
      by_order += !(left[{more, tau, double(remembered)}] < left[{less, tau, double(remembered)}]);
  const auto add = [&](const char* what, int exceptions, const char* figure) {
    report.add(trend_row(fmt::format("{}: bar, eq. 21, {}", figure, what),
                         "pairs in which more damps less", exceptions,
                         fmt::format("trend only: {}", figure)));
  };
  add("tau 0.1 and 0.4", by_tau, "Fig. 3");
  add("N_t 10 and 40", by_memory, "Fig. 3");
  add("orders 0.25, 0.5, 0.75", by_order, "Fig. 4");
}

// --- Figs. 6 and 7: the pendulum ---

struct PendulumSwing {
  std::vector<double> z, strain_energy;  ///< of the tip [m], [J], at every step of 1.5 s
};

PendulumSwing pendulum_swing(int elements) {
  const SceneFile file = shipped("pendulum-gu", {fmt::format("cables.rod.elements={}", elements)});
  const Model model(file.scene);
  Integrator integrator(model, file.solve);
  State state = integrator.start();
  const int tip = model.node(Place::end("rod"));
  PendulumSwing out;
  while (state.t < file.until - file.solve.step / 2 && integrator.step(state) == Status::ok) {
    const Energy e = energy(model, state);
    out.z.push_back(state.position(tip).z());
    out.strain_energy.push_back(e.axial + e.bending);
  }
  return out;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return NAN;
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

void add_pendulum_figures(BenchReport& report) {
  const PendulumSwing fine = pendulum_swing(32);
  const double most = *std::max_element(fine.strain_energy.begin(), fine.strain_energy.end());
  struct Curve {
    const char* quantity;
    const char* unit;
    const char* figure;
    double scale;
    double last = INFINITY;
    int exceptions = 0;
  };
  Curve curves[] = {{"tip z, largest difference from 32 elements in 1.5 s", "m", "Fig. 6", 1},
                    {"strain energy, the same, of its largest", "%", "Fig. 7", 100 / most}};
  for (const int elements : {4, 8, 16}) {
    const PendulumSwing coarse = pendulum_swing(elements);
    for (Curve& c : curves) {
      BenchRow row;
      row.name = fmt::format("pendulum, viscous, {} elements", elements);
      row.quantity = c.quantity;
      row.unit = c.unit;
      row.ours = c.scale * (&c == curves ? difference(coarse.z, fine.z)
                                         : difference(coarse.strain_energy, fine.strain_energy));
      row.source = fmt::format("trend only: {}", c.figure);
      c.exceptions += !(*row.ours < c.last);
      c.last = *row.ours;
      report.add(row);
    }
  }
  for (const Curve& c : curves)
    report.add(trend_row(fmt::format("{}: pendulum, viscous", c.figure),
                         "refinements after which the curves are no closer", c.exceptions,
                         fmt::format("trend only: {}, \"the curves become closer\"", c.figure)));
}

}  // namespace

void add_gu_figures(BenchReport& report) {
  add_bar_figures(report);
  add_pendulum_figures(report);
}

}  // namespace hawser

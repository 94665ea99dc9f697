// Westin & Irani 2022, Figs. 2 to 4: what the pendulum looks like, and the energy it loses to the
// integration. The paper's text has no numbers for them: what it says of the curves is checked.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/benches.h"
#include "bench/cases.h"
#include "bench/westin_irani.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"

namespace hawser {
namespace {

constexpr double figures_until = 10;  ///< [s]
constexpr double fall_energy =
    5000 * 7.853981633974483e-5 * 9.81 / 2;  ///< m g L/2, horizontal to hanging [J]

/// Energy that the motion loses in 10 s, in percent of that from horizontal to hanging.
double energy_lost(const Model& model, const Integration& m, double h) {
  Integrator integrator(model, westin_irani_options(m, h));
  State state = integrator.start();
  const double start = energy(model, state).total();
  if (integrator.advance(state, figures_until) != Status::ok) return NAN;
  return 100 * (start - energy(model, state).total()) / fall_energy;
}

BenchRow energy_row(const Integration& m, double h, const char* figure) {
  BenchRow row;
  row.name = fmt::format("{}: {} h={:g}", figure, m.name, h);
  row.quantity = "energy lost in 10 s, of that from horizontal to hanging";
  row.unit = "%";
  row.source = fmt::format("trend only: {}", figure);
  return row;
}

/// Fig. 3: "minimal energy loss for small time-steps", "nearly critical damping" for larger ones.
void add_newmark(BenchReport& report, const Model& model) {
  const Integration& newmark = westin_irani_methods[0];
  double before = 0;
  int exceptions = 0;
  for (const double h : westin_irani_steps) {
    if (h > 1e-2) break;  // the paper stops there
    BenchRow row = energy_row(newmark, h, "Fig. 3");
    row.ours = energy_lost(model, newmark, h);
    exceptions += !(*row.ours > before);
    before = *row.ours;
    if (h == 1e-4) {  // "minimal"
      row.reference = 0;
      row.tolerance = 1;
      row.kind = Tolerance::absolute;
    }
    report.add(row);
  }
  report.add(trend_row("Fig. 3: newmark, all steps",
                       "steps at which less is lost than at a shorter", exceptions,
                       "trend only: Fig. 3"));
}

/// Fig. 4: the second-order methods lose alike, Backward Euler far more.
void add_method_losses(BenchReport& report, const Model& model) {
  double lost[6] = {};
  for (int m = 0; m < 6; ++m) {
    const Integration& method = westin_irani_methods[m];
    lost[m] = energy_lost(model, method, 1e-3);
    if (m == 0) continue;  // newmark is a row of Fig. 3
    BenchRow row = energy_row(method, 1e-3, "Fig. 4");
    row.ours = lost[m];
    report.add(row);
  }
  BenchRow row = energy_row(westin_irani_methods[0], 1e-3, "Fig. 4");
  row.name = "Fig. 4: newmark, hht, bdf2 h=0.001";
  row.source += ", \"nearly identical\"";
  row.quantity = "largest difference of what they lose, of what be loses";
  const auto [least, most] = std::minmax({lost[0], lost[1], lost[2]});
  row.ours = 100 * (most - least) / lost[3];
  row.reference = 0;
  row.tolerance = 1;
  row.kind = Tolerance::absolute;
  report.add(row);
  report.add(trend_row("Fig. 4: be h=0.001",
                       "methods of second order that lose more than a tenth of it",
                       static_cast<int>(std::count_if(
                           lost, lost + 3, [&](double l) { return !(l < lost[3] / 10); })),
                       "trend only: Fig. 4, \"much greater dissipation\""));
}

/// Fig. 2: a rope at E = 1e7 Pa, nearly a rigid rod at 1e9. Largest distance of a node from the
/// straight line from pivot to tip within 1 s [m].
double deflection(double E) {
  const Model model(westin_irani_pendulum(E));
  Integrator integrator(model, westin_irani_options(westin_irani_methods[5], 1e-3));
  State state = integrator.start();
  const int tip = model.node(Place::end("tether"));
  double largest = 0;
  while (state.t < 1) {
    if (integrator.step(state) != Status::ok) return NAN;
    const Vec3 chord = state.position(tip).normalized();
    for (int node = 1; node < tip; ++node)
      largest = std::max(largest, state.position(node).cross(chord).norm());
  }
  return largest;
}

void add_profiles(BenchReport& report) {
  double last = INFINITY;
  int exceptions = 0;
  for (const double E : {1e7, 1e8, 1e9}) {
    BenchRow row;
    row.name = fmt::format("Fig. 2: E={:.0e}", E);
    row.quantity = "largest distance from the chord in 1 s";
    row.unit = "m";
    row.ours = deflection(E);
    row.source = "trend only: Fig. 2";
    exceptions += !(*row.ours < last);
    last = *row.ours;
    report.add(row);
  }
  report.add(trend_row("Fig. 2: all E", "moduli at which it bends no less than at a smaller",
                       exceptions, "trend only: Fig. 2"));
}

}  // namespace

BenchReport bench_westin_irani_figures() {
  BenchReport report(
      "westin-irani-figures", "hawser bench westin-irani --figures",
      "Flexible pendulum of Westin & Irani, Figs. 2 to 4: bending, and energy lost by "
      "each integrator at E = 1e8 Pa. The paper gives trends, not numbers.");
  add_profiles(report);
  const Model model(westin_irani_pendulum(1e8));
  add_newmark(report, model);
  add_method_losses(report, model);
  return report;
}

}  // namespace hawser

// Westin & Irani 2022, benchmark 1: Tables 2 to 5 and what the converged solution must be.
// Benchmarks 2 and 3 are in files of their own.
//
// MAE: mean of |error| of the tip's height over every step of 10 s, against newton Newmark at
// h = 1e-5 s. Their misprints, as far as they matter here: see docs/theory/integrators.md.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "base/clock.h"
#include "bench/benches.h"
#include "bench/cases.h"
#include "bench/trajectory.h"
#include "bench/westin_irani.h"
#include "hawser/integrator.h"

namespace hawser {
namespace {

constexpr const char* westin_irani_paper = "Westin & Irani 2022";
constexpr double no_value = -1;            ///< not published
constexpr double published_unstable = -2;  ///< published as unstable

/// Published MAE [mm] by method and step; mixed and mixed3: integrators.md, printed digits.
struct Published {
  double E;
  int table;
  double value[6][8];
};

namespace printed_tables {

constexpr double X = published_unstable, N = no_value;
constexpr Published published[] = {{1e7,
                                    3,
                                    {{19.25, 18.63, 31.47, X, 81.02, 148.94, X, N},
                                     {21.45, 31.38, 21.09, 20.23, 52.10, 145.74, 157.08, N},
                                     {24, 15.65, 30.52, 53.76, 112.85, 135.31, 156.40, N},
                                     {55.06, 72.26, 91.46, 147.84, 154.69, 189.42, 292.51, N},
                                     {N, N, N, N, N, N, N, N},
                                     {N, N, N, N, N, N, N, N}}},
                                   {1e8,
                                    4,
                                    {{0.35, 0.39, 0.86, 5.51, 76.14, 301.84, 428.64, N},
                                     {0.35, 0.38, 0.79, 4.98, 69.40, 291.60, 417.92, N},
                                     {0.33, 0.35, 0.65, 4.87, 73.91, 299.36, 424.03, N},
                                     {24.64, 59.19, 110.79, 192.08, 312.99, 370.51, 460.45, N},
                                     {N, N, 0.047, 0.14, 0.68, 2.26, 7.9, 22},
                                     {N, N, 0.003, 0.009, 0.043, 0.15, 0.54, 6.7}}},
                                   {1e9,
                                    5,
                                    {{0.065, 0.79, 6.23, 47.52, 314.78, 434.85, X, N},
                                     {0.061, 0.71, 5.63, 43.11, 306.36, 424.54, 506.05, N},
                                     {0.075, 0.67, 5.90, 46.75, 313.93, 430.55, 508.43, N},
                                     {24.47, 59.49, 114.32, 211.08, 348.15, 447.67, 511.75, N},
                                     {N, N, 0.059, 0.18, 0.83, 1.67, 5.8, 21},
                                     {N, N, 0.004, 0.012, 0.052, 0.26, 0.57, 0.65}}}};

/// On [0, 3] s, E = 1e7 (chaotic later): HHT, mixed, mixed3 with half a unit of the last digit.
struct EarlyRow {
  int method;
  double value[8], digit[8];
};
constexpr EarlyRow early[] = {
    {1,
     {.003, .017, .078, .470, 7.55, 30.4, 106.6, N},
     {5e-4, 5e-4, 5e-4, 5e-4, 5e-3, .05, .05, 0}},
    {4, {N, N, .074, .28, 1.32, 2.62, 6.6, 23}, {0, 0, 5e-4, 5e-3, 5e-3, 5e-3, .05, .5}},
    {5, {N, N, .002, .011, .16, 1.06, 3.9, 5.2}, {0, 0, 5e-4, 5e-4, 5e-3, 5e-3, .05, .05}}};

}  // namespace printed_tables

BenchRow row_of(const Published& set, const Integration& m, double h, const char* window) {
  BenchRow row;
  row.name = fmt::format("pendulum E={:.0e} {} h={:g}", set.E, m.name, h);
  row.quantity = fmt::format("MAE of tip height, {} s", window);
  row.unit = "mm";
  row.extra = {{"table", set.table}, {"E", set.E}, {"h", h}, {"method", m.name}};
  return row;
}

void set_result(BenchRow& row, const Comparison& result) {
  row.extra.emplace_back("stable", result.stable);
  if (result.stable) row.ours = 1e3 * result.mean_error;
}

/// What the paper's cell is held to; chaotic (Table 3) and reference-limited cells are only shown.
std::optional<double> paper_tolerance(const Published& set, int method, double h, double value) {
  if (value == published_unstable) return 0.0;
  if (method == 2)
    return set.table == 3 || h < (set.table == 4 ? 1e-3 : 2.5e-4) ? std::optional<double>{} : 0.2;
  if (set.table == 5 && h >= 2.5e-4) return 0.02;
  if (set.table == 4 && h >= 1e-3) return 0.04;
  return {};
}

void add_table(BenchReport& report, const Published& set, const Model& model,
               const Trajectory& reference) {
  for (int m = 0; m < 6; ++m)
    for (int i = 0; i < 8; ++i) {
      const double h = westin_irani_steps[i], value = set.value[m][i];
      if (m < 4 && i == 7) continue;  // the paper stops at 1e-2
      BenchRow row = row_of(set, westin_irani_methods[m], h, "10");
      set_result(
          row, compare_tip(model, westin_irani_options(westin_irani_methods[m], h), reference, 10));
      if (m < 4) {
        row.source = fmt::format("{}, Table {}", westin_irani_paper, set.table);
        row.tolerance = paper_tolerance(set, m, h, value);
      } else if (value >= 0) {
        row.source = "prototype";
        const double digit = value < 0.01 ? 5e-4 : 0;  // printed to one digit
        row.tolerance = std::max(0.15 * value, digit);
        row.kind = Tolerance::absolute;
      }
      if (value >= 0) row.reference = value;
      report.add(row);
    }
}

void add_early_rows(BenchReport& report, const Published& set, const Model& model,
                    const Trajectory& reference) {
  for (const printed_tables::EarlyRow& e : printed_tables::early)
    for (int i = 0; i < 8; ++i) {
      if (e.value[i] < 0) continue;
      const Integration& method = westin_irani_methods[e.method];
      BenchRow row = row_of(set, method, westin_irani_steps[i], "3");
      set_result(row, compare_tip(model, westin_irani_options(method, westin_irani_steps[i]),
                                  reference, 3));
      row.reference = e.value[i];
      row.kind = Tolerance::absolute;
      row.source = "prototype";
      row.tolerance = e.method == 1 ? e.digit[i] : std::max(0.15 * e.value[i], e.digit[i]);
      report.add(row);
    }
}

void add_pendulum_times(BenchReport& report) {
  constexpr double seconds[] = {158.0, 63.0, 32.1, 15.6, 6.5, 3.7, 1.7};
  for (int i = 0; i < 7; ++i) {
    const Published set{1e8, 2, {}};
    BenchRow row = row_of(set, westin_irani_methods[0], westin_irani_steps[i], "10");
    row.quantity = "CPU time for 10 s of motion";
    row.unit = "s";
    row.reference = seconds[i];
    row.source = fmt::format("{}, Table 2 (MATLAB, i7-6700)", westin_irani_paper);
    const Model model(westin_irani_pendulum(set.E));
    row.ours = run_seconds(
        model, westin_irani_options(westin_irani_methods[0], westin_irani_steps[i]), 10);
    report.add(row);
  }
  const double adaptive[] = {566.3, 89.1, 105.3};
  for (int i = 0; i < 3; ++i) {
    BenchRow row = row_of(printed_tables::published[i], westin_irani_methods[0], 0, "10");
    row.name = fmt::format("pendulum E={:.0e} newton newmark, error control 1e-6",
                           printed_tables::published[i].E);
    row.quantity = "CPU time for 10 s of motion";
    row.unit = "s";
    row.extra = {
        {"table", 2}, {"E", printed_tables::published[i].E}, {"h", nullptr}, {"method", "newton"}};
    row.reference = adaptive[i];
    row.source = fmt::format("{}, Table 2 (MATLAB, i7-6700)", westin_irani_paper);
    row.ours = run_seconds(Model(westin_irani_pendulum(printed_tables::published[i].E)),
                           westin_irani_implicit(1e-6), 10);
    report.add(row);
  }
}

void add_tip_heights(BenchReport& report) {
  struct Height {
    double t, z;
  };
  const std::map<double, std::vector<Height>> heights = {
      {1e8,
       {{.25, -.44318869}, {.5, -.99585390}, {1, .00397731}, {2, -.00694245}, {5, -.17908450}}},
      {1e9,
       {{.25, -.44081045}, {.5, -.99601504}, {1, -.00817395}, {2, -.03261335}, {5, -.20158675}}}};
  for (const auto& [E, list] : heights) {
    const Model model(westin_irani_pendulum(E));
    Integrator integrator(model, westin_irani_implicit(2e-11));
    State state = integrator.start();
    const int tip = model.node(Place::end("tether"));
    for (const Height& height : list) {
      BenchRow row;
      row.name = fmt::format("pendulum E={:.0e}", E);
      row.quantity = fmt::format("tip height at {:g} s, error-controlled newton", height.t);
      row.unit = "m";
      if (integrator.advance(state, height.t) == Status::ok) row.ours = state.position(tip).z();
      row.reference = height.z;
      row.tolerance = 1e-6;
      row.kind = Tolerance::absolute;
      row.source = "converged, independent prototype";
      report.add(row);
    }
  }
}

}  // namespace

SolveOptions westin_irani_implicit(double tolerance) {
  SolveOptions o;
  o.method = Method::newton;
  o.scheme = Scheme::newmark;
  o.error_control = true;
  o.tolerance = tolerance;
  o.step = 1e-4;
  if (tolerance < 1e-8) {  // for digits of the converged motion
    o.newton_tolerance = 1e-11;
    o.step = 1e-5;
  }
  return o;
}

BenchReport bench_westin_irani(int table, bool timed) {
  const std::string command = table == converged_rows ? "hawser bench westin-irani --converged"
                              : table == 0
                                  ? "hawser bench westin-irani"
                                  : fmt::format("hawser bench westin-irani --table {}", table);
  BenchReport report(
      "westin-irani", command,
      "Flexible pendulum (Tables 2 to 5), submerged tether (6) and cable over an edge (7) of "
      "Westin "
      "& Irani: mean absolute error against the converged motion.\nnewmark, hht, bdf2, be: their "
      "semi-implicit methods (method = "
      "linearized); mixed is the default of Hawser, mixed3 its more accurate method.");
  if (table == 0 || table == converged_rows) {
    add_tip_heights(report);
    add_submerged_converged(report);
    add_edge_converged(report);
  }
  if (table == 0 || table == 2) add_pendulum_times(report);
  for (const Published& set : printed_tables::published)
    if (table == 0 || table == set.table) {
      const Model model(westin_irani_pendulum(set.E));
      const Trajectory reference = reference_tip(model, 10);
      add_table(report, set, model, reference);
      if (set.table == 3) add_early_rows(report, set, model, reference);
    }
  if (table == 0 || table == 6) add_submerged_table(report, timed);
  if (table == 0 || table == 7) add_edge_table(report, timed);
  return report;
}

}  // namespace hawser

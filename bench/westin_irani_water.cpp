// Westin & Irani 2022, benchmark 2: a submerged tether, Table 6.
//
// MAE: mean distance of the tip from the converged motion over every step. Their drag is explicit,
// evaluated at the start of the step (`fluid: {non_stiff: true}`), and its error of first order is
// all there is in case 1. Gravity and buoyancy are constant. In case 2 the pin starts with a jump
// of its velocity: the start projects velocities and keeps the momentum.
#include <fmt/format.h>

#include <cmath>

#include "bench/cases.h"
#include "bench/trajectory.h"
#include "bench/westin_irani.h"
#include "hawser/integrator.h"

namespace hawser {
namespace {

constexpr const char* table6 = "Westin & Irani 2022, Table 6";

struct SubmergedCase {
  int number;
  double speed, until;                    ///< of the pin [m/s], [s]
  double error[westin_irani_step_count];  ///< published MAE [mm]
  double time[westin_irani_step_count];   ///< published [s]
  double implicit_time;                   ///< of the fully implicit Newmark [s]
};
constexpr SubmergedCase submerged_cases[] = {{1,
                                              0,
                                              2.5,
                                              {.028, .071, .14, .28, .69, 1.36, 2.58},
                                              {173.4, 71.5, 30.6, 15.2, 6.2, 3.1, 1.6},
                                              1242.4},
                                             {2,
                                              0.5,
                                              10,
                                              {1.27, 1.20, .88, 1.74, 2.16, 7.46, 9.62},
                                              {640.0, 266.8, 145.9, 64.2, 25.7, 13.0, 6.5},
                                              3453.0}};

/// A way to integrate it.
struct SubmergedWay {
  const char* name;
  bool explicit_drag;
  int method;  ///< of westin_irani_methods
};
constexpr SubmergedWay submerged_ways[] = {{"hht, explicit drag", true, 1},
                                           {"hht, implicit drag", false, 1},
                                           {"mixed, implicit drag", false, 4}};

BenchRow submerged_row(const SubmergedCase& of, const SubmergedWay& way, double h) {
  BenchRow row;
  row.name = fmt::format("submerged case {} {} h={:g}", of.number, way.name, h);
  row.extra = {{"table", 6}, {"E", 1e8}, {"h", h}, {"method", way.name}};
  return row;
}

void add_errors(BenchReport& report, const SubmergedCase& of, const Trajectory& reference) {
  // Printed digits of a prototype with implicit drag at 1, 5 and 10 ms, case 1.
  const auto prototype = [](double h) {
    return h == 1e-3 ? .002 : h == 5e-3 ? .10 : h == 1e-2 ? .70 : -1;
  };
  for (const SubmergedWay& way : submerged_ways)
    for (int i = 0; i < westin_irani_step_count; ++i) {
      const double h = westin_irani_steps[i];
      BenchRow row = submerged_row(of, way, h);
      row.quantity = fmt::format("MAE of the tip, {:g} s", of.until);
      row.unit = "mm";
      const Model model(westin_irani_submerged(of.speed, way.explicit_drag));
      const Comparison result =
          compare_tip(model, westin_irani_options(westin_irani_methods[way.method], h), reference,
                      of.until, TipError::distance);
      row.extra.emplace_back("stable", result.stable);
      if (result.stable) row.ours = 1e3 * result.mean_error;
      if (way.explicit_drag) {
        row.reference = of.error[i];
        row.source = table6;
        if (of.number == 1) row.tolerance = 0.05;
      } else if (of.number == 1 && way.method == 1 && prototype(h) > 0) {
        row.reference = prototype(h);
        row.source = "prototype";
      }
      report.add(row);
    }
}

/// Times of ours, and how much longer the implicit reference takes, beside the paper's.
void add_submerged_times(BenchReport& report, const SubmergedCase& of) {
  const Model implicit(westin_irani_submerged(of.speed, false)),
      model(westin_irani_submerged(of.speed, true));
  const auto add = [&](const SubmergedWay& way, double h, const char* quantity, const char* unit,
                       double ours, double paper) {
    BenchRow row = submerged_row(of, way, h);
    row.quantity = quantity;
    row.unit = unit;
    row.ours = ours;
    row.reference = paper;
    row.source = fmt::format("{} (MATLAB, i7-6700)", table6);
    row.extra.emplace_back("stable", std::isfinite(ours));
    report.add(row);
  };
  const double slow = run_seconds(implicit, westin_irani_implicit(1e-6), of.until);
  add({"newton newmark, error control 1e-6", false, 0}, 0, "CPU time", "s", slow, of.implicit_time);
  for (int i = 0; i < westin_irani_step_count; ++i) {
    const double h = westin_irani_steps[i];
    const double fast =
        run_seconds(model, westin_irani_options(westin_irani_methods[1], h), of.until);
    add(submerged_ways[0], h, "CPU time", "s", fast, of.time[i]);
    add(submerged_ways[0], h, "CPU time of newton newmark by this", "", slow / fast,
        of.implicit_time / of.time[i]);
  }
}

}  // namespace

void add_submerged_table(BenchReport& report, bool timed) {
  for (const SubmergedCase& of : submerged_cases) {
    const Model model(westin_irani_submerged(of.speed, false));
    add_errors(report, of, reference_tip(model, of.until));
    if (timed) add_submerged_times(report, of);
  }
}

void add_submerged_converged(BenchReport& report) {
  struct Tip {
    double t, x, z;
  };
  constexpr Tip tips[] = {
      {.5, .91375789, -.40515117}, {1, .63988273, -.76836142}, {2, .08087220, -.99691816}};
  const Model model(westin_irani_submerged(0, false));
  Integrator integrator(model, westin_irani_implicit(2e-11));
  State state = integrator.start();
  const int node = model.node(Place::end("tether"));
  for (const Tip& tip : tips) {
    const bool ok = integrator.advance(state, tip.t) == Status::ok;
    for (const bool height : {false, true}) {
      BenchRow row;
      row.name = "submerged case 1";
      row.quantity =
          fmt::format("tip {} at {:g} s, error-controlled newton", height ? "z" : "x", tip.t);
      row.unit = "m";
      if (ok) row.ours = height ? state.position(node).z() : state.position(node).x();
      row.reference = height ? tip.z : tip.x;
      row.tolerance = 1e-8;
      row.kind = Tolerance::absolute;
      row.source = "converged, independent prototype";
      report.add(row);
    }
  }
}

}  // namespace hawser

// The integrations of Westin & Irani's pendulum that their tables and figures compare.
#pragma once

#include "bench/report.h"
#include "hawser/options.h"

namespace hawser {

struct Integration {
  const char* name;
  Method method;
  Scheme scheme;
  double alpha;
};
/// Their four semi-implicit methods, then Hawser's own.
inline constexpr Integration westin_irani_methods[] = {
    {"newmark", Method::linearized, Scheme::newmark, 0},
    {"hht", Method::linearized, Scheme::hht, -0.05},
    {"bdf2", Method::linearized, Scheme::bdf2, 0},
    {"be", Method::linearized, Scheme::backward_euler, 0},
    {"mixed", Method::mixed, Scheme::hht, -0.2},
    {"mixed3", Method::mixed3, Scheme::hht, -0.2}};
inline constexpr double westin_irani_steps[] = {1e-4,   2.5e-4, 5e-4, 1e-3,
                                                2.5e-3, 5e-3,   1e-2, 2e-2};  ///< [s]
inline constexpr int westin_irani_step_count = 7;  ///< of these, in Tables 6 and 7

inline SolveOptions westin_irani_options(const Integration& m, double h) {
  SolveOptions o;
  o.method = m.method;
  o.scheme = m.scheme;
  if (m.scheme == Scheme::hht) o.hht_alpha = m.alpha;
  o.step = h;
  if (m.method == Method::linearized) o.constraints = ConstraintLevel::baumgarte;
  return o;
}

/// The implicit reference: Newmark with error control, as Negrut et al. 2005.
SolveOptions westin_irani_implicit(double tolerance);

/// Benchmark 2 (Table 6) and benchmark 3 (Table 7), and the converged motions. `timed`: with CPU
/// times.
void add_submerged_table(BenchReport& report, bool timed);
void add_submerged_converged(BenchReport& report);
void add_edge_table(BenchReport& report, bool timed);
void add_edge_converged(BenchReport& report);

}  // namespace hawser

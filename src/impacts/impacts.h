// Impacts: when one-sided rows switch within a step, how fast the rows that act oscillate, and the
// peaks that the steps do not show. Steps are divided so that they resolve the oscillation that a
// impact leaves, or where that would take too many parts its peak is computed in the space of the
// rows (row_space.h) and noted in the state (Impact).
#pragma once

#include <numbers>
#include <vector>

#include "complementarity/rows.h"
#include "hawser/integrator.h"
#include "impacts/row_space.h"
#include "linear/linear_solver.h"

namespace hawser {

/// omega h up to which steps resolve an oscillation: 30 steps a period.
inline constexpr double resolved_angle = 2 * std::numbers::pi / 30;
inline constexpr double most_parts = 64;      ///< of a step, for an impact
inline constexpr int most_splits = 4;         ///< of a part of a step, at rows that switch
inline constexpr double none_of_step = 1e-4;  ///< share of a step that is none

/// True where a step of h resolves the oscillations of the rows that act.
inline bool resolves(const State& s, double h) {
  return s.fastest_omega * h <= resolved_angle * (1 + 1e-6);
}
/// True where a part of h follows the oscillation of an impact, for which the step is divided.
inline bool follows(const State& s, double h) { return s.t < s.follow_until && resolves(s, h); }

/// The options of such parts: with the least damping that rigid rows allow.
SolveOptions following(SolveOptions options);

class Impacts {
 public:
  Impacts(const ModelData& model, const SolveOptions& options, Rows& rows);

  // --- rows that switch in a step that was tried, and not taken ---

  /// The rows of the step of h from s, whose end is reached with velocities v by a correction since
  /// the last evaluation: the share of it at which the first of them switches.
  double find_switches(const State& s, double h, const double* v, const double* correction);
  /// A share `first` of the step of h has been taken from `from` to s, to where a row switches: the
  /// share that is nearer to that, or the same where this is near enough.
  double nearer_switch(const State& from, const State& s, double first, double h);
  /// Switches the first of them, and all that switch with it.
  void switch_first(State& s) const;
  /// True where parts of a step can follow every row that switches in the step just tried.
  [[nodiscard]] bool can_follow(const State& s) const;

  // --- the space of the rows, at a state in balance with the matrix of its restart ---

  /// How fast the rows oscillate, into the state.
  void measure(State& s, LinearSolver& solver, Counters& counters);
  /// The state before something jumps.
  void remember(const State& s);
  /// The rows that have come to pull since then, or whose rate has jumped while they pulled, or
  /// that are out of balance: steps are divided for them, or where that would take too many parts
  /// their peak is noted.
  void follow(State& s, LinearSolver& solver, Counters& counters);
  /// The same of a state that begins: it had no rates.
  void follow_start(State& s, LinearSolver& solver, Counters& counters);
  /// What rows do at the end of the step just tried, which is not taken.
  void note_activity() { switch_to_ = rows_.activity; }
  /// The peaks of impacts that begin within a step of h from s that cannot be followed.
  void foresee(const State& s, double h, LinearSolver& solver, Counters& counters);
  /// After that step, which has lost that energy [J]: notes the impacts on rows that it does not
  /// resolve. True where a rigid row has stopped something.
  bool note_impacts(State& s, double h, double lost);

  // --- steps ---

  /// The largest forces within the part of a step that is being accepted, and the rates at its end,
  /// where the velocities are v. `euler`: it is Backward Euler's.
  void watch(State& s, double h, const double* v, bool euler);
  [[nodiscard]] bool impact_at(const State& s, double t) const;
  /// The part of a step that began with an impact at t, with that balance: what it took of the
  /// energy.
  static void take_loss(State& s, double t, double balance);
  /// Steps are divided so that they resolve an oscillation, until a time.
  static void divide_until(State& s, double omega, double until);
  [[nodiscard]] bool can_divide(double omega) const;

 private:
  void find_space(const State& s, bool all, LinearSolver& solver, Counters& counters);
  [[nodiscard]] double rest_of(const State& s, size_t row, const Rows::Stretch& stretch) const;
  [[nodiscard]] bool follows_rate(size_t row) const;
  void note_impact(State& s, size_t i, double slowest);
  void follow_oscillation(State& s, size_t row, double rate, double eps) const;
  void watch_oscillation(State& s, size_t row, double amplitude, double h, bool euler) const;

  const ModelData& model_;
  const SolveOptions& options_;
  Rows& rows_;
  RowSpace space_;
  /// Rows that yield, switch or are driven. What joints hold rigidly meets no impact, and nobody
  /// asks for its rate or for its largest force.
  std::vector<size_t> watched_;
  double phase_error_;             ///< oscillation_error of the options, of following()
  double following_error_;         ///< the same of following()
  std::vector<double> probe_;      ///< solution for the direction of a row
  std::vector<double> switch_at_;  ///< by row: share of the step at which it switches; else > 1
  std::vector<double> switch_phi_, switch_rate_;
  size_t first_row_ = 0;         ///< that switches first
  std::vector<int> switch_to_;   ///< activity at the end of the step not taken
  std::vector<int> was_active_;  ///< before a restart
  std::vector<double> had_rates_;
};

}  // namespace hawser

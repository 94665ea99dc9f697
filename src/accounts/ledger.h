// The work of everything that has no potential, by the rule of the scheme, kept in the books of a
// state (State::books). How it follows from the scheme: ledger.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "assembly/assembler.h"
#include "complementarity/rows.h"
#include "hawser/state.h"
#include "model/transfer.h"
#include "schemes/scheme.h"

namespace hawser {

/// Which forces have an account, and where: supports that move, rows of constraints, and where
/// anything drags or damps by the velocity all coordinates.
struct Accounts {
  explicit Accounts(const ModelData& model);

  std::vector<size_t> supports;  ///< that move, of ConstraintSet::held
  size_t rows = 0;
  size_t coordinates = 0;  ///< all, or none

  [[nodiscard]] size_t first_row() const { return supports.size(); }
  [[nodiscard]] size_t first_coordinate() const { return first_row() + rows; }
  [[nodiscard]] size_t size() const { return first_coordinate() + coordinates; }

  /// Books in which nothing is written yet.
  [[nodiscard]] Books blank() const;
  /// Into the books of a state: the forces of supports and rows, as all the forces have been at all
  /// times.
  void take_forces(State& s) const;
};

/// What a step or a stage has found for its end, where the rows are as solved.
struct StepResult {
  Configuration at;        ///< forces by velocity are linear about its q_ahead, v_ahead
  const double* reaction;  ///< by prescribed coordinate
};

class Ledger {
 public:
  Ledger(const ModelData& model, Assembler& assembler, const Rows& rows);

  /// Impulses of the accounts, summed over the parts of a step.
  std::vector<double> impulses;
  [[nodiscard]] Books blank() const { return accounts_.blank(); }

  /// The state has no past: accounts have the forces of the moment.
  void begin(State& s);

  /// Work [J] of all accounts and of loads other than weight over the step from s to its result.
  double step_work(const State& s, const SchemeWeights& w, const StepResult& to);
  /// Power [W] of the same forces, of a state and of a stage; `targets` by prescribed coordinate.
  double power_of(const State& s, std::span<const Signal::Sample> targets);
  double power_now(const StepResult& to, std::span<const Signal::Sample> targets);
  /// The step whose work was asked for last is taken: `work` and what it found go into the books of
  /// the state, which is still the one at its start.
  void enter(State& s, double work);
  /// The state is the one at its end: by row the mean force over the step of h [N], and the work of
  /// winches since t_before.
  void mean_forces(const State& s, double h, std::vector<double>& out) const;
  [[nodiscard]] double work_of_winches(const State& s, double t_before) const;

  /// Energy as it is now; what it changed by beside the work is put down to a cause.
  enum class Cause { steps, fallbacks, switches, mesh, fidelity };
  void tally(State& s, Cause cause) const;
  /// The books of a state of another mesh, on this one's: accounts by coordinate go over as forces.
  void take_over(const Ledger& from, const MeshTransfer& map, Books& books) const;

 private:
  void collect_forces(const StepResult& to);
  void add_work_of_rows(const State& s, const SchemeWeights& w, const StepResult& to,
                        const double* impulse, double& work) const;
  double work_of_loads(const State& s, const SchemeWeights& w, const StepResult& to);
  double taken_by_euler(const State& s, const double* v, const double* impulse);
  double power(const Configuration& at, const double* force, const double* drift,
               std::span<const Signal::Sample> targets);
  [[nodiscard]] double elastic_tension(const State& s, size_t row) const;

  const ModelData& model_;
  Assembler& assembler_;
  const Rows& rows_;
  Accounts accounts_;
  Books entry_;                  ///< of the step under way
  std::vector<double> load_;     ///< by coordinate: scratch
  std::vector<double> yields_;   ///< by row: 1 where Rows::yields(), else 0
  std::vector<size_t> others_;   ///< rows with a given rate, or a constant G whose place moves
  std::vector<size_t> winches_;  ///< rows of cables that are paid out
  std::vector<double> wound_;    ///< by winch: elastic tension as the step began [N]
};

/// The books begin with this state.
void open_books(const ModelData& model, State& s);

/// What gains and losses are compared with: the largest energy in motion, or a thousandth of the
/// work, or `least` of what it takes to lift the whole by its size where next to nothing moves [J].
double energy_scale(const ModelData& model, const Books& books, double least);

/// Of a load that is a function of time: weight of its value at the end of a step in its mean.
double mean_weight(const SchemeWeights& w);

}  // namespace hawser

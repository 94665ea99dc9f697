// The rows of a model's constraints at a configuration: the sums over its list of constraints.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "model/model_data.h"

namespace hawser {

class ConstraintSet : public RowValues {
 public:
  explicit ConstraintSet(const ModelData& model);
  ConstraintSet(const ConstraintSet&) = delete;
  ConstraintSet& operator=(const ConstraintSet&) = delete;

  /// At q, which lies within a step that began at `state` (or is its own). False when a cable's
  /// route has no tangent or nothing is left of the cable: `fault` says which.
  /// `ahead`: functions of time are those of t, extrapolated by that long [s] as if nothing jumped.
  bool evaluate(const double* q, double t, const State& state, double ahead = 0);

  Poses poses;
  /// Coordinates that constraints prescribe, increasing: as SystemStructure::fixed.
  std::vector<HeldCoordinate> held;

  /// Adds weight * sum lambda Phi_qq to the matrix; lambda by row. Of the last evaluation.
  void add_curvature(const double* q, const double* lambda, double weight,
                     const MatrixSink& sink) const;
  /// out += factor * G^T lambda, over coordinates.
  void add_force(const double* lambda, double factor, double* out) const;
  /// out += factor * G^T of a row.
  void add_row(int row, double factor, double* out) const;
  /// Zero for coordinates that are prescribed.
  void clear_held(std::vector<double>& by_coordinate) const;
  /// The first time after another at which forces of constraints jump (Constraint::jump_after).
  [[nodiscard]] double jump_after(const State& state, double time) const;
  /// What constraints keep in a state that begins, of the last evaluation.
  void start(State& state) const;
  /// A step has been taken: twist, lengths, angles and what slips, into the state. Returns the work
  /// of friction [J].
  double accept(const TakenStep& step, State& state) const;
  /// Largest angle by which a small motion d turns a part of a massless cable [rad].
  [[nodiscard]] double turned(const double* d) const;
  /// Until a part of a constraint is used up (Constraint::time_left) [s].
  [[nodiscard]] double time_left(const State& state) const;
  /// True when a constraint ends within h at the velocities v, seen from the last evaluation:
  /// `fault` says which.
  [[nodiscard]] bool ending(const double* q, const double* v, double h);
  /// The entries of a row in G: from the first to the last but one.
  [[nodiscard]] std::pair<int, int> entries(size_t row) const {
    return {first_entry_[row], first_entry_[row + 1]};
  }
  /// G v of a row, and with its change by time the rate of Phi.
  [[nodiscard]] double times(int row, const double* v) const;
  [[nodiscard]] double rate_of(size_t row, const double* v) const {
    return times(static_cast<int>(row), v) + rate[row];
  }
  /// The constraint of a kind, or null.
  template <class Kind>
  [[nodiscard]] const Kind* find() const {
    for (const auto& constraint : constraints_)
      if (const auto* found = dynamic_cast<const Kind*>(constraint.get())) return found;
    return nullptr;
  }

 private:
  const ModelData& model_;
  std::vector<std::unique_ptr<Constraint>> constraints_;
  // Of RowInfo, side by side: loops over all rows read little else.
  std::vector<int> first_entry_;  ///< by row, and the end
  std::vector<int> coordinate_;   ///< by entry
  /// By row, two numbers: where the coordinates of its first and second six entries begin, which
  /// are those of a node; no second: -1; not of that kind: -2.
  std::vector<int> sixes_;
};

}  // namespace hawser

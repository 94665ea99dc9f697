// The constraints of the equation of motion: batches of one kind that contribute rows
//
//     Phi(q, t) + eps lambda = 0       with   Phi_t at fixed q,   G = dPhi/dq over velocities
//     (world axes; angular velocities in body axes)   and   sum lambda Phi_qq
//
// Which rows there are, their bounds and compliances: RowInfo. Whoever needs rows walks the list of
// constraints (ConstraintSet) and names no kind.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "constraints/poses.h"
#include "hawser/state.h"
#include "linear/sink.h"

namespace hawser {

/// Nodes that curvature couples (SystemStructure::pairs).
using NodePairs = std::vector<std::pair<int, int>>;

/// What the rows are at a configuration.
struct RowValues {
  std::vector<double> phi, rate;   ///< by row: Phi and Phi_t
  std::vector<double> G;           ///< by entry (RowInfo::first_entry)
  std::vector<double> wrap;        ///< angles as in State::wrap
  std::vector<double> twist;       ///< as State::twist
  std::vector<double> run_span;    ///< by run: its length l [m]
  std::vector<double> run_left;    ///< by run: length of the cable there, unstretched [m]
  std::vector<double> wrap_angle;  ///< by rub: angle over which the cable lies on it [rad]
  std::string fault;               ///< why an evaluation failed
};

/// Where rows are evaluated: at q and an instant within a step that began at `state`.
struct RowsAt : Instant {
  const double* q;
  const State& state;
  const Poses& poses;
};

class Constraint {
 public:
  virtual ~Constraint() = default;
  /// False, with RowValues::fault set, where the rows have no value.
  virtual bool evaluate(const RowsAt& at, RowValues& out) = 0;
  /// Adds weight * sum lambda Phi_qq to the matrix; lambda by row. Of the last evaluation.
  virtual void add_curvature(const double* q, const Poses& poses, const double* lambda,
                             double weight, const MatrixSink& sink) const = 0;
  /// Angles of State::wrap after a small motion d from the last evaluation.
  virtual void turn_angles(const double* /*d*/, std::vector<double>& /*wrap*/) const {}
  /// Largest angle by which a small motion d turns a part of it [rad].
  [[nodiscard]] virtual double turned(const double* /*d*/) const { return 0; }
  /// What ends within h at the velocities v, seen from the last evaluation; empty: nothing.
  [[nodiscard]] virtual std::string ending(const double* /*v*/, double /*h*/,
                                           const Poses& /*poses*/) const {
    return {};
  }

 protected:
  /// The place of two nodes among the pairs; -1: they are not there, or one is the ground.
  static int pair_of(const NodePairs& pairs, int a, int b);
  /// The curvature of a row over nodes a and b (-1: the ground).
  static void add_blocks(int a, int b, int pair, const PartCurvature& k, const MatrixSink& sink);
};

}  // namespace hawser

// The rows of a model's constraints at a configuration: the sums over its list of constraints.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "constraints/joint_rows.h"
#include "constraints/route_rows.h"
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

  /// Adds weight * sum lambda Phi_qq to the matrix; lambda by row. Of the last evaluation.
  void add_curvature(const double* q, const double* lambda, double weight,
                     const MatrixSink& sink) const;
  /// out += factor * G^T lambda, over coordinates.
  void add_force(const double* lambda, double factor, double* out) const;
  /// Angles of joints after a small motion d from the last evaluation, as in State::wrap.
  void turn_angles(const double* d, std::vector<double>& wrap_of) const;
  /// Largest angle by which a small motion d turns a part of a massless cable [rad].
  [[nodiscard]] double turned(const double* d) const;
  /// True when a constraint ends within h at the velocities v, seen from the last evaluation:
  /// `fault` says which.
  [[nodiscard]] bool ending(const double* v, double h);
  /// G v of a row.
  [[nodiscard]] double times(int row, const double* v) const;
  /// Of a route, from stop to stop, at the last evaluation.
  [[nodiscard]] std::span<const Segment> segments(size_t route) const {
    return routes_.segments(route);
  }

 private:
  const ModelData& model_;
  JointRows joints_;
  RouteRows routes_;
  const std::array<Constraint*, 2> constraints_;
};

}  // namespace hawser

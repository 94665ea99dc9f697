#include "loads/sliding_friction.h"

#include <algorithm>
#include <cmath>

#include "loads/flow_state.h"
#include "loads/surroundings.h"

namespace hawser {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Force per metre of a run, linear about the velocity of `ahead`.
struct SlidingLaw {
  Vector3d normal;
  double force;  ///< mu w [N/m]
  double regularization;

  SlidingLaw(const SlidingRun& run, double load_factor)
      : normal(run.normal), regularization(run.regularization) {
    const FlowParameters& par = run.elements->batch().parameters;
    const double weight = par.mass * Eigen::Map<const Vector3d>(par.gravity).dot(normal);
    force = load_factor * run.friction * std::abs(weight);
  }
  /// f, and unless null -df/dv; `exact`: with the derivative of |v|.
  [[nodiscard]] Vector3d at(const Vector3d& velocity, const Vector3d& ahead, bool exact,
                            Matrix3d* D) const {
    const Vector3d v = ahead - normal.dot(ahead) * normal, d = velocity - ahead;
    const double speed = v.norm(), per = force / std::max(speed, regularization);
    Matrix3d by = per * (Matrix3d::Identity() - normal * normal.transpose());
    if (exact && speed > regularization) by -= per / (speed * speed) * (v * v.transpose());
    if (D) *D = by;
    return -per * v - by * d;
  }
};

Vector3d along_shape(const double n[4], const double* x) {
  Vector3d out = Vector3d::Zero();
  for (int k = 0; k < 4; ++k) out += n[k] * Eigen::Map<const Vector3d>(x + 3 * k);
  return out;
}

void add_sliding(const SlidingLaw& law, const Surroundings& shape, const double* w,
                 const double* w_ahead, bool exact, double weight, double force[12],
                 double* block) {
  for (const ShapePoint& p : shape.points) {
    Matrix3d D;
    const Vector3d f =
        law.at(along_shape(p.n, w), along_shape(p.n, w_ahead), exact, block ? &D : nullptr);
    for (int i = 0; i < 12; ++i) force[i] += p.load[i / 3] * f[i % 3];
    for (int j = 0; block && j < 12; ++j)
      for (int i = 0; i < 12; ++i)
        block[12 * j + i] += weight * p.load[i / 3] * p.n[j / 3] * D(i % 3, j % 3);
  }
}

/// Calls `call(run, element)` for all.
template <class Call>
void for_sliding(const std::vector<SlidingRun>& runs, const Call& call) {
  for (const SlidingRun& run : runs)
    for (int e = 0; e < run.elements->batch().ancf.elements; ++e) call(run, e);
}

}  // namespace

Facts SlidingFriction::facts() const {
  Facts out;
  out.by_velocity = out.lossy = true;
  out.stiff = out.ahead = out.kinked = stiff_;
  return out;
}

void SlidingFriction::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const bool matrix = wanted.matrix() && wanted.damping_weight != 0;
  for_sliding(runs_, [&](const SlidingRun& run, int e) {
    const FlowBatch& batch = run.elements->batch();
    const FlowState now(batch, e, at.q, at.v), ahead(batch, e, at.q_ahead, at.v_ahead);
    double force[12] = {}, block[144] = {};
    add_sliding(SlidingLaw(run, wanted.load_factor), Surroundings(now.length, true), now.w, ahead.w,
                at.predicted, wanted.damping_weight, force, matrix ? block : nullptr);
    spread_flow(batch, e, now, force, sums.force);
    if (matrix) add_flow_block(batch, e, now, block, sums.sink);
  });
}

void SlidingFriction::add_lossy(const Configuration& at, double*, double* out) const {
  for_sliding(runs_, [&](const SlidingRun& run, int e) {
    const FlowBatch& batch = run.elements->batch();
    const FlowState now(batch, e, at.q, at.v), ahead(batch, e, at.q_ahead, at.v_ahead);
    double force[12] = {};
    add_sliding(SlidingLaw(run, 1), Surroundings(now.length, true), now.w, ahead.w, at.predicted, 0,
                force, nullptr);
    spread_flow(batch, e, now, force, out);
  });
}

double SlidingFriction::left_out(const Configuration& at) const {
  double most = 0;
  for_sliding(runs_, [&](const SlidingRun& run, int e) {
    const FlowBatch& batch = run.elements->batch();
    const FlowState now(batch, e, at.q, at.v), ahead(batch, e, at.q_ahead, at.v_ahead);
    const SlidingLaw law(run, 1);
    for (const ShapePoint& p : Surroundings(now.length, true).points) {
      const Vector3d v = along_shape(p.n, now.w);
      const Vector3d used = law.at(v, along_shape(p.n, ahead.w), at.predicted, nullptr),
                     is = law.at(v, v, true, nullptr);
      most = std::max(most, (used - is).norm() / law.force);
    }
  });
  return most;
}

}  // namespace hawser

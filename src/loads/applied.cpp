#include "loads/applied.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace hawser {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

template <class Load>
Facts load_facts(const std::vector<Load>& loads) {
  Facts out;
  out.load = out.supplies = true;
  out.by_time = std::any_of(loads.begin(), loads.end(),
                            [](const Load& load) { return !load.strength.is_constant(); });
  return out;
}

template <class Load>
double strength_of(const Load& load, const Configuration& at, const Wanted& wanted) {
  return wanted.load_factor * load.strength.at(at).value;
}

/// -stiffness dF/dr' of F = (M x r')/|r'|^2: dF/dr' = [M]x/|r'|^2 - 2 F r'^T/|r'|^2, unsymmetric.
Matrix3d moment_tangent(const Vector3d& M, const Vector3d& slope, const Wanted& wanted) {
  const double s = slope.squaredNorm();
  const Vector3d F = M.cross(slope) / s;
  Matrix3d dF = skew(M) / s - 2 / s * F * slope.transpose();
  if (wanted.symmetric_part) dF = (dF + dF.transpose()).eval() / 2;
  return -wanted.stiffness_weight * dF;
}

}  // namespace

Facts AppliedForces::facts() const { return load_facts(loads_); }

void AppliedForces::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  for (const TimedLoad& load : loads_) {
    const double s = strength_of(load, at, wanted);
    for (const auto& [c, f] : load.pattern) sums.force[c] += s * f;
  }
}

Facts AppliedMoments::facts() const {
  Facts out = load_facts(loads_);
  out.stiff = stiff_;
  out.symmetric = !stiff_;
  return out;
}

void AppliedMoments::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  for (const MomentLoad& load : loads_) {
    const int c = node_size * load.node + 3;
    const Vector3d slope = Eigen::Map<const Vector3d>(at.q + c);
    const Vector3d M = strength_of(load, at, wanted) * load.moment;
    Eigen::Map<Vector3d>(sums.force + c) += M.cross(slope) / slope.squaredNorm();
    if (!wanted.matrix()) continue;
    Eigen::Matrix<double, node_size, node_size> block;
    block.setZero();
    block.bottomRightCorner<3, 3>() = moment_tangent(M, slope, wanted);
    add_node_block(sums.sink, load.node, block.data());
  }
}

Facts BodyForces::facts() const { return load_facts(loads_); }

void BodyForces::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  for (const BodyLoad& load : loads_) {
    const double strength = strength_of(load, at, wanted);
    const int c = node_size * load.node;
    const Matrix3d R = at.rotation(load.body, c + 3);
    const Vector3d torque =
        load.arm.cross(R.transpose() * load.force) + R.transpose() * load.moment;
    Eigen::Map<Vector3d>(sums.force + c) += strength * load.force;
    Eigen::Map<Vector3d>(sums.force + c + 3) += strength * torque;
    if (!wanted.matrix()) continue;
    const Vector3d f = strength * (R.transpose() * load.force);
    const Vector3d& s = load.arm;
    Eigen::Matrix<double, node_size, node_size> block;
    block.setZero();
    block.bottomRightCorner<3, 3>() =
        wanted.stiffness_weight *
        (s.dot(f) * Matrix3d::Identity() - (s * f.transpose() + f * s.transpose()) / 2);
    add_node_block(sums.sink, load.node, block.data());
  }
}

}  // namespace hawser

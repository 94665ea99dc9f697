#include "elements/splice.h"

#include <algorithm>

#include "elements/element_block.h"

namespace hawser {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Both slopes of a splice.
struct SplicedSlopes {
  double lengths[2];
  Vector3d tangents[2];

  SplicedSlopes(const double* q, int node) {
    for (int i = 0; i < 2; ++i) {
      const Eigen::Map<const Vector3d> slope(q + node_size * (node + i) + 3);
      lengths[i] = slope.norm();
      tangents[i] = slope / lengths[i];
    }
  }

  /// The other tangent's part across this one: nothing where they are aligned.
  [[nodiscard]] Vector3d across(int i) const {
    const Vector3d apart = tangents[1 - i] - tangents[i];
    return apart - tangents[i].dot(apart) * tangents[i];
  }
  [[nodiscard]] Matrix3d projector(int i) const {
    return Matrix3d::Identity() - tangents[i] * tangents[i].transpose();
  }
  /// 1 - t_L . t_R
  [[nodiscard]] double misalignment() const {
    return (tangents[0] - tangents[1]).squaredNorm() / 2;
  }
};

}  // namespace

double splice_stiffness(const SplicedSide& first, const SplicedSide& second) {
  constexpr double least = 1e4, most = 1e6, beside_stretch = 100;
  const auto of = [&](const SplicedSide& s) {
    const double bending = s.EI / s.length;
    return std::clamp(beside_stretch * s.EA * s.length, least * bending, most * bending);
  };
  return first.EI > 0 && second.EI > 0 ? std::min(of(first), of(second)) : 0;
}

void Splices::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  for (const Splice& splice : splices_) {
    const SplicedSlopes both(at.q, splice.node);
    for (int i = 0; i < 2; ++i)
      Eigen::Map<Vector3d>(sums.force + node_size * (splice.node + i) + 3) +=
          splice.stiffness / both.lengths[i] * both.across(i);
    if (!wanted.matrix()) continue;
    const double k = wanted.stiffness_weight * splice.stiffness, c = 1 - both.misalignment();
    Eigen::Matrix<double, 2 * node_size, 2 * node_size> block;
    block.setZero();
    for (int i = 0; i < 2; ++i) {
      const int own = node_size * i + 3;
      const Matrix3d turned = both.tangents[i] * both.across(i).transpose();
      block.block<3, 3>(own, own) = k / (both.lengths[i] * both.lengths[i]) *
                                    (c * both.projector(i) + turned + turned.transpose());
    }
    const Matrix3d between =
        -k / (both.lengths[0] * both.lengths[1]) * both.projector(1) * both.projector(0);
    block.block<3, 3>(node_size + 3, 3) = between;
    block.block<3, 3>(3, node_size + 3) = between.transpose();
    add_element_block(sums.sink, splice.element, splice.node, block.data());
  }
}

void Splices::add_energy(const EnergyState& at, EnergyParts& out) const {
  for (const Splice& splice : splices_)
    out.bending += splice.stiffness * SplicedSlopes(at.q, splice.node).misalignment();
}

}  // namespace hawser

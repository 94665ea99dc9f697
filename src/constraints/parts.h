// What joints are made of: rows over at most two nodes,
//
//     along     Phi = n . (p_b - p_a)        n fixed in A's body, or in the world
//     dot       Phi = u . w                  u of A, w of B
//     distance  Phi = |p_b - p_a|
//     angle     Phi = angle from x_a to x_b about z_a, counted over many turns
//
// each with its gradient G over the velocities (world axes; angular velocity in body axes) of its
// two nodes and the second derivative over small motions in the same coordinates. A point p or a
// direction u of a body with rotation R moves, for a small turn phi in body axes, by
//
//     dp = dx + R (phi x s) + R (phi x (phi x s))/2,     du the same without dx.
#pragma once

#include <Eigen/Core>

#include "hawser/scene.h"

namespace hawser {

using Matrix3 = Eigen::Matrix3d;
using Block66 = Eigen::Matrix<double, 6, 6>;
using Vec6 = Eigen::Matrix<double, 6, 1>;

/// A point: of a body, of a cable's node, or of the ground.
struct PointOn {
  int node = -1;                 ///< -1: the ground
  int body = -1;                 ///< -1: a cable's node or the ground
  Vec3 position = Vec3::Zero();  ///< body axes; of the ground world axes [m]
  int motion = -1;               ///< of the ground: index of its motion in ModelData, -1: none
};

/// A direction: fixed in a body, the slope of a cable's node, or fixed in the world or in what
/// turns there.
struct DirectionOn {
  int node = -1;  ///< -1: the world
  int body = -1;  ///< -1: the slope of a cable's node, or the world
  Vec3 vector = Vec3::UnitX();
  int turn = -1;  ///< of the world: index of its turn in the mechanism, -1: none
};

/// A point or a direction as it is now, and how it moves with its node: d value = dx + R (phi x s)
/// on a body, dx on a cable's node, d slope as a slope.
struct Operand {
  Vec3 value = Vec3::Zero();
  Vec3 arm = Vec3::Zero();            ///< s, body axes
  const Matrix3* rotation = nullptr;  ///< R of the body; null: it does not turn
  bool moves = false;                 ///< with the node's position
  bool slope = false;                 ///< it is the node's slope

  /// Gradient of d . value.
  [[nodiscard]] Vec6 gradient(const Vec3& d) const {
    Vec6 out;
    out << (moves ? d : Vec3(Vec3::Zero())), turning(d);
    return out;
  }
  /// Its last three entries: R^T (d . R (phi x s)) = s x (R^T d).
  [[nodiscard]] Vec3 turning(const Vec3& d) const {
    if (rotation) return arm.cross(rotation->transpose() * d);
    return slope ? d : Vec3(Vec3::Zero());
  }
  /// Derivative of the value by the last three coordinates: -R [s]x.
  [[nodiscard]] Matrix3 turns() const;
  /// Second derivative of d . value.
  void add_curvature(const Vec3& d, double weight, Block66& out) const;
};

/// Of a row over nodes A and B.
struct PartResult {
  double value = 0;  ///< Phi, but for what it is to be
  Vec6 a = Vec6::Zero(), b = Vec6::Zero();
};
struct PartCurvature {
  Block66 aa = Block66::Zero(), ab = Block66::Zero(), bb = Block66::Zero();
};

PartResult along(const Operand& n, const Operand& pa, const Operand& pb);
PartResult dot(const Operand& u, const Operand& w);
PartResult distance(const Operand& pa, const Operand& pb);

void add_along(const Operand& n, const Operand& pa, const Operand& pb, double weight,
               PartCurvature& out);
void add_dot(const Operand& u, const Operand& w, double weight, PartCurvature& out);
void add_distance(const Operand& pa, const Operand& pb, double weight, PartCurvature& out);

}  // namespace hawser

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
using Block36 = Eigen::Matrix<double, 3, 6>;
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

/// A point or a direction as it is now: value, gradient and what second derivatives need.
struct Operand {
  Vec3 value = Vec3::Zero();
  Block36 gradient = Block36::Zero();
  Vec3 arm = Vec3::Zero();             ///< body axes
  Matrix3 rotation = Matrix3::Zero();  ///< zero where nothing turns

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

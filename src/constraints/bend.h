// Where a massless cable lies on a shape that it meets: the shortest way over a sphere or a round
// bar between two points a and b outside of it. An edge is a bar of the radius of the cable, which
// may be zero.
//
// With A = |a|, B = |b| from the centre (of a bar: from its axis, seen along it), phi the angle
// from a to b about the normal of the way (of a bar: its axis) on the side on which the cable lies,
// the cable touches over the angle
//
//     theta = phi - acos(R/A) - acos(R/B)                                                      (1)
//
// Straight parts are tangent there. On a bar the way is a helix: unrolled it is straight, and
// climbs with the slope
//
//     k = (z_b - z_a)/(l_a + R theta + l_b),    l = sqrt(A^2 - R^2)                            (2)
//
// The length of the cable on it is R theta sqrt(1 + k^2). Both are shortest ways, so that the
// length changes with a, b and the shape as if the points of touch were fixed on it. theta < 0:
// the cable is off the shape; the formulas go on smoothly.
#pragma once

#include <Eigen/Core>
#include <limits>

#include "hawser/scene.h"

namespace hawser {

struct BendData {
  enum class Kind { none, sphere, bar };
  Kind kind = Kind::none;
  double radius = 0;                           ///< with that of the cable [m]
  Vec3 centre = Vec3::Zero();                  ///< axes of the body or support [m]
  Vec3 e1 = Vec3::Zero(), e2 = e1, axis = e1;  ///< bar: the cable wraps about the axis by the
                                               ///< right-hand rule. sphere: it is there for
                                               ///< axis . p >= 0 only
  double half = std::numeric_limits<double>::infinity();  ///< bar: half of its length [m]
  int memory = 0;                                         ///< its place in State::bends

  static constexpr int remembered = 4;  ///< numbers: middle of the cable on it, theta

  [[nodiscard]] bool any() const { return kind != Kind::none; }
};

/// How the cable lies on it; points from the centre, in the axes of the body or support.
struct Bend {
  Vec3 in = Vec3::Zero(), out = Vec3::Zero();  ///< where it reaches and leaves it [m]
  Vec3 normal = Vec3::UnitZ();                 ///< about which it turns
  double angle = 0;                            ///< theta [rad]
  double length = 0;                           ///< on it [m]

  /// A share of the way on it.
  [[nodiscard]] Vec3 point(double share) const;
};

/// Between a and b, from the centre. `remembered`: the middle of the cable on it and theta as they
/// were: they tell on which side it lies, and how many turns. False: a or b is inside.
bool bend_between(const BendData& on, const Vec3& a, const Vec3& b, const double* remembered,
                  Bend& out);

/// How far the cable is beyond the end of what it lies on [m]; below zero: it is not.
double beyond_end(const BendData& on, const Bend& bend);

}  // namespace hawser

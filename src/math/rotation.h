// Rotations: the exponential map of SO(3) by unit quaternions.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

namespace hawser {

/// [a]x, so that [a]x b = a x b.
inline Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// The turn by |theta| about theta.
inline Eigen::Quaterniond turn_by(const Eigen::Vector3d& theta) {
  const double y = theta.squaredNorm() / 4;  // of half the angle
  // sin(x)/(2 x) and cos(x); of what turns by less than 0.2 rad in a step, as most does, by series
  // that are exact to rounding.
  double s = 0.5 + y * (-1.0 / 12 + y * (1.0 / 240 + y * (-1.0 / 10080 + y * (1.0 / 725760))));
  double c =
      1 + y * (-0.5 + y * (1.0 / 24 + y * (-1.0 / 720 + y * (1.0 / 40320 + y * (-1.0 / 3628800)))));
  if (y > 0.01) {
    const double half = std::sqrt(y);
    s = std::sin(half) / (2 * half);
    c = std::cos(half);
  }
  return {c, s * theta.x(), s * theta.y(), s * theta.z()};
}

/// The shortest turn that takes the unit vector a to the unit vector b. Eigen's FromTwoVectors
/// would do, but it takes g++ twelve seconds to compile.
inline Eigen::Quaterniond turn_between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const double w = 1 + a.dot(b);
  if (w < 1e-14) {  // opposite: half a turn about any axis across
    const Eigen::Vector3d across = a.unitOrthogonal();
    return {0, across.x(), across.y(), across.z()};
  }
  const Eigen::Vector3d axis = a.cross(b);
  return Eigen::Quaterniond(w, axis.x(), axis.y(), axis.z()).normalized();
}

/// The rotation vector of a unit quaternion, shorter than pi.
inline Eigen::Vector3d rotation_vector(const Eigen::Quaterniond& q) {
  const double sign = q.w() < 0 ? -1 : 1, s = q.vec().norm();
  if (s < 1e-9) return 2 * sign * q.vec();
  return (2 * std::atan2(s, sign * q.w()) / s) * sign * q.vec();
}

}  // namespace hawser

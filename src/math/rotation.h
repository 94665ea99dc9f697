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
  const double angle2 = theta.squaredNorm();
  // sin(x/2)/x and cos(x/2); series where the quotient would lose digits.
  const double angle = std::sqrt(angle2);
  const double s = angle2 > 1e-8 ? std::sin(angle / 2) / angle : 0.5 - angle2 / 48;
  const double c = angle2 > 1e-8 ? std::cos(angle / 2) : 1 - angle2 / 8;
  return {c, s * theta.x(), s * theta.y(), s * theta.z()};
}

/// The rotation vector of a unit quaternion, shorter than pi.
inline Eigen::Vector3d rotation_vector(const Eigen::Quaterniond& q) {
  const double sign = q.w() < 0 ? -1 : 1, s = q.vec().norm();
  if (s < 1e-9) return 2 * sign * q.vec();
  return (2 * std::atan2(s, sign * q.w()) / s) * sign * q.vec();
}

}  // namespace hawser

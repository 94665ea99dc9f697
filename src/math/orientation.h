// Orientations of bodies as a state has them: unit quaternions w x y z.
#pragma once

#include "math/rotation.h"

namespace hawser {

inline Eigen::Quaterniond orientation_at(const double* o) { return {o[0], o[1], o[2], o[3]}; }

/// Turns an orientation by a rotation vector in body axes.
inline void turn_orientation(double* o, const Eigen::Vector3d& theta) {
  Eigen::Quaterniond turned = orientation_at(o) * turn_by(theta);
  // Rounding alone takes it off one: a step of Newton's method for 1/sqrt.
  const double square = turned.squaredNorm();
  turned.coeffs() *= std::abs(square - 1) < 1e-8 ? 1.5 - 0.5 * square : 1 / std::sqrt(square);
  o[0] = turned.w(), o[1] = turned.x(), o[2] = turned.y(), o[3] = turned.z();
}

}  // namespace hawser

// Where a shape is and how it moves, and points as it sees them.
#pragma once

#include "contact/cable_contact.h"

namespace hawser {

/// Where a shape is and how it moves, in world axes.
struct ShapePose {
  Eigen::Vector3d centre, velocity, spin;
  Eigen::Matrix3d axes;

  ShapePose(const TouchedShape& shape, const Configuration& at, const double* q, const double* v);

  /// A point in the axes of the shape.
  [[nodiscard]] Eigen::Vector3d place(const Eigen::Vector3d& x) const {
    return axes.transpose() * (x - centre);
  }
  /// A point of the cable as the surface sees it.
  [[nodiscard]] ContactMotion motion(const Eigen::Vector3d& x, const Eigen::Vector3d& v) const {
    const Eigen::Vector3d arm = x - centre;
    return {axes.transpose() * arm, axes.transpose() * (v - velocity - spin.cross(arm))};
  }
};

}  // namespace hawser

// Flat polygons in space.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <vector>

namespace hawser {

/// Twice the area, along the normal: counterclockwise seen from where it points to.
inline Eigen::Vector3d twice_area(const std::vector<Eigen::Vector3d>& points,
                                  const std::vector<int>& polygon) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  const auto from_first = [&](size_t i) -> Eigen::Vector3d {
    return points[static_cast<size_t>(polygon[i])] - points[static_cast<size_t>(polygon[0])];
  };
  for (size_t i = 1; i + 1 < polygon.size(); ++i) sum += from_first(i).cross(from_first(i + 1));
  return sum;
}

}  // namespace hawser

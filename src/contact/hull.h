// The surface of a convex polyhedron: signed distance and normal of a point.
//
// Inside, the face of which the point is least deep counts; one that touches goes on to faces that
// look to the same side as the one it has touched, and to no other. Outside it is the nearest point
// of all faces that the point is in front of.
#pragma once

#include "contact/surface.h"

namespace hawser {

struct Hull {
  struct Face {
    Eigen::Vector3d normal;
    double offset;             ///< of its plane from the origin [m]
    Eigen::Vector3d centre;    ///< of its corners
    double radius;             ///< no corner is farther from there [m]
    std::vector<int> corners;  ///< counterclockwise from outside
  };
  std::vector<Eigen::Vector3d> corners;
  std::vector<Face> faces;
  double reach = 0;           ///< no corner is farther from the origin [m]
  double half_thickness = 0;  ///< from the origin to the nearest face [m]

  explicit Hull(const Polyhedron& of);
  /// `kept`: number of the face that the point has touched so far, from 1; 0: none.
  [[nodiscard]] Nearest nearest(const Eigen::Vector3d& y, int kept) const;
};

}  // namespace hawser

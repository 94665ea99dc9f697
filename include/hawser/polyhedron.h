// Closed convex surfaces as shapes of bodies and supports.
#pragma once

#include <string>
#include <vector>

#include "hawser/scene.h"

namespace hawser {

/// Facets as files have them: each a flat polygon, counterclockwise seen from outside.
struct Facets {
  std::vector<Vec3> points;
  std::vector<std::vector<int>> polygons;  ///< indices of points
};

/// Joins facets to a polyhedron: points closer than 1e-6 of its size become one corner, neighbours
/// in one plane one face. What it returns is joined to itself. Throws Error where the facets are
/// not a closed convex surface, with the facet or edge, counted from 1; `name` is that of the
/// surface in messages.
Polyhedron joined_facets(const Facets& facets, const std::string& name);

/// Of a solid with this surface.
struct VolumeMoments {
  double volume = 0;
  Vec3 centre = Vec3::Zero();
  /// Integral of r r^T over the volume, r from the centre.
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
};
VolumeMoments moments_of(const Polyhedron& surface);

/// A solid with this surface, each unit of it `scale` long [m]. Its centre of mass moves to the
/// origin.
Solid solid_of(const Polyhedron& surface, double scale);

}  // namespace hawser

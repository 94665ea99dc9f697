// Surfaces that cables touch: signed distance and normal of a point, in the axes of the surface.
//
// | surface  | distance of y, negative inside                                                |
// | plane    | z                                                                             |
// | sphere   | |y| - R                                                                       |
// | capsule  | |y - p| - R, p the nearest point of the axis from -l/2 to l/2                  |
// | cylinder | with u = (rho - R, |z| - l/2): |max(u, 0)| outside, the larger u inside        |
// | box      | with u = |y| - size/2 by component: the same                                   |
// | mesh     | hull.h                                                                        |
//
// Inside a cylinder or a box the nearest face counts. A point that touches keeps its face while it
// is inside: otherwise the normal would jump where two faces are equally near.
#pragma once

#include <Eigen/Core>

#include <memory>
#include <optional>

#include "hawser/scene.h"

namespace hawser {

struct Hull;

struct Surface {
  enum class Kind { plane, sphere, cylinder, capsule, box, mesh };
  Kind kind = Kind::plane;
  /// sphere: radius. cylinder, capsule: radius and length along z. box: edge lengths [m].
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  std::shared_ptr<const Hull> hull{};  ///< of a mesh
  /// Where it is in the axes of its body or support, if not at their origin.
  struct Place {
    Eigen::Vector3d centre;
    Eigen::Matrix3d axes;
  };
  std::optional<Place> place{};

  /// Radius over which a cable wraps [m]; 0: none. Of a mesh that of the sphere in it.
  [[nodiscard]] double wrap_radius() const {
    if (kind == Kind::mesh) return half_thickness();
    return kind == Kind::plane || kind == Kind::box ? 0 : size.x();
  }
  /// A taut cable bends around edges at single points.
  [[nodiscard]] bool has_edges() const { return kind == Kind::box || kind == Kind::mesh; }
  /// From the surface to the middle of the shape, where it is thinnest [m].
  [[nodiscard]] double half_thickness() const;
};

/// Of a solid; a plate has no thickness and none.
std::optional<Surface> surface_of(const Solid& solid);

/// What a point is near to.
struct Nearest {
  double distance = 0;  ///< [m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
  int face = 0;  ///< that the normal is of; 0: no face in particular
};
/// `face`: the one that the point has touched so far; 0: none.
Nearest nearest(const Surface& surface, const Eigen::Vector3d& y, int face);

/// A point that went straight from one place to another, to which `end` is nearest. Where it has
/// gone through what is within `reach` of the shape, and is on another side: the normal where it
/// entered, and how far behind the surface there it is; none otherwise. `face`: the one that it
/// touched at first.
std::optional<Nearest> passed_through(const Surface& surface, const Eigen::Vector3d& from,
                                      const Eigen::Vector3d& to, const Nearest& end, int face,
                                      double reach);

}  // namespace hawser

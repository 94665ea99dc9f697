// Convex shapes of bodies that touch each other, and where: up to four points of a pair.
//
// Of two shapes A and B, in the axes of B, with the normal n from B to A:
//
// | A, B                  | points                                                               |
// | sphere, any           | its centre, less the radius, by the distance of B (surface.h)         |
// | capsule, any          | the ends of its axis, and between them the point nearest to B, as far |
// |                       | as it is deeper than they are                                         |
// | box or mesh, plane    | its four lowest corners; of a face that lies on it always the same    |
// | cylinder, plane       | of the lower rim the lowest point and those 120 degrees from it, of   |
// |                       | the upper rim the lowest                                              |
// | box, mesh or cylinder | the faces, or edges, between which they overlap least (separating     |
// |   with one of them    | axes, Gottschalk et al. 1996); of a face what is left of the opposite |
// |                       | one between its sides (Sutherland & Hodgman 1974), at most four       |
//
// There a cylinder is a prism of 32 sides, which stand off to its radius; on a face it lies with
// the line of its side that is nearest. The axis of least overlap is kept while it is nearly that:
// otherwise the normal would jump between steps.
#pragma once

#include <Eigen/Core>

#include <array>
#include <vector>

#include "contact/surface.h"

namespace hawser {

struct ConvexShape {
  struct Face {
    Eigen::Vector3d normal;
    std::vector<int> corners;  ///< counter-clockwise from outside
    std::vector<int> feet;     ///< of its corners those on which it stands, four at most
  };
  struct Edge {
    int from, to, direction;
  };
  Surface surface;
  double reach = 0;  ///< no point is farther from the origin [m]
  // --- of a polyhedron ---
  std::vector<Eigen::Vector3d> corners;
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<Eigen::Vector3d> directions;  ///< of the edges, each once

  explicit ConvexShape(const Surface& of);
  /// How far it reaches along a direction of length 1 [m]; of a cylinder that of the round one.
  [[nodiscard]] double extent(const Eigen::Vector3d& along) const;
  /// The point that reaches as far.
  [[nodiscard]] Eigen::Vector3d farthest(const Eigen::Vector3d& along) const;
  /// How many points of it touch a plane at most.
  [[nodiscard]] int feet() const;
  [[nodiscard]] bool is_round() const {
    return surface.kind == Surface::Kind::sphere || surface.kind == Surface::Kind::capsule;
  }
};

/// Where A is, in the axes of B.
struct RelativePose {
  Eigen::Matrix3d axes;
  Eigen::Vector3d centre;
};

struct Manifold {
  struct Point {
    Eigen::Vector3d y, normal;  ///< in the axes of B
    double depth = 0;           ///< [m]; above zero
  };
  static constexpr int most = 4;
  int count = 0;
  std::array<Point, most> points;
  int axis = 0;  ///< of least overlap, of polyhedra; 0: none

  void add(const Eigen::Vector3d& y, const Eigen::Vector3d& normal, double depth);
};

/// The axis of least overlap that a pair goes on with.
struct KeptAxis {
  int axis = 0;       ///< 0: none
  bool only = false;  ///< no other one, whatever it overlaps by
};

/// The first shape may be any but a plane; rounder ones come first: sphere, capsule, then box,
/// mesh and cylinder, then plane.
Manifold manifold(const ConvexShape& a, const ConvexShape& b, const RelativePose& at,
                  KeptAxis kept);

/// Where a cylinder stands on a plane with this normal, in its own axes: of the lower rim the
/// lowest point and those 120 degrees from it, of the upper rim the lowest.
std::array<Eigen::Vector3d, 4> feet_of_cylinder(const Surface& cylinder, const Eigen::Vector3d& up);

/// Sphere 0, capsule 1, box, mesh and cylinder 2, plane 3.
int roundness(const Surface& surface);

}  // namespace hawser

#include "contact/convex.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/hull.h"
#include "contact/polyhedra.h"
#include "math/polygon.h"

namespace hawser {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int prism_sides = 32;

/// Of a polygon the first corner, the one farthest from it, and those farthest to both sides of the
/// line between.
std::vector<int> feet_of(const std::vector<Vector3d>& corners, const std::vector<int>& polygon,
                         const Vector3d& normal) {
  if (polygon.size() <= Manifold::most) return polygon;
  const auto most = [&](const auto& measure) {
    return *std::max_element(polygon.begin(), polygon.end(), [&](int a, int b) {
      return measure(corners[static_cast<size_t>(a)]) < measure(corners[static_cast<size_t>(b)]);
    });
  };
  const Vector3d& first = corners[static_cast<size_t>(polygon[0])];
  const int second = most([&](const Vector3d& x) { return (x - first).norm(); });
  const Vector3d across = normal.cross(corners[static_cast<size_t>(second)] - first);
  return {polygon[0], second, most([&](const Vector3d& x) { return across.dot(x); }),
          most([&](const Vector3d& x) { return -across.dot(x); })};
}

/// Faces and edges of corners that are known: faces by their corners, counter-clockwise.
void join_faces(ConvexShape& shape, const std::vector<std::vector<int>>& polygons) {
  for (const std::vector<int>& polygon : polygons) {
    const auto corner = [&](size_t i) {
      return shape.corners[static_cast<size_t>(polygon[i % polygon.size()])];
    };
    const Vector3d normal = twice_area(shape.corners, polygon).normalized();
    shape.faces.push_back({normal, polygon, feet_of(shape.corners, polygon, normal)});
    for (size_t i = 0; i < polygon.size(); ++i) {
      const int from = polygon[i], to = polygon[(i + 1) % polygon.size()];
      if (from > to) continue;  // the face beyond has it
      const Vector3d along = (corner(i + 1) - corner(i)).normalized();
      int direction = 0;
      const auto count = static_cast<int>(shape.directions.size());
      while (direction < count &&
             std::abs(shape.directions[static_cast<size_t>(direction)].dot(along)) < 1 - 1e-9)
        ++direction;
      if (direction == count) shape.directions.push_back(along);
      shape.edges.push_back({from, to, direction});
    }
  }
}

void make_box(ConvexShape& shape) {
  for (int i = 0; i < 8; ++i)
    shape.corners.push_back(
        Vector3d((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5, (i & 4) != 0 ? 0.5 : -0.5)
            .cwiseProduct(shape.surface.size));
  join_faces(shape,
             {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}});
}

void make_prism(ConvexShape& shape) {
  const double r = shape.surface.size.x(), half = shape.surface.size.y() / 2;
  std::vector<std::vector<int>> polygons;
  std::vector<int> top, bottom;
  for (int i = 0; i < prism_sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / prism_sides;
    shape.corners.emplace_back(r * std::cos(angle), r * std::sin(angle), -half);
    shape.corners.emplace_back(r * std::cos(angle), r * std::sin(angle), half);
    const int next = (i + 1) % prism_sides;
    polygons.push_back({2 * i, 2 * next, 2 * next + 1, 2 * i + 1});
    top.push_back(2 * i + 1);
    bottom.insert(bottom.begin(), 2 * i);
  }
  polygons.push_back(top);
  polygons.push_back(bottom);
  join_faces(shape, polygons);
}

/// The place along a segment that is nearest to a convex surface: the distance is convex along it.
double nearest_along(const Surface& surface, const Vector3d& from, const Vector3d& to) {
  const auto distance = [&](double s) {
    return nearest(surface, from + s * (to - from), 0).distance;
  };
  constexpr double golden = 0.6180339887498949;
  double low = 0, high = 1;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = distance(a), at_b = distance(b);
  for (int i = 0; i < 40; ++i) {
    if (at_a <= at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = distance(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = distance(b);
    }
  }
  return (low + high) / 2;
}

void add_round(const Surface& b, const Vector3d& centre, double radius, Manifold& out) {
  const Nearest near = nearest(b, centre, 0);
  out.add(centre - radius * near.normal, near.normal, radius - near.distance);
}

Manifold of_round(const ConvexShape& a, const Surface& b, const RelativePose& at) {
  Manifold out;
  const double radius = a.surface.size.x();
  if (a.surface.kind == Surface::Kind::sphere) {
    add_round(b, at.centre, radius, out);
    return out;
  }
  const Vector3d half = at.axes.col(2) * a.surface.size.y() / 2;
  const Vector3d from = at.centre - half, to = at.centre + half;
  add_round(b, from, radius, out);
  add_round(b, to, radius, out);
  if (b.kind == Surface::Kind::plane) return out;
  // Between the ends what is deeper than they are: where it lies flat, nothing.
  const double s = nearest_along(b, from, to);
  const Nearest near = nearest(b, from + s * (to - from), 0);
  const auto depth = [&](const Vector3d& x) {
    return std::max(0.0, radius - nearest(b, x, 0).distance);
  };
  const double more = radius - near.distance - (1 - s) * depth(from) - s * depth(to);
  if (more > 1e-9 * radius)  // beyond rounding
    out.add(from + s * (to - from) - radius * near.normal, near.normal, more);
  return out;
}

void add_on_plane(const RelativePose& at, const Vector3d& corner, Manifold& out) {
  const Vector3d y = at.centre + at.axes * corner;
  out.add(y, Vector3d::UnitZ(), -y.z());
}

Manifold cylinder_on_plane(const Surface& a, const RelativePose& at) {
  Manifold out;
  for (const Vector3d& foot : feet_of_cylinder(a, at.axes.row(2).transpose()))
    add_on_plane(at, foot, out);
  return out;
}

/// The four lowest corners; of a face with more of them that lies on the plane always the same.
Manifold polyhedron_on_plane(const ConvexShape& a, const RelativePose& at) {
  constexpr double flat = 2e-4;  // slope of a face that lies
  Manifold out;
  for (const auto& face : a.faces) {
    if (face.corners.size() <= Manifold::most) continue;
    const Vector3d up = at.axes * face.normal;
    if (up.z() > 0 || std::hypot(up.x(), up.y()) > flat) continue;
    for (const int i : face.feet) add_on_plane(at, a.corners[static_cast<size_t>(i)], out);
    return out;
  }
  std::array<double, Manifold::most> heights{};
  std::array<size_t, Manifold::most> lowest{};
  size_t count = 0;
  for (size_t i = 0; i < a.corners.size(); ++i) {
    const double z = at.centre.z() + at.axes.row(2).dot(a.corners[i]);
    if (z >= 0) continue;
    size_t k = std::min(count, lowest.size() - 1);
    if (count == lowest.size() && z >= heights[k]) continue;
    for (; k > 0 && heights[k - 1] > z; --k) {
      heights[k] = heights[k - 1];
      lowest[k] = lowest[k - 1];
    }
    heights[k] = z;
    lowest[k] = i;
    count = std::min(count + 1, lowest.size());
  }
  for (size_t k = 0; k < count; ++k) add_on_plane(at, a.corners[lowest[k]], out);
  return out;
}

}  // namespace

ConvexShape::ConvexShape(const Surface& of) : surface(of) {
  const Vector3d& size = surface.size;
  switch (surface.kind) {
    case Surface::Kind::box:
      make_box(*this);
      reach = size.norm() / 2;
      break;
    case Surface::Kind::cylinder:
      make_prism(*this);
      reach = std::hypot(size.x(), size.y() / 2);
      break;
    case Surface::Kind::mesh: {
      corners = surface.hull->corners;
      reach = surface.hull->reach;
      std::vector<std::vector<int>> polygons;
      for (const Hull::Face& face : surface.hull->faces) polygons.push_back(face.corners);
      join_faces(*this, polygons);
      break;
    }
    case Surface::Kind::capsule:
      reach = size.x() + size.y() / 2;
      break;
    case Surface::Kind::sphere:
      reach = size.x();
      break;
    case Surface::Kind::plane:
      reach = HUGE_VAL;
      break;
  }
}

std::array<Vector3d, 4> feet_of_cylinder(const Surface& cylinder, const Vector3d& up) {
  constexpr double upright = 2e-4;  // its lowest point is anywhere on the rim
  const double flat = std::hypot(up.x(), up.y()), half = cylinder.size.y() / 2;
  const double angle = flat > upright ? std::atan2(-up.y(), -up.x()) : 0;
  const double low = up.z() > 0 ? -half : half;
  const auto rim = [&](double turn, double z) {
    return Vector3d(cylinder.size.x() * std::cos(angle + turn),
                    cylinder.size.x() * std::sin(angle + turn), z);
  };
  constexpr double third = 2 * std::numbers::pi / 3;
  return {rim(0, low), rim(third, low), rim(-third, low), rim(0, -low)};
}

double ConvexShape::extent(const Vector3d& along) const {
  if (surface.kind == Surface::Kind::cylinder)
    return surface.size.x() * std::hypot(along.x(), along.y()) +
           surface.size.y() / 2 * std::abs(along.z());
  double most = -HUGE_VAL;
  for (const Vector3d& corner : corners) most = std::max(most, along.dot(corner));
  return most;
}

Vector3d ConvexShape::farthest(const Vector3d& along) const {
  if (surface.kind == Surface::Kind::cylinder) {
    const double flat = std::hypot(along.x(), along.y());
    const double r = flat > 0 ? surface.size.x() / flat : 0;
    return {r * along.x(), r * along.y(), std::copysign(surface.size.y() / 2, along.z())};
  }
  return *std::max_element(
      corners.begin(), corners.end(),
      [&](const Vector3d& a, const Vector3d& b) { return along.dot(a) < along.dot(b); });
}

int ConvexShape::feet() const {
  return surface.kind == Surface::Kind::sphere ? 1 : surface.kind == Surface::Kind::capsule ? 2 : 4;
}

void Manifold::add(const Vector3d& y, const Vector3d& normal, double depth) {
  if (depth > 0 && count < most) points[static_cast<size_t>(count++)] = {y, normal, depth};
}

int roundness(const Surface& surface) {
  switch (surface.kind) {
    case Surface::Kind::sphere:
      return 0;
    case Surface::Kind::capsule:
      return 1;
    case Surface::Kind::box:
    case Surface::Kind::mesh:
    case Surface::Kind::cylinder:
      return 2;
    case Surface::Kind::plane:
      break;
  }
  return 3;
}

Manifold manifold(const ConvexShape& a, const ConvexShape& b, const RelativePose& at,
                  KeptAxis kept) {
  if (b.surface.kind != Surface::Kind::plane && at.centre.norm() > a.reach + b.reach) return {};
  if (a.is_round()) return of_round(a, b.surface, at);
  if (b.surface.kind == Surface::Kind::plane)
    return a.surface.kind == Surface::Kind::cylinder ? cylinder_on_plane(a.surface, at)
                                                     : polyhedron_on_plane(a, at);
  return of_polyhedra(a, b, at, kept);
}

}  // namespace hawser

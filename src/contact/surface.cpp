#include "contact/surface.h"

#include <algorithm>
#include <cmath>

#include "contact/hull.h"

namespace hawser {
namespace {

using Eigen::Vector3d;

/// Distance from a centre; where the point is at the centre any normal is as good.
Nearest from_centre(const Vector3d& y, double radius) {
  const double r = y.norm();
  return {r - radius, r > 0 ? Vector3d(y / r) : Vector3d(Vector3d::UnitZ()), 0};
}

/// Of a shape whose faces have the distances u (outside positive) and these normals. Faces are
/// numbered from 1.
Nearest of_faces(int count, const double u[3], const Vector3d normals[3], int kept) {
  Vector3d out = Vector3d::Zero();
  int largest = 0;
  for (int i = 0; i < count; ++i) {
    if (u[i] > 0) out += u[i] * normals[i];
    if (u[i] > u[largest]) largest = i;
  }
  const double outside = out.norm();
  if (outside > 0) return {outside, out / outside, largest + 1};
  if (kept > 0) largest = kept - 1;
  return {u[largest], normals[largest], largest + 1};
}

Nearest of_cylinder(const Vector3d& size, const Vector3d& y, int kept) {
  const double rho = std::hypot(y.x(), y.y());
  const Vector3d around = rho > 0 ? Vector3d(y.x() / rho, y.y() / rho, 0) : Vector3d(1, 0, 0);
  const double u[3] = {rho - size.x(), std::abs(y.z()) - size.y() / 2, 0};
  const Vector3d normals[3] = {around, Vector3d(0, 0, std::copysign(1, y.z())), Vector3d::Zero()};
  return of_faces(2, u, normals, kept);
}

Nearest of_box(const Vector3d& size, const Vector3d& y, int kept) {
  double u[3];
  Vector3d normals[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = std::abs(y[i]) - size[i] / 2;
    normals[i] = std::copysign(1, y[i]) * Vector3d::Unit(i);
  }
  return of_faces(3, u, normals, kept);
}

}  // namespace

std::optional<Surface> surface_of(const Solid& solid) {
  switch (solid.kind) {
    case Solid::Kind::box:
      return Surface{Surface::Kind::box, solid.size};
    case Solid::Kind::sphere:
      return Surface{Surface::Kind::sphere, solid.size};
    case Solid::Kind::cylinder:
      return Surface{Surface::Kind::cylinder, solid.size};
    case Solid::Kind::capsule:
      return Surface{Surface::Kind::capsule, solid.size};
    case Solid::Kind::mesh:
      return Surface{Surface::Kind::mesh, solid.size, std::make_shared<Hull>(*solid.mesh)};
    case Solid::Kind::plate:
    case Solid::Kind::none:
      break;
  }
  return std::nullopt;
}

double Surface::half_thickness() const {
  switch (kind) {
    case Kind::sphere:
    case Kind::capsule:
      return size.x();
    case Kind::cylinder:
      return std::min(size.x(), size.y() / 2);
    case Kind::box:
      return size.minCoeff() / 2;
    case Kind::mesh:
      return hull->half_thickness;
    case Kind::plane:
      break;
  }
  return HUGE_VAL;
}

/// In the axes of the surface itself.
static Nearest nearest_to(const Surface& surface, const Vector3d& y, int face) {
  switch (surface.kind) {
    case Surface::Kind::sphere:
      return from_centre(y, surface.size.x());
    case Surface::Kind::capsule: {
      const double half = surface.size.y() / 2;
      return from_centre(y - std::clamp(y.z(), -half, half) * Vector3d::UnitZ(), surface.size.x());
    }
    case Surface::Kind::cylinder:
      return of_cylinder(surface.size, y, face);
    case Surface::Kind::box:
      return of_box(surface.size, y, face);
    case Surface::Kind::mesh:
      return surface.hull->nearest(y, face);
    case Surface::Kind::plane:
      break;
  }
  return {y.z(), Vector3d::UnitZ(), 0};
}

Nearest nearest(const Surface& surface, const Vector3d& y, int face) {
  if (!surface.place) return nearest_to(surface, y, face);
  const Surface::Place& at = *surface.place;
  Nearest out = nearest_to(surface, at.axes.transpose() * (y - at.centre), face);
  out.normal = at.axes * out.normal;
  return out;
}

/// The first share of the way from `from`, in steps that the distance allows, at which a point is
/// within `reach` of the surface; above 1: it never is.
static double share_to_surface(const Surface& surface, const Vector3d& from, const Vector3d& way,
                               double reach, double distance) {
  constexpr int most_advances = 32;
  constexpr double closely = 1e-3;  // of the way
  const double length = way.norm();
  double share = 0;
  for (int i = 0; distance - reach > closely * length && share <= 1 && i < most_advances; ++i) {
    share += (distance - reach) / length;
    distance = nearest(surface, from + share * way, 0).distance;
  }
  return share;
}

std::optional<Nearest> passed_through(const Surface& surface, const Vector3d& from,
                                      const Vector3d& to, const Nearest& end, int face,
                                      double reach) {
  constexpr double same_side = 0.8;  // cosine of the normals
  constexpr double grazing = 0.05;   // depth over length of the way within the shape
  const Vector3d way = to - from;
  Nearest entry = nearest(surface, from, face);
  const double in = share_to_surface(surface, from, way, reach, entry.distance);
  if (in > 0) entry = nearest(surface, from + in * way, 0);
  if (in > 1 || end.normal.dot(entry.normal) > same_side) return std::nullopt;
  const double out = 1 - share_to_surface(surface, to, -way, reach, end.distance);
  const double middle = nearest(surface, from + (in + out) / 2 * way, 0).distance;
  if (out <= in || reach - middle < grazing * (out - in) * way.norm()) return std::nullopt;
  entry.distance += (1 - in) * entry.normal.dot(way);
  if (entry.distance > reach) return std::nullopt;
  return entry;
}

}  // namespace hawser

#include "contact/surface.h"

#include <algorithm>
#include <cmath>

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
    case Kind::plane:
      break;
  }
  return HUGE_VAL;
}

Nearest nearest(const Surface& surface, const Vector3d& y, int face) {
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
    case Surface::Kind::plane:
      break;
  }
  return {y.z(), Vector3d::UnitZ(), 0};
}

}  // namespace hawser

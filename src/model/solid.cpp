// Volumes and moments of inertia of even solids: Beer & Johnston, Vector Mechanics for Engineers,
// inside of the back cover.
#include <cmath>
#include <numbers>

#include "hawser/polyhedron.h"

namespace hawser {

double Solid::volume() const {
  switch (kind) {
    case Kind::box:
      return size.x() * size.y() * size.z();
    case Kind::sphere:
      return 4.0 / 3 * std::numbers::pi * std::pow(size.x(), 3);
    case Kind::cylinder:
      return std::numbers::pi * size.x() * size.x() * size.y();
    case Kind::capsule:
      return std::numbers::pi * size.x() * size.x() * (size.y() + 4.0 / 3 * size.x());
    case Kind::plate:
      return size.x() * size.y();
    case Kind::mesh:
      return moments_of(*mesh).volume;
    case Kind::none:
      break;
  }
  return 0;
}

Eigen::Matrix3d Solid::inertia(double mass) const {
  const Vec3 square = size.cwiseAbs2();
  Vec3 by_mass = Vec3::Zero();  // principal moments of one kilogram [m^2]
  switch (kind) {
    case Kind::box:
    case Kind::plate: {  // whose third edge is zero
      const Vec3 s = kind == Kind::box ? square : Vec3(square.x(), square.y(), 0);
      by_mass = Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()) / 12;
      break;
    }
    case Kind::sphere:
      by_mass.setConstant(0.4 * square.x());
      break;
    case Kind::cylinder:
      by_mass.setConstant(square.x() / 4 + square.y() / 12);
      by_mass.z() = square.x() / 2;
      break;
    case Kind::capsule: {  // a cylinder and half a sphere at each end, 3/8 r from its flat face
      const double r = size.x(), l = size.y(), ends = 4 * r / (3 * l + 4 * r), middle = 1 - ends;
      const double beyond = l / 2 + 3.0 / 8 * r;
      by_mass.setConstant(middle * (r * r / 4 + l * l / 12) +
                          ends * (83.0 / 320 * r * r + beyond * beyond));
      by_mass.z() = r * r * (middle / 2 + 0.4 * ends);
      break;
    }
    case Kind::mesh: {
      const VolumeMoments m = moments_of(*mesh);
      return mass / m.volume * (m.second.trace() * Eigen::Matrix3d::Identity() - m.second);
    }
    case Kind::none:
      break;
  }
  return (mass * by_mass).asDiagonal();
}

}  // namespace hawser

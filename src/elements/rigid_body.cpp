#include "elements/rigid_body.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

#include "linear/turn_blocks.h"

namespace hawser {
namespace {

using BodyVector = Eigen::Map<const Eigen::Vector3d>;

}  // namespace

void RigidBodies::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  for (const BodyData& body : bodies_) {
    const int c = node_size * body.node;
    const BodyVector omega(at.v_spin + c + 3);
    Eigen::Map<Eigen::Vector3d>(sums.force + c + 3) -= omega.cross(body.inertia * omega);
  }
  add_mass_times(at.q, wanted.b, sums.inertia);
  if (!wanted.matrix()) return;
  for (const BodyData& body : bodies_) {
    const Eigen::Matrix3d inertia = wanted.mass_weight * body.inertia;
    add_shift_diagonal(sums.sink, body.node, wanted.mass_weight * body.mass);
    add_turn_block(sums.sink, body.node, inertia.data());
  }
}

void RigidBodies::add_mass_times(const double*, const double* b, double* out) const {
  for (const BodyData& body : bodies_) {
    const int c = node_size * body.node;
    Eigen::Map<Eigen::Vector3d>(out + c) += body.mass * BodyVector(b + c);
    Eigen::Map<Eigen::Vector3d>(out + c + 3) += body.inertia * BodyVector(b + c + 3);
  }
}

void RigidBodies::add_energy(const EnergyState& at, EnergyParts& out) const {
  for (const BodyData& body : bodies_) {
    const BodyVector u(at.v + node_size * body.node), omega(at.v + node_size * body.node + 3);
    out.kinetic += (body.mass * u.squaredNorm() + omega.dot(body.inertia * omega)) / 2;
  }
}

/// A torque by the radius of gyration is a force; corrections are in metres and radians.
void RigidBodies::set_scales(double* arm, double* size) const {
  for (const BodyData& body : bodies_) {
    const int c = node_size * body.node;
    std::fill_n(arm + c + 3, 3, std::sqrt(body.inertia.trace() / 3 / body.mass));
    std::fill_n(size + c, node_size, 1.0);
  }
}

double RigidBodies::turn(const double*, const double* motion) const {
  double most = 0;
  for (const BodyData& body : bodies_)
    most = std::max(most, BodyVector(motion + node_size * body.node + 3).norm());
  return most;
}

}  // namespace hawser

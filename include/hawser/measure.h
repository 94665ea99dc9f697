// Quantities derived from a state: shapes, forces, energies. SI units.
#pragma once

#include <string>
#include <vector>

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

/// A point along a cable.
struct CablePoint {
  double s = 0;  ///< unstretched arc length from the start [m]
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();  ///< [m], [m/s]
  double strain = 0;     ///< in the cable's strain measure [-]; 0 if slack
  double tension = 0;    ///< force along the tangent, positive in tension [N]
  double curvature = 0;  ///< in the cable's curvature measure [1/m]
  double moment = 0;     ///< EI times curvature [N m]
};

/// The cable at its axial Gauss points, in order. The axial force is most accurate there. Massless
/// cables have none: see run_tensions().
std::vector<CablePoint> profile(const Model& model, const State& state, int cable);

struct Energy {
  double kinetic = 0, axial = 0, bending = 0, twist = 0;  ///< [J]
  double joints = 0;                                      ///< in compliant joints [J]
  double potential = 0;  ///< gravity and buoyancy (zero at the origin) and ground contact [J]
  double work = 0;       ///< done since the start by forces without a potential: supports, drives,
                         ///< loads, friction, drag, damping, impacts [J]
  double start = 0;      ///< total() at the start of the run [J]
  [[nodiscard]] double total() const {
    return kinetic + axial + bending + twist + joints + potential;
  }
  /// Change of the total energy since the start minus the work: energy added by the scheme.
  /// Negative values are numerical damping.
  [[nodiscard]] double balance() const { return total() - start - work; }
};
Energy energy(const Model& model, const State& state);

struct Momentum {
  Vec3 linear = Vec3::Zero();   ///< [kg m/s]
  Vec3 angular = Vec3::Zero();  ///< about the origin [kg m^2/s]
};
Momentum momentum(const Model& model, const State& state);

/// Total reaction at a place with a node: of supports, bodies and general conditions.
struct Reaction {
  Vec3 force = Vec3::Zero();   ///< on the cable [N]
  Vec3 moment = Vec3::Zero();  ///< on the cable: r' x (generalized force on r') [N m]
};
Reaction reaction(const Model& model, const State& state, const Place& at);

/// A force and a torque in world axes.
struct Wrench {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 torque = Vec3::Zero();  ///< [N m]
};
/// Wrench of a joint on its second body, including drive and limits. The torque is about the second
/// frame. Throws Error if there is no joint of that name.
Wrench joint_force(const Model& model, const State& state, const std::string& joint);

/// Force on a shape (a body, a support or `ground`) in a contact of the scene [N], world axes: of
/// all cables with elements and bodies that touch it there. Throws Error if there is no such
/// contact or shape.
Vec3 contact_force(const Model& model, const State& state, const std::string& contact,
                   const std::string& shape);

/// Tensions of a massless cable [N], from its start: one for each run between places where it is
/// held or has friction. Throws Error if the cable is not massless.
std::vector<double> run_tensions(const Model& model, const State& state, const std::string& cable);

}  // namespace hawser

// What a state looks like: shapes, forces, energies. SI units.
#pragma once

#include <vector>

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

/// A point along a cable.
struct CablePoint {
  double s = 0;  ///< unstretched arc length from the start [m]
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();  ///< [m], [m/s]
  double strain = 0;     ///< N/EA, in the cable's strain measure [-]; 0 where it is slack
  double tension = 0;    ///< force along the tangent, positive when it pulls [N]
  double curvature = 0;  ///< in the cable's curvature measure [1/m]
  double moment = 0;     ///< EI times curvature [N m]
};

/// The cable at its axial Gauss points, in order, where the axial force is best known.
std::vector<CablePoint> profile(const Model& model, const State& state, int cable);

struct Energy {
  double kinetic = 0, axial = 0, bending = 0;  ///< [J]
  double potential = 0;                        ///< of weight, zero at the origin [J]
  double work = 0;  ///< done since the start by supports and by loads other than weight [J]
  [[nodiscard]] double total() const { return kinetic + axial + bending + potential; }
  /// total - work: constant but for what the scheme damps.
  [[nodiscard]] double balance() const { return total() - work; }
};
Energy energy(const Model& model, const State& state);

struct Momentum {
  Vec3 linear = Vec3::Zero();   ///< [kg m/s]
  Vec3 angular = Vec3::Zero();  ///< about the origin [kg m^2/s]
};
Momentum momentum(const Model& model, const State& state);

/// What supports do to a node: pins, clamps, motions and general conditions together.
struct Reaction {
  Vec3 force = Vec3::Zero();   ///< on the cable [N]
  Vec3 moment = Vec3::Zero();  ///< on the cable: r' x (generalized force on r') [N m]
};
Reaction reaction(const Model& model, const State& state, const Place& at);

}  // namespace hawser

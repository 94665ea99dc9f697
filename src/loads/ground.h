// How the ground answers to a point of a cable: a spring and a damper that push and never pull.
//
//     f = k depth + c,   c = k tau sinking, kept within [-k depth, k depth],   depth > 0   [N/m]
//
// k: stiffness per metre of cable, tau: viscosity over stiffness. The lower bound keeps f from
// pulling. The upper one makes f continuous where the cable touches down: a force that jumped there
// to k tau sinking would leave the equations of an implicit step without a solution. A cable that
// lies still and shakes by less than its depth feels the plain Kelvin-Voigt ground.
#pragma once

namespace hawser {

struct GroundLaw {
  double stiffness = 0;  ///< k [N/m^2]; 0: there is no ground
  double damping = 0;    ///< tau [s]
};

/// What a point does on the ground; the law is linear in each.
enum class Footing {
  clear,    ///< above it, or leaving it faster than it can follow: f = 0
  carried,  ///< f = k (depth + tau sinking)
  plunging  ///< f = 2 k depth
};

/// depth [m] and sinking [m/s] along the normal, downward positive.
inline Footing footing(const GroundLaw& law, double depth, double sinking) {
  const double viscous = law.damping * sinking;
  if (!(depth > 0) || viscous <= -depth) return Footing::clear;
  return viscous >= depth ? Footing::plunging : Footing::carried;
}

/// df/d depth [N/m^2].
inline double ground_stiffness(const GroundLaw& law, Footing footing) {
  return footing == Footing::clear     ? 0
         : footing == Footing::carried ? law.stiffness
                                       : 2 * law.stiffness;
}
/// df/d sinking [N s/m^2].
inline double ground_viscosity(const GroundLaw& law, Footing footing) {
  return footing == Footing::carried ? law.stiffness * law.damping : 0;
}

/// f [N/m].
inline double ground_push(const GroundLaw& law, Footing footing, double depth, double sinking) {
  return ground_stiffness(law, footing) * depth + ground_viscosity(law, footing) * sinking;
}

}  // namespace hawser

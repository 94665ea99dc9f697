// How the ground answers to a point of a cable: a spring and a damper that push and never pull.
//
//     f = k depth + c,   c = k tau sinking, kept within [-k depth, k depth],   depth > 0   [N/m]
//
// k: stiffness per metre of cable, tau: viscosity over stiffness. The lower bound keeps f from
// pulling. The upper one makes f continuous where the cable touches down: a force that jumped there
// to k tau sinking would leave the equations of an implicit step without a solution. A cable that
// lies still and shakes by less than its depth feels the plain Kelvin-Voigt ground.
#pragma once

#include "base/inline.h"
#include "math/choose.h"

namespace hawser {

struct GroundLaw {
  double stiffness = 0;  ///< k [N/m^2]; 0: there is no ground
  double damping = 0;    ///< tau [s]
};

/// What a point meets on the ground: f = stiffness depth + viscosity sinking. The law is linear in
/// each of three parts:
///
///     clear     above it, or leaving it faster than it can follow   0, 0
///     carried                                                       k, k tau
///     plunging  sinking by more than its depth in tau               2 k, 0
template <class T>
struct Footing {
  T stiffness;  ///< df/d depth [N/m^2]
  T viscosity;  ///< df/d sinking [N s/m^2]

  /// f [N/m].
  [[nodiscard]] HAWSER_INLINE T push(const T& depth, const T& sinking) const {
    return stiffness * depth + viscosity * sinking;
  }
};

/// depth [m] and sinking [m/s] along the normal, downward positive.
template <class T>
HAWSER_INLINE Footing<T> footing(const GroundLaw& law, const T& depth, const T& sinking) {
  const T viscous = T(law.damping) * sinking, none(0.0), k(law.stiffness);
  const auto on_ground = [&](const T& x) {
    return choose(depth, none, choose(viscous, -depth, x, none), none);
  };
  return {on_ground(choose(depth, viscous, k, k + k)),
          on_ground(choose(depth, viscous, T(law.stiffness * law.damping), none))};
}

}  // namespace hawser

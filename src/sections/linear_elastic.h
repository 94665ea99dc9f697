// Section laws: from strain and curvature to axial force and bending moment.
//
// A law's respond() gives the force N [N] at a strain and its rate of change with strain [N].
// `added` is a force beside the elastic one, which viscosity has found for the step; `before` is
// the force at the start of the step where a mixed solve carries one, else null. admissible() is
// what becomes of the force that a linear solve has found.
#pragma once

#include "base/inline.h"

namespace hawser {

/// `a`, but zero where `which` is zero or negative. A NaN in `which` does not hide.
inline double unless_slack(double which, double a) { return which <= 0 ? 0 : a; }

/// N = EA eps + added, M = EI K.
struct LinearElastic {
  static constexpr bool one_sided = false;
  double EA;  ///< [N]
  double EI;  ///< [N m^2]

  template <class T>
  HAWSER_INLINE void respond(const T& strain, const T& added, const T* /*before*/, T& force,
                             T& tangent) const {
    force = T(EA) * strain + added;
    tangent = T(EA);
  }
  template <class T>
  [[nodiscard]] static HAWSER_INLINE T admissible(const T& force) {
    return force;
  }
  [[nodiscard]] HAWSER_INLINE double axial_tangent() const { return EA; }
  /// M / K [N m^2]: the moment per curvature, regular on a straight cable.
  [[nodiscard]] HAWSER_INLINE double bending() const { return EI; }
};

/// N = max(0, EA eps + added): slack instead of compressed. A cable that was taut when the step
/// began answers a linear solve in both directions: the strain where it is linearized is false by
/// what the prediction is off, times EA, and would let a stiff cable go slack in full tension.
struct TensionOnly {
  static constexpr bool one_sided = true;
  LinearElastic elastic;

  template <class T>
  HAWSER_INLINE void respond(const T& strain, const T& added, const T* before, T& force,
                             T& tangent) const {
    elastic.respond(strain, added, before, force, tangent);
    const T own = force;
    force = unless_slack(own, own);
    tangent = unless_slack(own, tangent);
    if (!before) return;
    force += unless_slack(*before, own - force);
    tangent += unless_slack(*before, T(elastic.EA) - tangent);
  }
  template <class T>
  [[nodiscard]] static HAWSER_INLINE T admissible(const T& force) {
    return unless_slack(force, force);
  }
};

}  // namespace hawser

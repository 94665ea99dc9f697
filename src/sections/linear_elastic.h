// Section laws: from strain and curvature to axial force and bending moment.
#pragma once

namespace hawser {

/// N = EA eps, M = EI K.
struct LinearElastic {
  double EA;  ///< [N]
  double EI;  ///< [N m^2]

  /// Axial force [N] at a strain, and its rate of change with strain [N].
  template <class T>
  [[nodiscard]] inline __attribute__((always_inline)) T force(const T& strain) const {
    return T(EA) * strain;
  }
  [[nodiscard]] inline __attribute__((always_inline)) double axial_tangent() const { return EA; }
  /// M / K [N m^2]: the moment per curvature, regular on a straight cable.
  [[nodiscard]] inline __attribute__((always_inline)) double bending() const { return EI; }
};

}  // namespace hawser

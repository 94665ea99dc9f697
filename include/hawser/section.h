// The cross-section of a cable and how its deformation is measured. SI units.
#pragma once

namespace hawser {

/// How the axial strain is measured; r' is the derivative of position by unstretched arc length.
enum class StrainMeasure {
  green,        ///< (r'.r' - 1)/2: polynomial, regular even at r' = 0 (default)
  engineering,  ///< |r'| - 1: what a data sheet's EA means at large strain
};

/// How the curvature is measured.
enum class CurvatureMeasure {
  second_derivative,  ///< |r''|: constant bending stiffness; right for strains of a few per cent
  material,           ///< |r' x r''| / |r'|^2: angle per unstretched length
  geometric,          ///< |r' x r''| / |r'|^3: angle per stretched length
};

/// What a cable is made of, as the cross-section feels it.
struct Section {
  double EA = 0;             ///< axial stiffness [N], > 0
  double EI = 0;             ///< bending stiffness [N m^2], >= 0
  double mass = 0;           ///< mass per unstretched metre [kg/m], > 0
  double GJ = 0;             ///< torsional stiffness [N m^2], >= 0
  double breaking_load = 0;  ///< [N]; 0: not known

  /// A solid round bar: diameter [m], Young's modulus [Pa], density [kg/m^3].
  static Section round(double diameter, double youngs_modulus, double density);
};

}  // namespace hawser

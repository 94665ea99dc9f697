// The cross-section of a cable and how its deformation is measured. SI units.
#pragma once

#include <vector>

namespace hawser {

/// How the axial strain is measured; r' is the derivative of position by unstretched arc length.
enum class StrainMeasure {
  green,        ///< (r'.r' - 1)/2: polynomial, regular even at r' = 0
  engineering,  ///< |r'| - 1: what a data sheet's EA means (default)
};

/// How the curvature is measured.
enum class CurvatureMeasure {
  second_derivative,  ///< |r''|: constant bending stiffness; right for strains of a few per cent
  material,           ///< |r' x r''| / |r'|^2: angle per unstretched length
  geometric,          ///< |r' x r''| / |r'|^3: angle per stretched length
};

/// A Maxwell arm of a Prony series: a spring that carries at once and lets go in time.
struct Relaxation {
  double share = 0;  ///< its stiffness over EA or EI [-], > 0
  double time = 0;   ///< in which its force falls to 1/e [s], > 0
};

/// How a fractional derivative is evaluated.
enum class FractionalForm {
  constant_cost,  ///< a sum of exponentials, right to a stated error however long the run (default)
  direct,  ///< the sum over all that is remembered: Grunwald's weights, and where steps differ
           ///< in length those of straight lines between them
  gu_eq21  ///< Gu et al. eq. 21 as printed, which leaves a stiffness that grows as the step
           ///< shrinks: for their figures
};

/// tau d^order(strain)/dt^order beside the strain, from the start on (Caputo: the strain at the
/// start does not creep).
struct Fractional {
  double order = 0;   ///< alpha, between 0 and 1
  double tau = 0;     ///< [s^order]; 0: none
  double memory = 0;  ///< time over which it is right [s]; 0: the whole run
  FractionalForm form = FractionalForm::constant_cost;
};

/// How a section resists being strained, beside its stiffness. The force is the stiffness EA or EI
/// times strain + viscosity * rate + relaxations + fractional; EA and EI are those of a load that
/// stays.
struct Damping {
  double viscosity = 0;                 ///< Kelvin-Voigt: viscosity over stiffness [s]
  std::vector<Relaxation> relaxations;  ///< Prony series (generalized Maxwell)
  Fractional fractional;

  [[nodiscard]] bool any() const {
    return viscosity > 0 || !relaxations.empty() || fractional.tau > 0;
  }
};

/// What a cable is made of, as the cross-section feels it.
struct Section {
  double EA = 0;             ///< axial stiffness [N], > 0
  double EI = 0;             ///< bending stiffness [N m^2], >= 0
  double mass = 0;           ///< mass per unstretched metre [kg/m], > 0
  double GJ = 0;             ///< torsional stiffness [N m^2], >= 0
  double breaking_load = 0;  ///< [N]; 0: not known

  Damping axial_damping{}, bending_damping{};
  double mass_damping =
      0;  ///< Rayleigh's alpha: force per momentum [1/s]; its beta is the viscosity

  double diameter = 0;            ///< outer, what a fluid feels [m]; 0: not known
  double drag = 1.2;              ///< across the cable, by diameter [-]
  double tangential_drag = 0.01;  ///< along it, by circumference pi d [-]

  /// A solid round bar: diameter [m], Young's modulus [Pa], density [kg/m^3].
  static Section round(double diameter, double youngs_modulus, double density);
};

}  // namespace hawser

// Cross-section of a cable and its strain and curvature measures. SI units.
#pragma once

#include <vector>

namespace hawser {

/// Axial strain measure; r' is the derivative of position with respect to unstretched arc length.
enum class StrainMeasure {
  green,        ///< (r'.r' - 1)/2: polynomial, regular even at r' = 0
  engineering,  ///< |r'| - 1: consistent with EA in data sheets (default)
};

/// Curvature measure.
enum class CurvatureMeasure {
  second_derivative,  ///< |r''|: constant bending stiffness; accurate for strains of a few per cent
  material,           ///< |r' x r''| / |r'|^2: angle per unstretched length
  geometric,          ///< |r' x r''| / |r'|^3: angle per stretched length
};

/// A Maxwell arm of a Prony series: a spring and a dashpot in series.
struct Relaxation {
  double share = 0;  ///< stiffness / EA or EI [-], > 0
  double time = 0;   ///< relaxation time, in which the force falls to 1/e [s], > 0

  bool operator==(const Relaxation&) const = default;
};

/// Evaluation of a fractional derivative.
enum class FractionalForm {
  constant_cost,  ///< sum of exponentials, error bound holds for any run length (default)
  direct,         ///< sum over the whole history: Grunwald weights; for variable steps, weights of
                  ///< linear interpolation
  gu_eq21         ///< Gu et al. eq. 21 as printed, which adds a stiffness that grows as the step
                  ///< shrinks; for reproducing their figures
};

/// tau d^order(strain)/dt^order, added to the strain, from the start of the run (Caputo: the
/// initial strain does not creep).
struct Fractional {
  double order = 0;   ///< alpha, between 0 and 1
  double tau = 0;     ///< [s^order]; 0: none
  double memory = 0;  ///< time over which it is accurate [s]; 0: the whole run
  FractionalForm form = FractionalForm::constant_cost;

  bool operator==(const Fractional&) const = default;
};

/// Material damping of a section. The force is EA or EI times (strain + viscosity * strain rate +
/// relaxations + fractional). EA and EI are the long-term (static)
/// stiffnesses.
struct Damping {
  double viscosity = 0;                 ///< Kelvin-Voigt: viscosity / stiffness [s]
  std::vector<Relaxation> relaxations;  ///< Prony series (generalized Maxwell)
  Fractional fractional;

  [[nodiscard]] bool any() const {
    return viscosity > 0 || !relaxations.empty() || fractional.tau > 0;
  }
  bool operator==(const Damping&) const = default;
};

/// Mechanical properties of a cable's cross-section.
struct Section {
  double EA = 0;             ///< axial stiffness [N], > 0
  double EI = 0;             ///< bending stiffness [N m^2], >= 0
  double mass = 0;           ///< mass per unstretched metre [kg/m], > 0
  double GJ = 0;             ///< torsional stiffness [N m^2], >= 0
  double breaking_load = 0;  ///< [N]; 0: unknown

  Damping axial_damping{}, bending_damping{};
  double mass_damping =
      0;  ///< Rayleigh alpha: force per momentum [1/s]; Rayleigh beta is the viscosity

  double diameter = 0;            ///< outer, for fluid forces [m]; 0: unknown
  double drag = 1.2;              ///< coefficient across the cable, based on diameter [-]
  double tangential_drag = 0.01;  ///< along it, based on circumference pi d [-]
  double added_mass = 0;          ///< across it, by the displaced mass [-]; 1: a round cylinder

  /// A solid round bar: diameter [m], Young's modulus [Pa], density [kg/m^3].
  static Section round(double diameter, double youngs_modulus, double density);
};

}  // namespace hawser

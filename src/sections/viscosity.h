// Laws of damping: springs, dashpots and Maxwell arms, and what they answer to an oscillation.
//
// The force of a section over its stiffness is strain + viscosity rate + relaxations + tau D^order
// strain (section.h). A derivative of fractional order is a Maxwell model with a continuum of
// relaxation times; a few dozen of them do for a given range of times (fractional_arms).
#pragma once

#include <complex>
#include <vector>

#include "hawser/section.h"

namespace hawser {

/// A Damping made ready for steps: force over stiffness = eps + spring (eps - eps_0) + dashpot eps'
/// + the sum over the arms of s_i, where s_i' = share_i eps' - s_i/time_i and s_i = 0 at the start.
struct ViscousLaw {
  double spring = 0;             ///< [-]
  double dashpot = 0;            ///< [s]
  std::vector<Relaxation> arms;  ///< the relaxations, then the fractional part's, slowest first
  double error = 0;              ///< of the fractional part, relative: see fractional_arms
};

/// The fractional part is resolved from `shortest` to `longest` [s], and only where its form is
/// constant_cost: the other forms remember strains.
ViscousLaw viscous_law(const Damping& damping, double shortest, double longest);

/// tau D^order as arms. For a bound no larger than `tolerance`, found in `error`, and all
///     1/longest <= w <= 1/shortest    the modulus differs from tau (i w)^order by less than the
///                                     bound times |tau (i w)^order|,
///     shortest <= t <= longest        the answer to a unit step of strain differs from
///                                     tau t^-order/Gamma(1 - order) by less than that share.
/// Faster than that it is a dashpot, slower a spring.
ViscousLaw fractional_arms(double order, double tau, double shortest, double longest,
                           double tolerance = 1e-5);

/// The dynamic modulus over the static one at strain e^(s t):
/// 1 + viscosity s + sum of share s time/(1 + s time) + tau s^order.
std::complex<double> complex_factor(const Damping& damping, std::complex<double> s);

/// The same of a law made ready, the spring included.
std::complex<double> complex_factor(const ViscousLaw& law, std::complex<double> s);

}  // namespace hawser

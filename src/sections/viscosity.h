// Laws of damping: what springs, dashpots and Maxwell arms answer to an oscillation.
#pragma once

#include <complex>

#include "hawser/section.h"

namespace hawser {

/// The dynamic modulus over the static one at strain e^(s t):
/// 1 + viscosity s + sum of share s time/(1 + s time) + tau s^order.
std::complex<double> complex_factor(const Damping& damping, std::complex<double> s);

}  // namespace hawser

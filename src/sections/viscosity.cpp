#include "sections/viscosity.h"

namespace hawser {

std::complex<double> complex_factor(const Damping& damping, std::complex<double> s) {
  std::complex<double> factor = 1.0 + damping.viscosity * s;
  for (const Relaxation& arm : damping.relaxations)
    factor += arm.share * s * arm.time / (1.0 + s * arm.time);
  if (damping.fractional.tau > 0)
    factor += damping.fractional.tau * std::pow(s, damping.fractional.order);
  return factor;
}

}  // namespace hawser

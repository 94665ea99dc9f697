// One damped oscillation, whatever damps it: offset + e^(-decay t) (a cos(w t) + b sin(w t)).
#pragma once

#include <complex>

#include "hawser/fit.h"

namespace hawser {

struct Oscillation {
  std::complex<double> lambda;  ///< -decay + i w [1/s]
  double a = 0, b = 0, offset = 0;
  double decay_uncertainty = 0;  ///< standard [1/s]

  [[nodiscard]] double at(double t) const {
    return offset + (std::complex<double>(a, -b) * std::exp(lambda * t)).real();
  }
};

/// The oscillation nearest to the data, with its time counted from their first. Throws Error when
/// they are too few, or do not oscillate and decay.
Oscillation find_oscillation(const Decay& decay);

}  // namespace hawser

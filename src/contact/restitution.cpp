#include "contact/restitution.h"

#include <cmath>
#include <numbers>

namespace hawser {

double restitution_of(double b) {
  constexpr double s = std::numbers::sqrt2;
  if (!(b > 0)) return 1;
  const double angle = std::atan(s * b), d = std::sin(angle) / s, v = std::cos(angle);
  // f and d' of the second part, as exp(-b t/2) (start cosine + slope sine).
  const double f = d + b * v, half = b / 2;
  const double f_slope = v - b * f + half * f, v_slope = -f + half * v;
  const double square = 1 - half * half;
  double t = 0, cosine = 1, sine = 0;
  if (square > 1e-9) {
    const double w = std::sqrt(square);
    t = std::atan2(w * f, -f_slope) / w;
    cosine = std::cos(w * t);
    sine = std::sin(w * t) / w;
  } else if (square < -1e-9) {
    const double w = std::sqrt(-square);
    t = std::atanh(-w * f / f_slope) / w;
    cosine = std::cosh(w * t);
    sine = std::sinh(w * t) / w;
  } else {
    t = sine = -f / f_slope;
  }
  return -std::exp(-half * t) * (v * cosine + v_slope * sine);
}

double damping_of(double restitution) {
  double low = 0, high = 1;
  while (restitution_of(high) > restitution) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (restitution_of(middle) > restitution ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace hawser

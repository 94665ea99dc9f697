#include "hawser/input.h"

#include <cmath>

namespace hawser {

SignalSample InputMotion::at(double t) const {
  if (smoothing == 0) return {setting, 0, 0};
  const double s = t - since, w = 3 / smoothing;
  const double c0 = value - setting, c1 = rate + w * c0,
               c2 = (acceleration + w * (2 * c1 - w * c0)) / 2;
  const double decay = std::exp(-w * s);
  const double p = c0 + s * (c1 + s * c2), p1 = c1 + 2 * s * c2, p2 = 2 * c2;  // and derivatives
  return {setting + decay * p, decay * (p1 - w * p), decay * (p2 - w * (2 * p1 - w * p))};
}

void InputMotion::set(double t, double new_setting) {
  const SignalSample now = at(t);
  *this = {t, new_setting, smoothing, now.value, now.rate, now.acceleration};
  if (smoothing == 0) value = new_setting;
}

}  // namespace hawser

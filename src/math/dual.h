// Dual numbers: a value and its derivative along one direction. The conformance suites run every
// kernel on them; a tangent is right when it agrees.
#pragma once

#include <cmath>

namespace hawser {

struct Dual {
  double value = 0, slope = 0;
  Dual() = default;
  Dual(double v, double s = 0) : value(v), slope(s) {}  // NOLINT(google-explicit-constructor)
  Dual& operator+=(Dual o) {
    value += o.value;
    slope += o.slope;
    return *this;
  }
  Dual& operator-=(Dual o) {
    value -= o.value;
    slope -= o.slope;
    return *this;
  }
};

inline Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
inline Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
inline Dual operator-(Dual a) { return {-a.value, -a.slope}; }
inline Dual operator*(Dual a, Dual b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
inline Dual operator/(Dual a, Dual b) {
  const double q = a.value / b.value;
  return {q, (a.slope - q * b.slope) / b.value};
}
/// See sections/linear_elastic.h.
inline Dual unless_slack(Dual which, Dual a) { return which.value <= 0 ? Dual() : a; }
inline Dual sqrt(Dual a) {
  const double r = std::sqrt(a.value);
  return {r, a.slope / (2 * r)};
}

}  // namespace hawser

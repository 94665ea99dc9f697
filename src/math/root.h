// Roots of increasing functions of one variable, to the last digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace hawser {

/// The root of f, which increases, between a and b; a where f is not below zero there, b where it
/// is not above zero there. Inverse quadratic steps where they can be trusted, halving where not:
/// Chandrupatla 1997, Advances in Engineering Software 28, 145-149.
template <class F>
double root_between(const F& f, double a, double b) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  double x1 = b, f1 = f(b), x2 = a, f2 = f(a), t = 0.5;
  if (!(f2 < 0)) return a;
  if (!(f1 > 0)) return b;
  for (int it = 0; it < 200; ++it) {
    const double x = x1 + t * (x2 - x1), fx = f(x);
    double x3 = x1, f3 = f1;
    if ((fx > 0) != (f1 > 0)) {
      x3 = x2;
      f3 = f2;
      x2 = x1;
      f2 = f1;
    }
    x1 = x;
    f1 = fx;
    const double best = std::abs(f2) < std::abs(f1) ? x2 : x1;
    const double least = (eps * std::abs(best) + eps / 4) / std::abs(x2 - x1);
    if (least > 0.5 || std::min(std::abs(f1), std::abs(f2)) == 0) return best;
    const double xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
    t = 0.5;
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
      t = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2);
    t = std::clamp(t, least, 1 - least);
  }
  return std::abs(f2) < std::abs(f1) ? x2 : x1;
}

/// The positive root of f, which increases and starts below zero, however many orders of magnitude
/// from the guess: sought by its logarithm.
template <class F>
double positive_root(const F& f, double guess) {
  const auto g = [&](double u) { return f(guess * std::exp(u)); };
  constexpr double furthest = 600;  // e^600 and e^-600 are still numbers
  double step = 1, inner = 0, outer = 0;
  const bool above = f(guess) > 0;
  do {
    inner = outer;
    outer += above ? -step : step;
    step *= 2;
  } while (std::abs(outer) < furthest && (g(outer) > 0) == above);
  return guess * std::exp(root_between(g, std::min(inner, outer), std::max(inner, outer)));
}

}  // namespace hawser

#include "math/quadrature.h"

#include <cmath>
#include <numbers>

namespace hawser {

std::vector<GaussPoint> gauss_rule(int n) {
  std::vector<GaussPoint> rule(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) {
    // Newton on the Legendre polynomial P_n from the usual cosine guess.
    double x = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int it = 0; it < 100; ++it) {
      double p0 = 1, p1 = x;
      for (int k = 2; k <= n; ++k) {
        const double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = p2;
      }
      slope = n * (x * p1 - p0) / (x * x - 1);
      const double dx = p1 / slope;
      x -= dx;
      if (std::abs(dx) < 1e-16) break;
    }
    rule[static_cast<size_t>(i)] = {(1 + x) / 2, 1 / ((1 - x * x) * slope * slope)};
  }
  return rule;
}

}  // namespace hawser

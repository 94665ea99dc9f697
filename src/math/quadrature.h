// Gauss-Legendre rules on [0, 1].
#pragma once

#include <vector>

namespace hawser {

struct GaussPoint {
  double x;  ///< in (0, 1)
  double w;  ///< weights add up to 1
};

/// The n-point rule, exact for polynomials of degree 2n-1; n >= 1.
std::vector<GaussPoint> gauss_rule(int n);

}  // namespace hawser

#include "elements/hermite.h"

#include "math/quadrature.h"

namespace hawser {

HermitePoint hermite_point(double x, double weight) {
  return {{6 * x * (1 - x), 1 - 4 * x + 3 * x * x, 3 * x * x - 2 * x},
          {6 - 12 * x, -4 + 6 * x, 6 * x - 2},
          weight};
}

std::array<double, 4> hermite_position(double x) {
  return {1 - 3 * x * x + 2 * x * x * x, x - 2 * x * x + x * x * x, 3 * x * x - 2 * x * x * x,
          x * x * x - x * x};
}

HermiteTables hermite_tables(int axial_points, int bending_points) {
  HermiteTables tables;
  for (const auto& g : gauss_rule(axial_points)) tables.axial.push_back(hermite_point(g.x, g.w));
  for (const auto& g : gauss_rule(bending_points))
    tables.bending.push_back(hermite_point(g.x, g.w));
  return tables;
}

}  // namespace hawser

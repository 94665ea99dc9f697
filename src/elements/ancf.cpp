#include "elements/ancf.h"

#include <cstddef>

namespace hawser {

AncfParameters ancf_parameters(double length, const LinearElastic& law, double mass_per_metre,
                               int axial_points, int bending_points) {
  AncfParameters par;
  par.length = length;
  par.law = law;
  par.element_mass = mass_per_metre * length;
  par.axial_points = axial_points;
  par.bending_points = bending_points;
  const HermiteTables tables = hermite_tables(axial_points, bending_points);
  for (int g = 0; g < axial_points; ++g) {
    HermitePoint& point = par.axial[g] = tables.axial[static_cast<size_t>(g)];
    point.w *= length;
  }
  for (int g = 0; g < bending_points; ++g) par.bending[g] = tables.bending[static_cast<size_t>(g)];
  for (int b = 0; b < 6; ++b) {
    double sum = 0;
    for (int g = 0; g < bending_points; ++g) {
      const HermitePoint& point = par.bending[g];
      sum += point.w * point.c2[block_row[b]] * point.c2[block_col[b]];
    }
    par.constant_bending[b] = law.bending() / length * sum;
  }
  return par;
}

}  // namespace hawser

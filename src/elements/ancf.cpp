#include "elements/ancf.h"

#include <algorithm>
#include <cstddef>

namespace hawser {

AncfParameters ancf_parameters(double length, const LinearElastic& law, double mass_per_metre,
                               int axial_points, int bending_points) {
  AncfParameters par;
  par.length = length;
  par.law = law;
  constexpr int slopes[10] = {0, 1, 0, 1, 2, 1, 2, 0, 1, 2};  // in a block pair, each a factor l
  const double power[3] = {1, length, length * length}, element_mass = mass_per_metre * length;
  for (int i = 0; i < 10; ++i) par.mass[i] = element_mass * hermite_mass[i] * power[slopes[i]];
  for (int i = 0; i < 4; ++i) par.load[i] = length * hermite_load[i] * power[i % 2];
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
    par.constant_stiffness[b] = law.bending() / length * sum;
  }
  return par;
}

AncfParameters with_length(const AncfParameters& parameters, double length) {
  AncfParameters par = parameters;
  const double ratio = length / par.length;
  constexpr int slopes[10] = {0, 1, 0, 1, 2, 1, 2, 0, 1, 2};
  const double power[3] = {ratio, ratio * ratio, ratio * ratio * ratio};
  par.length = length;
  for (int i = 0; i < 10; ++i) par.mass[i] *= power[slopes[i]];
  for (int i = 0; i < 4; ++i) par.load[i] *= power[i % 2];
  for (int g = 0; g < par.axial_points; ++g) par.axial[g].w *= ratio;
  for (double& k : par.constant_stiffness) k /= ratio;
  return par;
}

AncfParameters np_fem_parameters(double length, double EA, double mass_per_metre, bool lumped_mass,
                                 bool tension_only) {
  AncfParameters par;
  par.length = length;
  par.law = {EA, 0};
  par.slopes = false;
  par.tension_only = tension_only;
  const double element_mass = mass_per_metre * length;
  const double own = lumped_mass ? 1.0 / 2 : 1.0 / 3, shared = lumped_mass ? 0 : 1.0 / 6;
  // Idle slopes: a spring EA l, and the mass that gives it the frequency of the lumped element, so
  // that their pivots are of the size of the others whatever the step.
  const double idle = element_mass * length * length / 4;
  const double mass[10] = {
      element_mass * own, 0, element_mass * shared, 0, idle, 0, 0, element_mass * own, 0, idle};
  std::copy(mass, mass + 10, par.mass);
  const double load[4] = {length / 2, 0, length / 2, 0};
  std::copy(load, load + 4, par.load);
  par.axial_points = 1;
  par.axial[0] = {{1, 0, 0}, {0, 0, 0}, length};
  const double stiffness[6] = {0, 0, EA * length, 0, 0, EA * length};
  std::copy(stiffness, stiffness + 6, par.constant_stiffness);
  return par;
}

}  // namespace hawser

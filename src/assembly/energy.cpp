#include "assembly/energy.h"

#include <cmath>

namespace hawser {
namespace {

double sqrt(double x) { return std::sqrt(x); }


double axial_energy(const AncfBatch& batch, const double x[9], int element,
                    const double* axial_force) {
  const AncfParameters& par = batch.parameters;
  double sum = 0;
  for (int g = 0; g < par.axial_points; ++g) {
    const HermitePoint& p = par.axial[g];
    double s = 0;
    for (int i = 0; i < 3; ++i) {
      const double r = p.c[0] * x[i] + p.c[1] * x[3 + i] + p.c[2] * x[6 + i];
      s += r * r;
    }
    const double eps = batch.strain == StrainMeasure::green ? (s - 1) / 2 : sqrt(s) - 1;
    double N = par.law.force(eps);
    if (axial_force)
      N = axial_force[batch.point_offset + 4 * (par.axial_points * (element / 4) + g) + element % 4];
    sum += p.w * N * N / (2 * par.law.axial_tangent());
  }
  return sum;
}

double bending_energy(const AncfBatch& batch, const double x[9]) {
  const AncfParameters& par = batch.parameters;
  double sum = 0;
  for (int g = 0; g < par.bending_points; ++g) {
    const HermitePoint& p = par.bending[g];
    double s = 0, t = 0, c = 0;
    for (int i = 0; i < 3; ++i) {
      const double a = p.c[0] * x[i] + p.c[1] * x[3 + i] + p.c[2] * x[6 + i];
      const double b = (p.c2[0] * x[i] + p.c2[1] * x[3 + i] + p.c2[2] * x[6 + i]) / par.length;
      s += a * a, t += b * b, c += a * b;
    }
    double K2 = t;
    if (batch.curvature == CurvatureMeasure::material) K2 = (s * t - c * c) / (s * s);
    if (batch.curvature == CurvatureMeasure::geometric) K2 = (s * t - c * c) / (s * s * s);
    sum += p.w * par.length * par.law.bending() * K2 / 2;
  }
  return sum;
}

double kinetic_energy(const AncfParameters& par, const double* v) {
  const double l = par.length;
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double e[4] = {v[i], l * v[3 + i], v[6 + i], l * v[9 + i]};
    int k = 0;
    for (int a = 0; a < 4; ++a)
      for (int b = a; b < 4; ++b, ++k) sum += (a == b ? 0.5 : 1.0) * hermite_mass[k] * e[a] * e[b];
  }
  return par.element_mass * sum;
}

}  // namespace

EnergyParts energy_of(const ModelData& model, const double* q, const double* v,
                      const double* axial_force) {
  EnergyParts out;
  for (const AncfBatch& batch : model.batches)
    for (int e = 0; e < batch.elements; ++e) {
      const int at = node_size * (batch.first_node + e);
      double x[9];
      for (int i = 0; i < 3; ++i) {
        x[i] = (q[at + 6 + i] - q[at + i]) / batch.parameters.length;
        x[3 + i] = q[at + 3 + i];
        x[6 + i] = q[at + 9 + i];
      }
      const double axial = axial_energy(batch, x, e, axial_force);
      const double bending = bending_energy(batch, x);
      out.kinetic += kinetic_energy(batch.parameters, v + at);
      out.axial += axial;
      out.bending += bending;
      if (!(axial + bending <= out.worst_share)) {
        out.worst_share = axial + bending;
        out.worst_element = batch.first_element + e;
      }
    }
  for (const LumpedMass& m : model.masses)
    for (int k = 0; k < 3; ++k) {
      const double u = v[node_size * m.node + k];
      out.kinetic += m.mass * u * u / 2;
    }
  for (int i = 0; i < model.structure.coordinates(); ++i)
    out.gravity -= model.gravity_load[static_cast<size_t>(i)] * q[i];
  return out;
}

EnergyParts energy_of(const ModelData& model, const State& state) {
  return energy_of(model, state.q.data(), state.v.data(),
                   state.axial_force_valid ? state.axial_force.data() : nullptr);
}

}  // namespace hawser

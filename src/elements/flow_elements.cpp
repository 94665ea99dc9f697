#include <cmath>  // first: the measures call sqrt of their scalar

#include "elements/flow_elements.h"

#include <algorithm>

#include "elements/element_block.h"

namespace hawser {

/// An element's part of q or v: e, and p of both ends or their rates.
struct FlowElements::Local {
  const double* e;
  double p[2];
  [[nodiscard]] double length() const { return p[1] - p[0]; }

  Local(const FlowElements& term, const FlowElement& element, const double* a, bool rates)
      : e(a + node_size * element.node) {
    for (int i = 0; i < 2; ++i)
      p[i] = (rates ? 0 : element.end[i].base) + term.flow(a, element.end[i]);
  }
};

Facts FlowElements::facts() const {
  Facts out;
  out.by_velocity = out.ahead = true;
  out.constant_mass = false;
  return out;
}

double FlowElements::length(const double* q, size_t element) const {
  return Local(*this, batch_.elements[element], q, false).length();
}

void FlowElements::elastic(const Local& at, const double* force_n, Tangent tangent,
                           FlowElastic<double>& out) const {
  const auto by = [&](auto strain) {
    using Strain = decltype(strain);
    using Curvature = SecondDerivativeCurvature;
    const FlowParameters& par = batch_.parameters;
    switch (tangent) {
      case Tangent::none:
        return flow_elastic<Strain, Curvature, Tangent::none>(par, at.e, at.length(), force_n, out);
      case Tangent::own:
        return flow_elastic<Strain, Curvature, Tangent::own>(par, at.e, at.length(), force_n, out);
      case Tangent::mixed:
        return flow_elastic<Strain, Curvature, Tangent::mixed>(par, at.e, at.length(), force_n,
                                                               out);
    }
  };
  batch_.strain == StrainMeasure::green ? by(GreenStrain()) : by(EngineeringStrain());
}

void FlowElements::scatter(const FlowElement& element, const double on_e[12], const double on_p[2],
                           double* out) const {
  double* to = out + node_size * element.node;
  for (int i = 0; i < 12; ++i) to[i] += on_e[i];
  for (int i = 0; i < 2; ++i)
    if (const int scalar = element.end[i].scalar; scalar >= 0)
      out[batch_.first_scalar_at + scalar] += on_p[i];
}

void FlowElements::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  const int points = batch_.parameters.unit.axial_points;
  for (size_t k = 0; k < batch_.elements.size(); ++k) {
    const FlowElement& element = batch_.elements[k];
    const Local here(*this, element, at.q, false), ahead(*this, element, at.q_ahead, false);
    const int point = batch_.point_offset + points * static_cast<int>(k);
    FlowElastic<double> result;
    elastic(here, wanted.axial ? wanted.axial + point : nullptr, wanted.tangent, result);
    if (wanted.axial_star)
      for (int g = 0; g < points; ++g) {
        wanted.axial_star[point + g] = result.force[g];
        std::copy_n(result.strain_r[g], 3, wanted.strain_r + 3 * (point + g));
      }
    add_forces(element, here, result, wanted.load_factor, sums.force);
    const Local rates(*this, element, at.v_ahead, true);
    add_convection(element, ahead, rates, sums.force);
    if (wanted.b) add_inertia(element, ahead, Local(*this, element, wanted.b, true), sums.inertia);
    if (wanted.matrix()) add_matrix(element, here, ahead, result, wanted, sums.sink);
  }
}

/// -dU/dy - dV/dy; on p1 with the sign of the length. Open ends by virtual work.
void FlowElements::add_forces(const FlowElement& element, const Local& at,
                              const FlowElastic<double>& elastic, double load_factor,
                              double* force) const {
  double energy, weight[flow_size], on_e[12], on_p[2];
  flow_weight(batch_.parameters, at.e, at.length(), energy, weight, static_cast<double*>(nullptr));
  for (int i = 0; i < 12; ++i) on_e[i] = -elastic.gradient[i] - load_factor * weight[i];
  const double by_length = elastic.gradient[12] + load_factor * weight[12];
  on_p[0] = by_length;
  on_p[1] = -by_length;
  for (int i = 0; i < 2; ++i)
    if (element.end[i].open) on_p[i] += (i == 0 ? -1 : 1) * density(at, i, load_factor);
  scatter(element, on_e, on_p, force);
}

/// Energy per unstretched metre at an end, elastic and of weight [N].
double FlowElements::density(const Local& at, int end, double load_factor) const {
  using Vector = Eigen::Map<const Eigen::Vector3d>;
  const FlowParameters& par = batch_.parameters;
  const Vector r(at.e + 6 * end), g(at.e + 6 * end + 3);
  double D[2][12];
  flow_columns(at.e, at.length(), D[0], D[1]);
  const double curvature = Vector(D[end] + 6 * end + 3).squaredNorm();
  const double strain =
      batch_.strain == StrainMeasure::green ? (g.squaredNorm() - 1) / 2 : g.norm() - 1;
  return (par.unit.law.EA * strain * strain + par.unit.law.bending() * curvature) / 2 -
         load_factor * par.mass * Vector(par.gravity).dot(r);
}

/// -T^T M12 c and what crosses the ends.
void FlowElements::add_convection(const FlowElement& element, const Local& at, const Local& rates,
                                  double* force) const {
  const FlowParameters& par = batch_.parameters;
  double c[12], mass[10], f[12], D[2][12], on_p[2];
  flow_convection(at.e, rates.e, at.length(), rates.p[0], rates.p[1], c);
  flow_mass(par, at.length(), mass);
  for (double& x : c) x = -x;
  flow_mass_times(mass, c, f);
  flow_columns(at.e, at.length(), D[0], D[1]);
  for (int end = 0; end < 2; ++end) {
    on_p[end] = 0;
    for (int i = 0; i < 12; ++i) on_p[end] += D[end][i] * f[i];
  }
  for (int end = 0; end < 2; ++end) {
    if (element.end[end].scalar < 0 || element.end[end].open) continue;
    double on_r[3], crossing;
    flow_crossing(par, end, at.e, rates.e, rates.p[end], on_r, crossing);
    for (int i = 0; i < 3; ++i) f[6 * end + i] -= on_r[i];
    on_p[end] -= crossing;
  }
  scatter(element, f, on_p, force);
}

/// T^T M12 T b.
void FlowElements::add_inertia(const FlowElement& element, const Local& at, const Local& b,
                               double* out) const {
  double w[12], mass[10], f[12], D[2][12], on_p[2] = {0, 0};
  flow_columns(at.e, at.length(), D[0], D[1]);
  for (int i = 0; i < 12; ++i) w[i] = b.e[i] + b.p[0] * D[0][i] + b.p[1] * D[1][i];
  flow_mass(batch_.parameters, at.length(), mass);
  flow_mass_times(mass, w, f);
  for (int end = 0; end < 2; ++end)
    for (int i = 0; i < 12; ++i) on_p[end] += D[end][i] * f[i];
  scatter(element, f, on_p, out);
}

void FlowElements::add_mass_times(const double* q, const double* b, double* out) const {
  for (const FlowElement& element : batch_.elements)
    add_inertia(element, Local(*this, element, q, false), Local(*this, element, b, true), out);
}

/// mass_weight T^T M12 T + stiffness_weight (U + V)_yy, flows in the border.
void FlowElements::add_matrix(const FlowElement& element, const Local& at, const Local& ahead,
                              const FlowElastic<double>& elastic, const Wanted& wanted,
                              const MatrixSink& sink) const {
  const FlowParameters& par = batch_.parameters;
  const double wK = wanted.stiffness_weight, wM = wanted.mass_weight;
  double energy, weight[flow_size], by_length[flow_size];
  flow_weight(par, at.e, at.length(), energy, weight, by_length);
  double block[144], mass[10];
  flow_mass(par, ahead.length(), mass);
  constexpr int pair[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};
  for (int j = 0; j < 12; ++j)
    for (int i = 0; i < 12; ++i) {
      block[12 * j + i] = wK * elastic.hessian[flow_size * j + i];
      if (i % 3 == j % 3) block[12 * j + i] += wM * mass[pair[i / 3][j / 3]];
    }
  add_element_block(sink, element.element, element.node, block);
  double D[2][12], MD[2][12];
  flow_columns(ahead.e, ahead.length(), D[0], D[1]);
  for (int end = 0; end < 2; ++end) flow_mass_times(mass, D[end], MD[end]);
  const double *hessian = elastic.hessian + flow_size * 12,
               sign[2] = {-1, 1};  // of the length by p
  for (int end = 0; end < 2; ++end) {
    const int scalar = element.end[end].scalar;
    if (scalar < 0) continue;
    for (int i = 0; i < 12; ++i) {
      const double entry =
          wM * MD[end][i] + wK * sign[end] * (hessian[i] + wanted.load_factor * by_length[i]);
      add_border(sink, scalar, node_size * element.node + i, entry, entry);
    }
    for (int other = 0; other < 2; ++other) {
      if (element.end[other].scalar < 0) continue;
      double entry =
          wK * sign[end] * sign[other] * (hessian[12] + wanted.load_factor * by_length[12]);
      for (int i = 0; i < 12; ++i) entry += wM * D[end][i] * MD[other][i];
      add_corner(sink, scalar, element.end[other].scalar, entry);
    }
  }
}

void FlowElements::add_energy(const EnergyState& at, EnergyParts& out) const {
  const FlowParameters& par = batch_.parameters;
  const int points = par.unit.axial_points;
  for (size_t k = 0; k < batch_.elements.size(); ++k) {
    const FlowElement& element = batch_.elements[k];
    const Local here(*this, element, at.q, false), rates(*this, element, at.v, true);
    const double l = here.length();
    FlowElastic<double> result;
    elastic(here, nullptr, Tangent::none, result);
    double energy, weight[flow_size], w[12], mass[10], f[12], D[2][12];
    flow_weight(par, here.e, l, energy, weight, static_cast<double*>(nullptr));
    flow_columns(here.e, l, D[0], D[1]);
    for (int i = 0; i < 12; ++i) w[i] = rates.e[i] + rates.p[0] * D[0][i] + rates.p[1] * D[1][i];
    flow_mass(par, l, mass);
    flow_mass_times(mass, w, f);
    for (int i = 0; i < 12; ++i) out.kinetic += w[i] * f[i] / 2;
    out.bending += result.bending;
    out.gravity += energy;
    if (!at.axial) {
      out.axial += result.axial;
      continue;
    }
    const double* N = at.axial + batch_.point_offset + points * static_cast<int>(k);
    for (int g = 0; g < points; ++g)
      out.axial += l * par.unit.axial[g].w * N[g] * N[g] / (2 * par.unit.law.EA);
  }
}

/// N = N* + EA (eps_e . de + eps_l dl); r' changes by d too: d = (r2 - r1)/l.
void FlowElements::update_axial(AxialUpdate& update) const {
  constexpr double no_strain = 1e-6;  // whose force is none
  const AncfParameters& unit = batch_.parameters.unit;
  double missing = 0, largest = 0;
  for (size_t k = 0; k < batch_.elements.size(); ++k) {
    const FlowElement& element = batch_.elements[k];
    const Local d(*this, element, update.d, true), at(*this, element, update.q, false);
    const double l = at.length(), stretch = (d.p[1] - d.p[0]) / l;
    update.turned = std::max(update.turned, std::abs(stretch));
    for (int g = 0; g < unit.axial_points; ++g) {
      const int point = batch_.point_offset + unit.axial_points * static_cast<int>(k) + g;
      const HermitePoint& c = unit.axial[g];
      double strain = 0, square = 0;
      for (int i = 0; i < 3; ++i) {
        const double chord = (d.e[6 + i] - d.e[i] - stretch * (at.e[6 + i] - at.e[i])) / l;
        const double slope = c.c[0] * chord + c.c[1] * d.e[3 + i] + c.c[2] * d.e[9 + i];
        strain += update.strain_r[3 * point + i] * slope;
        square += slope * slope;
      }
      const double N = update.axial_star[point] + unit.law.EA * strain;
      update.axial[point] = N;
      largest = std::max(largest, std::abs(N));
      missing = std::max(missing, unit.law.EA / 2 * (square - strain * strain));
    }
  }
  update.missing = std::max(update.missing, missing / (largest + no_strain * unit.law.EA));
}

/// A flow is measured by the shorter of the elements beside it.
void FlowElements::set_scales(double* arm, double* size) const {
  for (const FlowElement& element : batch_.elements) {
    const double l = element.end[1].base - element.end[0].base;
    for (int i = 0; i < 12; ++i) {
      const int c = node_size * element.node + i;
      if (i % node_size < 3) {
        size[c] = std::min(size[c], l);
      } else {
        arm[c] = l;
        size[c] = 1;
      }
    }
    for (const FlowEnd& end : element.end)
      if (end.scalar >= 0) {
        double& of = size[batch_.first_scalar_at + end.scalar];
        of = std::min(of, l);
      }
  }
}

double FlowElements::turn(const double* q, const double* motion) const {
  using Vector = Eigen::Map<const Eigen::Vector3d>;
  double most = 0;
  for (const FlowElement& element : batch_.elements) {
    const Local at(*this, element, q, false), by(*this, element, motion, true);
    for (int end = 0; end < 2; ++end) {
      const int slope = 6 * end + 3;
      most =
          std::max(most, Vector(by.e + slope).norm() / std::max(1.0, Vector(at.e + slope).norm()));
    }
    most = std::max(most, std::abs(by.p[1] - by.p[0]) / at.length());
  }
  return most;
}

}  // namespace hawser

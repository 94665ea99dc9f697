#include <cmath>  // first: the measures call sqrt of their scalar

#include "elements/flow_elements.h"

#include <algorithm>

#include "elements/element_block.h"
#include "elements/flow_local.h"
#include "elements/kernel_io.h"

namespace hawser {

Facts FlowElements::facts() const {
  Facts out;
  out.by_velocity = out.ahead = true;
  out.lossy = batch_.ancf.parameters.mass_damping > 0;
  out.constant_mass = false;
  out.symmetric = !batch_.running;
  return out;
}

/// Without a tangent.
void FlowElements::elastic(const Local& at, FlowElastic<double>& out) const {
  const auto by = [&](auto strain, auto law) {
    flow_elastic<decltype(strain), SecondDerivativeCurvature, Tangent::none, decltype(law)>(
        batch_.parameters, at.e, at.length(), static_cast<const double*>(nullptr), out);
  };
  if (batch_.ancf.parameters.tension_only)
    by(EngineeringStrain(), TensionOnly());
  else if (batch_.ancf.strain == StrainMeasure::green)
    by(GreenStrain(), LinearElastic());
  else
    by(EngineeringStrain(), LinearElastic());
}

void FlowElements::scatter(int element, const double on_e[12], const double on_p[2],
                           double* out) const {
  double* to = out + first(element);
  for (int i = 0; i < 12; ++i) to[i] += on_e[i];
  for (int i = 0; i < 2; ++i)
    for_flows(batch_, element + i, [&](int scalar, double share) {
      out[batch_.first_scalar_at + scalar] += share * on_p[i];
    });
}

/// The nodes whose sums it stores.
void FlowElements::clear_nodes(double* out) const {
  if (!batch_.stores) return;
  const int from = first(batch_.ancf.continues ? 1 : 0), to = first(batch_.ancf.elements + 1);
  std::fill(out + from, out + to, 0);
}

void FlowElements::clear(const Wanted& wanted, const Sums& sums) const {
  clear_nodes(sums.force);
  if (wanted.b) clear_nodes(sums.inertia);
  const MatrixSink& sink = sums.sink;
  if (!batch_.stores || !wanted.matrix() || sink.panel_nodes == 0) return;
  const int from = batch_.ancf.first_node + (batch_.ancf.continues ? 1 : 0),
            to = batch_.ancf.first_node + batch_.ancf.elements + 1;
  std::fill(sink.panels + static_cast<long>(panel_size) * from,
            sink.panels + static_cast<long>(panel_size) * to, 0);
}

void FlowElements::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  clear(wanted, sums);
  for (int e = 0; e < batch_.ancf.elements; ++e) add_element(e, at, wanted, sums);
}

/// By the kernel.
void FlowElements::find_element(int element, const Local& here, const Local& ahead,
                                const Local& rates, const Wanted& wanted,
                                FlowElementOut& out) const {
  const Points points(*this, element, wanted.axial, wanted.viscous, here.length());
  FlowElementIn in;
  in.parameters = &batch_.parameters;
  in.green = batch_.ancf.strain == StrainMeasure::green && !batch_.ancf.parameters.tension_only;
  in.tangent = wanted.tangent;
  // As in CableElements: a linear solve knows what was taut, an exact one does not ask.
  if (wanted.tangent != Tangent::own) in.force_n = points.carried();
  in.viscous = points.viscous;
  in.e = here.e;
  in.ahead = ahead.e;
  in.rates = rates.e;
  in.length = here.length();
  in.ahead_length = ahead.length();
  in.b = wanted.b ? wanted.b + first(element) : nullptr;
  in.mass_weight = wanted.mass_weight + wanted.damping_weight * batch_.ancf.parameters.mass_damping;
  in.stiffness_weight = wanted.stiffness_weight;
  in.load_factor = wanted.load_factor;
  for (const int end : {0, 1}) {
    const FlowNode& node = batch_.nodes[static_cast<size_t>(element + end)];
    in.rate[end] = rates.p[end];
    if (wanted.b) in.b_flow[end] = rate(wanted.b, element + end);
    in.crosses_p[end] = node.scalar >= 0 && node.beyond != FlowNode::Beyond::open;
    in.crosses_r[end] = in.crosses_p[end] && node.beyond != FlowNode::Beyond::drive;
  }
  kernels().elements->assemble_flow(in, out);
  if (!wanted.axial_star) return;
  for (int g = 0; g < batch_.ancf.parameters.axial_points; ++g) {
    wanted.axial_star[points.at(g)] = out.axial[g];
    for (int i = 0; i < 3; ++i) wanted.strain_r[points.slope_at(g, i)] = out.strain_r[g][i];
  }
}

void FlowElements::add_element(int element, const Configuration& at, const Wanted& wanted,
                               const Sums& sums) const {
  const Local here(*this, element, at.q, false), ahead(*this, element, at.q_ahead, false),
      rates(*this, element, at.v_ahead, true);
  FlowElementOut out;
  find_element(element, here, ahead, rates, wanted, out);
  for (int i = 0; i < 2; ++i)  // open ends by virtual work
    if (batch_.nodes[static_cast<size_t>(element + i)].beyond == FlowNode::Beyond::open)
      out.force_p[i] += (i == 0 ? -1 : 1) * density(here, i, wanted.load_factor);
  scatter(element, out.force, out.force_p, sums.force);
  if (wanted.b) scatter(element, out.inertia, out.inertia_p, sums.inertia);
  if (const double damping = batch_.ancf.parameters.mass_damping; damping > 0)
    add_inertia(element, here, Local(*this, element, at.v, true), -damping, sums.force);
  if (batch_.running)
    add_running(element, ahead, rates, wanted, nullptr, at.v == at.v_ahead ? nullptr : &at,
                sums.force);
  if (wanted.matrix()) add_matrix(element, out, wanted, ahead, rates, sums.sink);
}

/// Energy per unstretched metre at an end, elastic and of weight [N].
double FlowElements::density(const Local& at, int end, double load_factor) const {
  using Vector = Eigen::Map<const Eigen::Vector3d>;
  const FlowParameters& par = batch_.parameters;
  const Vector r(at.e + 6 * end);
  double D[2][12], g[3];
  flow_columns(par, at.e, at.length(), D[0], D[1]);
  flow_slope(par, end, at.e, at.length(), g);
  const double curvature = Vector(D[end] + 6 * end + 3).squaredNorm();
  double eps = strain(Vector(g));
  if (par.unit.tension_only) eps = std::max(0.0, eps);
  return (par.unit.law.EA * eps * eps + par.unit.law.bending() * curvature) / 2 -
         load_factor * par.mass * Vector(par.gravity).dot(r);
}

void FlowElements::add_joined(int element, const Local& at, const Local& rates,
                              EnergyParts& out) const {
  using Vector = Eigen::Map<const Eigen::Vector3d>;
  const FlowParameters& par = batch_.parameters;
  for (const int end : {0, 1}) {
    const FlowNode& node = batch_.nodes[static_cast<size_t>(element + end)];
    if (!node.joined) continue;
    const double l = (end == 0 ? -1 : 1) * (node.joint - at.p[end]);
    double D[2][12], g[3];
    flow_columns(par, at.e, at.length(), D[0], D[1]);
    flow_slope(par, end, at.e, at.length(), g);
    const Vector r(at.e + 6 * end), slope(g);
    const Eigen::Vector3d w = Vector(rates.e + 6 * end) - rates.p[end] * slope;
    double eps = strain(slope);
    if (par.unit.tension_only) eps = std::max(0.0, eps);
    out.axial += l * par.unit.law.EA * eps * eps / 2;
    out.bending += l * par.unit.law.bending() * Vector(D[end] + 6 * end + 3).squaredNorm() / 2;
    out.gravity -= l * par.mass * Vector(par.gravity).dot(r);
    out.kinetic += l * par.mass * w.squaredNorm() / 2;
  }
}

double FlowElements::beside_drive(const double* q, const double* v, double load_factor) const {
  const Local at(*this, 0, q, false), rates(*this, 0, v, true);
  double on_r[3], crossing;
  flow_crossing(batch_.parameters, 0, at.e, rates.e, at.length(), rates.p[0], on_r, crossing);
  return crossing - density(at, 0, load_factor);
}

double FlowElements::stretch_at_start(const double* q) const {
  const Local at(*this, 0, q, false);
  double g[3];
  flow_slope(batch_.parameters, 0, at.e, at.length(), g);
  return Eigen::Map<const Eigen::Vector3d>(g).norm();
}

void FlowElements::add_inertia(int element, const Local& at, const Local& b, double factor,
                               double* out) const {
  double w[12], mass[10], f[12], D[2][12], on_p[2] = {0, 0};
  flow_columns(batch_.parameters, at.e, at.length(), D[0], D[1]);
  for (int i = 0; i < 12; ++i) w[i] = factor * (b.e[i] + b.p[0] * D[0][i] + b.p[1] * D[1][i]);
  flow_mass(batch_.parameters, at.length(), mass);
  flow_mass_times(mass, w, f);
  for (int end = 0; end < 2; ++end)
    for (int i = 0; i < 12; ++i) on_p[end] += D[end][i] * f[i];
  scatter(element, f, on_p, out);
}

void FlowElements::add_mass_times(const double* q, const double* b, double* out) const {
  clear_nodes(out);
  for (int e = 0; e < batch_.ancf.elements; ++e)
    add_inertia(e, Local(*this, e, q, false), Local(*this, e, b, true), 1, out);
}

void FlowElements::add_lossy(const Configuration& at, double*, double* out) const {
  const double damping = batch_.ancf.parameters.mass_damping;
  for (int e = 0; damping > 0 && e < batch_.ancf.elements; ++e)
    add_inertia(e, Local(*this, e, at.q, false), Local(*this, e, at.v, true), -damping, out);
}

/// mass_weight T^T M12 T + stiffness_weight (U + V)_yy, flows in the border.
void FlowElements::add_matrix(int element, FlowElementOut& of, const Wanted& wanted,
                              const Local& ahead, const Local& rates,
                              const MatrixSink& sink) const {
  if (batch_.running) add_running(element, ahead, rates, wanted, of.block, nullptr, nullptr);
  add_element_block(sink, batch_.ancf.first_element + element, batch_.ancf.first_node + element,
                    of.block);
  for (const int end : {0, 1})
    for_flows(batch_, element + end, [&](int scalar, double share) {
      add_border_block(sink, scalar, first(element), 12, of.border[end], share);
      for (const int other : {0, 1})
        for_flows(batch_, element + other, [&](int beside, double part) {
          add_corner(sink, scalar, beside, share * part * of.corner[end][other]);
        });
    });
}

/// -M12 (2 A e. + B e) on e, linear about `at`: M12 2 A by e., M12 B by e.
void FlowElements::add_running(int element, const Local& at, const Local& rates,
                               const Wanted& wanted, double* block, const Configuration* behind,
                               double* force) const {
  if (wanted.symmetric_part || (!block && !behind)) return;
  double A2[16], B[16], mass[10];
  flow_convection_matrices(at.length(), rates.p[0], rates.p[1], A2, B);
  flow_mass(batch_.parameters, at.length(), mass);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      double by_rate = 0, by_place = 0;
      for (int k = 0; k < 4; ++k) {
        by_rate += mass[flow_pair[i][k]] * A2[4 * k + j];
        by_place += mass[flow_pair[i][k]] * B[4 * k + j];
      }
      for (int c = 0; c < 3; ++c) {
        if (block)
          block[12 * (3 * j + c) + 3 * i + c] +=
              wanted.damping_weight * by_rate + wanted.stiffness_weight * by_place;
        if (!behind) continue;
        const int from = 3 * j + c;
        force[first(element) + 3 * i + c] -=
            by_rate * (behind->v[first(element) + from] - rates.e[from]) +
            by_place * (behind->q[first(element) + from] - at.e[from]);
      }
    }
}

double FlowElements::kinetic(const Local& at, const Local& rates) const {
  double w[12], mass[10], f[12], D[2][12], sum = 0;
  flow_columns(batch_.parameters, at.e, at.length(), D[0], D[1]);
  for (int i = 0; i < 12; ++i) w[i] = rates.e[i] + rates.p[0] * D[0][i] + rates.p[1] * D[1][i];
  flow_mass(batch_.parameters, at.length(), mass);
  flow_mass_times(mass, w, f);
  for (int i = 0; i < 12; ++i) sum += w[i] * f[i] / 2;
  return sum;
}

void FlowElements::add_energy(const EnergyState& at, EnergyParts& out) const {
  const FlowParameters& par = batch_.parameters;
  for (int e = 0; e < batch_.ancf.elements; ++e) {
    const Local here(*this, e, at.q, false);
    const double l = here.length();
    double energy, weight[flow_size], x[9];
    flow_weight(par, here.e, l, energy, weight, static_cast<double*>(nullptr));
    const Local rates(*this, e, at.v, true);
    out.kinetic += kinetic(here, rates);
    add_joined(e, here, rates, out);
    detail::flow_reduce(here.e, l, x);
    out.bending += detail::flow_bending<SecondDerivativeCurvature>(par.unit, x) / l;
    out.gravity += energy;
    if (!at.axial) {
      FlowElastic<double> result;
      elastic(here, result);
      out.axial += result.axial;
      continue;
    }
    const Points points(*this, e, at.axial, nullptr, l);
    for (int g = 0; g < par.unit.axial_points; ++g) {
      const double past = at.viscous_force ? at.viscous_force[points.at(g)] : 0;
      const double N = points.force[g] - past;
      out.axial += l * par.unit.axial[g].w * N * N / (2 * par.unit.law.EA);
    }
  }
}

/// N = N* + EA (eps_e . de + eps_l dl); r' changes by d too: d = (r2 - r1)/l. A tension-only cable
/// that would push goes slack.
void FlowElements::update_axial(AxialUpdate& update) const {
  constexpr double no_strain = 1e-6, round_off = 1e-9;  // whose force is none
  const AncfParameters& unit = batch_.parameters.unit;
  const double EA = unit.law.EA * (update.viscous ? update.viscous->axial_factor[number_] : 1);
  double missing = 0, largest = 0;
  for (int e = 0; e < batch_.ancf.elements; ++e) {
    const Local d(*this, e, update.d, true), at(*this, e, update.q, false);
    const Points points(*this, e, nullptr, nullptr, 0);
    const double l = at.length(), stretch = (d.p[1] - d.p[0]) / l;
    update.turned = std::max(update.turned, std::abs(stretch));
    double chord[3];
    for (int i = 0; i < 3; ++i)
      chord[i] = (d.e[6 + i] - d.e[i] - stretch * (at.e[6 + i] - at.e[i])) / l;
    for (int g = 0; g < unit.axial_points; ++g) {
      const HermitePoint& c = unit.axial[g];
      double strain = 0, square = 0;
      for (int i = 0; i < 3; ++i) {
        const double slope = c.c[0] * chord[i] + c.c[1] * d.e[3 + i] + c.c[2] * d.e[9 + i];
        strain += update.strain_r[points.slope_at(g, i)] * slope;
        square += slope * slope;
        if (!unit.slopes) update.turned = std::max(update.turned, std::abs(slope));
      }
      double N = update.axial_star[points.at(g)] + EA * strain;
      const bool slack = unit.tension_only && N <= 0;
      update.pushes |= slack && N < -round_off * unit.law.EA;
      if (slack) N = 0;
      update.axial[points.at(g)] = N;
      largest = std::max(largest, std::abs(N));
      if (!slack) missing = std::max(missing, unit.law.EA / 2 * (square - strain * strain));
      missing = std::max(missing, EA / 2 * strain * strain);  // on the length, where U is N^2/2 EA
    }
  }
  update.missing = std::max(update.missing, missing / (largest + no_strain * unit.law.EA));
}

/// A flow is measured by the shorter of the elements beside it.
void FlowElements::set_scales(double* arm, double* size) const {
  const double l = batch_.ancf.parameters.length;
  for (int c = first(0); c < first(batch_.ancf.elements + 1); ++c)
    if (c % node_size < 3) {
      size[c] = std::min(size[c], l);
    } else {
      arm[c] = l;
      size[c] = 1;
    }
  for (size_t i = 0; i < batch_.nodes.size(); ++i)
    for_flows(batch_, static_cast<int>(i), [&](int scalar, double) {
      double& of = size[batch_.first_scalar_at + scalar];
      of = std::min(of, l);
    });
}

double FlowElements::turn(const double* q, const double* motion) const {
  using Vector = Eigen::Map<const Eigen::Vector3d>;
  double most = 0;
  for (int e = 0; e < batch_.ancf.elements; ++e) {
    const Local at(*this, e, q, false), by(*this, e, motion, true);
    for (const int slope : {3, 9})
      most =
          std::max(most, Vector(by.e + slope).norm() / std::max(1.0, Vector(at.e + slope).norm()));
    if (!batch_.parameters.unit.slopes)
      most = std::max(most, (Vector(by.e + 6) - Vector(by.e)).norm() / at.length());
    most = std::max(most, std::abs(by.p[1] - by.p[0]) / at.length());
  }
  return most;
}

}  // namespace hawser

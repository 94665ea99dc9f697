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

/// Adds an element to a pack, in the next lane and in those that repeat the first. False: the
/// elements would follow too many flows.
bool FlowElements::lay(int element, FlowPack& pack) const {
  const AncfBatch& b = batch_.ancf;
  const int lane = pack.count++;
  for (int at = lane; at < (lane == 0 ? flow_lanes : lane + 1); ++at) {
    pack.first[at] = first(element);
    pack.point[at] = point(element);
    pack.slope[at] = 3 * point(element) - 2 * (element % 4);
    pack.bending[at] =
        b.bending_offset + 12 * b.parameters.bending_points * (element / 4) + element % 4;
    for (const int end : {0, 1}) {
      const FlowNode& node = batch_.nodes[static_cast<size_t>(element + end)];
      const bool crosses = node.scalar >= 0 && node.beyond != FlowNode::Beyond::open;
      pack.base[end].at[at] = node.base;
      pack.crosses_p[end].at[at] = crosses ? 1 : 0;
      pack.crosses_r[end].at[at] = crosses && node.beyond != FlowNode::Beyond::drive ? 1 : 0;
      for (auto& share : pack.share) share[end].at[at] = 0;
    }
  }
  bool fits = true;
  for (const int end : {0, 1})
    for_flows(batch_, element + end, [&](int scalar, double share) {
      const int k =
          static_cast<int>(std::find(pack.scalar, pack.scalar + pack.flows, scalar) - pack.scalar);
      if (k == most_lane_flows) return void(fits = false);
      if (k == pack.flows) {
        pack.scalar[k] = scalar, pack.flow_at[k] = batch_.first_scalar_at + scalar;
        ++pack.flows;
      }
      for (int at = lane; at < (lane == 0 ? flow_lanes : lane + 1); ++at)
        pack.share[k][end].at[at] += share;
    });
  return fits;
}

void FlowElements::take_along(FlowElements& next) {
  const AncfBatch &a = batch_.ancf, &b = next.batch_.ancf;
  const FlowPack &own = packs_.back(), &its = next.packs_.back();
  if (taken_ || a.cable != b.cable || a.section != b.section ||
      batch_.running != next.batch_.running || own.count + its.count > flow_lanes)
    return;
  FlowPack pair;
  pair.together = false;
  bool fits = true;
  for (int i = own.count; i > 0; --i) fits = lay(a.elements - i, pair) && fits;
  for (int i = its.count; i > 0; --i) fits = next.lay(b.elements - i, pair) && fits;
  if (!fits) return;
  pair_ = pair;
  along_ = &next;
  next.taken_ = true;
  run.takes_along = true;
}

template <class Call>
void FlowElements::for_packs(bool apart, const Call& call) const {
  if (taken_) return;
  const size_t left_out = along_ && !apart ? 1 : 0;
  for (size_t i = 0; i + left_out < packs_.size(); ++i) call(packs_[i]);
  if (!along_) return;
  for (size_t i = 0; i + left_out < along_->packs_.size(); ++i) call(along_->packs_[i]);
  if (left_out > 0) call(pair_);
}

template <class Call>
void FlowElements::for_lanes(const FlowPack& pack, const Call& call) const {
  for (int lane = 0; lane < pack.count; ++lane) {
    const FlowElements& of = owner(pack, lane);
    call(of, static_cast<int>(pack.first[lane]) / node_size - of.batch_.ancf.first_node, lane);
  }
}

void FlowElements::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  if (taken_) return;
  clear(wanted, sums);
  if (along_) along_->clear(wanted, sums);
  for_packs(differs(wanted.viscous),
            [&](const FlowPack& pack) { add_pack(pack, at, wanted, sums); });
}

/// What viscosity makes of the run that is taken along is not what it makes of this one.
bool FlowElements::differs(const ViscousTerms* viscous) const {
  return along_ && viscous &&
         (viscous->axial_factor[number_] != viscous->axial_factor[along_->number_] ||
          viscous->bending_factor[number_] != viscous->bending_factor[along_->number_]);
}

void FlowElements::add_pack(const FlowPack& pack, const Configuration& at, const Wanted& wanted,
                            const Sums& sums) const {
  const AncfBatch& batch = batch_.ancf;
  const MatrixSink& sink = sums.sink;
  double blocks[flow_lanes][144];
  FlowAssembly io;
  io.parameters = &batch_.parameters;
  io.green = batch.strain == StrainMeasure::green && !batch.parameters.tension_only;
  io.tangent = wanted.tangent;
  io.running = batch_.running && !wanted.symmetric_part;
  // As in CableElements: a linear solve knows what was taut, an exact one does not ask.
  if (wanted.tangent != Tangent::own) io.force_n = wanted.axial;
  if (const ViscousTerms* viscous = wanted.viscous) {
    const size_t number = owner(pack, 0).number_;
    io.axial_factor = viscous->axial_factor[number];
    io.bending_factor = viscous->bending_factor[number];
    io.past_force = viscous->force.data();
    if (!viscous->moment.empty()) io.moment = viscous->moment.data();
  }
  io.q = at.q;
  io.ahead = at.q_ahead;
  io.v = at.v_ahead;
  io.b = wanted.b;
  io.mass_weight = wanted.mass_weight + wanted.damping_weight * batch.parameters.mass_damping;
  io.stiffness_weight = wanted.stiffness_weight;
  io.load_factor = wanted.load_factor;
  io.convection_weight = wanted.damping_weight;
  io.force = sums.force;
  io.inertia = sums.inertia;
  io.axial_star = wanted.axial_star;
  io.strain_r = wanted.strain_r;
  io.border_columns = sink.border_columns;
  io.border_rows = sink.border_rows;
  io.corner = sink.corner;
  io.border_length = sink.border_length;
  io.scalars = sink.scalars;
  const int from = static_cast<int>(pack.first[0]),  // of increasing ones
      to = static_cast<int>(pack.first[pack.count - 1]) + 2 * node_size;
  bool panels = true;
  for_lanes(pack, [&](const FlowElements& of, int e, int) {
    panels &= of.batch_.ancf.first_element + e < sink.panel_elements;
  });
  if (panels) io.panels = sink.panels, io.skew = sink.skew;
  io.block = blocks;
  kernels().elements->assemble_flow(pack, io);
  for (int k = 0; k < pack.flows && wanted.matrix() && sink.border_range; ++k) {
    CoordinateRange& range = sink.border_range[pack.scalar[k]];
    range = {std::min(range.first, from), std::max(range.last, to)};
  }
  const bool lossy = batch.parameters.mass_damping > 0,
             moved = batch_.running && at.v != at.v_ahead;
  const bool whole = wanted.matrix() && !panels, open = open_ || (along_ && along_->open_);
  if (!whole && !lossy && !moved && !open) return;
  for_lanes(pack, [&](const FlowElements& of, int e, int lane) {
    of.add_beside(e, at, wanted, sums);
    if (whole)
      add_element_block(sink, of.batch_.ancf.first_element + e, of.batch_.ancf.first_node + e,
                        blocks[lane]);
  });
}

/// What few elements have.
void FlowElements::add_beside(int element, const Configuration& at, const Wanted& wanted,
                              const Sums& sums) const {
  for (const int end : {0, 1}) {  // open ends by virtual work
    if (batch_.nodes[static_cast<size_t>(element + end)].beyond != FlowNode::Beyond::open) continue;
    const double on_p =
        (end == 0 ? -1 : 1) * density(Local(*this, element, at.q, false), end, wanted.load_factor);
    for_flows(batch_, element + end, [&](int scalar, double share) {
      sums.force[batch_.first_scalar_at + scalar] += share * on_p;
    });
  }
  if (const double damping = batch_.ancf.parameters.mass_damping; damping > 0)
    add_inertia(element, Local(*this, element, at.q, false), Local(*this, element, at.v, true),
                -damping, sums.force);
  if (batch_.running && at.v != at.v_ahead && !wanted.symmetric_part)
    add_running(element, at, sums.force);
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

/// -M12 (2 A e. + B e) on e, linear about (q_ahead, v_ahead).
void FlowElements::add_running(int element, const Configuration& at, double* force) const {
  const Local ahead(*this, element, at.q_ahead, false), rates(*this, element, at.v_ahead, true);
  double A2[16], B[16], mass[10], by_rate[12], by_place[12], f[12];
  flow_convection_matrices(ahead.length(), rates.p[0], rates.p[1], A2, B);
  flow_mass(batch_.parameters, ahead.length(), mass);
  const double *q = at.q + first(element), *v = at.v + first(element);
  for (int i = 0; i < 12; ++i) {
    by_rate[i] = by_place[i] = 0;
    for (int j = 0; j < 4; ++j) {
      const int from = 3 * j + i % 3;
      by_rate[i] += A2[4 * (i / 3) + j] * (v[from] - rates.e[from]);
      by_place[i] += B[4 * (i / 3) + j] * (q[from] - ahead.e[from]);
    }
    by_rate[i] += by_place[i];
  }
  flow_mass_times(mass, by_rate, f);
  for (int i = 0; i < 12; ++i) force[first(element) + i] -= f[i];
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
  if (!at.axial) return add_strained_energy(at, out);
  const FlowEnergyIo io{&batch_.parameters, at.q, at.v, at.axial, at.viscous_force};
  FlowEnergy all;
  for_packs(false, [&](const FlowPack& pack) { kernels().elements->flow_energy(pack, io, all); });
  out.kinetic += all.kinetic;
  out.axial += all.axial;
  out.bending += all.bending;
  out.gravity += all.gravity;
  add_all_joined(at, out);
}

/// With the axial force of the strain.
void FlowElements::add_strained_energy(const EnergyState& at, EnergyParts& out) const {
  const FlowParameters& par = batch_.parameters;
  for (int e = 0; e < batch_.ancf.elements; ++e) {
    const Local here(*this, e, at.q, false);
    double energy, weight[flow_size];
    flow_weight(par, here.e, here.length(), energy, weight, static_cast<double*>(nullptr));
    FlowElastic<double> result;
    elastic(here, result);
    out.kinetic += kinetic(here, Local(*this, e, at.v, true));
    out.axial += result.axial;
    out.bending += result.bending;
    out.gravity += energy;
  }
  add_all_joined(at, out);
}

void FlowElements::add_all_joined(const EnergyState& at, EnergyParts& out) const {
  for (int e = 0; e < batch_.ancf.elements; ++e)
    if (batch_.nodes[static_cast<size_t>(e)].joined ||
        batch_.nodes[static_cast<size_t>(e + 1)].joined)
      add_joined(e, Local(*this, e, at.q, false), Local(*this, e, at.v, true), out);
}

void FlowElements::update_axial(AxialUpdate& update) const {
  constexpr double no_strain = 1e-6;                // whose force is none
  double missing[2] = {0, 0}, largest[2] = {0, 0};  // of this run, and of that which is taken along
  FlowAxialUpdateIo io{&batch_.parameters, update.q,        update.d,
                       update.axial_star,  update.strain_r, update.axial};
  for_packs(differs(update.viscous), [&](const FlowPack& pack) {
    if (update.viscous) io.factor = update.viscous->axial_factor[owner(pack, 0).number_];
    FlowAxialChange change;
    kernels().elements->flow_axial_update(pack, io, change);
    update.turned = std::max(update.turned, change.turned);
    update.pushes |= change.pushes;
    for (int lane = 0; lane < pack.count; ++lane) {
      const int of = &owner(pack, lane) == this ? 0 : 1;
      missing[of] = std::max(missing[of], change.missing.at[lane]);
      largest[of] = std::max(largest[of], change.largest.at[lane]);
    }
  });
  for (const int of : {0, 1})
    update.missing = std::max(
        update.missing, missing[of] / (largest[of] + no_strain * batch_.parameters.unit.law.EA));
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

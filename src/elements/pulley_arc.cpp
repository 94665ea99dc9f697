#include "elements/pulley_arc.h"

#include <algorithm>

#include "elements/element_block.h"

namespace hawser {
namespace {

constexpr int arc_size = 14;     ///< both nodes, pA, pB
constexpr double idle_mass = 1;  ///< of flows at rest [kg]

}  // namespace

/// An arc at q: which coordinates it has, and u_v over them.
struct PulleyArcs::Motion {
  int at[arc_size];
  double along[arc_size] = {};
  const double* q;
  double e[12];               ///< both nodes, with slopes
  double chord[2] = {0, 0};   ///< np-fem: distance to the nodes beside them [m]
  double length, lies, mass;  ///< [m]; the same where it is not below zero [m]; m l [kg]

  Motion(const PulleyArc& arc, int first_scalar_at, const double* coordinates) : q(coordinates) {
    for (int i = 0; i < 12; ++i) at[i] = node_size * arc.node + i;
    for (int i = 0; i < 2; ++i) at[12 + i] = first_scalar_at + arc.scalars[i];
    using Vector = Eigen::Map<const Eigen::Vector3d>;
    std::copy_n(q + at[0], 12, e);
    for (const int node : {0, 1}) {
      if (const int beside = arc.beside[node]; beside >= 0) {
        const double sign = node == 0 ? -1 : 1;
        const Eigen::Vector3d to = sign * (Vector(q + node_size * beside) - Vector(e + 6 * node));
        chord[node] = to.norm();
        for (int i = 0; i < 3; ++i) e[6 * node + 3 + i] = to[i] / chord[node];
      }
      const Vector slope(e + 6 * node + 3);
      const double inverse = 0.5 / slope.norm();
      for (int i = 0; i < 3; ++i) along[6 * node + i] = inverse * slope[i];
    }
    along[12] = along[13] = -0.5;
    length = q[at[13]] - q[at[12]];
    lies = std::max(0.0, length);
    mass = arc.parameters.mass * lies;
  }
  [[nodiscard]] double rate(const double* v) const {
    double sum = 0;
    for (int i = 0; i < arc_size; ++i) sum += along[i] * v[at[i]];
    return sum;
  }
  /// np-fem: the gradient by a slope as a force on the nodes of the element that has it.
  void turn_chord(const PulleyArc& arc, int node, double factor, double* gradient,
                  double* by_length, double* force) const {
    using Vector = Eigen::Map<Eigen::Vector3d>;
    const Eigen::Map<const Eigen::Vector3d> t(e + 6 * node + 3);
    Vector g(gradient + 6 * node + 3);
    const double sign = node == 0 ? -1 : 1;
    const Eigen::Vector3d across = sign * factor / chord[node] * (g - t.dot(g) * t);
    Vector(force + at[6 * node]) += across;
    Vector(force + node_size * arc.beside[node]) -= across;
    g.setZero();
    Vector(by_length + 6 * node + 3).setZero();
  }
  /// Adds factor M b.
  void add_inertia(const PulleyArc& arc, const double* b, double* out) const {
    const double u = mass * rate(b);
    for (int i = 0; i < arc_size; ++i) out[at[i]] += u * along[i];
    if (!arc.moves) return;
    for (int i = 0; i < 3; ++i) {
      const double share = arc.parameters.mass * lies / 4 * (b[at[i]] + b[at[6 + i]]);
      out[at[i]] += share;
      out[at[6 + i]] += share;
    }
  }
};

Facts PulleyArcs::facts() const {
  Facts out;
  out.by_velocity = out.ahead = true;
  out.constant_mass = false;
  return out;
}

void PulleyArcs::add_idle(const PulleyArc& arc, const Wanted& wanted, const Sums& sums) const {
  for (const int s : arc.scalars) {
    if (wanted.b) sums.inertia[first_scalar_at_ + s] += idle_mass * wanted.b[first_scalar_at_ + s];
    if (wanted.matrix()) add_corner(sums.sink, s, s, wanted.mass_weight * idle_mass);
  }
}

void PulleyArcs::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  for (const PulleyArc& arc : arcs_) {
    if (arc.node < 0) {
      add_idle(arc, wanted, sums);
      continue;
    }
    const Motion here(arc, first_scalar_at_, at.q), ahead(arc, first_scalar_at_, at.q_ahead);
    add_weight(arc, here, wanted, sums);
    const double* v = at.v_ahead;
    const double u = ahead.rate(v), m = arc.parameters.mass;
    const double lengthens = v[ahead.at[13]] - v[ahead.at[12]];
    for (int i = 0; i < arc_size; ++i)
      sums.force[ahead.at[i]] -= m * lengthens * u * ahead.along[i];
    sums.force[ahead.at[13]] += m * u * u / 2;
    sums.force[ahead.at[12]] -= m * u * u / 2;
    if (wanted.b) ahead.add_inertia(arc, wanted.b, sums.inertia);
    if (!wanted.matrix()) continue;
    double block[144] = {};
    const double mass = wanted.mass_weight * ahead.mass;
    for (const int j : {0, 1, 2, 6, 7, 8})  // positions alone
      for (const int i : {0, 1, 2, 6, 7, 8})
        block[12 * j + i] = mass * ahead.along[i] * ahead.along[j];
    if (arc.moves)
      for (int i = 0; i < 3; ++i)
        for (const int a : {0, 6})
          for (const int b : {0, 6})
            block[12 * (a + i) + b + i] += wanted.mass_weight * m * ahead.lies / 4;
    add_element_block(sums.sink, arc.element, arc.node, block);
    for (const int s : {0, 1}) {
      add_border_block(sums.sink, arc.scalars[s], ahead.at[0], 12, ahead.along,
                       mass * ahead.along[12 + s]);
      for (const int other : {0, 1})
        add_corner(sums.sink, arc.scalars[s], arc.scalars[other],
                   mass * ahead.along[12 + s] * ahead.along[12 + other]);
    }
  }
}

void PulleyArcs::add_weight(const PulleyArc& arc, const Motion& at, const Wanted& wanted,
                            const Sums& sums) const {
  double energy, gradient[flow_size], by_length[flow_size];
  flow_weight(arc.parameters, at.e, at.length, energy, gradient, by_length);
  for (const int node : {0, 1})
    if (arc.beside[node] >= 0)
      at.turn_chord(arc, node, wanted.load_factor, gradient, by_length, sums.force);
  for (int i = 0; i < 12; ++i) sums.force[at.at[i]] -= wanted.load_factor * gradient[i];
  for (const int s : {0, 1}) {
    const double sign = s == 0 ? -1 : 1;
    sums.force[at.at[12 + s]] -= wanted.load_factor * sign * gradient[12];
    if (!wanted.matrix()) continue;
    const double weight = wanted.stiffness_weight * wanted.load_factor;
    add_border_block(sums.sink, arc.scalars[s], at.at[0], 12, by_length, weight * sign);
    for (const int other : {0, 1})
      add_corner(sums.sink, arc.scalars[s], arc.scalars[other],
                 weight * sign * (other == 0 ? -1 : 1) * by_length[12]);
  }
}

void PulleyArcs::add_mass_times(const double* q, const double* b, double* out) const {
  for (const PulleyArc& arc : arcs_) {
    if (arc.node >= 0)
      Motion(arc, first_scalar_at_, q).add_inertia(arc, b, out);
    else
      for (const int s : arc.scalars)
        out[first_scalar_at_ + s] += idle_mass * b[first_scalar_at_ + s];
  }
}

void PulleyArcs::add_energy(const EnergyState& at, EnergyParts& out) const {
  for (const PulleyArc& arc : arcs_) {
    if (arc.node < 0) continue;
    const Motion here(arc, first_scalar_at_, at.q);
    const double u = here.rate(at.v);
    out.kinetic += here.mass * u * u / 2;
    for (int i = 0; arc.moves && i < 3; ++i) {
      const double v = (at.v[here.at[i]] + at.v[here.at[6 + i]]) / 2;
      out.kinetic += arc.parameters.mass * here.lies * v * v / 2;
    }
    double energy, gradient[flow_size];
    flow_weight(arc.parameters, here.e, here.length, energy, gradient,
                static_cast<double*>(nullptr));
    out.gravity += energy;
  }
}

}  // namespace hawser

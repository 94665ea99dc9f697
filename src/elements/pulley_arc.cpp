#include "elements/pulley_arc.h"

#include <algorithm>
#include <cmath>

#include "elements/element_block.h"

namespace hawser {
namespace {

constexpr int arc_size = 14;     ///< both nodes, pA, pB
constexpr double idle_mass = 1;  ///< of flows at rest [kg]

/// k of the weight, and its derivatives by l.
struct ArcMoment {
  double k, rate, second;

  ArcMoment(double R, double l) : k(l * l / 12), rate(l / 6), second(1.0 / 6) {
    constexpr double small = 1e-2, most = 4;  // [rad]
    if (!(std::abs(l) > small * R) || !(R > 0)) return;
    const double theta = std::min(l / R, most), beyond = l - R * theta;
    const double cot = 1 / std::tan(theta / 2), square = 1 + cot * cot,  // 1/sin^2
        f = 1 - theta / 2 * cot;
    second = square * f / 2;
    rate = R * (theta / 4 * square - cot / 2) + second * beyond;
    k = R * R * f + beyond * (rate - second * beyond / 2);
  }
};

/// The weight of an arc, as flow_weight() has that of an element.
void arc_weight(const PulleyArc& arc, const double* e, double l, double& energy,
                double gradient[flow_size], double by_length[flow_size]) {
  const ArcMoment moment(arc.radius, l);
  energy = gradient[12] = by_length[12] = 0;
  for (int i = 0; i < 3; ++i) {
    const double w = -arc.parameters.mass * arc.parameters.gravity[i];
    const double middle = (e[i] + e[6 + i]) / 2, turned = e[3 + i] - e[9 + i];
    energy += w * (l * middle + moment.k * turned);
    gradient[i] = gradient[6 + i] = w * l / 2;
    by_length[i] = by_length[6 + i] = w / 2;
    gradient[3 + i] = w * moment.k;
    gradient[9 + i] = -gradient[3 + i];
    by_length[3 + i] = w * moment.rate;
    by_length[9 + i] = -by_length[3 + i];
    gradient[12] += w * (middle + moment.rate * turned);
    by_length[12] += w * moment.second * turned;
  }
}

/// Of the cable between A and a joint: its place x = int r ds = c . (r_A, g_A, r_B, g_B), and the
/// derivatives of c by the length l1 up to the joint and by that of the arc.
struct JointPlace {
  double c[4] = {}, by_first[4] = {}, by_whole[4] = {};

  JointPlace(double R, double l, double l1) {
    if (l1 < 0) {  // straight before A
      c[0] = l1, c[1] = l1 * l1 / 2;
      by_first[0] = 1, by_first[1] = l1;
      return;
    }
    on_circle(R, l, std::min(l1, l));
    if (!(l1 > l)) return;
    for (int i = 0; i < 4; ++i) by_whole[i] += by_first[i], by_first[i] = 0;
    const double beyond = l1 - l;  // straight behind B
    c[2] += beyond, c[3] += beyond * beyond / 2;
    by_first[2] = 1, by_first[3] = beyond;
    by_whole[2] -= 1, by_whole[3] -= beyond;
  }

 private:
  void on_circle(double R, double l, double l1) {
    constexpr double small = 1e-2, most = 4;  // [rad]
    const double theta = l / R;
    if (theta >= most) {
      c[0] = c[2] = l1 / 2;
      by_first[0] = by_first[2] = 0.5;
      return;
    }
    c[0] = l1, by_first[0] = 1;
    if (!(theta > small)) return;
    const double sine = std::sin(theta), rise = 1 - std::cos(theta), first = l1 / R;
    const double x = (l1 - R * std::sin(first)) / rise, x1 = (1 - std::cos(first)) / rise,
                 xl = -x * sine / (R * rise);
    c[0] -= x, by_first[0] -= x1, by_whole[0] = -xl;
    c[1] = R * R * (1 - std::cos(first)) - x * R * sine;
    by_first[1] = R * std::sin(first) - x1 * R * sine;
    by_whole[1] = -xl * R * sine - x * (1 - rise);
    c[2] = x, by_first[2] = x1, by_whole[2] = xl;
  }
};

/// What a joint adds to the weight of an arc.
void joint_weight(const PulleyArc& arc, const PulleyArc::Joint& joint, const double* e, double pA,
                  double pB, double& energy, double gradient[12], double by_flow[2]) {
  const JointPlace place(arc.radius, std::max(0.0, pB - pA), joint.at - pA);
  for (int i = 0; i < 3; ++i) {
    const double w = -joint.weight[i];
    for (int k = 0; k < 4; ++k) {
      const double x = e[3 * k + i];
      energy += w * place.c[k] * x;
      gradient[3 * k + i] += w * place.c[k];
      by_flow[0] -= w * (place.by_first[k] + place.by_whole[k]) * x;
      by_flow[1] += w * place.by_whole[k] * x;
    }
  }
}

}  // namespace

/// An arc at q: which coordinates it has, and its directions.
struct PulleyArcs::Motion {
  int at[arc_size];
  double tau[2][3];
  double inverse[2];  ///< 1 over the length of what tau is the direction of
  const double* q;
  double e[12];              ///< both nodes, with slopes
  double chord[2] = {0, 0};  ///< np-fem: distance to the nodes beside them [m]
  double length, lies;       ///< [m]; the same where it is not below zero [m]
  double mass[2];            ///< that moves with A and with B [kg]
  double by_flow[2][2];      ///< its derivatives by pA and pB [kg/m]

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
      const double by = 1 / slope.norm();
      for (int i = 0; i < 3; ++i) tau[node][i] = by * slope[i];
      inverse[node] = arc.beside[node] < 0 ? by : 1 / chord[node];
    }
    length = q[at[13]] - q[at[12]];
    lies = std::max(0.0, length);
    const double half = arc.parameters.mass / 2;
    for (const int node : {0, 1}) {
      mass[node] = half * lies;
      by_flow[node][0] = -half, by_flow[node][1] = half;
    }
    for (const PulleyArc::Joint& joint : arc.joints) add_joint(joint);
  }
  /// What is heavier before a joint: half of it moves with A and with B, what is beyond one of them
  /// with that.
  void add_joint(const PulleyArc::Joint& joint) {
    const double l1 = joint.at - q[at[12]], beyond = l1 - lies, on = std::clamp(l1, 0.0, lies);
    mass[0] += joint.mass * (on / 2 + std::min(l1, 0.0));
    mass[1] += joint.mass * (on / 2 + std::max(beyond, 0.0));
    if (l1 < 0) {
      by_flow[0][0] -= joint.mass;
    } else if (beyond > 0) {
      for (const int node : {0, 1}) {
        by_flow[node][0] -= joint.mass / 2;
        by_flow[node][1] += joint.mass / 2;
      }
      by_flow[1][1] -= joint.mass;
    } else {
      for (const int node : {0, 1}) by_flow[node][0] -= joint.mass / 2;
    }
  }
  /// Of the material at an end, by rates of the coordinates.
  [[nodiscard]] Eigen::Vector3d material(int node, const double* v) const {
    Eigen::Vector3d out;
    for (int i = 0; i < 3; ++i) out[i] = v[at[6 * node + i]] - v[at[12 + node]] * tau[node][i];
    return out;
  }
  /// The part of a vector across tau, over the length of what that is the direction of.
  [[nodiscard]] Eigen::Vector3d across(int node, const Eigen::Vector3d& x) const {
    const Eigen::Map<const Eigen::Vector3d> t(tau[node]);
    return inverse[node] * (x - t.dot(x) * t);
  }
  /// The rate of what tau is the direction of.
  [[nodiscard]] Eigen::Vector3d turning(const PulleyArc& arc, int node, const double* v) const {
    using Vector = Eigen::Map<const Eigen::Vector3d>;
    const double* own = v + at[6 * node];
    if (arc.beside[node] < 0) return Vector(own + 3);
    return (node == 0 ? -1 : 1) * (Vector(v + node_size * arc.beside[node]) - Vector(own));
  }
  /// Adds a force on what tau is the direction of.
  void add_turning(const PulleyArc& arc, int node, const Eigen::Vector3d& force,
                   double* out) const {
    using Vector = Eigen::Map<Eigen::Vector3d>;
    double* own = out + at[6 * node];
    if (arc.beside[node] < 0) {
      Vector(own + 3) += force;
      return;
    }
    Vector(out + node_size * arc.beside[node]) += (node == 0 ? -1 : 1) * force;
    Vector{own} -= (node == 0 ? -1 : 1) * force;
  }
  /// Adds what a force on the material at an end is on its coordinates.
  void add_force(int node, const Eigen::Vector3d& force, double* out) const {
    for (int i = 0; i < 3; ++i) {
      out[at[6 * node + i]] += force[i];
      out[at[12 + node]] -= tau[node][i] * force[i];
    }
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
  /// Adds M b.
  void add_inertia(const double* b, double* out) const {
    for (const int node : {0, 1}) add_force(node, mass[node] * material(node, b), out);
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
    add_motion(arc, ahead, at.v_ahead, sums.force);
    if (wanted.b) ahead.add_inertia(wanted.b, sums.inertia);
    if (wanted.matrix()) add_mass(arc, ahead, wanted.mass_weight, sums.sink);
  }
}

/// The force that is quadratic in velocities.
void PulleyArcs::add_motion(const PulleyArc& arc, const Motion& at, const double* v,
                            double* force) {
  for (const int node : {0, 1}) {
    const Eigen::Vector3d w = at.material(node, v);
    double heavier = 0;  // the rate of its mass
    for (const int s : {0, 1}) {
      heavier += at.by_flow[node][s] * v[at.at[12 + s]];
      force[at.at[12 + s]] += at.by_flow[node][s] * w.squaredNorm() / 2;
    }
    at.add_force(node, -heavier * w, force);
    if (!arc.moves) continue;
    const double flow = v[at.at[12 + node]], half = at.mass[node];
    const Eigen::Vector3d turned = at.across(node, at.turning(arc, node, v));  // tau.
    for (int i = 0; i < 3; ++i) force[at.at[6 * node + i]] += half * flow * turned[i];
    force[at.at[12 + node]] += half * w.dot(turned);
    at.add_turning(arc, node, -half * flow * at.across(node, w), force);
  }
}

/// weight mass [1, -tau; -tau, 1] at either end.
void PulleyArcs::add_mass(const PulleyArc& arc, const Motion& at, double weight,
                          const MatrixSink& sink) {
  double block[144] = {};
  for (const int node : {0, 1}) {
    const double mass = weight * at.mass[node];
    for (int i = 0; i < 3; ++i) {
      const int c = 6 * node + i;
      block[12 * c + c] = mass;
      const double entry = -mass * at.tau[node][i];
      add_border(sink, arc.scalars[node], at.at[c], entry, entry);
    }
    add_corner(sink, arc.scalars[node], arc.scalars[node], mass);
  }
  add_element_block(sink, arc.element, arc.node, block);
}

void PulleyArcs::add_weight(const PulleyArc& arc, const Motion& at, const Wanted& wanted,
                            const Sums& sums) const {
  double energy, gradient[flow_size], by_length[flow_size], by_flow[2] = {0, 0};
  arc_weight(arc, at.e, at.length, energy, gradient, by_length);
  for (const PulleyArc::Joint& joint : arc.joints)
    joint_weight(arc, joint, at.e, at.q[at.at[12]], at.q[at.at[13]], energy, gradient, by_flow);
  for (const int node : {0, 1})
    if (arc.beside[node] >= 0)
      at.turn_chord(arc, node, wanted.load_factor, gradient, by_length, sums.force);
  for (int i = 0; i < 12; ++i) sums.force[at.at[i]] -= wanted.load_factor * gradient[i];
  for (const int s : {0, 1}) {
    const double sign = s == 0 ? -1 : 1;
    sums.force[at.at[12 + s]] -= wanted.load_factor * (sign * gradient[12] + by_flow[s]);
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
      Motion(arc, first_scalar_at_, q).add_inertia(b, out);
    else
      for (const int s : arc.scalars)
        out[first_scalar_at_ + s] += idle_mass * b[first_scalar_at_ + s];
  }
}

void PulleyArcs::add_energy(const EnergyState& at, EnergyParts& out) const {
  for (const PulleyArc& arc : arcs_) {
    if (arc.node < 0) continue;
    const Motion here(arc, first_scalar_at_, at.q);
    for (const int node : {0, 1})
      out.kinetic += here.mass[node] / 2 * here.material(node, at.v).squaredNorm();
    double energy, gradient[flow_size], by_length[flow_size], by_flow[2];
    arc_weight(arc, here.e, here.length, energy, gradient, by_length);
    for (const PulleyArc::Joint& joint : arc.joints)
      joint_weight(arc, joint, here.e, at.q[here.at[12]], at.q[here.at[13]], energy, gradient,
                   by_flow);
    out.gravity += energy;
  }
}

}  // namespace hawser

// The accurate mode: implicit part of ARK3(2)4L[2]SA (Kennedy & Carpenter 2003), an ESDIRK of
// third order, with the mixed geometric stiffness; one factorization, three solves.
//
//     H = M + (g h)^2 K(qK; N_n),  qK = q + h v + h (v - v_before)/2, factored once
//     stage i = 2..4:  v~ = v + h sum_j a_ij A_j,   q~ = q + h sum_j a_ij V_j + g h v~
//                      q* = q + integral over [0, c_i h] of the velocity's extrapolation
//                      x  = R H^-1 R^T (F(q*) - M (q* - q~)/(g h)^2)
//                      A_i = a* + x,  V_i = v~ + g h A_i,  q_i = q* + (g h)^2 x
//
// R turns every node from its slope in qK to that in q*: the factorization at qK then serves all
// stages, whatever the cable turns between them.
#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "integrate/engine.h"

namespace hawser {
namespace {

constexpr double g = 0.4358665215084590;
constexpr double c[4] = {0, 2 * g, 0.6, 1};
constexpr double a[4][3] = {
    {0, 0, 0},
    {g, 0, 0},
    {2746238789719.0 / 10658868560708, -640167445237.0 / 6845629431997, 0},
    {1471266399579.0 / 7840856788654, -4482444167858.0 / 7529755066697,
     11266239266428.0 / 11593286722821}};

/// Weights of v(0), v(t1), v(t2) in the integral over [0, end] of the quadratic through them.
std::array<double, 3> quadratic_weights(double t1, double t2, double end) {
  const auto moment = [end](double p, double q) {  // of (t-p)(t-q)
    return end * (end * end / 3 - (p + q) * end / 2 + p * q);
  };
  return {moment(t1, t2) / (t1 * t2), moment(0, t2) / (t1 * (t1 - t2)),
          moment(0, t1) / (t2 * (t2 - t1))};
}

/// The smallest rotation from the direction of `from` to that of `to`, as the vector w and the
/// factor k of R y = y + w x y + k w x (w x y).
void smallest_rotation(const double* from, const double* to, double out[4]) {
  const double ff = from[0] * from[0] + from[1] * from[1] + from[2] * from[2];
  const double tt = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
  const double inv = 1 / std::sqrt(ff * tt);
  out[0] = (from[1] * to[2] - from[2] * to[1]) * inv;
  out[1] = (from[2] * to[0] - from[0] * to[2]) * inv;
  out[2] = (from[0] * to[1] - from[1] * to[0]) * inv;
  out[3] = 1 / (1 + (from[0] * to[0] + from[1] * to[1] + from[2] * to[2]) * inv);
}

/// y <- R y (direction 1) or R^T y (direction -1).
void rotate(const double rotation[4], double direction, double* y) {
  const double w[3] = {direction * rotation[0], direction * rotation[1], direction * rotation[2]};
  const double u[3] = {w[1] * y[2] - w[2] * y[1], w[2] * y[0] - w[0] * y[2],
                       w[0] * y[1] - w[1] * y[0]};
  const double k = rotation[3];
  y[0] += u[0] + k * (w[1] * u[2] - w[2] * u[1]);
  y[1] += u[1] + k * (w[2] * u[0] - w[0] * u[2]);
  y[2] += u[2] + k * (w[0] * u[1] - w[1] * u[0]);
}

void find_rotations(Engine& e) {
  for (int n = 0; n < e.model.nodes; ++n)
    if (e.stages.turns[static_cast<size_t>(n)])
      smallest_rotation(e.stages.q_factored.data() + node_size * n + 3,
                        e.q_base.data() + node_size * n + 3, e.stages.rotation.data() + 4 * n);
}

void rotate_nodes(Engine& e, double direction) {
  for (int n = 0; n < e.model.nodes; ++n)
    if (e.stages.turns[static_cast<size_t>(n)]) {
      const double* rotation = e.stages.rotation.data() + 4 * n;
      rotate(rotation, direction, e.x.data() + node_size * n);
      rotate(rotation, direction, e.x.data() + node_size * n + 3);
    }
}

/// H at qK, the end of the step as the last two velocities foretell it.
bool factor_ahead(Engine& e, const State& s, const SchemeWeights& w, double h) {
  const size_t n = static_cast<size_t>(e.model.structure.coordinates());
  for (size_t i = 0; i < n; ++i) {
    e.q_base[i] = s.q[i] + h * s.v[i] + 0.5 * h * (s.v[i] - e.stages.v_back[i]);
    e.a_base[i] = 0;
  }
  e.evaluate_targets(s.t + h);
  for (size_t k = 0; k < e.known.size(); ++k)
    e.q_base[static_cast<size_t>(e.model.fixed[k].coordinate)] = e.fixed_target[k].value;
  Engine::Assembly how;
  how.t = s.t + h;
  how.tangent = Tangent::mixed;
  how.axial = s.axial_force.data();
  e.assemble(s, w, how, s.force);
  e.stages.q_factored = e.q_base;
  return e.factor();
}

/// Stage i: base at the extrapolated velocities; q~ in q_tilde, v~ in v_tilde.
void stage_base(Engine& e, const State& s, const SchemeWeights& w, double h, int i) {
  const size_t n = static_cast<size_t>(e.model.structure.coordinates());
  auto& V = e.stages.V;
  auto& A = e.stages.A;
  // Velocities known so far: before the step, then those of the stages done.
  const double* v1 = i == 3 ? V[1].data() : e.stages.v_back.data();
  const double* v2 = i == 1 ? nullptr : i == 2 ? V[1].data() : V[2].data();
  const double t1 = i == 3 ? c[1] : -1;
  const std::array<double, 3> weight =
      v2 ? quadratic_weights(t1, c[i - 1], c[i])
         : std::array<double, 3>{c[i] + c[i] * c[i] / 2, -c[i] * c[i] / 2, 0};
  for (size_t k = 0; k < n; ++k) {
    double vt = a[i][0] * s.a[k], qt = a[i][0] * s.v[k];
    for (int j = 1; j < i; ++j) {
      vt += a[i][j] * A[j][k];
      qt += a[i][j] * V[j][k];
    }
    e.v_tilde[k] = s.v[k] + h * vt;
    e.q_tilde[k] = s.q[k] + h * qt + g * h * e.v_tilde[k];
    e.q_base[k] = s.q[k] + h * (weight[0] * s.v[k] + weight[1] * v1[k] +
                                (v2 ? weight[2] * v2[k] : 0.0));
    e.a_base[k] = (e.q_base[k] - e.q_tilde[k]) / w.cq;
  }
  e.evaluate_targets(s.t + c[i] * h);
  for (size_t k = 0; k < e.known.size(); ++k) {
    const auto at = static_cast<size_t>(e.model.fixed[k].coordinate);
    e.q_base[at] = e.fixed_target[k].value;
    e.a_base[at] = e.fixed_target[k].acceleration;
    e.known[k] = 0;
  }
  std::fill(e.multiplier.begin(), e.multiplier.end(), 0);
}

}  // namespace

Status step_mixed3(Engine& e, State& state, double h) {
  const size_t n = static_cast<size_t>(e.model.structure.coordinates());
  SchemeWeights w;
  w.h = h;
  w.cq = g * g * h * h;
  w.cv = g * h;
  for (size_t i = 0; i < n; ++i)
    e.stages.v_back[i] = state.h_before > 0 ? state.v_before[i] : state.v[i] - h * state.a[i];
  if (!factor_ahead(e, state, w, h)) return step_mixed(e, state, h);
  double turned = 0;
  for (int i = 1; i < 4; ++i) {
    stage_base(e, state, w, h, i);
    Engine::Assembly how;
    how.t = state.t + c[i] * h;
    how.tangent = Tangent::none;
    how.keep_points = i == 3;
    e.assemble(state, w, how, state.force);
    find_rotations(e);
    rotate_nodes(e, -1);
    e.solve(state, w);
    rotate_nodes(e, 1);
    turned = e.correct(w);
    if (std::isnan(turned)) return step_mixed(e, state, h);
    if (i < 3) {
      e.stages.A[i].swap(e.a_new);
      e.stages.V[i].swap(e.v_new);
    }
  }
  e.update_axial();
  const EnergyParts before = energy_of(e.model, state);
  const EnergyParts after =
      energy_of(e.model, e.q_new.data(), e.v_new.data(), e.axial_new.data());
  if (after.total() - before.total() > 0.003 * after.kinetic + 1e-3) {
    ++e.counters.fallbacks;
    return step_mixed(e, state, h);
  }
  e.update_force(state, w);
  e.accept(state, h, true, true);
  return Status::ok;
}

}  // namespace hawser

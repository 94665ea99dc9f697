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
#include <array>
#include <cmath>

#include "elements/kernel_io.h"
#include "integrate/engine.h"

namespace hawser {
namespace {

namespace tableau {
constexpr double g = 0.4358665215084590;
constexpr double c[4] = {0, 2 * g, 0.6, 1};
constexpr double a[4][3] = {{0, 0, 0},
                            {g, 0, 0},
                            {2746238789719.0 / 10658868560708, -640167445237.0 / 6845629431997, 0},
                            {1471266399579.0 / 7840856788654, -4482444167858.0 / 7529755066697,
                             11266239266428.0 / 11593286722821}};
}  // namespace tableau

/// Weights of v(0), v(t1), v(t2) in the integral over [0, end] of the quadratic through them.
std::array<double, 3> quadratic_weights(double t1, double t2, double end) {
  const auto moment = [end](double p, double q) {  // of (t-p)(t-q)
    return end * (end * end / 3 - (p + q) * end / 2 + p * q);
  };
  return {moment(t1, t2) / (t1 * t2), moment(0, t2) / (t1 * (t1 - t2)),
          moment(0, t1) / (t2 * (t2 - t1))};
}

/// R of a stage, and the x that it turns.
TurnIo turn_of(Engine& e) {
  return {e.model.nodes,         e.stages.q_factored.data(), e.q_base.data(),
          e.stages.turns.data(), e.stages.rotation.data(),   e.x.data()};
}

/// Power of what has no potential at a state [W].
double power_of(Engine& e, const State& s) {
  e.evaluate_targets(s.now(), Engine::Side::after);
  if (e.rows.any() || !e.model.mechanism.bodies.empty()) e.rows.set.evaluate(s.q.data(), s.t, s);
  return e.ledger.power_of(s, e.fixed_target);
}

/// H at qK, the end of the step as the last two velocities predict it.
bool factor_ahead(Engine& e, const State& s, const SchemeWeights& w, double h) {
  const size_t n = static_cast<size_t>(e.model.structure.coordinates());
  for (size_t i = 0; i < n; ++i) {
    e.q_base[i] = s.q[i] + h * s.v[i] + 0.5 * h * (s.v[i] - e.stages.v_back[i]);
    e.a_base[i] = 0;
  }
  if (e.model.facts.by_velocity)  // what goes with a_base = 0
    for (size_t i = 0; i < n; ++i) e.v_tilde[i] = 2 * s.v[i] - e.stages.v_back[i];
  e.evaluate_targets(s.at(s.t + h));
  for (size_t k = 0; k < e.known.size(); ++k)
    e.q_base[static_cast<size_t>(e.rows.set.held[k].coordinate)] = e.fixed_target[k].value;
  e.begin_rows(s);
  Engine::Assembly how;
  how.t = s.t + h;
  how.tangent = Tangent::mixed;
  how.axial = s.axial_force.data();
  e.assemble(s, w, how);
  e.stages.q_factored = e.q_base;
  return e.factor();
}

/// Stage i: base at the extrapolated velocities; v~ in v_tilde.
void stage_base(Engine& e, const State& s, const SchemeWeights& w, double h, int i) {
  const auto& V = e.stages.V;
  const auto& A = e.stages.A;
  std::array<double, 3> weight = {tableau::c[i] + tableau::c[i] * tableau::c[i] / 2,
                                  -tableau::c[i] * tableau::c[i] / 2, 0};
  if (i > 1)
    weight = quadratic_weights(i == 3 ? tableau::c[1] : -1, tableau::c[i - 1], tableau::c[i]);
  StageIo io;
  io.n = e.model.structure.coordinates();
  for (int k = 0; k < 3; ++k) {
    io.a[k] = h * tableau::a[i][k];
    io.w[k] = h * weight[static_cast<size_t>(k)];
    // Stages to come have weight 0; what an earlier step left in them could still turn a zero's
    // sign.
    io.A[k] = k > 0 && k < i ? A[k].data() : s.a.data();
    io.V[k] = k > 0 && k < i ? V[k].data() : s.v.data();
  }
  io.gh = tableau::g * h;
  io.inv_cq = 1 / w.cq;
  io.q = s.q.data();
  // Velocities known so far: before the step, then those of the stages done.
  io.v_before = i == 3 ? V[1].data() : e.stages.v_back.data();
  io.v_last = i == 1 ? s.v.data() : V[i - 1].data();  // weight 0 in the first stage
  io.v_tilde = e.v_tilde.data();
  io.q_base = e.q_base.data();
  io.a_base = e.a_base.data();
  kernels().stage(io);
  e.evaluate_targets(s.at(s.t + tableau::c[i] * h));
  for (size_t k = 0; k < e.known.size(); ++k) {
    const auto at = static_cast<size_t>(e.rows.set.held[k].coordinate);
    e.q_base[at] = e.fixed_target[k].value;
    e.a_base[at] = e.fixed_target[k].acceleration;
    e.known[k] = 0;
  }
  e.begin_rows(s);
  // The matrix has the constraints' directions at qK: only what their forces change by may be its.
  for (size_t r = 0; r < e.rows.size(); ++r) e.multiplier[r] = -e.lambda_geo[r];
}

}  // namespace

StepEnd step_mixed3(Engine& e, State& state, double h) {
  const size_t n = static_cast<size_t>(e.model.structure.coordinates());
  e.find_axial(state);
  SchemeWeights w;
  w.h = h;
  w.cq = tableau::g * tableau::g * h * h;
  w.cv = w.cr = w.cg = tableau::g * h;
  for (size_t i = 0; i < n; ++i)
    e.stages.v_back[i] = state.h_before > 0 ? state.v_before[i] : state.v[i] - h * state.a[i];
  double work = h * tableau::a[3][0] * power_of(e, state);
  if (!factor_ahead(e, state, w, h)) return step_mixed(e, state, h);
  for (int i = 1; i < 4; ++i) {
    stage_base(e, state, w, h, i);
    Engine::Assembly how;
    how.t = state.t + tableau::c[i] * h;
    how.tangent = Tangent::none;
    how.axial = state.axial_force.data();  // says which tension-only elements were taut
    how.keep_points = i == 3;
    e.assemble(state, w, how);
    kernels().turn_back(turn_of(e));
    if (!e.solve(state, w)) return step_mixed(e, state, h);
    kernels().turn_forth(turn_of(e));
    if (!(e.correct(w) < absurd_slope)) return step_mixed(e, state, h);
    if (e.switched(state)) return StepEnd::switched;
    work += h * (i < 3 ? tableau::a[3][i] : tableau::g) *
            e.ledger.power_now(e.result(state, how.t), e.fixed_target);
    if (i < 3) {
      e.stages.A[i].swap(e.a_new);
      e.stages.V[i].swap(e.v_new);
    }
  }
  if (e.rows.activity != state.activity) return step_mixed(e, state, h);  // stages would disagree
  e.update_axial();
  for (size_t r = 0; r < e.multiplier.size(); ++r) e.stages.multipliers[r] = -e.multiplier[r];
  const EnergyParts after = energy_of(
      e.model, {state.at(state.t + h), e.q_new.data(), e.v_new.data(), e.axial_new.data(), nullptr},
      e.stages.multipliers.data());
  const Books& books = state.books;
  const double gain = after.total() - (books.start + books.work + books.balance) - work;
  if (!(gain <= 0.003 * after.kinetic + 1e-3)) {
    ++e.counters.fallbacks;
    return step_mixed(e, state, h);
  }
  e.update_true(state, w);
  SchemeWeights ends;  // for the books: the means of what no stage has seen
  ends.h = h;
  ends.v_a = ends.cv = h / 2;
  e.step_work(state, ends);
  e.accept(state, ends, work, true, true);
  return StepEnd::taken;
}

}  // namespace hawser

// One linear solve at the current state (Westin & Irani 2022, eq. 25 and Table 1).
//
// A stiff axial spring that turns in the step does false work. A step that makes energy by it, or
// has no finite result, is taken by the mixed solve instead, and counted.
#include <algorithm>
#include <cmath>

#include "integrate/engine.h"

namespace hawser {
namespace {

constexpr double far_turn = 0.02;  ///< turn of a slope above which the step's energy is looked at

/// True where M changes: F_n would have to be weighed by M at both ends of the step, and the true
/// acceleration is carried instead (Engine::update_true).
bool carries_history(const Engine& e) { return !e.model.facts.constant_mass; }

/// True where forces know the past or velocities, or are predicted in the assembly of the step: F_n
/// then takes an assembly of its own.
bool needs_force_now(const Engine& e, const SchemeWeights& w) {
  return w.cF != 0 && !carries_history(e) &&
         (e.viscous.any() || e.model.facts.by_velocity || e.model.facts.ahead);
}

/// F_n as the paper takes it: evaluated at q_n, not carried. The assembly below has the loads at
/// the end of the step; the history wants those at its start.
void evaluate_history(Engine& e, const State& state, const SchemeWeights& w, double t1) {
  const size_t n = static_cast<size_t>(e.model.structure.coordinates());
  const bool apart = needs_force_now(e, w);
  const std::vector<double>& force = apart ? e.force_now : e.assembler.force;
  for (size_t i = 0; i < n; ++i) e.x[i] += w.cF * force[i];
  if (!apart && e.model.facts.by_time) {
    std::vector<double>& load = e.correction;  // free until the solve
    std::fill(load.begin(), load.end(), 0);
    Configuration now(state.now(), state.q.data(), state.v.data(), state.orientation.data());
    e.assembler.add_loads(now, w.cF, load.data());
    now.t = t1;
    e.assembler.add_loads(now, -w.cF, load.data());
    for (size_t i = 0; i < n; ++i) e.x[i] += load[i];
  }
  e.rows.set.add_force(state.multipliers.data(), w.cF, e.x.data());
  for (const BodyData& b : e.model.mechanism.bodies) {  // its gyroscopic torque with v_n
    if (apart) break;
    const auto at = static_cast<size_t>(node_size * b.node + 3);
    const Eigen::Map<const Vec3> then(state.v.data() + at), ahead(e.v_force.data() + at);
    Eigen::Map<Vec3>(e.x.data() + at) +=
        w.cF * (ahead.cross(b.inertia * ahead) - then.cross(b.inertia * then));
  }
  for (size_t k = 0; k < e.known.size(); ++k)  // no motion in it, but the new reaction
    e.x[static_cast<size_t>(e.rows.set.held[k].coordinate)] += w.cF * state.fixed_reaction[k];
}

/// The matrix is symmetric and has half of what a turn phi does to a torque tau in body axes, the
/// force of constraints on a body: the other half, -phi x tau/2, with the turn predicted.
void turn_torques(Engine& e, const State& state, double h) {
  std::vector<double>& force = e.correction;  // free until the solve
  std::fill(force.begin(), force.end(), 0);
  e.rows.set.add_force(e.lambda_geo.data(), 1, force.data());
  for (const BodyData& b : e.model.mechanism.bodies) {
    const auto at = static_cast<size_t>(node_size * b.node + 3);
    const Vec3 phi = h * (Eigen::Map<const Vec3>(state.v.data() + at) +
                          h / 2 * Eigen::Map<const Vec3>(state.a.data() + at));
    Eigen::Map<Vec3>(e.x.data() + at) -= phi.cross(Eigen::Map<const Vec3>(force.data() + at)) / 2;
  }
}

/// True where slopes show all that turns in a step.
bool shows_turns(const Engine& e) {
  const ModelData& model = e.model;
  return e.rows.constant() && std::all_of(model.fields.begin(), model.fields.end(),
                                          [](const Fields* part) { return part->run.curved; });
}

/// The method does not hold at this step: the mixed one takes it. Westin & Irani's own form, with
/// Baumgarte's constraints, is left as it was published.
StepEnd step_instead(Engine& e, State& state, double h, const char* cause) {
  if (e.options.constraints == ConstraintLevel::baumgarte)
    return e.failed(state, cause + steadier(e.options));
  // The mixed solve goes on from axial forces and from true accelerations; this one does not
  // carry them.
  e.axial_kept = state.axial_force;
  e.a_true_kept = state.a_true;
  const bool valid = state.axial_force_valid;
  if (!carries_history(e)) state.a_true = state.a;
  const StepEnd ended = step_mixed(e, state, h);
  if (ended == StepEnd::taken) {
    ++e.counters.fallbacks;
    return ended;
  }
  std::swap(state.axial_force, e.axial_kept);
  std::swap(state.a_true, e.a_true_kept);
  state.axial_force_valid = valid;
  return ended;
}

}  // namespace

StepEnd step_linearized(Engine& e, State& state, double h) {
  const SchemeWeights w = e.weights(state, h);
  const bool carries = carries_history(e);
  SchemeWeights carried = w;
  if (!carries) carried.cF = 0;
  if (needs_force_now(e, w)) e.find_force_now(state);
  e.extrapolate(state, w);
  e.evaluate_targets(state.at(state.t + h));
  e.base_at_current(state, w);
  Engine::Assembly how;
  how.t = state.t + h;
  if (e.viscous.any()) {  // viscous forces at q_n are not those of a step that ends there
    e.viscous.add_second_order(state, h);
    how.tangent = Tangent::mixed;
    how.axial = state.axial_force.data();
  }
  e.assemble(state, carried, how);
  if (w.cF != 0 && !carries) evaluate_history(e, state, w, state.t + h);
  if (!e.rows.constant()) turn_torques(e, state, h);
  if (!e.factor())
    return step_instead(e, state, h, "the matrix of the step is singular or not finite. ");
  if (!e.solve(state, w))
    return step_instead(e, state, h, "the constraints of the step are singular. ");
  const double turned = e.correct(w);
  if (!(turned < absurd_slope))
    return step_instead(
        e, state, h,
        "the step produced numbers that are not finite or absurdly large: a load is far "
        "too large for the mass and stiffness of the cable. ");
  if (e.switched(state)) return StepEnd::switched;
  if (carries) e.update_true(state, w);
  if (e.options.constraints == ConstraintLevel::baumgarte ||
      (turned <= far_turn && shows_turns(e))) {
    e.accept(state, w, e.step_work(state, w), carries, false);
    return StepEnd::taken;
  }
  e.trial = state;
  e.accept(e.trial, w, e.step_work(e.trial, w), carries, false);
  if (e.makes_energy(state, e.trial)) return step_instead(e, state, h, "");
  std::swap(state, e.trial);
  return StepEnd::taken;
}

}  // namespace hawser

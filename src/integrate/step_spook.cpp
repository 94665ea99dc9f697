// Lacoursiere's stepper: one linear solve at the current state for the velocity half a step ahead,
//
//     v+ = v- + h a1,   q1 = q + h v+,   M a1 = F(q1, linearized at q) + G^T lambda,
//
// with velocities half a step from the positions. The state keeps those at its own time,
// v = v- + h a/2 of the last acceleration, from which v- follows again.
#include "integrate/engine.h"

namespace hawser {
namespace {

SchemeWeights spook_weights(double h) {
  SchemeWeights w;
  w.h = h;
  w.q_v = h;
  w.q_a = -h * h / 2;
  w.v_a = -h / 2;
  w.cq = h * h;
  w.cv = 1.5 * h;
  w.cr = h;      // v+
  w.cg = h / 2;  // halfway from v- to v+
  w.predictor_a = 0;
  return w;
}

}  // namespace

StepEnd step_spook(Engine& e, State& state, double h) {
  const SchemeWeights w = spook_weights(h);
  e.extrapolate(state, w);
  e.evaluate_targets(state.at(state.t + h));
  e.base_at_current(state, w);
  Engine::Assembly how;
  how.t = state.t + h;
  e.assemble(state, w, how);
  if (!e.factor()) return e.failed(state, "the matrix of the step is singular or not finite");
  if (!e.solve(state, w)) return e.failed(state, "the constraints of the step are singular");
  if (!(e.correct(w) < absurd_slope))
    return e.failed(state, "the step produced numbers that are not finite or absurdly large. " +
                               steadier(e.options));
  if (e.switched(state)) return StepEnd::switched;
  e.accept(state, w, e.step_work(state, w), false, false);
  return StepEnd::taken;
}

}  // namespace hawser

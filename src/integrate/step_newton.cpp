// Iterated to a tolerance. Each iteration is a mixed solve (step_mixed.cpp) at the last one's
// result,
//
//     H = cM M + cq [ int EA B^T B + int N_k eps_qq + K_bending ],    N_k+1 = EA eps(q_k) + EA B d
//
// Newton's method for coordinates and axial forces together, the forces condensed (Magisano,
// Leonetti & Garcea 2017, "How to improve efficiency and robustness of the Newton method in
// geometrically non-linear structural problem discretized via displacement-based finite elements").
// It has the same solution as with N_k = EA eps(q_k), which a prediction that is off by a turn
// makes false by EA theta^2/2, and converges from much farther away. The first iterate is the mixed
// step.
//
// Modified: a factorization is used while it converges, across iterations and across steps of the
// same length. The state says which one it is.
//
// A step that does not converge, or makes energy, is taken in parts, each iterated to the
// tolerance; one that does so in 64 parts as well by the fallback of the mixed solve.
#include <algorithm>
#include <cmath>

#include "integrate/engine.h"

namespace hawser {
namespace {

constexpr double slow_rate = 0.2;  ///< of convergence: above it the matrix is renewed
constexpr double far_off = 0.02;   ///< size of a first correction above which energy is looked at

/// Size of the last correction: slopes as they are, positions by the element's length; of bodies
/// metres and radians.
double correction_norm(const Engine& e) {
  double norm = 0;
  for (size_t i = 0; i < e.correction_scale.size(); ++i)
    norm = std::max(norm, std::abs(e.correction[i]) * e.correction_scale[i]);
  return norm;
}

/// Root mean square of factor * (q1 - q*) (Negrut et al. 2005) [m]: positions as they are, wherever
/// the origin is, slopes and turns by their size where that is above 1.
double local_error(const Engine& e, const SchemeWeights& w, const std::vector<double>& predicted) {
  const size_t n = static_cast<size_t>(e.model.structure.coordinates());
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const bool position = i % node_size < 3;
    const double size = position ? 1 : std::max(1.0, std::abs(e.q_new[i]));
    const double d = w.error_factor * (e.q_new[i] - predicted[i]) / size;
    sum += d * d;
  }
  return std::sqrt(sum / static_cast<double>(n));
}

/// How an iteration ended.
struct Iterated {
  bool converged = false;
  bool doubtful =
      false;  ///< far from its prediction, or a tension-only element went slack on the way
};

/// The step up to its acceptance; result in the engine's *_new arrays.
Iterated iterate(Engine& e, const State& state, const SchemeWeights& w) {
  Iterated out;
  e.extrapolate(state, w);
  e.evaluate_targets(state.at(state.t + w.h));
  e.base_at_prediction(state, w);
  e.predicted = e.q_base;
  const Linearization& old = state.factored;
  // Rows, bodies that turn, forces that depend on velocities and a past that gives forces make a
  // matrix that serves one step only.
  bool renew = !e.rows.constant() || !e.model.mechanism.bodies.empty() || e.viscous.any() ||
               e.model.facts.by_velocity ||
               !(old.cq == w.cq && old.cM == w.cM && e.hold(old, state));
  bool held = !renew;
  const double* axial = state.axial_force.data();
  double last = 0;
  for (int it = 0; it < e.options.newton_iterations; ++it) {
    Engine::Assembly how;
    how.t = state.t + w.h;
    how.tangent = renew ? Tangent::mixed : Tangent::none;
    how.axial = axial;
    how.keep_points = true;
    how.renew_non_stiff = it == 0;
    e.assemble(state, w, how);
    if (renew) {
      e.factored.cq = 0;
      if (!e.factor()) return out;
      e.note_factored(w, how);
    }
    if (!e.solve(state, w)) return out;
    e.factored.by_lu = e.solver->report().used_lu;
    if (!(e.correct(w) < absurd_slope)) return out;
    const bool slackens = e.update_axial().pushes;
    const double norm = correction_norm(e), rate = last > 0 ? norm / last : 0;
    out.doubtful |= slackens || norm > far_off;
    out.converged =
        !slackens &&
        (norm <= e.options.newton_tolerance ||
         (rate > 0 && rate < 1 && rate / (1 - rate) * norm <= e.options.newton_tolerance));
    if (out.converged) return out;
    renew = slackens || rate > slow_rate;
    last = norm;
    if (renew && held) {  // the matrix of an earlier step leads astray: begin again
      held = false;
      last = 0;
      e.base_at_prediction(state, w);
      axial = state.axial_force.data();
      continue;
    }
    e.q_base.swap(e.q_new);
    e.a_base.swap(e.a_new);
    std::fill(e.known.begin(), e.known.end(), 0);
    e.axial_geo.swap(e.axial_new);
    axial = e.axial_geo.data();
  }
  return out;
}

/// The result of an iteration becomes the state's.
void take_result(Engine& e, State& state, const SchemeWeights& w) {
  e.update_true(state, w);
  e.accept(state, w, e.step_work(state, w), true, true);
  state.factored = e.factored;
}

/// The step in parts. False, the state as it was, where they do not converge or make energy.
bool take_parts(Engine& e, State& state, double h) {
  const auto part = [&](State& trial, double length) {
    const SchemeWeights w = e.weights(trial, length);
    if (!iterate(e, trial, w).converged) return false;
    take_result(e, trial, w);
    return true;
  };
  const auto sound = [&](const State& trial) { return !e.makes_energy(state, trial); };
  if (!step_in_parts_of(e, state, h, part, sound)) return false;
  ++e.counters.fallbacks;
  return true;
}

}  // namespace

StepEnd step_newton(Engine& e, State& state, double h, double* error, double tolerance) {
  e.find_axial(state);
  const SchemeWeights w = e.weights(state, h);
  const Iterated found = iterate(e, state, w);
  if (error) {
    *error =
        found.converged ? local_error(e, w, e.predicted) : std::numeric_limits<double>::quiet_NaN();
    if (!found.converged) return StepEnd::failed;
    if (*error > tolerance) return StepEnd::taken;
  }
  if (e.switched(state)) return StepEnd::switched;
  if (found.converged && (error || !found.doubtful)) {
    take_result(e, state, w);
    return StepEnd::taken;
  }
  if (found.converged) {
    e.trial = state;
    take_result(e, e.trial, w);
    if (!e.makes_energy(state, e.trial)) {
      std::swap(state, e.trial);
      return StepEnd::taken;
    }
  }
  if (take_parts(e, state, h)) return StepEnd::taken;
  const StepEnd ended = step_fallback(e, state, h);
  if (ended == StepEnd::taken) state.factored.cq = 0;  // no newton step left a matrix
  return ended;
}

}  // namespace hawser

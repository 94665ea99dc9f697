// Iterated to a tolerance. Modified Newton: a factorization is used while it converges, across
// iterations and across steps of the same length. The state says which one it is.
#include <algorithm>
#include <cmath>

#include "integrate/engine.h"

namespace hawser {
namespace {

constexpr double slow_rate = 0.2;  ///< of convergence: above it the matrix is renewed
constexpr double diverging_rate = 2;

/// Size of the last correction: slopes as they are, positions by the element's length; of bodies
/// metres and radians.
double correction_norm(const Engine& e) {
  double norm = 0;
  for (const AncfBatch& batch : e.model.batches) {
    const double inv = 1 / batch.parameters.length;
    const double* d = e.correction.data() + node_size * batch.first_node;
    for (int n = 0; n <= batch.elements; ++n, d += node_size)
      for (int i = 0; i < 3; ++i) norm = std::max({norm, std::abs(d[i]) * inv, std::abs(d[3 + i])});
  }
  for (const BodyData& b : e.model.mechanism.bodies) {
    const double* d = e.correction.data() + node_size * b.node;
    for (int i = 0; i < node_size; ++i) norm = std::max(norm, std::abs(d[i]));
  }
  return norm;
}

/// Root mean square of factor * (q1 - q*), scaled by the size of each coordinate (Negrut et al.
/// 2005: at least 1, so that the tolerance is absolute near the origin).
double local_error(const Engine& e, const SchemeWeights& w, const std::vector<double>& predicted) {
  const size_t n = static_cast<size_t>(e.model.structure.coordinates());
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const double d =
        w.error_factor * (e.q_new[i] - predicted[i]) / std::max(1.0, std::abs(e.q_new[i]));
    sum += d * d;
  }
  return std::sqrt(sum / static_cast<double>(n));
}

}  // namespace

StepEnd step_newton(Engine& e, State& state, double h, double* error, double tolerance) {
  const SchemeWeights w = e.weights(state, h);
  e.extrapolate(state, w);
  e.evaluate_targets(state.t + h);
  e.base_at_prediction(state, w);
  e.predicted = e.q_base;
  const Linearization& old = state.factored;
  // Rows, bodies that turn, forces that depend on velocities and a past that gives forces make a
  // matrix that serves one step only.
  bool renew = e.rows.any() || !e.model.mechanism.bodies.empty() || e.viscous.any() ||
               e.model.velocity_loads || !(old.cq == w.cq && old.cM == w.cM && e.hold(old));
  double last = 0;
  bool converged = false;
  for (int it = 0; it < e.options.newton_iterations && !converged; ++it) {
    Engine::Assembly how;
    how.t = state.t + h;
    how.tangent = renew ? Tangent::own : Tangent::none;
    how.renew_non_stiff = it == 0;
    e.assemble(state, w, how, state.force);
    if (renew) {
      e.factored.cq = 0;
      if (!e.factor()) break;
      e.note_factored(w, how.t);
    }
    if (!e.solve(state, w)) break;
    e.factored.by_lu = e.solver->report().used_lu;
    if (std::isnan(e.correct(w))) break;
    const double norm = correction_norm(e);
    const double rate = it > 0 && last > 0 ? norm / last : 0;
    converged = norm <= e.options.newton_tolerance ||
                (it > 0 && rate < 1 && rate / (1 - rate) * norm <= e.options.newton_tolerance);
    if (renew && rate > diverging_rate) break;
    renew = rate > slow_rate;
    last = norm;
    e.q_base.swap(e.q_new);
    e.a_base.swap(e.a_new);
    std::fill(e.known.begin(), e.known.end(), 0);
  }
  if (!converged) {
    if (error) {
      *error = std::numeric_limits<double>::quiet_NaN();
      return StepEnd::failed;
    }
    return e.failed(state, "Newton's iteration does not converge. " + steadier(e.options));
  }
  e.q_base.swap(e.q_new);
  e.a_base.swap(e.a_new);
  if (error) {
    *error = local_error(e, w, e.predicted);
    if (*error > tolerance) return StepEnd::taken;
  }
  if (e.switched(state)) return StepEnd::switched;
  e.update_force(state, w);
  e.accept(state, h, true, false);
  state.factored = e.factored;
  return StepEnd::taken;
}

}  // namespace hawser

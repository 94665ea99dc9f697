#include "at_rest.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hawser/integrator.h"
#include "model/model_data.h"

namespace hawser {
namespace {

constexpr int most_steps = 4000;
constexpr double still = 1e-10;  ///< speed by that of a fall through the scene

/// Backward Euler takes the energy out of all that moves.
void settle(const Model& model, State& state) {
  const double g = std::max(model.scene().gravity.norm(), 1.0);
  const double size = std::max(model.data().extent, 1e-2);
  SolveOptions options;
  options.scheme = Scheme::backward_euler;
  options.method = Method::newton;
  options.newton_tolerance = 1e-12;
  options.step = 0.3 * std::sqrt(size / g);
  options.energy_guard = 0;
  Integrator integrator(model, options);
  state = integrator.start();
  for (int i = 0; i < most_steps; ++i) {
    if (integrator.step(state) != Status::ok)
      throw std::runtime_error("no rest found: " + integrator.failure().message());
    double fastest = 0;
    for (const double v : state.v) fastest = std::max(fastest, std::abs(v));
    if (fastest < still * std::sqrt(size * g)) return;
  }
  throw std::runtime_error("no rest found: the scene goes on moving");
}

}  // namespace

State at_rest(const Model& model) {
  State state = Integrator(model, {}).start();
  const ModelData& data = model.data();
  if (!data.mechanism.bodies.empty() || !data.mechanism.rows.empty()) {
    settle(model, state);
    return state;
  }
  if (equilibrium(model, state).converged) return state;
  settle(model, state);
  if (const EquilibriumReport report = equilibrium(model, state); !report.converged)
    throw std::runtime_error("no rest found: " + report.message);
  return state;
}

}  // namespace hawser

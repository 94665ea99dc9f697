// The state at t = 0, and the jumps of prescribed rates.
#include <algorithm>

#include "integrate/engine.h"

namespace hawser {

State Engine::start_shape() const {
  State s;
  s.q = s.q_before = model.q0;
  s.v = s.v_before = model.v0;
  s.a.assign(model.padded(), 0);
  s.force = s.a;
  s.axial_force.assign(static_cast<size_t>(model.point_size), 0);
  s.multipliers.assign(model.conditions.size(), 0);
  s.fixed_reaction.assign(model.fixed.size(), 0);
  return s;
}

State Engine::start() {
  State s = start_shape();
  h_next_ = options.step;
  failure = {};
  if (!restart(s, 0))
    fail(Status::diverged, s, "the mass matrix with the constraints is singular at the start");
  const EnergyParts energy = energy_of(model, s);
  s.energy_start = energy.total();
  s.energy_scale = energy.motion();
  return s;
}

bool Engine::restart(State& s, double rate_time) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  evaluate_targets(rate_time, Side::after);
  Assembler::Request request;
  request.q = s.q.data();
  std::fill(inertia_of.begin(), inertia_of.end(), 0);
  request.b = inertia_of.data();
  request.t = s.t;
  request.tangent = Tangent::own;
  request.keep_points = true;
  solver->clear();
  assembler.run(request, solver->sink());
  ++counters.assemblies;
  factored_cq = 0;  // the solver holds the mass matrix now
  if (!factor()) return false;
  // Velocities: the smallest change of momentum that meets the prescribed rates.
  std::fill(x.begin(), x.end(), 0);
  for (size_t k = 0; k < known.size(); ++k) {
    const auto c = static_cast<size_t>(model.fixed[k].coordinate);
    x[c] = fixed_target[k].rate - s.v[c];
  }
  for (size_t r = 0; r < model.conditions.size(); ++r) {
    x[n + r] = condition_target[r].rate;
    for (const auto& [c, f] : model.conditions[r].terms)
      x[n + r] -= f * s.v[static_cast<size_t>(c)];
  }
  solver->solve(x);
  for (size_t i = 0; i < n; ++i) s.v[i] += x[i];
  // Accelerations: balance, with the prescribed ones.
  for (size_t i = 0; i < n; ++i) x[i] = assembler.force[i];
  for (size_t k = 0; k < known.size(); ++k) {
    double& entry = x[static_cast<size_t>(model.fixed[k].coordinate)];
    fixed_residual[k] = entry;
    entry = fixed_target[k].acceleration;
  }
  for (size_t r = 0; r < model.conditions.size(); ++r) x[n + r] = condition_target[r].acceleration;
  solver->solve(x);
  counters.solves += 2;
  for (size_t i = 0; i < n; ++i) s.a[i] = x[i];
  for (size_t r = 0; r < model.conditions.size(); ++r) s.multipliers[r] = -x[n + r];
  solver->fixed_rows_times(x, fixed_product);
  for (size_t k = 0; k < known.size(); ++k)
    s.fixed_reaction[k] = fixed_product[k] - fixed_residual[k];
  assembler.mass_times(s.a.data());
  for (size_t i = 0; i < n; ++i) s.force[i] = assembler.inertia[i];
  if (!s.axial_force_valid) s.axial_force = assembler.force_star;
  s.axial_force_valid = true;
  s.h_before = 0;
  return true;
}

}  // namespace hawser

// The state at t = 0, states to go on from, and the jumps of prescribed rates.
#include <fmt/format.h>

#include <algorithm>

#include "hawser/error.h"
#include "integrate/engine.h"

namespace hawser {

State Engine::start_shape() const {
  State s;
  s.q = s.q_before = model.q0;
  s.v = s.v_before = model.v0;
  s.a.assign(model.padded(), 0);
  s.force = s.factored.q = s.a;
  s.axial_force.assign(static_cast<size_t>(model.point_size), 0);
  s.multipliers.assign(model.conditions.size(), 0);
  s.fixed_reaction.assign(model.fixed.size(), 0);
  return s;
}

State Engine::start() {
  State s = start_shape();
  failure = {};
  if (!restart(s, 0))
    fail(Status::diverged, s, "the mass matrix with the constraints is singular at the start");
  const EnergyParts energy = energy_of(model, s);
  s.energy_start = energy.total();
  s.energy_scale = energy.motion();
  return s;
}

void Engine::resume(const State& s, const Counters& from) {
  const auto check = [](const char* what, const std::vector<double>& array, size_t size) {
    if (array.size() != size)
      throw Error(fmt::format("state to resume from, {}", what),
                  fmt::format("{} numbers", array.size()),
                  fmt::format("{}, the size of the model", size),
                  "Resume with the scene that the state was made with.");
  };
  const size_t n = model.padded();
  check("q", s.q, n);
  check("v", s.v, n);
  check("a", s.a, n);
  check("force", s.force, n);
  check("axial_force", s.axial_force, static_cast<size_t>(model.point_size));
  check("multipliers", s.multipliers, model.conditions.size());
  check("fixed_reaction", s.fixed_reaction, model.fixed.size());
  check("q_before", s.q_before, n);
  check("v_before", s.v_before, n);
  check("factored.q", s.factored.q, n);
  counters = from;
  failure = {};
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
  factored.cq = s.factored.cq = 0;  // the solver holds the mass matrix now
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

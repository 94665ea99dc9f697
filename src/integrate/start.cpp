// The state at t = 0, states to go on from, and the jumps of prescribed rates.
#include <fmt/format.h>

#include <algorithm>

#include "hawser/error.h"
#include "hawser/statics.h"
#include "integrate/engine.h"
#include "model/state_table.h"

namespace hawser {

State Engine::start_shape() const {
  State s = start_pose(model);
  s.books = ledger.blank();
  s.q_before = s.q;
  s.v_before = s.v;
  s.a.assign(model.padded(), 0);
  s.a_true = s.factored.q = s.a;
  s.axial_force.assign(static_cast<size_t>(model.point_size), 0);
  s.factored.axial = s.axial_force;
  s.fixed_reaction.assign(model.structure.fixed.size(), 0);
  s.row_rates.assign(model.rows.size(), 0);
  s.row_largest = s.row_omega = s.row_rates;
  s.impacts.assign(model.rows.size(), {});
  s.oscillations.assign(model.rows.size(), {});
  return s;
}

/// The shape of a scene that starts at rest.
static void come_to_rest(const Model& model, State& s) {
  const auto refuse = [](const std::string& who, const Vec3& velocity, const Vec3& angular) {
    if (velocity.isZero() && angular.isZero()) return;
    throw Error(who + ", velocity", "an initial velocity", "none in a scene that starts at rest",
                "Remove the velocity, or start from a shape: `initial: straight` or `catenary`.");
  };
  for (const Cable& c : model.scene().cables)
    refuse("cable '" + c.name + "'", c.velocity, c.angular_velocity);
  for (const Body& b : model.scene().bodies)
    refuse("body '" + b.name + "'", b.velocity, b.angular_velocity);
  const StaticReport report = equilibrium(model, s);
  if (!report.converged)
    throw Error(
        "the start, initial: static", "no equilibrium: " + report.message, "a stable equilibrium",
        "Constrain what is loose, or start from a shape: `initial: straight` or `catenary`.");
}

State Engine::start(bool search) {
  State s = start_shape();
  failure = {};
  if (rows.any()) {  // what is slack, or away from its limit, starts so
    rows.set.evaluate(s.q.data(), 0, s);
    for (size_t r = 0; r < rows.size(); ++r)
      if (model.rows[r].one_sided && rows.set.phi[r] > 1e-9 * (1 + model.extent)) s.activity[r] = 0;
  }
  begin_contacts(s);
  const bool rests = search && model.scene.initial == Initial::rest;
  if (rests) come_to_rest(model_handle, s);
  if (rests && rows.any()) rows.set.evaluate(s.q.data(), 0, s);
  rows.set.start(s);
  viscous.start(s, rows.set);
  // What slips at rest has the rate that goes with its force.
  const bool at_rest = rests && rows.any();
  if (at_rest) lambda_geo = s.multipliers;
  if (!restart(s, 0, at_rest ? lambda_geo.data() : nullptr))
    fail(Status::diverged, s, "the mass matrix with the constraints is singular at the start");
  if (rows.any()) impacts.follow_start(s, *solver, counters);
  open_books(model, s);
  return s;
}

void Engine::resume(const State& s, const Counters& from) {
  require_same_sizes(s, trial, "state to resume from");
  counters = from;
  failure = {};
  if (s.contacts.size() < static_cast<size_t>(model.contacts) + (model.facts.meets ? 5 : 0))
    throw Error("state to resume from, contacts", fmt::format("{} numbers", s.contacts.size()),
                "those of the model", "Resume with the scene that produced the state.");
  couple_pairs(s);
}

/// Joined nodes take the velocity of their leader, and x the momentum that this takes away.
void Engine::join_velocities(State& s) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  std::copy_n(s.v.begin(), n, v_new.begin());
  model.structure.spread(s.v.data());
  for (size_t i = 0; i < n; ++i) v_new[i] -= s.v[i];
  assembler.mass_times(s.q.data(), v_new.data());
  std::copy_n(assembler.inertia.begin(), n, x.begin());
}

/// Velocities: the smallest change of momentum that meets the prescribed rates.
bool Engine::restart_velocities(State& s, const double* slipping) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  std::fill(x.begin(), x.end(), 0);
  if (!model.structure.shared.empty()) join_velocities(s);
  for (size_t k = 0; k < known.size(); ++k) {
    const auto c = static_cast<size_t>(rows.set.held[k].coordinate);
    x[c] = fixed_target[k].rate - s.v[c];
  }
  if (rows.any()) {
    rows.plan_velocities(s, slipping);
    rows.write(solver->sink());
    rows.fill(x.data() + n);
  }
  if (!factor()) return false;
  ++counters.solves;
  if (solver->solve(x).status != FactorStatus::ok) return false;
  for (size_t i = 0; i < n; ++i) s.v[i] += x[i];
  return true;
}

/// Accelerations: balance, with the prescribed ones.
bool Engine::restart_accelerations(State& s, double rate_time) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  if (rows.any()) rows.find_second_rates(s, rate_time);
  for (bool settled = false; !settled;) {
    for (size_t i = 0; i < n; ++i) x[i] = assembler.force[i];
    if (rows.any()) {
      rows.plan_accelerations(s);
      carried_ = rows.lambda;
      rows.set.add_force(carried_.data(), 1, x.data());
      rows.fill(x.data() + n);
    }
    if (!rows.constant()) {  // others act on velocities and accelerations alike
      rows.write(solver->sink());
      if (!factor()) return false;
    }
    for (size_t k = 0; k < known.size(); ++k) known[k] = fixed_target[k].acceleration;
    prescribe(true);
    ++counters.solves;
    if (solver->solve(x).status != FactorStatus::ok) return false;
    settled = true;
    if (!rows.any()) break;
    rows.slip(*solver, x);
    rows.take(x.data() + n, carried_.data());
    settled = !rows.switch_forces();
  }
  return true;
}

bool Engine::restart(State& s, double rate_time, const double* slipping) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  evaluate_targets(s.at(rate_time), Side::after);
  couple_pairs(s);
  if (rows.any() || !model.mechanism.bodies.empty()) {
    rows.begin(s);
    if (!rows.set.evaluate(s.q.data(), rate_time, s)) return false;
  }
  Wanted wanted;
  wanted.tangent = Tangent::own;
  if (viscous.any()) wanted.viscous = &viscous.terms;
  assembler.keep_points(wanted);
  viscous.renew(s, rows.set);
  solver->clear();
  assemble_now(s, wanted);
  factored.cq = s.factored.cq = 0;  // the solver holds the mass matrix now
  if (!restart_velocities(s, slipping)) return false;
  viscous.renew(s, rows.set);
  if (!model.mechanism.bodies.empty() || model.facts.by_velocity ||
      viscous.any()) {  // forces at the velocities as they are now
    wanted.tangent = Tangent::none;
    assemble_now(s, wanted);
  }
  if (!restart_accelerations(s, rate_time)) return false;
  for (size_t i = 0; i < n; ++i) s.a[i] = x[i];
  s.multipliers = rows.lambda;
  solver->fixed_rows_times(x, fixed_product);
  find_reactions(s.fixed_reaction);
  s.a_true = s.a;
  if (!s.axial_force_valid) s.axial_force = assembler.axial_star;
  s.axial_force_valid = true;
  rows.follow_masters();
  s.activity = rows.activity;
  viscous.take_tensions(s);
  ledger.begin(s);
  s.h_before = 0;
  if (rows.any()) impacts.measure(s, *solver, counters);
  return true;
}

}  // namespace hawser

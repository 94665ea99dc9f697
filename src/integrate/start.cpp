// The state at t = 0, states to go on from, and the jumps of prescribed rates.
#include <fmt/format.h>

#include <algorithm>

#include "hawser/error.h"
#include "hawser/statics.h"
#include "integrate/engine.h"
#include "model/state_table.h"

namespace hawser {

State Engine::start_shape() const {
  State s;
  s.books = accounts_.blank();
  s.inputs = model.inputs;
  s.q = s.q_before = model.q0;
  s.v = s.v_before = model.v0;
  s.a.assign(model.padded(), 0);
  s.a_true = s.factored.q = s.a;
  s.axial_force.assign(static_cast<size_t>(model.point_size), 0);
  s.factored.axial = s.axial_force;
  s.multipliers.assign(model.rows(), 0);
  s.fixed_reaction.assign(model.fixed.size(), 0);
  const Mechanism& m = model.mechanism;
  for (const Eigen::Quaterniond& o : m.orientation)
    s.orientation.insert(s.orientation.end(), {o.w(), o.x(), o.y(), o.z()});
  s.twist.assign(m.routes.size(), 0);
  s.run_length = m.run_length;
  s.wrap = m.wrap;
  s.row_rates.assign(m.rows.size(), 0);
  s.row_largest = s.row_omega = s.row_rates;
  s.blows.assign(m.rows.size(), {});
  s.oscillations.assign(m.rows.size(), {});
  s.activity.assign(m.rows.size() + static_cast<size_t>(m.rubs), 1);
  std::fill(s.activity.begin() + static_cast<ptrdiff_t>(m.rows.size()), s.activity.end(), 0);
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

State Engine::start() {
  State s = start_shape();
  failure = {};
  if (rows.any()) {  // what is slack, or away from its limit, starts so
    rows.set.evaluate(s.q.data(), 0, s);
    for (size_t r = 0; r < rows.size(); ++r)
      if (model.mechanism.rows[r].one_sided && rows.set.phi[r] > 1e-9 * (1 + model.extent))
        s.activity[r] = 0;
  }
  if (model.scene.initial == Initial::rest) come_to_rest(model_handle, s);
  if (model.scene.initial == Initial::rest && rows.any()) rows.set.evaluate(s.q.data(), 0, s);
  for (const RouteData& route : model.mechanism.routes)
    for (size_t r = 0; route.driven && r < route.runs.size(); ++r)
      if (s.activity[static_cast<size_t>(route.runs[r].row)] != 0) {
        const size_t at = static_cast<size_t>(route.first_run) + r;
        s.run_length[at] = rows.set.run_span[at];
      }
  viscous.start(s, rows.set);
  // What slips at rest has the rate that goes with its force.
  const bool at_rest = model.scene.initial == Initial::rest && rows.any();
  if (at_rest)
    std::copy(s.multipliers.end() - static_cast<ptrdiff_t>(rows.size()), s.multipliers.end(),
              lambda_geo.begin());
  if (!restart(s, 0, at_rest ? lambda_geo.data() : nullptr))
    fail(Status::diverged, s, "the mass matrix with the constraints is singular at the start");
  if (rows.any()) {
    was_active_ = s.activity;
    std::fill(had_rates_.begin(), had_rates_.end(), 0);
    follow_blows(s);
  }
  open_books(model, s);
  return s;
}

void Engine::resume(const State& s, const Counters& from) {
  require_same_sizes(s, trial, "state to resume from");
  counters = from;
  failure = {};
}

/// Second rates of the rows of joints and massless cables, without G a: the rate of G v + Phi_t
/// along the motion. Functions of time count with their rates of this moment, rates that jump with
/// those after it; the rest is a difference.
void Engine::second_rates(const State& s, double rate_time, std::vector<double>& out) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  double fastest = 0;
  for (size_t i = 0; i < n; ++i) fastest = std::max(fastest, std::abs(s.v[i]));
  const double tau = 1e-4 / std::max(1.0, fastest);
  constexpr double weight[3] = {-1.5, 2, -0.5};
  std::fill(out.begin(), out.end(), 0);
  for (int k = 2; k >= 0; --k) {  // ends where it began
    for (size_t i = 0; i < n; ++i) q_base[i] = s.q[i] + k * tau * s.v[i];
    rows.set.evaluate(q_base.data(), rate_time, s, k * tau);
    for (size_t r = 0; r < rows.size(); ++r)
      out[r] +=
          weight[k] / tau * (rows.set.times(static_cast<int>(r), s.v.data()) + rows.set.rate[r]);
  }
}

/// Velocities: the smallest change of momentum that meets the prescribed rates.
bool Engine::restart_velocities(State& s, const double* slipping) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
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
  if (rows.any()) {
    rows.plan_velocities(s, slipping);
    rows.write(solver->sink());
    rows.fill(x.data() + n + model.conditions.size());
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
  const size_t first = n + model.conditions.size();
  if (rows.any()) second_rates(s, rate_time, second_);
  for (bool settled = false; !settled;) {
    for (size_t i = 0; i < n; ++i) x[i] = assembler.force[i];
    if (rows.any()) {
      rows.plan_accelerations(s, second_);
      carried_ = rows.lambda;
      rows.set.add_force(carried_.data(), 1, x.data());
      rows.write(solver->sink());
      rows.fill(x.data() + first);
      if (!factor()) return false;
    }
    for (size_t k = 0; k < known.size(); ++k) {
      double& entry = x[static_cast<size_t>(model.fixed[k].coordinate)];
      fixed_residual[k] = entry;
      entry = fixed_target[k].acceleration;
    }
    for (size_t r = 0; r < model.conditions.size(); ++r)
      x[n + r] = condition_target[r].acceleration;
    ++counters.solves;
    if (solver->solve(x).status != FactorStatus::ok) return false;
    settled = true;
    if (!rows.any()) break;
    rows.slip(*solver, x);
    rows.take(x.data() + first, carried_.data());
    settled = !rows.switch_forces();
  }
  return true;
}

bool Engine::restart(State& s, double rate_time, const double* slipping) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  evaluate_targets(s.at(rate_time), Side::after);
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
  for (size_t r = 0; r < model.conditions.size(); ++r) s.multipliers[r] = -x[n + r];
  for (size_t r = 0; r < rows.size(); ++r)
    s.multipliers[model.conditions.size() + r] = rows.lambda[r];
  solver->fixed_rows_times(x, fixed_product);
  find_reactions(s.fixed_reaction);
  s.a_true = s.a;
  if (!s.axial_force_valid) s.axial_force = assembler.axial_star;
  s.axial_force_valid = true;
  rows.follow_masters();
  s.activity = rows.activity;
  viscous.take_tensions(s);
  open_accounts(s);
  s.h_before = 0;
  if (rows.any()) measure_rows(s);
  return true;
}

}  // namespace hawser

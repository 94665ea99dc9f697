// Static equilibrium: Newton's method on K d = F(q), loads raised in equal parts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assembly/assembler.h"
#include "assembly/energy.h"
#include "hawser/error.h"
#include "hawser/integrator.h"
#include "linear/linear_solver.h"

namespace hawser {
namespace {

constexpr int most_iterations = 60;

class StaticNewton {
 public:
  StaticNewton(const ModelData& model, State& state)
      : model_(model),
        state_(state),
        assembler_(model),
        solver_(make_linear_solver(model.structure, LinearBackend::automatic)),
        zero_(model.padded(), 0),
        x_(model.padded() + static_cast<size_t>(model.structure.conditions)) {}

  /// One iteration at a share of the loads; returns the largest unbalanced force before it.
  double iterate(double load_factor) {
    const size_t n = static_cast<size_t>(model_.structure.coordinates());
    Assembler::Request request;
    request.q = state_.q.data();
    request.b = zero_.data();
    request.t = state_.t;
    request.load_factor = load_factor;
    request.tangent = Tangent::own;
    request.mass_weight = 0;
    request.stiffness_weight = 1;
    solver_->clear();
    assembler_.run(request, solver_->sink());
    for (size_t i = 0; i < n; ++i) x_[i] = assembler_.force[i];
    for (size_t r = 0; r < model_.conditions.size(); ++r) {
      const ConditionRow& row = model_.conditions[r];
      x_[n + r] = row.value.at(state_.t).value;
      for (const auto& [c, f] : row.terms) {
        x_[n + r] -= f * state_.q[static_cast<size_t>(c)];
        x_[static_cast<size_t>(c)] += f * state_.multipliers[r];
      }
    }
    double unbalanced = 0;
    for (size_t k = 0; k < model_.fixed.size(); ++k) {
      const auto c = static_cast<size_t>(model_.fixed[k].coordinate);
      state_.fixed_reaction[k] = -x_[c];
      x_[c] = model_.fixed[k].value.at(state_.t).value - state_.q[c];
    }
    for (size_t i = 0; i < n; ++i)
      if (!std::binary_search(model_.structure.fixed.begin(), model_.structure.fixed.end(),
                              static_cast<int>(i)))
        unbalanced = std::max(unbalanced, std::abs(x_[i]));
    if (solver_->factor() != FactorStatus::ok) return std::numeric_limits<double>::quiet_NaN();
    solver_->solve(x_);
    for (size_t i = 0; i < n; ++i) state_.q[i] += x_[i];
    for (size_t r = 0; r < model_.conditions.size(); ++r) state_.multipliers[r] -= x_[n + r];
    correction = 0;
    for (size_t i = 0; i < n; ++i) correction = std::max(correction, std::abs(x_[i]));
    return unbalanced;
  }

  double correction = 0;

 private:
  const ModelData& model_;
  State& state_;
  Assembler assembler_;
  std::unique_ptr<LinearSolver> solver_;
  std::vector<double> zero_, x_;
};

}  // namespace

EquilibriumReport equilibrium(const Model& handle, State& state, int load_steps, double tolerance) {
  if (load_steps < 1)
    throw Error("equilibrium, load steps", std::to_string(load_steps), "1 or more");
  const ModelData& model = handle.data();
  if (!model.mechanism.bodies.empty() || !model.mechanism.rows.empty())
    throw Error("equilibrium", "a scene with bodies, joints or massless cables", "cables alone",
                "Let the scene come to rest: scheme backward-euler, long steps.");
  EquilibriumReport report;
  State trial = state;
  StaticNewton newton(model, trial);
  for (int step = 1; step <= load_steps; ++step) {
    const double factor = static_cast<double>(step) / load_steps;
    bool settled = false;
    for (int it = 0; it < most_iterations && !settled; ++it) {
      report.residual = newton.iterate(factor);
      ++report.iterations;
      if (!std::isfinite(report.residual) || !std::isfinite(newton.correction)) break;
      settled = newton.correction <= tolerance;
    }
    if (!settled) {
      report.message = fmt::format(
          "no equilibrium found at {:.0f} % of the loads: a mechanism is free to move, or the "
          "load steps are too large",
          100 * factor);
      return report;
    }
  }
  report.residual = newton.iterate(1);
  std::fill(trial.v.begin(), trial.v.end(), 0);
  std::fill(trial.a.begin(), trial.a.end(), 0);
  std::fill(trial.force.begin(), trial.force.end(), 0);
  trial.axial_force_valid = false;
  trial.q_before = trial.q;
  trial.v_before = trial.v;
  trial.h_before = trial.h_next = 0;
  trial.factored.cq = 0;
  const EnergyParts energy = energy_of(model, trial);  // the run that follows starts here
  trial.work = 0;
  trial.energy_start = energy.total();
  trial.energy_scale = energy.motion();
  state = std::move(trial);
  report.converged = true;
  return report;
}

}  // namespace hawser

#include "hawser/integrator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/subnormals.h"
#include "hawser/error.h"
#include "integrate/engine.h"

namespace hawser {
namespace {

void check_number(const char* what, double value, bool good, const char* expected) {
  if (!good || !std::isfinite(value))
    throw Error(std::string("solve options, ") + what, fmt::format("{}", value), expected);
}

/// Baumgarte's gains together: a feedback that is too strong or hardly damped grows.
void check_feedback(const SolveOptions& o) {
  if (!o.baumgarte_rate_gain) return;
  const double gain = *o.baumgarte_rate_gain;
  check_number("baumgarte_rate_gain", gain, gain >= 0, "0 or more");
  if (feedback_amplification(o) > 1 + 1e-6)
    throw Error("solve options, baumgarte_rate_gain",
                fmt::format("{} with baumgarte_gain {}", gain, o.baumgarte_gain),
                "gains for which constraint errors do not grow with this scheme",
                "Without baumgarte_rate_gain both gains are equal and stable below 0.76.");
}

/// Spook is a stepper of rows: forces of elements are linearized at the start of the step and taken
/// at its end, which is Backward Euler's rule for them, and damps a cable as that does.
[[noreturn]] void refuse_elements(const ModelData& model) {
  const auto with = std::find_if(model.cables.begin(), model.cables.end(),
                                 [](const CableSpan& span) { return span.elements > 0; });
  const auto at = static_cast<size_t>(with - model.cables.begin());
  throw Error(
      "solve options, method",
      fmt::format("spook with the cable '{}', which has elements", model.scene.cables[at].name),
      "a method for elements: mixed, mixed3 or newton",
      "Spook steps bodies, joints and massless cables; it would damp a cable with elements "
      "like Backward Euler. `model: massless` makes the cable a constraint.");
}

/// What a model cannot be solved with. Position-level rows without compliance keep the undamped
/// modes of the scheme in their forces, which the turning of the rows feeds until they break it
/// (Cardona & Geradin 1989); supports and rows with a constant G do not turn.
void validate(const SolveOptions& o, const ModelData& model) {
  constexpr double most_kept = 0.905;  // hht_alpha = -0.05, and above rho_infinity = 0.9
  const auto& rows = model.rows;
  const auto turns = [](const RowInfo& row) { return !row.constant(); };
  const auto turning = std::find_if(rows.begin(), rows.end(), turns);
  if (o.constraints == ConstraintLevel::baumgarte && turning != rows.end())
    throw Error(
        "solve options, constraints", "baumgarte with " + turning->owner, "position",
        "Joints, attachments, rotating clamps and massless cables are satisfied at the end of "
        "every step; Baumgarte stabilization applies to supports and conditions only.");
  if (model.facts.remembers && o.method != Method::mixed)
    throw Error("solve options, method", "a method other than mixed with contact", "mixed",
                "Only `mixed` accepts a step when its contacts have settled.");
  if (o.method == Method::spook && !model.fields.empty()) refuse_elements(model);
  const auto& cables = model.scene.cables;
  const auto slack = std::find_if(cables.begin(), cables.end(),
                                  [](const Cable& c) { return c.when_slack.has_value(); });
  if (o.method == Method::spook && slack != cables.end())
    throw Error(
        "solve options, method",
        fmt::format("spook with the cable '{}', which has elements when it is slack", slack->name),
        "a method for elements: mixed, mixed3 or newton", "Or remove `when_slack`.");
  if (o.method == Method::mixed3 || o.method == Method::spook) return;
  const auto rigid = std::find_if(rows.begin(), rows.end(), [](const RowInfo& row) {
    return !row.constant() && (row.velocity ? row.slip.is(0) : row.compliance == 0);
  });
  if (rigid == rows.end()) return;
  const double kept = rigid_amplification(o);
  if (kept > most_kept)
    throw Error(
        "solve options, scheme",
        fmt::format("one that preserves {:.3g} % of unresolved oscillations, with {}, which "
                    "is rigid",
                    100 * kept, rigid->owner),
        "a scheme that damps: hht with hht_alpha -0.05 or below, or generalized-alpha with "
        "rho_infinity 0.9 or below",
        "Without damping the forces of rigid joints oscillate and grow, with shorter steps "
        "too.");
}

void validate(const SolveOptions& o) {
  check_number("step", o.step, o.step > 0, "a number of seconds above zero");
  check_number("hht_alpha", o.hht_alpha, o.hht_alpha >= -1.0 / 3 && o.hht_alpha <= 0,
               "a number from -1/3 to 0");
  check_number("rho_infinity", o.rho_infinity, o.rho_infinity >= 0 && o.rho_infinity <= 1,
               "a number from 0 to 1");
  check_number("baumgarte_gain", o.baumgarte_gain, o.baumgarte_gain >= 0 && o.baumgarte_gain < 0.76,
               "a number from 0 to below 0.76, the limit of stability");
  check_feedback(o);
  check_number("newmark_gamma", o.newmark_gamma, o.newmark_gamma >= 0.5 && o.newmark_gamma <= 1,
               "a number from 1/2 to 1: below 1/2 the scheme gains energy");
  check_number("newmark_beta", o.newmark_beta,
               o.newmark_beta >= o.newmark_gamma / 2 && o.newmark_beta <= 1,
               "a number from newmark_gamma/2, the limit of stability for any step, to 1");
  check_number("tolerance", o.tolerance, o.tolerance > 0, "a length above zero");
  check_number("newton_tolerance", o.newton_tolerance, o.newton_tolerance > 0,
               "a number above zero");
  check_number("newton_iterations", o.newton_iterations, o.newton_iterations > 0, "1 or more");
  check_number("factorization_cap", o.factorization_cap, o.factorization_cap >= 0, "0 or more");
  check_number("energy_guard", o.energy_guard, o.energy_guard >= 0, "0 or more");
  if (o.method == Method::mixed3 && o.constraints == ConstraintLevel::baumgarte)
    throw Error("solve options, constraints", "baumgarte with mixed3", "position",
                "Every stage of mixed3 satisfies its constraints exactly.");
  if (o.error_control && o.method != Method::newton)
    throw Error("solve options, error_control", "a method other than newton", "method = newton",
                "The methods with one solve per step use constant steps: their cost is fixed.");
}

}  // namespace

std::string Failure::message() const {
  if (status == Status::ok) return {};
  std::string where = cable.empty() ? "" : fmt::format(", cable '{}', element {}", cable, element);
  return fmt::format("stopped at t = {:.6g} s{}: {}.", time, where, cause);
}

Integrator::Integrator(const Model& model, const SolveOptions& options) {
  validate(options);
  validate(options, model.data());
  engine_ = std::make_unique<Engine>(model, options);
}
Integrator::~Integrator() = default;
Integrator::Integrator(Integrator&&) noexcept = default;
Integrator& Integrator::operator=(Integrator&&) noexcept = default;

State Integrator::start(bool search) {
  const FlushSubnormals flush;
  return engine_->start(search);
}

void Integrator::resume(const State& state, const Counters& counters) {
  const FlushSubnormals flush;
  engine_->resume(state, counters);
}

MeshChange Integrator::change_mesh(const Model& next, State& state) {
  const FlushSubnormals flush;
  validate(engine_->options, next.data());
  auto engine = std::make_unique<Engine>(next, engine_->options);
  MeshChange change;
  State taken = engine->take_over(*engine_, state, change);
  engine->counters = engine_->counters;
  ++engine->counters.mesh_changes;
  if (differ_in_fidelity(engine_->model, engine->model)) ++engine->counters.fidelity_changes;
  state = std::move(taken);
  engine_ = std::move(engine);
  return change;
}

Status Integrator::step(State& state, double until) {
  const FlushSubnormals flush;
  return engine_->step(state, until);
}

Status Integrator::advance(State& state, double until) {
  const FlushSubnormals flush;
  const SolveOptions& options = engine_->options;
  const double slack = options.error_control ? 0 : options.step / 2;
  const double stop = options.error_control ? until : std::numeric_limits<double>::infinity();
  while (state.t < until - slack)
    if (const Status status = engine_->step(state, stop); status != Status::ok) return status;
  return Status::ok;
}

const Counters& Integrator::counters() const { return engine_->counters; }
const Failure& Integrator::failure() const { return engine_->failure; }
const Model& Integrator::model() const { return engine_->model_handle; }
const SolveOptions& Integrator::options() const { return engine_->options; }
const char* Integrator::linear_solver() const { return engine_->solver->name(); }

}  // namespace hawser

// What surrounds a solve: jumps before it, the guard on energy after it, the length of the next
// step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrate/engine.h"

namespace hawser {

Status Engine::fail(Status status, const State& s, const std::string& cause) {
  failure.status = status;
  failure.time = s.t;
  failure.cause = rows.set.fault.empty() ? cause : rows.set.fault;
  if (!rows.set.fault.empty()) return status;  // names its cable
  int element = most_energetic_element(model, s.q.data(), s.v.data());
  const auto& elements = model.structure.elements;
  for (int i = 0; i < model.structure.coordinates(); ++i)
    if (!std::isfinite(q_new[static_cast<size_t>(i)])) {
      const auto at = std::find_if(elements.begin(), elements.end(),
                                   [i](const auto& e) { return e.second >= i / node_size; });
      element = static_cast<int>(at - elements.begin());
      break;
    }
  for (size_t i = 0; i < model.cables.size(); ++i) {
    const CableSpan& span = model.cables[i];
    if (element < span.first_element || element >= span.first_element + span.elements) continue;
    failure.cable = model.scene.cables[i].name;
    failure.element = element - span.first_element;
  }
  return status;
}

/// What makes a step steadier and is not in use yet.
static std::string steadier(const SolveOptions& o) {
  const std::string step = o.error_control ? "Take a smaller tolerance" : "Take a shorter step";
  if (o.method != Method::mixed) return step + ", or method = mixed with scheme = hht";
  return o.scheme == Scheme::hht ? step : step + ", or scheme = hht";
}

Status Engine::check_energy(State& s) {
  const EnergyParts energy = energy_of(model, s);
  const double gain = energy.total() - s.energy_start - s.work;
  const double weight =
      model.total_mass * model.scene.gravity.norm() * std::max(model.total_length, model.extent);
  double round_off = 0;  // what a strain of 1e-6 stores: below it there is no motion to speak of
  for (const AncfBatch& batch : model.batches)
    round_off += 1e-12 * batch.parameters.law.EA * batch.parameters.length * batch.elements;
  s.energy_scale = std::max(s.energy_scale, energy.motion() - std::max(gain, 0.0));
  const double allowed = options.energy_guard * std::max({s.energy_scale, 1e-3 * weight,
                                                          1e-3 * std::abs(s.work), round_off});
  if (gain <= allowed) return Status::ok;
  return fail(Status::energy_gain, s,
              fmt::format("the energy has grown by {:.3g} J that no load supplied: the step of "
                          "{:g} s is unstable here. {}",
                          gain, s.h_before, steadier(options)));
}

/// A restart meets the kinks within half of this on either side: controlled steps end on them.
double Engine::kink_window() const { return options.step * (options.error_control ? 1e-9 : 1.0); }

bool Engine::kink_near(double t, double& kink) const {
  const double h = kink_window();
  const auto at = std::upper_bound(model.kinks.begin(), model.kinks.end(), t - h / 2);
  if (at == model.kinks.end() || *at > t + h / 2) return false;
  kink = *at;
  return true;
}

Status Engine::take_step(State& s, double h) {
  switch (options.method) {
    case Method::linearized:
      return step_linearized(*this, s, h);
    case Method::mixed:
      return step_mixed(*this, s, h);
    case Method::mixed3:
      return step_mixed3(*this, s, h);
    case Method::newton:
      return step_newton(*this, s, h, nullptr, 0);
    case Method::spook:
      return step_spook(*this, s, h);
  }
  return Status::ok;
}

Status Engine::step(State& s, double until) {
  constexpr long check_every = 16;
  const bool controlled = options.error_control;
  const double h = options.step;
  double kink = 0;
  if (!model.kinks.empty() && kink_near(s.t, kink)) {
    ++counters.restarts;
    const double kinetic = energy_of(model, s).kinetic;
    if (!restart(s, std::max(kink, s.t), h))
      return fail(Status::diverged, s, "the constraints are singular where a motion changes speed");
    s.work += energy_of(model, s).kinetic - kinetic;  // of the supports' impulse
  }
  const Status status = controlled ? controlled_step(s, until) : take_step(s, h);
  if (status != Status::ok) return status;
  if (rows.any() && rows.set.meeting(s.v.data(), s.h_before)) return fail(Status::diverged, s, {});
  // Times on the grid of the steps, not sums of rounded ones, so that they do not drift.
  const double grid = h * static_cast<double>(s.steps);
  if (!controlled && std::abs(s.t - grid) < 1e-6 * h) s.t = grid;
  ++counters.steps;
  if (options.energy_guard > 0 && s.steps % check_every == 0) return check_energy(s);
  return Status::ok;
}

/// Negrut et al. 2005: the local error of the positions is a multiple of |q1 - q*|; the step
/// follows its cube root. A step is kept when it would grow little, so that the factorization
/// can be used again.
Status Engine::controlled_step(State& s, double until) {
  double next = s.h_next > 0 ? s.h_next : options.step;
  const auto kink = std::upper_bound(model.kinks.begin(), model.kinks.end(), s.t + 1e-9 * next);
  const double limit = kink == model.kinks.end() ? until : std::min(until, *kink);
  for (int tries = 0; tries < 40; ++tries) {
    double h = next;
    const double left = limit - s.t;
    const bool last = h >= left * (1 - 1e-9);
    if (last)
      h = left;
    else if (h > left / 2)
      h = left / 2;
    double error = 0;
    const Status status = step_newton(*this, s, h, &error, options.tolerance);
    const int order = scheme_weights(options, h, s.h_before).order;
    double factor = 0.25;
    if (status == Status::ok || std::isfinite(error))
      factor = std::clamp(
          0.85 * std::pow(options.tolerance / std::max(error, 1e-300), 1.0 / (order + 1)), 0.2,
          2.0);
    if (status == Status::ok && error <= options.tolerance) {
      if (last) s.t = limit;
      if (!last || factor < 1) next = factor > 1 && factor < 1.15 ? h : h * factor;
      s.h_next = next;
      return Status::ok;
    }
    ++counters.rejected;
    next = h * std::min(factor, 0.8);
    if (next < 1e-12 * std::max(1.0, s.t)) break;
  }
  return fail(Status::step_too_small, s,
              fmt::format("no step, however short, meets the tolerance of {:g} m: a load or motion "
                          "jumps here, or the tolerance is below round-off",
                          options.tolerance));
}

}  // namespace hawser

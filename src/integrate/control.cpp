// What surrounds a step: the guard on energy, error control.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrate/engine.h"
#include "integrate/march.h"

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

std::string steadier(const SolveOptions& o) {
  const std::string step = o.error_control ? "Take a smaller tolerance" : "Take a shorter step";
  const bool mixed = o.method == Method::mixed, hht = o.scheme == Scheme::hht;
  if (mixed && hht) return step;
  return step + ", or " + (mixed ? "" : "method = mixed") + (mixed || hht ? "" : " with ") +
         (hht ? "" : "scheme = hht");
}

double Engine::energy_gain(State& s) const {
  const EnergyParts energy = energy_of(model, s);
  const double gain = energy.total() - s.energy_start - s.work;
  s.energy_scale = std::max(s.energy_scale, energy.motion() - std::max(gain, 0.0));
  s.largest_gain = std::max(s.largest_gain, gain);
  return gain;
}

bool Engine::breaks_balance(const State& before, const State& after) const {
  constexpr double of_exchange = 0.02, of_motion = 1e-5;
  const EnergyParts from = energy_of(model, before), to = energy_of(model, after);
  const double gain = to.total() - after.work - (from.total() - before.work);
  const double exchange = std::abs(to.kinetic - from.kinetic);
  const double slight =
      of_exchange * exchange + of_motion * std::max(before.energy_scale, from.motion());
  const double damped = (1 - unresolved_kept * unresolved_kept) * exchange;
  return !(gain <= slight && -gain <= slight + damped);
}

double Engine::energy_in_motion(const State& s) const {
  const double weight =
      model.total_mass * model.scene.gravity.norm() * std::max(model.total_length, model.extent);
  double round_off = 0;  // what a strain of 1e-6 stores: below it there is no motion to speak of
  for (const AncfBatch& batch : model.batches)
    round_off += 1e-12 * batch.parameters.law.EA * batch.parameters.length * batch.elements;
  return std::max({s.energy_scale, 1e-3 * weight, 1e-3 * std::abs(s.work), round_off});
}

bool Engine::makes_energy(const State& before, const State& after) const {
  constexpr double of_exchange = 0.05, of_motion = 1e-4;
  const EnergyParts from = energy_of(model, before), to = energy_of(model, after);
  const double worked = after.work - before.work;
  const double made = to.total() - from.total() - worked;
  const double exchange = std::max(std::abs(to.kinetic - from.kinetic), std::abs(worked));
  return !(made <=
           of_exchange * exchange + of_motion * std::max(energy_in_motion(before), from.motion()));
}

Status Engine::check_energy(State& s) {
  const double gain = energy_gain(s);
  if (gain <= options.energy_guard * energy_in_motion(s)) return Status::ok;
  return fail(Status::energy_gain, s,
              fmt::format("the energy has grown by {:.3g} J that no load supplied: the step of "
                          "{:g} s is unstable here. {}",
                          gain, s.h_before, steadier(options)));
}

/// Rigid rows that ask for different motions yield to each other: what they hold comes apart.
/// Spook lets rows that are disturbed come apart for a while.
Status Engine::check_rigid_rows(State& s) {
  if (!rows.any() || options.method == Method::spook) return Status::ok;
  constexpr double apart = 1e-3, too_fast = 0.05;  // of the scene, of the speeds
  const auto& info = model.mechanism.rows;
  rows.set.evaluate(s.q.data(), s.t, s);
  double fastest = 0;
  for (int i = 0; i < model.structure.coordinates(); ++i)
    fastest = std::max(fastest, std::abs(s.v[static_cast<size_t>(i)]));
  for (size_t r = 0; r < rows.size(); ++r) fastest = std::max(fastest, std::abs(rows.set.rate[r]));
  size_t worst = rows.size();
  double most = 1;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (s.activity[r] == 0 || !rows.rigid(r, s.t)) continue;
    const bool velocity = info[r].velocity;
    const double value = velocity
                             ? rows.set.times(static_cast<int>(r), s.v.data()) + rows.set.rate[r]
                             : rows.set.phi[r];
    const double off = (info[r].one_sided ? -value : std::abs(value)) /
                       (velocity ? too_fast * fastest + 1e-6 : apart * (1 + model.extent));
    if (!(off > most)) continue;
    most = off;
    worst = r;
  }
  if (worst == rows.size()) return Status::ok;
  return fail(Status::diverged, s,
              info[worst].owner +
                  " cannot be met: rigid joints, drives and winches ask for different motions. Let "
                  "one of them yield: `compliance` of a joint, `slip` of a drive, `payout` instead "
                  "of `speed`");
}

/// Negrut et al. 2005: the local error of the positions is a multiple of |q1 - q*|; the step
/// follows its cube root. A step is kept when it would grow little, so that the factorization
/// can be used again. Where nothing but rounding is left, time alone goes on: rounded positions
/// over a step that short would be speeds.
StepEnd Engine::controlled_step(State& s, double until) {
  constexpr double shortest = 1e-6;  // of the first step
  if (until - s.t <= 1e-12 * std::max(options.step, s.t)) {
    s.t = until;
    return StepEnd::taken;
  }
  if (!leave_kink(s)) return StepEnd::failed;
  double next = s.h_next > 0 ? s.h_next : options.step;
  const double kink = next_kink(s.t, until);
  const double limit = std::min(until, kink);
  for (int tries = 0; tries < 40; ++tries) {
    double h = next;
    const double left = limit - s.t;
    const bool last = h >= left * (1 - 1e-9);
    if (last)
      h = left;
    else if (h > left / 2)
      h = left / 2;
    double error = 0;
    scheme_ = must_damp(s, h) ? Scheme::backward_euler : options.scheme;
    stops_at_switch_ = tries < most_splits;
    horizon_ = last ? kink : HUGE_VAL;
    const StepEnd ended = step_newton(*this, s, h, &error, options.tolerance);
    const int order = weights(s, h).order;
    if (ended == StepEnd::switched) {
      s.h_next = next;
      if (!resolves(s, h)) {  // where rows switch is not known from it
        next = resolved_angle / s.fastest_omega;
        continue;
      }
      return can_follow(s) ? split(s, h) : cut(s, h);
    }
    double factor = 0.25;
    if (ended == StepEnd::taken || std::isfinite(error))
      factor = std::clamp(
          0.85 * std::pow(options.tolerance / std::max(error, 1e-300), 1.0 / (order + 1)), 0.2,
          2.0);
    if (ended == StepEnd::taken && error <= options.tolerance) {
      if (last) s.t = limit;
      if (!last || factor < 1) next = factor > 1 && factor < 1.15 ? h : h * factor;
      s.h_next = next;
      return StepEnd::taken;
    }
    ++counters.rejected;
    next = h * std::min(factor, 0.8);
    if (next < shortest * options.step) break;
  }
  fail(Status::step_too_small, s,
       fmt::format("no step down to {:.1g} s meets the tolerance of {:g} m: a load or motion jumps "
                   "here, a contact or element is too stiff for it, or the tolerance is below "
                   "round-off. Take a larger tolerance",
                   shortest * options.step, options.tolerance));
  return StepEnd::failed;
}

}  // namespace hawser

// What surrounds a step: the guard on energy, error control.
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

static std::string shorter(const SolveOptions& o) {
  return o.error_control ? "Take a smaller tolerance" : "Take a shorter step";
}

std::string steadier(const SolveOptions& o) {
  const std::string step = shorter(o);
  const bool mixed = o.method == Method::mixed, hht = o.scheme == Scheme::hht;
  if (mixed && hht) return step;
  return step + ", or " + (mixed ? "" : "method = mixed") + (mixed || hht ? "" : " with ") +
         (hht ? "" : "scheme = hht");
}

Engine::Exchange Engine::exchange(const State& before, const State& after) const {
  const EnergyParts from = energy_of(model, before), to = energy_of(model, after);
  const double work = after.books.work - before.books.work;
  return {to.total() - from.total() - work, std::abs(to.kinetic - from.kinetic), std::abs(work),
          to.total() - after.books.start - after.books.work};
}

bool Engine::breaks_balance(const State& before, const State& after) const {
  constexpr double of_exchange = 0.02, of_motion = 1e-5, of_return = 0.3;
  const Exchange found = exchange(before, after);
  const double slight = of_exchange * found.kinetic + of_motion * before.books.scale;
  const bool returned = found.balance <= 0 && found.gain <= of_return * found.kinetic;
  if (!lasting) return !(found.gain <= slight || returned);
  const double damped = (1 - unresolved_kept * unresolved_kept) * found.kinetic;
  return !(found.gain <= slight && -found.gain <= slight + damped);
}

bool Engine::makes_energy(const State& before, const State& after) const {
  constexpr double of_exchange = 0.05, of_motion = 1e-4;
  const Exchange found = exchange(before, after);
  return !(found.gain <=
           of_exchange * std::max(found.kinetic, found.work) +
               of_motion * std::max(energy_scale(model, before.books, 1e-3), least_energy_));
}

/// Energy may swing at first, where little moves, and about an impact: a gain counts when it stays.
Status Engine::check_energy(State& s) {
  constexpr long stays = 16;  // steps
  Books& b = s.books;
  const double gain = b.balance;
  if (!(gain > options.energy_guard * b.scale) ||
      !(gain > options.energy_guard * std::max(energy_scale(model, b, 1e-3), least_energy_))) {
    b.gain_since = -1;
    b.gain_steps = 0;
    return Status::ok;
  }
  if (b.gain_since < 0) b.gain_since = s.t;
  if (++b.gain_steps < stays) return Status::ok;
  const std::string grown =
      fmt::format("since t = {:.6g} s the energy has increased by {:.3g} J without a source",
                  b.gain_since, gain);
  return b.by_switches > gain / 2
             ? fail(Status::energy_gain, s,
                    grown + ", where cables come taut, limits are reached or speeds jump. " +
                        shorter(options))
             : fail(Status::energy_gain, s,
                    fmt::format("{}: the step of {:g} s is unstable here. {}", grown,
                                s.h_before > 0 ? s.h_before : options.step, steadier(options)));
}

/// Rigid rows that ask for different motions yield to each other: what they hold comes apart.
/// Spook lets rows that are disturbed come apart for a while.
Status Engine::check_rigid_rows(State& s) {
  if (rows.constant() || options.method == Method::spook) return Status::ok;
  constexpr double apart = 1e-3, too_fast = 0.05;  // of the scene, of the speeds
  const auto& info = model.rows;
  rows.set.evaluate(s.q.data(), s.t, s);
  double fastest = 0;
  for (int i = 0; i < model.structure.coordinates(); ++i)
    fastest = std::max(fastest, std::abs(s.v[static_cast<size_t>(i)]));
  for (size_t r = 0; r < rows.size(); ++r) fastest = std::max(fastest, std::abs(rows.set.rate[r]));
  size_t worst = rows.size();
  double most = 1;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (s.activity[r] == 0 || info[r].constant() || info[r].limited || !rows.rigid(r, s.now()))
      continue;
    const bool velocity = info[r].velocity;
    const double value = velocity ? rows.set.rate_of(r, s.v.data()) : rows.set.phi[r];
    const double off = (info[r].one_sided ? -value : std::abs(value)) /
                       (velocity ? too_fast * fastest + 1e-6 : apart * (1 + model.extent));
    if (!(off > most)) continue;
    most = off;
    worst = r;
  }
  if (worst == rows.size()) return Status::ok;
  return fail(
      Status::diverged, s,
      info[worst].owner +
          " cannot be satisfied: rigid joints, drives and winches require different motions. Make "
          "one of them compliant: `compliance` of a joint, `slip` of a drive, `payout` instead "
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
  const double kink = next_kink(s, s.t, until);
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
      return impacts.can_follow(s) ? split(s, h) : cut(s, h);
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
                   "here, a contact or element is too stiff, or the tolerance is below "
                   "round-off. Use a larger tolerance",
                   shortest * options.step, options.tolerance));
  return StepEnd::failed;
}

}  // namespace hawser

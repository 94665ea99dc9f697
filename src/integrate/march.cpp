// What a step is made of. It ends on kinks, which functions of time have, and where a one-sided row
// begins or ceases to push; there velocities and accelerations start anew. While a row follows a
// impact the step is divided so that 20 parts make a period. With factorization_cap a step is one
// solve, by Backward Euler where it holds any of these, and what it does not resolve is noted.
//
// A scheme that looks back on accelerations must not go on from one that its step cannot resolve:
// the first step of its length, or after a restart, is Backward Euler's where a row that acts
// oscillates faster than the step resolves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hawser/error.h"
#include "integrate/engine.h"
#include "model/meetings.h"

namespace hawser {
namespace {

constexpr int most_splits_a_step = 16;  ///< at rows that switch
/// Share of a step that is left out of a part, from which on the part does not put all errors of
/// positions right.
constexpr double short_part = 0.5;

/// A time that is a whole step but for rounding is one: matrices of its length serve again.
double whole_step(double step, double h) { return std::abs(h - step) < 1e-6 * step ? step : h; }

}  // namespace

StepEnd Engine::take_step(State& s, double h, bool euler) {
  scheme_ = euler ? Scheme::backward_euler : options.scheme;
  find_pairs(s, h);
  if (rows.any()) {
    const double share = options.error_control ? 0 : std::max(0.0, 1 - h / options.step);
    if (share > short_part) rows.set.evaluate(s.q.data(), s.t, s);
    rows.keep_errors(share > short_part ? share : 0, s.now());
  }
  switch (options.method) {
    case Method::linearized:
      return step_linearized(*this, s, h);
    case Method::mixed:
      return step_mixed(*this, s, h);
    case Method::mixed3:
      return euler ? step_mixed(*this, s, h) : step_mixed3(*this, s, h);
    case Method::newton:
      return step_newton(*this, s, h, nullptr, 0);
    case Method::spook:
      return step_spook(*this, s, h);
  }
  return StepEnd::taken;
}

/// Velocities have jumped, and with them the forces of dashpots in elements: the accelerations are
/// those of motions that die away in far less than a step.
bool Engine::dashpots_jumped(const State& s) const {
  return s.h_before == 0 && viscous.has_dashpots();
}

bool Engine::must_damp(const State& s, double h) const {
  if (dashpots_jumped(s)) return true;
  // Accelerations of an impact last for far less than a step (finish_parts).
  if (model.facts.remembers && s.h_before == 0 && s.steps > 0) return true;
  const bool longer = options.error_control ? s.h_before == 0 : h > s.h_before * (1 + 1e-6);
  return longer && (!resolves(s, h) || (s.h_before == 0 && rows.slipping(s.activity, s.now())));
}

/// The next kink after a time and not after `end`; infinity: none.
double Engine::next_kink(const State& s, double after, double end) const {
  const double reach = kink_reach * options.step;
  const auto at = std::upper_bound(model.kinks.begin(), model.kinks.end(), after + reach);
  const double first =
      std::min(at == model.kinks.end() ? HUGE_VAL : *at, rows.set.jump_after(s, after + reach));
  return first > end + reach ? HUGE_VAL : first;
}

/// How much of what is left of a step to take at once.
double Engine::part_of(const State& s, double left) const {
  double part = left;
  if (s.t < s.follow_until) {
    const double parts = std::ceil(s.follow_omega * options.step / resolved_angle);
    part = left / std::max(1.0, std::ceil(left * parts / options.step - 1e-6));
  }
  return s.h_before == 0 && viscous.any() ? part / 4 : part;  // rates of strain begin anew
}

/// The state has come to a kink, or an input was set: rates jump.
bool Engine::pass_kink(State& s, double kink) {
  s.rates_jumped = false;
  s.t = std::max(s.t, kink);
  ++counters.restarts;
  impacts.remember(s);
  const double kinetic = energy_of(model, s).kinetic;
  if (!restart(s, s.t)) {
    fail(Status::diverged, s, "the constraints are singular where the speed of a motion jumps");
    return false;
  }
  s.books.work += energy_of(model, s).kinetic - kinetic;  // of the supports' impulse
  ledger.tally(s, Ledger::Cause::switches);
  if (rows.any()) impacts.follow(s, *solver, counters);
  return true;
}

/// Where the step before ended on a kink, or an input was set after it, this one begins with the
/// jump.
bool Engine::leave_kink(State& s) {
  if (s.rates_jumped) return pass_kink(s, s.t);
  if (s.h_before == 0) return true;  // balanced just now
  const double reach = kink_reach * options.step, kink = next_kink(s, s.t - 2 * reach, s.t);
  return kink > s.t + reach || pass_kink(s, kink);
}

/// Takes the part of a step of h up to the first of the rows that switch in it, none of them
/// switching; where that is was found from a step in which they did, and is found more closely.
StepEnd Engine::go_to_switch(State& s, double h, double& first) {
  constexpr int most_tries = 4;
  stops_at_switch_ = false;
  horizon_ = HUGE_VAL;
  split_origin_ = s;
  for (int tries = 1;; ++tries) {
    rows.held = true;
    const StepEnd ended = take_step(s, first * h, must_damp(s, first * h));
    rows.held = false;
    if (ended != StepEnd::taken || tries == most_tries) return ended;
    const double nearer = impacts.nearer_switch(split_origin_, s, first, h);
    if (nearer == first) return ended;
    first = nearer;
    s = split_origin_;
    if (first <= none_of_step) return StepEnd::taken;
  }
}

/// The step of h just tried holds rows that switch: goes to the first of them, switches it there
/// and starts anew.
StepEnd Engine::split(State& s, double h) {
  double first = impacts.find_switches(s, h, v_new.data(), correction.data());
  if (first > none_of_step)
    if (const StepEnd ended = go_to_switch(s, h, first); ended != StepEnd::taken) return ended;
  impacts.remember(s);
  impacts.switch_first(s);
  ++counters.restarts;
  const double kinetic = energy_of(model, s).kinetic;
  if (!restart(s, s.t))
    return failed(s, "the constraints are singular where a constraint becomes active");
  s.books.work += energy_of(model, s).kinetic - kinetic;  // what an impact without rebound takes
  ledger.tally(s, Ledger::Cause::switches);
  impacts.follow(s, *solver, counters);
  return StepEnd::taken;
}

/// The step of h just tried holds rows that switch and that it cannot follow: Backward Euler, in
/// parts unless there is a deadline, and the peak of the impact as the space of the rows has it.
/// What is rigid stops there.
StepEnd Engine::cut(State& s, double h) {
  impacts.note_activity();
  trial = s;
  if (!restart(trial, s.t))
    return failed(s, "the constraints are singular at the beginning of the step");
  impacts.foresee(trial, h, *solver, counters);
  impacts.remember(s);
  stops_at_switch_ = false;
  const double balance = s.books.balance, by_steps = s.books.by_steps,
               by_fallbacks = s.books.by_fallbacks;
  find_axial(s);
  const bool at_once = deadline() || options.method == Method::spook;
  const StepEnd ended = at_once ? take_step(s, h, true) : step_fallback(*this, s, h);
  if (ended != StepEnd::taken) return ended;
  if (!impacts.note_impacts(s, h, balance - s.books.balance)) return StepEnd::taken;
  ++counters.restarts;
  if (!restart(s, s.t))
    return failed(s, "the constraints are singular where a constraint becomes active");
  s.books.work += energy_of(model, s).total() - s.books.start - s.books.work - balance;
  s.books.by_fallbacks = by_fallbacks;  // it is what an impact without rebound takes
  s.books.by_steps = by_steps;
  s.books.balance = balance;
  return StepEnd::taken;
}

StepEnd Engine::step_in_parts(State& s, double end) {
  bool kept = false;
  const auto keep = [&] {
    if (!kept) origin_ = s;
    kept = true;
  };
  int splits = 0, all_splits = 0;
  StepEnd ended = StepEnd::taken;
  while (ended == StepEnd::taken && end - s.t > kink_reach * options.step) {
    if (!leave_kink(s)) {
      ended = StepEnd::failed;
      break;
    }
    const double kink = next_kink(s, s.t, end), to = std::min(end, kink);
    const double left = whole_step(options.step, to - s.t), h = part_of(s, left);
    const bool last = h == left;
    if (to < end || !last) keep();
    horizon_ = last ? kink : HUGE_VAL;
    stops_at_switch_ = splits < most_splits && all_splits < most_splits_a_step;
    const double from = s.t, balance = s.books.balance;
    ended = take_step(s, h, must_damp(s, h) || !stops_at_switch_);
    if (ended == StepEnd::taken && impacts.impact_at(s, from)) Impacts::take_loss(s, from, balance);
    if (ended == StepEnd::switched) {
      keep();
      if (!resolves(s, h) &&
          impacts.can_divide(s.fastest_omega)) {  // where rows switch is not known
        Impacts::divide_until(s, s.fastest_omega, s.t + left);
        ended = StepEnd::taken;
        continue;
      }
      if (options.method != Method::spook && resolves(s, h) && impacts.can_follow(s)) {
        ++splits;
        ++all_splits;
        ended = split(s, h);
        continue;
      }
      ended = cut(s, h);
    }
    splits = 0;
    if (ended == StepEnd::taken && last) s.t = to;
  }
  if (ended != StepEnd::taken && kept) std::swap(s, origin_);
  return ended;
}

StepEnd Engine::step_at_once(State& s, double end) {
  if (!leave_kink(s)) return StepEnd::failed;
  const double h = whole_step(options.step, end - s.t), kink = next_kink(s, s.t, end);
  const bool inside = kink < end - kink_reach * options.step;
  horizon_ = inside ? HUGE_VAL : kink;
  stops_at_switch_ = true;
  StepEnd ended = take_step(s, h, inside || must_damp(s, h));
  if (ended == StepEnd::switched) {
    origin_ = s;
    ended = cut(s, h);
    if (ended != StepEnd::taken) std::swap(s, origin_);
  }
  if (ended != StepEnd::taken) return ended;
  s.t = end;
  return inside && !pass_kink(s, end) ? StepEnd::failed : ended;
}

StepEnd Engine::march(State& s, double end) {
  const long steps = s.steps + 1;
  const StepEnd ended = deadline() ? step_at_once(s, end) : step_in_parts(s, end);
  if (ended == StepEnd::taken) s.steps = steps;
  return ended;
}

/// Whoever steps a scene with feedback applies it.
void Engine::require_feedback(const State& s) const {
  if (!model.has_feedback || s.feedback_time == s.t) return;
  const auto& inputs = model.scene.inputs;
  const auto with = std::find_if(inputs.begin(), inputs.end(),
                                 [](const Input& input) { return input.feedback.has_value(); });
  throw Error(ErrorObject("input", with->name),
              fmt::format("a step from t = {:g} s without its feedback", s.t),
              "Feedback::apply() before every step", "`run` of hawser/run.h does it.");
}

/// Times on the grid of the steps, not sums of rounded ones, so that they do not drift. From a time
/// between two of them the step is shortened; it is not much shorter than the others.
double Engine::end_of_step(const State& s) const {
  const double h = options.step, grid = h * static_cast<double>(s.steps + 1), rest = grid - s.t;
  if (std::abs(rest - h) < 1e-6 * h) return grid;
  if (!(rest > 1e-6 * h) || rest > h) return s.t + h;
  return rest < h / 4 ? s.t + (rest + h) / 2 : grid;
}

Status Engine::step(State& s, double until) {
  require_feedback(s);
  constexpr long check_every = 16;
  const double h = options.step;
  s.row_largest = s.multipliers;
  if (!s.bends.empty()) note_poses(model.mechanism, s);
  StepEnd ended = StepEnd::taken;
  const double left = rows.set.time_left(s), soon = s.t + left / 2;
  if (left == 0)
    return fail(Status::diverged, s,
                "a cable has run out of a hand-over: change to renewed_mesh() after every step");
  if (options.error_control) {
    ended = controlled_step(s, std::min(until, soon));
  } else {
    const double end = end_of_step(s), grid = h * static_cast<double>(s.steps + 1);
    const bool early = soon < std::min(until, end) - 1e-6 * h;
    ended = march(s, early ? soon : until < end - 1e-6 * h ? until : end);
    if (early && ended == StepEnd::taken && s.t < grid - 1e-6 * h)
      --s.steps;  // the next goes on to the grid
  }
  if (ended != StepEnd::taken) return failure.status;
  if (rows.set.ending(s.q.data(), s.v.data(), s.h_before)) return fail(Status::diverged, s, {});
  ++counters.steps;
  if (s.steps % check_every == 0)
    if (const Status status = check_rigid_rows(s); status != Status::ok) return status;
  return options.energy_guard > 0 ? check_energy(s) : Status::ok;
}

}  // namespace hawser

// Blows: when one-sided rows switch, how fast the rows that act oscillate, and the peaks that the
// steps do not show.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "integrate/engine.h"
#include "integrate/march.h"

namespace hawser {
namespace {

/// The first zero in (0, 1] of the cubic with these values and rates at 0 and 1, which has one; the
/// share of a straight line where it does not say.
double first_zero(double y0, double d0, double y1, double d1) {
  const auto at = [&](double x) {
    const double u = 1 - x;
    return u * u * ((1 + 2 * x) * y0 + x * d0) + x * x * ((3 - 2 * x) * y1 - u * d1);
  };
  if (!(y0 * y1 < 0)) return y0 == 0 ? 0 : 1;
  constexpr int parts = 16, halvings = 50;
  double low = 0, high = 1;
  for (int i = 1; i <= parts; ++i) {
    high = static_cast<double>(i) / parts;
    if (at(high) * y0 <= 0) break;
    low = high;
  }
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (at(middle) * y0 > 0 ? low : high) = middle;
  }
  return high;
}

/// Largest value of the cubic with these values and rates at 0 and 1.
double cubic_peak(double y0, double d0, double y1, double d1) {
  double best = std::max(y0, y1);
  if (!(d0 > 0 && d1 < 0)) return best;
  const double a = 3 * (2 * (y0 - y1) + d0 + d1), b = 2 * (3 * (y1 - y0) - 2 * d0 - d1);
  const double root = b * b - 4 * a * d0;
  if (root < 0) return best;
  const double x = -2 * d0 / (b - std::sqrt(root));  // the one at which it falls
  if (!(x > 0 && x < 1)) return best;
  const double u = 1 - x;
  return std::max(best, u * u * ((1 + 2 * x) * y0 + x * d0) + x * x * ((3 - 2 * x) * y1 - u * d1));
}

}  // namespace

/// Stretch at which a damped row that is slack would begin to pull [m].
double Engine::rest_of(const State& s, size_t r, const Rows::Stretch& stretch) const {
  if (!rows.viscous || s.activity[r] != 0) return 0;
  return -stretch.compliance * s.viscous_force[static_cast<size_t>(model.point_size) + r];
}

/// Rows of the step not taken, against those of its start: into switch_at_ the share of the step at
/// which each switches (above 1: it does not), returned the smallest; switch_to_ is what they do at
/// its end.
double Engine::find_switches(const State& s, double h) {
  const auto& info = model.mechanism.rows;
  switch_to_ = rows.activity;
  for (size_t r = 0; r < rows.size(); ++r) {
    switch_at_[r] = 2;
    if (rows.activity[r] == s.activity[r]) continue;
    const Rows::Stretch end = rows.stretch(r, v_new.data(), s.at(s.t + h));
    switch_phi_[r] = end.phi + end.rest + rows.along(r, correction.data());
    switch_rate_[r] = end.rate;
    switch_at_[r] = 0;
  }
  rows.set.evaluate(s.q.data(), s.t, s);  // groups stay those of the step's end
  const double* lambda = s.multipliers.data() + model.conditions.size();
  double first = 1;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (switch_at_[r] > 1) continue;
    const Rows::Stretch start = rows.stretch(r, s.v.data(), s.now());
    if (switch_to_[r] == 0 && (info[r].velocity || rows.viscous)) {
      // A force that knows rates: a straight line.
      const double off = info[r].velocity ? switch_rate_[r] : switch_phi_[r];
      const double from = lambda[r], to = -std::abs(off) / std::max(start.yields, 1e-300);
      switch_at_[r] = from > 0 ? from / (from - to) : 0;
    } else {
      switch_at_[r] = first_zero(start.phi + rest_of(s, r, start), h * start.rate, switch_phi_[r],
                                 h * switch_rate_[r]);
    }
    if (switch_to_[r] != 0 && start.phi + rest_of(s, r, start) <= 0) switch_at_[r] = 0;  // late
    if (!std::isfinite(switch_at_[r])) switch_at_[r] = 0;
    if (switch_at_[r] > first) continue;
    first = switch_at_[r];
    first_row_ = r;
  }
  return first;
}

/// A share `first` of the step of h has been taken from `from` to s, to where a row switches: the
/// share that is nearer to that, or the same where this is near enough.
double Engine::nearer_switch(const State& from, const State& s, double first, double h) {
  constexpr double near = 1e-3;  // of a radian of the row's oscillation, of the step
  const size_t r = first_row_;
  if (switch_to_[r] == 0 && (model.mechanism.rows[r].velocity || rows.viscous)) return first;
  rows.set.evaluate(from.q.data(), from.t, from);
  const Rows::Stretch start = rows.stretch(r, from.v.data(), from.now());
  rows.set.evaluate(s.q.data(), s.t, s);
  const Rows::Stretch end = rows.stretch(r, s.v.data(), s.now());
  const double y0 = start.phi + rest_of(from, r, start), y1 = end.phi + rest_of(s, r, end);
  if (std::abs(y1) <= near * std::abs(end.rate) * std::min(h, 1 / std::max(s.row_omega[r], 1e-300)))
    return first;
  const double part = first * h;
  if (y0 * y1 < 0) return first * first_zero(y0, part * start.rate, y1, part * end.rate);
  const double further = first - y1 / (end.rate * h);  // not reached yet
  return std::isfinite(further) ? std::clamp(further, first, 1.0) : first;
}

/// The rows that stretch, W and what acts on them, at a state that is in balance, with the matrix
/// of its restart; all of them, or those that act.
void Engine::find_row_space(const State& s, bool all) {
  const auto& info = model.mechanism.rows;
  const double* lambda = s.multipliers.data() + model.conditions.size();
  space_.clear();
  for (const bool acting : {true, false})
    for (size_t r = 0; r < rows.size() && !space_.full(); ++r) {
      const bool acts = rows.activity[r] != 0;
      if (acts != acting || (!acts && !all) || !rows.is_master(r) || info[r].velocity ||
          info[r].nodes.empty() || rows.rigid(r, s.now()))
        continue;
      const Rows::Stretch stretch = rows.stretch(r, s.v.data(), s.now());
      RowSpace::Row row;
      row.row = r;
      row.one_sided = info[r].one_sided;
      row.y = stretch.phi;
      row.rate = stretch.rate;
      row.compliance = stretch.compliance;
      row.viscosity = info[r].viscosity;
      row.force = lambda[r];
      row.free = rows.along(r, s.a.data()) + rows.of_group(r, second_);
      row.acts = acts;
      space_.add(row);
    }
  for (size_t j = 0; j < space_.size(); ++j) {
    std::fill(probe_.begin(), probe_.end(), 0);
    rows.add_direction(space_.row(j).row, probe_.data());
    for (const FixedCoordinate& f : model.fixed) probe_[static_cast<size_t>(f.coordinate)] = 0;
    solver->solve(probe_);
    ++counters.solves;
    for (size_t i = 0; i < space_.size(); ++i)
      space_.W(i, j) = rows.along(space_.row(i).row, probe_.data());
  }
  for (size_t i = 0; i < space_.size(); ++i)
    for (size_t j = 0; j < space_.size(); ++j)
      space_.row(i).free -= space_.W(i, j) * space_.row(j).force;
}

void Engine::measure_rows(State& s) {
  for (size_t r = 0; r < rows.size(); ++r)
    s.row_rates[r] = rows.set.times(static_cast<int>(r), s.v.data()) + rows.set.rate[r];
  find_row_space(s, s.steps == 0 || options.method == Method::spook);
  for (size_t i = 0; i < space_.size(); ++i) s.row_omega[space_.row(i).row] = space_.own(i);
  s.fastest_omega = space_.fastest();
}

/// A blow on row i of the row space, at the state's time: its peak is known, the steps do not
/// resolve it.
void Engine::note_blow(State& s, size_t i, double slowest) {
  const RowSpace::Row& row = space_.row(i);
  s.blows[row.row] = {s.t,
                      row.speed,
                      row.peak,
                      0,
                      0,
                      space_.own(i),
                      s.t + follows_for * std::numbers::pi / slowest};
}

void Engine::remember_rows(const State& s) {
  was_active_ = s.activity;
  had_rates_ = s.row_rates;
}

bool Engine::blow_at(const State& s, double t) {
  return std::any_of(s.blows.begin(), s.blows.end(), [t](const Blow& b) { return b.time == t; });
}

/// The part of a step that began with a blow at t, with that balance: what it took of the energy.
void Engine::take_loss(State& s, double t, double balance) {
  for (Blow& blow : s.blows)
    if (blow.time == t) blow.energy = balance - s.books.balance;
}

/// Steps are divided so that they resolve an oscillation, until a time.
void Engine::divide_until(State& s, double omega, double until) {
  s.follow_omega = s.t < s.follow_until ? std::max(s.follow_omega, omega) : omega;
  s.follow_until = std::max(s.follow_until, until);
}

/// Backward Euler is asked for its damping, which goes with the length of its steps.
bool Engine::can_divide(double omega) const {
  return !deadline() && !options.error_control && options.method != Method::spook &&
         options.scheme != Scheme::backward_euler &&
         omega * options.step <= most_parts * resolved_angle;
}

/// Rows that have come to pull since they were remembered, or whose rate has jumped while they
/// pulled, or that are out of balance: steps are divided for them, or where that would take too
/// many parts their peak is noted. The row space is that of the state.
void Engine::follow_blows(State& s) {
  if (resolves(s, options.step) || options.error_control) return;
  std::array<double, RowSpace::most> speed{};
  double force = s.largest_force;
  for (size_t i = 0; i < space_.size(); ++i) {
    const RowSpace::Row& row = space_.row(i);
    if (!row.acts) continue;
    const double jump = s.row_rates[row.row] - had_rates_[row.row];
    speed[i] = was_active_[row.row] == 0 ? std::min(0.0, row.rate) : jump;
    force = std::max(force, row.force);
  }
  const RowSpace::Excited excited =
      space_.excited(speed, resolved_angle / options.step, small_rise * force);
  if (!(excited.fastest > 0)) return;
  if (can_divide(excited.fastest)) {
    divide_until(s, excited.fastest, s.t + follows_for * std::numbers::pi / excited.slowest);
    return;
  }
  find_row_space(s, true);
  space_.find_peaks(0);
  for (size_t i = 0; i < space_.size(); ++i) {  // rows that act come first, as before
    if (!space_.row(i).acts || !(excited.rise[i] > small_rise * force)) continue;
    note_blow(s, i, excited.slowest);
    s.blows[space_.row(i).row].speed = std::abs(speed[i]);
  }
}

/// A row that oscillates by more than a small share of the largest force: the division goes on.
void Engine::follow_oscillation(State& s, size_t r, double rate, double eps) const {
  const double omega = s.row_omega[r];
  if (!(omega * options.step > resolved_angle)) return;
  if (std::abs(rate) / (omega * eps) > small_oscillation * s.largest_force)
    divide_until(s, s.follow_omega, s.t + slow_periods * 2 * std::numbers::pi / omega);
}

/// What the part of a step does to the oscillation of a row beside following it: it shifts and
/// damps it by oscillation_error. Out of phase a force is wrong by twice its amplitude at most.
/// What viscosity damps away, by omega^2 tau/2 a second, takes its error along.
void Engine::watch_oscillation(State& s, size_t r, double amplitude, double h) const {
  const double angle = s.row_omega[r] * h;
  if (!(angle > 0)) return;
  const bool follows = s.t < s.follow_until && resolves(s, h);
  const double error = scheme_ == Scheme::backward_euler
                           ? angle / 2
                           : (follows ? following_error_ : phase_error_) * angle * angle;
  const double left = std::exp(-angle * s.row_omega[r] * model.mechanism.rows[r].viscosity / 2);
  RowOscillation& o = s.oscillations[r];
  o.amplitude = std::max(left * o.amplitude, amplitude);
  constexpr double mean = std::numbers::pi / 2;  // amplitude over the mean of what rates say of it
  o.error =
      std::min(left * o.error + mean * amplitude * angle * std::min(1.0, error), 2 * o.amplitude);
  o.largest_error = std::max(o.largest_error, o.error);
}

/// The largest forces within the part of a step that is being accepted, and the rates at its end.
void Engine::watch_forces(State& s, double h) {
  const auto& info = model.mechanism.rows;
  const double* before = s.multipliers.data() + model.conditions.size();
  const bool shows_peaks = !rows.viscous && scheme_ != Scheme::backward_euler;
  for (size_t r = 0; r < rows.size(); ++r) {
    const double rate = rows.set.times(static_cast<int>(r), v_new.data()) + rows.set.rate[r];
    const double eps = info[r].velocity ? 0 : rows.compliance(r, s.at(s.t + h));
    double largest = std::max(before[r], rows.lambda[r]);
    if (eps > 0 && before[r] > 0 && rows.lambda[r] > 0 && shows_peaks &&
        s.row_omega[r] * h < cubic_angle)
      largest = cubic_peak(before[r], -h * s.row_rates[r] / eps, rows.lambda[r], -h * rate / eps);
    s.row_largest[r] = std::max(s.row_largest[r], largest);
    s.row_rates[r] = rate;
    if (eps > 0 && rows.lambda[r] > 0) {
      s.largest_force = std::max(s.largest_force, largest);
      if (s.t < s.follow_until) follow_oscillation(s, r, rate, eps);
      watch_oscillation(s, r, std::abs(rate) / (std::max(s.row_omega[r], 1e-300) * eps), h);
    }
    if (Blow& blow = s.blows[r]; blow.time >= 0 && s.t <= blow.until)
      blow.shown = std::max(blow.shown, rows.lambda[r]);
  }
}

}  // namespace hawser

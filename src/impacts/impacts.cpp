#include "impacts/impacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "schemes/scheme.h"

namespace hawser {
namespace {

/// omega h from which on a step of Backward Euler that holds a take-up takes some of its peak.
constexpr double cut_angle = resolved_angle / 4;
constexpr double follows_for = 1.25;        ///< half periods that an impact is followed for
constexpr double small_rise = 0.01;         ///< of a tension by a jump of its rate: not followed
constexpr double small_oscillation = 0.02;  ///< of the largest force: not followed
/// Periods of a row for which a division goes on: it may hang on one that is slower.
constexpr double slow_periods = 10;
/// Damping of parts that follow an oscillation: with less, forces of rigid rows swing.
constexpr double following_alpha = -0.05, following_rho = 0.9;
/// omega h up to which the cubic through both ends of a step shows a peak between them.
constexpr double cubic_angle = 2 * std::numbers::pi / 6;

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

SolveOptions following(SolveOptions options) {
  options.hht_alpha = std::max(options.hht_alpha, following_alpha);
  options.rho_infinity = std::max(options.rho_infinity, following_rho);
  return options;
}

Impacts::Impacts(const ModelData& model, const SolveOptions& options, Rows& rows)
    : model_(model),
      options_(options),
      rows_(rows),
      phase_error_(oscillation_error(options)),
      following_error_(oscillation_error(following(options))),
      probe_(model_.padded() + model.rows.size(), 0),
      switch_at_(rows_.size(), 0),
      switch_phi_(switch_at_),
      switch_rate_(switch_at_),
      switch_to_(rows_.activity),
      was_active_(rows_.activity),
      had_rates_(switch_at_) {
  space_.reserve(rows_.size());
  for (size_t r = 0; r < rows_.size(); ++r)
    if (rows_.can_move(r)) watched_.push_back(r);
}

/// A row that ceases to act by a force that knows rates.
bool Impacts::follows_rate(size_t r) const {
  return switch_to_[r] == 0 && (model_.rows[r].velocity || rows_.viscous);
}

/// Stretch at which a damped row that is slack would begin to pull [m].
double Impacts::rest_of(const State& s, size_t r, const Rows::Stretch& stretch) const {
  if (!rows_.viscous || s.activity[r] != 0) return 0;
  return -stretch.compliance * s.viscous_force[static_cast<size_t>(model_.point_size) + r];
}

/// Into switch_at_ the share of the step at which each row switches (above 1: it does not);
/// switch_to_ is what they do at its end.
double Impacts::find_switches(const State& s, double h, const double* v, const double* correction) {
  switch_to_ = rows_.activity;
  for (size_t r = 0; r < rows_.size(); ++r) {
    switch_at_[r] = 2;
    if (rows_.activity[r] == s.activity[r]) continue;
    const Rows::Stretch end = rows_.stretch(r, v, s.at(s.t + h));
    switch_phi_[r] = end.phi + end.rest + rows_.along(r, correction);
    switch_rate_[r] = end.rate;
    switch_at_[r] = 0;
  }
  rows_.set.evaluate(s.q.data(), s.t, s);  // groups stay those of the step's end
  const double* lambda = s.multipliers.data();
  double first = 1;
  for (size_t r = 0; r < rows_.size(); ++r) {
    if (switch_at_[r] > 1) continue;
    const Rows::Stretch start = rows_.stretch(r, s.v.data(), s.now());
    if (follows_rate(r)) {  // a straight line
      const double off = model_.rows[r].velocity ? switch_rate_[r] : switch_phi_[r];
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

double Impacts::nearer_switch(const State& from, const State& s, double first, double h) {
  constexpr double near = 1e-3;  // of a radian of the row's oscillation, of the step
  const size_t r = first_row_;
  if (follows_rate(r)) return first;
  rows_.set.evaluate(from.q.data(), from.t, from);
  const Rows::Stretch start = rows_.stretch(r, from.v.data(), from.now());
  rows_.set.evaluate(s.q.data(), s.t, s);
  const Rows::Stretch end = rows_.stretch(r, s.v.data(), s.now());
  const double y0 = start.phi + rest_of(from, r, start), y1 = end.phi + rest_of(s, r, end);
  if (std::abs(y1) <= near * std::abs(end.rate) * std::min(h, 1 / std::max(s.row_omega[r], 1e-300)))
    return first;
  const double part = first * h;
  if (y0 * y1 < 0) return first * first_zero(y0, part * start.rate, y1, part * end.rate);
  const double further = first - y1 / (end.rate * h);  // not reached yet
  return std::isfinite(further) ? std::clamp(further, first, 1.0) : first;
}

void Impacts::switch_first(State& s) const {
  const auto switches = [&](size_t row) {
    return switch_at_[row] <= switch_at_[first_row_] + none_of_step;
  };
  for (size_t i = 0; i < model_.rubs.size(); ++i) {  // what rubs goes with the runs of its cable
    const RubInfo& rub = model_.rubs[i];
    bool any = false;
    for (int r = rub.first_row; r <= rub.last_row; ++r) any |= switches(static_cast<size_t>(r));
    if (any) s.activity[rows_.size() + i] = switch_to_[rows_.size() + i];
  }
  for (size_t r = 0; r < rows_.size(); ++r)
    if (switches(r)) s.activity[r] = switch_to_[r];
}

bool Impacts::can_follow(const State& s) const {
  for (size_t r = 0; r < rows_.size(); ++r)
    if (rows_.activity[r] != s.activity[r] && !rows_.rigid(r, s.now()) &&
        !(s.row_omega[r] * options_.step <= most_parts * resolved_angle))
      return false;
  return true;
}

/// The rows that stretch, W and what acts on them; all of them, or those that act.
void Impacts::find_space(const State& s, bool all, LinearSolver& solver, Counters& counters) {
  const auto& info = model_.rows;
  const double* lambda = s.multipliers.data();
  space_.clear();
  for (const bool acting : {true, false})
    for (size_t r = 0; r < rows_.size() && !space_.full(); ++r) {
      const bool acts = rows_.activity[r] != 0;
      if (acts != acting || (!acts && !all) || !rows_.is_master(r) || info[r].velocity ||
          info[r].coordinates.empty() || rows_.rigid(r, s.now()))
        continue;
      const Rows::Stretch stretch = rows_.stretch(r, s.v.data(), s.now());
      RowSpace::Row row;
      row.row = r;
      row.one_sided = info[r].one_sided;
      row.y = stretch.phi;
      row.rate = stretch.rate;
      row.compliance = stretch.compliance;
      row.viscosity = info[r].viscosity;
      row.force = lambda[r];
      row.free = rows_.along(r, s.a.data()) + rows_.second_rate(r);
      row.acts = acts;
      space_.add(row);
    }
  for (size_t j = 0; j < space_.size(); ++j) {
    std::fill(probe_.begin(), probe_.end(), 0);
    rows_.add_direction(space_.row(j).row, probe_.data());
    rows_.set.clear_held(probe_);
    solver.solve(probe_);
    ++counters.solves;
    for (size_t i = 0; i < space_.size(); ++i)
      space_.W(i, j) = rows_.along(space_.row(i).row, probe_.data());
  }
  for (size_t i = 0; i < space_.size(); ++i)
    for (size_t j = 0; j < space_.size(); ++j)
      space_.row(i).free -= space_.W(i, j) * space_.row(j).force;
}

void Impacts::measure(State& s, LinearSolver& solver, Counters& counters) {
  for (size_t r = 0; r < rows_.size(); ++r)
    s.row_rates[r] = rows_.stretch_rate(r, s.v.data(), s.now());
  find_space(s, s.steps == 0 || options_.method == Method::spook, solver, counters);
  for (size_t i = 0; i < space_.size(); ++i) s.row_omega[space_.row(i).row] = space_.own(i);
  s.fastest_omega = space_.fastest();
}

/// An impact on row i of the row space, at the state's time: its peak is known, the steps do not
/// resolve it.
void Impacts::note_impact(State& s, size_t i, double slowest) {
  const RowSpace::Row& row = space_.row(i);
  s.impacts[row.row] = {s.t,
                        row.speed,
                        row.peak,
                        0,
                        0,
                        space_.own(i),
                        s.t + follows_for * std::numbers::pi / slowest};
}

void Impacts::remember(const State& s) {
  was_active_ = s.activity;
  had_rates_ = s.row_rates;
}

bool Impacts::impact_at(const State& s, double t) const {
  return std::any_of(watched_.begin(), watched_.end(),
                     [&](size_t r) { return s.impacts[r].time == t; });
}

void Impacts::take_loss(State& s, double t, double balance) {
  for (Impact& impact : s.impacts)
    if (impact.time == t) impact.energy = balance - s.books.balance;
}

void Impacts::divide_until(State& s, double omega, double until) {
  s.follow_omega = s.t < s.follow_until ? std::max(s.follow_omega, omega) : omega;
  s.follow_until = std::max(s.follow_until, until);
}

/// Backward Euler is asked for its damping, which goes with the length of its steps.
bool Impacts::can_divide(double omega) const {
  return options_.factorization_cap == 0 && !options_.error_control &&
         options_.method != Method::spook && options_.scheme != Scheme::backward_euler &&
         omega * options_.step <= most_parts * resolved_angle;
}

void Impacts::follow_start(State& s, LinearSolver& solver, Counters& counters) {
  was_active_ = s.activity;
  std::fill(had_rates_.begin(), had_rates_.end(), 0);
  follow(s, solver, counters);
}

void Impacts::follow(State& s, LinearSolver& solver, Counters& counters) {
  if (resolves(s, options_.step) || options_.error_control) return;
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
      space_.excited(speed, resolved_angle / options_.step, small_rise * force);
  if (!(excited.fastest > 0)) return;
  if (can_divide(excited.fastest)) {
    divide_until(s, excited.fastest, s.t + follows_for * std::numbers::pi / excited.slowest);
    return;
  }
  find_space(s, true, solver, counters);
  space_.find_peaks(0);
  for (size_t i = 0; i < space_.size(); ++i) {  // rows that act come first, as before
    if (!space_.row(i).acts || !(excited.rise[i] > small_rise * force)) continue;
    note_impact(s, i, excited.slowest);
    s.impacts[space_.row(i).row].speed = std::abs(speed[i]);
  }
}

void Impacts::foresee(const State& s, double h, LinearSolver& solver, Counters& counters) {
  find_space(s, true, solver, counters);
  space_.find_peaks(h);
}

bool Impacts::note_impacts(State& s, double h, double lost) {
  for (size_t i = 0; i < space_.size(); ++i) {
    const size_t r = space_.row(i).row;
    const bool taut = s.activity[r] != 0 || switch_to_[r] != 0;  // at the end, or for a while
    if (was_active_[r] != 0 || !taut || !(space_.quickest(i) * h > cut_angle)) continue;
    note_impact(s, i, space_.own(i));
    s.impacts[r].energy = lost;
    s.impacts[r].shown = s.row_largest[r];
  }
  bool stopped = false;
  for (size_t r = 0; r < rows_.size(); ++r)
    stopped |= was_active_[r] == 0 && s.activity[r] != 0 && rows_.rigid(r, s.now());
  return stopped;
}

/// A row that oscillates by more than a small share of the largest force: the division goes on. Not
/// for cable with mass on a pulley: that is an axial wave, and its elements have others as fast.
void Impacts::follow_oscillation(State& s, size_t r, double rate, double eps) const {
  if (model_.rows[r].flows[0] >= 0) return;
  const double omega = s.row_omega[r];
  if (!(omega * options_.step > resolved_angle)) return;
  if (std::abs(rate) / (omega * eps) > small_oscillation * s.largest_force)
    divide_until(s, s.follow_omega, s.t + slow_periods * 2 * std::numbers::pi / omega);
}

/// What the part of a step does to the oscillation of a row beside following it: it shifts and
/// damps it by oscillation_error. Out of phase a force is wrong by twice its amplitude at most.
/// What viscosity damps away, by omega^2 tau/2 a second, takes its error along.
void Impacts::watch_oscillation(State& s, size_t r, double amplitude, double h, bool euler) const {
  const double angle = s.row_omega[r] * h;
  if (!(angle > 0)) return;
  const double error =
      euler ? angle / 2 : (follows(s, h) ? following_error_ : phase_error_) * angle * angle;
  const double left = std::exp(-angle * s.row_omega[r] * model_.rows[r].viscosity / 2);
  RowOscillation& o = s.oscillations[r];
  o.amplitude = std::max(left * o.amplitude, amplitude);
  constexpr double mean = std::numbers::pi / 2;  // amplitude over the mean of what rates say of it
  o.error =
      std::min(left * o.error + mean * amplitude * angle * std::min(1.0, error), 2 * o.amplitude);
  o.largest_error = std::max(o.largest_error, o.error);
}

void Impacts::watch(State& s, double h, const double* v, bool euler) {
  const double* before = s.multipliers.data();
  const bool shows_peaks = !rows_.viscous && !euler;
  for (const size_t r : watched_) {
    const double rate = rows_.stretch_rate(r, v, s.at(s.t + h));
    const double eps = rows_.yields(r) ? rows_.compliance(r, s.at(s.t + h)) : 0;
    double largest = std::max(before[r], rows_.lambda[r]);
    if (eps > 0 && before[r] > 0 && rows_.lambda[r] > 0 && shows_peaks &&
        s.row_omega[r] * h < cubic_angle)
      largest = cubic_peak(before[r], -h * s.row_rates[r] / eps, rows_.lambda[r], -h * rate / eps);
    s.row_largest[r] = std::max(s.row_largest[r], largest);
    s.row_rates[r] = rate;
    if (eps > 0 && rows_.lambda[r] > 0) {
      s.largest_force = std::max(s.largest_force, largest);
      if (s.t < s.follow_until) follow_oscillation(s, r, rate, eps);
      watch_oscillation(s, r, std::abs(rate) / (std::max(s.row_omega[r], 1e-300) * eps), h, euler);
    }
    if (Impact& impact = s.impacts[r]; impact.time >= 0 && s.t <= impact.until)
      impact.shown = std::max(impact.shown, rows_.lambda[r]);
  }
}

}  // namespace hawser

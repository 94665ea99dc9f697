#include "complementarity/rows.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

constexpr int most_flips = 3;  ///< of one row in a step: beyond, it stays as it is
constexpr double tension_slack = 1e-12;
constexpr int outward = 2;  ///< what slips and presses outwards, in `activity`, times its sign

}  // namespace

Rows::Rows(const ModelData& model) : set(model), model_(model) {
  const size_t n = model.rows.size();
  plan.resize(n);
  lambda.assign(n, 0);
  kept_ = second_ = lambda;
  ahead_.assign(model.padded(), 0);
  start_phi_ = start_rate_ = start_second_ = lambda;
  wanted_.assign(n, HUGE_VAL);
  ratio_.assign(n, 1);
  master_.assign(n, 0);
  next_.assign(n, -1);
  activity.assign(n + model.rubs.size() + model.limited.size(), 1);
  flips_.assign(activity.size(), 0);
  for (const RowInfo& row : model.rows) {
    facts_.push_back(
        {row.compliance, row.velocity, row.constant(), row.one_sided, row.steady(),
         !row.velocity && !row.constant() && !row.limited && row.steady() && row.compliance == 0,
         -1});
    switching_ |= row.one_sided;
    constant_ = constant_ && row.constant();
  }
  for (const int row : model.limited) {
    facts_[static_cast<size_t>(row)].limit = static_cast<int>(limited_rate_.size());
    limited_rate_.push_back(0);
    switching_ = true;
  }
  for (const RubInfo& rub : model.rubs) rubbing_ |= !rub.grip;
  switching_ |= rubbing_;
  if (rubbing_)
    slips_.assign(
        model.rubs.size(),
        {-1, std::vector<double>(static_cast<size_t>(model.structure.unknowns()) + padding)});
}

void Rows::begin(const State& state) {
  activity = state.activity;
  std::fill(flips_.begin(), flips_.end(), 0);
  merge_groups();
}

Yield Rows::yield(size_t row, const Instant& now) const {
  return yield_of(model_.rows[row], row, now, set.off_drums[row], viscous);
}

double Rows::rest(size_t row) const {
  return viscous ? viscous->row_offset[row] / viscous->row_factor[row] : 0;
}

bool Rows::rigid(size_t row, const Instant& now) const {
  if (facts_[row].constant) return true;
  return !((facts_[row].velocity ? model_.rows[row].slip.at(now).value : compliance(row, now)) > 0);
}

bool Rows::slipping(const std::vector<int>& acting, const Instant& now) const {
  const auto& rows = model_.rows;
  for (size_t r = 0; r < rows.size(); ++r)
    if (facts_[r].velocity && acting[r] != 0 && rows[r].slip.at(now).value > 0) return true;
  return false;
}

Rows::Stretch Rows::stretch(size_t master, const double* v, const Instant& now) const {
  Stretch out{0, 0, 0, 0, 0};
  for_group(master, [&](size_t k) {
    out.phi += set.phi[k];
    out.rate += set.rate_of(k, v);
    const RowInfo& info = model_.rows[k];
    const Yield y = info.velocity ? Yield{info.slip.at(now).value, 0} : yield(k, now);
    out.compliance += ratio_[k] * compliance(k, now);
    out.yields += ratio_[k] * y.compliance;
    out.rest += y.offset;
  });
  return out;
}

double Rows::stretch_rate(size_t row, const double* v, const Instant& now) const {
  if (is_master(row) && next_[row] < 0) return set.rate_of(row, v);
  const Stretch whole = stretch(static_cast<size_t>(master_[row]), v, now);
  if (!(whole.compliance > 0)) return set.rate_of(row, v);
  return whole.rate * (ratio_[row] * compliance(row, now) / whole.compliance);
}

void Rows::add_direction(size_t master, double* out) const {
  for_group(master, [&](size_t k) { set.add_row(static_cast<int>(k), ratio_[k], out); });
}

double Rows::along(size_t master, const double* v) const {
  double sum = 0;
  for_group(master, [&](size_t k) { sum += set.times(static_cast<int>(k), v); });
  return sum;
}

double Rows::second_rate(size_t master) const {
  double sum = 0;
  for_group(master, [&](size_t k) { sum += second_[k]; });
  return sum;
}

void Rows::find_second_rates(const State& s, double rate_time) {
  if (constant_) {
    set.evaluate(s.q.data(), rate_time, s);
    second_ = set.second;
    return;
  }
  const size_t n = static_cast<size_t>(model_.structure.coordinates());
  double fastest = 0;
  for (size_t i = 0; i < n; ++i) fastest = std::max(fastest, std::abs(s.v[i]));
  const double tau = 1e-4 / std::max(1.0, fastest);
  constexpr double weight[3] = {-1.5, 2, -0.5};
  std::fill(second_.begin(), second_.end(), 0);
  for (int k = 2; k >= 0; --k) {  // ends where it began
    for (size_t i = 0; i < n; ++i) ahead_[i] = s.q[i] + k * tau * s.v[i];
    set.evaluate(ahead_.data(), rate_time, s, k * tau);
    for (size_t r = 0; r < size(); ++r) second_[r] += weight[k] / tau * set.rate_of(r, s.v.data());
  }
  for (size_t r = 0; r < size(); ++r)
    if (model_.rows[r].constant()) second_[r] = set.second[r];
  find_slips(s);
}

/// Which rows stand for others: runs on either side of a stop over which the cable slips.
void Rows::merge_groups() {
  if (!rubbing_ && merged_) return;  // none, as before
  merged_ = true;
  for (size_t r = 0; r < size(); ++r) {
    master_[r] = static_cast<int>(r);
    next_[r] = -1;
    ratio_[r] = 1;
  }
  if (!rubbing_) return;
  for (size_t i = 0; i < model_.rubs.size(); ++i) {
    const RubInfo& rub = model_.rubs[i];
    const int slips = activity[size() + i];
    if (slips == 0 || rub.grip) continue;
    const auto before = static_cast<size_t>(rub.before), after = static_cast<size_t>(rub.after);
    master_[after] = master_[before];
    next_[before] = rub.after;
    const int grows = std::abs(slips) == 1 ? slips : -slips / 2;  // away from zero
    ratio_[after] = ratio_[before] * std::exp(grows * rub.friction * set.wrap_angle[i]);
  }
}

void Rows::follow_masters() {
  if (!rubbing_) return;
  for (size_t r = 0; r < size(); ++r) activity[r] = activity[static_cast<size_t>(master_[r])];
}

void Rows::keep_errors(double share, const Instant& now) {
  if (!(share > 0)) {
    std::fill(kept_.begin(), kept_.end(), 0);
    return;
  }
  for (size_t r = 0; r < size(); ++r) {
    const bool turns = yields(r) && !facts_[r].one_sided;
    kept_[r] = turns && rigid(r, now) ? share * set.phi[r] : 0;
  }
}

void Rows::align(double* carried) {
  merge_groups();
  for (const int row : model_.limited)
    if (slips(static_cast<size_t>(row))) carried[row] = slipping_force(static_cast<size_t>(row));
  if (!rubbing_) return;
  for (size_t r = 0; r < size(); ++r) carried[r] = ratio_[r] * carried[master_[r]];
}

bool Rows::at_stop(size_t row) const {
  const int(&stops)[2] = model_.rows[row].stops;
  return std::any_of(std::begin(stops), std::end(stops), [this](int stop) {
    return stop >= 0 && activity[static_cast<size_t>(stop)] != 0;
  });
}

bool Rows::slips(size_t row) const {
  if (facts_[row].limit < 0) return false;
  if (at_stop(row)) return true;
  if (at_rest) return false;
  return activity[limit_at(row)] != 0 || !(set.limit[row] > 0);
}

double Rows::slipping_force(size_t row) const {
  return set.limit[row] > 0 && !at_stop(row) ? activity[limit_at(row)] * set.limit[row] : 0;
}

/// What holds begins to slip beyond its limit, and what slips holds where its motion, of which the
/// end of the step has the rate known so far and cr x, is no longer against its force.
bool Rows::switch_limits(double cr, const double* x) {
  if (at_rest) return false;
  bool changed = false;
  for (size_t i = 0; i < model_.limited.size(); ++i) {
    const int row = model_.limited[i];
    const auto r = static_cast<size_t>(row);
    const double most = set.limit[r], force = lambda[r];
    if (!(most > 0)) continue;
    const size_t at = limit_at(r);
    if (at_stop(r)) {
      activity[at] = 0;  // it holds once it leaves the stop
      continue;
    }
    if (activity[at] == 0) {
      if (std::abs(force) > most * (1 + tension_slack)) changed |= flip(at, force > 0 ? 1 : -1);
    } else if (x && activity[at] * (limited_rate_[i] + cr * set.times(row, x)) > 0) {
      changed |= flip(at, 0);
    }
  }
  return changed;
}

/// Which limited rows slip at a state: those that move, against their motion.
void Rows::find_slips(const State& state) {
  constexpr double still = 1e-9;  // [rad/s]
  for (const int row : model_.limited) {
    const auto r = static_cast<size_t>(row);
    const double rate = set.rate_of(r, state.v.data());
    const bool moves = std::abs(rate) > still && std::isfinite(set.limit[r]) && !at_stop(r);
    activity[limit_at(r)] = !moves ? 0 : rate > 0 ? -1 : 1;
  }
}

void Rows::write(const MatrixSink& sink) const {
  std::copy(set.G.begin(), set.G.end(), sink.rows);
  for (size_t r = 0; r < size(); ++r) {
    sink.compliance[r] = plan[r].E;
    if (plan[r].on && next_[r] < 0) continue;  // as most are: it is G
    const auto [first, last] = set.entries(r);
    double* out = sink.rows + first;
    std::fill_n(out, last - first, 0.0);
    if (!plan[r].on) continue;
    for_group(r, [&, entries = last - first](size_t k) {
      const double* g = set.G.data() + set.entries(k).first;
      for (int i = 0; i < entries; ++i) out[i] += g[i];
    });
  }
}

void Rows::fill(double* c) const {
  for (size_t r = 0; r < size(); ++r) c[r] = plan[r].c;
}

/// (A + sum u_m e_m^T) x = b with A factored, one group m after the other (Sherman & Morrison):
/// x -= z_m x_m/(1 + z_m,m), where z_m solves for u_m with the groups before it.
void Rows::slip(LinearSolver& solver, std::vector<double>& x) {
  if (!rubbing_) return;
  const size_t unknowns = static_cast<size_t>(model_.structure.unknowns());
  const size_t first = unknowns - size();
  size_t groups = 0;
  const auto change = [&](std::vector<double>& y, const Slip& by) {
    const size_t m = first + static_cast<size_t>(by.row);
    const double mu = y[m] / (1 + by.z[m]);
    for (size_t i = 0; i < unknowns; ++i) y[i] -= mu * by.z[i];
  };
  for (size_t r = 0; r < size(); ++r) {
    if (!plan[r].on || next_[r] < 0) continue;
    Slip& group = slips_[groups];
    group.row = static_cast<int>(r);
    std::fill(group.z.begin(), group.z.end(), 0);
    for_group(static_cast<size_t>(next_[r]),
              [&](size_t k) { set.add_row(static_cast<int>(k), ratio_[k] - 1, group.z.data()); });
    solver.solve(group.z);
    for (size_t i = 0; i < groups; ++i) change(group.z, slips_[i]);
    change(x, group);
    ++groups;
  }
}

void Rows::take(const double* mu, const double* carried) {
  if (!rubbing_) {  // no row stands for another
    for (size_t r = 0; r < size(); ++r) lambda[r] = carried[r] - mu[r];
    return;
  }
  for (size_t r = 0; r < size(); ++r) {
    const auto m = static_cast<size_t>(master_[r]);
    lambda[r] = carried[r] - ratio_[r] * mu[m];
  }
}

bool Rows::flip(size_t at, int to) {
  if (activity[at] == to || flips_[at] >= most_flips) return false;
  activity[at] = to;
  ++flips_[at];
  return true;
}

bool Rows::switch_rows(const SchemeWeights& w, const Instant& end, const double* x) {
  if (!switching_) return false;
  const double length = 1e-13 * (1 + model_.extent);
  bool changed = false;
  for (size_t r = 0; r < size(); ++r) {
    if (held || !facts_[r].one_sided || master_[r] != static_cast<int>(r)) continue;
    if (activity[r] != 0) {
      if (lambda[r] < 0) changed |= flip(r, 0);
    } else {
      double phi = 0;
      for_group(r, [&](size_t k) {
        phi += set.phi[k] + w.cq * set.times(static_cast<int>(k), x) + rest(k);
      });
      const bool pushes = wanted_[r] > along(r, x);
      if (phi < -length && pushes) changed |= flip(r, 1);
    }
  }
  changed |= switch_limits(w.cr, x);
  changed |= stick_rubs(w.cq, end, x);
  return switch_rubs() || changed;
}

bool Rows::switch_forces() {
  bool changed = switch_limits(0, nullptr);
  for (size_t r = 0; r < size(); ++r)
    if (model_.rows[r].one_sided && activity[r] != 0 && lambda[r] < 0) changed |= flip(r, 0);
  return switch_rubs() || changed;
}

bool Rows::rubs_switched(const State& state) const {
  for (size_t i = size(); i < size() + model_.rubs.size(); ++i)
    if (activity[i] != state.activity[i]) return true;
  return false;
}

/// What slips sticks where it would go the other way: its friction would do work. It may begin to
/// press on the other side.
bool Rows::stick_rubs(double cq, const Instant& end, const double* x) {
  if (!rubbing_) return false;
  const double length = 1e-13 * (1 + model_.extent);
  bool changed = false;
  double flow = 0;  // to the side after
  for (size_t i = 0; i < model_.rubs.size(); ++i) {
    const RubInfo& rub = model_.rubs[i];
    const size_t at = size() + i, row = static_cast<size_t>(rub.before);
    const bool goes_on = i > 0 && model_.rubs[i - 1].after == rub.before;
    const double arrived = goes_on ? flow : 0;
    flow = 0;
    if (rub.grip || activity[at] == 0 || activity[row] == 0) continue;
    const int way = activity[at] > 0 ? 1 : -1;
    if (const int to = way * (lambda[row] < 0 ? outward : 1); to != activity[at])
      changed |= flip(at, to);
    const Yield y = yield(row, end);
    flow = arrived + set.phi[row] + cq * set.times(rub.before, x) + y.offset +
           y.compliance * lambda[row];
    if (activity[at] * flow < -length) changed |= flip(at, 0);
  }
  return changed;
}

/// What sticks begins to slip where its tensions differ too much.
bool Rows::switch_rubs() {
  if (!rubbing_) return false;
  bool changed = false;
  for (size_t i = 0; i < model_.rubs.size(); ++i) {
    const RubInfo& rub = model_.rubs[i];
    const size_t at = size() + i;
    if (rub.grip || activity[at] != 0) continue;
    const double before = lambda[static_cast<size_t>(rub.before)],
                 after = lambda[static_cast<size_t>(rub.after)];
    const double most = std::exp(rub.friction * set.wrap_angle[i]);
    const double margin = tension_slack * (std::abs(before) + std::abs(after));
    const int side = before + after < 0 ? outward : 1;
    const auto beyond = [&](double one, double other) {  // that friction cannot hold one
      return one > (other < 0 ? other / most : most * other) + margin;
    };
    if (beyond(after, before))
      changed |= flip(at, side);
    else if (beyond(before, after))
      changed |= flip(at, -side);
  }
  return changed;
}

double Rows::accept(State& s, const double* correction, const double* mean) {
  follow_masters();
  const double work = set.accept(
      {set, model_.rows, correction, s.now(), lambda.data(), mean, viscous, activity}, s);
  s.activity = activity;
  return work;
}

}  // namespace hawser

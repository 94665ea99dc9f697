#include "integrate/rows.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

constexpr int most_flips = 3;     ///< of one row in a step: beyond, it stays as it is
constexpr double resolved = 0.3;  ///< omega h up to which an oscillation counts as resolved
constexpr double tension_slack = 1e-12;

}  // namespace

Rows::Rows(const ModelData& model) : set(model), model_(model) {
  const Mechanism& m = model.mechanism;
  const size_t n = m.rows.size();
  plan.resize(n);
  lambda.assign(n, 0);
  kept_ = lambda;
  wanted_.assign(n, HUGE_VAL);
  ratio_.assign(n, 1);
  master_.assign(n, 0);
  next_.assign(n, -1);
  activity.assign(n + static_cast<size_t>(m.rubs), 1);
  flips_.assign(activity.size(), 0);
  for (const ConditionRow& row : model.conditions) linear_entries_ += row.terms.size();
  for (const RowInfo& row : m.rows) switching_ |= row.one_sided;
  for (const RouteData& route : m.routes)
    for (size_t r = 0; r + 1 < route.runs.size(); ++r)
      rubbing_ |= !route.stops[static_cast<size_t>(route.runs[r].last_stop)].grip;
  if (rubbing_)
    slips_.assign(
        static_cast<size_t>(m.rubs),
        {-1, std::vector<double>(static_cast<size_t>(model.structure.unknowns()) + padding)});
}

void Rows::begin(const State& state) {
  activity = state.activity;
  std::fill(flips_.begin(), flips_.end(), 0);
  merge_groups();
}

double Rows::compliance(size_t row, const Instant& now) const {
  return compliance_at(model_.mechanism, row, now);
}

Rows::Yield Rows::yield(size_t row, const Instant& now) const {
  return {compliance(row, now) / (viscous ? viscous->row_factor[row] : 1), rest(row)};
}

double Rows::rest(size_t row) const {
  return viscous ? viscous->row_offset[row] / viscous->row_factor[row] : 0;
}

bool Rows::rigid(size_t row, const Instant& now) const {
  const RowInfo& info = model_.mechanism.rows[row];
  return !((info.velocity ? info.slip.at(now).value : compliance(row, now)) > 0);
}

bool Rows::slipping(const std::vector<int>& acting, const Instant& now) const {
  const auto& rows = model_.mechanism.rows;
  for (size_t r = 0; r < rows.size(); ++r)
    if (rows[r].velocity && acting[r] != 0 && rows[r].slip.at(now).value > 0) return true;
  return false;
}

Rows::Stretch Rows::stretch(size_t master, const double* v, const Instant& now) const {
  Stretch out{0, 0, 0, 0, 0};
  for (int member = static_cast<int>(master); member >= 0;
       member = next_[static_cast<size_t>(member)]) {
    const auto k = static_cast<size_t>(member);
    out.phi += set.phi[k];
    out.rate += set.times(member, v) + set.rate[k];
    const RowInfo& info = model_.mechanism.rows[k];
    const Yield y = info.velocity ? Yield{info.slip.at(now).value, 0} : yield(k, now);
    out.compliance += ratio_[k] * compliance(k, now);
    out.yields += ratio_[k] * y.compliance;
    out.rest += y.offset;
  }
  return out;
}

void Rows::add_direction(size_t master, double* out) const {
  for (int member = static_cast<int>(master); member >= 0;
       member = next_[static_cast<size_t>(member)]) {
    const RowInfo& row = model_.mechanism.rows[static_cast<size_t>(member)];
    const double* g = set.G.data() + row.first_entry;
    for (const int node : row.nodes)
      for (int i = 0; i < node_size; ++i)
        out[node_size * node + i] += ratio_[static_cast<size_t>(member)] * *g++;
  }
}

double Rows::along(size_t master, const double* v) const {
  double sum = 0;
  for (int member = static_cast<int>(master); member >= 0;
       member = next_[static_cast<size_t>(member)])
    sum += set.times(member, v);
  return sum;
}

double Rows::of_group(size_t master, const std::vector<double>& by_row) const {
  double sum = 0;
  for (int member = static_cast<int>(master); member >= 0;
       member = next_[static_cast<size_t>(member)])
    sum += by_row[static_cast<size_t>(member)];
  return sum;
}

/// Which rows stand for others: runs on either side of a stop over which the cable slips.
void Rows::merge_groups() {
  for (size_t r = 0; r < size(); ++r) {
    master_[r] = static_cast<int>(r);
    next_[r] = -1;
    ratio_[r] = 1;
  }
  if (!rubbing_) return;
  for (const RouteData& route : model_.mechanism.routes)
    for (size_t r = 0; r + 1 < route.runs.size(); ++r) {
      const int slips = activity[rub(route, r)];
      const StopData& stop = route.stops[static_cast<size_t>(route.runs[r].last_stop)];
      if (slips == 0 || stop.grip) continue;
      const auto before = static_cast<size_t>(route.runs[r].row),
                 after = static_cast<size_t>(route.runs[r + 1].row);
      const double angle = set.wrap_angle[static_cast<size_t>(route.first_rub) + r];
      master_[after] = master_[before];
      next_[before] = static_cast<int>(after);
      ratio_[after] = ratio_[before] * std::exp(slips * stop.friction * angle);
    }
}

void Rows::follow_masters() {
  for (size_t r = 0; r < size(); ++r) activity[r] = activity[static_cast<size_t>(master_[r])];
}

void Rows::keep_errors(double share, const Instant& now) {
  for (size_t r = 0; r < size(); ++r) {
    const RowInfo& row = model_.mechanism.rows[r];
    kept_[r] =
        share > 0 && !row.velocity && !row.one_sided && rigid(r, now) ? share * set.phi[r] : 0;
  }
}

void Rows::align(double* carried) {
  merge_groups();
  for (size_t r = 0; r < size(); ++r) carried[r] = ratio_[r] * carried[master_[r]];
}

void Rows::plan_step(const SchemeWeights& w, const Instant& end, const double* v_base,
                     const double* carried) {
  const auto& rows = model_.mechanism.rows;
  for (size_t r = 0; r < rows.size(); ++r) {
    plan[r] = {};
    if (activity[r] == 0 || master_[r] != static_cast<int>(r)) continue;
    Entry& e = plan[r];
    e.on = true;
    e.E = e.c = 0;
    const bool velocity = rows[r].velocity;
    const double c = velocity ? w.cr : w.cq;
    for (int member = static_cast<int>(r); member >= 0;
         member = next_[static_cast<size_t>(member)]) {
      const auto k = static_cast<size_t>(member);
      const double slip = w.cM == 0 ? 0 : rows[k].slip.at(end).value;  // at rest nothing is lost
      const Yield y = velocity ? Yield{slip, 0} : yield(k, end);
      const double eps = y.compliance;
      const double value =
          velocity ? set.times(member, v_base) + set.rate[k] : set.phi[k] + y.offset - kept_[k];
      e.E += ratio_[k] * eps / c;
      e.c -= (value + eps * carried[k]) / c;
    }
  }
}

/// Damping time of a row [s].
double Rows::spook_damping(const SolveOptions& options, const State& state, size_t row,
                           double h) const {
  const double own = model_.mechanism.rows[row].viscosity;
  const bool unresolved =
      !(compliance(row, state.now()) > 0) || state.row_omega[row] * h > resolved;
  if (options.damping_time >= 0) return options.damping_time;
  return unresolved ? std::max(own, 2 * h) : own;
}

void Rows::plan_spook(const SolveOptions& options, const State& state, double h,
                      const double* v_back, const double* v_base) {
  const auto& rows = model_.mechanism.rows;
  for (size_t r = 0; r < rows.size(); ++r) {
    plan[r] = {};
    if (master_[r] != static_cast<int>(r)) continue;
    Entry e{true, 0, 0};
    for (int member = static_cast<int>(r); member >= 0;
         member = next_[static_cast<size_t>(member)]) {
      const auto k = static_cast<size_t>(member);
      if (rows[k].velocity) {
        e.E += ratio_[k] * rows[k].slip.at(state.at(state.t + h)).value / h;
        e.c -= (set.times(member, v_base) + set.rate[k]) / h;
        continue;
      }
      const double eps = compliance(k, state.now());
      const double tau = spook_damping(options, state, k, h);
      const double U = 1 / (1 + 4 * tau / h), D = -set.rate[k];
      const double phi = set.phi[k] + h * D;  // at the start of the step; evaluated for its end
      const double wanted = -4 / h * U * phi + U * (set.times(member, v_back) - D) + D;
      e.E += ratio_[k] * 4 * eps / (h * h) * U;
      e.c += (wanted - set.times(member, v_base)) / h;
    }
    if (activity[r] != 0)
      plan[r] = e;
    else if (!rows[r].velocity)
      wanted_[r] = e.c;
  }
}

void Rows::take_forces_of_stretch(const SolveOptions& options, State& state, double h) {
  const auto& rows = model_.mechanism.rows;
  double* force = state.multipliers.data() + model_.conditions.size();
  set.evaluate(state.q.data(), state.t, state);
  for (size_t r = 0; r < rows.size(); ++r) {
    const double eps = compliance(r, state.now());
    const bool alone = is_master(r) && next_[r] < 0;
    if (rows[r].velocity || state.activity[r] == 0 || !alone || !(eps > 0)) continue;
    if (spook_damping(options, state, r, h) > 0) continue;
    force[r] = -set.phi[r] / eps;
    if (rows[r].one_sided) force[r] = std::max(0.0, force[r]);
  }
}

void Rows::plan_velocities(const State& state, const double* slipping) {
  const auto& rows = model_.mechanism.rows;
  for (size_t r = 0; r < rows.size(); ++r) {
    plan[r] = {};
    const double rate = set.times(static_cast<int>(r), state.v.data()) + set.rate[r];
    if (activity[r] == 0) continue;
    if (rigid(r, state.now())) {
      if (rows[r].one_sided && rate > 0) continue;
      plan[r] = {true, 0, -rate};
    } else if (slipping && rows[r].velocity) {
      plan[r] = {true, 0, -rate - rows[r].slip.at(state.now()).value * slipping[r]};
    }
  }
}

void Rows::plan_accelerations(const State& state, const std::vector<double>& second) {
  merge_groups();
  const auto& rows = model_.mechanism.rows;
  const Instant now = state.now();
  for (size_t r = 0; r < rows.size(); ++r) {
    plan[r] = {};
    const auto master = static_cast<size_t>(master_[r]);
    lambda[r] = master == r ? 0 : ratio_[r] * lambda[master];  // masters come first
    if (activity[r] == 0 || master != r) continue;
    double yields = 0, value = 0, wanted = 0;
    for (int member = static_cast<int>(r); member >= 0;
         member = next_[static_cast<size_t>(member)]) {
      const auto k = static_cast<size_t>(member);
      const bool velocity = rows[k].velocity;
      const Yield y = velocity ? Yield{rows[k].slip.at(now).value, 0} : yield(k, now);
      yields += ratio_[k] * y.compliance;
      value += velocity ? set.times(member, state.v.data()) + set.rate[k] : set.phi[k] + y.offset;
      wanted -= second[k];
    }
    if (yields > 0) {
      const double known = -value / yields;
      lambda[r] = rows[r].one_sided ? std::max(0.0, known) : known;
    } else {
      plan[r] = {true, 0, wanted};
    }
  }
}

void Rows::write(const MatrixSink& sink) const {
  const auto& rows = model_.mechanism.rows;
  const size_t first = model_.conditions.size();
  for (size_t r = 0; r < rows.size(); ++r) {
    const size_t entries = node_size * rows[r].nodes.size();
    double* out = sink.rows + linear_entries_ + rows[r].first_entry;
    sink.compliance[first + r] = plan[r].E;
    std::fill_n(out, entries, 0.0);
    if (!plan[r].on) continue;
    for (int member = static_cast<int>(r); member >= 0;
         member = next_[static_cast<size_t>(member)]) {
      const auto k = static_cast<size_t>(member);
      const double* g = set.G.data() + rows[k].first_entry;
      for (size_t i = 0; i < entries; ++i) out[i] += g[i];
    }
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
  const auto& rows = model_.mechanism.rows;
  size_t groups = 0;
  const auto change = [&](std::vector<double>& y, const Slip& by) {
    const size_t m = first + static_cast<size_t>(by.row);
    const double mu = y[m] / (1 + by.z[m]);
    for (size_t i = 0; i < unknowns; ++i) y[i] -= mu * by.z[i];
  };
  for (size_t r = 0; r < rows.size(); ++r) {
    if (!plan[r].on || next_[r] < 0) continue;
    Slip& group = slips_[groups];
    group.row = static_cast<int>(r);
    std::fill(group.z.begin(), group.z.end(), 0);
    for (int k = next_[r]; k >= 0; k = next_[static_cast<size_t>(k)]) {
      const RowInfo& row = rows[static_cast<size_t>(k)];
      const double* g = set.G.data() + row.first_entry;
      for (const int node : row.nodes)
        for (int i = 0; i < node_size; ++i)
          group.z[static_cast<size_t>(node_size * node + i)] +=
              (ratio_[static_cast<size_t>(k)] - 1) * *g++;
    }
    solver.solve(group.z);
    for (size_t i = 0; i < groups; ++i) change(group.z, slips_[i]);
    change(x, group);
    ++groups;
  }
}

void Rows::take(const double* mu, const double* carried) {
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

bool Rows::switch_rows(const SchemeWeights& w, const double* x) {
  if (!switching_) return false;
  const auto& rows = model_.mechanism.rows;
  const double length = 1e-13 * (1 + model_.extent);
  bool changed = false;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (held || !rows[r].one_sided || master_[r] != static_cast<int>(r)) continue;
    const int row = static_cast<int>(r);
    if (activity[r] != 0) {
      if (lambda[r] < 0) changed |= flip(r, 0);
    } else {
      double phi = 0;
      for (int k = row; k >= 0; k = next_[static_cast<size_t>(k)])
        phi +=
            set.phi[static_cast<size_t>(k)] + w.cq * set.times(k, x) + rest(static_cast<size_t>(k));
      const bool pushes = wanted_[r] > along(r, x);
      if (phi < -length && pushes) changed |= flip(r, 1);
    }
  }
  return switch_rubs() || changed;
}

bool Rows::switch_forces() {
  bool changed = false;
  for (size_t r = 0; r < size(); ++r)
    if (model_.mechanism.rows[r].one_sided && activity[r] != 0 && lambda[r] < 0)
      changed |= flip(r, 0);
  return switch_rubs() || changed;
}

/// What sticks begins to slip where its tensions differ too much.
bool Rows::switch_rubs() {
  if (!rubbing_) return false;
  bool changed = false;
  for (const RouteData& route : model_.mechanism.routes)
    for (size_t r = 0; r + 1 < route.runs.size(); ++r) {
      const size_t at = rub(route, r);
      const StopData& stop = route.stops[static_cast<size_t>(route.runs[r].last_stop)];
      if (stop.grip || activity[at] != 0) continue;
      const double before = lambda[static_cast<size_t>(route.runs[r].row)],
                   after = lambda[static_cast<size_t>(route.runs[r + 1].row)];
      const double most =
          std::exp(stop.friction * set.wrap_angle[static_cast<size_t>(route.first_rub) + r]);
      const double margin = tension_slack * (std::abs(before) + std::abs(after));
      if (after > most * before + margin)
        changed |= flip(at, 1);
      else if (before > most * after + margin)
        changed |= flip(at, -1);
    }
  return changed;
}

/// A cable of given speed is as long as its way while it pulls, and keeps what it is given while it
/// is slack.
void Rows::keep_length(const RouteData& route, const double* correction, State& s) const {
  for (size_t r = 0; r < route.runs.size(); ++r) {
    const int row = route.runs[r].row;
    const size_t at = static_cast<size_t>(route.first_run) + r;
    s.run_length[at] = activity[static_cast<size_t>(row)] == 0
                           ? set.run_left[at]
                           : set.run_span[at] - set.times(row, correction);
  }
}

double Rows::accept(State& s, const double* correction, const double* mean) {
  double work = 0;
  const Instant now = s.now();
  const Mechanism& m = model_.mechanism;
  s.wrap = set.wrap;
  set.turn_angles(correction, s.wrap);
  follow_masters();
  for (size_t i = 0; i < m.routes.size(); ++i) {
    const RouteData& route = m.routes[i];
    if (route.twist_row >= 0) s.twist[i] = set.twist[i] + set.times(route.twist_row, correction);
    double* length = s.run_length.data() + route.first_run;
    if (route.driven) keep_length(route, correction, s);
    for (size_t r = 0; r + 1 < route.runs.size(); ++r) {
      const size_t at = rub(route, r);
      if (activity[at] == 0) continue;
      // What slips over the stop leaves the side before it at its own tension.
      const RunData& run = route.runs[r];
      const auto row = static_cast<size_t>(run.row);
      const double paid = r == 0 ? route.payout.at(now).value : 0;
      const double span =
          set.run_span[static_cast<size_t>(route.first_run) + r] - set.times(run.row, correction);
      const Yield y = yield(row, now);
      const double left = span - y.compliance * lambda[row] - y.offset - paid;
      const double flow = length[r] - left;  // towards the next side
      length[r] -= flow;
      length[r + 1] += flow;
      const auto next = static_cast<size_t>(route.runs[r + 1].row);
      work -= std::abs(flow * (mean[next] - mean[row]));
      if (flow * activity[at] < 0) activity[at] = 0;
    }
  }
  s.activity = activity;
  return work;
}

}  // namespace hawser

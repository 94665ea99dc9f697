// How rows enter the linear system of a step, of velocities and of accelerations.
#include <algorithm>
#include <cmath>

#include "complementarity/rows.h"

namespace hawser {
namespace {

constexpr double resolved = 0.3;  ///< omega h up to which an oscillation counts as resolved

}  // namespace

void Rows::plan_step(const SchemeWeights& w, const Instant& end, const double* v_base,
                     const double* carried) {
  const auto& rows = model_.rows;
  const double by_position = 1 / w.cq, by_rate = 1 / w.cr;
  for (size_t r = 0; r < rows.size(); ++r) {
    plan[r] = {};
    if (activity[r] == 0 || master_[r] != static_cast<int>(r)) continue;
    if (facts_[r].plain && next_[r] < 0 && !viscous) {  // as most are
      plan[r] = {true, 0, -(set.phi[r] - kept_[r]) * by_position};
      continue;
    }
    if (const int limit = facts_[r].limit; limit >= 0) {
      limited_rate_[static_cast<size_t>(limit)] = set.rate_of(r, v_base);
      if (slips(r)) continue;
    }
    Entry& e = plan[r];
    e.on = true;
    e.E = e.c = 0;
    const bool velocity = facts_[r].velocity;
    const double inverse = velocity ? by_rate : by_position;
    if (facts_[r].constant) {  // rigid, and of no group
      e.c = -set.phi[r] * inverse;
      continue;
    }
    if (!velocity && next_[r] < 0 && !viscous) {
      const double eps = compliance(r, end);
      e.E = eps * inverse;
      e.c = -(set.phi[r] - kept_[r] + eps * carried[r]) * inverse;
      continue;
    }
    for_group(r, [&](size_t k) {
      const double slip = w.cM == 0 ? 0 : rows[k].slip.at(end).value;  // at rest nothing is lost
      const Yield y = velocity ? Yield{slip, 0} : yield(k, end);
      const double eps = y.compliance;
      const double value = velocity ? set.rate_of(k, v_base) : set.phi[k] + y.offset - kept_[k];
      e.E += ratio_[k] * eps * inverse;
      e.c -= (value + eps * carried[k]) * inverse;
    });
  }
}

/// Damping time of a row [s].
double Rows::spook_damping(const SolveOptions& options, const State& state, size_t row,
                           double h) const {
  if (options.damping_time >= 0) return options.damping_time;
  const bool unresolved =
      !(compliance(row, state.now()) > 0) || state.row_omega[row] * h > resolved;
  const double own = model_.rows[row].viscosity;
  return unresolved ? std::max(own, 2 * h) : own;
}

void Rows::plan_spook(const SolveOptions& options, const State& state, double h,
                      const double* v_back, const double* v_base) {
  const auto& rows = model_.rows;
  for (size_t r = 0; r < rows.size(); ++r) {
    plan[r] = {};
    if (master_[r] != static_cast<int>(r)) continue;
    if (const int limit = facts_[r].limit; limit >= 0) {
      limited_rate_[static_cast<size_t>(limit)] = set.rate_of(r, v_base);
      if (slips(r)) continue;
    }
    Entry e{true, 0, 0};
    for_group(r, [&](size_t k) {
      if (facts_[k].velocity) {
        e.E += ratio_[k] * rows[k].slip.at(state.at(state.t + h)).value / h;
        e.c -= set.rate_of(k, v_base) / h;
        return;
      }
      const double eps = compliance(k, state.now());
      const double tau = spook_damping(options, state, k, h);
      const double U = 1 / (1 + 4 * tau / h), D = -set.rate[k];
      const double phi = set.phi[k] + h * D;  // at the start of the step; evaluated for its end
      const int row = static_cast<int>(k);
      const double wanted = -4 / h * U * phi + U * (set.times(row, v_back) - D) + D;
      e.E += ratio_[k] * 4 * eps / (h * h) * U;
      e.c += (wanted - set.times(row, v_base)) / h;
    });
    if (activity[r] != 0)
      plan[r] = e;
    else if (!facts_[r].velocity)
      wanted_[r] = e.c;
  }
}

void Rows::take_forces_of_stretch(const SolveOptions& options, State& state, double h) {
  const auto& rows = model_.rows;
  double* force = state.multipliers.data();
  const auto wanted = [&](size_t r) {
    const bool alone = is_master(r) && next_[r] < 0;
    return !facts_[r].velocity && state.activity[r] != 0 && alone && compliance(r, state.now()) > 0;
  };
  bool any = false;
  for (size_t r = 0; r < rows.size() && !any; ++r) any = wanted(r);
  if (!any) return;
  set.evaluate(state.q.data(), state.t, state);
  for (size_t r = 0; r < rows.size(); ++r) {
    if (!wanted(r)) continue;
    const double eps = compliance(r, state.now());
    if (spook_damping(options, state, r, h) > 0) continue;
    force[r] = -set.phi[r] / eps;
    if (rows[r].one_sided) force[r] = std::max(0.0, force[r]);
  }
}

void Rows::plan_velocities(const State& state, const double* slipping) {
  const auto& rows = model_.rows;
  for (size_t r = 0; r < rows.size(); ++r) {
    plan[r] = {};
    const double rate = set.rate_of(r, state.v.data());
    const bool limited = facts_[r].limit >= 0 && std::isfinite(set.limit[r]);
    if (activity[r] == 0 || limited) continue;  // no limited force is an impulse
    if (rigid(r, state.now())) {
      if (rows[r].one_sided && rate > 0) continue;
      plan[r] = {true, 0, -rate};
    } else if (slipping && rows[r].velocity) {
      plan[r] = {true, 0, -rate - rows[r].slip.at(state.now()).value * slipping[r]};
    }
  }
}

void Rows::plan_accelerations(const State& state) {
  merge_groups();
  const auto& rows = model_.rows;
  const Instant now = state.now();
  for (size_t r = 0; r < rows.size(); ++r) {
    plan[r] = {};
    const auto master = static_cast<size_t>(master_[r]);
    lambda[r] = master == r ? 0 : ratio_[r] * lambda[master];  // masters come first
    if (activity[r] == 0 || master != r) continue;
    if (slips(r)) {
      lambda[r] = slipping_force(r);
      continue;
    }
    double yields = 0, value = 0, wanted = 0;
    for_group(r, [&](size_t k) {
      const bool velocity = rows[k].velocity;
      const Yield y = velocity ? Yield{rows[k].slip.at(now).value, 0} : yield(k, now);
      yields += ratio_[k] * y.compliance;
      value += velocity ? set.rate_of(k, state.v.data()) : set.phi[k] + y.offset;
      wanted -= second_[k];
    });
    if (yields > 0) {
      const double known = -value / yields;
      lambda[r] = rows[r].one_sided ? std::max(0.0, known) : known;
    } else {
      plan[r] = {true, 0, wanted};
    }
  }
}

void Rows::note_start(const State& state) {
  set.evaluate(state.q.data(), state.t, state);
  start_phi_ = set.phi;
  start_second_ = set.second;
  for (size_t r = 0; r < size(); ++r) start_rate_[r] = set.rate_of(r, state.v.data());
}

void Rows::plan_feedback(const SolveOptions& options, const SchemeWeights& w, const State& state,
                         const double* a_base) {
  for (size_t r = 0; r < size(); ++r) {
    const int row = static_cast<int>(r);
    const double wanted =
        scheme_acceleration(w, -set.second[r], -start_second_[r], set.times(row, state.a.data()));
    plan[r] = {
        true, 0,
        baumgarte(options, w.h, wanted, start_phi_[r], start_rate_[r]) - set.times(row, a_base)};
  }
}

}  // namespace hawser

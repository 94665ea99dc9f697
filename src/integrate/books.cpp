// The books: the work of everything that has no potential, by the rule of the scheme.
//
// A scheme (scheme.h) changes momenta by M (v1 - v) = v_back M (v - v_before) + v_a M a + cv M a1,
// with cM M a1 + cMa M a = F1 + cF F. Both are linear in the forces. A force F therefore has a part
// A of M a and a part I of the change of momentum of its own,
//
//     A1 = (F1 + cF F - cMa A)/cM,     I1 = v_back I + v_a A + cv A1,
//
// and I1/h is the force with which it acts on the mean over the step: F1 with Backward Euler,
// (F + F1)/2 with the trapezoidal rule, 0.56 F1 + 0.38 F + 0.06 F_before with HHT, alpha = -0.2.
// Its work is that mean force times the way it goes:
//
// | account                  | way                                                           |
// | support, condition       | change of the prescribed value                                |
// | row held in position     | change of Phi by time at fixed q, h (Phi_t + Phi_t1)/2          |
// | row with a given rate    | h (G v + G v1)/2; with Backward Euler h G v1                    |
// | drag, damping            | h (v + v1)/2; with Backward Euler h v1, and its part of what   |
// |                          | the scheme takes (taken_by_euler)                              |
//
// The kinetic energy changes by (v + v1)/2 . sum I exactly. The last row leaves none of the
// scheme's error to forces that stop a cable within a step; what the balance shows is then that of
// elastic forces and weight alone: the scheme's own damping, positive or not. Loads are given
// functions of time, which steps resolve: their mean is that of both ends.
//
// A cable that is paid out changes its compliance eps, and takes elastic energy along: with
// lambda = -Phi/eps, eps1 lambda1^2/2 - eps lambda^2/2 = (lambda + lambda1)/2 (Phi - Phi1)
// - lambda lambda1 (eps1 - eps)/2, of which the last is the winch's.
#include "integrate/books.h"

#include <algorithm>

#include "integrate/engine.h"

namespace hawser {
namespace {

/// Forces count as they are at the end of the step.
bool counts_end(const SchemeWeights& w) { return w.v_a == 0 && w.v_back == 0; }

}  // namespace

Accounts::Accounts(const ModelData& model) : rows(model.mechanism.rows.size()) {
  for (size_t k = 0; k < model.fixed.size(); ++k)
    if (!model.fixed[k].value.is_constant()) supports.push_back(k);
  for (size_t r = 0; r < model.conditions.size(); ++r)
    if (!model.conditions[r].value.is_constant()) conditions.push_back(r);
  if (model.facts.by_velocity) coordinates = static_cast<size_t>(model.structure.coordinates());
}

Books Accounts::blank() const {
  Books out;
  out.force.assign(size(), 0);
  out.share = out.impulse = out.force;
  out.drift.assign(rows, 0);
  return out;
}

double energy_scale(const ModelData& model, const Books& books, double least) {
  const double weight =
      model.total_mass * model.scene.gravity.norm() * std::max(model.total_length, model.extent);
  return std::max({books.scale, least * weight, 1e-3 * std::abs(books.work)});
}

double mean_weight(const SchemeWeights& w) {
  return w.v_back == 0 && w.cF == 0 && w.cMa == 0 ? w.cv / (w.cv + w.v_a) : 0.5;
}

void Accounts::take_forces(const ModelData& model, State& s) const {
  double* out = s.books.force.data();
  for (const size_t k : supports) *out++ = s.fixed_reaction[k];
  for (const size_t r : conditions) *out++ = s.multipliers[r];
  for (size_t r = 0; r < rows; ++r) *out++ = s.multipliers[model.conditions.size() + r];
  s.books.share = s.books.force;
}

void Engine::open_accounts(State& s) {
  if (accounts_.coordinates > 0) {
    double* out = s.books.force.data() + accounts_.first_coordinate();
    std::fill_n(out, accounts_.coordinates, 0);
    assembler.add_lossy({s.now(), s.q.data(), s.v.data(), s.orientation.data()}, out);
  }
  accounts_.take_forces(model, s);
  if (rows.any()) s.books.drift = rows.set.rate;
}

/// Forces at the end of the step, as the step found them.
void Engine::collect_forces(const State& s, double t) {
  double* out = entry_.force.data();
  for (const size_t k : accounts_.supports) *out++ = reaction_new[k];
  for (const size_t r : accounts_.conditions) *out++ = -multiplier[r];
  for (size_t r = 0; r < rows.size(); ++r) *out++ = rows.lambda[r];
  if (accounts_.coordinates == 0) return;
  std::fill_n(out, accounts_.coordinates, 0);
  const bool ahead = at_current_ && model.facts.ahead;
  Configuration at(s.at(t), q_new.data(), v_new.data(), s.orientation.data());
  at.q_ahead = ahead ? q_ahead.data() : q_base.data();
  at.v_ahead = ahead ? v_ahead.data() : v_end.data();
  assembler.add_lossy(at, out);
}

double Engine::step_work(const State& s, const SchemeWeights& w) {
  collect_forces(s, s.t + w.h);
  const Books& books = s.books;
  for (size_t i = 0; i < accounts_.size(); ++i) {
    entry_.share[i] = (entry_.force[i] + w.cF * books.force[i] - w.cMa * books.share[i]) / w.cM;
    entry_.impulse[i] =
        w.v_back * books.impulse[i] + w.v_a * books.share[i] + w.cv * entry_.share[i];
  }
  const double* impulse = entry_.impulse.data();
  double work = 0;  // times h
  for (const size_t k : accounts_.supports) {
    const auto c = static_cast<size_t>(model.fixed[k].coordinate);
    work += *impulse++ * (q_new[c] - s.q[c]);
  }
  for (const size_t r : accounts_.conditions)
    work += *impulse++ * (condition_target[r].value - model.conditions[r].value.at(s.now()).value);
  const double begin = counts_end(w) ? 0 : w.h / 2, end = w.h - begin;
  for (size_t r = 0; r < rows.size(); ++r, ++impulse) {
    const double then = books.drift[r], now = rows.set.rate[r];
    if (model.mechanism.rows[r].velocity)
      work += *impulse * (begin * (s.row_rates[r] - then) +
                          end * rows.set.times(static_cast<int>(r), v_new.data()));
    else
      work -= *impulse * w.h * (then + now) / 2;
  }
  for (size_t i = 0; i < accounts_.coordinates; ++i)
    work += impulse[i] * (begin * s.v[i] + end * v_new[i]);
  if (accounts_.coordinates > 0 && counts_end(w)) work -= w.h * taken_by_euler(s, impulse);
  return work / w.h + (model.facts.supplies ? work_of_loads(s, w) : 0);
}

/// Backward Euler takes (v1 - v) . M (v1 - v)/2 of the kinetic energy, of which drag and damping
/// with the impulses I have brought about I . (v1 - v)/2: more than none, and not more than all.
double Engine::taken_by_euler(const State& s, const double* impulse) {
  double brought = 0, all = 0;
  for (size_t i = 0; i < accounts_.coordinates; ++i) {
    load_[i] = v_new[i] - s.v[i];
    brought += impulse[i] * load_[i];
  }
  assembler.mass_times(s.q.data(), load_.data());
  for (size_t i = 0; i < accounts_.coordinates; ++i) all += assembler.inertia[i] * load_[i];
  return std::clamp(brought, 0.0, std::max(all, 0.0)) / 2;
}

double Engine::work_of_loads(const State& s, const SchemeWeights& w) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  const double end = mean_weight(w);
  std::fill(load_.begin(), load_.end(), 0);
  const double* orientation = s.orientation.data();
  assembler.add_supplied_loads({s.now(), s.q.data(), s.v.data(), orientation}, 1 - end,
                               load_.data());
  assembler.add_supplied_loads({s.at(s.t + w.h), q_new.data(), v_new.data(), orientation}, end,
                               load_.data());
  double work = 0;
  for (size_t i = 0; i < n; ++i) work += load_[i] * (q_new[i] - s.q[i]);
  return work;
}

/// With the constraints as last evaluated.
double Engine::power(const Configuration& at, const double* force, const double* drift) {
  double sum = 0;
  for (const size_t k : accounts_.supports) sum += *force++ * fixed_target[k].rate;
  for (const size_t r : accounts_.conditions) sum += *force++ * condition_target[r].rate;
  const double* lambda = force;
  for (size_t r = 0; r < rows.size(); ++r, ++force)
    sum += *force * (model.mechanism.rows[r].velocity ? rows.set.times(static_cast<int>(r), at.v)
                                                      : -drift[r]);
  for (size_t i = 0; i < accounts_.coordinates; ++i) sum += force[i] * at.v[i];
  for (const RouteData* route : winches_) {
    const double tension = lambda[route->runs[0].row];
    sum -= route->payout.at(at).rate / route->EA * tension * tension / 2;
  }
  if (!model.facts.supplies) return sum;
  std::fill(load_.begin(), load_.end(), 0);
  assembler.add_supplied_loads(at, 1, load_.data());
  for (int i = 0; i < model.structure.coordinates(); ++i)
    sum += load_[static_cast<size_t>(i)] * at.v[i];
  return sum;
}

double Engine::power_of(const State& s) {
  evaluate_targets(s.now(), Side::after);
  if (rows.any() || !model.mechanism.bodies.empty()) rows.set.evaluate(s.q.data(), s.t, s);
  return power({s.now(), s.q.data(), s.v.data(), s.orientation.data()}, s.books.force.data(),
               s.books.drift.data());
}

double Engine::power_now(const State& s, double t) {
  collect_forces(s, t);
  return power({s.at(t), q_new.data(), v_new.data(), s.orientation.data()}, entry_.force.data(),
               rows.set.rate.data());
}

/// Elastic part of the tension of a winch's cable at the winch.
double Engine::elastic_tension(const State& s, const RouteData& route) const {
  const auto row = static_cast<size_t>(route.runs[0].row);
  const double tension = s.multipliers[model.conditions.size() + row];
  return s.viscous_force.empty()
             ? tension
             : tension - s.viscous_force[static_cast<size_t>(model.point_size) + row];
}

void Engine::look_at_winches(const State& s) {
  for (size_t i = 0; i < wound_.size(); ++i) wound_[i] = elastic_tension(s, *winches_[i]);
}

double Engine::work_of_winches(const State& s, double t_before) const {
  double work = 0;
  for (size_t i = 0; i < wound_.size(); ++i) {
    const auto row = static_cast<size_t>(winches_[i]->runs[0].row);
    work -= wound_[i] * elastic_tension(s, *winches_[i]) / 2 *
            (rows.compliance(row, s.now()) - rows.compliance(row, s.at(t_before)));
  }
  return work;
}

void Engine::tally(State& s, Cause cause) const {
  const EnergyParts energy = energy_of(model, s);
  Books& b = s.books;
  const double balance = energy.total() - b.start - b.work, change = balance - b.balance;
  (cause == Cause::steps       ? b.by_steps
   : cause == Cause::fallbacks ? b.by_fallbacks
                               : b.by_switches) += change;
  b.balance = balance;
  b.lowest = std::min(b.lowest, balance);
  const double gain = balance - b.lowest;
  b.largest_gain = std::max(b.largest_gain, gain);
  b.scale = std::max(b.scale, energy.kinetic + std::abs(energy.elastic() - b.elastic_start) - gain);
}

void open_books(const ModelData& model, State& s) {
  const EnergyParts energy = energy_of(model, s);
  Books& b = s.books;
  b.work = b.balance = b.lowest = b.largest_gain = b.by_steps = b.by_fallbacks = b.by_switches = 0;
  b.gain_since = -1;
  b.gain_steps = 0;
  b.start = energy.total();
  b.elastic_start = energy.elastic();
  b.scale = energy.kinetic;
}

}  // namespace hawser

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
// | support                  | q1 - q                                                        |
// | row with a constant G    | G (q1 - q)                                                    |
// | other row held           | change of Phi by time at fixed q, h (Phi_t + Phi_t1)/2          |
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
#include "accounts/ledger.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "assembly/energy.h"

namespace hawser {
namespace {

/// Forces count as they are at the end of the step.
bool counts_end(const SchemeWeights& w) { return w.v_a == 0 && w.v_back == 0; }

}  // namespace

Accounts::Accounts(const ModelData& model) : rows(model.rows.size()) {
  const std::vector<HeldCoordinate> held = ConstraintSet(model).held;
  for (size_t k = 0; k < held.size(); ++k)
    if (!held[k].value.is_constant()) supports.push_back(k);
  if (model.facts.lossy) coordinates = static_cast<size_t>(model.structure.coordinates());
}

Books Accounts::blank() const {
  Books out;
  out.force.assign(size(), 0);
  out.share = out.impulse = out.force;
  out.drift.assign(rows, 0);
  return out;
}

void Accounts::take_forces(State& s) const {
  double* out = s.books.force.data();
  for (const size_t k : supports) *out++ = s.fixed_reaction[k];
  std::copy(s.multipliers.begin(), s.multipliers.end(), out);
  s.books.share = s.books.force;
}

double energy_scale(const ModelData& model, const Books& books, double least) {
  const double weight = model.total_mass * model.scene.gravity.norm() *
                        std::max({model.total_length, model.extent, model.body_extent});
  return std::max({books.scale, least * weight, 1e-3 * std::abs(books.work)});
}

double mean_weight(const SchemeWeights& w) {
  return w.v_back == 0 && w.cF == 0 && w.cMa == 0 ? w.cv / (w.cv + w.v_a) : 0.5;
}

Ledger::Ledger(const ModelData& model, Assembler& assembler, const Rows& rows)
    : model_(model),
      assembler_(assembler),
      rows_(rows),
      accounts_(model),
      entry_(accounts_.blank()),
      load_(model.padded(), 0) {
  impulses = entry_.impulse;
  for (size_t r = 0; r < model.rows.size(); ++r) {
    if (model.rows[r].paid_out()) winches_.push_back(r);
    yields_.push_back(rows.yields(r));
    if (!rows.yields(r) && (model.rows[r].velocity || model.rows[r].moves)) others_.push_back(r);
  }
  wound_.assign(winches_.size(), 0);
}

void Ledger::begin(State& s) {
  if (accounts_.coordinates > 0) {
    double* out = s.books.force.data() + accounts_.first_coordinate();
    std::fill_n(out, accounts_.coordinates, 0);
    Configuration at(s.now(), s.q.data(), s.v.data(), s.orientation.data());
    if (model_.facts.remembers) at.contacts = s.contacts.data();
    assembler_.add_lossy(at, out);
  }
  accounts_.take_forces(s);
  if (rows_.any()) s.books.drift = rows_.set.rate;
}

/// Forces at the end of the step, as the step found them.
void Ledger::collect_forces(const StepResult& to) {
  double* out = entry_.force.data();
  for (const size_t k : accounts_.supports) *out++ = to.reaction[k];
  out = std::copy(rows_.lambda.begin(), rows_.lambda.end(), out);
  if (accounts_.coordinates == 0) return;
  std::fill_n(out, accounts_.coordinates, 0);
  assembler_.add_lossy(to.at, out);
}

double Ledger::step_work(const State& s, const SchemeWeights& w, const StepResult& to) {
  collect_forces(to);
  const Books& books = s.books;
  const double by_mass = 1 / w.cM;
  for (size_t i = 0; i < accounts_.size(); ++i) {
    entry_.share[i] = (entry_.force[i] + w.cF * books.force[i] - w.cMa * books.share[i]) * by_mass;
    entry_.impulse[i] =
        w.v_back * books.impulse[i] + w.v_a * books.share[i] + w.cv * entry_.share[i];
  }
  const double* impulse = entry_.impulse.data();
  double work = 0;  // times h
  for (const size_t k : accounts_.supports) {
    const int c = rows_.set.held[k].coordinate;
    work += *impulse++ * (to.at.q[c] - s.q[static_cast<size_t>(c)]);
  }
  add_work_of_rows(s, w, to, impulse, work);
  impulse += accounts_.rows;
  const double begin = counts_end(w) ? 0 : w.h / 2, end = w.h - begin;
  for (size_t i = 0; i < accounts_.coordinates; ++i)
    work += impulse[i] * (begin * s.v[i] + end * to.at.v[i]);
  if (accounts_.coordinates > 0 && counts_end(w)) work -= w.h * taken_by_euler(s, to.at.v, impulse);
  return work / w.h + (model_.facts.supplies ? work_of_loads(s, w, to) : 0);
}

/// Times h.
void Ledger::add_work_of_rows(const State& s, const SchemeWeights& w, const StepResult& to,
                              const double* impulse, double& work) const {
  const double begin = counts_end(w) ? 0 : w.h / 2, end = w.h - begin;
  using All = Eigen::Map<const Eigen::ArrayXd>;
  const auto n = static_cast<Eigen::Index>(rows_.size());
  const All then(s.books.drift.data(), n), now(rows_.set.rate.data(), n);
  work -= w.h / 2 * (All(yields_.data(), n) * All(impulse, n) * (then + now)).sum();
  for (const size_t r : others_) {
    const int row = static_cast<int>(r);
    if (model_.rows[r].velocity)
      work += impulse[r] *
              (begin * (s.row_rates[r] - s.books.drift[r]) + end * rows_.set.times(row, to.at.v));
    else
      work += impulse[r] * (rows_.set.times(row, to.at.q) - rows_.set.times(row, s.q.data()));
  }
}

/// Backward Euler takes (v1 - v) . M (v1 - v)/2 of the kinetic energy, of which drag and damping
/// with the impulses I have brought about I . (v1 - v)/2: more than none, and not more than all.
double Ledger::taken_by_euler(const State& s, const double* v, const double* impulse) {
  double brought = 0, all = 0;
  for (size_t i = 0; i < accounts_.coordinates; ++i) {
    load_[i] = v[i] - s.v[i];
    brought += impulse[i] * load_[i];
  }
  assembler_.mass_times(s.q.data(), load_.data());
  for (size_t i = 0; i < accounts_.coordinates; ++i) all += assembler_.inertia[i] * load_[i];
  return std::clamp(brought, 0.0, std::max(all, 0.0)) / 2;
}

double Ledger::work_of_loads(const State& s, const SchemeWeights& w, const StepResult& to) {
  const size_t n = static_cast<size_t>(model_.structure.coordinates());
  const double end = mean_weight(w);
  std::fill(load_.begin(), load_.end(), 0);
  const Configuration from(s.now(), s.q.data(), s.v.data(), s.orientation.data());
  assembler_.add_supplied_loads(from, 1 - end, load_.data());
  assembler_.add_supplied_loads({to.at, to.at.q, to.at.v, to.at.orientation}, end, load_.data());
  double work = 0;
  for (size_t i = 0; i < n; ++i) work += load_[i] * (to.at.q[i] - s.q[i]);
  return work;
}

/// With the constraints as last evaluated.
double Ledger::power(const Configuration& at, const double* force, const double* drift,
                     std::span<const Signal::Sample> targets) {
  double sum = 0;
  for (const size_t k : accounts_.supports) sum += *force++ * targets[k].rate;
  const double* lambda = force;
  for (size_t r = 0; r < rows_.size(); ++r, ++force)
    sum +=
        *force * (model_.rows[r].velocity ? rows_.set.times(static_cast<int>(r), at.v) : -drift[r]);
  for (size_t i = 0; i < accounts_.coordinates; ++i) sum += force[i] * at.v[i];
  for (const size_t row : winches_) {
    const RowInfo& info = model_.rows[row];
    sum -= info.paying(at, at.q, at.v) / info.EA * lambda[row] * lambda[row] / 2;
  }
  if (!model_.facts.supplies) return sum;
  std::fill(load_.begin(), load_.end(), 0);
  assembler_.add_supplied_loads(at, 1, load_.data());
  for (int i = 0; i < model_.structure.coordinates(); ++i)
    sum += load_[static_cast<size_t>(i)] * at.v[i];
  return sum;
}

double Ledger::power_of(const State& s, std::span<const Signal::Sample> targets) {
  return power({s.now(), s.q.data(), s.v.data(), s.orientation.data()}, s.books.force.data(),
               s.books.drift.data(), targets);
}

double Ledger::power_now(const StepResult& to, std::span<const Signal::Sample> targets) {
  collect_forces(to);
  return power({to.at, to.at.q, to.at.v, to.at.orientation}, entry_.force.data(),
               rows_.set.rate.data(), targets);
}

void Ledger::enter(State& s, double work) {
  s.books.work += work;
  std::swap(s.books.force, entry_.force);
  std::swap(s.books.share, entry_.share);
  std::swap(s.books.impulse, entry_.impulse);
  for (size_t i = 0; i < impulses.size(); ++i) impulses[i] += s.books.impulse[i];
  for (size_t i = 0; i < wound_.size(); ++i) wound_[i] = elastic_tension(s, winches_[i]);
  if (rows_.any()) s.books.drift = rows_.set.rate;
}

void Ledger::mean_forces(const State& s, double h, std::vector<double>& out) const {
  const double rate = 1 / h;
  for (size_t r = 0; r < out.size(); ++r)
    out[r] = s.books.impulse[accounts_.first_row() + r] * rate;
}

/// Elastic part of the tension of a winch's cable at the winch.
double Ledger::elastic_tension(const State& s, size_t row) const {
  const double tension = s.multipliers[row];
  return s.viscous_force.empty()
             ? tension
             : tension - s.viscous_force[static_cast<size_t>(model_.point_size) + row];
}

double Ledger::work_of_winches(const State& s, double t_before) const {
  double work = 0;
  for (size_t i = 0; i < wound_.size(); ++i) {
    const RowInfo& info = model_.rows[winches_[i]];
    work -= wound_[i] * elastic_tension(s, winches_[i]) / 2 *
            (info.compliance_at(s.now(), info.off_drums(s.q.data())) -
             info.compliance_at(s.at(t_before), info.off_drums(s.q_before.data())));
  }
  return work;
}

void Ledger::tally(State& s, Cause cause) const {
  const EnergyParts energy = energy_of(model_, s);
  Books& b = s.books;
  const double balance = energy.total() - b.start - b.work, change = balance - b.balance;
  (cause == Cause::steps       ? b.by_steps
   : cause == Cause::fallbacks ? b.by_fallbacks
   : cause == Cause::switches  ? b.by_switches
   : cause == Cause::mesh      ? b.by_mesh
                               : b.by_fidelity) += change;
  if (cause == Cause::fidelity) b.largest_fidelity = std::max(b.largest_fidelity, std::abs(change));
  b.balance = balance;
  b.lowest = std::min(b.lowest, balance);
  const double gain = balance - b.lowest;
  b.largest_gain = std::max(b.largest_gain, gain);
  b.scale = std::max(b.scale, energy.kinetic + std::abs(energy.elastic() - b.elastic_start) - gain);
}

void Ledger::take_over(const Ledger& from, const MeshTransfer& map, Books& books) const {
  const Accounts &now = accounts_, &then = from.accounts_;
  if (now.coordinates == 0 && now.size() == then.size()) return;
  for (auto* account : {&books.force, &books.share, &books.impulse}) {
    std::vector<double> out(now.size(), 0);
    for (size_t i = 0; i < now.supports.size(); ++i) {
      const size_t before = map.held_before()[now.supports[i]];
      const auto at = std::find(then.supports.begin(), then.supports.end(), before);
      out[i] = (*account)[static_cast<size_t>(at - then.supports.begin())];
    }
    std::copy_n(account->begin() + static_cast<long>(then.first_row()), now.rows,
                out.begin() + static_cast<long>(now.first_row()));
    if (now.coordinates > 0)
      map.forces(account->data() + then.first_coordinate(), out.data() + now.first_coordinate());
    *account = std::move(out);
  }
}

void open_books(const ModelData& model, State& s) {
  const EnergyParts energy = energy_of(model, s);
  Books& b = s.books;
  b.work = b.balance = b.lowest = b.largest_gain = b.by_steps = b.by_fallbacks = b.by_switches =
      b.by_mesh = b.by_fidelity = b.largest_fidelity = 0;
  b.gain_since = -1;
  b.gain_steps = 0;
  b.start = energy.total();
  b.elastic_start = energy.elastic();
  b.scale = energy.kinetic;
}

}  // namespace hawser

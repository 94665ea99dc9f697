#include "statics/static_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/cable_contact.h"
#include "math/orientation.h"

namespace hawser {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Position rows are met at the end of a step of length 1; nothing yields to a rate.
SchemeWeights static_weights() {
  SchemeWeights w;
  w.h = w.cq = w.cr = 1;
  w.cM = 0;
  return w;
}

/// What a generalized force on each coordinate is divided by to be a force: of a slope the length
/// of its element, of a turn the body's radius of gyration [m].
std::vector<double> arms(const ModelData& model) {
  std::vector<double> arm(model.padded(), 1), size(model.padded(), 1);
  for (const auto& term : model.terms) term->set_scales(arm.data(), size.data());
  return arm;
}

}  // namespace

StaticSystem::StaticSystem(const ModelData& data, const State& from)
    : model(data),
      rows(data),
      state(from),
      axial(static_cast<size_t>(data.point_size)),
      assembler_(data),
      // Runs of chains are not eliminated: what is loose or compressed takes refinement, or an LU.
      solver_(make_linear_solver(data.structure, data.structure.is_chain()
                                                     ? LinearBackend::chain
                                                     : LinearBackend::sparse)),
      zero_(data.padded()),
      held_(rows.size()),
      carried_(rows.size()),
      multipliers_(data.rows.size()),
      x_(data.padded() + static_cast<size_t>(data.structure.conditions)),
      right_side_(x_),
      d_(data.padded()),
      part_(d_),
      taut_(axial),
      arm_(arms(data)) {
  solver_->probing = false;
  rows.at_rest = true;
  coupled_ = {data.structure.pairs, data.structure.pairs.size()};
  find_pairs();
  if (bodies_or_rows() && rows.set.evaluate(state.q.data(), state.t, state)) held_ = rows.set.phi;
  find_axial();
}

void StaticSystem::find_axial() {
  if (assemble(nullptr, Tangent::own)) axial = assembler_.axial_star;
}

bool StaticSystem::bodies_or_rows() const { return rows.any() || !model.mechanism.bodies.empty(); }

Configuration StaticSystem::at_rest() const {
  Configuration out(state.now(), state.q.data(), zero_.data(), state.orientation.data());
  out.at_rest = true;
  if (!model.facts.remembers) return out;
  out.predicted = !held_contacts_.empty();
  out.contacts = out.predicted ? held_contacts_.data() : state.contacts.data();
  out.q_start = out.predicted ? held_q_.data() : state.q.data();
  return out;
}

void StaticSystem::find_pairs() {
  if (!model.facts.meets) return;
  for (const auto& term : model.terms)
    term->find_pairs(at_rest(), 0, true, search_, state.contacts);
  if (!renew_coupled(model.terms, state.contacts.data(), coupled_)) return;
  SystemStructure structure = model.structure;
  structure.pairs = coupled_.pairs;
  solver_ = make_linear_solver(structure, LinearBackend::sparse);
  solver_->probing = false;
}

void StaticSystem::remember_contacts() {
  for (const auto& term : model.terms) term->remember(at_rest(), state.contacts.data());
}

double StaticSystem::leap_from(const State& start) const {
  double most = 0;
  if (!model.facts.remembers) return most;
  const Configuration from(start.now(), start.q.data(), zero_.data(), start.orientation.data());
  for_contacts(model.terms, [&](const ContactTerm& contact) {
    most = std::max(most, contact.leap(from, at_rest()));
  });
  return most;
}

/// What touches is remembered as it is now: at the state nothing changes.
void StaticSystem::hold_contacts() {
  if (!model.facts.remembers) return;
  let_go_contacts();
  std::vector<double> memory = state.contacts;
  for (const auto& term : model.terms) term->remember(at_rest(), memory.data());
  for_contacts(model.terms, [&](const ContactTerm& c) { c.hold(memory.data()); });
  held_contacts_ = std::move(memory);
  held_q_ = state.q;
}

/// Forces and rows at the state and, with a tangent, the matrix.
bool StaticSystem::assemble(const double* taut, Tangent tangent) {
  if (bodies_or_rows()) {
    if (!rows.set.evaluate(state.q.data(), state.t, state)) return false;
    for (size_t r = 0; r < rows.size(); ++r)
      if (model.rows[r].velocity) rows.set.rate[r] = rows.set.phi[r] - held_[r];
  }
  Wanted wanted;
  wanted.b = zero_.data();
  wanted.tangent = tangent;
  wanted.mass_weight = shift_;
  wanted.stiffness_weight = 1;
  wanted.load_factor = load;
  wanted.non_stiff_tangent = true;
  wanted.axial = taut;
  wanted.coupled = &coupled_;
  if (wanted.matrix()) {
    assembler_.keep_points(wanted);
    solver_->clear();
  }
  assembler_.run(at_rest(), wanted, solver_->sink());
  return true;
}

/// The forces of rows as the state has them: none of what is switched off, and the ratio that
/// friction asks for where a cable slips.
void StaticSystem::carry() {
  for (size_t r = 0; r < rows.size(); ++r)
    carried_[r] = rows.activity[r] == 0 ? 0 : state.multipliers[r];
  rows.align(carried_.data());
}

/// The right-hand side, from the last assembly.
void StaticSystem::fill() {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  std::copy_n(assembler_.force.begin(), n, x_.begin());
  if (rows.any()) {
    carry();
    rows.plan_step(static_weights(), state.now(), zero_.data(), carried_.data());
    rows.set.add_force(carried_.data(), 1, x_.data());
    rows.fill(x_.data() + n);
  }
  model.structure.gather(x_.data());
  for (const HeldCoordinate& f : rows.set.held) {
    const auto c = static_cast<size_t>(f.coordinate);
    x_[c] = f.value.at(state.now()).value - state.q[c];
  }
}

StaticResidual StaticSystem::residual() {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  rows.begin(state);
  if (!assemble(nullptr, Tangent::none)) return {infinite, infinite};
  fill();
  StaticResidual out;
  for (const HeldCoordinate& f : rows.set.held) {
    double& entry = x_[static_cast<size_t>(f.coordinate)];
    out.gap = std::max(out.gap, std::abs(entry));
    entry = 0;
  }
  bool finite = true;
  for (size_t i = 0; i < n + rows.size(); ++i) finite = finite && std::isfinite(x_[i]);
  if (!finite) return {infinite, infinite};
  for (size_t i = 0; i < n; ++i) out.force = std::max(out.force, std::abs(x_[i]) / arm_[i]);
  for (size_t r = n; r < n + rows.size(); ++r) out.gap = std::max(out.gap, std::abs(x_[r]));
  return out;
}

/// Each coordinate to one of its neighbours among the numbers of the machine.
double StaticSystem::noise() {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  residual();
  right_side_ = x_;
  const std::vector<double> q = state.q;
  std::uint32_t random = 1;
  for (size_t i = 0; i < n; ++i) {
    random = 1664525 * random + 1013904223;  // Knuth's linear congruence
    state.q[i] = std::nextafter(q[i], (random >> 31) != 0 ? infinite : -infinite);
  }
  for (const HeldCoordinate& f : rows.set.held)
    state.q[static_cast<size_t>(f.coordinate)] = q[static_cast<size_t>(f.coordinate)];
  model.structure.spread(state.q.data());
  residual();
  state.q = q;
  double out = 0;
  for (size_t i = 0; i < n; ++i) out = std::max(out, std::abs(x_[i] - right_side_[i]) / arm_[i]);
  return out;
}

double StaticSystem::force_scale() const {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  double out = 0;
  std::vector<double> loads(model.padded(), 0);
  add_loads(loads);
  for (size_t i = 0; i < n; ++i) out = std::max(out, std::abs(loads[i]) / arm_[i]);
  for (const Fields* part : model.fields) {
    const ElementRun& run = part->run;
    for (int e = 0; e < run.elements; ++e)
      for (int g = 0; g < run.axial_points; ++g)
        out =
            std::max(out, std::abs(axial[static_cast<size_t>(run.point_offset + run.point(e, g))]));
  }
  for (size_t r = 0; r < rows.size(); ++r)
    if (model.rows[r].role == RowInfo::Role::stretch)
      out = std::max(out, std::abs(state.multipliers[r]));
  return out;
}

void StaticSystem::add_loads(std::vector<double>& to) const {
  assembler_.add_loads(at_rest(), load, to.data());
}

/// taut_ becomes the mean of each element, or zero where that compresses it: a stiff element that
/// bends as its shape functions let it pays with stretch of either sign.
void StaticSystem::tame() {
  for (const Fields* part : model.fields) {
    const ElementRun& run = part->run;
    const auto points = static_cast<size_t>(run.axial_points);
    for (int e = 0; e < run.elements; ++e) {
      const auto at = static_cast<size_t>(run.point_offset + run.point(e, 0));
      double mean = 0;
      for (size_t g = 0; g < points; ++g)
        mean += run.axial_weight[g] / run.length * axial[at + 4 * g];
      for (size_t g = 0; g < points; ++g) taut_[at + 4 * g] = std::max(0.0, mean);
    }
  }
}

bool StaticSystem::linearize(StaticTangent tangent, double shift) {
  shift_ = shift;
  rows.begin(state);
  ++factorizations;
  const bool exact = tangent == StaticTangent::exact;
  taut_ = axial;
  if (tangent == StaticTangent::tamed) tame();
  if (!assemble(exact ? nullptr : taut_.data(), exact ? Tangent::own : Tangent::mixed))
    return false;
  if (exact) taut_ = assembler_.axial_star;
  if (rows.any()) {
    carry();
    rows.set.add_curvature(state.q.data(), carried_.data(), -1, solver_->sink());
    rows.plan_step(static_weights(), state.now(), zero_.data(), carried_.data());
    rows.write(solver_->sink());
  }
  return solver_->factor() == FactorStatus::ok;
}

bool StaticSystem::solve() {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  before_ = state;
  axial_before_ = axial;
  fill();
  for (;;) {
    if (solver_->solve(x_).status != FactorStatus::ok) return false;
    if (!rows.any()) break;
    rows.slip(*solver_, x_);
    rows.take(x_.data() + n, carried_.data());
    if (!rows.switch_rows(static_weights(), state.now(), x_.data())) break;
    fill();
    rows.write(solver_->sink());
    ++factorizations;
    if (solver_->factor() != FactorStatus::ok) return false;
  }
  std::copy_n(x_.begin(), n, d_.begin());
  multipliers_ = rows.lambda;
  bool finite = true;
  for (const double d : d_) finite = finite && std::isfinite(d);
  return finite;
}

void StaticSystem::displace(const std::vector<double>& motion, double share) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  for (size_t i = 0; i < n; ++i) part_[i] = share * motion[i];
  if (rows.any()) rows.accept(state, part_.data(), rows.lambda.data());
  for (size_t i = 0; i < n; ++i) state.q[i] += part_[i];
  const auto& bodies = model.mechanism.bodies;
  for (size_t i = 0; i < bodies.size(); ++i) {
    double* theta = state.q.data() + node_size * bodies[i].node + 3;
    turn_orientation(state.orientation.data() + 4 * i, {theta[0], theta[1], theta[2]});
    std::fill_n(theta, 3, 0.0);
  }
}

void StaticSystem::move(double share) {
  displace(d_, share);
  for (size_t r = 0; r < multipliers_.size(); ++r)
    state.multipliers[r] =
        before_.multipliers[r] + share * (multipliers_[r] - before_.multipliers[r]);
  AxialUpdate update{before_.q.data(),           part_.data(), assembler_.axial_star.data(),
                     assembler_.strain_r.data(), axial.data(), nullptr};
  for (const auto& term : model.terms) term->update_axial(update);
}

double StaticSystem::remainder(double share) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  const double size = mass_norm(d_);
  for (size_t i = 0; i < n; ++i) right_side_[i] = share * shift_ * assembler_.inertia[i];
  if (!assemble(taut_.data(), Tangent::none)) return infinite;
  fill();
  for (size_t i = 0; i < n; ++i) x_[i] -= right_side_[i];
  for (const HeldCoordinate& f : rows.set.held)
    x_[static_cast<size_t>(f.coordinate)] += right_side_[static_cast<size_t>(f.coordinate)];
  solver_->solve(x_);
  if (rows.any()) rows.slip(*solver_, x_);
  std::copy_n(x_.begin(), n, part_.begin());
  const double left = mass_norm(part_);
  return size > 0 && std::isfinite(left) ? left / size : left > 0 ? infinite : 0;
}

/// The rows must be those of that place again: a step goes on from their lengths and angles.
void StaticSystem::back() {
  state = before_;
  axial = axial_before_;
  rows.set.evaluate(state.q.data(), state.t, state);
}

double StaticSystem::turn(const std::vector<double>& motion) const {
  double most = rows.any() ? rows.set.turned(motion.data()) : 0;
  for (const auto& term : model.terms)
    most = std::max(most, term->turn(state.q.data(), motion.data()));
  return most;
}

double StaticSystem::mass_norm(const std::vector<double>& motion) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  assembler_.mass_times(state.q.data(), motion.data());
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += motion[i] * assembler_.inertia[i];
  return std::sqrt(sum);
}

double StaticSystem::inverse_iteration(std::vector<double>& motion) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  const double size = mass_norm(motion);
  std::fill(x_.begin(), x_.end(), 0);
  for (size_t i = 0; i < n; ++i) x_[i] = assembler_.inertia[i] / size;
  rows.set.clear_held(x_);
  right_side_ = x_;
  solver_->solve(x_);
  if (rows.any()) rows.slip(*solver_, x_);
  double product = 0;
  for (size_t i = 0; i < n; ++i) product += x_[i] * right_side_[i];
  rows.set.clear_held(x_);
  std::copy_n(x_.begin(), n, part_.begin());
  // y^T (K + s M) y = y^T M x.
  const double grown = mass_norm(part_);
  for (size_t i = 0; i < n; ++i) motion[i] = part_[i] / grown;
  return product / (grown * grown) - shift_;
}

void StaticSystem::remove(const std::vector<double>& other, std::vector<double>& motion) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  assembler_.mass_times(state.q.data(), other.data());
  double product = 0;
  for (size_t i = 0; i < n; ++i) product += motion[i] * assembler_.inertia[i];
  for (size_t i = 0; i < n; ++i) motion[i] -= product * other[i];
}

/// Friction as it was found, which from now on sticks; the sums of a run begin.
void StaticSystem::finish_contacts() {
  if (!model.facts.remembers) return;
  hold_contacts();
  std::fill_n(state.contacts.begin(), Tally::size, 0.0);
  remember_contacts();
  let_go_contacts();
}

void StaticSystem::finish() {
  finish_contacts();
  assemble(nullptr, Tangent::own);
  state.axial_force = assembler_.axial_star;
  state.axial_force_valid = true;
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  std::copy_n(assembler_.force.begin(), n, x_.begin());
  rows.set.add_force(state.multipliers.data(), 1, x_.data());
  model.structure.gather(x_.data());
  for (size_t k = 0; k < rows.set.held.size(); ++k)
    state.fixed_reaction[k] = -x_[static_cast<size_t>(rows.set.held[k].coordinate)];
  for (auto* rate : {&state.v, &state.a, &state.a_true, &state.v_before})
    std::fill(rate->begin(), rate->end(), 0);
  state.q_before = state.q;
  state.h_before = state.h_next = 0;
  state.factored.cq = 0;
}

}  // namespace hawser

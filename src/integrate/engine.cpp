#include "integrate/engine.h"
#include "integrate/march.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "elements/kernel_io.h"

namespace hawser {

/// By coordinate: 1 over what a correction is measured by.
static std::vector<double> inverse_sizes(const ModelData& model) {
  std::vector<double> arm(model.padded(), 1);
  std::vector<double> size(static_cast<size_t>(model.structure.coordinates()), HUGE_VAL);
  for (const auto& term : model.terms) term->set_scales(arm.data(), size.data());
  for (double& x : size) x = std::isinf(x) ? 1 : 1 / x;
  return size;
}

Engine::Engine(const Model& handle, const SolveOptions& opts)
    : model_handle(handle),
      model(handle.data()),
      options(opts),
      assembler(model),
      solver(make_linear_solver(system(), opts.backend)),
      rows(model),
      viscous(model, opts),
      unresolved_kept(std::min(1.0, rigid_amplification(opts))),
      lasting(unresolved_kept > 0.85),
      accounts_(model) {
  for (auto* v : {&q_tilde, &v_tilde,    &q_base,    &a_base,     &inertia_of, &q_new,      &v_new,
                  &a_new,   &a_true_new, &force_now, &correction, &predicted,  &factored.q, &load_,
                  &v_base,  &v_force,    &v_end,     &q_ahead,    &v_ahead,    &a_true_kept})
    v->assign(model.padded(), 0);
  x.assign(model.padded() + static_cast<size_t>(model.structure.conditions), 0);
  axial_geo.assign(static_cast<size_t>(model.point_size), 0);
  axial_new = axial_kept = factored.axial = axial_geo;
  known.assign(model.fixed.size(), 0);
  fixed_residual = fixed_product = reaction_new = known;
  fixed_target.resize(model.fixed.size());
  condition_target.resize(model.conditions.size());
  multiplier.assign(model.rows(), 0);
  lambda_geo.assign(rows.size(), 0);
  carried_ = second_ = mean_ = lambda_geo;
  if (rows.switching()) residual_ = x;
  if (!model.mechanism.bodies.empty()) {
    gyroscopic_ = x;
    turned_.assign(model.padded(), 0);
    turned_rows_ = lambda_geo;
  }
  probe_ = x;
  switch_at_ = switch_phi_ = switch_rate_ = lambda_geo;
  switch_to_ = was_active_ = rows.activity;
  had_rates_ = lambda_geo;
  space_.reserve(rows.size());
  following_ = options;
  following_.hht_alpha = std::max(options.hht_alpha, following_alpha);
  following_.rho_infinity = std::max(options.rho_infinity, following_rho);
  phase_error_ = oscillation_error(options);
  following_error_ = oscillation_error(following_);
  for (size_t r = 0; r < model.conditions.size(); ++r)
    for (const auto& [c, f] : model.conditions[r].terms) {
      const auto at =
          std::lower_bound(model.structure.fixed.begin(), model.structure.fixed.end(), c);
      if (at != model.structure.fixed.end() && *at == c)
        held_terms_.push_back({static_cast<size_t>(at - model.structure.fixed.begin()), r, f});
    }
  entry_ = accounts_.blank();
  impulses = entry_.impulse;
  for (const RouteData& route : model.mechanism.routes)
    if (!route.payout.is_constant() && !route.driven) winches_.push_back(&route);
  wound_.assign(winches_.size(), 0);
  correction_scale = inverse_sizes(model);
  const double fall = model.scene.gravity.norm() * opts.step;
  least_energy_ = model.total_mass * fall * fall / 2;
  for (const Fields* part : model.fields)
    least_energy_ += 1e-12 * part->run.EA * part->run.length * part->run.elements;
  trial = start_shape();
  if (viscous.any()) rows.viscous = &viscous.terms;
  viscous.start(trial, rows.set);
  origin_ = split_origin_ = trial;  // so that a step takes no memory
  prepare_stages();
}

/// Spook takes its rows as they are at the start of a step: their curvature is left out, and with
/// it what couples bodies beyond the rows.
SystemStructure Engine::system() const {
  SystemStructure structure = model.structure;
  if (options.method == Method::spook) structure.pairs.clear();
  return structure;
}

/// A node may turn in mixed3 when each of its two vectors is wholly free or wholly fixed and no
/// condition holds it: otherwise a turned correction would leave the constraint.
void Engine::prepare_stages() {
  for (auto* v :
       {&stages.A[1], &stages.A[2], &stages.V[1], &stages.V[2], &stages.v_back, &stages.q_factored})
    v->assign(model.padded(), 0);
  stages.multipliers.assign(model.rows(), 0);
  stages.turns.assign(static_cast<size_t>(model.nodes) + 4, 1);
  std::vector<int> held(2 * static_cast<size_t>(model.nodes), 0);
  for (const FixedCoordinate& f : model.fixed)
    if (f.coordinate < model.structure.node_coordinates())
      ++held[static_cast<size_t>(f.coordinate / 3)];
  for (size_t i = 0; i < held.size(); ++i)
    if (held[i] == 1 || held[i] == 2) stages.turns[i / 2] = 0;
  for (const ConditionRow& row : model.conditions)
    for (const auto& [c, f] : row.terms) stages.turns[static_cast<size_t>(c / node_size)] = 0;
  for (const RowInfo& row : model.mechanism.rows)
    for (const int node : row.nodes) stages.turns[static_cast<size_t>(node)] = 0;
  for (const BodyData& b : model.mechanism.bodies) stages.turns[static_cast<size_t>(b.node)] = 0;
  for (int node = 0; node < model.nodes; ++node)
    if (model.structure.is_narrow(node)) stages.turns[static_cast<size_t>(node)] = 0;
}

/// Where a step meets a kink the rates are those before it: the jump belongs to the restart that
/// follows.
static Signal::Sample target(const Signal& signal, const Instant& now, double reach) {
  Signal::Sample sample = signal.at(now);
  const std::vector<double>& kinks = signal.kinks();
  const auto after = std::upper_bound(kinks.begin(), kinks.end(), now.t);
  if (after == kinks.begin() || !(*(after - 1) > now.t - reach)) return sample;
  const Signal::Sample before = signal.at({std::nextafter(*(after - 1), -HUGE_VAL), now.inputs});
  return {sample.value, before.rate, before.acceleration};
}

void Engine::evaluate_targets(const Instant& now, Side side) {
  const double reach = side == Side::after ? 0 : kink_reach * options.step;
  for (size_t i = 0; i < fixed_target.size(); ++i)
    fixed_target[i] = target(model.fixed[i].value, now, reach);
  for (size_t i = 0; i < condition_target.size(); ++i)
    condition_target[i] = target(model.conditions[i].value, now, reach);
}

void Engine::extrapolate(const State& s, const SchemeWeights& w) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  const double *q = s.q.data(), *v = s.v.data(), *a = s.a.data();
  double *qt = q_tilde.data(), *vt = v_tilde.data();
  if (viscous.any()) viscous.begin(s, w.h);
  for (size_t i = 0; i < n; ++i) {
    qt[i] = q[i] + w.q_v * v[i] + w.q_a * a[i];
    vt[i] = v[i] + w.v_a * a[i];
  }
  if (w.v_back == 0) return;
  const double *qb = s.q_before.data(), *vb = s.v_before.data();
  for (size_t i = 0; i < n; ++i) {
    qt[i] += w.q_back * (q[i] - qb[i]) + w.q_v_back * (v[i] - vb[i]);
    vt[i] += w.v_back * (v[i] - vb[i]);
  }
}

/// The acceleration Baumgarte's feedback asks of C = value - target (Westin & Irani eq. 24).
static double baumgarte(const SolveOptions& options, double h, const Signal& target,
                        const Instant& begin, double value, double rate,
                        double acceleration_target) {
  const double a2 = options.baumgarte_gain / h,
               a1 = options.baumgarte_rate_gain.value_or(options.baumgarte_gain) / h;
  const Signal::Sample now = target.at(begin);
  return acceleration_target - 2 * a1 * (rate - now.rate) - a2 * a2 * (value - now.value);
}

/// The acceleration at which the scheme must see a prescribed coordinate, cM a1 + cMa a = b''(t1)
/// + cF b''(t): HHT and generalized-alpha lag the true one, and one coordinate that did not would
/// cost the others their second order.
static double scheme_acceleration(const SchemeWeights& w, const Signal& target,
                                  const Instant& begin, double a, double acceleration_target) {
  if (w.cF == 0) return acceleration_target;
  return (acceleration_target + w.cF * target.at(begin).acceleration - w.cMa * a) / w.cM;
}

void Engine::base_at_prediction(const State& s, const SchemeWeights& w) {
  at_current_ = false;
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  for (size_t i = 0; i < n; ++i) {
    a_base[i] = w.predictor_a * s.a[i];
    q_base[i] = q_tilde[i] + w.cq * a_base[i];
  }
  for (size_t k = 0; k < known.size(); ++k) {
    const auto c = static_cast<size_t>(model.fixed[k].coordinate);
    const Signal& value = model.fixed[k].value;
    const double a1 = scheme_acceleration(w, value, s.now(), s.a[c], fixed_target[k].acceleration);
    known[k] = 0;
    if (options.constraints == ConstraintLevel::position) {
      q_base[c] = fixed_target[k].value;
      a_base[c] = a1;
    } else {
      a_base[c] = baumgarte(options, w.h, value, s.now(), s.q[c], s.v[c], a1);
      q_base[c] = q_tilde[c] + w.cq * a_base[c];
    }
  }
  begin_rows(s);
}

void Engine::base_at_current(const State& s, const SchemeWeights& w) {
  at_current_ = true;
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  const double inv = 1 / w.cq;
  for (size_t i = 0; i < n; ++i) {
    q_base[i] = s.q[i];
    a_base[i] = (s.q[i] - q_tilde[i]) * inv;
  }
  for (size_t k = 0; k < known.size(); ++k) {
    const auto c = static_cast<size_t>(model.fixed[k].coordinate);
    const Signal& value = model.fixed[k].value;
    const double a1 = scheme_acceleration(w, value, s.now(), s.a[c], fixed_target[k].acceleration);
    if (options.constraints == ConstraintLevel::position) {
      known[k] = (fixed_target[k].value - s.q[c]) * inv;
      a_base[c] = a1 - known[k];
    } else {
      known[k] = baumgarte(options, w.h, value, s.now(), s.q[c], s.v[c], a1) - a_base[c];
    }
  }
  begin_rows(s);
}

/// No multiplier yet; the constraints' curvature sees the forces of the state.
void Engine::begin_rows(const State& s) {
  std::fill(multiplier.begin(), multiplier.end(), 0);
  if (!rows.any()) return;
  rows.begin(s);
  std::copy(s.multipliers.end() - static_cast<ptrdiff_t>(rows.size()), s.multipliers.end(),
            lambda_geo.begin());
}

/// Joints and massless cables at the base, and the velocity there.
void Engine::evaluate_rows(const State& s, const SchemeWeights& w, double t) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  for (size_t i = 0; i < n; ++i) {
    v_base[i] = v_tilde[i] + w.cr * a_base[i];
    v_force[i] = at_current_ ? v_tilde[i] + w.cg * s.a[i] : v_base[i];
  }
  const double now = t < horizon_ ? t : std::nextafter(horizon_, 0);
  if (!rows.set.evaluate(q_base.data(), now, s)) q_base[0] = std::nan("");  // shows in the solution
}

/// The base: q_base with the velocities that go with it.
Configuration Engine::base(const State& s, const SchemeWeights& w, double t) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  for (size_t i = 0; i < n; ++i) v_end[i] = v_tilde[i] + w.cv * a_base[i];
  Configuration out(s.at(t), q_base.data(), v_end.data(), s.orientation.data());
  out.v_spin = v_force.data();
  if (at_current_ && model.facts.ahead) {
    for (size_t i = 0; i < n; ++i) {
      q_ahead[i] = s.q[i] + w.h * (s.v[i] + w.h / 2 * s.a[i]);
      v_ahead[i] = s.v[i] + w.h * s.a[i];
    }
    out.q_ahead = q_ahead.data();
    out.v_ahead = v_ahead.data();
  }
  return out;
}

/// cM a1 + cMa a - cF a_true into out: what M multiplies in the balance, its history included.
static void weigh_accelerations(const SchemeWeights& w, const State& s,
                                const std::vector<double>& a1, size_t n, std::vector<double>& out) {
  for (size_t i = 0; i < n; ++i) out[i] = w.cM * a1[i];
  if (w.cMa != 0)
    for (size_t i = 0; i < n; ++i) out[i] += w.cMa * s.a[i];
  if (w.cF != 0)
    for (size_t i = 0; i < n; ++i) out[i] -= w.cF * s.a_true[i];
}

void Engine::assemble(const State& s, const SchemeWeights& w, const Assembly& how) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  weigh_accelerations(w, s, a_base, n, inertia_of);
  const bool mechanism = !model.mechanism.bodies.empty() || rows.any();
  planned_ = false;
  if (mechanism) evaluate_rows(s, w, how.t);
  Wanted wanted;
  wanted.b = inertia_of.data();
  wanted.tangent = how.tangent;
  wanted.mass_weight = w.cM;
  wanted.stiffness_weight = w.cq;
  wanted.damping_weight = w.cv;
  wanted.axial = how.axial;
  if (how.keep_points) assembler.keep_points(wanted);
  if (viscous.any()) wanted.viscous = &viscous.terms;
  assembler.renew_non_stiff = how.renew_non_stiff;
  if (wanted.matrix()) solver->clear();
  assembler.run(base(s, w, how.t), wanted, solver->sink());
  ++counters.assemblies;
  if (wanted.matrix() && rows.any()) {
    if (options.method != Method::spook)
      rows.set.add_curvature(q_base.data(), lambda_geo.data(), -w.cq, solver->sink());
    plan_rows(s, w);
    planned_ = true;
    rows.write(solver->sink());
  }
  const double *f = assembler.force.data(), *p = assembler.inertia.data();
  for (size_t i = 0; i < n; ++i) x[i] = f[i] - p[i];
}

void Engine::assemble_now(const State& s, Wanted wanted) {
  wanted.b = s.a.data();
  assembler.renew_non_stiff = true;
  assembler.run({s.now(), s.q.data(), s.v.data(), s.orientation.data()}, wanted, solver->sink());
  ++counters.assemblies;
}

void Engine::find_force_now(const State& s) {
  Wanted wanted;
  if (viscous.any()) {
    viscous.recall(s);
    wanted.viscous = &viscous.terms;
  }
  assemble_now(s, wanted);
  std::swap(force_now, assembler.force);
}

bool Engine::factor() {
  ++counters.factorizations;
  return solver->factor() == FactorStatus::ok;
}

bool Engine::hold(const Linearization& where, const State& s) {
  const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
    return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
  };
  if (factored.cq == where.cq && factored.cM == where.cM && factored.t == where.t &&
      factored.by_lu == where.by_lu && same(factored.q, where.q) &&
      same(factored.axial, where.axial))
    return true;
  Wanted wanted;
  wanted.b = where.q.data();  // the product is not looked at
  wanted.tangent = Tangent::mixed;
  wanted.mass_weight = where.cM;
  wanted.stiffness_weight = where.cq;
  wanted.axial = where.axial.data();
  solver->clear();
  // Neither bodies nor forces by velocity are in a matrix that is held.
  assembler.run({s.at(where.t), where.q.data(), where.q.data(), s.orientation.data()}, wanted,
                solver->sink());
  factored.cq = 0;
  if (solver->factor() != FactorStatus::ok) return false;
  if (where.by_lu && !solver->report().used_lu) solver->change_to_lu();
  factored = where;
  return true;
}

void Engine::note_factored(const SchemeWeights& w, const Assembly& how) {
  factored.q = q_base;
  std::copy_n(how.axial, factored.axial.size(), factored.axial.begin());
  factored.t = how.t;
  factored.cM = w.cM;
  factored.cq = w.cq;
}

/// What the rows of joints and massless cables ask for, given the multipliers found so far.
void Engine::plan_rows(const State& s, const SchemeWeights& w) {
  for (size_t r = 0; r < rows.size(); ++r) carried_[r] = -multiplier[model.conditions.size() + r];
  rows.align(carried_.data());
  if (options.method == Method::spook)
    rows.plan_spook(options, s, w.h, v_tilde.data(), v_base.data());
  else
    rows.plan_step(w, s.at(s.t + w.h), v_base.data(), carried_.data());
}

/// Right-hand sides of the general conditions; their forces, as far as known, into the residual.
void Engine::fill_conditions(const State& s, const SchemeWeights& w) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  for (size_t r = 0; r < model.conditions.size(); ++r) {
    const ConditionRow& row = model.conditions[r];
    double value = 0, acceleration = 0, value_now = 0, rate_now = 0, acceleration_now = 0;
    for (const auto& [c, f] : row.terms) {
      const auto i = static_cast<size_t>(c);
      value += f * q_base[i];
      acceleration += f * a_base[i];
      value_now += f * s.q[i];
      rate_now += f * s.v[i];
      acceleration_now += f * s.a[i];
      x[i] -= f * multiplier[r];
    }
    x[n + r] = options.constraints == ConstraintLevel::position
                   ? (condition_target[r].value - value) / w.cq
                   : baumgarte(options, w.h, row.value, s.now(), value_now, rate_now,
                               scheme_acceleration(w, row.value, s.now(), acceleration_now,
                                                   condition_target[r].acceleration)) -
                         acceleration;
  }
}

bool Engine::solve(const State& s, const SchemeWeights& w) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  const size_t first = n + model.conditions.size();
  fill_conditions(s, w);
  if (rows.any() && !planned_) plan_rows(s, w);
  if (rows.switching()) residual_ = x;
  if (rows.any()) rows.set.add_force(carried_.data(), 1, x.data());
  for (size_t k = 0; k < known.size(); ++k) {
    double& entry = x[static_cast<size_t>(model.fixed[k].coordinate)];
    fixed_residual[k] = entry;
    entry = known[k];
  }
  for (;;) {
    if (rows.any()) rows.fill(x.data() + first);
    const bool solved = solver->solve(x).status == FactorStatus::ok;
    ++counters.solves;
    if (!solved) return false;
    if (!rows.any()) break;
    rows.slip(*solver, x);
    rows.take(x.data() + first, carried_.data());
    if (!rows.switch_rows(w, x.data())) break;
    x = residual_;
    plan_rows(s, w);
    rows.set.add_force(carried_.data(), 1, x.data());
    for (size_t k = 0; k < known.size(); ++k)
      x[static_cast<size_t>(model.fixed[k].coordinate)] = known[k];
    rows.write(solver->sink());
    ++counters.switched;
    if (!factor()) return false;
  }
  if (options.method != Method::newton && !model.mechanism.bodies.empty()) {
    correct_bodies(w);
    if (rows.any()) rows.take(x.data() + first, carried_.data());
  }
  for (size_t r = 0; r < model.conditions.size(); ++r) multiplier[r] += x[n + r];
  for (size_t r = 0; r < rows.size(); ++r)
    multiplier[model.conditions.size() + r] = -(lambda_geo[r] = rows.lambda[r]);
  return true;
}

bool Engine::switched(const State& s) const {
  if (!stops_at_switch_) return false;
  for (size_t r = 0; r < rows.size(); ++r)
    if (s.activity[r] != rows.activity[r]) return true;
  return false;
}

/// What holds the fixed coordinates: what their rows of H x + G^T mu = r leave open.
void Engine::find_reactions(std::vector<double>& out) const {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  for (size_t k = 0; k < known.size(); ++k) out[k] = fixed_product[k] - fixed_residual[k];
  for (const HeldTerm& term : held_terms_) out[term.fixed] += term.factor * x[n + term.row];
}

double Engine::correct(const SchemeWeights& w) {
  CorrectIo io;
  io.n = model.structure.node_coordinates();
  io.cq = w.cq;
  io.cv = w.cv;
  io.x = x.data();
  io.q_base = q_base.data();
  io.a_base = a_base.data();
  io.v_tilde = v_tilde.data();
  io.correction = correction.data();
  io.q_new = q_new.data();
  io.a_new = a_new.data();
  io.v_new = v_new.data();
  double turned = kernels().correct(io);
  for (int c = io.n; c < model.structure.coordinates(); ++c) {  // scalars
    const auto i = static_cast<size_t>(c);
    correction[i] = w.cq * x[i];
    q_new[i] = q_base[i] + correction[i];
    a_new[i] = a_base[i] + x[i];
    v_new[i] = v_tilde[i] + w.cv * a_new[i];
    turned += 0 * x[i];  // NaN unless finite
  }
  if (options.constraints == ConstraintLevel::position)
    for (size_t k = 0; k < known.size(); ++k)
      v_new[static_cast<size_t>(model.fixed[k].coordinate)] = fixed_target[k].rate;
  solver->fixed_rows_times(x, fixed_product);
  find_reactions(reaction_new);
  return turned;
}

void Engine::find_axial(State& s) {
  if (s.axial_force_valid) return;
  Wanted wanted;
  assembler.keep_points(wanted);
  assemble_now(s, wanted);
  s.axial_force = assembler.axial_star;
  s.axial_force_valid = true;
}

AxialUpdate Engine::update_axial() {
  AxialUpdate out{correction.data(), assembler.axial_star.data(), assembler.strain_r.data(),
                  axial_new.data(), viscous.any() ? &viscous.terms : nullptr};
  for (const auto& term : model.terms) term->update_axial(out);
  return out;
}

void Engine::update_true(const State& s, const SchemeWeights& w) {
  weigh_accelerations(w, s, a_new, static_cast<size_t>(model.structure.coordinates()), a_true_new);
}

void Engine::accept(State& s, const SchemeWeights& w, double work, bool a_true_known,
                    bool axial_known) {
  const double h = w.h, t_before = s.t;
  s.books.work += work;
  std::swap(s.books.force, entry_.force);
  std::swap(s.books.share, entry_.share);
  std::swap(s.books.impulse, entry_.impulse);
  for (size_t i = 0; i < impulses.size(); ++i) impulses[i] += s.books.impulse[i];
  look_at_winches(s);
  if (rows.any()) watch_forces(s, h);
  std::swap(s.q_before, s.q);
  std::swap(s.v_before, s.v);
  std::swap(s.q, q_new);
  std::swap(s.v, v_new);
  std::swap(s.a, a_new);
  if (a_true_known) std::swap(s.a_true, a_true_new);
  if (axial_known) std::swap(s.axial_force, axial_new);
  s.axial_force_valid = axial_known;
  for (size_t r = 0; r < multiplier.size(); ++r) s.multipliers[r] = 0 - multiplier[r];
  std::swap(s.fixed_reaction, reaction_new);
  turn_bodies(s);
  s.t += h;
  if (rows.any()) {
    s.books.drift = rows.set.rate;
    for (size_t r = 0; r < rows.size(); ++r)
      mean_[r] = s.books.impulse[accounts_.first_row() + r] / h;
    s.books.work += rows.accept(s, correction.data(), mean_.data());
    if (options.method == Method::spook) rows.take_forces_of_stretch(options, s, h);
  }
  s.books.work += viscous.accept(s, h, mean_weight(w)) + work_of_winches(s, t_before);
  s.h_before = h;
  ++s.steps;
  const bool in_place = w.order == 1 && options.scheme != Scheme::backward_euler;
  // Where elements make it dear, every other step of the usual kind is looked at.
  if (!in_place && !model.fields.empty() && s.steps % 2 != 0) return;
  tally(s, in_place ? Cause::fallbacks : Cause::steps);
}

}  // namespace hawser

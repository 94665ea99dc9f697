#include "integrate/engine.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "contact/contact_term.h"
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

/// out = sum of c x over n coordinates.
using Weighted = std::pair<double, const std::vector<double>&>;
static void combine(size_t n, std::vector<double>& out, std::initializer_list<Weighted> parts) {
  CombineIo io;
  io.n = static_cast<int>(n);
  io.out = out.data();
  for (const auto& [c, x] : parts) {
    io.c[io.terms] = c;
    io.x[io.terms++] = x.data();
  }
  kernels().combine(io);
}

/// A factorization of fewer multiplications takes less than a millisecond, and waking up threads
/// several times a step a good part of that.
static constexpr double worth_threads = 4e6;

static int threads_for(const SolveOptions& options, const LinearSolver& solver) {
  if (options.threads > 0) return options.threads;
  return solver.shared_work() > worth_threads ? automatic_threads() : 1;
}

Engine::Engine(const Model& handle, const SolveOptions& opts)
    : model_handle(handle),
      model(handle.data()),
      options(opts),
      assembler(model),
      solver(make_linear_solver(system(), opts.backend)),
      workers(threads_for(opts, *solver)),
      rows(model),
      viscous(model, opts),
      ledger(model, assembler, rows),
      impacts(model, options, rows),
      unresolved_kept(std::min(1.0, rigid_amplification(opts))),
      lasting(unresolved_kept > 0.85),
      following_(following(opts)) {
  solver->use(workers);
  solver->counting = false;
  assembler.use(workers);
  for (auto* v : {&q_tilde, &v_tilde, &q_base, &a_base, &inertia_of, &q_new, &v_new, &a_new,
                  &a_true_new, &force_now, &correction, &predicted, &factored.q, &v_base, &v_force,
                  &v_end, &q_ahead, &v_ahead, &a_true_kept})
    v->assign(model.padded(), 0);
  x.assign(model.padded() + static_cast<size_t>(model.structure.conditions), 0);
  axial_geo.assign(static_cast<size_t>(model.point_size), 0);
  axial_new = axial_kept = factored.axial = axial_geo;
  known.assign(rows.set.held.size(), 0);
  fixed_residual = fixed_product = reaction_new = known;
  for (size_t i = 0; i < known.size(); ++i) {
    const Signal& value = rows.set.held[i].value;
    fixed_target.push_back(value.is_constant() ? value.at({}) : Signal::Sample{});
    moves_.push_back(!value.is_constant());
    if (moves_.back()) moving_.push_back(i);
  }
  multiplier.assign(rows.size(), 0);
  lambda_geo = carried_ = mean_ = multiplier;
  if (rows.switching()) residual_ = x;
  if (!model.mechanism.bodies.empty()) {
    gyroscopic_ = x;
    find_spinning();
    turned_.assign(model.padded(), 0);
    turned_rows_ = lambda_geo;
  }
  const std::vector<int>& fixed = model.structure.fixed;
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t i = 0; i < model.rows[r].coordinates.size(); ++i) {
      const auto at = std::lower_bound(fixed.begin(), fixed.end(), model.rows[r].coordinates[i]);
      if (at != fixed.end() && *at == model.rows[r].coordinates[i])
        held_terms_.push_back({static_cast<size_t>(at - fixed.begin()), r,
                               static_cast<size_t>(model.rows[r].first_entry) + i});
    }
  coupled_ = {model.structure.pairs, model.structure.pairs.size()};
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

void Engine::find_pairs(State& s, double h) {
  constexpr long anew = 128;  // steps: pairs that have parted are forgotten
  if (!model.facts.meets) return;
  const Configuration at = as_it_is(s);
  for (const auto& term : model.terms)
    term->find_pairs(at, h, s.steps % anew == 0, search_, s.contacts);
  couple_pairs(s);
}

/// The entries of the matrix are a function of the state, so that a run goes on from it to the same
/// bits. Where they change the solver is made anew: between two steps, never in one.
void Engine::couple_pairs(const State& s) {
  if (!model.facts.meets) return;
  if (!renew_coupled(model.terms, s.contacts.data(), coupled_)) return;
  SystemStructure structure = model.structure;
  structure.pairs = coupled_.pairs;
  structure.first_loose = coupled_.fixed;
  solver = make_linear_solver(structure, options.backend);
  solver->use(workers);
  solver->counting = false;
  factored.cq = 0;
}

/// A node may turn in mixed3 when each of its two vectors is wholly free or wholly fixed and no
/// condition holds it: otherwise a turned correction would leave the constraint.
void Engine::prepare_stages() {
  for (auto* v :
       {&stages.A[1], &stages.A[2], &stages.V[1], &stages.V[2], &stages.v_back, &stages.q_factored})
    v->assign(model.padded(), 0);
  stages.multipliers.assign(rows.size(), 0);
  // Kernels turn nodes by fours: past the last one lie the multipliers, which do not turn.
  stages.turns.assign(static_cast<size_t>(model.nodes), 1);
  stages.turns.resize(stages.turns.size() + 4, 0);
  stages.rotation.assign(4 * stages.turns.size(), 0);
  std::vector<int> held(2 * static_cast<size_t>(model.nodes), 0);
  for (const int c : model.structure.fixed)
    if (c < model.structure.node_coordinates()) ++held[static_cast<size_t>(c / 3)];
  for (size_t i = 0; i < held.size(); ++i)
    if (held[i] == 1 || held[i] == 2) stages.turns[i / 2] = 0;
  for (const RowInfo& row : model.rows)
    for (const int c : row.coordinates)
      if (c < model.structure.node_coordinates())
        stages.turns[static_cast<size_t>(c / node_size)] = 0;
  for (const auto& [follower, leader] : model.structure.shared)
    for (const int c : {follower, leader}) stages.turns[static_cast<size_t>(c / node_size)] = 0;
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
  for (const size_t i : moving_) fixed_target[i] = target(rows.set.held[i].value, now, reach);
}

void Engine::extrapolate(const State& s, const SchemeWeights& w) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  if (viscous.any()) viscous.begin(s, w.h);
  combine(n, q_tilde, {{1, s.q}, {w.q_v, s.v}, {w.q_a, s.a}});
  combine(n, v_tilde, {{1, s.v}, {w.v_a, s.a}});
  if (w.v_back == 0) return;
  for (size_t i = 0; i < n; ++i) {
    q_tilde[i] += w.q_back * (s.q[i] - s.q_before[i]) + w.q_v_back * (s.v[i] - s.v_before[i]);
    v_tilde[i] += w.v_back * (s.v[i] - s.v_before[i]);
  }
}

/// The acceleration that the scheme is to see of a prescribed coordinate.
double Engine::held_acceleration(const State& s, const SchemeWeights& w, size_t k) const {
  const HeldCoordinate& held = rows.set.held[k];
  const auto c = static_cast<size_t>(held.coordinate);
  const bool position = options.constraints == ConstraintLevel::position;
  const double then = fixed_target[k].acceleration;
  if (position && w.cF == 0) return then;
  const Signal::Sample now = moves_[k] ? held.value.at(s.now()) : fixed_target[k];
  const double a = scheme_acceleration(w, then, now.acceleration, s.a[c]);
  return position ? a : baumgarte(options, w.h, a, s.q[c] - now.value, s.v[c] - now.rate);
}

void Engine::base_at_prediction(const State& s, const SchemeWeights& w) {
  at_current_ = false;
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  combine(n, a_base, {{w.predictor_a, s.a}});
  combine(n, q_base, {{1, q_tilde}, {w.cq * w.predictor_a, s.a}});
  for (size_t k = 0; k < known.size(); ++k) {
    const auto c = static_cast<size_t>(rows.set.held[k].coordinate);
    known[k] = 0;
    a_base[c] = held_acceleration(s, w, k);
    q_base[c] = options.constraints == ConstraintLevel::position ? fixed_target[k].value
                                                                 : q_tilde[c] + w.cq * a_base[c];
  }
  begin_rows(s);
}

void Engine::base_at_current(const State& s, const SchemeWeights& w) {
  at_current_ = true;
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  const double inv = 1 / w.cq;
  std::copy_n(s.q.begin(), n, q_base.begin());
  for (size_t i = 0; i < n; ++i) a_base[i] = (s.q[i] - q_tilde[i]) * inv;
  for (size_t k = 0; k < known.size(); ++k) {
    const auto c = static_cast<size_t>(rows.set.held[k].coordinate);
    const double a1 = held_acceleration(s, w, k);
    if (options.constraints == ConstraintLevel::position) {
      known[k] = (fixed_target[k].value - s.q[c]) * inv;
      a_base[c] = a1 - known[k];
    } else {
      known[k] = a1 - a_base[c];
    }
  }
  begin_rows(s);
}

/// The base is set: what follows a prescribed coordinate has its motion. No multiplier yet; the
/// constraints' curvature sees the forces of the state.
void Engine::begin_rows(const State& s) {
  model.structure.spread(q_base.data());
  model.structure.spread(a_base.data());
  std::fill(multiplier.begin(), multiplier.end(), 0);
  if (!rows.any()) return;
  rows.begin(s);
  if (options.constraints == ConstraintLevel::baumgarte) rows.note_start(s);
  lambda_geo = s.multipliers;
}

/// The rows at the base, and the velocity there.
void Engine::evaluate_rows(const State& s, const SchemeWeights& w, double t) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  for (size_t i = 0; i < n; ++i) {
    v_base[i] = v_tilde[i] + w.cr * a_base[i];
    v_force[i] = at_current_ ? v_tilde[i] + w.cg * s.a[i] : v_base[i];
  }
  const double now = t < horizon_ ? t : std::nextafter(horizon_, 0);
  if (!rows.set.evaluate(q_base.data(), now, s)) q_base[0] = std::nan("");  // shows in the solution
}

Configuration Engine::as_it_is(const State& s) const {
  Configuration out(s.now(), s.q.data(), s.v.data(), s.orientation.data());
  recall(s, out);
  return out;
}

/// What forces that remember know of the beginning of the step.
void Engine::recall(const State& s, Configuration& at) const {
  if (!model.facts.remembers) return;
  at.contacts = s.contacts.data();
  at.q_start = s.q.data();
}

/// The base: q_base with the velocities that go with it.
Configuration Engine::base(const State& s, const SchemeWeights& w, double t) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  combine(n, v_end, {{1, v_tilde}, {w.cv, a_base}});
  Configuration out(s.at(t), q_base.data(), v_end.data(), s.orientation.data());
  out.v_spin = v_force.data();
  recall(s, out);
  out.predicted = predicted_;
  if (at_current_) out.v_once = s.v.data();
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
  if (w.cMa != 0)
    combine(n, out, {{w.cM, a1}, {-w.cF, s.a_true}, {w.cMa, s.a}});
  else if (w.cF != 0)
    combine(n, out, {{w.cM, a1}, {-w.cF, s.a_true}});
  else
    combine(n, out, {{w.cM, a1}});
}

void Engine::assemble(const State& s, const SchemeWeights& w, const Assembly& how) {
  const size_t n = static_cast<size_t>(model.structure.coordinates());
  weigh_accelerations(w, s, a_base, n, inertia_of);
  const bool mechanism = !model.mechanism.bodies.empty() || rows.any();
  planned_ = false;
  predicted_ = how.predicted;
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
  wanted.coupled = &coupled_;
  assembler.renew_non_stiff = how.renew_non_stiff;
  if (wanted.matrix()) solver->clear();
  const MatrixSink sink = solver->sink();
  assembler.run(base(s, w, how.t), wanted, sink);
  ++counters.assemblies;
  if (wanted.matrix() && rows.any()) {
    if (options.method != Method::spook)
      rows.set.add_curvature(q_base.data(), lambda_geo.data(), -w.cq, sink);
    plan_rows(s, w);
    planned_ = true;
    rows.write(sink);
  }
  combine(n, x, {{1, assembler.force}, {-1, assembler.inertia}});
}

void Engine::assemble_now(const State& s, Wanted wanted) {
  wanted.b = s.a.data();
  wanted.coupled = &coupled_;
  assembler.renew_non_stiff = true;
  assembler.run(as_it_is(s), wanted, solver->sink());
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

/// What the rows ask for, given the multipliers found so far.
void Engine::plan_rows(const State& s, const SchemeWeights& w) {
  for (size_t r = 0; r < rows.size(); ++r) carried_[r] = -multiplier[r];
  rows.align(carried_.data());
  if (options.constraints == ConstraintLevel::baumgarte)
    rows.plan_feedback(options, w, s, a_base.data());
  else if (options.method == Method::spook)
    rows.plan_spook(options, s, w.h, v_tilde.data(), v_base.data());
  else
    rows.plan_step(w, s.at(s.t + w.h), v_base.data(), carried_.data());
}

/// The residual becomes a right-hand side: prescribed coordinates have what is known of them.
void Engine::prescribe(bool keep_residual) {
  model.structure.gather(x.data());
  for (size_t k = 0; k < known.size(); ++k) {
    double& entry = x[static_cast<size_t>(rows.set.held[k].coordinate)];
    if (keep_residual) fixed_residual[k] = entry;
    entry = known[k];
  }
}

bool Engine::solve(const State& s, const SchemeWeights& w) {
  double* row_values = x.data() + model.structure.coordinates();
  if (rows.any() && !planned_) plan_rows(s, w);
  if (rows.switching()) residual_ = x;
  if (rows.any()) rows.set.add_force(carried_.data(), 1, x.data());
  prescribe(true);
  for (;;) {
    if (rows.any()) rows.fill(row_values);
    const bool solved = solver->solve(x).status == FactorStatus::ok;
    ++counters.solves;
    if (!solved) return false;
    if (!rows.any()) break;
    rows.slip(*solver, x);
    rows.take(row_values, carried_.data());
    if (!rows.switch_rows(w, s.at(s.t + w.h), x.data())) break;
    x = residual_;
    plan_rows(s, w);
    rows.set.add_force(carried_.data(), 1, x.data());
    prescribe(false);
    rows.write(solver->sink());
    ++counters.switched;
    if (!factor()) return false;
  }
  if (options.method != Method::newton && !model.mechanism.bodies.empty()) {
    correct_bodies(w);
    if (rows.any()) rows.take(row_values, carried_.data());
  }
  for (size_t r = 0; r < rows.size(); ++r) multiplier[r] = -(lambda_geo[r] = rows.lambda[r]);
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
  for (const HeldTerm& term : held_terms_)
    out[term.fixed] += rows.set.G[term.entry] * x[n + term.row];
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
  turned += 0 * q_base[0];  // where the rows have no value
  if (options.constraints == ConstraintLevel::position)
    for (size_t k = 0; k < known.size(); ++k)
      v_new[static_cast<size_t>(rows.set.held[k].coordinate)] = fixed_target[k].rate;
  model.structure.spread(v_new.data());
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
  AxialUpdate out{q_base.data(),
                  correction.data(),
                  assembler.axial_star.data(),
                  assembler.strain_r.data(),
                  axial_new.data(),
                  viscous.any() ? &viscous.terms : nullptr};
  for (const auto& term : model.terms) term->update_axial(out);
  return out;
}

void Engine::update_true(const State& s, const SchemeWeights& w) {
  weigh_accelerations(w, s, a_new, static_cast<size_t>(model.structure.coordinates()), a_true_new);
}

StepResult Engine::result(const State& s, double t) const {
  const bool ahead = at_current_ && model.facts.ahead;
  Configuration at(s.at(t), q_new.data(), v_new.data(), s.orientation.data());
  at.q_ahead = ahead ? q_ahead.data() : q_base.data();
  at.v_ahead = ahead ? v_ahead.data() : v_end.data();
  recall(s, at);
  at.predicted = predicted_;
  return {at, reaction_new.data()};
}

void Engine::begin_contacts(State& s) {
  if (!model.facts.remembers) return;
  s.contacts.assign(static_cast<size_t>(model.contacts), 0);
  Configuration at = as_it_is(s);
  at.contacts = nullptr;
  for (const auto& term : model.terms) term->remember(at, s.contacts.data());
  find_pairs(s, options.step);
}

double Engine::left_out(const Configuration& at) const {
  double most = 0;
  for (const auto& term : model.terms) most = std::max(most, term->left_out(at));
  return most;
}

double Engine::step_work(const State& s, const SchemeWeights& w) {
  return ledger.step_work(s, w, result(s, s.t + w.h));
}

void Engine::accept(State& s, const SchemeWeights& w, double work, bool a_true_known,
                    bool axial_known) {
  const double h = w.h, t_before = s.t;
  ledger.enter(s, work);
  if (model.facts.remembers) {
    const Configuration end = result(s, s.t + h).at;
    for (const auto& term : model.terms) term->remember(end, s.contacts.data());
  }
  if (rows.any()) impacts.watch(s, h, v_new.data(), scheme_ == Scheme::backward_euler);
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
    ledger.mean_forces(s, h, mean_);
    s.books.work += rows.accept(s, correction.data(), mean_.data());
    if (options.method == Method::spook) rows.take_forces_of_stretch(options, s, h);
  }
  s.books.work += viscous.accept(s, h, mean_weight(w)) + ledger.work_of_winches(s, t_before);
  s.h_before = h;
  ++s.steps;
  const bool in_place = w.order == 1 && options.scheme != Scheme::backward_euler;
  // Where elements make it dear, every other step of the usual kind is looked at.
  if (!in_place && !model.fields.empty() && s.steps % 2 != 0) return;
  ledger.tally(s, in_place ? Ledger::Cause::fallbacks : Ledger::Cause::steps);
}

}  // namespace hawser

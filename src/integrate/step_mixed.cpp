// The mixed solve: one linear solve at the predictor, the axial force carried as a state.
//
//     N* = EA eps(q*),   H = cM M + cq [ int EA B*^T B* + int N_n eps_qq + K_bending ]
//     [H G^T; G 0] [x; mu] = [F(q*) + cF F_n - cM M a*; (b - G q*)/cq]
//     q1 = q* + cq x,    N1 = N* + EA B* cq x          (not EA eps(q1))
//
// Linearizing at q_n instead lets a stiff axial spring, turned by the step's rotation, do false
// work; taking the geometric stiffness from EA eps(q*) lets it see a false axial force. Carrying N
// cures both, at the cost of one solve. The guard: when the slopes turn by more than eta_max, or a
// kink of a force lies between prediction and result, the step is linearized again at its own
// result; when that does not settle, it is discarded and taken in parts. So is a step that was
// linearized again, or over which a force has a kink, and that makes energy: the mean of the forces
// at both ends does too much work on a cable that leaves a stiff ground within a step, or that
// begins to slip the other way.
#include <algorithm>
#include <cmath>

#include "integrate/engine.h"

namespace hawser {
namespace {

constexpr double eta_max = 0.02;  ///< largest correction of a slope component
/// Largest force that the linear update leaves out, as a share of the largest axial force. Light
/// elements of a stiff rope change it by EA theta^2/2: at 0.02 rad more than they carry.
constexpr double missing_max = 0.02;
/// Largest force that the linearization leaves out because of a kink, such as a cable that touches
/// the ground, as a share of the largest of its kind.
constexpr double kink_max = 0.02;
constexpr double eta_max_substep = 0.04;  ///< the first in the substeps of Backward Euler
constexpr int relinearizations = 2;
constexpr int substep_relinearizations = 3;
// Where a force remembers (Facts::remembers) a step is taken only when its contacts have settled:
// what touches, sticks and slips at the result is what the solve went by, and so is the friction
// limit.
constexpr int contact_passes = 4, substep_contact_passes = 8;

enum class Outcome { ok, capped, unsettled };

/// The mixed solve of one scheme, up to the acceptance. Result in the engine's *_new arrays.
Outcome solve_mixed(Engine& e, const State& state, const SchemeWeights& w, int repeats, double eta,
                    double kink, int cap) {
  e.extrapolate(state, w);
  e.evaluate_targets(state.at(state.t + w.h));
  e.base_at_prediction(state, w);
  const double* axial = state.axial_force.data();
  for (int it = 0;; ++it) {
    Engine::Assembly how;
    how.t = state.t + w.h;
    how.tangent = Tangent::mixed;
    how.axial = axial;
    how.keep_points = true;
    how.renew_non_stiff = it == 0;
    how.predicted = it == 0;
    if (it > 0) std::fill(e.multiplier.begin(), e.multiplier.end(), 0);
    e.assemble(state, w, how);
    if (!e.factor()) return Outcome::unsettled;
    if (!e.solve(state, w)) return Outcome::unsettled;
    const double turned_slopes = e.correct(w);
    const AxialUpdate axial_change = e.update_axial();
    const double turned_cables = e.rows.any() ? e.rows.set.turned(e.correction.data()) : 0;
    const double turned =  // NaN comes from the first
        std::max({turned_slopes, axial_change.turned, turned_cables});
    if (turned <= eta && axial_change.missing <= missing_max && !axial_change.pushes &&
        (!e.model.facts.kinked || e.left_out(e.result(state, how.t).at) <= kink))
      return Outcome::ok;
    if (std::isnan(turned)) return Outcome::unsettled;
    if (cap > 0 && it + 1 >= cap) return Outcome::capped;
    if (it == repeats) return Outcome::unsettled;
    e.q_base.swap(e.q_new);
    e.a_base.swap(e.a_new);
    std::fill(e.known.begin(), e.known.end(), 0);
    e.axial_geo.swap(e.axial_new);
    axial = e.axial_geo.data();
  }
}

/// A force has a kink between the state and the new values.
bool crosses_kink(const Engine& e, const State& state, double t) {
  if (!e.model.facts.kinked) return false;
  Configuration at = e.result(state, t).at;
  at.q_ahead = state.q.data();
  at.v_ahead = state.v.data();
  return !(e.left_out(at) <= kink_max);
}

/// One part of a step by a mixed solve with these weights; false where it does not settle or, if it
/// `stops` there, where a row switches.
bool take_part(Engine& e, State& trial, const SchemeWeights& w, double eta, double kink,
               bool stops) {
  const int repeats =
      e.model.facts.remembers ? substep_contact_passes - 1 : substep_relinearizations;
  if (solve_mixed(e, trial, w, repeats, eta, kink, 0) != Outcome::ok) return false;
  if (stops && e.switched(trial)) return false;
  e.update_true(trial, w);
  e.accept(trial, w, e.step_work(trial, w), true, true);
  return true;
}

/// h in parts by the scheme itself. False, the state as it was, where they do not settle or do not
/// keep the energy, or where a row switches.
bool divide_step(Engine& e, State& state, double h) {
  const auto part = [&](State& trial, double length) {
    return take_part(e, trial, e.weights(trial, length), eta_max, kink_max, true);
  };
  const auto sound = [&](const State& trial) { return !e.breaks_balance(state, trial); };
  if (!step_in_parts_of(e, state, h, part, sound)) return false;
  ++e.counters.divided;
  return true;
}

/// h in parts of a quarter; a part that does not settle is divided in turn, down to a 256th. False,
/// the state as it was, where that does not settle either.
template <class Part>
bool settle_in_parts(Engine& e, State& state, double h, const Part& part) {
  constexpr int all = 256, largest = all / 4;
  begin_parts(e, state);
  for (int done = 0, size = largest; done < all;) {
    if (part(e.trial, h * size / all)) {
      done += size;
      if (size < largest && done % (4 * size) == 0) size *= 4;
    } else if (size == 1) {
      return false;
    } else {
      size /= 4;
    }
  }
  finish_parts(e, state, h);
  return true;
}

}  // namespace

void begin_parts(Engine& e, const State& state) {
  e.trial = state;
  std::fill(e.ledger.impulses.begin(), e.ledger.impulses.end(), 0);
}

void finish_parts(Engine& e, State& state, double h) {
  e.look_back(e.trial, state);  // the step as a whole is what multistep schemes look back on
  std::swap(e.trial.books.impulse, e.ledger.impulses);
  e.trial.t = state.t + h;
  // Where contacts did not settle, the accelerations are those of the last part: nothing to look
  // back on. A scheme that carries them on would make the impulse of a short part that of a step.
  e.trial.h_before = e.model.facts.remembers ? 0 : h;
  e.trial.steps = state.steps + 1;
  std::swap(state, e.trial);
}

StepEnd step_fallback(Engine& e, State& state, double h) {
  const auto part = [&](State& trial, double length) {
    return take_part(e, trial, scheme_weights(e.options, Scheme::backward_euler, length, 0),
                     eta_max_substep, e.model.facts.remembers ? kink_max : HUGE_VAL, false);
  };
  const bool taken = e.model.facts.remembers
                         ? settle_in_parts(e, state, h, part)
                         : step_in_parts_of(e, state, h, part, [](const State&) { return true; });
  if (taken) {
    ++e.counters.fallbacks;
    return StepEnd::taken;
  }
  if (e.model.facts.remembers)
    return e.failed(
        state,
        e.model.fields.empty()
            ? "the contacts do not settle even in 256 substeps: bodies touch at edges or rims on "
              "which they find no hold. Use a shorter step, or capsules and spheres in place of "
              "cylinders"
            : "the contacts do not settle even in 256 substeps: the cable moves over too many "
              "of its points in a step, or `stiffness` of the contact is too large. Use a "
              "shorter step, or a smaller stiffness");
  return e.failed(
      state,
      e.model.fields.empty()
          ? "the step does not converge even in 64 substeps: a load or a drive is far too "
            "large for the bodies and cables. Use a shorter step"
          : "the step does not converge even in 64 substeps: a load is far too large for the "
            "mass and stiffness of the cable, or it has collapsed on itself. Use more "
            "elements or a shorter step");
}

StepEnd step_mixed(Engine& e, State& state, double h) {
  e.find_axial(state);
  const SchemeWeights w = e.weights(state, h);
  const long before = e.counters.factorizations;
  const int cap = e.options.factorization_cap;
  const bool contact = e.model.facts.remembers;
  const bool divisible = !contact && cap == 0 && w.order > 1 && e.divisible(state, h);
  const int repeats = contact ? contact_passes - 1 : divisible && e.lasting ? 0 : relinearizations;
  const Outcome outcome = solve_mixed(e, state, w, repeats, eta_max, kink_max, cap);
  const bool relinearized = e.counters.factorizations > before + 1;
  if (relinearized) ++e.counters.relinearized;
  if (e.switched(state)) return StepEnd::switched;
  if (outcome == Outcome::capped) ++e.counters.capped;
  if (outcome != Outcome::unsettled) {
    e.update_true(state, w);
    // Found at once, and without a kink, it is what the scheme means. Friction that begins, ends or
    // turns round within a step is as good as a kink: the mean force may go with the motion.
    if (!divisible ||
        (!relinearized && !crosses_kink(e, state, state.t + h) && !e.rows.rubs_switched(state))) {
      e.accept(state, w, e.step_work(state, w), true, true);
      return StepEnd::taken;
    }
    e.trial = state;
    e.accept(e.trial, w, e.step_work(e.trial, w), true, true);
    if (!e.breaks_balance(state, e.trial)) {
      std::swap(state, e.trial);
      return StepEnd::taken;
    }
  }
  if (divisible && divide_step(e, state, h)) return StepEnd::taken;
  return step_fallback(e, state, h);
}

}  // namespace hawser

#include "statics/static_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

constexpr double most_turn = 0.5;     ///< of a cable's part or a body in one step [rad]
constexpr double close_turn = 0.05;   ///< from here on Newton's method may end it
constexpr double least_share = 1e-4;  ///< of a correction, below which there is no progress
constexpr double rounded_turn = 1e-8;
constexpr double soft_start = 5;      ///< EA of soft cables over the sum of the loads
constexpr int stage_iterations = 80;  ///< from one stiffness to the next
constexpr int most_stalled = 4;
constexpr int most_settling = 30;
constexpr int most_polishing = 8;
constexpr int most_shifts = 40;                          ///< each ten times the last
constexpr int most_pushes = 30;                          ///< off unstable equilibria
constexpr double first_quiet = 0.5, least_quiet = 1e-7;  ///< motion that Newton's method may end

/// The highest square of a frequency that elements have: axial waves across one [1/s^2].
double highest(const ModelData& model) {
  double out = 0;
  for (const Fields* part : model.fields) {
    const ElementRun& run = part->run;
    out = std::max(out, 4 * run.EA / (run.length * (run.node_mass[0] + run.node_mass[1])));
  }
  return out;
}

}  // namespace

double Softening::of(const LinearElastic& law, double length) const {
  const double unbent = law.EI > 0 ? 400 * law.EI / (length * length) : 0;
  return std::clamp(law.EA, lowest, std::max({lowest, highest, unbent}));
}

StaticSearch::StaticSearch(const ModelData& data, const State& from, const StaticOptions& options)
    : model(data), system(model, from), options_(options), start_(from) {
  for (const Fields* part : data.fields) runs_.push_back(part->run);
  const double mass = model.total_mass > 0 ? model.total_mass : 1;
  size_ = model.extent > 0 ? model.extent : 1;  // 1: a body alone
  const double loads = std::max(system.force_scale(), model.scene.gravity.norm() * mass);
  usual_ =
      model.scene.gravity.isZero() ? loads / (mass * size_) : model.scene.gravity.norm() / size_;
  if (!(usual_ > 0)) usual_ = 1e-6;  // nothing acts
  soft_ = 1e-7 * usual_ + 1e-14 * highest(model);
  shift_ = 1e-7 * usual_;
}

/// Of all loads together, sizes added up [N].
double StaticSearch::load_sum() const {
  std::vector<double> loads(model.padded(), 0);
  system.add_loads(loads);
  double sum = 0;
  for (int node = 0; node < model.nodes; ++node)
    sum += Eigen::Map<const Vec3>(loads.data() + node_size * node).norm();
  return sum;
}

/// Stiffnesses no farther from a soft one than by that factor [N].
Softening StaticSearch::within(double factor) const {
  const double soft = soft_start * load_sum();
  if (!(soft > 0)) return {};
  return {soft / factor, soft * factor};
}

void StaticSearch::soften(const Softening& by) {
  softening_ = by;
  std::vector<double> EA;
  for (const ElementRun& run : runs_) EA.push_back(by.of({run.EA, run.EI}, run.whole_length()));
  change_stiffness(model, EA);
}

void StaticSearch::restart(const State& from) {
  soften({});
  system.state = from;
  system.load = 1;
  system.find_axial();
}

StaticAttempt StaticSearch::follow(StaticWay way) {
  restart(start_);
  const int before = system.factorizations;
  StaticAttempt attempt;
  attempt.way = way;
  if (model.facts.meets && way != StaticWay::relaxation) {
    attempt.outcome = "it is not for cables that touch each other";
    return attempt;
  }
  switch (way) {
    case StaticWay::newton:
      newton(attempt);
      break;
    case StaticWay::continuation:
      continuation(attempt);
      break;
    case StaticWay::relaxation:
      relaxation(attempt);
      break;
  }
  attempt.iterations = system.factorizations - before + motion_steps_;
  motion_steps_ = 0;
  attempt.residual = system.residual().force;
  return attempt;
}

/// The correction by a matrix without negative pivots, where they can be told: as it is or tamed,
/// with the shift that takes.
bool StaticSearch::aim(double& shift) {
  return aim(StaticTangent::carried, shift, 1) || aim(StaticTangent::tamed, shift, most_shifts);
}

bool StaticSearch::aim(StaticTangent tangent, double& shift, int tries) {
  for (; tries > 0; --tries) {
    if (system.linearize(tangent, shift) && system.negative_pivots() <= 0 && system.solve())
      return true;
    if (tries > 1) shift *= 10;
  }
  return false;
}

/// One step of Newton's method, shortened until the next correction would be smaller (the natural
/// monotonicity test, Deuflhard 2011 sec. 3.3): it does not see stiffness, as residuals do.
bool StaticSearch::newton_step(std::string& why) {
  double shift = shift_;
  if (!aim(shift)) {
    why = "the matrix is singular";
    return false;
  }
  turned_ = system.turn(system.correction());
  share_ = turned_ > most_turn ? most_turn / turned_ : 1;
  for (; share_ > least_share; share_ /= 2) {
    system.move(share_);
    const double leap = system.leap();
    if (leap <= 1 && (turned_ < rounded_turn || system.remainder(share_) <= 1 - share_ / 4))
      return true;
    system.back();
    if (leap > 2) share_ *= 2 / leap;
  }
  why = "no step length reduces the next correction";
  return false;
}

/// Until a correction turns nothing by more than `until`.
bool StaticSearch::newton_to(int iterations, double until, std::string& why) {
  for (int i = 0; i < iterations; ++i) {
    if (!newton_step(why)) return false;
    if (share_ == 1 && turned_ <= until) return true;
  }
  why = fmt::format("corrections still rotate the cables by {:.2g} after {} iterations", turned_,
                    iterations);
  return false;
}

void StaticSearch::newton(StaticAttempt& attempt) {
  turned_ = 1;
  if (!newton_to(options_.newton_iterations, close_turn, attempt.outcome)) return;
  StaticMode mode;
  const Ending ending = end(mode);
  attempt.converged = ending == Ending::stable;
  if (ending == Ending::unstable) attempt.outcome = "it led to an unstable equilibrium";
  if (ending == Ending::unsettled) attempt.outcome = "it did not settle";
}

/// Loads from a small share on; the step grows while Newton's method converges and shrinks when it
/// does not. The prediction goes on as the last step went.
void StaticSearch::continuation(StaticAttempt& attempt) {
  const int first = system.factorizations;
  double reached = 0, step = 0.05;
  State sound = start_;
  std::vector<double> axial = system.axial;
  std::string why;
  while (reached < 1) {
    if (system.factorizations - first > options_.continuation_iterations || step < 1e-4) {
      attempt.outcome = fmt::format("stuck at {:.3g} % of the loads: {}", 100 * reached, why);
      system.load = 1;
      return;
    }
    system.load = std::min(1.0, reached + step);
    turned_ = 1;
    if (newton_to(12, 1e-3, why)) {
      reached = system.load;
      sound = system.state;
      axial = system.axial;
      step *= 2;
    } else {
      system.state = sound;
      system.axial = axial;
      step /= 4;
    }
  }
  StaticMode mode;
  const Ending ending = end(mode);
  attempt.converged = ending == Ending::stable;
  if (ending == Ending::unstable) attempt.outcome = "it led to an unstable equilibrium";
  if (ending == Ending::unsettled) attempt.outcome = "it did not settle";
}

/// To a stable equilibrium by motion: Newton's method where it has become quiet, a push where it
/// stands unstably. Backward Euler ends in unstable equilibria too where its steps are long by
/// their rate of growth, so steps are short after a push.
bool StaticSearch::rest() {
  double quiet = first_quiet;
  for (int tries = 0; tries < most_pushes && quiet > least_quiet; ++tries) {
    calm_ = system.state;
    const std::vector<double> axial = system.axial;
    StaticMode mode;
    const Ending ending = end(mode);
    if (ending == Ending::stable) return true;
    if (ending == Ending::unsettled) {
      system.state = calm_;
      system.axial = axial;
      quiet /= 10;
    }
    if (!fall(quiet, ending == Ending::unstable ? 0.3 / std::sqrt(-mode.stiffness) : 0))
      return false;
  }
  outcome = "repeated unstable equilibria";
  return false;
}

/// From rest with soft cables to their true stiffness by Newton's method, in steps as large as it
/// can take; where it cannot take even a small one, by motion.
bool StaticSearch::stiffen() {
  double reached = 1, factor = 10;
  while (softening_.lowest > 0 && changes_anything(softening_)) {
    const State sound = system.state;
    const std::vector<double> axial = system.axial;
    soften(within(reached * factor));
    if (newton_to(stage_iterations, 1e-6, outcome)) {
      reached *= factor;
      factor = std::min(factor * factor, 30.0);
      continue;
    }
    system.state = sound;
    system.axial = axial;
    if (factor > 1.5) {
      factor = std::sqrt(factor);
      soften(within(reached));
    } else {
      reached *= factor;
      soften(within(reached));
      if (!rest()) return false;
      factor = 4;
    }
  }
  soften({});
  return true;
}

bool StaticSearch::changes_anything(const Softening& by) const {
  return std::any_of(runs_.begin(), runs_.end(), [&](const ElementRun& run) {
    return by.of({run.EA, run.EI}, run.whole_length()) != run.EA;
  });
}

/// By the scene's own motion: from the shape given, and from one in which no cable is crushed; and
/// from both with soft cables first, when hardly anything has to be unfolded against a stiffness
/// and the forces found are nearly those of the stiff ones.
void StaticSearch::relaxation(StaticAttempt& attempt) {
  const State starts[] = {start_, bowed()};
  for (const Softening& by : {Softening{}, within(1)})
    for (const State& from : starts) {
      if (by.lowest > 0 && !changes_anything(by)) continue;
      restart(from);
      if (system.leap_from(start_) > 1) continue;  // on another side of what cables touch
      soften(by);
      system.find_axial();
      attempt.converged = rest() && stiffen() && rest();
      if (attempt.converged) return;
      if (!away.empty()) {
        attempt.outcome = "in relaxation, it moves away without limit";
        return;
      }
    }
  soften({});
  system.state = calm_;
  system.find_axial();
  attempt.outcome = outcome;
}

double StaticSearch::moved() const {
  double out = 0;
  for (int node = 0; node < system.model.nodes; ++node)
    out = std::max(out, (system.state.position(node) - start_.position(node)).norm());
  return out;
}

/// No equilibrium is farther away: all cables one after the other, each stretched by all loads.
double StaticSearch::reach() const {
  const double loads = load_sum();
  double out = size_;
  for (const ElementRun& run : runs_) out += run.whole_length() * (1 + loads / run.EA);
  for (const auto& constraint : model.constraints) out += constraint->reach(loads);
  return out;
}

/// The correction by the exact matrix, with the shift or the least larger one that makes it
/// regular.
bool StaticSearch::correct(double& shift) {
  for (int tries = 0; tries < 8; ++tries, shift *= 100)
    if (system.linearize(StaticTangent::exact, shift) && system.solve()) return true;
  return false;
}

/// Newton's method with the exact matrix until rounding stops it. Where the residual does not fall,
/// rounding moves what nothing holds: a larger shift keeps it in place. By a shift above the usual
/// stiffness corrections are smaller than those of Newton's method, by about their ratio.
bool StaticSearch::settle() { return model.facts.meets ? settle_held() : settle_as_is(); }

/// Where cables touch each other: what touches sticks, and the equilibrium counts where friction
/// can hold it.
bool StaticSearch::settle_held() {
  constexpr double slipping = 1e-6;  // of the largest force, in which the limit may show
  system.find_pairs();
  system.hold_contacts();
  const bool settled = settle_as_is();
  if (settled) system.remember_contacts();
  system.let_go_contacts();
  return settled && system.residual().force <= slipping * system.force_scale();
}

bool StaticSearch::settle_as_is() {
  double least = shift_, last = std::numeric_limits<double>::infinity();
  for (int i = 0, stalled = 0; i < most_settling && stalled < most_stalled; ++i) {
    double shift = least;
    if (!correct(shift)) return false;
    turned_ = system.turn(system.correction());
    if (turned_ > most_turn) return false;
    system.move(1);
    if (system.leap() > 1) return false;
    const StaticResidual now = system.residual();
    const bool small =
        now.force <= 1e-11 * system.force_scale() + 32 * system.noise() && now.gap <= 1e-12 * size_;
    const bool falls = now.force < last / 2;
    const bool still = shift <= usual_ || turned_ * shift < 1e-7 * usual_;
    if (small && still && (turned_ < 1e-13 || !falls)) {
      polish(now.force, shift);
      return true;
    }
    if (!falls) {
      if (least >= usual_) ++stalled;
      least = std::max(least, std::min(100 * least, usual_));
    }
    last = now.force;
  }
  return false;
}

/// Of a few more steps, which rounding alone tells apart, the one that leaves least unbalanced.
void StaticSearch::polish(double least, double shift) {
  State best = system.state;
  std::vector<double> axial = system.axial;
  for (int i = 0; i < most_polishing; ++i) {
    if (!system.linearize(StaticTangent::exact, shift) || !system.solve()) break;
    system.move(1);
    const double now = system.residual().force;
    if (!(now < least)) continue;
    least = now;
    best = system.state;
    axial = system.axial;
  }
  system.state = best;
  system.axial = axial;
}

StaticSearch::Ending StaticSearch::end(StaticMode& mode) {
  if (!settle()) return Ending::unsettled;
  if (!find_unstable(mode)) return Ending::stable;
  const double turns = system.turn(mode.motion);
  double most = 0;
  for (const double d : mode.motion) most = std::max(most, std::abs(d));
  system.displace(mode.motion, std::min(0.1 / turns, 0.1 * size_ / most));
  return Ending::unstable;
}

namespace {

/// Small motions do not reach the limit of friction.
struct Held {
  explicit Held(StaticSystem& by) : system(by) { system.hold_contacts(); }
  ~Held() { system.let_go_contacts(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  StaticSystem& system;
};

/// A motion without any symmetry.
std::vector<double> rough_motion(const ModelData& model) {
  std::vector<double> out(model.padded(), 0);
  std::uint32_t random = 12345;
  for (int i = 0; i < model.structure.coordinates(); ++i) {
    random = 1664525 * random + 1013904223;  // Knuth's linear congruence
    out[static_cast<size_t>(i)] = static_cast<double>(random) * 0x1p-31 - 1;
  }
  return out;
}

}  // namespace

/// The exact matrix without negative pivots, with hardly more shift than that takes: inverse
/// iteration then finds the least stiffness soon.
bool StaticSearch::stand(double& shift) {
  const auto stands = [this](double by) {
    return system.linearize(StaticTangent::exact, by) &&
           (system.negative_pivots() == 0 || !model.structure.symmetric);
  };
  if (stands(shift)) return true;
  int tries = 0;
  do {
    shift *= 10;
  } while (!stands(shift) && ++tries < most_shifts);
  double low = shift / 10;
  for (int i = 0; i < 5; ++i)
    (stands(std::sqrt(low * shift)) ? shift : low) = std::sqrt(low * shift);
  return stands(shift);
}

/// The exact matrix with a shift by which stiffnesses can be told: rows that may repeat each other
/// yield by what the diagonal does (sparse_kkt.cpp), which with a small shift is much for a body.
/// Without symmetry only the direction itself tells its stiffness, and a small shift finds it.
bool StaticSearch::measure(double shift) {
  return system.linearize(StaticTangent::exact,
                          model.structure.symmetric ? std::max(2 * shift, usual_) : shift);
}

/// The least stiffness, if it is negative beyond rounding.
bool StaticSearch::find_unstable(StaticMode& out) {
  const Held small_motions(system);
  double shift = shift_;
  if (!stand(shift)) return false;
  if (shift == shift_ && model.structure.symmetric) return false;
  if (!measure(shift)) return false;
  out.motion = rough_motion(system.model);
  for (int i = 0; i < 60; ++i) out.stiffness = system.inverse_iteration(out.motion);
  return out.stiffness < -soft_;
}

void StaticSearch::meet_rows() {
  constexpr int most = 30;
  for (int i = 0; i < most; ++i) {
    std::fill(system.state.multipliers.begin(), system.state.multipliers.end(), 0);
    double shift = 1e6 * usual_;
    if (!aim(StaticTangent::tamed, shift, most_shifts)) return;
    const double turned = system.turn(system.correction());
    system.move(std::min(1.0, most_turn / turned));
    if (turned < rounded_turn) return;
  }
}

std::vector<StaticMode> StaticSearch::weakest(size_t most) {
  const Held small_motions(system);
  std::vector<StaticMode> out;
  double shift = shift_;
  if (!stand(shift) || !measure(shift)) return out;
  while (out.size() < most) {
    StaticMode mode;
    mode.motion = rough_motion(system.model);
    for (int i = 0; i < 60; ++i) {
      for (const StaticMode& found : out) system.remove(found.motion, mode.motion);
      mode.stiffness = system.inverse_iteration(mode.motion);
    }
    if (!(mode.stiffness < soft_)) break;
    out.push_back(std::move(mode));
  }
  return out;
}

}  // namespace hawser

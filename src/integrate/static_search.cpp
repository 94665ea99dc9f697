#include "integrate/static_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

constexpr double most_turn = 0.5;     ///< of a cable's part or a body in one step [rad]
constexpr double close_turn = 0.05;   ///< from here on Newton's method may end it
constexpr double least_share = 1e-4;  ///< of a correction, below which there is no progress
constexpr double rounded_turn = 1e-8;
constexpr double most_remainder = 0.5;
constexpr double soft_start = 5;      ///< EA of soft cables over the sum of the loads
constexpr int preparation = 100;      ///< iterations with slack cables: rest is not needed
constexpr int stage_iterations = 80;  ///< from one stiffness to the next
constexpr int most_stalled = 4;
constexpr int most_corrections = 8;  ///< with one matrix
constexpr int most_settling = 30;
constexpr int most_polishing = 8;
constexpr int most_shifts = 40;  ///< each ten times the last
constexpr int most_pushes = 30;  ///< off unstable equilibria

/// The highest square of a frequency that elements have: axial waves across one [1/s^2].
double highest(const ModelData& model) {
  double out = 0;
  for (const AncfBatch& b : model.batches) {
    const double l = b.parameters.length, mass = b.parameters.mass[0] + b.parameters.mass[7];
    out = std::max(out, 4 * b.parameters.law.EA / (l * mass));
  }
  return out;
}

}  // namespace

StaticSearch::StaticSearch(const ModelData& data, const State& from, const StaticOptions& options)
    : model(data),
      system(model, from),
      batches_(data.batches),
      options_(options),
      start_(from),
      axial_start_(system.axial) {
  double loads = 0;
  const double size = std::max(model.extent, 1e-3), mass = std::max(model.total_mass, 1e-9);
  loads = std::max(system.force_scale(), model.scene.gravity.norm() * mass);
  usual_ = model.scene.gravity.isZero() ? std::max(1e-6, loads / (mass * size))
                                        : model.scene.gravity.norm() / size;
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

/// No cable is stiffer than `most` [N], or than what keeps it from being crushed by its own
/// bending. Mild: strain and curvature are measured in the ways that stay regular in a cable that
/// is crushed. Slack: cables are not compressed either, which makes their energy convex.
void StaticSearch::soften(double most, Softness softness) {
  model.batches = batches_;
  system.slack = softness == Softness::slack;
  for (AncfBatch& batch : model.batches) {
    LinearElastic& law = batch.parameters.law;
    const double length = batch.elements * batch.parameters.length;
    law.EA = std::min(law.EA, std::max(most, 400 * law.EI / (length * length)));
    if (softness == Softness::none) continue;
    batch.strain = StrainMeasure::green;
    batch.curvature = CurvatureMeasure::second_derivative;
  }
}

void StaticSearch::restart() {
  soften(std::numeric_limits<double>::infinity(), Softness::none);
  system.state = start_;
  system.axial = axial_start_;
  system.load = 1;
}

StaticAttempt StaticSearch::follow(StaticWay way) {
  restart();
  const int before = system.factorizations;
  StaticAttempt attempt;
  attempt.way = way;
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
    if (turned_ < rounded_turn || system.remainder(share_) <= 1 - share_ / 4) return true;
    system.back();
  }
  why = "no step makes the next correction smaller";
  return false;
}

/// Until a correction turns nothing by more than `until`.
bool StaticSearch::newton_to(int iterations, double until, std::string& why) {
  for (int i = 0; i < iterations; ++i) {
    if (!newton_step(why)) return false;
    if (share_ == 1 && turned_ <= until) return true;
  }
  why = fmt::format("corrections still turn the cables by {:.2g} after {} iterations", turned_,
                    iterations);
  return false;
}

void StaticSearch::newton(StaticAttempt& attempt) {
  turned_ = 1;
  if (!newton_to(options_.newton_iterations, close_turn, attempt.outcome)) return;
  const Ending ending = end();
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
  std::vector<double> axial = axial_start_;
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
  const Ending ending = end();
  attempt.converged = ending == Ending::stable;
  if (ending == Ending::unstable) attempt.outcome = "it led to an unstable equilibrium";
  if (ending == Ending::unsettled) attempt.outcome = "it did not settle";
}

/// The corrections that a step of remainder `left` has left open, until the rows are met: what they
/// are off by would add up, and be hard to undo where they are nearly stretched out.
bool StaticSearch::meet_rows(double left) {
  for (int i = 0; i < most_corrections; ++i) {
    if (left > 0) system.move_on();
    if (!system.rows.any()) return true;
    const double next = system.remainder(1);
    if (system.gap() <= 1e-6 * (1 + model.extent)) return true;
    if (!(next <= most_remainder * left)) return false;
    left = next;
  }
  return false;
}

/// One step of a motion without inertia, M (q1 - q) = F(q1)/shift, linearized; the shift follows
/// from how well that was met. False: not taken, to be tried again with the larger shift.
bool StaticSearch::relax_step(double& shift) {
  if (!aim(shift)) {
    shift *= 10;
    return false;
  }
  shift_taken_ = shift;
  turned_ = system.turn(system.correction());
  // Part of a correction leaves rows off by what turns, which adds up: they go whole steps only.
  if (turned_ > (system.rows.any() ? 1 : 4) * most_turn) {
    shift *= std::clamp(turned_ / most_turn, 2.0, 100.0);
    return false;
  }
  share_ = std::min(1.0, most_turn / turned_);
  system.move(share_);
  if (turned_ < rounded_turn) {  // what is left cannot be told from rounding
    shift = std::max(shift / 10, shift_);
    return true;
  }
  const double left = system.remainder(share_);
  if (!(left <= 1 - share_ * (1 - most_remainder))) {
    system.back();
    shift *= left < 1 ? 3 : 10;
    return false;
  }
  if (share_ == 1 && !meet_rows(left)) {
    system.back();
    shift *= 10;
    return false;
  }
  if (share_ == 1) shift /= left < 0.05 ? 30 : left < 0.15 ? 8 : left < 0.3 ? 3 : 1.2;
  shift = std::max(shift, shift_);
  return true;
}

bool StaticSearch::relax(double until, int most, std::string& why) {
  double shift = 100 * usual_;
  while (system.factorizations < most && shift < 1e40) {
    if (!relax_step(shift)) continue;
    if (moved() > 100 * (model.extent + model.total_length + 1)) {
      why = "something moves away without end";
      return false;
    }
    // A large shift keeps from moving, and is needed where a push would end the balance.
    if (turned_ < rounded_turn || (share_ == 1 && shift_taken_ <= usual_ && turned_ < until))
      return true;
  }
  why = "not at rest";
  return false;
}

/// From soft cables to stiff ones by Newton's method, in steps as large as it can take; where it
/// cannot take even a small one, relaxing goes on there.
bool StaticSearch::stiffen(double EA, double stiffest, int most, std::string& why) {
  for (const Softness softness : {Softness::mild, Softness::none}) {
    soften(EA, softness);
    if (EA > 0 && !relax(close_turn, most, why)) return false;
  }
  double factor = 10;
  while (EA > 0 && EA < stiffest) {
    if (system.factorizations > most) return false;
    const State sound = system.state;
    const std::vector<double> axial = system.axial;
    soften(EA * factor, Softness::none);
    if (newton_to(stage_iterations, 1e-6, why)) {
      EA *= factor;
      factor = std::min(factor * factor, 30.0);
      continue;
    }
    system.state = sound;
    system.axial = axial;
    if (factor > 1.5) {
      factor = std::sqrt(factor);
    } else {
      EA *= factor;
      soften(EA, Softness::none);
      if (!relax(close_turn, most, why)) return false;
      factor = 4;
    }
  }
  soften(std::numeric_limits<double>::infinity(), Softness::none);
  return true;
}

/// By the scene's own motion, and where that leads nowhere by one without inertia, with soft cables
/// first: hardly anything has to be unfolded against a stiffness that way, and the
/// forces found are nearly those of the stiff ones.
void StaticSearch::relaxation(StaticAttempt& attempt) {
  if (fall()) {
    attempt.converged = true;
    return;
  }
  restart();
  const int most = system.factorizations + options_.relaxation_iterations;
  double stiffest = 0;
  for (const AncfBatch& batch : batches_) stiffest = std::max(stiffest, batch.parameters.law.EA);
  double EA = soft_start * load_sum();
  if (EA > 0) {
    soften(EA, Softness::slack);
    const int enough = system.factorizations + preparation;
    if (!relax(close_turn, std::min(most, enough), attempt.outcome) &&
        system.factorizations < enough)
      return;
  }
  if (!stiffen(EA, stiffest, most, attempt.outcome)) return;
  double until = close_turn;
  for (int pushes = 0; pushes < most_pushes;) {
    if (!relax(until, most, attempt.outcome)) return;
    const State here = system.state;
    const std::vector<double> axial = system.axial;
    const double turned = turned_;
    const Ending ending = end();
    if (ending == Ending::stable) {
      attempt.converged = true;
      return;
    }
    if (ending == Ending::unstable) {
      ++pushes;
      until = close_turn;
      continue;
    }
    system.state = here;
    system.axial = axial;
    until = turned / 4;
  }
  attempt.outcome = "one unstable equilibrium after the other";
}

double StaticSearch::moved() const {
  double out = 0;
  for (int node = 0; node < system.model.nodes; ++node)
    out = std::max(out, (system.state.position(node) - start_.position(node)).norm());
  return out;
}

/// Newton's method with the exact matrix until rounding stops it. Where the residual does not fall,
/// rounding moves what nothing holds: a larger shift keeps it in place.
bool StaticSearch::settle() {
  double shift = shift_, last = std::numeric_limits<double>::infinity();
  for (int i = 0, stalled = 0; i < most_settling && stalled < most_stalled; ++i) {
    bool found = false;
    for (int tries = 0; tries < 8 && !found; ++tries) {
      found = system.linearize(StaticTangent::exact, shift) && system.solve();
      if (!found) shift *= 100;
    }
    if (!found) return false;
    turned_ = system.turn(system.correction());
    if (turned_ > most_turn) return false;
    system.move(1);
    const StaticResidual now = system.residual();
    const bool small = now.force <= 1e-11 * system.force_scale() + 32 * system.noise() &&
                       now.gap <= 1e-12 * (1 + model.extent);
    const bool falls = now.force < last / 2;
    if (small && (turned_ < 1e-13 || !falls)) {
      polish(now.force, shift);
      return true;
    }
    if (!falls) {
      if (shift >= usual_) ++stalled;
      shift = std::max(shift, std::min(100 * shift, usual_));
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

StaticSearch::Ending StaticSearch::end() {
  if (!settle()) return Ending::unsettled;
  StaticMode mode;
  if (!find_unstable(mode)) return Ending::stable;
  const double turns = system.turn(mode.motion);
  double far = 0;
  for (const double d : mode.motion) far = std::max(far, std::abs(d));
  system.displace(mode.motion, std::min(0.1 / turns, 0.1 * (1 + system.model.extent) / far));
  return Ending::unstable;
}

namespace {

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

/// The least stiffness, if it is negative beyond rounding.
bool StaticSearch::find_unstable(StaticMode& out) {
  double shift = shift_;
  if (!stand(shift)) return false;
  if (shift == shift_ && model.structure.symmetric) return false;
  out.motion = rough_motion(system.model);
  for (int i = 0; i < 30; ++i) out.stiffness = system.inverse_iteration(out.motion);
  return out.stiffness < -soft_;
}

bool StaticSearch::pull() {
  double shift = usual_;
  return aim(StaticTangent::tamed, shift, most_shifts);
}

std::vector<StaticMode> StaticSearch::weakest(size_t most) {
  std::vector<StaticMode> out;
  double shift = shift_;
  if (!stand(shift)) return out;
  while (out.size() < most) {
    StaticMode mode;
    mode.motion = rough_motion(system.model);
    for (int i = 0; i < 20; ++i) {
      for (const StaticMode& found : out) system.remove(found.motion, mode.motion);
      mode.stiffness = system.inverse_iteration(mode.motion);
    }
    if (!(mode.stiffness < soft_)) break;
    out.push_back(std::move(mode));
  }
  return out;
}

}  // namespace hawser

// Stable static equilibrium of a scene.
#pragma once

#include <string>
#include <vector>

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

/// Methods of finding an equilibrium, described in docs/theory/statics.md.
enum class StaticWay {
  newton,        ///< Newton's method from the given shape
  continuation,  ///< loads are increased from a small fraction to full size
  relaxation     ///< damped motion until it comes to rest
};
[[nodiscard]] const char* name_of(StaticWay way);

struct StaticOptions {
  /// Tried in this order until one finds a stable equilibrium.
  std::vector<StaticWay> ways{StaticWay::newton, StaticWay::continuation, StaticWay::relaxation};
  int newton_iterations = 40;         ///< maximum
  int continuation_iterations = 200;  ///< maximum over all load steps
  int relaxation_iterations = 20000;  ///< maximum number of steps
};

/// Result of one method.
struct StaticAttempt {
  StaticWay way = StaticWay::newton;
  bool converged = false;
  int iterations = 0;   ///< factorizations
  double residual = 0;  ///< largest unbalanced force at the end [N]
  std::string outcome;  ///< why it stopped
};

struct StaticReport {
  bool converged = false;
  int iterations = 0;   ///< of all methods
  double residual = 0;  ///< largest unbalanced force [N]; slopes and rotations: over a length
  double gap = 0;       ///< largest violation of a joint or condition [m, rad]
  std::vector<StaticAttempt> attempts;
  /// Motions without stiffness, described in words. These stay at their initial position.
  std::vector<std::string> loose;
  std::string message;  ///< if not converged: what is loose or contradictory
};

/// Finds the static equilibrium at the time of the state, starting from its shape: cables, bodies,
/// joints and massless cables. Supports and position drives have their positions at that time;
/// velocity drives are locked. A massless cable keeps its length between contacts on which it
/// sticks, and slips if the difference of tensions exceeds friction. An unstable equilibrium (an
/// inverted pendulum) is abandoned for a stable one. The residual is reduced to rounding
/// error.
///
/// Velocities and accelerations are set to zero. If none is found, the state is unchanged.
StaticReport equilibrium(const Model& model, State& state, const StaticOptions& options = {});

}  // namespace hawser

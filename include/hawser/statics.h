// Static equilibrium of a scene: the shape in which every force is balanced and stays so.
#pragma once

#include <string>
#include <vector>

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

/// How an equilibrium is looked for. docs/theory/statics.md describes them.
enum class StaticWay {
  newton,        ///< Newton's method from the shape given
  continuation,  ///< loads raised from a small share to their full size
  relaxation     ///< let go, in motion that is damped until it comes to rest
};
[[nodiscard]] const char* name_of(StaticWay way);

struct StaticOptions {
  /// Tried in this order until one leads to a stable equilibrium.
  std::vector<StaticWay> ways{StaticWay::newton, StaticWay::continuation, StaticWay::relaxation};
  int newton_iterations = 40;         ///< at most
  int continuation_iterations = 200;  ///< at most, all load steps together
  int relaxation_iterations = 20000;  ///< at most, steps of the motion
};

/// What came of a way.
struct StaticAttempt {
  StaticWay way = StaticWay::newton;
  bool converged = false;
  int iterations = 0;   ///< factorizations
  double residual = 0;  ///< largest unbalanced force at its end [N]
  std::string outcome;  ///< why it was left
};

struct StaticReport {
  bool converged = false;
  int iterations = 0;   ///< of all ways together
  double residual = 0;  ///< largest unbalanced force [N]; a slope's or a turn's by its own length
  double gap = 0;       ///< largest amount by which a joint or condition is missed [m, rad]
  std::vector<StaticAttempt> attempts;
  /// What nothing holds in place: directions without stiffness, in words. It stays where it was.
  std::vector<std::string> loose;
  std::string message;  ///< when not converged: what is loose or contradictory
};

/// Finds the static equilibrium at the state's time, from the state's shape: cables, bodies, joints
/// and massless cables. Supports and driven positions are where they are at that time; what is
/// driven at a given rate stays where it is. A massless cable keeps what it has of its length
/// between stops over which it sticks; where its tensions differ by more than friction holds, it
/// slips. An equilibrium that a small push would end (a pendulum upside down) is left for a stable
/// one. The residual is brought down to rounding.
///
/// Velocities and accelerations come back zero. When none is found the state is left as it was.
StaticReport equilibrium(const Model& model, State& state, const StaticOptions& options = {});

}  // namespace hawser

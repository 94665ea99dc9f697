// A campaign of static equilibria, checked without the solver that found them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

struct StaticCampaign {
  int scenes = 0;
  long iterations = 0;
  double worst = 0;                   ///< unbalanced_force() of those that converged
  std::map<std::string, int> ways;    ///< how many were found by which
  std::vector<std::string> failures;  ///< which, and why
};
StaticCampaign run_static_campaign(int scenes, unsigned seed);

/// The largest unbalanced generalized force over the largest that acts, assembled anew from the
/// state alone. What rounding of coordinates makes of stiff cables is allowed for.
double unbalanced_force(const Model& model, const State& state);

/// Steps on after every node got a small push: where the equilibrium is stable, none gets farther
/// than the push carries it (50 times that is allowed, for what is light). A step that fails, or
/// gains energy from nothing, says something of the step and not of the equilibrium: then it is
/// tried again by a hundredth of the push, with as much less to go.
bool stays_at_rest(const Model& model, const State& state, double seconds);

}  // namespace hawser

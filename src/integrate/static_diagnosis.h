// What keeps a scene from an equilibrium, or free to move in it, in words.
#pragma once

#include <string>

#include "integrate/static_search.h"

namespace hawser {

/// "body 'hook' turns about (0, 0, 1)": where most of the motion's inertia is.
std::string describe_motion(const ModelData& model, const State& state,
                            const std::vector<double>& motion);

/// Why no equilibrium was found, from where the search ended: which conditions contradict each
/// other, else what nothing holds.
std::string diagnose(StaticSearch& search);

}  // namespace hawser

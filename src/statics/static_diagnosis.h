// What keeps a scene from an equilibrium, or free to move in it, in words.
#pragma once

#include <string>

#include "statics/static_search.h"

namespace hawser {

/// "body 'hook' turns about (0, 0, 1)": where most of the motion's inertia is.
std::string describe_motion(const ModelData& model, const State& state,
                            const std::vector<double>& motion);

/// Why no equilibrium was found: what moved away without end when it was let go, which conditions
/// contradict each other, else what the search ended with.
std::string diagnose(StaticSearch& search);

}  // namespace hawser

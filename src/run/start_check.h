// What is wrong with the shape in which a run starts.
#pragma once

#include <string>
#include <vector>

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

/// A warning for every cable that starts as a catenary and stores much more strain energy than the
/// catenary does: it cannot bend with its elements as sharply as it hangs.
std::vector<std::string> false_stress_warnings(const Model& model, const State& start);

}  // namespace hawser

// Where a scene comes to rest.
#pragma once

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

/// In balance, as the scene is at t = 0; throws std::runtime_error when no rest is found.
State at_rest(const Model& model);

}  // namespace hawser

// Parts of cables that lie on planes (Stop::along): which elements they are, and the terms that act
// on them (loads/plane_support.h, loads/sliding_friction.h).
#pragma once

#include <vector>

#include "hawser/scene.h"
#include "loads/plane_support.h"
#include "loads/sliding_friction.h"

namespace hawser {

struct ModelData;

/// Throws Error where a cable cannot lie as its route says.
void validate_along(const Scene& scene, const Cable& cable);

/// The elements of all parts that lie on planes. Throws Error where a cable has come off a pulley
/// beside one.
std::vector<SupportedRun> supported_runs(const ModelData& model);
/// Those of them with friction.
std::vector<SlidingRun> sliding_runs(const ModelData& model);

}  // namespace hawser

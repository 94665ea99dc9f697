// Loads, general conditions and junctions.
#pragma once

#include "hawser/scene.h"
#include "scene/fields.h"
#include "scene/values.h"

namespace hawser {

/// Adds the loads, conditions and junctions of the text to a scene that has its cables.
void add_loads(ReadContext& context, const SceneText& text, Scene& scene);

}  // namespace hawser

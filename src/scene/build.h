// From what a file says to what is simulated.
#pragma once

#include "hawser/scene_file.h"
#include "scene/fields.h"
#include "scene/values.h"

namespace hawser {

/// Checks names against each other and makes the scene; defaults that depend on other fields are
/// filled into `text`. Problems go to the context's.
void build_scene(ReadContext& context, SceneText& text, SceneFile& out);

}  // namespace hawser

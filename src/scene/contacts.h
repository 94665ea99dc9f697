// What touches what: the shapes of supports, and the contacts of a scene.
#pragma once

#include "scene/bodies.h"

namespace hawser {

/// Gives the supports of a scene their shapes.
void add_support_shapes(ReadContext& context, const SceneText& text, Scene& scene);

/// Adds the contacts of the text to a scene that has its cables, bodies and supports.
void add_contacts(ReadContext& context, const SceneText& text, Scene& scene);

}  // namespace hawser

// Inputs: read before everything else, for expressions use them.
#pragma once

#include "hawser/scene.h"
#include "scene/fields.h"
#include "scene/values.h"

namespace hawser {

/// Names, dimensions and initial values of `inputs` into the context. What is wrong with an entry
/// is told when its fields are read.
void read_inputs(ReadContext& context, const Node& root);

/// Adds the inputs of the text to a scene. Variables are filled into the laws of the text.
void add_inputs(ReadContext& context, SceneText& text, Scene& scene);

}  // namespace hawser

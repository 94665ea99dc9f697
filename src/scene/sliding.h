// Sliding joints of a scene file.
#pragma once

#include "scene/supports.h"

namespace hawser {

void add_sliding_joints(const SceneText& text, Scene& scene);

}  // namespace hawser

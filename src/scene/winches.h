// Winches of a scene file.
#pragma once

#include "scene/supports.h"

namespace hawser {

/// The sections have their numbers filled in.
void add_winches(ReadContext& context, const SceneText& text, Scene& scene);

}  // namespace hawser

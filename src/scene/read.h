// Reading with another source of files and other limits: what tests and the fuzzer use.
#pragma once

#include "hawser/scene_file.h"
#include "scene/document.h"

namespace hawser {

/// As read_scene_text.
SceneFile read_scene_with(const std::string& text, const std::string& name,
                          const std::vector<std::string>& sets, const FileLoader& load,
                          const DocumentLimits& limits);

}  // namespace hawser

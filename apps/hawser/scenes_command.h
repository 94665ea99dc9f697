// The scenes that ship with Hawser.
#pragma once

#include <string>
#include <vector>

namespace hawser {

struct ShippedScene {
  std::string name;  ///< "flying-rope"
  std::string path;
};

/// The scenes of the source tree that this program was built from; set in a file that CMake writes.
extern const char* const source_scenes;

/// By name. They are looked for in the folder HAWSER_SCENES names, beside the installed program
/// (../share/hawser/scenes) and in the source tree; the first folder that has a name gives it.
std::vector<ShippedScene> shipped_scenes();

/// The file that `scene` means: a file, or the name of a shipped scene. Throws Error.
std::string find_scene(const std::string& scene);

}  // namespace hawser

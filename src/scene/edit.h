// Changes of single values in the text of a scene, which leave all else as it is: comments, order,
// spaces.
#pragma once

#include <string>
#include <vector>

namespace hawser {

/// A value that can be changed: a scalar that stands in one line.
struct SceneField {
  std::string path;         ///< "bodies.load.mass", "supports.tip.position[2]"
  std::string value;        ///< without quotes
  int line = 0;             ///< from 1
  size_t from = 0, to = 0;  ///< where it stands in the text, with its quotes
};

/// The values of a scene's own file, without those of files that it includes; none where it cannot
/// be read.
std::vector<SceneField> scene_fields(const std::string& text);

/// The text with another value, in quotes where it needs them. Throws Error if there is no such
/// field or the value cannot stand in one line.
std::string edit_scene(const std::string& text, const std::string& path, const std::string& value);

}  // namespace hawser

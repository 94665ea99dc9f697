// Reads scene files: YAML to a Scene with solver and recording settings.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hawser/error.h"
#include "hawser/model.h"
#include "hawser/options.h"
#include "hawser/record.h"
#include "hawser/scene.h"

namespace hawser {

/// A value that a run must reach, stored in the scene.
struct Expectation {
  std::string name;
  std::string channel;  ///< one column: "tether.position.z@end"
  double time = -1;     ///< [s]; negative: the end of the run
  double value = 0;     ///< SI
  std::string unit;     ///< SI unit of the value; empty: a bare number, in the unit of the column
  double within = 0;    ///< tolerance
  std::string source;   ///< where the value comes from
};

/// The contents of a scene file.
struct SceneFile {
  std::string file;  ///< path as given
  std::string title;
  std::string description;
  Scene scene;
  SolveOptions solve;
  double until = 10;  ///< end of the run [s]
  Recording record;
  std::vector<Expectation> expect;
  std::vector<std::string> warnings;  ///< suspicious but valid input
  /// The scene as one self-contained file in SI, with includes, variables and defaults resolved.
  std::string resolved;
  /// Source location of each part of the scene by path ("cables.tether", "record.channels[2]"):
  /// file, line, column and the line itself. Used by errors found after reading.
  struct Source {
    std::string file;
    int line = 0, column = 0;  ///< from 1
    std::string text;          ///< the line
  };
  std::map<std::string, Source> sources;
};

/// Reads a scene. `sets` are overrides "path=value" as on the command line ("variables.span=20 m",
/// "cables.tether.elements=40"). Throws SceneError.
SceneFile read_scene(const std::string& path, const std::vector<std::string>& sets = {});

/// The same from text. `name` is the file name in messages; includes are relative to it.
SceneFile read_scene_text(const std::string& text, const std::string& name,
                          const std::vector<std::string>& sets = {});

/// Compiles the scene of a file, as Model(file.scene). Throws SceneError with the line of the
/// cable, joint or body.
Model compile(const SceneFile& file);

/// Adds the location in the file to an error found after reading the scene.
SceneError at_source(const SceneFile& file, const std::string& path, const Error& error);

/// JSON Schema of scene files, for editors.
std::string scene_schema();
/// Reference of all fields of scene files in Markdown.
std::string scene_reference();

}  // namespace hawser

// Scene files: YAML in, a Scene with how to solve and what to record out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hawser/error.h"
#include "hawser/options.h"
#include "hawser/record.h"
#include "hawser/scene.h"

namespace hawser {

/// A value that a run must reach, kept in the scene beside what makes it.
struct Expectation {
  std::string name;
  std::string channel;  ///< one column: "tether.position.z@end"
  double time = -1;     ///< [s]; negative: the end of the run
  double value = 0;     ///< SI
  std::string unit;     ///< of the value as given, SI; empty: a bare number, in the column's unit
  double within = 0;    ///< largest difference allowed
  std::string source;   ///< where the value comes from
};

/// A scene as a file describes it.
struct SceneFile {
  std::string file;  ///< as it was given
  std::string title;
  std::string description;
  Scene scene;
  std::vector<Support> supports;
  SolveOptions solve;
  double until = 10;  ///< end of the run [s]
  Recording record;
  std::vector<Expectation> expect;
  std::vector<std::string> warnings;  ///< what reads oddly but can be run
  /// The same scene as one self-contained file: includes, variables and defaults filled in, SI.
  std::string resolved;
  /// Where a part of the scene stands, by path ("cables.tether", "record.channels[2]"):
  /// "file:line:column" and the line itself, for errors found later.
  struct Source {
    std::string file;
    int line = 0, column = 0;  ///< from 1
    std::string text;          ///< the line
  };
  std::map<std::string, Source> sources;
};

/// All that is wrong with a scene file, each with file:line:column, the line, what was found, what
/// was expected and how to mend it.
class SceneError : public Error {
 public:
  explicit SceneError(std::vector<std::string> problems);
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::vector<std::string> problems_;
};

/// Reads a scene. `sets` are "path=value" as the command line takes them ("variables.span=20 m",
/// "cables.tether.elements=40"). Throws SceneError.
SceneFile read_scene(const std::string& path, const std::vector<std::string>& sets = {});

/// The same from text; `name` stands for the file in messages, includes are looked for beside it.
SceneFile read_scene_text(const std::string& text, const std::string& name,
                          const std::vector<std::string>& sets = {});

/// An error about a part of the scene found after reading it, with the place in the file.
SceneError at_source(const SceneFile& file, const std::string& path, const Error& error);

/// The JSON Schema of scene files, for editors.
std::string scene_schema();
/// Every field of scene files as a page of Markdown.
std::string scene_reference();

}  // namespace hawser

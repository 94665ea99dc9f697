// What is checked after a scene is read, with the place in the file in every error.
#pragma once

#include <string>
#include <vector>

#include "hawser/control.h"
#include "hawser/model.h"
#include "hawser/scene_file.h"
#include "hawser/state.h"

namespace hawser {

/// Errors found after reading a scene, with their places where the file has them.
class LateErrors {
 public:
  explicit LateErrors(const SceneFile& file) : file_(file) {}

  /// Does `work` and keeps the Error it throws; `path` is what it is about ("expect.tip").
  template <class Work>
  void attempt(const std::string& path, const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      keep(path, error);
    }
  }
  /// Throws all that was kept as one SceneError.
  void throw_if_any() const;

 private:
  void keep(const std::string& path, const Error& error);

  const SceneFile& file_;
  std::vector<std::string> problems_;
};

/// The scene on a mesh; throws SceneError.
Model compile(const SceneFile& file, const Mesh& mesh);

/// The channels a run records: the scene's, or the default ones. Throws SceneError with the lines
/// of all that are not known.
std::vector<std::string> recorded_channels(const SceneFile& file, const Model& model);

/// That what a run needs is there also while cables are slack that then have elements
/// (Cable::when_slack): solver options, channels, feedback and expectations. Throws SceneError.
void check_slack(const SceneFile& file, const std::vector<std::string>& channels);

/// The feedback of the scene. Throws SceneError with the lines of the inputs.
Feedback feedback_of(const SceneFile& file, const Model& model);

/// What a run says before its first step and `hawser check` too: what the file reads oddly,
/// expectations that the run does not reach, and warnings of the model. `start`: the state it
/// starts from, if known.
std::vector<std::string> warnings_before(const SceneFile& file, const Model& model,
                                         const State* start);

}  // namespace hawser

// The recorder of a run with its sinks: new files, or those of a run that goes on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hawser/run.h"
#include "record/recorder.h"

namespace hawser {

/// What the sinks and the log of settings of a run write, relative to the folder.
std::vector<std::string> files_of_sinks(const Scene& scene, const RunOptions& options);

/// `channels` are recorded. `from`: go on with the files in options.directory from there; null:
/// they are new.
std::unique_ptr<Recorder> make_recorder(const SceneFile& file, const Model& model,
                                        const std::vector<std::string>& channels,
                                        const RunOptions& options, const RecorderProgress* from);

}  // namespace hawser

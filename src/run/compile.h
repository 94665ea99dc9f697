// From a scene file to a model, with the place in the file in every error.
#pragma once

#include <string>
#include <vector>

#include "hawser/model.h"
#include "hawser/scene_file.h"

namespace hawser {

/// Throws Error, with the line of the cable it names where the file has one.
Model compile(const SceneFile& file);

/// The channels a run records: the scene's, or the default ones. Throws Error with the line of the
/// first one that is not known.
std::vector<std::string> recorded_channels(const SceneFile& file, const Model& model);

/// Does `work`; an Error it throws gets the place of `path` in the file where that is known.
template <class Work>
auto with_source(const SceneFile& file, const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const SceneError&) {
    throw;  // has its place
  } catch (const Error& error) {
    if (!file.sources.contains(path)) throw;
    throw at_source(file, path, error);
  }
}

}  // namespace hawser

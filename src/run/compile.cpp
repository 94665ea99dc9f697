#include "run/compile.h"

#include <fmt/format.h>

namespace hawser {
namespace {

/// "cables.NAME" of the cable that an error's text names, or empty.
std::string cable_in(const SceneFile& file, const std::string& text) {
  for (const Cable& cable : file.scene.cables)
    if (text.find(fmt::format("cable '{}'", cable.name)) != std::string::npos)
      return "cables." + cable.name;
  return {};
}

}  // namespace

Model compile(const SceneFile& file) {
  try {
    return Model(file.scene);
  } catch (const Error& error) {
    const std::string path = cable_in(file, error.what());
    if (!file.sources.contains(path)) throw;
    throw at_source(file, path, error);
  }
}

std::vector<std::string> recorded_channels(const SceneFile& file, const Model& model) {
  if (file.record.channels.empty()) return default_channels(model, file.supports);
  for (size_t i = 0; i < file.record.channels.size(); ++i)
    with_source(file, fmt::format("record.channels[{}]", i),
                [&] { const Channels known(model, file.supports, {file.record.channels[i]}); });
  return file.record.channels;
}

}  // namespace hawser

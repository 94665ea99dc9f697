#include "run/compile.h"

#include <fmt/format.h>

#include <memory>

namespace hawser {
namespace {

/// "cables.NAME", "bodies.NAME" or "joints.NAME" of what an error's text names, or empty.
std::string part_in(const SceneFile& file, const std::string& text) {
  std::string found;
  const auto look = [&](const auto& parts, const char* one, const char* all) {
    for (const auto& part : parts)
      if (found.empty() && text.find(fmt::format("{} '{}'", one, part.name)) != std::string::npos)
        found = fmt::format("{}.{}", all, part.name);
  };
  look(file.scene.cables, "cable", "cables");
  look(file.scene.bodies, "body", "bodies");
  look(file.scene.joints, "joint", "joints");
  return found;
}

}  // namespace

void LateErrors::keep(const std::string& path, const Error& error) {
  if (const auto* several = dynamic_cast<const SceneError*>(&error)) {  // have their places
    problems_.insert(problems_.end(), several->problems().begin(), several->problems().end());
    return;
  }
  const std::string place = file_.sources.contains(path) ? path : part_in(file_, error.what());
  if (!file_.sources.contains(place) && file_.file.empty()) {  // a scene made by a program
    problems_.emplace_back(error.what());
    return;
  }
  const SceneError placed = at_source(file_, place, error);
  problems_.insert(problems_.end(), placed.problems().begin(), placed.problems().end());
}

void LateErrors::throw_if_any() const {
  if (!problems_.empty()) throw SceneError(problems_);
}

Model compile(const SceneFile& file) {
  LateErrors errors(file);
  std::unique_ptr<Model> model;
  errors.attempt({}, [&] { model = std::make_unique<Model>(file.scene); });
  errors.throw_if_any();
  return *model;
}

std::vector<std::string> recorded_channels(const SceneFile& file, const Model& model) {
  if (file.record.channels.empty()) return default_channels(model, file.supports);
  LateErrors errors(file);
  for (size_t i = 0; i < file.record.channels.size(); ++i)
    errors.attempt(fmt::format("record.channels[{}]", i),
                   [&] { const Channels known(model, file.supports, {file.record.channels[i]}); });
  errors.throw_if_any();
  return file.record.channels;
}

}  // namespace hawser

#include "hawser/scene_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "scene/build.h"
#include "scene/inputs.h"
#include "scene/object_reader.h"
#include "scene/read.h"
#include "scene/tree.h"
#include "scene/writer.h"

namespace hawser {

std::string Field::help_line() const {
  std::string line = help;
  line = line.substr(0, line.find_first_of(".;:"));
  if (!line.empty() && line[0] >= 'A' && line[0] <= 'Z' && !(line.size() > 1 && line[1] == ' '))
    line[0] = static_cast<char>(line[0] - 'A' + 'a');
  return fmt::format("`{}: ...` ({})", key, line);
}

namespace {

std::string joined(const std::vector<std::string>& problems) {
  std::string out;
  for (const std::string& p : problems) out += (out.empty() ? "" : "\n") + p;
  return out;
}

SceneFile read_tree(const Node& root, const std::string& name, const FileLoader& load,
                    Problems& problems) {
  ReadContext context{problems, load, {}, {}, {}, {}, {}, {}, root.at, {}};
  SceneText scene;
  SceneFile out;
  if (problems.any() && root.entries.empty()) return out;  // nothing could be read
  read_variables(context, root);
  read_inputs(context, root);
  const std::string path;
  read_object(context, {root, path}, scene);
  out.warnings = context.warnings;
  build_scene(context, scene, out);
  if (problems.any()) return out;
  out.file = name;
  out.title = scene.title->empty() ? std::filesystem::path(name).stem().string() : *scene.title;
  out.description = *scene.description;
  out.resolved = write_scene(scene);
  constexpr size_t longest = 240;  // many parts may stand in one line
  for (const auto& [part, mark] : context.places)
    if (mark.source)
      out.sources[part] = {mark.source->name(), mark.line, mark.column,
                           mark.source->line(mark.line, longest)};
  return out;
}

}  // namespace

SceneError::SceneError(std::vector<std::string> problems)
    : Error(joined(problems)), problems_(std::move(problems)) {}

SceneFile read_scene_with(const std::string& text, const std::string& name,
                          const std::vector<std::string>& sets, const FileLoader& load,
                          const DocumentLimits& limits) {
  Problems problems;
  try {
    SceneFile out =
        read_tree(assemble_tree(text, name, sets, load, problems, limits), name, load, problems);
    if (out.resolved.size() > limits.bytes)
      problems.add({}, "",
                   fmt::format("{} bytes with all includes and defaults", out.resolved.size()),
                   fmt::format("at most {}", limits.bytes), "Reduce the size of the tables.");
    if (!problems.any()) return out;
  } catch (const TooManyProblems&) {  // they are told below
  }
  throw SceneError(problems.texts());
}

SceneFile read_scene(const std::string& path, const std::vector<std::string>& sets) {
  const DocumentLimits limits;
  const FileLoader load = disk_loader(limits);
  const Loaded loaded = load(path);
  if (!loaded.found)
    throw SceneError(
        {fmt::format("{}: cannot read the scene: {}; expected a scene file. `hawser scenes` "
                     "lists the example scenes.",
                     path, loaded.cause)});
  return read_scene_with(loaded.text, path, sets, load, limits);
}

SceneFile read_scene_text(const std::string& text, const std::string& name,
                          const std::vector<std::string>& sets) {
  const DocumentLimits limits;
  return read_scene_with(text, name, sets, disk_loader(limits), limits);
}

SceneError at_source(const SceneFile& file, const std::string& path, const Error& error) {
  const auto found = file.sources.find(path);
  if (found == file.sources.end())
    return SceneError({fmt::format("{}: {}", file.file, error.what())});
  const SceneFile::Source& s = found->second;
  return SceneError({format_problem(s.file, s.line, s.column, s.text, error.where(), error.found(),
                                    error.expected(), error.remedy())});
}

}  // namespace hawser

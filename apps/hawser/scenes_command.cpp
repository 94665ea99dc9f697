#include "scenes_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "commands.h"
#include "hawser/error.h"
#include "hawser/scene_file.h"
#include "program_path.h"

namespace hawser {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> scene_folders() {
  std::vector<fs::path> folders;
  if (const char* named = std::getenv("HAWSER_SCENES"); named != nullptr && *named != '\0')
    folders.emplace_back(named);
  if (const fs::path folder = program_folder(); !folder.empty())
    folders.push_back(folder.parent_path() / "share/hawser/scenes");
  folders.emplace_back(source_scenes);
  return folders;
}

bool is_scene_file(const fs::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml";
}

void list_scenes(bool names_only) {
  const std::vector<ShippedScene> scenes = shipped_scenes();
  size_t width = 0;
  for (const ShippedScene& scene : scenes) width = std::max(width, scene.name.size());
  std::string out;
  for (const ShippedScene& scene : scenes)
    out += names_only
               ? scene.name + "\n"
               : fmt::format("{:<{}}  {}\n", scene.name, width, read_scene(scene.path).title);
  std::fputs(out.c_str(), stdout);
}

}  // namespace

std::vector<ShippedScene> shipped_scenes() {
  std::map<std::string, std::string> found;
  for (const fs::path& folder : scene_folders()) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
      if (is_scene_file(entry.path()))
        found.emplace(entry.path().stem().string(), entry.path().lexically_normal().string());
  }
  std::vector<ShippedScene> scenes;
  for (const auto& [name, path] : found) scenes.push_back({name, path});
  return scenes;
}

std::string find_scene(const std::string& scene) {
  std::error_code error;
  if (fs::is_regular_file(scene, error)) return scene;
  std::vector<std::string> names;
  for (const ShippedScene& shipped : shipped_scenes()) {
    if (shipped.name == scene) return shipped.path;
    names.push_back(shipped.name);
  }
  const bool meant_as_file = is_scene_file(scene) || scene.find('/') != std::string::npos;
  if (meant_as_file && fs::exists(scene, error)) return scene;  // reading it says what it is
  const std::string near = nearest_name(scene, names);
  throw Error(
      "scene '" + scene + "'",
      meant_as_file ? "no such file" : "neither a file nor an example scene",
      "a scene file, or the name of an example scene",
      (near.empty() ? "" : "Did you mean '" + near + "'? ") + "`hawser scenes` lists their names.");
}

void add_scenes_command(Command& program) {
  Command& scenes = program.add("scenes", "List the example scenes");
  const auto names = std::make_shared<bool>(false);
  scenes.option("--names", names.get(), "Print only names, one per line");
  scenes.does([names] {
    list_scenes(*names);
    return exit_ok;
  });
  scenes.footer(
      "Run a scene by name: `hawser run flying-rope`. Scenes are searched in the folder given by "
      "the "
      "environment variable HAWSER_SCENES, in ../share/hawser/scenes relative to the program, and "
      "in "
      "the source tree.");
  program.add("schema", "Print the JSON Schema of scene files, for editors").does([] {
    std::fputs(scene_schema().c_str(), stdout);
    return exit_ok;
  });
  program.add("reference", "Print the reference of scene files, as Markdown").does([] {
    std::fputs(scene_reference().c_str(), stdout);
    return exit_ok;
  });
}

}  // namespace hawser

// What a user reads when a scene is wrong, as it is read or as it is compiled: every
// broken/NAME.yaml gives the text of broken/NAME.txt, to the letter. HAWSER_WRITE=1 in the
// environment writes the texts anew; read them before they are kept.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "hawser/scene_file.h"
#include "source_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

const std::filesystem::path folder = source_path("tests/scene/broken");

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

/// Scenes whose mistake is in an option: the options are in the first line, after `# --set `.
std::vector<std::string> sets_of(const std::string& text) {
  const std::string mark = "# --set ";
  if (!text.starts_with(mark)) return {};
  return {text.substr(mark.size(), text.find('\n') - mark.size())};
}

std::vector<std::string> broken_scenes() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") names.insert(entry.path().stem().string());
  return {names.begin(), names.end()};
}

class Broken : public testing::TestWithParam<std::string> {};

TEST_P(Broken, SaysWhatIsWrong) {
  const std::filesystem::path scene = folder / (GetParam() + ".yaml");
  const std::filesystem::path expected = folder / (GetParam() + ".txt");
  std::filesystem::current_path(folder);  // messages name files as they were given
  try {
    compile(read_scene(scene.filename().string(), sets_of(text_of(scene))));
    FAIL() << "it compiles";
  } catch (const SceneError& error) {
    const std::string said = std::string(error.what()) + "\n";
    if (std::getenv("HAWSER_WRITE")) std::ofstream(expected, std::ios::binary) << said;
    EXPECT_EQ(said, text_of(expected));
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Broken, testing::ValuesIn(broken_scenes()), [](const auto& scene) {
  std::string name = scene.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace hawser::HAWSER_FILE

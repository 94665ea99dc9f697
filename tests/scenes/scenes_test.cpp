// Every scene that ships with Hawser says what to look at and what it must reach. `hawser bench
// validation` runs them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "hawser/scene_file.h"
#include "source_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

std::vector<std::string> shipped() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("scenes")))
    if (entry.path().extension() == ".yaml") names.insert(entry.path().stem().string());
  return {names.begin(), names.end()};
}

class ShippedScene : public testing::TestWithParam<std::string> {};

TEST_P(ShippedScene, SaysWhatToExpect) {
  const SceneFile scene = read_scene(source_path(fmt::format("scenes/{}.yaml", GetParam())));
  EXPECT_FALSE(scene.description.empty()) << "a scene says what to look at";
  EXPECT_FALSE(scene.expect.empty()) << "a scene that cannot miss anything shows nothing";
}

INSTANTIATE_TEST_SUITE_P(All, ShippedScene, testing::ValuesIn(shipped()), [](const auto& scene) {
  std::string name = scene.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace hawser::HAWSER_FILE

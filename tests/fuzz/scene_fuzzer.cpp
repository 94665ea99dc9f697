// Any text may be given to the reader of scene files: it reads it or says what is wrong. What it
// reads, the resolved scene says again, and it is found sound or not.
//
// An input is a scene; after a line `@@@@` the text of every file it names (includes and tables
// alike); after another such line the --set options, one a line.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "model/model_data.h"
#include "scene/read.h"

namespace hawser {
namespace {

struct Input {
  std::string scene, file;
  bool has_file = false;
  std::vector<std::string> sets;
};

Input parts_of(const std::string& text) {
  const std::string separator = "\n@@@@\n";
  Input input;
  const size_t first = text.find(separator);
  input.scene = text.substr(0, first);
  if (first == std::string::npos) return input;
  const size_t start = first + separator.size(), second = text.find(separator, start);
  input.has_file = true;
  input.file = text.substr(start, second == std::string::npos ? second : second - start);
  if (second == std::string::npos) return input;
  for (size_t at = second + separator.size(); at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    input.sets.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return input;
}

[[noreturn]] void fail(const std::string& why, const std::string& a, const std::string& b) {
  std::fprintf(stderr, "%s\n--- once\n%s\n--- twice\n%s\n", why.c_str(), a.c_str(), b.c_str());
  std::abort();
}

void read(const Input& input) {
  const DocumentLimits small{1u << 16, 16, 20'000, 3, 4};
  const FileLoader load = [&](const std::string&) -> Loaded {
    return {input.has_file, input.file, "there is none"};
  };
  const FileLoader none = [](const std::string&) -> Loaded { return {false, {}, "there is none"}; };
  SceneFile once;
  try {
    once = read_scene_with(input.scene, "scene.yaml", input.sets, load, small);
  } catch (const SceneError& error) {
    if (error.problems().empty()) fail("an error that says nothing", input.scene, "");
    return;
  }
  try {
    const SceneFile twice = read_scene_with(once.resolved, "resolved.yaml", {}, none, {});
    if (twice.resolved != once.resolved)
      fail("the resolved scene reads differently", once.resolved, twice.resolved);
  } catch (const SceneError& error) {
    fail("the resolved scene does not read", once.resolved, error.what());
  }
  try {
    validate(once.scene);
  } catch (const Error&) {  // what cannot be simulated is said
  }
}

}  // namespace
}  // namespace hawser

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  hawser::read(hawser::parts_of({reinterpret_cast<const char*>(data), size}));
  return 0;
}

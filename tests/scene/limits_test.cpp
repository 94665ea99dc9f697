// Scenes that are too much: refused with a word, in little time and memory. None of these tests
// looks at a clock; what is quadratic takes minutes and meets the runner's limit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "scene/read.h"

namespace hawser::HAWSER_FILE {
namespace {

const std::string sections = "sections: {r: {EA: 1 MN, mass: 1 kg/m}}\n";
const std::string cable = "cables: {c: {section: r, route: [[0, 0, 0], [1, 0, 0]]}}\n";

std::string error_of(const std::string& text, const DocumentLimits& limits = {}) {
  const FileLoader load = [&](const std::string&) -> Loaded { return {true, text, {}}; };
  try {
    read_scene_with(text, "s.yaml", {}, load, limits);
    return "none";
  } catch (const SceneError& error) {
    return error.what();
  }
}

bool says(const std::string& error, const std::string& words) {
  return error.find(words) != std::string::npos;
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

#define EXPECT_SAYS(text, words)                             \
  {                                                          \
    const std::string error = error_of(text);                \
    EXPECT_TRUE(says(error, words)) << error.substr(0, 500); \
  }

TEST(Limits, Nesting) {
  EXPECT_SAYS("a: " + std::string(100'000, '['), "values nested deeper than 32");
  EXPECT_SAYS("a: " + repeated("{a: ", 100'000), "values nested deeper than 32");
  EXPECT_SAYS(repeated("- ", 100'000), "values nested deeper than 32");
  EXPECT_SAYS(repeated("? ", 100'000), "values nested deeper than 32");
  EXPECT_SAYS("a: " + std::string(100'000, '('), "the unknown field 'a'");
}

TEST(Limits, Aliases) {
  std::string laughs = "a0: &a0 [lol, lol]\n";
  for (int i = 1; i < 40; ++i)
    laughs += fmt::format("a{}: &a{} [*a{}, *a{}]\n", i, i, i - 1, i - 1);
  EXPECT_SAYS(laughs, "more values than a scene can hold");
  EXPECT_SAYS("a: &a " + std::string(1 << 20, 'x') + "\nb: [" + repeated("*a, ", 100'000) + "]\n",
              "more text than a scene can hold");
  EXPECT_SAYS("title: &a [*a]\n", "an alias inside its own anchor");
}

TEST(Limits, Bytes) {
  EXPECT_SAYS(std::string(5 << 20, '#'), "found 5242880 bytes of text; expected at most 4194304");
  EXPECT_SAYS("title: " + std::string(3 << 20, 'x') + "\ninclude: s2.yaml\n",
              "expected at most 1048");  // what is left for the other file
}

TEST(Limits, ManyValues) {
  EXPECT_SAYS("a: [" + std::string(3'000'000, ',') + "]", "more values than a scene can hold");
}

TEST(Limits, OnlyTextIsRead) {
  for (const std::string& bytes :
       {std::string("\0", 1), std::string("\x04"), std::string("\x7f"), std::string("\xff\xfe"),
        std::string("\xc0\x80"), std::string("\xed\xa0\x80"), std::string("\xf5\x80\x80\x80"),
        std::string("\xe2\x82")})
    EXPECT_SAYS("title: a" + bytes, "s.yaml:1:9: found the byte 0x");
  EXPECT_SAYS(sections + cable + "title: \xE2\x82\xAC \xF0\x9F\x98\x80", "none");
}

TEST(Limits, CaretsFitBelowLettersOfManyBytes) {
  EXPECT_EQ(
      error_of(sections + cable + "record: {\"\xC3\xA4\xC3\xB6\": 1, every: 1 m}\n"),
      "s.yaml:3:10: record: found the unknown field '\xC3\xA4\xC3\xB6'; expected every, shapes, "
      "points or channels.\n     3 | record: {\"\xC3\xA4\xC3\xB6\": 1, every: 1 m}\n"
      "       |          ^\n"
      "s.yaml:3:28: record.every: found '1 m', which is a length; expected a time, such as "
      "10 ms.\n     3 | record: {\"\xC3\xA4\xC3\xB6\": 1, every: 1 m}\n"
      "       |                          ^");
}

TEST(Limits, LongLinesAreCut) {
  const std::string error = error_of(sections + "x: " + std::string(100'000, 'y') + "\n" + cable +
                                     "solve: {step: " + std::string(100'000, ' ') +
                                     "1 kg, until: " + std::string(100'000, '9') + " s}\n");
  EXPECT_LT(error.size(), 2000u) << error.substr(0, 3000);
  EXPECT_TRUE(says(error, "..."));
  EXPECT_LT(
      error_of("variables: {? " + std::string(100'000, 'v') + " : 1 m + 1}\n" + sections + cable)
          .size(),
      2000u);
}

TEST(Limits, ManyProblemsAreNotAllTold) {
  std::string many = sections + "cables:\n";
  for (int i = 0; i < 50'000; ++i) many += fmt::format("  c{}: {{sektion: r}}\n", i);
  const std::string error = error_of(many);
  EXPECT_TRUE(says(error, "Only the first 50 errors are listed.")) << error.substr(0, 500);
  EXPECT_LT(error.size(), 20'000u);
}

TEST(Limits, ManyKeysReadInLinearTime) {
  std::string supports = "supports:\n", motions = "motions:\n", variables = "variables:\n";
  for (int i = 0; i < 20'000; ++i) {
    supports += fmt::format("  s{}: {{position: [v{}, 0, 0]}}\n", i, i);
    motions += fmt::format("  m{}: {{of: s{}, x: 1 m}}\n", i, i);
    variables += fmt::format("  v{}: {} m\n", i, i);
  }
  EXPECT_SAYS(sections + cable + supports + motions + variables, "none");
  std::string twice = "variables:\n";
  for (int i = 0; i < 100'000; ++i) twice += fmt::format("  v{}: 1\n", i);
  EXPECT_SAYS(twice + "  v99999: 2\n", "'v99999' twice");
}

TEST(Limits, ManyCablesAndLoads) {
  std::string cables = "cables:\n", loads = "loads:\n";
  for (int i = 0; i < 5000; ++i) {
    cables +=
        fmt::format("  c{}: {{section: r, route: [[0, 0, 0], [1, 0, 0]], elements: 400}}\n", i);
    loads += fmt::format("  l{}: {{at: c{}@0.25, mass: 1 kg}}\n", i, i);
  }
  EXPECT_SAYS(sections + cables + loads, "none");
  EXPECT_SAYS(sections + cables + "  last: {section: r, route: [[0, 0, 0], [1, 0, 0]]}\n",
              "cables.last.elements: found 2000010 elements in the cables up to here; expected at "
              "most 2000000 in all cables of a scene.");
}

TEST(Limits, LoadsOnACableOfAMillionElements) {
  std::string text = sections + "loads:\n";
  for (int i = 0; i <= 2000; ++i)
    text += fmt::format("  l{}: {{at: c@{}, mass: 1 kg}}\n", i, i / 2000.0);
  EXPECT_SAYS(text + "cables: {c: {section: r, route: [[0, 0, 0], [1, 0, 0]], elements: 1e6}}\n",
              "none");
}

TEST(Limits, ChainsOfVariables) {
  std::string chain = "variables:\n  v1000: 1 m\n";
  for (int i = 999; i > 99; --i) chain += fmt::format("  v{}: v{} + 1 m\n", i, i + 1);
  EXPECT_SAYS(chain + sections + cable, "a chain of more than 100 variables");
}

TEST(Limits, Tables) {
  const std::string scene = sections +
                            "supports: {a: {position: [0, 0, 0]}}\n"
                            "cables: {c: {section: r, route: [a, [1, 0, 0]]}}\n"
                            "motions: {g: {of: a, x: {table: t.csv}}}\n";
  const auto read = [&](int rows) -> std::string {
    std::string csv;
    for (int i = 0; i < rows; ++i) csv += fmt::format("{},{}\n", 0.001 * i, i % 7);
    const FileLoader load = [&](const std::string&) -> Loaded { return {true, csv, {}}; };
    try {
      const SceneFile once = read_scene_with(scene, "s.yaml", {}, load, {});
      return read_scene_with(once.resolved, "r.yaml", {}, load, {}).resolved == once.resolved
                 ? "same"
                 : "other";
    } catch (const SceneError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(read(100'000), "same");
  EXPECT_TRUE(says(read(400'000), "bytes with all includes and defaults; expected at most"));
}

TEST(Limits, IncludesInACircle) {
  EXPECT_SAYS("include: s.yaml\n", "'s.yaml', which includes this file");
  EXPECT_SAYS("include: other.yaml\n", "'other.yaml', which includes this file");
  EXPECT_SAYS("include: [a/x.yaml]\n",
              "too many files; expected at most 64 in all, nested at "
              "most 8 deep");
}

TEST(Limits, Numbers) {
  const auto length = [](const std::string& x) {
    return error_of(sections + "cables: {c: {section: r, route: [[0, 0, 0], [" + x +
                    ", 0, 0]]}}\n");
  };
  EXPECT_TRUE(says(length("1e400"), "where a number is too large or too small"));
  EXPECT_TRUE(says(length("1e200"), "expected at most 1e+30 m"));
  EXPECT_TRUE(says(length("nan"), "where 'nan' is not a variable"));
  EXPECT_TRUE(says(length("inf"), "where 'inf' is not a variable"));
  EXPECT_TRUE(says(length("0x10"), "where 'x10' is not a unit"));
  EXPECT_TRUE(says(length("1e-300"), "found the same point"));
  EXPECT_EQ(length("1e30"), "none");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

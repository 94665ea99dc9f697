// What `hawser sections` prints.
#include <gtest/gtest.h>

#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "commands.h"
#include "hawser/error.h"
#include "hawser/section_library.h"

namespace hawser::HAWSER_FILE {
namespace {

/// What `hawser sections ...` prints.
std::string printed(const std::string& arguments) {
  Command program("hawser", "", "");
  add_sections_command(program);
  std::vector<std::string> words = {"hawser", "sections"};
  std::istringstream text(arguments);
  for (std::string word; text >> std::quoted(word);) words.push_back(word);
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  testing::internal::CaptureStdout();
  int exit_code = exit_failed;
  std::string error;
  try {
    exit_code = program.run(static_cast<int>(argv.size()), argv.data());
  } catch (const Error& e) {
    error = e.what();
  }
  std::string out = testing::internal::GetCapturedStdout();
  if (!error.empty()) return error;
  EXPECT_EQ(exit_code, exit_ok);
  return out;
}

TEST(SectionsCommand, ListsEveryEntry) {
  const std::string list = printed("");
  const nlohmann::json json = nlohmann::json::parse(printed("--json"));
  ASSERT_EQ(json.size(), section_library().size());
  for (size_t i = 0; i < json.size(); ++i) {
    const LibrarySection& s = section_library()[i];
    EXPECT_NE(list.find("\n" + s.name + " "), std::string::npos) << s.name;
    EXPECT_NE(list.find("  " + s.title + "\n"), std::string::npos) << s.name;
    EXPECT_EQ(json[i]["name"], s.name);
    EXPECT_EQ(json[i]["properties"]["EA"], library_properties(s, s.standard).section.EA);
    EXPECT_EQ(json[i]["sources"].size(), 7u);
  }
}

TEST(SectionsCommand, PrintsOneWithItsSources) {
  const std::string text = printed("wire-rope-6x19 --diameter \"20 mm\"");
  for (const char* part :
       {"nominal diameter 20 mm; available from 6 to 60 mm\n",
        "\nEA                     16.16 MN\n", "\nmass                   1.6 kg/m\n",
        "\nbreaking_load          252 kN\n", "EN 12385-4", "\ndrag_normal            1.8\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(printed("wire-rope-6x19 --diameter 0.02m"), text);
  EXPECT_EQ(printed("wire-rope-6x19"), text);  // 20 mm is its typical size
  EXPECT_NE(printed("acsr-drake").find("28.14 mm; the only size\n"), std::string::npos);
  for (size_t from = 0, to; (to = text.find('\n', from)) != std::string::npos; from = to + 1)
    EXPECT_LE(to - from, 100u) << text.substr(from, to - from);
}

TEST(SectionsCommand, SaysWhatItExpects) {
  EXPECT_EQ(printed("polyster"),
            "sections: found unknown section 'polyster'; expected a name in the library. Did you "
            "mean 'polyester'? `hawser sections` lists all of them.");
  EXPECT_EQ(
      printed("nylon --diameter \"20 kg\""),
      "sections, --diameter: found '20 kg', which is a mass; expected a length, such as 10 mm.");
  EXPECT_EQ(printed("nylon --diameter 20").substr(0, 56),
            "section 'nylon', diameter: found 20000 mm; expected 5 to");
  EXPECT_EQ(printed("--diameter 20mm"),
            "sections, --diameter: found no section name; expected hawser sections NAME "
            "--diameter. `hawser sections` lists the names.");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

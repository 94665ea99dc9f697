#include "model/state_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "source_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

TEST(StateTable, NamesEveryMemberOnce) {
  State state;
  std::set<std::string> names;
  visit_state(state, [&](const StateMember& member, auto&) {
    EXPECT_TRUE(names.insert(member.name).second) << member.name;
    EXPECT_NE(std::string(member.length), "");
    EXPECT_NE(std::string(member.written_by), "");
  });
  EXPECT_EQ(names.size(), 42u);
}

/// The page has the rows of the table, in its order.
TEST(StateTable, ThePageListsIt) {
  std::ifstream file(source_path("docs/theory/state.md"));
  std::stringstream page;
  page << file.rdbuf();
  State state;
  std::string rows;
  visit_state(state, [&](const StateMember& member, auto&) {
    rows += std::string("| `") + member.name + "` | " + member.length + " | " + member.written_by +
            " |\n";
  });
  EXPECT_NE(page.str().find(rows), std::string::npos) << "renew docs/theory/state.md:\n" << rows;
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

#include "hawser/error.h"

#include <gtest/gtest.h>

namespace hawser::HAWSER_FILE {
namespace {

const std::vector<std::string> quantities = {"position", "velocity", "tension", "strain"};

TEST(Nearest, MendsOneSlipOfEveryKind) {
  EXPECT_EQ(nearest_name("tensio", quantities), "tension");    // a letter missing
  EXPECT_EQ(nearest_name("tenssion", quantities), "tension");  // one too many
  EXPECT_EQ(nearest_name("tentsion", {"tension", "tents"}), "tension");
  EXPECT_EQ(nearest_name("tensoin", quantities), "tension");  // two swapped
  EXPECT_EQ(nearest_name("strein", quantities), "strain");    // one changed
}

TEST(Nearest, LooksPastCase) { EXPECT_EQ(nearest_name("POSITION", quantities), "position"); }

TEST(Nearest, SwappedNeighboursAreOneSlip) {
  // Two changes would be as far as "abxy"; one swap is nearer.
  EXPECT_EQ(nearest_name("abdc", {"abxy", "abcd"}), "abcd");
}

TEST(Nearest, TakesTheFirstOfEquals) { EXPECT_EQ(nearest_name("cat", {"bat", "rat"}), "bat"); }

TEST(Nearest, GuessesNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("energy", quantities), "");
  EXPECT_EQ(nearest_name("xy", {"ab"}), "");
  EXPECT_EQ(nearest_name("tension", {}), "");
  EXPECT_EQ(nearest_name("", quantities), "");
}

TEST(Nearest, AllowsSlipsByLength) {
  EXPECT_EQ(nearest_name("abcdef", {"abcdxy"}), "abcdxy");  // 2 of 6
  EXPECT_EQ(nearest_name("abcdef", {"abcxyz"}), "");        // 3 of 6
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

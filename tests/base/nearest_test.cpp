#include "base/nearest.h"

#include <gtest/gtest.h>

namespace hawser {
namespace {

const std::vector<std::string> quantities = {"position", "velocity", "tension", "strain"};

TEST(Nearest, MendsOneSlipOfEveryKind) {
  EXPECT_EQ(nearest("tensio", quantities), "tension");    // a letter missing
  EXPECT_EQ(nearest("tenssion", quantities), "tension");  // one too many
  EXPECT_EQ(nearest("tentsion", {"tension", "tents"}), "tension");
  EXPECT_EQ(nearest("tensoin", quantities), "tension");  // two swapped
  EXPECT_EQ(nearest("strein", quantities), "strain");    // one changed
}

TEST(Nearest, LooksPastCase) { EXPECT_EQ(nearest("POSITION", quantities), "position"); }

TEST(Nearest, SwappedNeighboursAreOneSlip) {
  // Two changes would be as far as "abxy"; one swap is nearer.
  EXPECT_EQ(nearest("abdc", {"abxy", "abcd"}), "abcd");
}

TEST(Nearest, TakesTheFirstOfEquals) { EXPECT_EQ(nearest("cat", {"bat", "rat"}), "bat"); }

TEST(Nearest, GuessesNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("energy", quantities), "");
  EXPECT_EQ(nearest("xy", {"ab"}), "");
  EXPECT_EQ(nearest("tension", {}), "");
  EXPECT_EQ(nearest("", quantities), "");
}

TEST(Nearest, AllowsSlipsByLength) {
  EXPECT_EQ(nearest("abcdef", {"abcdxy"}), "abcdxy");  // 2 of 6
  EXPECT_EQ(nearest("abcdef", {"abcxyz"}), "");        // 3 of 6
}

}  // namespace
}  // namespace hawser

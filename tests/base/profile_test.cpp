#include "hawser/profile.h"

#include <gtest/gtest.h>

#include <limits>

namespace hawser::HAWSER_FILE {
namespace {

double value(const Profile& profile, double s) { return profile(s).at({0, {}}).value; }

TEST(Profile, InterpolatesATableAndIsConstantOutside) {
  const Profile line = Profile::table({1, 2, 4}, {3, 5, -1});
  EXPECT_TRUE(line);
  EXPECT_TRUE(line.fault().empty());
  EXPECT_DOUBLE_EQ(value(line, 0), 3);
  EXPECT_DOUBLE_EQ(value(line, 1.5), 4);
  EXPECT_DOUBLE_EQ(value(line, 2), 5);
  EXPECT_DOUBLE_EQ(value(line, 3), 2);
  EXPECT_DOUBLE_EQ(value(line, 9), -1);
  EXPECT_TRUE(line(3).is_constant());
  EXPECT_EQ(line.kinks(), (std::vector<double>{1, 2, 4}));
  const Profile smooth = Profile::table({0, 1}, {0, 1}, Interpolation::smooth);
  EXPECT_DOUBLE_EQ(value(smooth, 0.25), 0.25 * 0.25 * 2.5);  // 3 s^2 - 2 s^3
}

TEST(Profile, IsAnyFunctionOrNone) {
  EXPECT_FALSE(Profile());
  const Profile square = [](double s) { return Signal(s * s); };
  EXPECT_DOUBLE_EQ(value(square, 3), 9);
  EXPECT_TRUE(square.kinks().empty());
}

TEST(Profile, SaysWhatIsWrong) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Profile::table({1, 2}, {1}).fault(), "different numbers of arc lengths and values");
  EXPECT_EQ(Profile::table({1}, {1}).fault(), "a table of fewer than two points");
  EXPECT_EQ(Profile::table({1, nan}, {1, 2}).fault(), "an entry that is not finite");
  EXPECT_EQ(Profile::table({1, 1}, {1, 2}).fault(), "arc lengths that do not increase");
  EXPECT_EQ(Profile::table({1, 2}, {1, 2}).fault(), "");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

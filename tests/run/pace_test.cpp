// The pace of progress reports, with a clock that only tests move.
#include "run/pace.h"

#include <gtest/gtest.h>

namespace hawser::HAWSER_FILE {
namespace {

double now = 0;
long looks = 0;
double test_clock() { return ++looks, now; }

/// Steps of `step` seconds for `duration` seconds: how often the pace was due.
int count_due(Pace& pace, double step, double duration) {
  int due = 0;
  for (const double end = now + duration; now < end;) {
    now += step;
    due += pace.due();
  }
  return due;
}

TEST(Pace, IsDueTenTimesASecondAndLooksRarely) {
  Pace pace(0.1, test_clock);
  looks = 0;
  const int due = count_due(pace, 1e-5, 10);
  EXPECT_GE(due, 85);
  EXPECT_LE(due, 100);
  EXPECT_LE(looks, 1500) << "for a million steps";
}

TEST(Pace, NoticesWhenStepsBecomeSlow) {
  Pace pace(0.1, test_clock);
  count_due(pace, 1e-6, 5);
  // At most the stride of the fast steps, a hundredth of a second of them, goes by unseen.
  int steps = 0;
  while (!pace.due()) now += 0.05, ++steps;
  EXPECT_LE(steps, 20000);
  EXPECT_GE(count_due(pace, 0.5, 10), 19) << "slow steps: due at every one";
}

TEST(Pace, WithoutAnIntervalIsAlwaysDue) {
  Pace pace(0, test_clock);
  looks = 0;
  EXPECT_TRUE(pace.due());
  EXPECT_TRUE(pace.due());
  EXPECT_EQ(looks, 0);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

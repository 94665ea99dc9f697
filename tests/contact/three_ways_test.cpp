// A rope over a fixed bar with friction: by its route without mass, by a flow of its elements, by
// contact.
#include <gtest/gtest.h>

#include "../bench/bar_scenes.h"
#include "../bench/flow_scenes.h"

namespace hawser {
namespace {

/// The loads rise alike within 1 %; once they move, tensions differ by the factor of Euler and
/// Eytelwein within 0.01.
TEST(BarInThreeWays, LoadsSpeedUpAlike) {
  constexpr double until = 0.4;
  for (const double h : {1e-3, 2.5e-4}) {
    double rise = 0;  // of the massless rope
    for (const std::string way : {"massless", "flow", "contact"}) {
      flowing::FlowRun run(touching::loads_over_bar(way), touching::by(h));
      const double from = run.place("light").z();
      ASSERT_EQ(run.to(until / 2), Status::ok) << way << run.integrator.failure().message();
      double first = 0, second = 0;
      while (run.state.t < until - 1e-6) {
        ASSERT_EQ(run.step(), Status::ok) << way << run.integrator.failure().message();
        first += run.read("rope.tension@start");
        second += run.read("rope.tension@end");
      }
      EXPECT_NEAR(first / second, std::exp(0.2 * touching::pi), 0.01) << way << " " << h;
      const double rises = run.place("light").z() - from;
      if (way == "massless") rise = rises;
      EXPECT_GT(rise, 0.17);
      EXPECT_NEAR(rises, rise, 0.01 * rise) << way << " " << h;
    }
  }
}

}  // namespace
}  // namespace hawser

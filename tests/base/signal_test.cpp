// Signals: values, rates against finite differences, kinks, faults, equality.
#include "hawser/signal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace hawser {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void expect_sample(const Signal& signal, double t, double value, double rate, double acceleration) {
  const Signal::Sample s = signal.at(t);
  EXPECT_NEAR(s.value, value, 1e-12) << "value at t = " << t;
  EXPECT_NEAR(s.rate, rate, 1e-12) << "rate at t = " << t;
  EXPECT_NEAR(s.acceleration, acceleration, 1e-11) << "acceleration at t = " << t;
}

/// Rate and acceleration against central differences of value and rate.
void expect_rates(const Signal& signal, const std::vector<double>& times) {
  const double h = 1e-5;
  for (const double t : times) {
    const Signal::Sample before = signal.at(t - h), here = signal.at(t), after = signal.at(t + h);
    const double rate = (after.value - before.value) / (2 * h);
    const double acceleration = (after.rate - before.rate) / (2 * h);
    EXPECT_NEAR(here.rate, rate, 1e-7 * (1 + std::abs(rate))) << "at t = " << t;
    EXPECT_NEAR(here.acceleration, acceleration, 1e-7 * (1 + std::abs(acceleration)))
        << "at t = " << t;
  }
}

Signal::Sample square(double t) { return {t * t, 2 * t, 2}; }

TEST(Signal, ConstantIsTheSameForAllTime) {
  const Signal five = 5.0;
  for (const double t : {-1e9, 0.0, 3.0, 1e9}) expect_sample(five, t, 5, 0, 0);
  EXPECT_TRUE(five.is_constant());
  EXPECT_TRUE(five.kinks().empty());
  expect_sample(Signal(), 1, 0, 0, 0);
}

TEST(Signal, RampIsStraightBetweenItsEnds) {
  const Signal ramp = Signal::ramp(2, -4, 1, 4);
  expect_sample(ramp, 0, 2, 0, 0);
  expect_sample(ramp, 2, 0, -2, 0);
  expect_sample(ramp, 3, -2, -2, 0);
  expect_sample(ramp, 9, -4, 0, 0);
  EXPECT_FALSE(ramp.is_constant());
  expect_rates(ramp, {0.5, 1.7, 3.9, 5});
}

TEST(Signal, AtAKinkTheSideAfterItIsGiven) {
  const Signal ramp = Signal::ramp(2, -4, 1, 4);
  EXPECT_EQ(ramp.kinks(), (std::vector<double>{1, 4}));
  expect_sample(ramp, 1, 2, -2, 0);
  expect_sample(ramp, 4, -4, 0, 0);

  const Signal table = Signal::table({0, 1, 3}, {0, 2, -2});
  EXPECT_EQ(table.kinks(), (std::vector<double>{0, 1, 3}));
  expect_sample(table, 0, 0, 2, 0);
  expect_sample(table, 1, 2, -2, 0);
  expect_sample(table, 3, -2, 0, 0);
}

TEST(Signal, SmoothJoinsItsEndsWithoutAKink) {
  const Signal smooth = Signal::smooth(1, 3, 2, 6);
  expect_sample(smooth, 1, 1, 0, 0);
  expect_sample(smooth, 4, 2, 15.0 / 8 * 2 / 4, 0);  // the steepest point of the quintic
  expect_sample(smooth, 7, 3, 0, 0);
  EXPECT_TRUE(smooth.kinks().empty());
  for (const double t : {2.0, 6.0}) {
    for (const double side : {-1e-9, 0.0, 1e-9}) {
      const Signal::Sample s = smooth.at(t + side);
      EXPECT_NEAR(s.value, t < 4 ? 1 : 3, 1e-12);
      EXPECT_NEAR(s.rate, 0, 1e-12);
      EXPECT_NEAR(s.acceleration, 0, 1e-7);
    }
  }
  expect_rates(smooth, {1.5, 2.3, 3.1, 4, 5.2, 5.9, 6.5});
}

TEST(Signal, SineTakesHertzAndRadians) {
  const double w = 2 * std::numbers::pi * 0.5;
  const Signal sine = Signal::sine(3, 0.5, 0, 10);
  expect_sample(sine, 0, 10, 3 * w, 0);
  expect_sample(sine, 0.5, 13, 0, -3 * w * w);
  expect_sample(Signal::sine(3, 0.5, std::numbers::pi / 2), 0, 3, 0, -3 * w * w);
  EXPECT_TRUE(sine.kinks().empty());
  expect_rates(Signal::sine(2, 1.3, 0.4, -1), {-3, -0.2, 0, 0.7, 11});
}

TEST(Signal, TableIsStraightBetweenPointsAndConstantOutside) {
  const Signal table = Signal::table({0, 1, 3}, {0, 2, -2});
  expect_sample(table, -1, 0, 0, 0);
  expect_sample(table, 0.25, 0.5, 2, 0);
  expect_sample(table, 2.5, -1, -2, 0);
  expect_sample(table, 5, -2, 0, 0);
  expect_rates(table, {-0.5, 0.6, 1.2, 2.9, 4});
}

TEST(Signal, FunctionIsPassedThroughAndItsKinksSorted) {
  const Signal custom = Signal::function(square, {3, 1, 2});
  expect_sample(custom, 3, 9, 6, 2);
  EXPECT_EQ(custom.kinks(), (std::vector<double>{1, 2, 3}));
  EXPECT_FALSE(custom.is_constant());
  expect_rates(custom, {-2, 0, 4});
}

TEST(Signal, SoundSignalsHaveNoFault) {
  for (const Signal& signal :
       {Signal(1.0), Signal::ramp(0, 1, 0, 1), Signal::smooth(0, 1, -1, 1), Signal::sine(1, 2),
        Signal::table({0, 1}, {1, 0}), Signal::function(square)})
    EXPECT_EQ(signal.fault(), "");
}

TEST(Signal, FaultSaysWhatIsWrong) {
  const auto expect_fault = [](const Signal& signal, const std::string& text) {
    EXPECT_NE(signal.fault().find(text), std::string::npos)
        << "expected '" << text << "' in '" << signal.fault() << "'";
  };
  expect_fault(nan, "not finite");
  expect_fault(inf, "not finite");
  expect_fault(Signal::ramp(0, nan, 0, 1), "not finite");
  expect_fault(Signal::ramp(0, 1, 0, inf), "not finite");
  expect_fault(Signal::ramp(0, 1, 1, 1), "not after the start");
  expect_fault(Signal::smooth(0, 1, 2, 1), "not after the start");
  expect_fault(Signal::sine(1, nan), "not finite");
  expect_fault(Signal::table({0, 1}, {0}), "as many times as values");
  expect_fault(Signal::table({0}, {0}), "fewer than two points");
  expect_fault(Signal::table({}, {}), "fewer than two points");
  expect_fault(Signal::table({0, 1}, {0, nan}), "not finite");
  expect_fault(Signal::table({0, 1, 1}, {0, 1, 2}), "do not increase");
  expect_fault(Signal::function({}), "empty function");
}

TEST(Signal, SameAsComparesTheConstruction) {
  EXPECT_TRUE(Signal(2.0).same_as(2.0));
  EXPECT_FALSE(Signal(2.0).same_as(3.0));
  EXPECT_TRUE(Signal::ramp(0, 1, 0, 1).same_as(Signal::ramp(0, 1, 0, 1)));
  EXPECT_FALSE(Signal::ramp(0, 1, 0, 1).same_as(Signal::ramp(0, 1, 0, 2)));
  EXPECT_FALSE(Signal::ramp(0, 1, 0, 1).same_as(Signal::smooth(0, 1, 0, 1)));
  EXPECT_TRUE(Signal::sine(1, 2, 3, 4).same_as(Signal::sine(1, 2, 3, 4)));
  EXPECT_FALSE(Signal::sine(1, 2, 3, 4).same_as(Signal::sine(1, 2, 3, 5)));
  EXPECT_TRUE(Signal::table({0, 1}, {2, 3}).same_as(Signal::table({0, 1}, {2, 3})));
  EXPECT_FALSE(Signal::table({0, 1}, {2, 3}).same_as(Signal::table({0, 1}, {2, 4})));
  EXPECT_FALSE(Signal::sine(0, 1).same_as(0.0));

  const Signal custom = Signal::function(square);
  EXPECT_FALSE(custom.same_as(custom));
}

}  // namespace
}  // namespace hawser

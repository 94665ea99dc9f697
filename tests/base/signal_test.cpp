// Signals: values, rates against finite differences, kinks, faults, equality.
#include "hawser/signal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace hawser::HAWSER_FILE {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void expect_sample(const Signal& signal, double t, double value, double rate, double acceleration) {
  const Signal::Sample s = signal.at({t, {}});
  EXPECT_NEAR(s.value, value, 1e-12) << "value at t = " << t;
  EXPECT_NEAR(s.rate, rate, 1e-12) << "rate at t = " << t;
  EXPECT_NEAR(s.acceleration, acceleration, 1e-11) << "acceleration at t = " << t;
}

/// Rate and acceleration against central differences of value and rate.
void expect_rates(const Signal& signal, const std::vector<double>& times) {
  const double h = 1e-5;
  for (const double t : times) {
    const Signal::Sample before = signal.at({t - h, {}}), here = signal.at({t, {}}),
                         after = signal.at({t + h, {}});
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
      const Signal::Sample s = smooth.at({t + side, {}});
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

TEST(SmoothTable, GoesThroughItsPointsAndIsConstantOutside) {
  const std::vector<double> times = {0.5, 1, 1.2, 3, 4}, values = {1, -2, 0.5, 0.5, 7};
  const Signal smooth = Signal::table(times, values, Interpolation::smooth);
  EXPECT_EQ(smooth.fault(), "");
  EXPECT_TRUE(smooth.kinks().empty());
  for (size_t i = 0; i < times.size(); ++i) EXPECT_EQ(smooth.at({times[i], {}}).value, values[i]);
  for (const double t : {-3.0, 0.4}) expect_sample(smooth, t, 1, 0, 0);
  for (const double t : {4.0, 9.0}) expect_sample(smooth, t, 7, 0, 0);
  expect_rates(smooth, {0.1, 0.7, 1.1, 1.19, 2.4, 3.3, 3.999, 4.2});
}

TEST(SmoothTable, ValueAndRateAreContinuousAndAccelerationBetweenTheEnds) {
  const std::vector<double> times = {0.5, 1, 1.2, 3, 4};
  const Signal smooth = Signal::table(times, {1, -2, 0.5, 0.5, 7}, Interpolation::smooth);
  for (size_t i = 0; i < times.size(); ++i) {
    SCOPED_TRACE("at t = " + std::to_string(times[i]));
    const Signal::Sample before = smooth.at({std::nextafter(times[i], -inf), {}});
    const Signal::Sample after = smooth.at({times[i], {}});
    EXPECT_NEAR(before.value, after.value, 1e-13);
    EXPECT_NEAR(before.rate, after.rate, 1e-12);
    if (i > 0 && i + 1 < times.size())
      EXPECT_NEAR(before.acceleration, after.acceleration, 1e-11);
    else
      EXPECT_EQ(after.rate, 0);
  }
}

TEST(SmoothTable, OfTwoPointsIsTheCubicBetweenThem) {
  const Signal smooth = Signal::table({1, 3}, {5, 1}, Interpolation::smooth);
  expect_sample(smooth, 1.5, 5 - 4 * (3 - 0.5) / 16, -2 * 6 * 0.25 * 0.75, -1 * 6 * 0.5);
  expect_sample(smooth, 2, 3, -3, 0);
}

TEST(SmoothTable, ReproducesACubicWhoseRateIsZeroAtItsEnds) {
  const auto cubic = [](double t) { return 4 + 3 * t * t - 2 * t * t * t; };
  const std::vector<double> times = {0, 0.1, 0.45, 0.5, 0.9, 1};
  std::vector<double> values;
  for (const double t : times) values.push_back(cubic(t));
  const Signal smooth = Signal::table(times, values, Interpolation::smooth);
  for (int i = 1; i < 50; ++i) {
    const double t = i / 50.0;
    const Signal::Sample s = smooth.at({t, {}});
    EXPECT_NEAR(s.value, cubic(t), 1e-14);
    EXPECT_NEAR(s.rate, 6 * t * (1 - t), 1e-13);
    EXPECT_NEAR(s.acceleration, 6 - 12 * t, 1e-11);
  }
}

/// A complete spline is wrong by 5/384 h^4 max |f''''| at most (Hall & Meyer 1976).
TEST(SmoothTable, IsOfFourthOrder) {
  const double pi = std::numbers::pi;
  const auto error = [pi](int intervals) {
    std::vector<double> times, values;
    for (int i = 0; i <= intervals; ++i) {
      times.push_back(pi * i / intervals);
      values.push_back(std::pow(std::sin(times.back()), 2));
    }
    const Signal smooth = Signal::table(times, values, Interpolation::smooth);
    double largest = 0;
    for (int i = 0; i <= 1000; ++i) {
      const double t = pi * i / 1000;
      largest = std::max(largest, std::abs(smooth.at({t, {}}).value - std::pow(std::sin(t), 2)));
    }
    return largest;
  };
  const double coarse = error(20), fine = error(40);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.1);
  EXPECT_LE(coarse, 1.001 * 5.0 / 384 * std::pow(pi / 20, 4) * 8);  // (sin^2)'''' = -8 cos 2t
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
  expect_fault(Signal::table({0}, {0}), "fewer than two points");
  for (const Interpolation between : {Interpolation::linear, Interpolation::smooth}) {
    expect_fault(Signal::table({0, 1}, {0}, between), "different numbers of times");
    expect_fault(Signal::table({}, {}, between), "fewer than two points");
    expect_fault(Signal::table({0, 1, 1}, {0, 1, 2}, between), "do not increase");
    expect_fault(Signal::table({0, 1}, {0, nan}, between), "not finite");
  }
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
  const Signal smooth = Signal::table({0, 1}, {2, 3}, Interpolation::smooth);
  EXPECT_TRUE(smooth.same_as(Signal::table({0, 1}, {2, 3}, Interpolation::smooth)));
  EXPECT_FALSE(smooth.same_as(Signal::table({0, 1}, {2, 3})));
  EXPECT_FALSE(Signal::sine(0, 1).same_as(0.0));

  const Signal custom = Signal::function(square);
  EXPECT_FALSE(custom.same_as(custom));
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

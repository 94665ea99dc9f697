// Inputs: the filter that smooths their settings, and functions of time that use them.
#include "hawser/input.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hawser/signal.h"

namespace hawser::HAWSER_FILE {
namespace {

/// Set three times, the last two while it moves.
std::vector<InputMotion> moved_input(double smoothing) {
  std::vector<InputMotion> out = {InputMotion::at_rest(0.5, smoothing)};
  for (const auto& [t, setting] :
       {std::pair(1.0, 2.0), std::pair(1.13, -1.0), std::pair(1.3, 0.7)}) {
    out.push_back(out.back());
    out.back().set(t, setting);
  }
  return out;
}

TEST(InputMotion, JumpsWithoutSmoothing) {
  InputMotion input = InputMotion::at_rest(3);
  EXPECT_EQ(input.at(0).value, 3);
  input.set(2, 5);
  EXPECT_EQ(input.at(2).value, 5);
  EXPECT_EQ(input.at(100).value, 5);
  EXPECT_EQ(input.at(2).rate, 0);
  EXPECT_EQ(input.at(2).acceleration, 0);
}

TEST(InputMotion, ValueRateAndAccelerationAreContinuousWhenItIsSet) {
  const std::vector<InputMotion> parts = moved_input(0.3);
  for (size_t i = 1; i < parts.size(); ++i) {
    const SignalSample before = parts[i - 1].at(parts[i].since),
                       after = parts[i].at(parts[i].since);
    EXPECT_NEAR(after.value, before.value, 1e-14);
    EXPECT_NEAR(after.rate, before.rate, 1e-13);
    EXPECT_NEAR(after.acceleration, before.acceleration, 1e-12);
  }
  EXPECT_GT(std::abs(parts[2].rate), 1) << "it is set while it moves";
}

TEST(InputMotion, RatesAreThoseOfItsDifferences) {
  constexpr double h = 1e-4;
  for (const InputMotion& input : moved_input(0.3))
    for (const double s : {0.05, 0.2, 0.6}) {
      const double t = input.since + s;
      const SignalSample x = input.at(t), a = input.at(t - h), b = input.at(t + h);
      EXPECT_NEAR(x.rate, (b.value - a.value) / (2 * h), 1e-5);
      EXPECT_NEAR(x.acceleration, (b.rate - a.rate) / (2 * h), 1e-4);
    }
}

/// (1 + T/3 d/dt)^3 x = u, with the third rate from a difference.
TEST(InputMotion, SatisfiesTheEquationOfTheFilter) {
  constexpr double h = 1e-4, T = 0.3, a = T / 3;
  for (const InputMotion& input : moved_input(T))
    for (const double s : {0.05, 0.2, 0.6}) {
      const double t = input.since + s;
      const SignalSample x = input.at(t);
      const double third = (input.at(t + h).acceleration - input.at(t - h).acceleration) / (2 * h);
      EXPECT_NEAR(x.value + 3 * a * x.rate + 3 * a * a * x.acceleration + a * a * a * third,
                  input.setting, 1e-5);
    }
}

TEST(InputMotion, FollowsAStepAndARamp) {
  InputMotion input = InputMotion::at_rest(0, 0.2);
  input.set(1, 1);
  // 1 - exp(-x)(1 + x + x^2/2) at x = 3, 6, 9.
  EXPECT_NEAR(input.at(1.2).value, 1 - 8.5 * std::exp(-3), 1e-14);
  EXPECT_NEAR(input.at(1.4).value, 1 - 25 * std::exp(-6), 1e-14);
  EXPECT_NEAR(input.at(1.6).value, 1 - 50.5 * std::exp(-9), 1e-14);
  // A setting that rises by 2/s in small steps is followed with a lag of T.
  input = InputMotion::at_rest(0, 0.2);
  for (int i = 0; i < 4000; ++i) input.set(i * 1e-3, (i + 0.5) * 2e-3);
  EXPECT_NEAR(input.at(4).value, 2 * (4 - 0.2), 1e-9);
  EXPECT_NEAR(input.at(4).rate, 2, 1e-9);
}

TEST(InputMotion, StaysWithinTheRangeOfItsSettings) {
  InputMotion input = InputMotion::at_rest(0, 0.1);
  double lowest = 0, highest = 0;
  for (int i = 1; i < 2000; ++i) {
    const double t = 0.01 * i;
    if (i % 7 == 0) input.set(t, std::sin(i * i) > 0 ? 1 : -1);
    lowest = std::min(lowest, input.at(t).value);
    highest = std::max(highest, input.at(t).value);
  }
  EXPECT_GE(lowest, -1);
  EXPECT_LE(highest, 1);
  EXPECT_LT(lowest, -0.5);
  EXPECT_GT(highest, 0.5);
}

TEST(SignalOfInputs, HasTheValueAndRatesOfItsInput) {
  std::vector<InputMotion> inputs = {InputMotion::at_rest(4), moved_input(0.3)[1]};
  const Signal signal = Signal::input(1);
  const SignalSample x = signal.at({1.2, inputs}), y = inputs[1].at(1.2);
  EXPECT_EQ(x.value, y.value);
  EXPECT_EQ(x.rate, y.rate);
  EXPECT_EQ(x.acceleration, y.acceleration);
  EXPECT_FALSE(signal.is_constant());
  EXPECT_TRUE(signal.kinks().empty());
  EXPECT_EQ(signal.inputs(), std::vector<size_t>{1});
  EXPECT_TRUE(signal.same_as(Signal::input(1)));
  EXPECT_FALSE(signal.same_as(Signal::input(0)));
}

TEST(SignalOfInputs, TakesAnyFunctionOfThem) {
  const Signal product = Signal::of_inputs(
      [](const Instant& now) {
        const SignalSample x = now.inputs[0].at(now.t);
        return SignalSample{now.t * x.value, x.value + now.t * x.rate,
                            2 * x.rate + now.t * x.acceleration};
      },
      {0}, {3, 1});
  const std::vector<InputMotion> inputs = {InputMotion::at_rest(4)};
  EXPECT_EQ(product.at({2, inputs}).value, 8);
  EXPECT_EQ(product.at({2, inputs}).rate, 4);
  EXPECT_EQ(product.kinks(), (std::vector<double>{1, 3}));
  EXPECT_TRUE(product.fault().empty());
  EXPECT_FALSE(Signal::of_inputs({}, {0}).fault().empty());
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

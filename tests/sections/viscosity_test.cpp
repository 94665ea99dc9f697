#include "sections/viscosity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "sections/fractional.h"

namespace hawser::HAWSER_FILE {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

/// From `low` to `high`, evenly by their logarithm, both ends included.
std::vector<double> decades(double low, double high, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(low * std::pow(high / low, i / (count - 1.0)));
  return out;
}

/// What is left of the force after a unit step of strain, without the strain's own.
double answer(const ViscousLaw& law, double t) {
  double sum = law.spring;
  for (const Relaxation& arm : law.arms) sum += arm.share * std::exp(-t / arm.time);
  return sum;
}

struct Range {
  double order, shortest, longest;
};

class FractionalArms : public testing::TestWithParam<Range> {};

TEST_P(FractionalArms, KeepTheirBound) {
  const auto [order, shortest, longest] = GetParam();
  for (const double tolerance : {1e-3, 1e-5, 1e-8}) {
    const double tau = 0.3;
    const ViscousLaw law = fractional_arms(order, tau, shortest, longest, tolerance);
    EXPECT_LE(law.error, tolerance);
    EXPECT_GT(law.spring, 0);
    EXPECT_GT(law.dashpot, 0);
    for (const double w : decades(1 / longest, 1 / shortest, 500)) {
      const Complex exact = tau * std::pow(Complex(0, w), order);
      EXPECT_LE(std::abs(complex_factor(law, {0, w}) - 1.0 - exact), law.error * std::abs(exact))
          << "at " << w << " rad/s, to " << tolerance;
    }
    for (const double t : decades(shortest, longest, 500)) {
      const double exact = tau * std::pow(t, -order) / std::tgamma(1 - order);
      EXPECT_LE(std::abs(answer(law, t) - exact), law.error * exact)
          << "after " << t << " s, to " << tolerance;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OrdersAndRanges, FractionalArms,
                         testing::Values(Range{0.001, 1e-6, 1e3}, Range{0.01, 1e-6, 1e3},
                                         Range{0.1, 1e-3, 1e3}, Range{0.3, 1e-6, 1e3},
                                         Range{0.5, 1e-6, 1e3}, Range{0.5, 1e-3, 1e-3},
                                         Range{0.75, 6.25e-5, 0.5}, Range{0.9, 1e-6, 1e3},
                                         Range{0.99, 1e-6, 1e3}, Range{0.999, 1e-6, 1e3}));

TEST(FractionalArmsOf, NineDecadesAreFewEnough) {
  for (const double order : {0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99})
    EXPECT_LE(fractional_arms(order, 1, 1e-6, 1e3).arms.size(), 45U) << order;
}

TEST(FractionalArmsOf, OrderOneIsADashpotAndOrderZeroASpring) {
  const double tau = 0.2, order = 1e-6;
  const Complex s(0, 50);
  const ViscousLaw viscous = fractional_arms(1 - order, tau, 1e-4, 10);
  EXPECT_LT(std::abs(complex_factor(viscous, s) - (1.0 + tau * s)), 1e-4 * std::abs(tau * s));
  EXPECT_NEAR(viscous.dashpot, tau, 1e-4 * tau);
  const ViscousLaw elastic = fractional_arms(order, tau, 1e-4, 10);
  EXPECT_LT(std::abs(complex_factor(elastic, s) - (1 + tau)), 1e-4 * tau);
  EXPECT_NEAR(elastic.spring, tau, 1e-4 * tau);
}

TEST(ComplexFactor, OfEachLawAlone) {
  const Complex s(-3, 40);
  Damping kelvin_voigt;
  kelvin_voigt.viscosity = 2e-3;
  EXPECT_LT(std::abs(complex_factor(kelvin_voigt, s) - Complex(1 - 6e-3, 0.08)), 1e-15);

  Damping solid;  // Zener's: at w time = 1 the arm stores and loses half of its stiffness
  solid.relaxations = {{0.4, 0.1}};
  EXPECT_LT(std::abs(complex_factor(solid, {0, 10}) - Complex(1.2, 0.2)), 1e-15);

  Damping fractional;  // (i w)^order has the angle order pi/2
  fractional.fractional = {0.25, 0.1, 0, FractionalForm::direct};
  const Complex part = complex_factor(fractional, {0, 16}) - 1.0;
  EXPECT_NEAR(std::abs(part), 0.2, 1e-15);
  EXPECT_NEAR(std::arg(part), pi / 8, 1e-15);
}

TEST(ViscousLaw, AnswersAsTheDampingItIsMadeOf) {
  Damping damping;
  damping.viscosity = 1e-3;
  damping.relaxations = {{0.2, 0.1}, {0.5, 2.0}};
  damping.fractional = {0.6, 0.05, 0, FractionalForm::constant_cost};
  const ViscousLaw law = viscous_law(damping, 1e-3, 10);
  EXPECT_GT(law.dashpot, damping.viscosity);
  EXPECT_GT(law.error, 0);
  for (const double w : decades(0.1, 1000, 50)) {
    const Complex exact = complex_factor(damping, {0, w});
    EXPECT_LT(std::abs(complex_factor(law, {0, w}) - exact), 1e-5 * std::abs(exact)) << w;
  }
}

TEST(ViscousLaw, LeavesFormsThatRememberStrainsToThem) {
  Damping damping;
  damping.viscosity = 1e-3;
  damping.relaxations = {{0.2, 0.1}};
  for (const FractionalForm form : {FractionalForm::direct, FractionalForm::gu_eq21}) {
    damping.fractional = {0.6, 0.05, 0, form};
    const ViscousLaw law = viscous_law(damping, 1e-3, 10);
    EXPECT_EQ(law.arms.size(), 1U);
    EXPECT_EQ(law.spring, 0);
    EXPECT_EQ(law.dashpot, 1e-3);
    EXPECT_EQ(law.error, 0);
  }
}

// --- weights on the past ---

/// D^order t^p.
double derivative_of_power(double p, double order, double t) {
  return std::tgamma(p + 1) / std::tgamma(p + 1 - order) * std::pow(t, p - order);
}

double grunwald_error(double order, double p, int steps) {
  const double h = 1.0 / steps;
  std::vector<double> weights(static_cast<size_t>(steps));
  grunwald_weights(order, weights);
  double sum = 0;
  for (int j = 0; j < steps; ++j)
    sum += weights[static_cast<size_t>(j)] * std::pow((steps - j) * h, p);
  return std::abs(std::pow(h, -order) * sum - derivative_of_power(p, order, 1));
}

/// On times t = (k/n)^grading.
double straight_error(double order, double p, int steps, double grading) {
  std::vector<double> times, weights(static_cast<size_t>(steps) + 1);
  for (int k = 0; k <= steps; ++k) times.push_back(std::pow(k / double(steps), grading));
  straight_weights(order, times, weights);
  double sum = 0;
  for (size_t j = 0; j < times.size(); ++j) sum += weights[j] * std::pow(times[j], p);
  return std::abs(sum - derivative_of_power(p, order, 1));
}

TEST(GrunwaldWeights, AreOfOrderOne) {
  for (const double order : {0.01, 0.25, 0.5, 0.75, 0.99}) {
    for (const double p : {1.0, 2.0, 3.5}) {
      const double coarse = grunwald_error(order, p, 100), fine = grunwald_error(order, p, 400);
      EXPECT_NEAR(std::log2(coarse / fine) / 2, 1, 0.05) << "order " << order << ", t^" << p;
    }
  }
}

TEST(GrunwaldWeights, AddUpToWhatTruncationLeaves) {
  // S_N = Gamma(N + 1 - order)/(Gamma(1 - order) N!), the sum of the first N + 1.
  for (const double order : {0.3, 0.8}) {
    std::vector<double> weights(21);
    grunwald_weights(order, weights);
    double sum = 0;
    for (const double w : weights) sum += w;
    EXPECT_NEAR(sum, std::tgamma(21 - order) / (std::tgamma(1 - order) * std::tgamma(21.0)), 1e-14);
  }
}

TEST(StraightWeights, AreExactForALineWhateverTheSteps) {
  for (const double order : {0.01, 0.5, 0.99}) {
    EXPECT_LT(straight_error(order, 1, 50, 1), 1e-12) << order;
    EXPECT_LT(straight_error(order, 1, 50, 2.5), 1e-12) << order;
    EXPECT_LT(straight_error(order, 1, 50, 0.4), 1e-12) << order;
  }
}

TEST(StraightWeights, AreOfOrderTwoLessTheOrder) {
  for (const double order : {0.25, 0.5, 0.75}) {
    for (const double grading : {1.0, 1.5}) {
      const double coarse = straight_error(order, 2, 200, grading),
                   fine = straight_error(order, 2, 800, grading);
      EXPECT_NEAR(std::log2(coarse / fine) / 2, 2 - order, 0.1) << order << ", " << grading;
    }
  }
}

TEST(StraightWeights, OfAConstantGiveNothing) {
  const std::vector<double> times = {0, 0.1, 0.35, 0.4, 1.0};
  std::vector<double> weights(times.size());
  straight_weights(0.4, times, weights);
  double sum = 0;
  for (const double w : weights) sum += w;
  EXPECT_NEAR(sum, 0, 1e-14);
}

/// Near and far, where they are found in different ways.
TEST(StraightWeights, AreRightToRoundOffAtAnyAge) {
  for (const double order : {0.01, 0.5, 0.99}) {
    std::vector<double> times = {0};
    for (int i = 0; i < 3000; ++i) times.push_back(times.back() + (i % 3 + 1) * 0x1p-10);  // exact
    std::vector<double> weights(times.size());
    straight_weights(order, times, weights);
    const long double p = 1 - static_cast<long double>(order);
    long double later = 0;  // mean of the kernel over the step after
    for (size_t k = times.size() - 1; k > 0; --k) {
      const long double h = times[k] - times[k - 1], age = times.back() - times[k];
      const long double grown =
          age > 0 ? std::pow(age, p) * std::expm1(p * std::log1p(h / age)) : std::pow(h, p);
      const long double mean = grown / h / std::tgamma(1 + p);
      EXPECT_NEAR(weights[k], static_cast<double>(mean - later),
                  static_cast<double>(mean + later) * 5e-15);
      later = mean;
    }
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

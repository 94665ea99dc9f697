// Laws of damping from made data of known parameters with noise of known strength.
#include "hawser/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "fit/least_squares.h"
#include "hawser/error.h"

namespace hawser::HAWSER_FILE {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

struct Noise {
  std::mt19937 source;
  std::normal_distribution<double> normal;
  double strength;
  Noise(unsigned seed, double s) : source(seed), normal(0, 1), strength(s) {}
  double operator()() { return strength * normal(source); }
};

/// 3 e^(-decay t) cos(w t - 0.5) + 0.7 and noise, over `turns` of it.
Decay decay_of(Complex lambda, Noise& noise, double turns = 12, int rows = 400) {
  Decay d;
  d.name = "made.csv";
  d.unit = "m";
  for (int i = 0; i < rows; ++i) {
    const double t = turns * 2 * pi / lambda.imag() * i / rows;
    d.time.push_back(5 + t);  // clocks do not start at the release
    d.value.push_back((3.0 * std::exp(lambda * t - Complex(0, 0.5))).real() + 0.7 + noise());
  }
  return d;
}

/// The root of lambda^2 = -omega0^2 factor(lambda), by iterating that.
template <class Factor>
Complex root(double omega0, const Factor& factor) {
  Complex s(0, omega0);
  for (int i = 0; i < 500; ++i) s = Complex(0, omega0) * std::sqrt(factor(s));
  return s;
}

const FittedParameter& parameter(const DampingFit& fit, const std::string& name) {
  for (const FittedParameter& p : fit.parameters)
    if (p.name == name) return p;
  throw std::out_of_range(name);
}

/// Recovered within twice the 95 % that the fit claims, and the claim is not idle.
void expect_found(const DampingFit& fit, const std::string& name, double truth, double claim) {
  const FittedParameter& p = parameter(fit, name);
  EXPECT_NEAR(p.value, truth, 2 * p.interval) << name;
  EXPECT_LT(p.interval, claim * truth) << name;
  EXPECT_GT(p.interval, 0) << name;
}

std::string refused(const std::vector<Decay>& decays, const FitOptions& options = {}) {
  try {
    fit_decays(decays, options);
    return "none";
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(FitDecays, ClaimsOfKelvinVoigtHold) {
  const double omega0 = 2 * pi * 3, viscosity = 2e-3;
  const double decay = viscosity * omega0 * omega0 / 2;  // roots of the quadratic
  const Complex lambda(-decay, std::sqrt(omega0 * omega0 - decay * decay));
  int held = 0;
  double squares = 0;
  constexpr int runs = 60;
  for (unsigned seed = 1; seed <= runs; ++seed) {
    Noise noise(seed, 0.05);
    const DampingFit fit = fit_decays({decay_of(lambda, noise)}, {});
    const FittedParameter& p = parameter(fit, "viscosity");
    held += std::abs(p.value - viscosity) <= p.interval;
    squares += std::pow((p.value - viscosity) / p.uncertainty, 2) / runs;
    EXPECT_NEAR(fit.residual, 0.05, 0.01);
    EXPECT_EQ(fit.damping.viscosity, p.value);
    EXPECT_NEAR(parameter(fit, "omega0").value, omega0, 0.02);
    EXPECT_NEAR(parameter(fit, "offset").value, 0.7, 0.02);
  }
  EXPECT_GE(held, 51);  // of 60 at 95 %; fewer is one run in a thousand
  EXPECT_GT(squares, 0.6);
  EXPECT_LT(squares, 1.5);
}

TEST(FitDecays, FindsAnExactDecayExactly) {
  Noise none(1, 0);
  const DampingFit fit = fit_decays({decay_of({-0.8, 20}, none)}, {});
  // omega0^2 = |lambda|^2 and viscosity = 2 decay/omega0^2.
  EXPECT_NEAR(fit.damping.viscosity, 1.6 / 400.64, 1e-11);
  EXPECT_NEAR(parameter(fit, "omega0").value, std::sqrt(400.64), 1e-8);
  ASSERT_EQ(fit.fitted.size(), 1U);
  EXPECT_NEAR(fit.fitted[0][0], 3 * std::cos(0.5) + 0.7, 1e-9);
}

TEST(FitDecays, OneDecayTellsTauOfAGivenOrder) {
  const double omega0 = 12, order = 0.4, tau = 0.02;
  const Complex lambda = root(omega0, [&](Complex s) { return 1.0 + tau * std::pow(s, order); });
  Noise noise(7, 0.02);
  FitOptions options;
  options.law = DampingLaw::fractional;
  options.order = order;
  const DampingFit fit = fit_decays({decay_of(lambda, noise)}, options);
  expect_found(fit, "tau", tau, 0.1);
  expect_found(fit, "omega0", omega0, 0.01);
  EXPECT_EQ(fit.damping.fractional.order, order);
}

TEST(FitDecays, DecaysOfSeveralFrequenciesTellTheOrder) {
  const double order = 0.6, tau = 0.01;
  std::vector<Decay> decays;
  Noise noise(3, 0.01);
  for (const double omega0 : {5.0, 20.0, 80.0})
    decays.push_back(
        decay_of(root(omega0, [&](Complex s) { return 1.0 + tau * std::pow(s, order); }), noise));
  FitOptions options;
  options.law = DampingLaw::fractional;
  const DampingFit fit = fit_decays(decays, options);
  expect_found(fit, "order", order, 0.1);
  expect_found(fit, "tau", tau, 0.2);
  expect_found(fit, "omega0 2", 20, 0.01);
  EXPECT_TRUE(fit.remarks.empty());
  EXPECT_LT(fit.correlation(0, 1), -0.5) << "a higher order takes a smaller tau";
}

TEST(FitDecays, DecaysOfSeveralFrequenciesTellARelaxation) {
  const double share = 0.3, time = 0.05;
  std::vector<Decay> decays;
  Noise noise(4, 0.01);
  for (const double omega0 : {5.0, 20.0, 80.0})
    decays.push_back(decay_of(
        root(omega0, [&](Complex s) { return 1.0 + share * s * time / (1.0 + s * time); }), noise));
  FitOptions options;
  options.law = DampingLaw::prony;
  const DampingFit fit = fit_decays(decays, options);
  expect_found(fit, "share 1", share, 0.1);
  expect_found(fit, "time 1", time, 0.1);
  options.times = {time};
  expect_found(fit_decays({decays[1]}, options), "share 1", share, 0.1);
}

TEST(FitDecays, SaysWhatOneDecayCannotTell) {
  Noise noise(1, 0.01);
  FitOptions options;
  options.law = DampingLaw::fractional;
  EXPECT_EQ(refused({decay_of({-0.5, 10}, noise)}, options),
            "made.csv: found decays of 1 frequency for the 2 parameters order, tau; expected as "
            "many frequencies, at least 5 % apart, as parameters: each determines one. Use more "
            "files, fix the order (--order) or the times (--times), or fit kelvin-voigt.");
  EXPECT_NE(refused({decay_of({-0.5, 10}, noise), decay_of({-0.5, 10.2}, noise)}, options)
                .find("decays of 1 frequency"),
            std::string::npos);
}

TEST(FitDecays, SaysWhatNearFrequenciesHardlyTell) {
  const double order = 0.5, tau = 0.02;
  std::vector<Decay> decays;
  Noise noise(1, 0.1);
  for (const double omega0 : {10.0, 11.0})
    decays.push_back(
        decay_of(root(omega0, [&](Complex s) { return 1.0 + tau * std::pow(s, order); }), noise));
  FitOptions options;
  options.law = DampingLaw::fractional;
  const DampingFit fit = fit_decays(decays, options);
  ASSERT_FALSE(fit.remarks.empty());
  EXPECT_NE(fit.remarks[0].find("The data hardly determine `order`"), std::string::npos);
  EXPECT_NEAR(parameter(fit, "order").value, order, 2 * parameter(fit, "order").interval);
}

TEST(FitDecays, RefusesWhatIsNoDecay) {
  Noise noise(1, 0.01);
  EXPECT_NE(refused({decay_of({0, 10}, noise)}).find("an oscillation of 1.592 Hz that does not"),
            std::string::npos);
  EXPECT_NE(refused({decay_of({0.1, 10}, noise)}).find("does not decay"), std::string::npos);

  Decay few = decay_of({-0.5, 10}, noise, 2, 11);
  EXPECT_EQ(refused({few}),
            "made.csv: found 11 rows; expected 12 or more rows of time and displacement.");
  Decay broken = decay_of({-0.5, 10}, noise);
  broken.value[17] = NAN;
  EXPECT_EQ(refused({broken}),
            "made.csv, row 18: found a number that is not finite; expected a time and a "
            "displacement.");
  Decay back = decay_of({-0.5, 10}, noise);
  back.time[3] = back.time[2];
  EXPECT_NE(refused({back}).find("made.csv, row 4: found "), std::string::npos);
  Decay still = decay_of({-0.5, 10}, noise);
  std::fill(still.value.begin(), still.value.end(), 2.0);
  EXPECT_EQ(refused({still}), "made.csv: found 2 in every row; expected an oscillation.");
  EXPECT_EQ(refused({}), "fit: found no decay; expected one or more.");
}

/// E factor(i w) from 0.01 Hz to 100 Hz, both moduli with noise of that part of their magnitude.
template <class Factor>
ModulusTable table_of(double E, const Factor& factor, Noise noise) {
  ModulusTable out;
  out.name = "made.csv";
  out.unit = "Pa";
  for (int i = 0; i <= 40; ++i) {
    const double f = std::pow(10, -2 + i / 10.0);
    const Complex m = E * factor(Complex(0, 2 * pi * f));
    out.frequency.push_back(f);
    out.storage.push_back(m.real() + std::abs(m) * noise());
    out.loss.push_back(m.imag() + std::abs(m) * noise());
  }
  return out;
}

TEST(FitModulus, FindsEachLaw) {
  const double E = 4e9;
  FitOptions options;
  const DampingFit viscous =
      fit_modulus(table_of(E, [](Complex s) { return 1.0 + 5e-4 * s; }, {1, 1e-4}), options);
  expect_found(viscous, "viscosity", 5e-4, 0.01);
  expect_found(viscous, "modulus", E, 0.01);
  EXPECT_NEAR(viscous.residual, 1e-4, 2e-5);

  options.law = DampingLaw::fractional;
  const DampingFit fractional = fit_modulus(
      table_of(E, [](Complex s) { return 1.0 + 0.2 * std::pow(s, 0.3); }, {2, 1e-3}), options);
  expect_found(fractional, "order", 0.3, 0.1);
  expect_found(fractional, "tau", 0.2, 0.1);
  expect_found(fractional, "modulus", E, 0.1);

  options.law = DampingLaw::prony;
  options.terms = 2;
  const auto arms = [](Complex s) {
    return 1.0 + 0.3 * s * 0.02 / (1.0 + s * 0.02) + 0.5 * s * 1.5 / (1.0 + s * 1.5);
  };
  const DampingFit prony = fit_modulus(table_of(E, arms, {3, 1e-3}), options);
  expect_found(prony, "share 1", 0.3, 0.1);
  expect_found(prony, "time 1", 0.02, 0.1);
  expect_found(prony, "share 2", 0.5, 0.1);
  expect_found(prony, "time 2", 1.5, 0.1);
}

TEST(FitModulus, RefusesTooLittleAndWhatIsNoModulus) {
  const auto refusal = [](const ModulusTable& t, const FitOptions& o) {
    try {
      fit_modulus(t, o);
      return std::string("none");
    } catch (const Error& e) {
      return std::string(e.what());
    }
  };
  FitOptions options;
  options.law = DampingLaw::prony;
  options.terms = 2;
  ModulusTable t{"m.csv", {1, 2}, {3, 4}, {1, 1}, ""};
  EXPECT_EQ(refusal(t, options),
            "m.csv: found 2 rows for 5 unknowns; expected 3 or more rows of frequency, storage and "
            "loss modulus. Measure at more frequencies, or fit fewer terms.");
  options.terms = 1;
  t = {"m.csv", {1, 2, 3}, {3, -4, 5}, {1, 1, 1}, ""};
  EXPECT_EQ(refusal(t, options),
            "m.csv, row 2: found a storage modulus of -4; expected a number above zero.");
  t = {"m.csv", {1, 2, 3}, {3, 4, 5}, {-1, 0, -1}, ""};
  EXPECT_EQ(refusal(t, options),
            "m.csv: found no loss modulus above zero; expected moduli of a material with damping.");
  options.times = {1, 2};
  EXPECT_EQ(refusal(t, options), "fit, times: found 2 for 1 terms; expected one for each term.");
}

TEST(LeastSquaresFit, KnowsStudentsFactor) {
  const std::pair<int, double> table[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},
                                          {5, 2.571},  {10, 2.228}, {30, 2.042}};
  for (const auto& [freedom, factor] : table)
    EXPECT_NEAR(student_95(freedom), factor, 0.01 * factor) << freedom;
  EXPECT_NEAR(student_95(100000), 1.960, 1e-3);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

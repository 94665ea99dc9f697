#include "sections/viscosity.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace hawser {
namespace {

// With y = e^x, and c = sin(pi order)/pi = 1/(Gamma(order) Gamma(1 - order)),
//
//     s^order                      = c int s/(s + y) y^order dx      for s off the negative axis,
//     t^-order / Gamma(1 - order)  = c int e^(-t y)  y^order dx      for t > 0,
//
// both over all real x: Maxwell arms of share c y^order dx and time 1/y. The integrand has no
// singularity for |Im x| < pi/2 (s = i w), so that the trapezoidal rule of step H errs by about
// e^(-pi^2/H). Its sum is infinite. The arms of its two ends act through few moments: those at the
// fast end become a dashpot and one arm, those at the slow end a spring and one arm, which take
// over three moments each (the rule of Gauss and Radau for the sum over the tail).

using std::numbers::pi;

/// e^-u <= (n/(e u))^n for all u > 0: what the tail of the fast arms still gives at a time. n:
/// tail_power.
constexpr int tail_power = 8;

/// The rule: its step H, and the rates y of the first arm of each tail [1/s].
struct Rule {
  double order, H, fast, slow;

  [[nodiscard]] double weight() const { return H * std::sin(pi * order) / pi; }
  /// Sum over the fast tail of share y^-(1 + k): moment k of its dashpots by time.
  [[nodiscard]] double fast_moment(int k) const {
    const double power = 1 + k - order;
    return weight() * std::pow(fast, -power) / -std::expm1(-power * H);
  }
  /// Sum over the slow tail of share y^k: moment k of its springs by rate.
  [[nodiscard]] double slow_moment(int k) const {
    const double power = k + order;
    return weight() * std::pow(slow, power) / -std::expm1(-power * H);
  }
};

/// Of the infinite sum, relative. By Poisson's formula the modulus errs by the sum over k != 0 of
/// |sin(pi order)/sin(pi (order - 2 pi i k/H))| e^(pi^2 k/H), whose terms k and -k are together at
/// most sin(pi order)/sinh(pi^2 k/H); the kernel by the sum of |Gamma(order + 2 pi i k/H)|/
/// Gamma(order), which Euler's product bounds.
double rule_error(double order, double H) {
  double modulus = 0, kernel = 0;
  for (int k = 1; k <= 4; ++k) {  // each term is less than e^-5 of the one before
    const double y = 2 * pi * k / H;
    modulus += std::sin(pi * order) / std::sinh(pi * y / 2);
    kernel +=
        2 * order * std::sqrt((1 + y * y) / (order * order + y * y) * pi * y / std::sinh(pi * y));
  }
  return std::max(modulus, kernel);
}

/// What three moments leave of the fast tail at 1/shortest and after `shortest`, relative.
double fast_error(const Rule& rule, double shortest) {
  const double modulus = 2 * rule.fast_moment(3) * std::pow(shortest, rule.order - 4);
  const double kernel = rule.fast_moment(tail_power - 1) *
                        std::pow(tail_power / std::numbers::e, tail_power) *
                        std::pow(shortest, rule.order - tail_power) * std::tgamma(1 - rule.order);
  return std::max(modulus, kernel);
}

/// The same of the slow tail at 1/longest and after `longest`.
double slow_error(const Rule& rule, double longest) {
  const double moment = rule.slow_moment(3) * std::pow(longest, 3 + rule.order);
  return moment * std::max(2.0, std::tgamma(1 - rule.order) / 6);
}

/// The longest steps and shortest ends whose errors together stay below the tolerance.
Rule rule_for(double order, double shortest, double longest, double tolerance) {
  Rule rule{order, 1.5, 1 / shortest, 1 / longest};
  while (rule_error(order, rule.H) > 0.7 * tolerance) rule.H *= 0.99;
  while (fast_error(rule, shortest) > 0.1 * tolerance) rule.fast *= 1.05;
  while (slow_error(rule, longest) > 0.1 * tolerance) rule.slow /= 1.05;
  // The tails' first arms are nodes of the rule: the step must divide what lies between.
  const double range = std::log(rule.fast / rule.slow);
  rule.H = range / std::ceil(range / rule.H);
  return rule;
}

}  // namespace

ViscousLaw fractional_arms(double order, double tau, double shortest, double longest,
                           double tolerance) {
  assert(order > 0 && order < 1 && shortest > 0 && tolerance > 0);
  longest = std::max(longest, shortest);
  const Rule rule = rule_for(order, shortest, longest, tolerance);

  ViscousLaw law;
  const double slow1 = rule.slow_moment(1), slow2 = rule.slow_moment(2);
  const double slow_share = slow1 * (slow1 / slow2);
  law.spring = tau * (rule.slow_moment(0) - slow_share);
  law.arms.push_back({tau * slow_share, slow1 / slow2});

  const auto between = std::lround(std::log(rule.fast / rule.slow) / rule.H) - 1;
  for (long k = 1; k <= between; ++k) {
    const double y = rule.slow * std::exp(static_cast<double>(k) * rule.H);
    law.arms.push_back({tau * rule.weight() * std::pow(y, order), 1 / y});
  }

  const double fast1 = rule.fast_moment(1), fast2 = rule.fast_moment(2);
  const double time = fast2 / fast1, dashpot = fast1 / time;
  law.arms.push_back({tau * dashpot / time, time});
  law.dashpot = tau * (rule.fast_moment(0) - dashpot);

  law.error = rule_error(order, rule.H) + fast_error(rule, shortest) + slow_error(rule, longest);
  return law;
}

ViscousLaw viscous_law(const Damping& damping, double shortest, double longest) {
  ViscousLaw law;
  const Fractional& f = damping.fractional;
  if (f.tau > 0 && f.form == FractionalForm::constant_cost)
    law = fractional_arms(f.order, f.tau, shortest, longest);
  law.dashpot += damping.viscosity;
  law.arms.insert(law.arms.begin(), damping.relaxations.begin(), damping.relaxations.end());
  return law;
}

namespace {

std::complex<double> arms_factor(const std::vector<Relaxation>& arms, std::complex<double> s) {
  std::complex<double> sum = 0;
  for (const Relaxation& arm : arms) sum += arm.share * s * arm.time / (1.0 + s * arm.time);
  return sum;
}

}  // namespace

std::complex<double> complex_factor(const Damping& damping, std::complex<double> s) {
  const Fractional& f = damping.fractional;
  std::complex<double> factor = 1.0 + damping.viscosity * s + arms_factor(damping.relaxations, s);
  if (f.tau > 0) factor += f.tau * std::pow(s, f.order);
  return factor;
}

std::complex<double> complex_factor(const ViscousLaw& law, std::complex<double> s) {
  return 1.0 + law.spring + law.dashpot * s + arms_factor(law.arms, s);
}

}  // namespace hawser

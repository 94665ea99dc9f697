// Laws of damping from storage and loss modulus.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fit/law_parameters.h"
#include "fit/least_squares.h"
#include "hawser/error.h"
#include "sections/viscosity.h"

namespace hawser {
namespace {

using Complex = std::complex<double>;

void require_sound(const ModulusTable& t, Eigen::Index unknowns) {
  const auto n = static_cast<Eigen::Index>(t.frequency.size());
  if (2 * n <= unknowns || t.storage.size() != t.frequency.size() ||
      t.loss.size() != t.frequency.size())
    throw Error(
        t.name, fmt::format("{} rows for {} unknowns", n, unknowns),
        fmt::format("{} or more rows of frequency, storage and loss modulus", unknowns / 2 + 1),
        "Measure at more frequencies, or fit fewer terms.");
  for (size_t i = 0; i < t.frequency.size(); ++i) {
    const std::string where = fmt::format("{}, row {}", t.name, i + 1);
    const auto positive = [&](double x, const char* what) {
      if (!(x > 0) || !std::isfinite(x))
        throw Error(where, fmt::format("a {} of {}", what, x), "a number above zero");
    };
    positive(t.frequency[i], "frequency");
    positive(t.storage[i], "storage modulus");
    // What is lost at low frequencies may drown in noise.
    if (!std::isfinite(t.loss[i]))
      throw Error(where, fmt::format("a loss modulus of {}", t.loss[i]), "a finite number");
  }
  if (*std::max_element(t.loss.begin(), t.loss.end()) <= 0)
    throw Error(t.name, "no loss modulus above zero", "moduli of a material with damping");
}

}  // namespace

DampingFit fit_modulus(const ModulusTable& table, const FitOptions& options) {
  const LawParameters law(options);
  const Eigen::Index last = law.count();  // log E, after the law
  require_sound(table, last + 1);
  const size_t n = table.frequency.size();

  std::vector<Complex> s, measured;
  std::vector<double> angles;
  for (size_t i = 0; i < n; ++i) {
    s.emplace_back(0, 2 * std::numbers::pi * table.frequency[i]);
    measured.emplace_back(table.storage[i], table.loss[i]);
    angles.push_back(std::arg(measured[i]));
  }
  Eigen::VectorXd start(last + 1);
  start.head(last) = law.start(s, angles);
  double log_E = 0;
  for (size_t i = 0; i < n; ++i)
    log_E += std::log(std::abs(measured[i] / complex_factor(law.damping(start), s[i]))) /
             static_cast<double>(n);
  start(last) = log_E;

  const Residuals residuals = [&](const Eigen::VectorXd& p, Eigen::VectorXd& r) {
    const Damping damping = law.damping(p);
    for (size_t i = 0; i < n; ++i) {
      const Complex miss = std::exp(p(last)) * complex_factor(damping, s[i]) - measured[i];
      r.segment<2>(2 * static_cast<Eigen::Index>(i)) << miss.real() / std::abs(measured[i]),
          miss.imag() / std::abs(measured[i]);
    }
  };
  const LeastSquares minimum = least_squares(residuals, 2 * static_cast<Eigen::Index>(n), start);
  if (!minimum.converged)
    throw Error(table.name, "moduli that this law cannot fit", "moduli of one section",
                "Try another law (--law) or more terms.");

  DampingFit fit;
  fit.damping = law.damping(minimum.parameters);
  std::vector<Transform> transforms = law.transforms();
  transforms.push_back({"modulus", table.unit, Transform::Kind::log});
  report(minimum, transforms, last, fit);
  fit.fitted.resize(2);
  for (size_t i = 0; i < n; ++i) {
    const Complex modulus = std::exp(minimum.parameters(last)) * complex_factor(fit.damping, s[i]);
    fit.fitted[0].push_back(modulus.real());
    fit.fitted[1].push_back(modulus.imag());
  }
  return fit;
}

}  // namespace hawser

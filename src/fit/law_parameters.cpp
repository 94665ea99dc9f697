#include "fit/law_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "fit/least_squares.h"
#include "hawser/error.h"
#include "sections/viscosity.h"

namespace hawser {
namespace {

using Kind = Transform::Kind;

double mean(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

/// Slope of the line through log y against log x; 1/2 for a single point.
double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  double mx = 0, my = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(x.size());
  for (size_t i = 0; i < x.size(); ++i) mx += std::log(x[i]) / n, my += std::log(y[i]) / n;
  for (size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - mx;
    xx += dx * dx;
    xy += dx * (std::log(y[i]) - my);
  }
  return xx > 0 ? xy / xx : 0.5;
}

std::vector<double> above(std::vector<double> v, double least) {
  for (double& x : v) x = std::max(x, least);
  return v;
}

std::vector<double> magnitudes(const std::vector<std::complex<double>>& s) {
  std::vector<double> out;
  for (const auto& z : s) out.push_back(std::abs(z));
  return out;
}

}  // namespace

double Transform::value(double p) const {
  return kind == Kind::plain ? p : kind == Kind::log ? std::exp(p) : 1 / (1 + std::exp(-p));
}

double Transform::slope(double p) const {
  const double v = value(p);
  return kind == Kind::plain ? 1 : kind == Kind::log ? v : v * (1 - v);
}

LawParameters::LawParameters(const FitOptions& options) : options_(options) {
  const auto refuse = [](const char* what, const std::string& found, const std::string& expected) {
    throw Error(std::string("fit, ") + what, found, expected);
  };
  if (options.order && options.law != DampingLaw::fractional)
    refuse("order", "an order without the fractional law", "none");
  if (!options.times.empty() && options.law != DampingLaw::prony)
    refuse("times", "times without a Prony series", "none");
  switch (options.law) {
    case DampingLaw::kelvin_voigt:
      transforms_ = {{"viscosity", "s", Kind::log}};
      break;
    case DampingLaw::prony:
      if (options.terms < 1 || options.terms > 20)
        refuse("terms", std::to_string(options.terms), "1 to 20 relaxations");
      if (!options.times.empty() && options.times.size() != static_cast<size_t>(options.terms))
        refuse("times", fmt::format("{} for {} terms", options.times.size(), options.terms),
               "one for each term");
      for (const double t : options.times)
        if (!(t > 0) || !std::isfinite(t)) refuse("times", fmt::format("{} s", t), "above zero");
      for (int i = 1; i <= options.terms; ++i) {
        transforms_.push_back({fmt::format("share {}", i), "", Kind::log});
        if (options.times.empty())
          transforms_.push_back({fmt::format("time {}", i), "s", Kind::log});
      }
      break;
    case DampingLaw::fractional:
      if (options.order && !(*options.order > 0 && *options.order < 1))
        refuse("order", fmt::format("{}", *options.order), "a number between 0 and 1");
      if (!options.order) transforms_.push_back({"order", "", Kind::logit});
      transforms_.push_back({"tau", "s^order", Kind::log});
      break;
  }
}

Damping LawParameters::damping(const Eigen::VectorXd& p) const {
  const auto value = [&](size_t i) {
    return transforms_[i].value(p(static_cast<Eigen::Index>(i)));
  };
  Damping out;
  switch (options_.law) {
    case DampingLaw::kelvin_voigt:
      out.viscosity = value(0);
      break;
    case DampingLaw::prony:
      for (size_t i = 0; i < static_cast<size_t>(options_.terms); ++i)
        out.relaxations.push_back(options_.times.empty()
                                      ? Relaxation{value(2 * i), value(2 * i + 1)}
                                      : Relaxation{value(i), options_.times[i]});
      break;
    case DampingLaw::fractional:
      out.fractional.order = options_.order ? *options_.order : value(0);
      out.fractional.tau = value(transforms_.size() - 1);
      break;
  }
  return out;
}

Eigen::VectorXd LawParameters::guess(const std::vector<std::complex<double>>& s,
                                     const std::vector<double>& angles) const {
  const std::vector<double> w = magnitudes(s);
  const double highest = *std::max_element(angles.begin(), angles.end());
  const double angle = std::max(mean(angles), 1e-3 * highest);
  double log_w = 0;
  for (const double x : w) log_w += std::log(x) / static_cast<double>(w.size());
  Eigen::VectorXd p(count());
  switch (options_.law) {
    case DampingLaw::kelvin_voigt:
      p(0) = std::log(angle) - log_w;
      break;
    case DampingLaw::prony: {
      // Times from the fastest oscillation's to the slowest's, in the middle of equal parts.
      const auto [low, high] = std::minmax_element(w.begin(), w.end());
      for (int i = 0; i < options_.terms; ++i) {
        const double part = (i + 0.5) / options_.terms;
        const double share = std::log(2 * std::tan(std::min(angle, 1.3)));
        if (options_.times.empty()) {
          p(2 * i) = share;
          p(2 * i + 1) = -std::log(*high) + part * std::log(*high / *low);
        } else {
          p(i) = share;
        }
      }
      break;
    }
    case DampingLaw::fractional: {
      const double order = options_.order
                               ? *options_.order
                               : std::clamp(log_slope(w, above(angles, 1e-3 * highest)), 0.1, 0.9);
      if (!options_.order) p(0) = std::log(order / (1 - order));
      p(count() - 1) = std::log(angle / std::sin(order * std::numbers::pi / 2)) - order * log_w;
      break;
    }
  }
  return p;
}

Eigen::VectorXd LawParameters::start(const std::vector<std::complex<double>>& s,
                                     const std::vector<double>& angles) const {
  const Eigen::VectorXd first = guess(s, angles);
  const double scale = *std::max_element(angles.begin(), angles.end());
  const auto n = static_cast<Eigen::Index>(s.size());
  if (n < count()) return first;
  const Residuals residuals = [&](const Eigen::VectorXd& p, Eigen::VectorXd& r) {
    const Damping law = damping(p);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<size_t>(i);
      r(i) = (std::arg(complex_factor(law, s[k])) - angles[k]) / scale;
    }
  };
  const LeastSquares better = least_squares(residuals, n, first);
  return better.converged ? better.parameters : first;
}

void report(const LeastSquares& minimum, const std::vector<Transform>& transforms,
            Eigen::Index law_count, DampingFit& fit) {
  const auto count = static_cast<Eigen::Index>(transforms.size());
  const double factor = student_95(minimum.residuals.size() - count);
  const Eigen::VectorXd deviation = minimum.covariance.diagonal().cwiseSqrt();
  for (Eigen::Index i = 0; i < count; ++i) {
    const Transform& t = transforms[static_cast<size_t>(i)];
    const double p = minimum.parameters(i);
    const double uncertainty = std::abs(t.slope(p)) * deviation(i);
    fit.parameters.push_back({t.name, t.unit, t.value(p), uncertainty, factor * uncertainty});
    // A logarithm uncertain by one half leaves the value uncertain by that part.
    if (i < law_count && t.kind != Kind::plain && factor * deviation(i) > 0.5)
      fit.remarks.push_back(
          fmt::format("The data hardly determine `{}`: its relative uncertainty is {:.3g}.", t.name,
                      factor * deviation(i)));
  }
  const Eigen::VectorXd scale = deviation.unaryExpr([](double d) { return d > 0 ? 1 / d : 1.0; });
  fit.correlation = scale.asDiagonal() * minimum.covariance * scale.asDiagonal();
  fit.residual =
      std::sqrt(minimum.residuals.squaredNorm() / static_cast<double>(minimum.residuals.size()));
}

}  // namespace hawser

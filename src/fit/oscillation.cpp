#include "fit/oscillation.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "fit/least_squares.h"
#include "hawser/error.h"
#include "math/dense.h"

namespace hawser {
namespace {

using std::numbers::pi;

void require_sound(const Decay& d) {
  constexpr size_t fewest = 12;  // five unknowns, and something left to judge them by
  if (d.time.size() != d.value.size() || d.time.size() < fewest)
    throw Error(d.name, fmt::format("{} rows", d.time.size()),
                fmt::format("{} or more rows of time and displacement", fewest));
  for (size_t i = 0; i < d.time.size(); ++i) {
    if (!std::isfinite(d.time[i]) || !std::isfinite(d.value[i]))
      throw Error(fmt::format("{}, row {}", d.name, i + 1), "a number that is not finite",
                  "a time and a displacement");
    if (i > 0 && d.time[i] <= d.time[i - 1])
      throw Error(fmt::format("{}, row {}", d.name, i + 1),
                  fmt::format("{} s after {} s", d.time[i], d.time[i - 1]), "increasing times");
  }
  const auto [low, high] = std::minmax_element(d.value.begin(), d.value.end());
  if (*low == *high) throw Error(d.name, fmt::format("{} in every row", *low), "an oscillation");
}

/// At even times over the same range, straight between the rows, without the mean. At least as many
/// as rows, and a power of two: a transform of a large prime takes the square of its size.
std::vector<double> evenly(const Decay& d) {
  const size_t n = std::bit_ceil(d.time.size());
  std::vector<double> out(n);
  size_t k = 1;
  double mean = 0;
  for (size_t i = 0; i < n; ++i) {
    const double t = d.time.front() + (d.time.back() - d.time.front()) * static_cast<double>(i) /
                                          static_cast<double>(n - 1);
    while (k + 1 < d.time.size() && d.time[k] < t) ++k;
    const double part = (t - d.time[k - 1]) / (d.time[k] - d.time[k - 1]);
    out[i] = d.value[k - 1] + part * (d.value[k] - d.value[k - 1]);
    mean += out[i] / static_cast<double>(n);
  }
  for (double& v : out) v -= mean;
  return out;
}

/// Angular frequency of the highest peak of the spectrum [rad/s].
double loudest(const Decay& d) {
  Eigen::FFT<double> transform;
  std::vector<std::complex<double>> spectrum;
  transform.fwd(spectrum, evenly(d));
  size_t best = 1;
  for (size_t k = 1; k <= spectrum.size() / 2; ++k)
    if (std::norm(spectrum[k]) > std::norm(spectrum[best])) best = k;
  const double n = static_cast<double>(spectrum.size());
  return 2 * pi * static_cast<double>(best) * (n - 1) / n / (d.time.back() - d.time.front());
}

/// a, b and offset for a given lambda, by linear least squares; returns the sum of squares left.
/// For a guess, the normal equations are accurate enough.
double fill_linear(const Decay& d, Oscillation& o) {
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  for (size_t i = 0; i < d.time.size(); ++i) {
    const auto wave = std::exp(o.lambda * (d.time[i] - d.time.front()));
    const Eigen::Vector3d row(wave.real(), wave.imag(), 1);
    normal += row * row.transpose();
    x += d.value[i] * row;
  }
  int exchanges[3];
  if (!(factor_lu(3, normal.data(), exchanges) > 0)) return std::numeric_limits<double>::infinity();
  solve_lu(3, normal.data(), exchanges, x.data());
  o.a = x(0), o.b = x(1), o.offset = x(2);
  double left = 0;
  for (size_t i = 0; i < d.time.size(); ++i) {
    const double error = o.at(d.time[i] - d.time.front()) - d.value[i];
    left += error * error;
  }
  return left;
}

/// The best of a lattice of frequencies about the loudest and of decays.
Oscillation first_guess(const Decay& d) {
  const double span = d.time.back() - d.time.front(), w = loudest(d);
  Oscillation best;
  double least = std::numeric_limits<double>::infinity();
  for (int k = -4; k <= 4; ++k) {
    for (double turns = 0.1; turns < 200; turns *= 2) {
      const double frequency = w + k * pi / (4 * span), decay = turns / span;
      if (frequency <= 0 || decay > frequency) continue;
      Oscillation o;
      o.lambda = {-decay, frequency};
      const double left = fill_linear(d, o);
      if (left < least) least = left, best = o;
    }
  }
  return best;
}

}  // namespace

Oscillation find_oscillation(const Decay& d) {
  require_sound(d);
  const Oscillation guess = first_guess(d);
  const auto n = static_cast<Eigen::Index>(d.time.size());
  const auto made_of = [](const Eigen::VectorXd& p) {
    Oscillation o;
    o.lambda = {-p(0), p(1)};
    o.a = p(2), o.b = p(3), o.offset = p(4);
    return o;
  };
  const Residuals residuals = [&](const Eigen::VectorXd& p, Eigen::VectorXd& r) {
    const Oscillation o = made_of(p);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<size_t>(i);
      r(i) = o.at(d.time[k] - d.time.front()) - d.value[k];
    }
  };
  Eigen::VectorXd start(5);
  start << -guess.lambda.real(), guess.lambda.imag(), guess.a, guess.b, guess.offset;
  const LeastSquares minimum = least_squares(residuals, n, start);
  Oscillation out = made_of(minimum.parameters);
  out.decay_uncertainty = std::sqrt(minimum.covariance(0, 0));

  const double span = d.time.back() - d.time.front(), decay = -out.lambda.real();
  if (!minimum.converged || out.lambda.imag() * span < pi)
    throw Error(d.name, fmt::format("no oscillation within its {:.4g} s", span),
                "a free decay of one frequency, at least half a period",
                "Keep only the rows of the free motion of one mode.");
  if (decay <= 2 * out.decay_uncertainty)
    throw Error(d.name,
                fmt::format("an oscillation of {:.4g} Hz that does not decay: its rate is {:.3g} "
                            "+- {:.2g} 1/s",
                            out.lambda.imag() / (2 * pi), decay, 2 * out.decay_uncertainty),
                "a free decay", "Measure for longer, and after the end of the excitation.");
  return out;
}

}  // namespace hawser

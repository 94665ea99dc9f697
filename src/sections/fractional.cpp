#include "sections/fractional.h"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace hawser {

void grunwald_weights(double order, std::span<double> weights) {
  double weight = 1;
  for (size_t j = 0; j < weights.size(); ++j) {
    if (j > 0) weight *= (static_cast<double>(j) - order - 1) / static_cast<double>(j);
    weights[j] = weight;
  }
}

namespace {

/// (1 + x)^p - 1 for x > 0, to round-off: of a far past, which is most of it, by the binomial
/// series.
class PowerGrowth {
 public:
  explicit PowerGrowth(double p) : p_(p) {
    for (int k = 2; k <= terms; ++k) ratio_[k] = (p - (k - 1)) / k;
  }
  double operator()(double x) const {
    if (x > 1.0 / 64) return std::expm1(p_ * std::log1p(x));
    double sum = 1;
    for (int k = terms; k > 1; --k) sum = 1 + ratio_[k] * x * sum;
    return p_ * x * sum;
  }

 private:
  static constexpr int terms = 8;
  double p_, ratio_[terms + 1] = {};  ///< of a term to the one before, over x
};

}  // namespace

/// Powers of ages follow from each other by their growth, and every so often anew, so that
/// round-off does not add up.
constexpr size_t sums_of_growth = 16;

void straight_weights(double order, std::span<const double> times, std::span<double> weights) {
  assert(times.size() == weights.size() && !times.empty());
  // The rate between t_{k-1} and t_k counts by the mean of the kernel over that time,
  // ((t_n - t_{k-1})^p - (t_n - t_k)^p)/(h Gamma(2 - order)), p = 1 - order.
  const double p = 1 - order, scale = 1 / std::tgamma(2 - order), now = times.back();
  const PowerGrowth growth(p);
  double power = 0, later = 0;  // of the age; the mean of the time after
  for (size_t k = times.size() - 1; k > 0; --k) {
    const double h = times[k] - times[k - 1], age = now - times[k];
    if (k % sums_of_growth == 0) power = std::pow(age, p);
    const double grown = age > 0 ? power * growth(h / age) : std::pow(h, p);
    const double mean = scale * grown / h;
    weights[k] = mean - later;
    later = mean;
    power += grown;
  }
  weights[0] = -later;
}

}  // namespace hawser

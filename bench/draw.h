// Random numbers for random scenes.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace hawser {

/// Draws from a generator that belongs to others. The distributions of std differ between
/// libraries; these do not.
class Draw {
 public:
  explicit Draw(std::mt19937_64& random) : random_(random) {}

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }
  double decades(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  int integer(int low, int high) {
    return std::min(high, low + static_cast<int>(uniform(0, high - low + 1)));
  }
  bool chance(double share) { return uniform(0, 1) < share; }
  Eigen::Vector3d direction() {
    const double z = uniform(-1, 1), angle = uniform(0, 2 * std::numbers::pi);
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }

 private:
  std::mt19937_64& random_;
};

}  // namespace hawser

// A law of damping as a vector of numbers without bounds: logarithms of what is positive, the logit
// of an order.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "hawser/fit.h"

namespace hawser {

/// One number of a vector: what it is called and how it becomes the parameter.
struct Transform {
  enum class Kind { plain, log, logit };
  std::string name, unit;
  Kind kind = Kind::log;

  [[nodiscard]] double value(double p) const;
  [[nodiscard]] double slope(double p) const;  ///< d value/dp
};

class LawParameters {
 public:
  /// Throws Error when the options contradict each other.
  explicit LawParameters(const FitOptions& options);

  [[nodiscard]] const std::vector<Transform>& transforms() const { return transforms_; }
  [[nodiscard]] Eigen::Index count() const { return static_cast<Eigen::Index>(transforms_.size()); }
  [[nodiscard]] Damping damping(const Eigen::VectorXd& p) const;

  /// Numbers to start from: those whose factor at each s has nearly the given angle [rad], some
  /// of them > 0.
  [[nodiscard]] Eigen::VectorXd start(const std::vector<std::complex<double>>& s,
                                      const std::vector<double>& angles) const;

 private:
  [[nodiscard]] Eigen::VectorXd guess(const std::vector<std::complex<double>>& s,
                                      const std::vector<double>& angles) const;

  FitOptions options_;
  std::vector<Transform> transforms_;
};

/// Values, uncertainties and remarks into the fit, from a minimum over `transforms`.
struct LeastSquares;
void report(const LeastSquares& minimum, const std::vector<Transform>& transforms,
            Eigen::Index law_count, DampingFit& fit);

}  // namespace hawser

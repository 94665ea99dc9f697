// Nonlinear least squares by Levenberg and Marquardt.
#pragma once

#include <Eigen/Core>
#include <functional>

namespace hawser {

struct LeastSquares {
  Eigen::VectorXd parameters;
  Eigen::MatrixXd covariance;  ///< of the parameters, from what is left; infinite where the data
                               ///< do not tell them
  Eigen::VectorXd residuals;
  bool converged = false;

  [[nodiscard]] double sum() const { return residuals.squaredNorm(); }
};

/// Residuals of parameters; not finite where there are none, which is never a minimum.
using Residuals =
    std::function<void(const Eigen::VectorXd& parameters, Eigen::VectorXd& residuals)>;

/// The minimum of the sum of squares of `count` residuals, no fewer than there are parameters, from
/// `start` on.
LeastSquares least_squares(const Residuals& residuals, Eigen::Index count,
                           const Eigen::VectorXd& start);

/// Half the range that holds a normal variable with 95 %, by its standard uncertainty, when that is
/// estimated with so many degrees of freedom: Student's t.
double student_95(Eigen::Index freedom);

}  // namespace hawser

#include "fit/least_squares.h"

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>

namespace hawser {
namespace {

/// What the solver asks of a problem.
struct Problem {
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  const Residuals* residuals_of;
  Eigen::Index count, unknowns;

  [[nodiscard]] int inputs() const { return static_cast<int>(unknowns); }
  [[nodiscard]] int values() const { return static_cast<int>(count); }
  int operator()(const InputType& p, ValueType& r) const {
    (*residuals_of)(p, r);
    // A step to where there are no residuals is refused, as one uphill is.
    if (!r.allFinite()) r.setConstant(std::sqrt(std::numeric_limits<double>::max()) / 1e10);
    return 0;
  }
};

/// (J^T J)^-1 by J = Q R. Directions that the residuals do not feel get a large variance.
Eigen::MatrixXd inverse_normal(const Eigen::MatrixXd& jacobian) {
  const Eigen::Index n = jacobian.cols();
  const Eigen::VectorXd scale = jacobian.colwise().norm().cwiseMax(1e-300).cwiseInverse();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(jacobian * scale.asDiagonal());
  Eigen::MatrixXd R = qr.matrixR().topLeftCorner(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    if (std::abs(R(i, i)) < 1e-10) R(i, i) = 1e-10;
  const Eigen::MatrixXd inverse =
      R.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(n, n));
  const Eigen::MatrixXd half = scale.asDiagonal() * (qr.colsPermutation() * inverse);
  return half * half.transpose();
}

}  // namespace

LeastSquares least_squares(const Residuals& residuals, Eigen::Index count,
                           const Eigen::VectorXd& start) {
  using Central = Eigen::NumericalDiff<Problem, Eigen::Central>;
  Central problem(Problem{&residuals, count, start.size()});
  Eigen::LevenbergMarquardt<Central> solver(problem);
  solver.parameters.maxfev = 4000;
  solver.parameters.ftol = solver.parameters.xtol = 1e-12;

  LeastSquares out;
  out.parameters = start;
  const auto status = solver.minimize(out.parameters);
  out.residuals.resize(count);
  problem(out.parameters, out.residuals);
  namespace Status = Eigen::LevenbergMarquardtSpace;
  out.converged = status != Status::ImproperInputParameters &&
                  status != Status::TooManyFunctionEvaluation && status != Status::UserAsked &&
                  out.sum() < 1e100;

  Eigen::MatrixXd jacobian(count, start.size());
  problem.df(out.parameters, jacobian);
  const auto freedom = static_cast<double>(count - start.size());
  const double variance = freedom > 0 ? out.sum() / freedom : 0;
  out.covariance = variance * inverse_normal(jacobian);
  return out;
}

double student_95(Eigen::Index freedom) {
  // Cornish and Fisher's expansion (Abramowitz & Stegun 26.7.5); exact for 1 and 2, where it is not
  // close.
  if (freedom <= 1) return 12.706;
  if (freedom == 2) return 4.303;
  const double z = 1.959964, n = static_cast<double>(freedom), z2 = z * z;
  return z + z * (z2 + 1) / (4 * n) + z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * n * n) +
         z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * n * n * n);
}

}  // namespace hawser

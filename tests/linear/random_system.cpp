// The dense algebra that solvers are compared with: most of what their tests compute.
#include "random_system.h"

namespace hawser {

VectorXd System::solve(const VectorXd& b) const {
  using Extended = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const MatrixXd A = kkt();
  const std::vector<int> open = free_unknowns();
  VectorXd known = VectorXd::Zero(b.size());
  for (const int c : structure.fixed) known[c] = b[c];
  VectorXd rhs = b;
  for (const auto& [follower, leader] : structure.shared) rhs[leader] += rhs[follower];
  rhs -= A * known;
  VectorXd x = known;
  Eigen::FullPivLU<Extended> lu(Extended(A(open, open).cast<long double>()));
  lu.setThreshold(0.0L);
  x(open) = lu.solve(Extended(rhs(open).cast<long double>())).cast<double>();
  for (const auto& [follower, leader] : structure.shared) x[follower] = x[leader];
  return x;
}

int negative_eigenvalues(const MatrixXd& m) {
  const VectorXd values =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(m, Eigen::EigenvaluesOnly).eigenvalues();
  return static_cast<int>((values.array() < 0).count());
}

}  // namespace hawser

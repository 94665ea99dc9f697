// The solver for many cables that touch each other. Entries between nodes that come close and part
// again, P, fill up a factorization: in a heap every rope touches many others. They are left out of
// it, and conjugate gradients make up for them:
//
//     (A + P) x = b,    A: all the rest, cables, bodies and conditions, held by another solver
//
// With x_0 = A^-1 b the residual -P x_0 is zero at the conditions, and so are all that follow; on
// what such residuals span A and A + P are definite where H is, whatever the compliance of the
// conditions (Gould, Hribar & Nocedal 2001). Of a direction p = z + beta p' with A z = r, the
// product A p = r + beta A p' is known: A itself, which is overwritten when it is factored, is not
// multiplied by.
//
// The number of iterations grows with the root of the stiffness of contacts over the inertia,
// k h^2/m. Where it exceeds a limit the matrix counts as singular, and the step is divided.
#pragma once

#include <Eigen/Core>

#include <memory>
#include <string>
#include <vector>

#include "linear/linear_solver.h"

namespace hawser {

class LooselyCoupled final : public LinearSolver {
 public:
  /// P: the pairs of the structure from `first_loose` on.
  LooselyCoupled(const SystemStructure& structure, LinearBackend choice);

  MatrixSink sink() override;
  void clear() override;
  FactorStatus factor() override;
  const LinearReport& solve(std::span<double> b) override;
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override;
  [[nodiscard]] const char* name() const override { return name_.c_str(); }
  [[nodiscard]] size_t factor_entries() const override { return inner_->factor_entries(); }
  [[nodiscard]] double shared_work() const override { return inner_->shared_work(); }
  void use(Workers& workers) override { inner_->use(workers); }

  /// Of the last solution.
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  struct Block {
    int row, column;  ///< coordinates at which it begins
    Eigen::Matrix3d K;
  };
  void multiply(const double* x, double* out) const;

  std::vector<std::pair<int, int>> pairs_;
  int first_loose_;
  std::vector<int> fixed_;  ///< coordinates
  size_t unknowns_, coordinates_;
  std::unique_ptr<LinearSolver> inner_;
  std::string name_;
  std::vector<double> values_;  ///< 36 numbers a pair, columns first: rows of the second node
  std::vector<Block> blocks_;   ///< of P, those that are not zero
  std::vector<double> x_, r_, z_, p_, Ap_, Pp_;
  mutable std::vector<double> product_;  ///< by coordinate
  int iterations_ = 0;
};

}  // namespace hawser

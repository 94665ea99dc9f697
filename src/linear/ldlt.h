// Sparse L D L^T of a symmetric matrix that is in order already, over a pattern fixed at
// construction. The numeric work is in ldlt_kernels.h.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "base/aligned.h"
#include "base/workers.h"
#include "linear/ldlt_branches.h"
#include "linear/ldlt_shape.h"

namespace hawser {

/// No function but the constructor allocates. The numbers are the same for any number of workers.
class Ldlt {
 public:
  /// Work [multiplications] from which on a factorization is worth several threads: about a tenth
  /// of a millisecond.
  static constexpr double least_shared_work = 1e6;

  /// The leading `size` rows and columns of a matrix of which the upper triangle is given.
  Ldlt(const Eigen::SparseMatrix<double>& upper, int size, double least_work = least_shared_work);

  /// A pivot of this row that is smaller in size becomes -size; 0 at first.
  void set_floor(int row, double size) { floor_[row] = size; }
  /// Of the matrix with these values (all of `upper`, in its order). Without pivoting: where a
  /// pivot is zero or not finite, it and all after it are worthless.
  void factor(const double* upper_values, Workers& workers);
  /// b -> solution, in place.
  void solve(double* b, Workers& workers);
  [[nodiscard]] const AlignedVector& pivots() const { return pivots_; }
  /// Numbers kept of L, zeros within panels and the diagonal of ones counted.
  [[nodiscard]] size_t entries() const { return entries_; }
  [[nodiscard]] const LdltBranches& branches() const { return branches_; }

 private:
  void find_panels(const Eigen::SparseMatrix<double>& upper, int size);
  void find_updates();
  void find_entries(const Eigen::SparseMatrix<double>& upper, int size);
  [[nodiscard]] int place(const LdltShape::Panel& panel, int row) const;
  [[nodiscard]] LdltShape shape() const;
  LdltNumbers numbers(const double* matrix);
  void go_down(int branch, const double* b);
  void go_up(int branch, double* b);

  std::vector<LdltShape::Panel> panels_;
  std::vector<LdltShape::Update> updates_;
  std::vector<LdltShape::Run> runs_;
  std::vector<int> rows_;
  std::vector<int> panel_of_;  ///< by column
  std::vector<LdltShape::Entry> entries_of_matrix_;
  LdltBranches branches_;
  AlignedVector values_, floor_, pivots_, inverse_;
  AlignedVector x_;                  ///< by column, then the places of branches
  std::vector<unsigned> done_;       ///< by panel: the last turn in which it was factored
  std::vector<unsigned> down_, up_;  ///< by branch: the same of solutions
  unsigned factor_turn_ = 0, solve_turn_ = 0;
  size_t entries_ = 0;
};

}  // namespace hawser

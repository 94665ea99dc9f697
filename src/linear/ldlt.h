// Sparse L D L^T of a symmetric matrix that is in order already, over a pattern fixed at
// construction. The numeric work is in ldlt_kernels.h.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "base/aligned.h"
#include "linear/ldlt_shape.h"

namespace hawser {

/// No function but the constructor allocates.
class Ldlt {
 public:
  /// The leading `size` rows and columns of a matrix of which the upper triangle is given.
  Ldlt(const Eigen::SparseMatrix<double>& upper, int size);

  /// Takes the values of the matrix (all of `upper`, in its order) for the next factor().
  void load(const double* upper_values);
  /// A pivot of this row that is smaller in size becomes -size; 0 at first.
  void set_floor(int row, double size) { floor_[row] = size; }
  /// Without pivoting: where a pivot is zero or not finite, it and all after it are worthless.
  void factor();
  /// b -> solution, in place.
  void solve(double* b);
  [[nodiscard]] const AlignedVector& pivots() const { return pivots_; }
  /// Numbers kept of L, zeros within panels and the diagonal of ones counted.
  [[nodiscard]] size_t entries() const { return entries_; }

 private:
  void find_panels(const Eigen::SparseMatrix<double>& upper, int size);
  void find_updates();
  void find_positions(const Eigen::SparseMatrix<double>& upper, int size);
  [[nodiscard]] int place(const LdltShape::Panel& panel, int row) const;
  [[nodiscard]] LdltShape shape() const;
  LdltNumbers numbers();

  std::vector<LdltShape::Panel> panels_;
  std::vector<LdltShape::Update> updates_;
  std::vector<LdltShape::Run> runs_;
  std::vector<int> rows_;
  std::vector<int> panel_of_;   ///< by column
  std::vector<int> positions_;  ///< among values_, by entry of the upper triangle
  AlignedVector values_, floor_, pivots_, inverse_, scratch_;
  size_t entries_ = 0;
};

}  // namespace hawser

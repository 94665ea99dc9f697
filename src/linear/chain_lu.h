// The solver for chains whose matrix is not symmetric, as that of cable which runs through its
// elements: block-tridiagonal LU. With D_k the blocks of nodes, L_k and U_k what couples node k to
// the next one below and above the diagonal,
//
//     X_k = D_k^-1 U_k,   D_k+1 -= L_k X_k
//
// Rows are exchanged within a node only; so solutions are checked with the matrix as assembled, and
// refined once if need be.
#pragma once

#include <vector>

#include "linear/linear_solver.h"

namespace hawser {

class ChainLu final : public LinearSolver {
 public:
  /// Of a structure that is a chain but for its symmetry, without conditions and scalars.
  explicit ChainLu(const SystemStructure& structure);

  MatrixSink sink() override;
  void clear() override;
  FactorStatus factor() override;
  const LinearReport& solve(std::span<double> b) override;
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override;
  [[nodiscard]] const char* name() const override { return "block-tridiagonal LU"; }
  [[nodiscard]] size_t factor_entries() const override { return factors_.size(); }

 private:
  /// A coordinate whose motion is given, itself fixed or following one that is.
  struct Held {
    int coordinate, leader;
    size_t place;  ///< of the leader among the fixed coordinates
  };
  void take_out(const Held& held);
  void eliminate(double* x) const;
  [[nodiscard]] double row_times(int coordinate, const double* x) const;
  [[nodiscard]] double find_residual(const double* b, const double* x);

  int nodes_;
  std::vector<Held> held_;
  std::vector<char> is_held_;  ///< by coordinate
  std::vector<int> element_positions_, node_positions_;
  std::vector<double> values_;            ///< by node: D, L, U by columns
  std::vector<double> factors_;           ///< by node: D^-1, L, X
  std::vector<double> right_, residual_;  ///< by coordinate
};

}  // namespace hawser

// The solver for chains whose matrix is not symmetric, as that of cable which runs through its
// elements: block-tridiagonal LU from both ends (chain_lu_kernels.h). Diagonal blocks are inverted
// without exchanges or, where a pivot is small, with rows exchanged within a node. Solutions, but
// for columns of a border with the same factors, are checked with the matrix as assembled and
// refined once if need be.
#pragma once

#include <vector>

#include "linear/chain_lu_io.h"
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
  const LinearReport& middle_column(std::span<double> b, CoordinateRange reach) override;
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override;
  [[nodiscard]] const char* name() const override { return "block-tridiagonal LU"; }
  [[nodiscard]] size_t factor_entries() const override {
    return 3 * static_cast<size_t>(node_size * node_size) * static_cast<size_t>(nodes_);
  }

 private:
  /// A coordinate whose motion is given, itself fixed or following one that is. Its row and column
  /// leave the matrix; they are kept over the node before, its own and the one after.
  struct Held {
    int coordinate, leader;
    size_t place;  ///< of the leader among the fixed coordinates
    double known;  ///< of the solution under way
    double row[3 * node_size], column[3 * node_size];
  };
  void keep(Held& held) const;
  void begin(std::span<double> b);
  void finish(std::span<double> x) const;
  void take_out(const Held& held);
  [[nodiscard]] ChainLuNumbers numbers();
  FactorStatus factor_with_exchanges();
  double refine(double* x);

  int nodes_;
  bool assembled_ = false;  ///< a new matrix, not yet factored
  std::vector<Held> held_;
  AlignedVector panels_, skew_;           ///< MatrixSink
  AlignedVector factors_;                 ///< by pair of nodes (chain_lu_io.h)
  std::vector<double> right_, residual_;  ///< by coordinate
};

}  // namespace hawser

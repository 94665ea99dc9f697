// The solver for chains: block-tridiagonal L D L^T, linear in the number of nodes.
#pragma once

#include "linear/linear_solver.h"

namespace hawser {

class BlockTridiagonal final : public LinearSolver {
 public:
  explicit BlockTridiagonal(const SystemStructure& structure);

  MatrixSink sink() override;
  void clear() override {}  // the assembler overwrites every panel
  FactorStatus factor() override;
  const LinearReport& solve(std::span<double> b) override;
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override;
  [[nodiscard]] const char* name() const override { return "block-tridiagonal"; }

 private:
  /// A row of H over the coordinates of the node before, its own and the one after.
  struct Row {
    int coordinate;
    double entry[3 * node_size];
  };
  struct Reach {
    int first, from, to;
  };
  [[nodiscard]] Reach reach(const Row& row) const;
  void take_out(Row& row);

  int nodes_;
  std::vector<Row> fixed_;
  std::vector<double> known_;  ///< x at the fixed coordinates, during a solve
  AlignedVector panels_, inv_pivots_;
};

}  // namespace hawser

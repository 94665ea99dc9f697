// The solver for chains: block-tridiagonal L D L^T, linear in the number of nodes. Rigid rows over
// one node each are eliminated with coordinates of that node (node_rows.h); where rows alone change
// it is not factored again.
#pragma once

#include <utility>
#include <vector>

#include "linear/held_rows.h"
#include "linear/linear_solver.h"
#include "linear/node_rows.h"

namespace hawser {

class BlockTridiagonal final : public LinearSolver {
 public:
  explicit BlockTridiagonal(const SystemStructure& structure);

  MatrixSink sink() override;
  /// The assembler overwrites every panel.
  void clear() override { assembled_ = true; }
  FactorStatus factor() override;
  const LinearReport& solve(std::span<double> b) override;
  [[nodiscard]] CoordinateRange reach(CoordinateRange of) const override;
  void down(std::span<double> b, CoordinateRange reach) override;
  void down_column(std::span<double> b, CoordinateRange reach) override;
  const LinearReport& middle(std::span<double> b, CoordinateRange reach) override;
  void up(std::span<double> x) override;
  std::span<HeldForce> held_forces() override { return rows_.forces(); }
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override;
  [[nodiscard]] const char* name() const override { return "block-tridiagonal"; }
  [[nodiscard]] size_t factor_entries() const override {
    return static_cast<size_t>(15 * nodes_ + 36 * (nodes_ - 1));
  }

 private:
  void begin(std::span<double> b);
  void finish(std::span<double> x) const;

  int nodes_;
  std::vector<DofMap::Shared> followers_;  ///< of fixed coordinates: they are held, too
  std::vector<int> place_;  ///< by held row: its place among the fixed ones; -1: it is none of them
  NodeRows rows_;
  HeldRows held_;
  bool assembled_ = false;  ///< a new matrix, not yet factored
  AlignedVector panels_;
};

}  // namespace hawser

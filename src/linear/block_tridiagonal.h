// The solver for chains: block-tridiagonal L D L^T, linear in the number of nodes.
#pragma once

#include <utility>
#include <vector>

#include "linear/held_rows.h"
#include "linear/linear_solver.h"

namespace hawser {

class BlockTridiagonal final : public LinearSolver {
 public:
  explicit BlockTridiagonal(const SystemStructure& structure);

  MatrixSink sink() override;
  void clear() override {}  // the assembler overwrites every panel
  FactorStatus factor() override;
  const LinearReport& solve(std::span<double> b) override;
  [[nodiscard]] CoordinateRange reach(CoordinateRange of) const override;
  void down(std::span<double> b, CoordinateRange reach) override;
  const LinearReport& middle(std::span<double> b, CoordinateRange reach) override;
  void up(std::span<double> x) override;
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override;
  [[nodiscard]] const char* name() const override { return "block-tridiagonal"; }
  [[nodiscard]] size_t factor_entries() const override {
    return static_cast<size_t>(15 * nodes_ + 36 * (nodes_ - 1));
  }

 private:
  void begin(std::span<double> b);

  int nodes_;
  std::vector<DofMap::Shared> followers_;  ///< of fixed coordinates: they are held, too
  std::vector<int> place_;                 ///< by held row: its place among the fixed ones
  HeldRows held_;
  AlignedVector panels_;
  mutable std::vector<double> held_out_;  ///< by held row
};

}  // namespace hawser

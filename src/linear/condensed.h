// The solver for machines that cables are part of: cables are eliminated by the kernels of chains
// as far as nothing else touches them, and what remains is a small sparse system.
//
//     [ A  B^T ] [ x ]   [ r ]      A: the nodes of runs, block-tridiagonal
//     [ B  H   ] [ y ] = [ c ]      (H - B A^-1 B^T) y = c - B A^-1 r,   x = A^-1 (r - B^T y)
//
// A run is a row of nodes of a cable (ancf) that no condition, constraint, junction or body refers
// to. Its two ends couple to nodes that stay, or to nothing. A run that only begins at a node that
// stays is eliminated backwards: it is copied in reverse. The sparse solver has the nodes that
// stay, the bodies and the conditions, and solves with refinement (linear/sparse_kkt.h); trees of
// bodies are eliminated from it in turn (linear/joint_tree.h).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/kernels.h"
#include "linear/held_rows.h"
#include "linear/linear_solver.h"
#include "linear/run.h"

namespace hawser {

class Condensed final : public LinearSolver {
 public:
  /// Of a symmetric structure with chain_nodes, without scalars.
  explicit Condensed(const SystemStructure& structure);

  MatrixSink sink() override;
  void clear() override;
  FactorStatus factor() override;
  const LinearReport& solve(std::span<double> b) override;
  void change_to_lu() override;
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override;
  [[nodiscard]] const char* name() const override { return name_.c_str(); }
  [[nodiscard]] size_t factor_entries() const override;

  [[nodiscard]] double shared_work() const override { return rest_->shared_work(); }
  void use(Workers& workers) override;

  [[nodiscard]] int eliminated_nodes() const;

 private:
  struct Run {
    int first, nodes;
    int left, right;         ///< nodes of the rest, -1: none
    int pair;                ///< of both in the rest, -1 where there are not both
    bool reversed;           ///< copied, from its last node to its first
    size_t panels;           ///< where its panels begin: among all, or among those reversed
    size_t inverse, spikes;  ///< where these begin
  };
  /// An entry of a panel and where it goes in the matrix of the rest.
  struct Copy {
    int from, to;
  };

  void find_rest(const SystemStructure& structure);
  void find_runs(const SystemStructure& structure);
  [[nodiscard]] SystemStructure rest_structure(const SystemStructure& structure) const;
  void find_copies(const SystemStructure& rest);
  void eliminate();
  void copy_reversed(const Run& run);
  void load_left(const Run& run);
  void add_run(const Run& run);
  [[nodiscard]] RunNumbers numbers(const Run& run);
  double* vector_of(const Run& run, std::span<double> b);

  int nodes_, chain_nodes_, chain_elements_, conditions_;
  int kept_chain_nodes_ = 0;
  bool assembled_ = false;      ///< a new matrix, whose runs are to be eliminated
  std::vector<int> rest_node_;  ///< by node: its number in the rest, -1: eliminated
  std::vector<int> kept_;       ///< by node of the rest: its number
  std::vector<char> linked_;    ///< by node of the chains: to the next one
  std::vector<Run> runs_;
  std::vector<std::pair<int, int>> direct_;    ///< neighbours of a chain that both stay
  std::vector<Copy> copies_;                   ///< by where they go
  std::vector<size_t> copy_shares_;            ///< where each begins, and the end
  std::vector<int> chain_fixed_, rest_fixed_;  ///< places among the fixed coordinates
  HeldRows held_;                              ///< of the fixed coordinates within runs
  std::unique_ptr<LinearSolver> rest_;
  std::string name_;
  AlignedVector panels_, reversed_, inverse_, spikes_;
  Kernels::Pivots pivots_{};
  double corner_[spike_size] = {};
  double x_left_[node_size] = {};
  std::vector<double> y_, backwards_;
  mutable std::vector<double> rest_x_, rest_out_, chain_out_;
};

}  // namespace hawser

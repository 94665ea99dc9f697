// The solver for machines whose joints form trees: bodies are eliminated from the leaves, each with
// the rows of the joint to the body above it, as small dense blocks.
//
//     [ H    C^T  G^T ] c      c: a body; p: the body above, or the ground; r: rows over c and p
//     [ C    Hp   Gp^T] p      C: curvature of the rows
//     [ G    Gp   -E  ] r
//
// A body is a leaf when nothing that is left refers to it but rows and curvature over itself and
// one other node. Rows to the ground count only for the last body of a tree: a body that is held on
// both sides has its rows met by both. After H > 0 the pivots of r are those of -E - G H^-1 G^T,
// regular where the rows are independent motions of c against p, which the rows of a joint are.
// A body of which nothing is left but its part of one row over many nodes (a rope over blocks)
// hangs on that row, which stays: C is then that part, and what it leaves adds to the row's
// compliance. Loops, other rows over more than two nodes and bodies on nodes with fixed coordinates
// stay for the sparse solver, which has what the trees leave at their roots.
//
// A solution is checked with the matrix as assembled and refined as in sparse_kkt.h. Where that
// fails, or a pivot is lost, the sparse solver of the whole system takes over until the next
// factorization.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "linear/joint_leaves.h"
#include "linear/joint_tree_shape.h"
#include "linear/linear_solver.h"
#include "linear/sparse_kkt.h"

namespace hawser {

class JointTree final : public LinearSolver {
 public:
  /// Of a symmetric structure without scalars.
  explicit JointTree(const SystemStructure& structure);

  MatrixSink sink() override;
  void clear() override;
  FactorStatus factor() override;
  const LinearReport& solve(std::span<double> b) override;
  void change_to_lu() override;
  void fixed_rows_times(std::span<const double> x, std::span<double> out) const override;
  [[nodiscard]] const char* name() const override {
    return rest_ ? "trees eliminated, sparse LDL^T" : "trees eliminated";
  }
  [[nodiscard]] size_t factor_entries() const override;
  [[nodiscard]] double shared_work() const override { return rest_ ? rest_->shared_work() : 0; }
  void use(Workers& workers) override;

  [[nodiscard]] int eliminated_nodes() const { return static_cast<int>(joints_.size()); }

 private:
  struct Copy {
    int from, to;
  };

  void place_joints(const std::vector<JointLeaf>& leaves);
  void place_rows(const std::vector<JointLeaf>& leaves);
  void place_above(TreeJoint& joint, const JointLeaf& leaf, int ground);
  void find_rest();
  void find_positions();
  int six_entries(const std::vector<int>& row, int node);
  void gather_rows();
  void find_scales();
  void hand_on();
  [[nodiscard]] TreeNumbers numbers();
  bool take_over();
  bool solve_tree(AlignedVector& x, AlignedVector& r, TreeResidual& left);
  [[nodiscard]] bool is_small(const TreeResidual& left) const;
  bool settled(std::span<const double> b, TreeResidual& left, bool known);
  bool refine(std::span<const double> b);
  void split(std::span<const double> b);
  void join(std::span<double> b) const;

  const SystemStructure structure_;
  std::vector<TreeJoint> joints_;  ///< in the order of elimination
  std::vector<TreeRow> rows_;      ///< of the joints
  std::vector<int> conditions_;    ///< by row of the joints: its number
  std::vector<int> joint_of_;      ///< by node: its joint, -1: it stays
  std::vector<int> kept_;          ///< nodes of the rest
  std::vector<int> kept_conditions_;
  std::vector<int> rest_node_;   ///< by node: its number in the rest, -1: eliminated
  std::vector<Copy> scattered_;  ///< entries of rows that do not stand six by six
  std::vector<Copy> rest_rows_;  ///< entries of rows of the rest
  struct Root {
    int node, left;  ///< of the rest; where what the trees leave at it begins among the panels
    int scale;
  };
  std::vector<Root> roots_;
  struct RowRoot {
    int row, left;  ///< of the rest; as those of nodes
  };
  std::vector<RowRoot> row_roots_;
  std::vector<Copy> hung_;            ///< entries of rows that bodies hang on, and their place in C
  std::unique_ptr<SparseKkt> rest_;   ///< null: nothing is left
  std::unique_ptr<SparseKkt> whole_;  ///< once it was needed
  std::vector<Copy> whole_values_;
  bool by_whole_ = false;

  std::vector<int> node_positions_, pair_positions_, node_blocks_, pair_blocks_;  ///< MatrixSink
  AlignedVector values_;            ///< of the rest, then the blocks of the joints
  size_t rest_values_ = 0;          ///< how many are the rest's
  std::vector<double> entries_;     ///< MatrixSink::rows, then zeros, then those scattered
  std::vector<double> compliance_;  ///< by condition
  std::vector<double> own_compliance_, yields_;  ///< by row of the joints
  std::vector<double> scales_;  ///< inverse diagonal of H, 8 a node that joints touch
  AlignedVector panels_;
  int zeros_ = 0;   ///< where eight of the entries are zero
  int left_ = 0;    ///< the last place among the panels of what joints leave
  int rest_y_ = 0;  ///< where the rest begins in vectors
  /// Vectors: joint after joint, the ground, then the rest. x_: the solution; r_: what it leaves.
  AlignedVector x_, r_, change_;
  double rhs_[2] = {};  ///< largest of the coordinates and of the rows
  std::vector<char> curved_;
  Kernels::Pivots pivots_{};
  mutable std::vector<double> rest_x_;
};

/// Trees eliminated where there are any, else the sparse solver.
std::unique_ptr<LinearSolver> make_tree_solver(const SystemStructure& structure);

}  // namespace hawser

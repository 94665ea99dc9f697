// Trees of bodies eliminated from a larger system, against dense algebra and the sparse solver.
#include "linear/joint_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "allocations.h"
#include "random_system.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr int ground = -1;

/// Rows of a joint over two nodes, or a node and the ground; `curved`: with a pair.
void join(System& s, int a, int b, int rows, Random& random, bool curved = true) {
  std::vector<int> nodes = {std::min(a, b), std::max(a, b)};
  if (nodes[0] == ground) nodes.erase(nodes.begin());
  for (int k = 0; k < rows; ++k) add_row(s, nodes, random);
  if (nodes.size() < 2 || !curved) return;
  s.structure.pairs.emplace_back(nodes[0], nodes[1]);
  s.pair_blocks.push_back(0.2 * random.matrix<Matrix6>());
}

/// As small as rounding allows: what solutions are checked for.
void expect_small_residual(const MatrixXd& A, const VectorXd& x, const VectorXd& b,
                           const std::vector<int>& open) {
  const VectorXd r = (b - A * x)(open), terms = (A.cwiseAbs() * x.cwiseAbs())(open);
  EXPECT_LE(r.lpNorm<Eigen::Infinity>(),
            1e-12 * VectorXd(b(open)).lpNorm<Eigen::Infinity>() +
                32 * std::numeric_limits<double>::epsilon() * terms.maxCoeff());
}

/// Twice over (a matrix must not leave traces in the next), and again with rows switched off.
void check(System system, int eliminated) {
  JointTree tree(system.structure);
  EXPECT_EQ(tree.eliminated_nodes(), eliminated);
  const bool shares = !system.structure.sharing.empty();
  SparseKkt sparse(system.structure);
  Random random(77);
  const int rows = system.structure.conditions;
  if (system.compliance.size() == 0) system.compliance = VectorXd::Zero(rows);
  System other = system, off = system;
  for (Matrix6& m : other.node_blocks) m *= 3;
  for (auto& e : off.structure.condition_entries)
    if (e.row % 3 == 0) e.factor = 0;
  for (int r = 0; r < rows; r += 3) off.compliance[r] = 1;
  for (const System* s : std::initializer_list<const System*>{&system, &other, &off, &system}) {
    const VectorXd b = random.vector(s->structure.unknowns());
    const VectorXd expected = s->solve(b);
    const std::vector<int> open = s->free_unknowns();
    const MatrixXd A = s->kkt();
    const int negative = negative_eigenvalues(A(open, open)) - rows;
    for (LinearSolver* solver : std::initializer_list<LinearSolver*>{&tree, &sparse}) {
      SCOPED_TRACE(solver->name());
      s->write(*solver);
      s->write_rows(*solver);
      ASSERT_EQ(solver->factor(), FactorStatus::ok);
      const VectorXd x = solution(*solver, b);
      expect_close(x, expected, shares ? 1e-6 : 1e-10);
      EXPECT_EQ(solver->report().negative_pivots, negative);
      EXPECT_FALSE(solver->report().used_lu);
      if (!shares) expect_small_residual(A, x, b, open);
      std::vector<double> out(s->structure.fixed.size());
      solver->fixed_rows_times({x.data(), static_cast<size_t>(x.size())}, out);
      const int n = s->structure.coordinates();
      const VectorXd full = A.topLeftCorner(n, n) * x.head(n);
      for (size_t k = 0; k < out.size(); ++k)
        EXPECT_NEAR(out[k], full[s->structure.fixed[k]], 1e-11 * full.lpNorm<Eigen::Infinity>());
    }
  }
}

TEST(JointTree, ChainOfHinges) {
  System s = bodies(7, 1);
  Random random(2);
  for (int n = 0; n < 7; ++n) join(s, n - 1, n, 5, random);
  check(s, 7);
}

TEST(JointTree, ChainHeldAtItsLastBody) {
  System s = bodies(5, 3);
  Random random(4);
  for (int n = 0; n < 4; ++n) join(s, n, n + 1, 3, random);
  join(s, 4, ground, 5, random);
  check(s, 5);
}

TEST(JointTree, AnyNumberOfRows) {
  for (int rows = 0; rows <= most_joint_rows; ++rows) {
    SCOPED_TRACE(rows);
    System s = bodies(4, 5);
    Random random(6);
    s.structure.conditions = 0;
    for (int n = 1; n < 4; ++n) join(s, n - 1, n, rows, random);
    s.compliance = VectorXd::Constant(s.structure.conditions, 0.1);
    check(s, 4);
  }
}

TEST(JointTree, BranchesAndFreeBodies) {
  System s = bodies(9, 7);
  Random random(8);
  join(s, ground, 2, 6, random);
  join(s, 2, 0, 5, random);
  join(s, 0, 5, 3, random);
  join(s, 2, 7, 1, random, false);
  join(s, 7, 1, 4, random);
  join(s, 3, 4, 3, random);
  check(s, 9);  // 6 and 8 are free, 3 and 4 a tree of their own
}

TEST(JointTree, LoopsStay) {
  System s = bodies(7, 9);
  Random random(10);
  join(s, ground, 0, 5, random);
  join(s, 0, 1, 5, random);
  join(s, 1, 2, 3, random);
  join(s, 0, 2, 3, random);  // a loop of 0, 1 and 2
  join(s, 2, 3, 5, random);  // with trees on it
  join(s, 2, 4, 3, random);
  join(s, 4, 5, 5, random);
  join(s, 1, 6, 3, random);
  check(s, 4);
}

TEST(JointTree, HeldAtBothEndsStays) {
  System s = bodies(4, 11);
  Random random(12);
  for (int n = 0; n < 4; ++n) join(s, n - 1, n, 3, random);
  join(s, 3, ground, 2, random);
  check(s, 0);
}

/// A row over many bodies stays; bodies that have nothing else hang on it, trees below them too.
TEST(JointTree, BodiesHangOnARow) {
  System s = bodies(8, 13);
  Random random(14);
  add_row(s, {0, 1, 2, 6}, random);
  join(s, 2, 3, 5, random);
  join(s, 3, 4, 5, random);
  join(s, 0, 5, 3, random);
  check(s, 8);
  s.compliance = VectorXd::Constant(s.structure.conditions, 0.3);
  check(s, 8);
}

TEST(JointTree, TwoRowsOverManyBodiesStay) {
  System s = bodies(6, 32);
  Random random(33);
  add_row(s, {0, 1, 2}, random);
  add_row(s, {1, 2, 3}, random);
  join(s, 2, 4, 5, random);
  join(s, ground, 5, 5, random);
  check(s, 4);  // 4 and 5; 0 and 3 hang
}

TEST(JointTree, SharingRowsOverManyBodiesStay) {
  System s = bodies(4, 34);
  Random random(35);
  add_row(s, {0, 1, 2}, random);
  join(s, 2, 3, 5, random);
  s.structure.sharing.assign(static_cast<size_t>(s.structure.conditions), 0);
  s.structure.sharing[0] = 1;
  check(s, 1);
}

TEST(JointTree, BodiesOnCables) {
  System s = chains({6, 4}, Definite::yes, 15);
  s.structure.fixed = {0, 1, 2, 44, 45};
  Random random(16);
  s.node_blocks.assign(static_cast<size_t>(s.structure.nodes), Matrix6::Zero());
  for (const Matrix6& block : bodies(4, 17).node_blocks) s.node_blocks.push_back(block);
  s.structure.nodes += 4;
  join(s, 6, 12, 5, random);
  join(s, 12, 13, 5, random);
  join(s, 9, 14, 3, random);
  join(s, 7, 15, 3, random);  // node 7 has fixed coordinates: 15 stays
  check(s, 3);
}

/// Entries in any order, some missing, some twice.
TEST(JointTree, RowsWithGaps) {
  System s = bodies(3, 18);
  Random random(19);
  s.structure.conditions = 3;
  s.structure.condition_entries = {
      {0, 8, 0.5}, {0, 7, 1},    {0, 0, -1},   {0, 3, 0.2}, {1, 6, 1},    {1, 6, 0.3},  {1, 2, -1},
      {2, 12, 1},  {2, 13, 0.5}, {2, 14, 0.2}, {2, 15, -1}, {2, 16, 0.4}, {2, 17, 0.1}, {2, 9, -1}};
  check(s, 3);
}

TEST(JointTree, CompliantRows) {
  System s = bodies(5, 20);
  Random random(21);
  for (int n = 0; n < 5; ++n) join(s, n - 1, n, 4, random);
  s.compliance = random.vector(s.structure.conditions).cwiseAbs();
  check(s, 5);
}

/// Rows that repeat each other share their force as in the sparse solver.
TEST(JointTree, RepeatedRowsShare) {
  System s = bodies(3, 22);
  Random random(23);
  for (int n = 0; n < 3; ++n) join(s, n - 1, n, 3, random);
  const auto entries = s.structure.condition_entries;
  for (auto e : entries) {  // the rows of the last joint again
    if (e.row < 6) continue;
    e.row += 3;
    s.structure.condition_entries.push_back(e);
  }
  s.structure.conditions += 3;
  s.structure.sharing.assign(static_cast<size_t>(s.structure.conditions), 1);
  s.compliance = VectorXd::Zero(s.structure.conditions);
  JointTree tree(s.structure);
  EXPECT_EQ(tree.eliminated_nodes(), 3);
  SparseKkt sparse(s.structure);
  VectorXd b = random.vector(s.structure.unknowns()), x[2];
  b.tail(3) = b.segment(b.size() - 6, 3);
  for (int i = 0; i < 2; ++i) {
    LinearSolver& solver = i == 0 ? static_cast<LinearSolver&>(tree) : sparse;
    s.write(solver);
    s.write_rows(solver);
    ASSERT_EQ(solver.factor(), FactorStatus::ok);
    x[i] = solution(solver, b);
    EXPECT_EQ(solver.report().status, FactorStatus::ok);
  }
  expect_close(x[0].head(18), x[1].head(18), 1e-9);
  expect_close(x[0].tail(3), x[0].segment(b.size() - 6, 3), 1e-5);  // each has its half
  expect_close(x[0].tail(12), x[1].tail(12), 1e-5);
}

/// A body that nothing but its rows holds: no pivot, but a regular system.
TEST(JointTree, TheSparseSolverTakesOver) {
  System s = bodies(3, 24);
  Random random(25);
  for (int n = 0; n < 3; ++n) join(s, n - 1, n, n == 2 ? 6 : 3, random, false);
  s.node_blocks[2].setZero();
  JointTree tree(s.structure);
  EXPECT_EQ(tree.eliminated_nodes(), 3);
  const System regular = [&] {
    System other = s;
    other.node_blocks[2] = Matrix6::Identity();
    return other;
  }();
  for (const System* now : std::initializer_list<const System*>{&s, &regular, &s}) {
    now->write(tree);
    now->write_rows(tree);
    ASSERT_EQ(tree.factor(), FactorStatus::ok);
    EXPECT_EQ(tree.report().used_lu, now == &s);
    const VectorXd b = random.vector(s.structure.unknowns());
    expect_close(solution(tree, b), now->solve(b), 1e-9);
  }
}

TEST(JointTree, ChangesToLu) {
  System s = bodies(3, 26);
  Random random(27);
  for (int n = 0; n < 3; ++n) join(s, n - 1, n, 3, random);
  JointTree tree(s.structure);
  s.write(tree);
  s.write_rows(tree);
  ASSERT_EQ(tree.factor(), FactorStatus::ok);
  tree.change_to_lu();
  EXPECT_TRUE(tree.report().used_lu);
  const VectorXd b = random.vector(s.structure.unknowns());
  expect_close(solution(tree, b), s.solve(b), 1e-10);
}

TEST(JointTree, NotFiniteAndSingular) {
  System s = bodies(4, 28);
  Random random(29);
  for (int n = 0; n < 4; ++n) join(s, n - 1, n, 3, random);
  JointTree tree(s.structure);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()})
    for (int n = 0; n < 4; ++n) {
      System broken = s;
      broken.node_blocks[static_cast<size_t>(n)](2, 2) = bad;
      broken.write(tree);
      broken.write_rows(tree);
      EXPECT_EQ(tree.factor(), FactorStatus::not_finite);
    }
  System loose = s;
  loose.node_blocks[3].setZero();
  loose.pair_blocks[2].setZero();
  loose.write(tree);
  loose.write_rows(tree);
  EXPECT_EQ(tree.factor(), FactorStatus::singular);
}

#ifdef COUNTS_ALLOCATIONS
TEST(JointTree, NoAllocation) {
  System s = bodies(6, 30);
  Random random(31);
  for (int n = 0; n < 5; ++n) join(s, n - 1, n, 5, random);
  add_row(s, {3, 4, 5}, random);
  JointTree tree(s.structure);
  VectorXd b = random.vector(s.structure.unknowns());
  const std::span<double> x(b.data(), static_cast<size_t>(b.size()));
  const long before = allocations;
  for (int i = 0; i < 3; ++i) {
    s.write(tree);
    s.write_rows(tree);
    EXPECT_EQ(tree.factor(), FactorStatus::ok);
    tree.solve(x);
  }
  EXPECT_EQ(allocations, before);
}
#endif

}  // namespace
}  // namespace hawser::HAWSER_FILE

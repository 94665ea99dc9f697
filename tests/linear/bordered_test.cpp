// Systems with scalars in a border, and nodes that have a position only, against dense solutions.
#include <gtest/gtest.h>

#include <limits>

#include "elements/element_block.h"
#include "random_system.h"

namespace hawser::HAWSER_FILE {
namespace {

/// A random positive definite element matrix.
Matrix12 random_element(Random& random) {
  Matrix12 m;
  for (double& x : m.reshaped()) x = random();
  return m * m.transpose() + 3 * Matrix12::Identity();
}

struct Border {
  MatrixXd B, C, F;  ///< columns, rows, corner over the coordinates of nodes
};

Border random_border(Random& random, int coordinates, int scalars) {
  Border out{MatrixXd(coordinates, scalars), MatrixXd(scalars, coordinates),
             MatrixXd(scalars, scalars)};
  for (MatrixXd* m : {&out.B, &out.C, &out.F})
    for (double& x : m->reshaped()) x = random();
  out.F.diagonal().array() += 30;
  return out;
}

System chain_system(Random& random, int nodes, int scalars) {
  System s;
  s.structure.nodes = nodes;
  s.structure.scalars = scalars;
  for (int e = 0; e + 1 < nodes; ++e) {
    s.structure.elements.emplace_back(e, e + 1);
    s.elements.push_back(random_element(random));
  }
  return s;
}

/// The dense matrix of all unknowns: nodes, scalars, conditions.
MatrixXd dense(const System& s, const Border& border) {
  MatrixXd A = s.kkt();
  const int n = s.structure.node_coordinates(), k = s.structure.scalars;
  A.block(0, n, n, k) += border.B;
  A.block(n, 0, k, n) += border.C;
  A.block(n, n, k, k) += border.F;
  return A;
}

void write(const System& s, const Border& border, LinearSolver& solver) {
  s.write(solver);
  const MatrixSink sink = solver.sink();
  for (int j = 0; j < s.structure.scalars; ++j) {
    for (int c = 0; c < s.structure.node_coordinates(); ++c)
      add_border(sink, j, c, border.B(c, j), border.C(j, c));
    for (int i = 0; i < s.structure.scalars; ++i) add_corner(sink, i, j, border.F(i, j));
  }
  if (s.structure.conditions > 0) s.write_rows(solver);
}

void expect_solution(const System& s, const Border& border, LinearBackend backend) {
  const auto solver = make_linear_solver(s.structure, backend);
  write(s, border, *solver);
  ASSERT_EQ(solver->factor(), FactorStatus::ok);
  Random random(9);
  VectorXd b(s.structure.unknowns());
  for (double& x : b) x = random();
  VectorXd x = b;
  solver->solve({x.data(), static_cast<size_t>(x.size())});
  const MatrixXd A = dense(s, border);
  for (const int c : s.structure.fixed) EXPECT_EQ(x[c], b[c]);
  VectorXd residual = A * x - b;
  std::vector<double> rows(s.structure.fixed.size());
  solver->fixed_rows_times({x.data(), static_cast<size_t>(x.size())}, rows);
  for (size_t k = 0; k < rows.size(); ++k) {
    const int c = s.structure.fixed[k];
    // The rows of H alone, without what conditions do to them.
    const double expected =
        A.row(c).head(s.structure.coordinates()).dot(x.head(s.structure.coordinates()));
    EXPECT_NEAR(rows[k], expected, 1e-10 * A.cwiseAbs().maxCoeff());
    residual[c] = 0;
  }
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Bordered, SolvesChainsAndSparseSystems) {
  for (const int scalars : {1, 2, 3})
    for (const LinearBackend backend : {LinearBackend::chain, LinearBackend::sparse}) {
      Random random(static_cast<unsigned>(scalars));
      System s = chain_system(random, 5, scalars);
      s.structure.fixed = {0, 1, 8, 17};
      expect_solution(s, random_border(random, 30, scalars), backend);
    }
}

TEST(Bordered, ScalarsMayBeFixedAndHeldByConditions) {
  Random random(4);
  System s = chain_system(random, 4, 3);
  const int first = s.structure.scalar(0);
  s.structure.fixed = {2, first + 1};
  s.structure.conditions = 2;
  s.structure.condition_entries = {
      {0, 3, 1.0}, {0, first, -0.7}, {1, 12, 0.4}, {1, first + 2, 1.0}};
  s.compliance = VectorXd::Constant(2, 0.2);
  expect_solution(s, random_border(random, 24, 3), LinearBackend::automatic);
}

TEST(Bordered, SaysThatItIsSingular) {
  Random random(5);
  const System s = chain_system(random, 3, 2);
  Border border = random_border(random, 18, 2);
  border.B.col(1) = border.B.col(0);
  border.C.row(1) = border.C.row(0);
  border.F.setConstant(border.F(0, 0));
  const auto solver = make_linear_solver(s.structure, LinearBackend::chain);
  write(s, border, *solver);
  EXPECT_EQ(solver->factor(), FactorStatus::singular);
}

/// Scalars that couple to a few nodes, wherever these are in the chain, and a symmetric border.
TEST(Bordered, ReachesFromItsNodesToTheMiddle) {
  for (const int nodes : {2, 5, 6, 9})
    for (int node = 0; node < nodes; ++node) {
      Random random(static_cast<unsigned>(nodes + 20 * node));
      System s = chain_system(random, nodes, 1);
      Border border = random_border(random, 6 * nodes, 1);
      for (int c = 0; c < 6 * nodes; ++c)
        if (c / 6 != node) border.B(c, 0) = 0;
      border.C = border.B.transpose();
      SCOPED_TRACE(testing::Message() << "node " << node << " of " << nodes);
      expect_solution(s, border, LinearBackend::chain);
      s.structure.fixed = {0, 6 * node + 2};
      if (node == 0) s.structure.fixed = {2};
      expect_solution(s, border, LinearBackend::chain);
    }
}

/// Nodes that are joined where they are held, as a cable in an eyelet: still chains.
TEST(Bordered, FollowsWhatIsFixed) {
  for (const LinearBackend backend : {LinearBackend::chain, LinearBackend::sparse}) {
    System s = chains({3, 4}, Definite::yes, 7);
    s.structure.scalars = 1;
    s.structure.fixed = {0, 18, 19, 20};
    s.structure.shared = {{24, 18}, {25, 19}, {26, 20}};
    Random random(8);
    const int n = s.structure.node_coordinates();
    Border border = random_border(random, n, 1);
    for (int c = 0; c < n; ++c)
      if (c / 6 < 2 || c / 6 > 5) border.B(c, 0) = 0;
    border.C = border.B.transpose();
    const auto solver = make_linear_solver(s.structure, backend);
    write(s, border, *solver);
    ASSERT_EQ(solver->factor(), FactorStatus::ok);
    MatrixXd A = dense(s, border);  // of joined nodes as one
    for (const auto& [follower, leader] : s.structure.shared) {
      A.row(leader) += A.row(follower), A.row(follower).setZero();
      A.col(leader) += A.col(follower), A.col(follower).setZero();
    }
    VectorXd b = random.vector(s.structure.unknowns()), x = b;
    for (const auto& [follower, leader] : s.structure.shared) b[follower] = 0;
    x = solution(*solver, b);
    VectorXd residual = A * x - b;
    std::vector<double> rows(s.structure.fixed.size());
    solver->fixed_rows_times({x.data(), static_cast<size_t>(x.size())}, rows);
    for (size_t k = 0; k < rows.size(); ++k) {
      const int c = s.structure.fixed[k];
      EXPECT_EQ(x[c], b[c]);
      EXPECT_NEAR(rows[k], A.row(c).dot(x), 1e-10 * A.cwiseAbs().maxCoeff());
      residual[c] = 0;
    }
    for (const auto& [follower, leader] : s.structure.shared) {
      EXPECT_EQ(x[follower], x[leader]);
      residual[follower] = 0;
    }
    EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-10);
  }
}

/// Chains whose matrix is not symmetric: fixed and following coordinates, scalars, and rows, all of
/// which are in the border.
TEST(ChainLu, AgainstDense) {
  // By how much the first pivot is smaller: rows are exchanged where it is too small.
  for (const double pivot : {1.0, 1e-4, 1e-9, 0.0})
    for (const std::vector<int>& lengths : {std::vector{3, 4}, {1, 1}, {9, 1}, {2, 2}}) {
      System s = chains(lengths, Definite::yes, 17);
      Random random(18);
      for (Matrix12& e : s.elements) e += 0.5 * random.matrix<Matrix12>();
      s.elements[0](1, 1) *= pivot;
      s.structure.symmetric = false;
      const int a = 6 * lengths[0], n = s.structure.node_coordinates();
      s.structure.scalars = 2;
      s.structure.fixed = {0, a, a + 1, a + 2};
      s.structure.shared = {{a + 6, a}, {a + 7, a + 1}, {a + 8, a + 2}};
      s.structure.conditions = 2;
      s.structure.condition_entries = {{0, a + 3, 0.7}, {0, a + 9, -0.4}, {1, n, 1.0}, {1, 4, 0.3}};
      s.structure.rigid = {1, 1};
      s.compliance = VectorXd{{0, 0.2}};
      const Border border = random_border(random, n, 2);
      const auto solver = make_linear_solver(s.structure, LinearBackend::automatic);
      ASSERT_STREQ(solver->name(), "block-tridiagonal LU, bordered");
      MatrixXd A = s.kkt();  // of joined nodes as one
      A.block(0, n, n, 2) += border.B;
      A.block(n, 0, 2, n) += border.C;
      A.block(n, n, 2, 2) += border.F;
      for (const auto& [follower, leader] : s.structure.shared) {
        A.row(leader) += A.row(follower), A.row(follower).setZero();
        A.col(leader) += A.col(follower), A.col(follower).setZero();
      }
      const auto write_all = [&] {
        solver->clear();
        const MatrixSink sink = solver->sink();
        std::fill(sink.panels, sink.panels + panel_size * sink.panel_nodes, 0.0);
        for (int e = 0; e < static_cast<int>(s.elements.size()); ++e)
          add_element_block(sink, e, s.structure.elements[e].first, s.elements[e].data());
        for (int j = 0; j < 2; ++j) {
          for (int c = 0; c < n; ++c) add_border(sink, j, c, border.B(c, j), border.C(j, c));
          for (int i = 0; i < 2; ++i) add_corner(sink, i, j, border.F(i, j));
        }
        s.write_rows(*solver);
      };
      write_all();
      ASSERT_EQ(solver->factor(), FactorStatus::ok);
      VectorXd b = random.vector(s.structure.unknowns());
      for (const auto& [follower, leader] : s.structure.shared) b[follower] = 0;
      const VectorXd x = solution(*solver, b);
      VectorXd residual = A * x - b;
      std::vector<double> rows(s.structure.fixed.size());
      solver->fixed_rows_times({x.data(), static_cast<size_t>(x.size())}, rows);
      for (size_t k = 0; k < rows.size(); ++k) {
        const int c = s.structure.fixed[k];
        EXPECT_EQ(x[c], b[c]);
        EXPECT_NEAR(rows[k], A.row(c).head(n + 2).dot(x.head(n + 2)),
                    1e-10 * A.cwiseAbs().maxCoeff());
        residual[c] = 0;
      }
      for (const auto& [follower, leader] : s.structure.shared) {
        EXPECT_EQ(x[follower], x[leader]);
        residual[follower] = 0;
      }
      EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-10);
      s.elements[0].col(3).setZero();
      s.elements[0].row(3).setZero();
      write_all();
      EXPECT_EQ(solver->factor(), FactorStatus::singular);
      s.elements[0](3, 3) = std::numeric_limits<double>::quiet_NaN();
      write_all();
      EXPECT_EQ(solver->factor(), FactorStatus::not_finite);
    }
}

/// The slopes of narrow nodes are no unknowns, whatever is written to them.
TEST(NarrowNodes, HaveThreeUnknowns) {
  Random random(6);
  System s = chain_system(random, 5, 0);
  s.structure.narrow = {1, 1, 0, 1, 1};
  s.structure.fixed = {0, 7};
  s.structure.conditions = 1;
  s.structure.condition_entries = {{0, 6, 1.0}, {0, 9, 5.0}, {0, 25, -1.0}};
  s.compliance = VectorXd::Zero(1);
  const auto solver = make_linear_solver(s.structure, LinearBackend::sparse);
  s.write(*solver);
  s.write_rows(*solver);
  ASSERT_EQ(solver->factor(), FactorStatus::ok);
  VectorXd b(s.structure.unknowns());
  for (double& x : b) x = random();
  VectorXd x = b;
  solver->solve({x.data(), static_cast<size_t>(x.size())});
  System held = s;  // the same with the slopes held at zero
  for (int c = 0; c < 30; ++c)
    if (!s.structure.is_unknown(c)) held.structure.fixed.push_back(c), b[c] = 0;
  std::sort(held.structure.fixed.begin(), held.structure.fixed.end());
  const VectorXd expected = held.solve(b);
  EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_EQ(std::count(x.begin(), x.end(), 0.0), 12);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

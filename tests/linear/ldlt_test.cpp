// The sparse L D L^T against dense algebra, over patterns that give panels of every width.
#include "linear/ldlt.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "linear/dissection.h"
#include "random_system.h"

namespace hawser::HAWSER_FILE {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse upper_of(const MatrixXd& full) {
  const Sparse all = full.sparseView();
  return all.triangularView<Eigen::Upper>();
}

/// Dominant diagonals of both signs: no pivoting needed.
MatrixXd random_matrix(int n, double density, unsigned seed) {
  Random random(seed);
  MatrixXd m = MatrixXd::Zero(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i)
      if (random() < 2 * density - 1) m(i, j) = m(j, i) = random();
  for (int i = 0; i < n; ++i) m(i, i) = (i % 3 == 1 ? -1 : 1) * (m.row(i).cwiseAbs().sum() + 1);
  return m;
}

/// D of the dense L D L^T without pivoting.
VectorXd pivots_of(MatrixXd m) {
  const Eigen::Index n = m.rows();
  for (Eigen::Index k = 0; k < n; ++k)
    for (Eigen::Index j = k + 1; j < n; ++j)
      m.col(j).tail(n - k - 1) -= m(j, k) / m(k, k) * m.col(k).tail(n - k - 1);
  return m.diagonal();
}

void check_shared(const MatrixXd& m, int size, double least_work, Workers& workers) {
  SCOPED_TRACE(testing::Message() << m.rows() << " rows, " << workers.count() << " workers");
  const Sparse upper = upper_of(m);
  Ldlt ldlt(upper, size, least_work);
  const MatrixXd part = m.topLeftCorner(size, size);
  const VectorXd b = Random(3).vector(size), expected = part.partialPivLu().solve(b);
  for (int repeat = 0; repeat < 2; ++repeat) {  // the first must leave no traces
    ldlt.factor(upper.valuePtr(), workers);
    VectorXd x = b;
    ldlt.solve(x.data(), workers);
    EXPECT_LE((x - expected).lpNorm<Eigen::Infinity>(), 1e-13 * expected.lpNorm<Eigen::Infinity>());
    const VectorXd pivots = pivots_of(part);
    for (int i = 0; i < size; ++i)
      EXPECT_NEAR(ldlt.pivots()[i], pivots[i], 1e-12 * std::abs(pivots[i]));
  }
}

/// At once, and in branches by one and by several.
void check(const MatrixXd& m, int size) {
  static Workers three(3);
  check_shared(m, size, HUGE_VAL, one_worker());
  check_shared(m, size, 0, one_worker());
  check_shared(m, size, 0, three);
}

TEST(Ldlt, RandomPatterns) {
  for (unsigned seed = 0; seed < 40; ++seed)
    for (const double density : {0.02, 0.1, 0.4}) check(random_matrix(45, density, seed), 45);
}

TEST(Ldlt, DenseOfEverySize) {
  for (int n = 1; n <= 35; ++n) {
    check(random_matrix(n, 1, n), n);
    EXPECT_EQ(Ldlt(upper_of(random_matrix(n, 1, n)), n).entries(), n * (n + 1) / 2);
  }
}

TEST(Ldlt, LeadingPart) {
  check(random_matrix(40, 0.2, 5), 31);
  check(random_matrix(40, 0.2, 5), 0);
}

/// Dense blocks of every width, tied together by a last row: each gives but one row.
TEST(Ldlt, BlocksAndARow) {
  for (int width = 1; width <= 10; ++width) {
    const int n = 5 * width + 1;
    MatrixXd m = random_matrix(n, 1, width);
    for (int i = 0; i < n - 1; ++i)
      for (int j = 0; j < n - 1; ++j)
        if (i / width != j / width) m(i, j) = 0;
    check(m, n);
    EXPECT_EQ(Ldlt(upper_of(m), n).entries(), 5 * width * (width + 3) / 2 + 1) << width;
  }
}

/// A net of n x n nodes of three unknowns, in nested dissection.
Sparse net_matrix(int n) {
  Graph graph;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      if (y > 0) graph.neighbours.push_back(n * (y - 1) + x);
      if (x > 0) graph.neighbours.push_back(n * y + x - 1);
      if (x < n - 1) graph.neighbours.push_back(n * y + x + 1);
      if (y < n - 1) graph.neighbours.push_back(n * (y + 1) + x);
      graph.begin.push_back(static_cast<int>(graph.neighbours.size()));
    }
  const std::vector<int> order = nested_dissection(graph);
  std::vector<int> rank(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    rank[static_cast<size_t>(order[i])] = static_cast<int>(i);
  Random random(7);
  std::vector<Eigen::Triplet<double>> entries;
  const auto add_block = [&](int a, int b) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (const int row = 3 * a + i, column = 3 * b + j; row <= column)
          entries.emplace_back(row, column, row == column ? 20 : random());
  };
  for (int node = 0; node < n * n; ++node) {
    const int own = rank[static_cast<size_t>(node)];
    add_block(own, own);
    for (int k = graph.begin[static_cast<size_t>(node)];
         k < graph.begin[static_cast<size_t>(node) + 1]; ++k)
      add_block(own, rank[static_cast<size_t>(graph.neighbours[static_cast<size_t>(k)])]);
  }
  Sparse upper(3 * n * n, 3 * n * n);
  upper.setFromTriplets(entries.begin(), entries.end());
  return upper;
}

/// The bits do not depend on who does the work, nor does the division.
TEST(Ldlt, SameBitsForAnyNumberOfWorkers) {
  const Sparse upper = net_matrix(28);
  const int n = static_cast<int>(upper.rows());
  Ldlt ldlt(upper, n);
  const LdltBranches& branches = ldlt.branches();
  EXPECT_GT(branches.work(), Ldlt::least_shared_work);
  EXPECT_GE(branches.subtrees(), 6);
  EXPECT_GT(branches.count(), branches.subtrees());
  const VectorXd b = Random(8).vector(n);
  VectorXd first, first_pivots;
  const size_t bytes = sizeof(double) * static_cast<size_t>(n);
  for (const int count : {1, 2, 3, 5}) {
    Workers workers(count);
    for (int repeat = 0; repeat < 20; ++repeat) {
      ldlt.factor(upper.valuePtr(), workers);
      VectorXd x = b;
      ldlt.solve(x.data(), workers);
      const VectorXd pivots = Eigen::Map<const VectorXd>(ldlt.pivots().data(), n);
      if (first.size() == 0) {
        first = x;
        first_pivots = pivots;
        const VectorXd residual = upper.selfadjointView<Eigen::Upper>() * x - b;
        EXPECT_LE(residual.lpNorm<Eigen::Infinity>(), 1e-13);
      }
      ASSERT_EQ(std::memcmp(x.data(), first.data(), bytes), 0) << count;
      ASSERT_EQ(std::memcmp(pivots.data(), first_pivots.data(), bytes), 0);
    }
  }
}

/// Every column belongs to one branch, and no branch comes after its parent.
TEST(Ldlt, Branches) {
  for (const Sparse& upper :
       {net_matrix(20), upper_of(random_matrix(90, 0.02, 3)), upper_of(random_matrix(12, 0, 1)),
        upper_of(random_matrix(40, 1, 2))}) {
    const Ldlt ldlt(upper, static_cast<int>(upper.rows()), 0);
    const LdltBranches& branches = ldlt.branches();
    std::vector<int> seen(static_cast<size_t>(upper.rows()));
    for (int branch = 0; branch < branches.count(); ++branch) {
      for (const auto& [first, last] : branches.columns(branch))
        for (int c = first; c < last; ++c) ++seen[static_cast<size_t>(c)];
      EXPECT_TRUE(branches.parent(branch) < 0 || branches.parent(branch) > branch);
      EXPECT_TRUE(branches.parent(branch) < 0 || branches.parent(branch) >= branches.subtrees());
    }
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
  }
}

/// A pivot below its floor is replaced: the factorization is that of a matrix with this much more
/// on the diagonal.
TEST(Ldlt, Floor) {
  MatrixXd m = random_matrix(20, 0.3, 9);
  const Sparse upper = upper_of(m);
  Ldlt ldlt(upper, 20);
  const VectorXd pivots = pivots_of(m);
  for (int row = 0; row < 20; ++row)
    ldlt.set_floor(row, row == 6  ? 1.01 * std::abs(pivots[6])
                        : row < 6 ? 0.99 * std::abs(pivots[row])
                                  : 0);
  ldlt.factor(upper.valuePtr(), one_worker());
  m(6, 6) += -1.01 * std::abs(pivots[6]) - pivots[6];
  const VectorXd b = Random(4).vector(20), expected = m.partialPivLu().solve(b);
  VectorXd x = b;
  ldlt.solve(x.data(), one_worker());
  EXPECT_LE((x - expected).lpNorm<Eigen::Infinity>(), 1e-12 * expected.lpNorm<Eigen::Infinity>());
}

/// A zero pivot is seen where it arises, not hidden by a NaN before.
TEST(Ldlt, ZeroPivot) {
  MatrixXd m = random_matrix(12, 0, 6);
  m(4, 4) = 0;
  m(4, 9) = m(9, 4) = 1;
  const Sparse upper =
      upper_of(m + MatrixXd::Identity(12, 12)) - upper_of(MatrixXd::Identity(12, 12));
  Ldlt ldlt(upper, 12);
  ldlt.factor(upper.valuePtr(), one_worker());
  for (int i = 0; i < 4; ++i) EXPECT_EQ(ldlt.pivots()[i], m(i, i));
  EXPECT_EQ(ldlt.pivots()[4], 0);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

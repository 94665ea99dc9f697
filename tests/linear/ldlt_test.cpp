// The sparse L D L^T against dense algebra, over patterns that give panels of every width.
#include "linear/ldlt.h"

#include <gtest/gtest.h>

#include <vector>

#include "random_system.h"

namespace hawser {
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

void check(const MatrixXd& m, int size) {
  SCOPED_TRACE(testing::Message() << m.rows() << " rows");
  const Sparse upper = upper_of(m);
  Ldlt ldlt(upper, size);
  const MatrixXd part = m.topLeftCorner(size, size);
  const VectorXd b = Random(3).vector(size), expected = part.partialPivLu().solve(b);
  for (int repeat = 0; repeat < 2; ++repeat) {  // the first must leave no traces
    ldlt.load(upper.valuePtr());
    ldlt.factor();
    VectorXd x = b;
    ldlt.solve(x.data());
    EXPECT_LE((x - expected).lpNorm<Eigen::Infinity>(), 1e-13 * expected.lpNorm<Eigen::Infinity>());
    const VectorXd pivots = pivots_of(part);
    for (int i = 0; i < size; ++i)
      EXPECT_NEAR(ldlt.pivots()[i], pivots[i], 1e-12 * std::abs(pivots[i]));
  }
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
  ldlt.load(upper.valuePtr());
  ldlt.factor();
  m(6, 6) += -1.01 * std::abs(pivots[6]) - pivots[6];
  const VectorXd b = Random(4).vector(20), expected = m.partialPivLu().solve(b);
  VectorXd x = b;
  ldlt.solve(x.data());
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
  ldlt.load(upper.valuePtr());
  ldlt.factor();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(ldlt.pivots()[i], m(i, i));
  EXPECT_EQ(ldlt.pivots()[4], 0);
}

}  // namespace
}  // namespace hawser

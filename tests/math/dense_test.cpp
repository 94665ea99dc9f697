#include "math/dense.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <complex>
#include <random>
#include <vector>

namespace hawser::HAWSER_FILE {
namespace {

Eigen::MatrixXd random_matrix(int n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  return Eigen::MatrixXd::NullaryExpr(n, n, [&] { return number(engine); });
}

TEST(Dense, LuSolves) {
  for (const int n : {1, 2, 5, 20}) {
    const Eigen::MatrixXd a = random_matrix(n, 1U + static_cast<unsigned>(n));
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(n, 1, 2);
    Eigen::MatrixXd lu = a;
    Eigen::VectorXd x = b;
    std::vector<int> exchanges(static_cast<size_t>(n));
    EXPECT_GT(factor_lu(n, lu.data(), exchanges.data()), 1e-4);
    solve_lu(n, lu.data(), exchanges.data(), x.data());
    EXPECT_LT((a * x - b).norm(), 1e-12) << n;
  }
}

TEST(Dense, LuExchangesRows) {
  Eigen::Matrix2d a{{0, 2}, {3, 0}};
  Eigen::Vector2d x(4, 9);
  int exchanges[2];
  EXPECT_NEAR(factor_lu(2, a.data(), exchanges), 2.0 / 3, 1e-15);
  solve_lu(2, a.data(), exchanges, x.data());
  EXPECT_EQ(x, Eigen::Vector2d(3, 2));
}

TEST(Dense, LuOfComplexNumbers) {
  using Complex = std::complex<double>;
  Eigen::Matrix2cd a;
  a << Complex(0, 1), 2, 1, Complex(3, -1);
  const Eigen::Matrix2cd kept = a;
  const Eigen::Vector2cd b(Complex(1, 1), 2);
  Eigen::Vector2cd x = b;
  int exchanges[2];
  EXPECT_GT(factor_lu(2, a.data(), exchanges), 0);
  solve_lu(2, a.data(), exchanges, x.data());
  EXPECT_LT((kept * x - b).norm(), 1e-14);
}

TEST(Dense, LuNoticesSingularAndNotFinite) {
  Eigen::Matrix2d a{{1, 2}, {2, 4}};
  int exchanges[2];
  EXPECT_EQ(factor_lu(2, a.data(), exchanges), 0);
  a << 1, 0, std::numeric_limits<double>::infinity(), 1;
  EXPECT_EQ(factor_lu(2, a.data(), exchanges), 0);
}

/// Of full rank, of rank 3, and with eigenvalues far apart.
TEST(Dense, EigenvaluesAsEigenHasThem) {
  for (const int n : {1, 2, 3, 8, 32})
    for (const int kind : {0, 1, 2}) {
      Eigen::MatrixXd a = random_matrix(n, 7);
      if (kind == 1) a = a.leftCols(std::min(n, 3)).eval() * a.topRows(std::min(n, 3)).eval();
      a = (a + a.transpose()).eval();
      if (kind == 2)
        for (int i = 0; i < n; ++i)
          a.row(i) *= std::pow(10, -i % 5), a.col(i) *= std::pow(10, -i % 5);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> expected(a);
      Eigen::MatrixXd work = a, vectors(n, n);
      Eigen::VectorXd values(n), alone(n);
      symmetric_eigen(n, work.data(), values.data(), vectors.data());
      const double size = a.norm();
      EXPECT_LT((values - expected.eigenvalues()).norm(), 1e-13 * size) << n << ' ' << kind;
      EXPECT_LT((a * vectors - vectors * values.asDiagonal()).norm(), 1e-13 * size)
          << n << ' ' << kind;
      EXPECT_LT((vectors.transpose() * vectors - Eigen::MatrixXd::Identity(n, n)).norm(), 1e-12);
      work = a;
      symmetric_eigen(n, work.data(), alone.data(), nullptr);
      EXPECT_EQ(alone, values);
    }
}

/// Against eigenvalues, with zeros on the diagonal, and with zero eigenvalues, which do not count.
TEST(Dense, NegativePivots) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<> random(-1, 1);
  for (int n = 1; n <= 9; ++n)
    for (int repeat = 0; repeat < 20; ++repeat) {
      Eigen::MatrixXd a(n, n);
      for (double& entry : a.reshaped()) entry = random(engine);
      a = (a + a.transpose()).eval();
      if (repeat % 3 == 1) a.diagonal().setZero();
      if (repeat % 3 == 2) a.row(n / 2).setZero(), a.col(n / 2).setZero();
      Eigen::MatrixXd pivots = a, jacobi = a;
      Eigen::VectorXd values(n);
      symmetric_eigen(n, jacobi.data(), values.data(), nullptr);
      EXPECT_EQ(negative_pivots(n, pivots.data()), (values.array() < -1e-12).count());
    }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

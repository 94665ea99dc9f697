// Rows that change from step to step, their compliance, blocks between nodes that no element joins
// and rows that repeat each other: the sparse solver against dense algebra.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "linear/sparse_kkt.h"
#include "random_system.h"

namespace hawser::HAWSER_FILE {
namespace {

/// The net, coupled besides by pairs.
System coupled_net(unsigned seed) {
  System s = net(seed, 1);
  Random random(seed + 2);
  s.structure.pairs = {{0, 5}, {4, 10}, {1, 6}};
  for (int p = 0; p < 3; ++p) s.pair_blocks.push_back(0.3 * random.matrix<Matrix6>());
  return s;
}

void change_rows(System& s, Random& random) {
  for (auto& e : s.structure.condition_entries) e.factor = random();
  s.compliance = random.vector(s.structure.conditions).cwiseAbs();
  s.compliance[1] = 0;
}

TEST(ChangingRows, AgainstDense) {
  for (const bool symmetric : {true, false}) {
    System s = coupled_net(71);
    s.structure.symmetric = symmetric;
    SparseKkt solver(s.structure);
    Random random(72);
    for (int repeat = 0; repeat < 4; ++repeat) {
      SCOPED_TRACE(repeat);
      if (repeat > 0) change_rows(s, random);
      if (repeat != 2) s.write(solver);  // in the third pass H stays and the rows alone change
      if (repeat > 0) s.write_rows(solver);
      ASSERT_EQ(solver.factor(), FactorStatus::ok);
      const VectorXd b = random.vector(s.structure.unknowns()), x = solution(solver, b);
      expect_close(x, s.solve(b), 1e-10);
      EXPECT_FALSE(solver.report().used_lu);
      EXPECT_LT(solver.report().residual, 1e-11);
      std::vector<double> out(s.structure.fixed.size());
      solver.fixed_rows_times({x.data(), static_cast<size_t>(x.size())}, out);
      const VectorXd full = s.stiffness() * x.head(s.structure.coordinates());
      for (size_t k = 0; k < out.size(); ++k)
        EXPECT_NEAR(out[k], full[s.structure.fixed[k]], 1e-12 * full.lpNorm<Eigen::Infinity>());
    }
  }
}

TEST(ChangingRows, LuSeesComplianceAndPairs) {
  System s = coupled_net(73);
  Random random(74);
  change_rows(s, random);
  SparseKkt solver(s.structure);
  s.write(solver);
  s.write_rows(solver);
  ASSERT_EQ(solver.factor(), FactorStatus::ok);
  solver.change_to_lu();
  ASSERT_TRUE(solver.report().used_lu);
  const VectorXd b = random.vector(s.structure.unknowns());
  expect_close(solution(solver, b), s.solve(b), 1e-10);
}

/// A row of zeros with compliance 1 leaves the rest as if it were not there.
TEST(ChangingRows, SwitchedOff) {
  System s = bodies(3, 75), without = s;
  Random random(76);
  add_row(s, {0, 1, 2}, random);
  without.structure.condition_entries = s.structure.condition_entries;
  without.structure.conditions = 1;
  add_row(s, {0, 2}, random);
  SparseKkt solver(s.structure);
  s.write(solver);
  MatrixSink sink = solver.sink();
  std::fill(sink.rows + 18, sink.rows + 30, 0.0);
  sink.compliance[1] = 1;
  ASSERT_EQ(solver.factor(), FactorStatus::ok);
  EXPECT_EQ(solver.report().negative_pivots, 0);
  const VectorXd b = random.vector(20), x = solution(solver, b);
  expect_close(x.head(19), without.solve(b.head(19)), 1e-12);
  EXPECT_EQ(x[19], -b[19]);
  EXPECT_FALSE(solver.report().used_lu);
  s.write_rows(solver);  // and on again
  sink.compliance[1] = 0;
  ASSERT_EQ(solver.factor(), FactorStatus::ok);
  expect_close(solution(solver, b), s.solve(b), 1e-12);
}

/// A pair may stand where a coordinate is fixed, and its block reaches the reaction.
TEST(ChangingRows, PairOfBodiesAlone) {
  System s = bodies(2, 77);
  s.structure.pairs = {{0, 1}};
  s.pair_blocks = {0.1 * Random(78).matrix<Matrix6>()};
  s.structure.fixed = {2, 7};
  EXPECT_FALSE(s.structure.is_chain());
  SparseKkt solver(s.structure);
  s.write(solver);
  ASSERT_EQ(solver.factor(), FactorStatus::ok);
  const VectorXd b = Random(79).vector(12), x = solution(solver, b);
  expect_close(x, s.solve(b), 1e-12);
  double out[2];
  solver.fixed_rows_times({x.data(), 12}, out);
  const VectorXd full = s.stiffness() * x;
  EXPECT_NEAR(out[0], full[2], 1e-12);
  EXPECT_NEAR(out[1], full[7], 1e-12);
}

TEST(ChangingRows, NotFiniteIsReported) {
  System s = bodies(2, 81);
  Random random(82);
  add_row(s, {0, 1}, random);
  SparseKkt solver(s.structure);
  s.write(solver);
  solver.sink().rows[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solver.factor(), FactorStatus::not_finite);
  s.write_rows(solver);
  solver.sink().compliance[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(solver.factor(), FactorStatus::not_finite);
  solver.sink().compliance[0] = 0;
  EXPECT_EQ(solver.factor(), FactorStatus::ok);
}

/// The same row twice: x as with one, the force in halves.
TEST(SharingRows, RowGivenTwice) {
  for (const double scale : {1.0, 1e7}) {
    SCOPED_TRACE(scale);
    System one = bodies(3, 83);
    for (Matrix6& block : one.node_blocks) block *= scale;
    Random random(84);
    add_row(one, {0, 1}, random);
    System two = one;
    for (auto e : one.structure.condition_entries) {
      e.row = 1;
      two.structure.condition_entries.push_back(e);
    }
    two.structure.conditions = 2;
    two.structure.sharing = {1, 1};
    SparseKkt solver(two.structure);
    two.write(solver);
    ASSERT_EQ(solver.factor(), FactorStatus::ok);
    EXPECT_EQ(solver.report().negative_pivots, 0);
    VectorXd b = random.vector(20);
    b.head(18) *= scale;
    b[19] = b[18];
    const VectorXd x = solution(solver, b), expected = one.solve(b.head(19));
    EXPECT_EQ(solver.report().status, FactorStatus::ok);
    EXPECT_FALSE(solver.report().used_lu);
    expect_close(x.head(18), expected.head(18), 1e-9);
    EXPECT_NEAR(x[18], expected[18] / 2, 1e-5 * std::abs(expected[18]));
    EXPECT_NEAR(x[19], expected[18] / 2, 1e-5 * std::abs(expected[18]));
  }
}

/// Adds the six rows that keep two bodies as they are to each other.
void weld(System& s, int a, int b) {
  for (int c = 0; c < node_size; ++c) {
    s.structure.condition_entries.push_back({s.structure.conditions, node_size * a + c, 1.0});
    s.structure.condition_entries.push_back({s.structure.conditions++, node_size * b + c, -1.0});
  }
}

/// Two welds make one body of three; a third that closes the loop changes no motion.
TEST(SharingRows, ThreeWeldsInALoop) {
  System open = bodies(3, 85);
  weld(open, 0, 1);
  weld(open, 1, 2);
  System loop = open;
  weld(loop, 2, 0);
  loop.structure.sharing.assign(18, 1);
  SparseKkt solver(loop.structure);
  Random random(86);
  for (int repeat = 0; repeat < 3; ++repeat) {
    loop.write(solver);
    ASSERT_EQ(solver.factor(), FactorStatus::ok);
    EXPECT_EQ(solver.report().negative_pivots, 0);
    VectorXd b = VectorXd::Zero(36);
    b.head(18) = random.vector(18);
    const VectorXd x = solution(solver, b);
    EXPECT_EQ(solver.report().status, FactorStatus::ok);
    EXPECT_FALSE(solver.report().used_lu);
    expect_close(x.head(18), open.solve(b.head(30)).head(18), 1e-9);
    // As in a ring of equal springs, the forces around the loop add up to nothing: each row's
    // compliance follows its own inertia, so weigh them with it.
    for (int c = 0; c < 6; ++c) {
      double around = 0, size = 0;
      for (int k = 0; k < 3; ++k) {
        const double yields =
            1 / loop.node_blocks[k](c, c) + 1 / loop.node_blocks[(k + 1) % 3](c, c);
        around += yields * x[18 + 6 * k + c];
        size += yields * std::abs(x[18 + 6 * k + c]);
      }
      EXPECT_LT(std::abs(around), 1e-4 * size);
    }
  }
}

/// A row over many bodies comes after all of them: the entries of L grow with their number.
TEST(EliminationOrder, RowOverManyBodies) {
  for (const int rows : {1, 2})
    for (const int count : {2, 8, 32, 128}) {
      System s = bodies(count, 87);
      Random random(88);
      std::vector<int> all;
      for (int n = 0; n < count; ++n) all.push_back(n);
      for (int r = 0; r < rows; ++r) add_row(s, all, random);
      const SparseKkt solver(s.structure);
      // A triangle of six and the rows, for each body.
      EXPECT_EQ(solver.factor_entries(), count * (15 + 6 * rows) + rows * (rows - 1) / 2);
    }
}

/// A rod's row may lose all but one of its entries as the rod turns: its pivot must not rest on
/// one of them alone.
TEST(EliminationOrder, RowThatTurns) {
  System s = bodies(2, 89);
  s.structure.conditions = 1;
  for (int c = 0; c < 12; ++c) s.structure.condition_entries.push_back({0, c, 1.0});
  SparseKkt solver(s.structure);
  const VectorXd b = Random(90).vector(13);
  for (int kept = 0; kept < 12; ++kept) {
    for (int c = 0; c < 12; ++c) s.structure.condition_entries[c].factor = c == kept ? 1 : 1e-9;
    s.write(solver);
    s.write_rows(solver);
    ASSERT_EQ(solver.factor(), FactorStatus::ok);
    expect_close(solution(solver, b), s.solve(b), 1e-12);
    EXPECT_FALSE(solver.report().used_lu);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

// Entries between nodes that come close, left out of the factorization, against dense algebra.
#include "linear/loosely_coupled.h"

#include <gtest/gtest.h>

#include "random_system.h"

namespace hawser::HAWSER_FILE {
namespace {

/// Chains with springs between some of their nodes, which are the pairs that come and go.
System touching_chains(double stiffness, unsigned seed) {
  System s = chains({9, 9, 9, 9}, Definite::yes, seed);
  s.structure.chain_nodes = s.structure.nodes;
  s.structure.chain_elements = static_cast<int>(s.elements.size());
  s.node_blocks.assign(static_cast<size_t>(s.structure.nodes), Matrix6::Zero());
  Random random(seed + 1);
  s.structure.first_loose = 0;
  for (int i = 0; i < 30; i += 3)
    for (const int other : {i + 10, i + 8}) {
      if (other >= s.structure.nodes || other / 10 == i / 10) continue;
      const auto m = random.matrix<Matrix6>();
      const Matrix6 K = stiffness * (m * m.transpose());
      s.structure.pairs.emplace_back(i, other);
      s.pair_blocks.push_back(-K);
      s.node_blocks[static_cast<size_t>(i)] += K;
      s.node_blocks[static_cast<size_t>(other)] += K;
    }
  return s;
}

void compare(const System& s, unsigned seed) {
  LooselyCoupled solver(s.structure, LinearBackend::automatic);
  Random random(seed);
  for (int turn = 0; turn < 2; ++turn) {  // a matrix must not leave traces in the next
    const VectorXd b = random.vector(s.structure.unknowns()), expected = s.solve(b);
    s.write(solver);
    if (s.structure.conditions > 0) s.write_rows(solver);
    ASSERT_EQ(solver.factor(), FactorStatus::ok);
    const VectorXd x = solution(solver, b);
    EXPECT_EQ(solver.report().status, FactorStatus::ok);
    EXPECT_GT(solver.iterations(), 0);
    expect_close(x, expected, 1e-7);
    for (const int c : s.structure.fixed) EXPECT_EQ(x[c], b[c]);
    const int n = s.structure.coordinates();
    const VectorXd full = s.kkt().topLeftCorner(n, n) * x.head(n);
    std::vector<double> out(s.structure.fixed.size());
    solver.fixed_rows_times({x.data(), static_cast<size_t>(x.size())}, out);
    for (size_t k = 0; k < out.size(); ++k)
      EXPECT_NEAR(out[k], full[s.structure.fixed[k]], 1e-10 * full.lpNorm<Eigen::Infinity>());
  }
}

TEST(LooselyCoupled, ChainsThatTouch) {
  for (const double stiffness : {0.1, 1.0, 30.0}) {
    SCOPED_TRACE(stiffness);
    compare(touching_chains(stiffness, 1), 5);
  }
}

TEST(LooselyCoupled, WithFixedCoordinatesAtAPair) {
  System s = touching_chains(3, 2);
  s.structure.fixed = {0, 1, 2, 60, 61, 125};
  compare(s, 6);
}

TEST(LooselyCoupled, WithConditionsRigidAndCompliant) {
  System s = touching_chains(3, 3);
  Random random(4);
  s.structure.fixed = {0, 1, 2};
  add_row(s, {5, 25}, random);
  add_row(s, {13}, random);
  s.compliance = VectorXd::Zero(2);
  s.compliance[1] = 0.1;
  compare(s, 7);
}

TEST(LooselyCoupled, GivesUpOnWhatIsNotDefinite) {
  System s = touching_chains(3, 8);
  for (Matrix6& block : s.pair_blocks) block *= -100;
  for (Matrix6& block : s.node_blocks) block *= 0;
  LooselyCoupled solver(s.structure, LinearBackend::automatic);
  s.write(solver);
  ASSERT_EQ(solver.factor(), FactorStatus::ok);
  const VectorXd x = solution(solver, Random(9).vector(s.structure.unknowns()));
  EXPECT_EQ(solver.report().status, FactorStatus::singular);
  EXPECT_TRUE(x.hasNaN());
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

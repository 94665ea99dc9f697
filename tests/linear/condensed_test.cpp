// Chains eliminated from a larger system, and coordinates that are one unknown, against dense
// algebra.
#include "linear/condensed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "allocations.h"
#include "random_system.h"

namespace hawser::HAWSER_FILE {
namespace {

/// Chains of the given numbers of elements, then bodies.
System machine(const std::vector<int>& lengths, int body_count, unsigned seed,
               Definite definite = Definite::yes) {
  System s = chains(lengths, definite, seed);
  s.structure.chain_nodes = s.structure.nodes;
  s.structure.chain_elements = static_cast<int>(s.elements.size());
  s.node_blocks.assign(static_cast<size_t>(s.structure.nodes), Matrix6::Zero());
  for (const Matrix6& block : bodies(body_count, seed + 1).node_blocks)
    s.node_blocks.push_back(block);
  s.structure.nodes += body_count;
  return s;
}

/// Condensed and sparse, twice over (a matrix must not leave traces in the next), against dense.
void check(const System& system, int eliminated) {
  System other = system;
  for (Matrix12& m : other.elements) m *= 3;
  Condensed condensed(system.structure);
  EXPECT_EQ(condensed.eliminated_nodes(), eliminated);
  SparseKkt sparse(system.structure);
  Random random(77);
  for (const System* s : std::initializer_list<const System*>{&system, &other, &system}) {
    const VectorXd b = random.vector(s->structure.unknowns()), expected = s->solve(b);
    const std::vector<int> open = s->free_unknowns();
    const MatrixXd A = s->kkt();
    const int negative = negative_eigenvalues(A(open, open)) - s->structure.conditions;
    for (LinearSolver* solver : std::initializer_list<LinearSolver*>{&condensed, &sparse}) {
      SCOPED_TRACE(solver->name());
      s->write(*solver);
      if (s->structure.conditions > 0) s->write_rows(*solver);
      ASSERT_EQ(solver->factor(), FactorStatus::ok);
      const VectorXd x = solution(*solver, b);
      expect_close(x, expected, 1e-10);
      for (const int c : s->structure.fixed) EXPECT_EQ(x[c], b[c]);
      EXPECT_EQ(solver->report().negative_pivots, negative);
      EXPECT_FALSE(solver->report().used_lu);
      std::vector<double> out(s->structure.fixed.size());
      solver->fixed_rows_times({x.data(), static_cast<size_t>(x.size())}, out);
      const int n = s->structure.coordinates();
      const VectorXd full = A.topLeftCorner(n, n) * x.head(n);
      for (size_t k = 0; k < out.size(); ++k)
        EXPECT_NEAR(out[k], full[s->structure.fixed[k]], 1e-11 * full.lpNorm<Eigen::Infinity>());
    }
  }
}

/// Conditions that tie a node to a body, as an attachment does.
void attach(System& s, int node, int body, Random& random) {
  for (int k = 0; k < 3; ++k) {
    const int row = s.structure.conditions++;
    s.structure.condition_entries.push_back({row, node_size * node + k, 1.0});
    for (int i = 0; i < node_size; ++i)
      s.structure.condition_entries.push_back({row, node_size * body + i, random()});
  }
}

TEST(Condensed, CableWithABodyAtItsEnd) {
  System s = machine({12}, 1, 1);
  Random random(2);
  s.structure.fixed = {0, 1, 2};
  attach(s, 12, 13, random);
  check(s, 12);
}

TEST(Condensed, CableThatBeginsAtABody) {
  System s = machine({12}, 1, 3);
  Random random(4);
  s.structure.fixed = {72, 73, 74, 76};
  attach(s, 0, 13, random);
  check(s, 12);
}

TEST(Condensed, CableBetweenBodies) {
  System s = machine({12}, 2, 5);
  Random random(6);
  attach(s, 0, 13, random);
  attach(s, 12, 14, random);
  s.structure.fixed = {13 * 6, 13 * 6 + 4};
  check(s, 11);
}

TEST(Condensed, BodiesAlongSeveralCables) {
  System s = machine({9, 3, 14, 2, 6}, 3, 7);
  Random random(8);
  attach(s, 4, 39, random);
  attach(s, 9, 40, random);
  attach(s, 20, 41, random);
  attach(s, 34, 39, random);
  s.structure.pairs = {{20, 41}, {39, 40}};
  for (int k = 0; k < 2; ++k) s.pair_blocks.push_back(0.1 * random.matrix<Matrix6>());
  s.structure.fixed = {60, 61, 62, 150, 151, 152};
  s.compliance = VectorXd::Constant(s.structure.conditions, 0.3);
  check(s, 4 + 4 + 4 + 6 + 8 + 3 + 2 + 4);
}

/// Fixed coordinates on a node that stays: its neighbours stay too.
TEST(Condensed, FixedWhereConditionsAct) {
  System s = machine({10}, 1, 9);
  Random random(10);
  s.structure.fixed = {0, 1, 2, 33};
  add_row(s, {0}, random);
  attach(s, 10, 11, random);
  check(s, 8);
  s.structure.fixed = {0, 1, 2, 6, 33};
  check(s, 7);
}

TEST(Condensed, IndefiniteChains) {
  System s = machine({12}, 1, 11, Definite::no);
  Random random(12);
  add_row(s, {13}, random);
  s.structure.pairs = {{12, 13}};
  s.pair_blocks.push_back(0.1 * random.matrix<Matrix6>());
  check(s, 12);
}

/// Two chains with one position at their ends, a ring, and a knot of four.
TEST(Condensed, JoinedNodes) {
  System s = machine({8, 6, 9, 1}, 0, 13);
  const auto join = [&](int follower, int leader) {
    for (int k = 0; k < 3; ++k)
      s.structure.shared.push_back({node_size * follower + k, node_size * leader + k});
  };
  s.structure.fixed = {0, 1, 2};
  join(9, 8);
  check(s, 8 + 6 + 10 + 2);
  s.structure.shared.clear();
  join(25, 16);  // 16: the first node of the third chain, 25: its last
  check(s, 9 + 7 + 8 + 2);
  s.structure.shared.clear();
  join(9, 4);
  join(20, 4);
  join(27, 4);
  check(s, 4 + 4 + 6 + 4 + 5);
}

/// The follower's right-hand side counts where its leader is free and not where that is fixed.
TEST(Condensed, JoinedToAFixedNode) {
  System s = machine({8, 6}, 0, 14);
  s.structure.fixed = {48, 49, 50};
  for (int k = 0; k < 3; ++k) s.structure.shared.push_back({54 + k, 48 + k});
  check(s, 7 + 5);
}

/// Narrow nodes (three unknowns) stay.
TEST(Condensed, NarrowNodes) {
  System s = machine({5, 9}, 0, 15);
  for (int n = 0; n < s.structure.nodes; ++n) s.structure.narrow.push_back(n < 6);
  for (int k = 0; k < 3; ++k) s.structure.shared.push_back({36 + k, 12 + k});
  s.structure.fixed = {0, 1, 2};
  Condensed solver(s.structure);
  EXPECT_EQ(solver.eliminated_nodes(), 9);
  s.write(solver);
  ASSERT_EQ(solver.factor(), FactorStatus::ok);
  VectorXd b = Random(16).vector(s.structure.unknowns());
  for (int c = 0; c < s.structure.coordinates(); ++c)
    if (!s.structure.is_unknown(c)) b[c] = 0;
  expect_close(solution(solver, b), s.solve(b), 1e-10);
}

/// Rows that change alone are factored again without a new matrix.
TEST(Condensed, FactorsRowsAgain) {
  System s = machine({12}, 1, 17);
  Random random(18);
  attach(s, 12, 13, random);
  Condensed solver(s.structure);
  s.write(solver);
  for (int pass = 0; pass < 3; ++pass) {
    for (auto& e : s.structure.condition_entries) e.factor = random();
    s.compliance = VectorXd::Constant(s.structure.conditions, 0.1 * pass);
    s.write_rows(solver);
    ASSERT_EQ(solver.factor(), FactorStatus::ok);
    const VectorXd b = random.vector(s.structure.unknowns());
    expect_close(solution(solver, b), s.solve(b), 1e-10);
    const VectorXd again = random.vector(s.structure.unknowns());
    expect_close(solution(solver, again), s.solve(again), 1e-10);
  }
}

TEST(Condensed, SaysWhatFails) {
  System s = machine({6, 12}, 1, 19);
  Random random(20);
  attach(s, 19, 20, random);
  Condensed solver(s.structure);
  const VectorXd b = random.vector(s.structure.unknowns());
  for (const int e : {0, 8, 17})
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      System broken = s;
      broken.elements[static_cast<size_t>(e)](3, 3) = bad;
      broken.write(solver);
      broken.write_rows(solver);
      EXPECT_EQ(solver.factor(), FactorStatus::not_finite) << e;
    }
  for (const int node : {2, 9}) {
    System broken = s;
    for (const int e : {node - 1 - node / 7, node - node / 7}) {
      Matrix12& m = broken.elements[static_cast<size_t>(e)];
      const int at = broken.structure.elements[static_cast<size_t>(e)].first == node ? 2 : 8;
      m.row(at).setZero();
      m.col(at).setZero();
    }
    broken.write(solver);
    broken.write_rows(solver);
    EXPECT_EQ(solver.factor(), FactorStatus::singular) << node;
  }
  s.write(solver);
  s.write_rows(solver);
  ASSERT_EQ(solver.factor(), FactorStatus::ok) << "and the solver recovers";
  expect_close(solution(solver, b), s.solve(b), 1e-10);
}

#ifdef COUNTS_ALLOCATIONS
TEST(Condensed, DoesNotAllocate) {
  System s = machine({12, 9}, 1, 21);
  Random random(22);
  attach(s, 12, 23, random);
  attach(s, 13, 23, random);
  Condensed solver(s.structure);
  VectorXd b = random.vector(s.structure.unknowns());
  const long before = allocations;
  s.write(solver);
  s.write_rows(solver);
  solver.factor();
  solver.solve({b.data(), static_cast<size_t>(b.size())});
  EXPECT_EQ(allocations, before);
}
#endif

}  // namespace
}  // namespace hawser::HAWSER_FILE

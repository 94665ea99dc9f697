// Both linear solvers against each other and against dense algebra.
#include "linear/linear_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "allocations.h"
#include "elements/kernel_io.h"
#include "hawser/error.h"
#include "linear/block_tridiagonal.h"
#include "linear/sparse_kkt.h"
#include "random_system.h"

namespace hawser::HAWSER_FILE {
namespace {

void expect_fixed_rows(const System& system, const LinearSolver& solver, const VectorXd& x) {
  const VectorXd full = system.stiffness() * x.head(system.structure.coordinates());
  std::vector<double> out(system.structure.fixed.size());
  solver.fixed_rows_times({x.data(), static_cast<size_t>(x.size())}, out);
  for (size_t k = 0; k < out.size(); ++k)
    EXPECT_NEAR(out[k], full[system.structure.fixed[k]], 1e-12 * full.lpNorm<Eigen::Infinity>());
}

/// Both solvers, twice over (a matrix must not leave traces in the next), against dense.
void check_chains(System system, const std::vector<int>& fixed, Definite definite) {
  system.structure.fixed = fixed;
  ASSERT_TRUE(system.structure.is_chain());
  System other = system;
  for (Matrix12& m : other.elements) m *= 3;
  BlockTridiagonal chain(system.structure);
  SparseKkt sparse(system.structure);
  Random random(77);
  for (const System* s : {&system, &other, &system}) {
    const VectorXd b = random.vector(s->structure.unknowns()), expected = s->solve(b);
    const std::vector<int> open = s->free_unknowns();
    const int negative = negative_eigenvalues(s->stiffness()(open, open));
    EXPECT_EQ(negative > 0, definite == Definite::no);
    for (LinearSolver* solver : std::initializer_list<LinearSolver*>{&chain, &sparse}) {
      SCOPED_TRACE(solver->name());
      s->write(*solver);
      EXPECT_EQ(solver->factor(), FactorStatus::ok);
      const VectorXd x = solution(*solver, b);
      expect_close(x, expected, 1e-10);
      for (const int c : fixed) EXPECT_EQ(x[c], b[c]);
      EXPECT_EQ(solver->report().negative_pivots, negative);
      EXPECT_FALSE(solver->report().used_lu);
      EXPECT_LT(solver->report().residual, 1e-12);
      expect_fixed_rows(*s, *solver, x);
      expect_fixed_rows(*s, *solver, b);
    }
  }
}

TEST(LinearSolver, PositiveChain) {
  check_chains(chains({30}, Definite::yes, 1), {}, Definite::yes);
}

TEST(LinearSolver, PositiveChainWithKnownCoordinates) {
  check_chains(chains({30}, Definite::yes, 2), {0, 1, 2, 5, 6, 11, 60, 61, 71, 180, 185},
               Definite::yes);
}

TEST(LinearSolver, IndefiniteChain) {
  check_chains(chains({30}, Definite::no, 3), {}, Definite::no);
}

TEST(LinearSolver, IndefiniteChainWithKnownCoordinates) {
  check_chains(chains({30}, Definite::no, 4), {0, 4, 7, 8, 90, 183}, Definite::no);
}

TEST(LinearSolver, SeveralChains) {
  check_chains(chains({4, 1, 7}, Definite::yes, 5), {0, 1, 2, 29, 30, 41, 42, 89}, Definite::yes);
}

TEST(LinearSolver, OneElement) { check_chains(chains({1}, Definite::yes, 6), {3}, Definite::yes); }

TEST(LinearSolver, ChainsOfAnyLength) {
  for (int elements = 1; elements <= 12; ++elements) {
    SCOPED_TRACE(elements);
    const int last = 6 * elements;
    const auto seed = static_cast<unsigned>(100 + elements);
    check_chains(chains({elements}, Definite::yes, seed), {0, 1, last, last + 5}, Definite::yes);
    check_chains(chains({elements}, Definite::no, seed), {2, last + 3}, Definite::no);
  }
}

/// One entry of a diagonal matrix stands out: wherever it is, the report tells of it.
TEST(LinearSolver, ChainReportsItsPivots) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (int elements = 1; elements <= 6; ++elements)
    for (int c = 0; c < 6 * (elements + 1); ++c) {
      SCOPED_TRACE(std::to_string(elements) + " elements, coordinate " + std::to_string(c));
      System s = chains({elements}, Definite::yes, 9);
      for (Matrix12& m : s.elements) m.setZero();
      s.node_blocks.assign(static_cast<size_t>(elements) + 1, 10 * Matrix6::Identity());
      double& entry = s.node_blocks[static_cast<size_t>(c / 6)](c % 6, c % 6);
      BlockTridiagonal chain(s.structure);
      for (const double value : {1e-3, -1e-3}) {
        entry = value;
        s.write(chain);
        EXPECT_EQ(chain.factor(), FactorStatus::ok);
        EXPECT_EQ(chain.report().pivot_node, c / 6);
        EXPECT_EQ(chain.report().negative_pivots, value < 0);
        EXPECT_NEAR(chain.report().smallest_pivot, 1e-4, 1e-18);
      }
      entry = 1e3;
      s.write(chain);
      EXPECT_EQ(chain.factor(), FactorStatus::ok);
      EXPECT_NEAR(chain.report().smallest_pivot, 1e-2, 1e-16);
      entry = 0;
      s.write(chain);
      EXPECT_EQ(chain.factor(), FactorStatus::singular);
      EXPECT_EQ(chain.report().pivot_node, c / 6);
      for (const double value : {inf, -inf, std::numeric_limits<double>::quiet_NaN()}) {
        entry = value;
        s.write(chain);
        EXPECT_EQ(chain.factor(), FactorStatus::not_finite);
      }
    }
}

TEST(LinearSolver, ChainIsKnownByItsStructure) {
  System s = chains({3, 2}, Definite::yes, 7);
  EXPECT_TRUE(s.structure.is_chain());
  const auto broken = [&](auto change) {
    SystemStructure other = s.structure;
    change(other);
    return !other.is_chain();
  };
  EXPECT_TRUE(broken([](auto& t) { t.conditions = 1; }));
  EXPECT_TRUE(broken([](auto& t) { t.symmetric = false; }));
  EXPECT_TRUE(broken([](auto& t) { t.pairs = {{0, 2}}; }));
  EXPECT_TRUE(broken([](auto& t) { t.nodes = 8; })) << "a node without an element";
  EXPECT_TRUE(broken([](auto& t) { t.elements.emplace_back(6, 0); })) << "a ring";
  EXPECT_TRUE(broken([](auto& t) { t.elements.emplace_back(5, 6); })) << "twice the same";
  EXPECT_TRUE(broken([](auto& t) { std::swap(t.elements[0], t.elements[1]); })) << "out of order";
  EXPECT_TRUE(broken([](auto& t) { t = {}; })) << "nothing";
}

TEST(LinearSolver, BackendIsChosen) {
  SystemStructure s = chains({3}, Definite::yes, 8).structure;
  const auto name = [&](LinearBackend choice) {
    return std::string(make_linear_solver(s, choice)->name());
  };
  EXPECT_EQ(name(LinearBackend::automatic), "block-tridiagonal");
  EXPECT_EQ(name(LinearBackend::chain), "block-tridiagonal");
  EXPECT_EQ(name(LinearBackend::sparse), "sparse LDL^T");
  s.conditions = 1;
  s.condition_entries = {{0, 4, 1.0}};
  EXPECT_EQ(name(LinearBackend::automatic), "sparse LDL^T");
  try {
    name(LinearBackend::chain);
    FAIL() << "conditions accepted";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("1 general condition"), std::string::npos) << e.what();
  }
  s.symmetric = false;
  EXPECT_EQ(name(LinearBackend::automatic), "sparse LU");
}

TEST(SparseKkt, ConditionsAgainstDense) {
  for (const double scale : {1.0, 1e9, 1e-9}) {
    SCOPED_TRACE(scale);
    const System s = net(11, scale);
    SparseKkt solver(s.structure);
    Random random(12);
    for (int repeat = 0; repeat < 2; ++repeat) {
      s.write(solver);
      ASSERT_EQ(solver.factor(), FactorStatus::ok);
      EXPECT_EQ(solver.report().negative_pivots, 0);
      const int n = s.structure.coordinates(), m = s.structure.conditions;
      for (int k = 0; k < 2; ++k) {
        VectorXd b = random.vector(n + m);
        for (const int i : s.free_unknowns()) b[i] *= i < n ? scale : 1;
        const VectorXd x = solution(solver, b), expected = s.solve(b);
        expect_close(x.head(n), expected.head(n), 1e-10);
        expect_close(x.tail(m), expected.tail(m), 1e-10);
        EXPECT_FALSE(solver.report().used_lu);
        EXPECT_LT(solver.report().residual, 1e-11);
        expect_fixed_rows(s, solver, x);
      }
    }
  }
}

/// Elements of very different stiffness, as a steel rope beside a string.
TEST(SparseKkt, ConditionsBetweenStiffAndSoft) {
  System s = net(13, 1);
  for (size_t e = 0; e < s.elements.size(); e += 2) s.elements[e] *= 1e8;
  SparseKkt solver(s.structure);
  s.write(solver);
  ASSERT_EQ(solver.factor(), FactorStatus::ok);
  const VectorXd b = Random(14).vector(s.structure.unknowns()), x = solution(solver, b);
  EXPECT_EQ(solver.report().status, FactorStatus::ok);
  EXPECT_FALSE(solver.report().used_lu);
  const int n = s.structure.coordinates(), m = s.structure.conditions;
  const VectorXd expected = s.solve(b), r = (b - s.kkt() * x);
  expect_close(x.head(n), expected.head(n), 1e-8);  // condition number 1e9
  EXPECT_LT(r.tail(m).lpNorm<Eigen::Infinity>(), 1e-12);
}

/// H may be negative where the conditions forbid the motion: that counts no negative pivot.
TEST(SparseKkt, NegativePivotsOfAllowedMotions) {
  System s = chains({3}, Definite::yes, 15);
  s.node_blocks.assign(4, Matrix6::Zero());
  s.node_blocks[1](2, 2) = -400;
  s.node_blocks[3](0, 0) = -400;
  s.structure.conditions = 1;
  s.structure.condition_entries = {{0, 8, 1.0}};
  SparseKkt solver(s.structure);
  s.write(solver);
  ASSERT_EQ(solver.factor(), FactorStatus::ok);
  EXPECT_EQ(solver.report().negative_pivots, 1);
  const VectorXd b = Random(16).vector(s.structure.unknowns());
  expect_close(solution(solver, b), s.solve(b), 1e-10);
}

TEST(SparseKkt, DependentConditions) {
  System s = net(17, 1);
  s.structure.conditions = 7;
  for (const auto& e : std::vector<SystemStructure::Entry>{{5, 36, 2}, {5, 66, -2}, {6, 0, 1}})
    s.structure.condition_entries.push_back(e);  // twice condition 2; of a fixed coordinate alone
  SparseKkt solver(s.structure);
  s.write(solver);
  ASSERT_EQ(solver.factor(), FactorStatus::ok);
  VectorXd b = Random(18).vector(s.structure.unknowns());
  const int n = s.structure.coordinates();
  b[n + 5] = 2 * b[n + 2];
  b[n + 6] = b[0];
  const VectorXd x = solution(solver, b);
  EXPECT_EQ(solver.report().status, FactorStatus::ok) << "a solution exists";
  EXPECT_LT((b - s.kkt() * x)(s.free_unknowns()).lpNorm<Eigen::Infinity>(), 1e-11);
  b[n + 5] += 1;
  EXPECT_TRUE(std::isnan(solution(solver, b)[30])) << "they contradict each other";
  EXPECT_EQ(solver.report().status, FactorStatus::singular);
}

TEST(SparseKkt, UnsymmetricAgainstDense) {
  for (const double scale : {1.0, 1e9}) {
    System s = net(21, scale);
    s.structure.symmetric = false;
    Random random(22);
    for (Matrix6& block : s.node_blocks) block += scale * random.matrix<Matrix6>();
    SparseKkt solver(s.structure);
    for (int repeat = 0; repeat < 2; ++repeat) {
      s.write(solver);
      ASSERT_EQ(solver.factor(), FactorStatus::ok);
      const VectorXd b = random.vector(s.structure.unknowns()), x = solution(solver, b);
      expect_close(x.head(s.structure.coordinates()), s.solve(b).head(s.structure.coordinates()),
                   1e-10);
      expect_close(x.tail(5), s.solve(b).tail(5), 1e-10);
      EXPECT_LT(solver.report().residual, 1e-12);
      EXPECT_GT(solver.report().smallest_pivot, 0);
      expect_fixed_rows(s, solver, x);
    }
  }
}

TEST(LinearSolver, SingularIsReported) {
  System s = chains({6}, Definite::yes, 31);
  for (Matrix12& m : s.elements) {  // r by r: only differences of positions are felt
    m.row(0).setZero();
    m.col(0).setZero();
    m.row(6).setZero();
    m.col(6).setZero();
    m(0, 0) = m(6, 6) = 2;
    m(0, 6) = m(6, 0) = -2;
  }
  System unsymmetric = s;
  unsymmetric.structure.symmetric = false;
  System conditioned = s;
  conditioned.structure.conditions = 1;
  conditioned.structure.condition_entries = {{0, 1, 1.0}};
  for (const System* system : {&s, &unsymmetric, &conditioned})
    for (const auto choice : {LinearBackend::automatic, LinearBackend::sparse}) {
      const auto solver = make_linear_solver(system->structure, choice);
      SCOPED_TRACE(solver->name());
      system->write(*solver);
      EXPECT_EQ(solver->factor(), FactorStatus::singular);
      System zero = *system;
      for (Matrix12& m : zero.elements) m.setZero();
      zero.write(*solver);
      EXPECT_EQ(solver->factor(), FactorStatus::singular);
      solution(*solver, VectorXd::Ones(system->structure.unknowns()));
      for (Matrix12& m : zero.elements) m.setIdentity();
      zero.write(*solver);
      EXPECT_EQ(solver->factor(), FactorStatus::ok) << "and the solver recovers";
    }
}

/// A free motion of H that the conditions stop: singular H, regular system.
TEST(SparseKkt, ConditionsCanHoldWhatHDoesNot) {
  System s = chains({2}, Definite::yes, 32);
  for (Matrix12& m : s.elements) {
    m.row(0).setZero();
    m.col(0).setZero();
    m.row(6).setZero();
    m.col(6).setZero();
    m(0, 0) = m(6, 6) = 2;
    m(0, 6) = m(6, 0) = -2;
  }
  s.structure.conditions = 1;
  s.structure.condition_entries = {{0, 0, 1.0}, {0, 6, 1.0}, {0, 12, 1.0}};
  SparseKkt solver(s.structure);
  s.write(solver);
  ASSERT_EQ(solver.factor(), FactorStatus::ok);
  const VectorXd b = Random(33).vector(s.structure.unknowns());
  expect_close(solution(solver, b), s.solve(b), 1e-10);
  EXPECT_EQ(solver.report().status, FactorStatus::ok);
}

TEST(LinearSolver, NotFiniteIsReported) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const bool symmetric : {true, false})
      for (const auto choice : {LinearBackend::automatic, LinearBackend::sparse})
        for (const auto& [row, column] : {std::pair{0, 0}, {9, 9}, {8, 2}, {11, 7}}) {
          System s = chains({3, 2}, Definite::yes, 34);
          s.structure.symmetric = symmetric;
          s.elements[1](row, column) = s.elements[1](column, row) = bad;
          const auto solver = make_linear_solver(s.structure, choice);
          s.write(*solver);
          EXPECT_EQ(solver->factor(), FactorStatus::not_finite) << solver->name();
          solution(*solver, VectorXd::Ones(s.structure.unknowns()));
        }
  const System s = chains({3}, Definite::yes, 35);
  SparseKkt solver(s.structure);
  s.write(solver);
  solver.factor();
  VectorXd b = VectorXd::Ones(s.structure.unknowns());
  b[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(solution(solver, b)[0]));
  EXPECT_EQ(solver.report().status, FactorStatus::not_finite);
  b[3] = 1;
  expect_close(solution(solver, b), s.solve(b), 1e-10);
  EXPECT_EQ(solver.report().status, FactorStatus::ok);
}

/// No diagonal to pivot on: L D L^T stops at once, the LU does not.
TEST(SparseKkt, LuWhereAPivotIsZero) {
  System s = chains({3}, Definite::yes, 41);
  for (Matrix12& m : s.elements) m.setZero();
  s.node_blocks.assign(4, Matrix6(Matrix6::Identity().rowwise().reverse()));
  s.structure.fixed = {1, 4};
  SparseKkt solver(s.structure);
  const VectorXd b = Random(42).vector(s.structure.unknowns());
  s.write(solver);
  EXPECT_EQ(solver.factor(), FactorStatus::ok);
  EXPECT_TRUE(solver.report().used_lu);
  expect_close(solution(solver, b), s.solve(b), 1e-12);
  const System regular = [&] {
    System t = chains({3}, Definite::yes, 43);
    t.structure.fixed = s.structure.fixed;
    return t;
  }();
  regular.write(solver);
  EXPECT_EQ(solver.factor(), FactorStatus::ok);
  expect_close(solution(solver, b), regular.solve(b), 1e-10);
  EXPECT_FALSE(solver.report().used_lu) << "the next matrix starts afresh";
}

/// Conditions 1e-5 apart are told apart, by the L D L^T or the LU.
TEST(SparseKkt, NearlyDependentConditions) {
  System s = chains({3}, Definite::yes, 44);
  s.structure.conditions = 2;
  s.structure.condition_entries = {{0, 6, 1}, {0, 12, -1}, {1, 6, 1}, {1, 12, -1}, {1, 7, 1e-5}};
  SparseKkt solver(s.structure);
  s.write(solver);
  EXPECT_EQ(solver.factor(), FactorStatus::ok);
  Random random(45);
  for (int k = 0; k < 2; ++k) {
    const VectorXd b = random.vector(s.structure.unknowns());
    const int n = s.structure.coordinates();
    expect_close(solution(solver, b).head(n), s.solve(b).head(n), 1e-7);
    EXPECT_EQ(solver.report().status, FactorStatus::ok);
  }
}

/// Conditions so nearly dependent that delta drowns the difference: the residual shows it.
TEST(SparseKkt, LuWhereTheResidualStays) {
  System s = chains({3}, Definite::yes, 44);
  s.structure.conditions = 2;
  s.structure.condition_entries = {{0, 6, 1}, {0, 12, -1}, {1, 6, 1}, {1, 12, -1}, {1, 7, 5e-7}};
  SparseKkt solver(s.structure);
  s.write(solver);
  EXPECT_EQ(solver.factor(), FactorStatus::ok);
  EXPECT_FALSE(solver.report().used_lu);
  Random random(45);
  for (int k = 0; k < 2; ++k) {
    const VectorXd b = random.vector(s.structure.unknowns());
    const int n = s.structure.coordinates();
    // Rounding over the square of the rows' difference is what double precision can give.
    expect_close(solution(solver, b).head(n), s.solve(b).head(n), 2e-16 / (5e-7 * 5e-7));
    EXPECT_TRUE(solver.report().used_lu);
    EXPECT_EQ(solver.report().status, FactorStatus::ok);
  }
}

/// Small pivots make L D L^T lose half the digits, and refinement finds them again.
TEST(SparseKkt, RefinementMendsSmallPivots) {
  System s = chains({30}, Definite::no, 46);
  for (Matrix12& m : s.elements) m.diagonal().setConstant(3e-8);
  SparseKkt solver(s.structure);
  s.write(solver);
  EXPECT_EQ(solver.factor(), FactorStatus::ok);
  const VectorXd b = Random(47).vector(s.structure.unknowns());
  expect_close(solution(solver, b), s.solve(b), 1e-12);
  EXPECT_FALSE(solver.report().used_lu);
  EXPECT_LT(solver.report().residual, 1e-12);
  EXPECT_EQ(solver.report().negative_pivots, negative_eigenvalues(s.stiffness()));
}

#ifdef COUNTS_ALLOCATIONS
TEST(SparseKkt, DoesNotAllocate) {
  System s = chains({2400}, Definite::yes, 51);
  s.structure.elements.emplace_back(2400, 0);
  s.elements.push_back(s.elements[0]);
  s.structure.fixed = {0, 1, 2, 601};
  s.structure.conditions = 2;
  s.structure.condition_entries = {{0, 9, 0.6}, {0, 10, 0.8}, {1, 60, 1}, {1, 6000, -1}};
  s.structure.sharing = {0, 1};
  s.structure.pairs = {{3, 900}};
  s.pair_blocks = {0.1 * Matrix6::Identity()};
  s.compliance = VectorXd::Constant(2, 1e-3);
  SparseKkt solver(s.structure);
  VectorXd b = Random(52).vector(s.structure.unknowns());
  std::vector<double> reaction(s.structure.fixed.size());
  const long before = allocations;
  ASSERT_GT(before, 0) << "the counter counts";
  for (int k = 0; k < 2; ++k) {
    s.write(solver);
    s.write_rows(solver);
    solver.factor();
    solver.solve({b.data(), static_cast<size_t>(b.size())});
    solver.fixed_rows_times({b.data(), static_cast<size_t>(b.size())}, reaction);
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(solver.report().status, FactorStatus::ok);
  EXPECT_FALSE(solver.report().used_lu);
}
#endif

/// The assembler through both sinks: a batch that continues another, and a separate cable.
TEST(LinearSolver, AssemblerFillsBothSinksAlike) {
  SystemStructure structure = chains({11, 6}, Definite::yes, 61).structure;
  structure.fixed = {0, 1, 2, 100};
  std::vector<AncfBatch> batches(3);
  const int sizes[] = {5, 6, 6}, first_nodes[] = {0, 5, 12}, first_elements[] = {0, 5, 11};
  for (int k = 0; k < 3; ++k) {
    batches[k].parameters = ancf_parameters(0.1 * (k + 1), {1e6, 2.0}, 0.7, 5, 3);
    batches[k].first_node = first_nodes[k];
    batches[k].elements = sizes[k];
    batches[k].first_element = first_elements[k];
    batches[k].continues = k == 1;
  }
  Random random(62);
  const Eigen::Index n = structure.coordinates();
  VectorXd q = 0.1 * random.vector(n + padding), zero = VectorXd::Zero(n + padding);
  for (int node = 0; node < structure.nodes; ++node) {
    q[6 * node] += 0.2 * node;
    q[6 * node + 3] += 1;
  }
  const VectorXd b = random.vector(n);
  std::vector<VectorXd> x;
  for (const int kind : {0, 1, 2}) {
    structure.symmetric = kind != 2;
    const auto solver =
        make_linear_solver(structure, kind == 0 ? LinearBackend::chain : LinearBackend::sparse);
    VectorXd force = zero, inertia = zero;
    AssemblyIo io;
    io.q = q.data(), io.b = zero.data(), io.force = force.data(), io.inertia = inertia.data();
    io.mass_weight = 1e6, io.stiffness_weight = 1;
    solver->clear();
    io.sink = solver->sink();
    for (const AncfBatch& batch : batches) kernels().elements->assemble(batch, io, Tangent::own);
    ASSERT_EQ(solver->factor(), FactorStatus::ok);
    x.push_back(solution(*solver, b));
    std::vector<double> rows(structure.fixed.size());
    solver->fixed_rows_times({x.back().data(), static_cast<size_t>(n)}, rows);
    x.back().conservativeResize(n + 4);
    x.back().tail(4) = Eigen::Map<VectorXd>(rows.data(), 4);
  }
  for (const int kind : {1, 2}) {
    expect_close(x[kind].head(n), x[0].head(n), 1e-10);
    expect_close(x[kind].tail(4), x[0].tail(4), 1e-10);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

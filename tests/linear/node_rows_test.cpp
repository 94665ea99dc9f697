// Chains with rows: those over one node are eliminated with its coordinates, all others are in the
// border. Against dense algebra and the sparse solver.
#include <gtest/gtest.h>

#include <limits>

#include "random_system.h"

namespace hawser::HAWSER_FILE {
namespace {

/// Adds a row over these coordinates of nodes.
void add_rigid(System& s, const std::vector<int>& coordinates, Random& random) {
  for (const int c : coordinates)
    s.structure.condition_entries.push_back({s.structure.conditions, c, random()});
  s.structure.rigid.push_back(1);
  ++s.structure.conditions;
}

struct Machine {
  System system;
  MatrixXd B, F;  ///< of the scalars, symmetric
};

/// Two cables on either side of a pulley, nodes 3 and 4: three rows over each of them, one over
/// both and two scalars, and an arc that joins them.
Machine cable_on_pulley(const std::vector<int>& lengths, Definite definite, unsigned seed) {
  Machine m{chains(lengths, definite, seed), {}, {}};
  System& s = m.system;
  Random random(seed + 1);
  const int a = lengths[0], n = s.structure.node_coordinates();
  s.structure.chain_elements = static_cast<int>(s.structure.elements.size());
  s.structure.chain_nodes = s.structure.nodes;
  s.structure.elements.emplace_back(a, a + 1);
  s.elements.push_back(0.3 * random.positive());
  s.structure.scalars = 2;
  for (const int node : {a, a + 1})
    for (const std::vector<int>& on : {std::vector{0, 1, 2}, {0, 1, 2}, {0, 1, 2, 3, 4, 5}}) {
      std::vector<int> coordinates;
      for (const int c : on) coordinates.push_back(6 * node + c);
      add_rigid(s, coordinates, random);
    }
  add_rigid(s, {6 * a, 6 * a + 1, 6 * a + 2, 6 * a + 6, 6 * a + 8, n, n + 1}, random);
  s.structure.rigid.back() = 0;
  s.compliance = VectorXd::Zero(s.structure.conditions);
  s.compliance[6] = 0.2;
  m.B = MatrixXd::Zero(n, 2);
  for (int c = 6 * (a - 1); c < 6 * (a + 1); ++c) m.B(c, 0) = random();
  for (int c = 6 * (a + 1); c < 6 * (a + 3); ++c) m.B(c, 1) = random();
  m.F = MatrixXd{{30, 1}, {1, 40}};
  return m;
}

void write(const Machine& m, LinearSolver& solver) {
  m.system.write(solver);
  const MatrixSink sink = solver.sink();
  for (int j = 0; j < 2; ++j) {
    for (int c = 0; c < m.B.rows(); ++c)
      if (m.B(c, j) != 0) add_border(sink, j, c, m.B(c, j), m.B(c, j));
    for (int i = 0; i < 2; ++i) add_corner(sink, i, j, m.F(i, j));
  }
  m.system.write_rows(solver);
}

MatrixXd dense(const Machine& m) {
  MatrixXd A = m.system.kkt();
  const auto n = m.B.rows();
  A.block(0, n, n, 2) += m.B;
  A.block(n, 0, 2, n) += m.B.transpose();
  A.block(n, n, 2, 2) += m.F;
  return A;
}

void expect_solution(const Machine& m, LinearSolver& solver, unsigned seed) {
  const SystemStructure& s = m.system.structure;
  const MatrixXd A = dense(m);
  const VectorXd b = Random(seed).vector(s.unknowns()), x = solution(solver, b);
  VectorXd residual = A * x - b;
  std::vector<double> rows(s.fixed.size());
  solver.fixed_rows_times({x.data(), static_cast<size_t>(x.size())}, rows);
  for (size_t k = 0; k < rows.size(); ++k) {
    const int c = s.fixed[k];
    EXPECT_EQ(x[c], b[c]);
    EXPECT_NEAR(rows[k], A.row(c).head(s.coordinates()).dot(x.head(s.coordinates())),
                1e-10 * A.cwiseAbs().maxCoeff());
    residual[c] = 0;
  }
  EXPECT_LT(residual.lpNorm<Eigen::Infinity>(), 1e-10);
}

/// Negative eigenvalues of the free unknowns, less one a row.
int negative_of(const Machine& m) {
  const MatrixXd A = dense(m);
  const std::vector<int> free = m.system.free_unknowns();
  MatrixXd part(free.size(), free.size());
  for (size_t i = 0; i < free.size(); ++i)
    for (size_t j = 0; j < free.size(); ++j)
      part(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = A(free[i], free[j]);
  return negative_eigenvalues(part) - m.system.structure.conditions;
}

TEST(NodeRows, CableOnAPulley) {
  for (const Definite definite : {Definite::yes, Definite::no})
    for (const std::vector<int>& lengths :
         {std::vector{3, 4}, {1, 1}, {1, 6}, {6, 1}, {4, 4}, {2, 9}}) {
      SCOPED_TRACE(testing::Message() << lengths[0] << " and " << lengths[1]);
      Machine m = cable_on_pulley(lengths, definite, 11);
      const int a = lengths[0];
      for (const std::vector<int>& fixed :
           {std::vector<int>{}, {0, 1}, {6 * (a - 1) + 4, 6 * (a + 2) + 1}}) {
        m.system.structure.fixed = fixed;
        const auto solver = make_linear_solver(m.system.structure, LinearBackend::automatic);
        ASSERT_STREQ(solver->name(), "block-tridiagonal, bordered");
        write(m, *solver);
        ASSERT_EQ(solver->factor(), FactorStatus::ok);
        EXPECT_EQ(solver->report().negative_pivots, negative_of(m));
        expect_solution(m, *solver, 13);
        const auto sparse = make_linear_solver(m.system.structure, LinearBackend::sparse);
        write(m, *sparse);
        ASSERT_EQ(sparse->factor(), FactorStatus::ok);
        expect_solution(m, *sparse, 13);
      }
    }
}

/// Rows turn from matrix to matrix, and other coordinates are the largest.
TEST(NodeRows, RowsThatChange) {
  Machine m = cable_on_pulley({5, 5}, Definite::yes, 21);
  const auto solver = make_linear_solver(m.system.structure, LinearBackend::automatic);
  Random random(22);
  for (unsigned repeat = 0; repeat < 8; ++repeat) {
    for (auto& e : m.system.structure.condition_entries) e.factor = random();
    write(m, *solver);
    ASSERT_EQ(solver->factor(), FactorStatus::ok);
    expect_solution(m, *solver, repeat);
  }
}

/// A row of the border is switched off and on again while the matrix stays, as friction does.
TEST(NodeRows, BorderAloneChanges) {
  Machine m = cable_on_pulley({4, 3}, Definite::yes, 31);
  const auto solver = make_linear_solver(m.system.structure, LinearBackend::automatic);
  write(m, *solver);
  for (const double compliance : {0.2, 1.0, 0.0, 3.0}) {
    m.system.compliance[6] = compliance;
    for (auto& e : m.system.structure.condition_entries)
      if (e.row == 6) e.factor = compliance == 1 ? 0 : 0.5;
    m.system.write_rows(*solver);
    ASSERT_EQ(solver->factor(), FactorStatus::ok);
    expect_solution(m, *solver, 32);
  }
}

/// Rows on scalars alone, fixed ones among them, and rows on nothing.
TEST(NodeRows, RowsWithoutNodes) {
  Machine m = cable_on_pulley({3, 3}, Definite::yes, 41);
  SystemStructure& s = m.system.structure;
  const int n = s.node_coordinates();
  s.condition_entries.insert(s.condition_entries.end(),
                             {{7, n, 0.7}, {7, n + 1, -0.4}, {9, n + 1, 1.5}, {9, 3, 0.5}});
  s.conditions = 10;  // row 8 is empty
  s.rigid.assign(s.rigid.begin(), s.rigid.end());
  s.rigid.resize(10, 0);
  m.system.compliance.conservativeResize(10);
  m.system.compliance.tail(3) << 0.3, 0.8, 0.1;
  for (const std::vector<int>& fixed : {std::vector<int>{}, {2, n + 1}}) {
    s.fixed = fixed;
    const auto solver = make_linear_solver(s, LinearBackend::automatic);
    write(m, *solver);
    ASSERT_EQ(solver->factor(), FactorStatus::ok);
    expect_solution(m, *solver, 42);
  }
}

TEST(NodeRows, SayWhatFails) {
  Machine m = cable_on_pulley({3, 3}, Definite::yes, 51);
  const auto solver = make_linear_solver(m.system.structure, LinearBackend::automatic);
  const auto status = [&](double first, double second) {
    Machine bad = m;
    auto& entries = bad.system.structure.condition_entries;
    for (int i = 0; i < 3; ++i) entries[static_cast<size_t>(3 + i)].factor = 2 * entries[i].factor;
    entries[0].factor += first;
    entries[3].factor += second;
    write(bad, *solver);
    return solver->factor();
  };
  EXPECT_EQ(status(0, 0), FactorStatus::singular) << "the same row twice";
  EXPECT_EQ(status(0, 0.1), FactorStatus::ok);
  EXPECT_EQ(status(std::numeric_limits<double>::quiet_NaN(), 0), FactorStatus::not_finite);
  EXPECT_EQ(status(0, 0.1), FactorStatus::ok);
}

/// Multipliers in the border and scalars have different units.
TEST(NodeRows, AnyUnits) {
  for (const double scale : {1e-12, 1e12}) {
    Machine m = cable_on_pulley({3, 4}, Definite::yes, 61);
    for (Matrix12& e : m.system.elements) e *= scale;
    m.B *= scale;
    m.F *= scale;
    m.system.compliance /= scale;
    const auto solver = make_linear_solver(m.system.structure, LinearBackend::automatic);
    write(m, *solver);
    ASSERT_EQ(solver->factor(), FactorStatus::ok);
    const int n = m.system.structure.coordinates();
    VectorXd b = Random(62).vector(m.system.structure.unknowns());
    b.head(n) *= scale;
    const VectorXd x = solution(*solver, b);
    VectorXd residual = dense(m) * x - b;
    residual.head(n) /= scale;
    EXPECT_LT(residual.lpNorm<Eigen::Infinity>(), 1e-10);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

// Random linear systems that can be written into any solver and solved densely.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "linear/linear_solver.h"

namespace hawser {

using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A system made of element matrices and blocks of nodes and pairs, and its dense form.
struct System {
  SystemStructure structure;
  std::vector<Matrix12> elements;
  std::vector<Matrix6> node_blocks;  ///< none, or one a node
  std::vector<Matrix6> pair_blocks;  ///< one a pair of the structure
  VectorXd compliance;               ///< none, or one a condition

  void write(LinearSolver& solver) const;
  /// The rows, of which the structure's factors are the values, and the compliance.
  void write_rows(LinearSolver& solver) const;
  [[nodiscard]] MatrixXd stiffness() const;
  /// With the rows and columns of followers added to those of their leaders.
  [[nodiscard]] MatrixXd kkt() const;
  [[nodiscard]] std::vector<int> free_unknowns() const;
  /// In extended precision, without a threshold on pivots: conditions and H differ in unit.
  [[nodiscard]] VectorXd solve(const VectorXd& b) const;
};

/// Of a symmetric matrix.
int negative_eigenvalues(const MatrixXd& m);

inline void add_to_panels(const MatrixSink& sink, int node, const Matrix12& m) {
  double *own = sink.panels + panel_size * node, *next = own + panel_size;
  for (int j = 0; j < 6; ++j) {
    for (int i = j; i < 6; ++i) {
      own[panel_rows * j + i] += m(i, j);
      next[panel_rows * j + i] += m(6 + i, 6 + j);
    }
    for (int i = 0; i < 6; ++i) own[panel_rows * j + 6 + i] += m(6 + i, j);
  }
}

/// As add_sparse of the assembler does it.
inline void add_to_values(const MatrixSink& sink, int element, const Matrix12& m) {
  const int* to = sink.element_positions + element_positions_size * (element - sink.panel_elements);
  int lower = 0, upper = 78;
  for (int j = 0; j < 12; ++j)
    for (int i = j; i < 12; ++i) {
      sink.values[to[lower++]] += m(i, j);
      if (i == j) continue;
      if (to[upper] >= 0) sink.values[to[upper]] += m(i, j);
      ++upper;
    }
}

inline void System::write(LinearSolver& solver) const {
  solver.clear();
  const MatrixSink sink = solver.sink();
  std::fill(sink.panels, sink.panels + panel_size * sink.panel_nodes, 0.0);
  for (int e = 0; e < static_cast<int>(elements.size()); ++e) {
    if (e < sink.panel_elements)
      add_to_panels(sink, structure.elements[e].first, elements[e]);
    else
      add_to_values(sink, e, elements[e]);
  }
  for (int n = 0; n < static_cast<int>(node_blocks.size()); ++n)
    add_node_block(sink, n, node_blocks[n].data());
  for (int p = 0; p < static_cast<int>(pair_blocks.size()); ++p)
    add_pair_block(sink, p, pair_blocks[p].data());
}

inline void System::write_rows(LinearSolver& solver) const {
  const MatrixSink sink = solver.sink();
  for (size_t k = 0; k < structure.condition_entries.size(); ++k)
    sink.rows[k] = structure.condition_entries[k].factor;
  std::copy(compliance.begin(), compliance.end(), sink.compliance);
}

inline MatrixXd System::stiffness() const {
  MatrixXd H = MatrixXd::Zero(structure.coordinates(), structure.coordinates());
  for (size_t e = 0; e < elements.size(); ++e) {
    const int at[2] = {6 * structure.elements[e].first, 6 * structure.elements[e].second};
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b)
        H.block<6, 6>(at[a], at[b]) += elements[e].block<6, 6>(6 * a, 6 * b);
  }
  for (int n = 0; n < static_cast<int>(node_blocks.size()); ++n)
    H.block<6, 6>(6 * n, 6 * n) += node_blocks[n];
  for (size_t p = 0; p < pair_blocks.size(); ++p) {
    const auto [a, b] = structure.pairs[p];
    H.block<6, 6>(6 * b, 6 * a) += pair_blocks[p];
    H.block<6, 6>(6 * a, 6 * b) += pair_blocks[p].transpose();
  }
  return H;
}

inline MatrixXd System::kkt() const {
  const int n = structure.coordinates(), all = structure.unknowns();
  MatrixXd A = MatrixXd::Zero(all, all);
  A.topLeftCorner(n, n) = stiffness();
  for (const auto& e : structure.condition_entries) {
    A(n + e.row, e.coordinate) += e.factor;
    A(e.coordinate, n + e.row) += e.factor;
  }
  A.diagonal().segment(n, compliance.size()) -= compliance;
  for (const auto& [follower, leader] : structure.shared) {
    A.row(leader) += A.row(follower);
    A.row(follower).setZero();
    A.col(leader) += A.col(follower);
    A.col(follower).setZero();
  }
  return A;
}

inline std::vector<int> System::free_unknowns() const {
  std::vector<int> out;
  for (int i = 0; i < structure.unknowns(); ++i)
    if (structure.leader(i) == i && structure.is_unknown(std::min(i, structure.coordinates())) &&
        !std::binary_search(structure.fixed.begin(), structure.fixed.end(), i))
      out.push_back(i);
  return out;
}

inline VectorXd solution(LinearSolver& solver, const VectorXd& b) {
  VectorXd x = b;
  solver.solve({x.data(), static_cast<size_t>(x.size())});
  return x;
}

inline void expect_close(const VectorXd& x, const VectorXd& expected, double tolerance) {
  ASSERT_EQ(x.size(), expected.size());
  EXPECT_LE((x - expected).lpNorm<Eigen::Infinity>(),
            tolerance * expected.lpNorm<Eigen::Infinity>());
}

/// Random numbers, the same in every run.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()() { return std::uniform_real_distribution<>(-1, 1)(engine_); }
  template <class M>
  M matrix() {
    M m;
    for (double& v : m.reshaped()) v = (*this)();
    return m;
  }
  VectorXd vector(Eigen::Index n) {
    VectorXd v(n);
    for (double& e : v) e = (*this)();
    return v;
  }
  Matrix12 positive() {
    const auto m = matrix<Matrix12>();
    return m * m.transpose() + Matrix12::Identity();
  }
  /// Diagonally dominant with both signs on the diagonal: needs no pivoting.
  Matrix12 indefinite() {
    const auto m = matrix<Matrix12>();
    Matrix12 out = 0.2 * (m + m.transpose());
    for (int i = 0; i < 12; ++i) out(i, i) = (i % 6 < 2 ? -1 : 1) * (8 + (*this)());
    return out;
  }

 private:
  std::mt19937 engine_;
};

enum class Definite { yes, no };

/// Chains of the given numbers of elements, one after the other.
inline System chains(const std::vector<int>& lengths, Definite definite, unsigned seed) {
  System s;
  Random random(seed);
  for (const int length : lengths) {
    for (int e = 0; e < length; ++e) {
      s.structure.elements.emplace_back(s.structure.nodes + e, s.structure.nodes + e + 1);
      s.elements.push_back(definite == Definite::yes ? random.positive() : random.indefinite());
    }
    s.structure.nodes += length + 1;
  }
  return s;
}

/// Bodies: nodes that no element joins.
inline System bodies(int count, unsigned seed) {
  System s;
  Random random(seed);
  s.structure.nodes = count;
  for (int n = 0; n < count; ++n) {
    const auto m = random.matrix<Matrix6>();
    s.node_blocks.push_back(m * m.transpose() + Matrix6::Identity());
  }
  return s;
}

/// Adds a condition over all coordinates of the given nodes.
inline void add_row(System& s, const std::vector<int>& nodes, Random& random) {
  for (const int node : nodes)
    for (int c = 0; c < node_size; ++c)
      s.structure.condition_entries.push_back(
          {s.structure.conditions, node_size * node + c, random()});
  ++s.structure.conditions;
}

/// A ring with spokes between far nodes, conditions within and between nodes, and fixed ones.
inline System net(unsigned seed, double scale) {
  System s = chains({11}, Definite::yes, seed);
  Random random(seed + 1);
  for (const auto& link : {std::pair{11, 0}, {2, 9}, {7, 3}}) {
    s.structure.elements.push_back(link);
    s.elements.push_back(random.positive());
  }
  for (Matrix12& m : s.elements) m *= scale;
  for (int n = 0; n < s.structure.nodes; ++n) {
    const auto m = random.matrix<Matrix6>();
    s.node_blocks.push_back(scale * (m * m.transpose()));
  }
  s.structure.fixed = {0, 1, 2, 13, 14, 20, 70};
  s.structure.conditions = 5;
  s.structure.condition_entries = {{0, 27, 0.8}, {0, 28, -0.3}, {0, 29, 0.5},   // a direction
                                   {1, 27, 0.1}, {1, 28, 0.9},                  // and another
                                   {2, 36, 1},   {2, 66, -1},                   // far nodes agree
                                   {3, 2, 2},    {3, 8, 1},                     // one is fixed
                                   {4, 45, 1},   {4, 46, 2},    {4, 45, 0.5}};  // 45 comes twice
  return s;
}

}  // namespace hawser

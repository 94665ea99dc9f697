// Where the sparse solver keeps what: the order of the unknowns, the pattern of the matrix and the
// positions in its value array. Found once, at construction.
#pragma once

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "assembly/sink.h"
#include "model/structure.h"

namespace hawser {

/// `row` and `column` are places in the matrix; `unknown` counts coordinates, then conditions.
struct SparsePattern {
  explicit SparsePattern(const SystemStructure& structure);

  enum class Kind : char { coordinate, condition, fixed };
  struct ConditionEntry {
    int condition, position;
    int mirrored;  ///< of G^T; -1 when symmetric
    int diagonal;  ///< of H at the coordinate; -1 when fixed
    double factor;
  };
  struct FixedEntry {
    int which, position, coordinate;  ///< which: of the fixed coordinates
  };

  int coordinates, conditions, unknowns;
  bool symmetric;
  std::vector<int> place;            ///< row, by unknown
  std::vector<int> unknown;          ///< by row
  std::vector<Kind> kind;            ///< by row
  Eigen::SparseMatrix<double> zero;  ///< the matrix: upper triangle when symmetric, else all
  std::vector<int> diagonal;         ///< position, by unknown
  std::vector<int> element_positions, node_positions;  ///< see MatrixSink
  std::vector<ConditionEntry> condition_entries;
  std::vector<int> fixed_rows;
  std::vector<FixedEntry> fixed_entries;  ///< of the rows of H at the fixed coordinates
  std::vector<int> eliminated;            ///< positions in rows and columns of fixed coordinates

 private:
  using Triplets = std::vector<Eigen::Triplet<double>>;
  static Triplets entries(const SystemStructure& structure);
  void order(const SystemStructure& structure, const Triplets& all);
  void delay_conditions(const SystemStructure& structure, std::vector<int>& rank) const;
  [[nodiscard]] int position(int row_unknown, int column_unknown) const;
  void find_positions(const SystemStructure& structure);
  void find_conditions(const SystemStructure& structure);
  void find_fixed(const SystemStructure& structure);
};

inline SparsePattern::SparsePattern(const SystemStructure& structure)
    : coordinates(structure.coordinates()),
      conditions(structure.conditions),
      unknowns(structure.unknowns()),
      symmetric(structure.symmetric),
      zero(unknowns, unknowns) {
  const Triplets all = entries(structure);
  order(structure, all);
  Triplets kept;
  for (const auto& e : all)
    if (!symmetric || place[e.row()] <= place[e.col()])
      kept.emplace_back(place[e.row()], place[e.col()], 0.0);
  zero.setFromTriplets(kept.begin(), kept.end());
  find_positions(structure);
  find_conditions(structure);
  find_fixed(structure);
}

/// Both triangles, entries repeated. The conditions' own diagonal is kept: regularization goes
/// there.
inline SparsePattern::Triplets SparsePattern::entries(const SystemStructure& s) {
  Triplets out;
  const auto add_block = [&out](int row_node, int column_node) {
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < node_size; ++i)
        out.emplace_back(node_size * row_node + i, node_size * column_node + j, 1.0);
  };
  for (int n = 0; n < s.nodes; ++n) add_block(n, n);
  for (const auto& [a, b] : s.elements) {
    add_block(a, b);
    add_block(b, a);
  }
  for (const auto& e : s.condition_entries) {
    out.emplace_back(s.coordinates() + e.row, e.coordinate, 1.0);
    out.emplace_back(e.coordinate, s.coordinates() + e.row, 1.0);
  }
  for (int k = s.coordinates(); k < s.unknowns(); ++k) out.emplace_back(k, k, 1.0);
  return out;
}

/// Minimum degree, but a condition waits until its pivot is sound: see sparse_kkt.h. An LU finds
/// its own order.
inline void SparsePattern::order(const SystemStructure& structure, const Triplets& all) {
  std::vector<int> rank(unknowns);
  std::iota(rank.begin(), rank.end(), 0);
  unknown = place = rank;
  if (!symmetric || unknowns == 0) return;
  Eigen::SparseMatrix<double> full(unknowns, unknowns);
  full.setFromTriplets(all.begin(), all.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> by_degree;
  Eigen::AMDOrdering<int>()(full, by_degree);
  for (int i = 0; i < unknowns; ++i) rank[by_degree.indices()[i]] = i;
  delay_conditions(structure, rank);
  std::sort(unknown.begin(), unknown.end(), [&rank](int a, int b) {
    return std::pair(rank[a], a) < std::pair(rank[b], b);  // conditions are numbered last
  });
  for (int row = 0; row < unknowns; ++row) place[unknown[row]] = row;
}

/// Gives each condition the rank of the coordinate it is to follow. After a coordinate j that no
/// other condition touches, its pivot is at least g_j^2 / H_jj for H > 0; the earliest such j will
/// do, unless g_j is small. A condition that shares all its coordinates with others follows the
/// last: until then they may be dependent. (Always the last: twice the entries of L for a net.)
inline void SparsePattern::delay_conditions(const SystemStructure& structure,
                                            std::vector<int>& rank) const {
  struct Wait {
    double largest = 0;
    int own = std::numeric_limits<int>::max(), last = -1;
  };
  std::vector<Wait> waits(conditions);
  std::vector<int> uses(coordinates);
  std::vector<SystemStructure::Entry> open;  // entries on free coordinates
  for (const auto& e : structure.condition_entries)
    if (!std::binary_search(structure.fixed.begin(), structure.fixed.end(), e.coordinate))
      open.push_back(e);
  for (const auto& e : open) {
    Wait& wait = waits[e.row];
    wait.largest = std::max(wait.largest, std::abs(e.factor));
    wait.last = std::max(wait.last, rank[e.coordinate]);
    ++uses[e.coordinate];
  }
  for (const auto& e : open) {
    Wait& wait = waits[e.row];
    if (uses[e.coordinate] == 1 && std::abs(e.factor) >= 0.1 * wait.largest)
      wait.own = std::min(wait.own, rank[e.coordinate]);
  }
  for (int k = 0; k < conditions; ++k)
    if (const Wait& wait = waits[k]; wait.last >= 0)
      rank[coordinates + k] = std::min(wait.own, wait.last);
}

inline int SparsePattern::position(int row_unknown, int column_unknown) const {
  int i = place[row_unknown], j = place[column_unknown];
  if (symmetric && i > j) std::swap(i, j);
  const int* inner = zero.innerIndexPtr();
  const int* last = inner + zero.outerIndexPtr()[j + 1];
  const int* at = std::lower_bound(inner + zero.outerIndexPtr()[j], last, i);
  assert(at != last && *at == i);
  return static_cast<int>(at - inner);
}

inline void SparsePattern::find_positions(const SystemStructure& s) {
  for (int i = 0; i < unknowns; ++i) diagonal.push_back(position(i, i));
  for (int n = 0; n < s.nodes; ++n)
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < node_size; ++i)
        node_positions.push_back(
            symmetric && i < j ? -1 : position(node_size * n + i, node_size * n + j));
  for (const auto& nodes : s.elements) {
    assert(nodes.first != nodes.second);
    int c[2 * node_size];  // the element's coordinates
    for (int i = 0; i < node_size; ++i) {
      c[i] = node_size * nodes.first + i;
      c[node_size + i] = node_size * nodes.second + i;
    }
    for (int j = 0; j < 2 * node_size; ++j)
      for (int i = j; i < 2 * node_size; ++i) element_positions.push_back(position(c[i], c[j]));
    for (int j = 0; j < 2 * node_size; ++j)
      for (int i = j + 1; i < 2 * node_size; ++i)
        element_positions.push_back(symmetric ? -1 : position(c[j], c[i]));
  }
}

inline void SparsePattern::find_conditions(const SystemStructure& s) {
  for (const auto& e : s.condition_entries) {
    const int row = coordinates + e.row, c = e.coordinate;
    const bool is_fixed = std::binary_search(s.fixed.begin(), s.fixed.end(), c);
    condition_entries.push_back({e.row, position(row, c), symmetric ? -1 : position(c, row),
                                 is_fixed ? -1 : diagonal[c], e.factor});
  }
}

inline void SparsePattern::find_fixed(const SystemStructure& s) {
  kind.assign(unknowns, Kind::coordinate);
  for (int k = coordinates; k < unknowns; ++k) kind[place[k]] = Kind::condition;
  std::vector<int> which(unknowns, -1);  // of the fixed coordinates, by unknown
  for (const int c : s.fixed) {
    which[c] = static_cast<int>(fixed_rows.size());
    fixed_rows.push_back(place[c]);
    kind[place[c]] = Kind::fixed;
  }
  for (int column = 0; column < unknowns; ++column)
    for (int at = zero.outerIndexPtr()[column]; at < zero.outerIndexPtr()[column + 1]; ++at) {
      const int u = unknown[zero.innerIndexPtr()[at]], v = unknown[column];
      if (which[u] < 0 && which[v] < 0) continue;
      eliminated.push_back(at);
      if (u >= coordinates || v >= coordinates) continue;  // of G
      if (which[u] >= 0) fixed_entries.push_back({which[u], at, v});
      if (symmetric && u != v && which[v] >= 0) fixed_entries.push_back({which[v], at, u});
    }
}

}  // namespace hawser

#include "linear/sparse_pattern.h"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace hawser {
namespace {

/// Minimum degree does as well for fewer nodes.
constexpr int fewest_dissected = 100;

}  // namespace

SparsePattern::SparsePattern(const SystemStructure& structure)
    : coordinates(structure.coordinates()),
      conditions(structure.conditions),
      unknowns(structure.unknowns()),
      symmetric(structure.symmetric),
      shared(structure.shared),
      zero(unknowns, unknowns),
      is_idle_(static_cast<size_t>(unknowns), 0),
      owner_(static_cast<size_t>(unknowns)) {
  assert(structure.scalars == 0);
  for (int c = 0; c < coordinates; ++c)
    if (!structure.is_unknown(c)) idle.push_back(c), is_idle_[static_cast<size_t>(c)] = 1;
  std::iota(owner_.begin(), owner_.end(), 0);
  for (const auto& [follower, leader] : shared) {
    owner_[static_cast<size_t>(follower)] = leader;
    is_idle_[static_cast<size_t>(follower)] = 1;
  }
  is_held_ = is_idle_;
  for (const int c : structure.fixed) is_held_[static_cast<size_t>(c)] = 1;
  open = static_cast<int>(std::count(is_held_.begin(), is_held_.end(), 0));
  const Triplets all = entries(structure);
  order(structure, all);
  Triplets kept;
  for (const auto& e : all)
    if (!symmetric || place[e.row()] <= place[e.col()])
      kept.emplace_back(place[e.row()], place[e.col()], 0.0);
  zero.setFromTriplets(kept.begin(), kept.end());
  find_nodes(structure);
  find_elements(structure);
  find_conditions(structure);
  find_fixed(structure);
}

MatrixSink SparsePattern::sink(double* values) const {
  MatrixSink out;
  out.values = values;
  out.value_count = zero.nonZeros();
  out.element_positions = element_positions.data();
  out.node_positions = node_positions.data();
  out.pair_positions = pair_positions.data();
  return out;
}

/// Both triangles, entries repeated. The conditions' own diagonal is kept: compliance goes there.
SparsePattern::Triplets SparsePattern::entries(const SystemStructure& s) const {
  Triplets out;
  const auto add = [&](int row, int column) {
    row = owner_[static_cast<size_t>(row)];
    column = owner_[static_cast<size_t>(column)];
    if (row == column ||
        (!is_idle_[static_cast<size_t>(row)] && !is_idle_[static_cast<size_t>(column)]))
      out.emplace_back(row, column, 1.0);
  };
  const auto add_block = [&](int row_node, int column_node) {
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < node_size; ++i)
        add(node_size * row_node + i, node_size * column_node + j);
  };
  for (int n = 0; n < s.nodes; ++n) add_block(n, n);
  for (const auto* couples : {&s.elements, &s.pairs})
    for (const auto& [a, b] : *couples) {
      add_block(a, b);
      add_block(b, a);
    }
  for (const auto& e : s.condition_entries) {
    add(s.coordinates() + e.row, e.coordinate);
    add(e.coordinate, s.coordinates() + e.row);
  }
  for (const auto& [follower, leader] : shared) out.emplace_back(follower, follower, 1.0);
  for (int k = s.coordinates(); k < s.unknowns(); ++k) out.emplace_back(k, k, 1.0);
  return out;
}

/// Minimum degree or, of many nodes, nested dissection where that costs less; but a condition waits
/// until its pivot is sound: see sparse_kkt.h. An LU finds its own order.
void SparsePattern::order(const SystemStructure& structure, const Triplets& all) {
  std::vector<int> rank(unknowns);
  std::iota(rank.begin(), rank.end(), 0);
  unknown = place = rank;
  if (symmetric && open > 0) {
    Triplets free;
    for (const auto& e : all)
      if (!is_held_[e.row()] && !is_held_[e.col()]) free.push_back(e);
    Eigen::SparseMatrix<double> full(unknowns, unknowns);
    full.setFromTriplets(free.begin(), free.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> by_degree;
    Eigen::AMDOrdering<int>()(full, by_degree);
    for (int i = 0; i < unknowns; ++i) rank[by_degree.indices()[i]] = i;
    if (structure.nodes >= fewest_dissected) dissect(structure, full, rank);
    delay_conditions(structure, rank);
  }
  for (int c = 0; c < coordinates; ++c)
    if (is_held_[c]) rank[c] = unknowns;
  std::sort(unknown.begin(), unknown.end(), [&rank](int a, int b) {
    return std::pair(rank[a], a) < std::pair(rank[b], b);  // conditions are numbered last
  });
  for (int row = 0; row < unknowns; ++row) place[unknown[row]] = row;
}

/// The nodes that have unknowns as a graph: entries of the matrix join them, and so do conditions
/// over both.
Graph SparsePattern::node_graph(const SystemStructure& structure,
                                const Eigen::SparseMatrix<double>& full,
                                const std::vector<int>& number) const {
  std::vector<std::vector<int>> touched(static_cast<size_t>(conditions));  // nodes, by condition
  for (const auto& e : structure.condition_entries)
    if (const int c = owner_[e.coordinate]; !is_held_[c])
      touched[static_cast<size_t>(e.row)].push_back(number[static_cast<size_t>(c / node_size)]);
  std::vector<std::pair<int, int>> edges;
  for (int c = 0; c < coordinates; ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(full, c); it; ++it)
      if (const auto r = static_cast<int>(it.row());
          r < coordinates && r / node_size != c / node_size) {
        const std::pair edge(number[static_cast<size_t>(c / node_size)],
                             number[static_cast<size_t>(r / node_size)]);
        if (edges.empty() || edges.back() != edge) edges.push_back(edge);  // rows of one node
      }
  for (const std::vector<int>& nodes : touched)
    for (const int a : nodes)
      for (const int b : nodes)
        if (a != b) edges.emplace_back(a, b);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Graph graph;
  int nodes = 0;
  for (const int n : number) nodes = std::max(nodes, n + 1);
  graph.begin.assign(static_cast<size_t>(nodes) + 1, 0);
  for (const auto& [a, b] : edges) {
    ++graph.begin[static_cast<size_t>(a) + 1];
    graph.neighbours.push_back(b);
  }
  std::partial_sum(graph.begin.begin(), graph.begin.end(), graph.begin.begin());
  return graph;
}

/// The rank by nested dissection, if that costs less than the given one.
void SparsePattern::dissect(const SystemStructure& structure,
                            const Eigen::SparseMatrix<double>& full, std::vector<int>& rank) const {
  std::vector<int> number(static_cast<size_t>(structure.nodes), -1), unknowns_of, first_rank;
  for (int n = 0; n < structure.nodes; ++n) {
    int open_ones = 0, least = std::numeric_limits<int>::max();
    for (int c = node_size * n; c < node_size * (n + 1); ++c)
      if (!is_held_[c]) ++open_ones, least = std::min(least, rank[c]);
    if (open_ones == 0) continue;
    number[static_cast<size_t>(n)] = static_cast<int>(unknowns_of.size());
    unknowns_of.push_back(open_ones);
    first_rank.push_back(least);
  }
  if (static_cast<int>(unknowns_of.size()) < fewest_dissected) return;
  const Graph graph = node_graph(structure, full, number);
  std::vector<int> by_degree(unknowns_of.size());
  std::iota(by_degree.begin(), by_degree.end(), 0);
  std::sort(by_degree.begin(), by_degree.end(), [&](int a, int b) {
    return first_rank[static_cast<size_t>(a)] < first_rank[static_cast<size_t>(b)];
  });
  const std::vector<int> dissected = nested_dissection(graph);
  if (factor_work(graph, dissected, unknowns_of) >= factor_work(graph, by_degree, unknowns_of))
    return;
  std::vector<int> place_of(dissected.size());
  for (size_t k = 0; k < dissected.size(); ++k)
    place_of[static_cast<size_t>(dissected[k])] = static_cast<int>(k);
  for (int c = 0; c < coordinates; ++c)
    if (!is_held_[c])
      rank[c] = place_of[static_cast<size_t>(number[static_cast<size_t>(c / node_size)])];
}

/// Gives each condition the rank of the coordinate it is to follow. After the coordinates J of a
/// node that no other condition touches, its pivot is at least g_J H_JJ^-1 g_J^T for H > 0; the
/// earliest such node will do, unless g_J is small. A condition that shares coordinates at all its
/// nodes with others follows the last: until then they may be dependent. (Always the last: twice
/// the entries of L for a net.) One over more than two nodes follows the last too: before, it would
/// couple those to come with each other, and a row over n bodies would fill all n^2 blocks.
void SparsePattern::delay_conditions(const SystemStructure& structure,
                                     std::vector<int>& rank) const {
  struct Part {
    double largest = 0;
    int last = -1;
    bool shared = false;
  };
  std::vector<std::map<int, Part>> parts(conditions);  // by node
  std::vector<std::set<int>> users(coordinates);       // conditions, by coordinate
  for (const auto& e : structure.condition_entries)
    if (!is_held_[e.coordinate]) users[e.coordinate].insert(e.row);
  for (const auto& e : structure.condition_entries) {
    if (is_held_[e.coordinate]) continue;
    Part& part = parts[e.row][e.coordinate / node_size];
    part.largest = std::max(part.largest, std::abs(e.factor));
    part.last = std::max(part.last, rank[e.coordinate]);
    part.shared = part.shared || users[e.coordinate].size() > 1;
  }
  for (int k = 0; k < conditions; ++k) {
    if (parts[k].empty()) continue;
    double largest = 0;
    int last = -1;
    for (const auto& [node, part] : parts[k]) {
      largest = std::max(largest, part.largest);
      last = std::max(last, part.last);
    }
    int follows = last;
    for (const auto& [node, part] : parts[k])
      if (parts[k].size() <= 2 && !part.shared && part.largest >= 0.1 * largest)
        follows = std::min(follows, part.last);
    rank[coordinates + k] = follows;
  }
}

int SparsePattern::position(int row_unknown, int column_unknown) const {
  row_unknown = owner_[row_unknown];
  column_unknown = owner_[column_unknown];
  if (is_idle_[row_unknown]) column_unknown = row_unknown;
  if (is_idle_[column_unknown]) row_unknown = column_unknown;
  int i = place[row_unknown], j = place[column_unknown];
  if (symmetric && i > j) std::swap(i, j);
  const int* inner = zero.innerIndexPtr();
  const int* last = inner + zero.outerIndexPtr()[j + 1];
  const int* at = std::lower_bound(inner + zero.outerIndexPtr()[j], last, i);
  assert(at != last && *at == i);
  return static_cast<int>(at - inner);
}

void SparsePattern::find_nodes(const SystemStructure& s) {
  for (int n = 0; n < s.nodes; ++n)
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < node_size; ++i)
        node_positions.push_back(
            symmetric && i < j ? -1 : position(node_size * n + i, node_size * n + j));
  for (const auto& [a, b] : s.pairs) {
    assert(a != b);
    for (const bool mirrored : {false, true})
      for (int j = 0; j < node_size; ++j)
        for (int i = 0; i < node_size; ++i) {
          const int row = node_size * b + i, column = node_size * a + j;
          const bool one = owner_[row] == owner_[column];  // both entries go to its diagonal
          pair_positions.push_back(!mirrored           ? position(row, column)
                                   : symmetric && !one ? -1
                                                       : position(column, row));
        }
  }
}

void SparsePattern::find_elements(const SystemStructure& s) {
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

void SparsePattern::find_conditions(const SystemStructure& s) {
  is_condition.assign(unknowns, 0);
  for (int k = coordinates; k < unknowns; ++k) {
    condition_places.push_back(place[k]);
    condition_diagonals.push_back(position(k, k));
    is_condition[place[k]] = 1;
  }
  assert(std::is_sorted(s.condition_entries.begin(), s.condition_entries.end(),
                        [](const auto& a, const auto& b) { return a.row < b.row; }));
  condition_begins.assign(conditions + 1, 0);
  for (const auto& e : s.condition_entries) ++condition_begins[e.row + 1];
  std::partial_sum(condition_begins.begin(), condition_begins.end(), condition_begins.begin());
  std::set<int> seen;
  std::map<int, int> diagonals;  // number, by coordinate
  for (const auto& e : s.condition_entries) {
    const int row = coordinates + e.row, c = e.coordinate, at = position(row, c);
    int diagonal = -1;
    if (!is_held_[c]) {
      const auto [found, fresh] = diagonals.try_emplace(c, static_cast<int>(diagonals.size()));
      if (fresh) condition_diagonals_of_h.push_back(position(c, c));
      diagonal = found->second;
    }
    condition_entries.push_back(
        {at, symmetric ? -1 : position(c, row), diagonal, !seen.insert(at).second});
  }
}

void SparsePattern::find_fixed(const SystemStructure& s) {
  std::vector<int> which(unknowns, -1);  // of the fixed coordinates, by unknown
  for (size_t k = 0; k < s.fixed.size(); ++k) which[s.fixed[k]] = static_cast<int>(k);
  for (int column = 0; column < unknowns; ++column)
    for (int at = zero.outerIndexPtr()[column]; at < zero.outerIndexPtr()[column + 1]; ++at) {
      const int u = unknown[zero.innerIndexPtr()[at]], v = unknown[column];
      if (u >= coordinates || v >= coordinates) continue;  // of G
      if (which[u] >= 0) fixed_entries.push_back({which[u], at, v});
      if (symmetric && u != v && which[v] >= 0) fixed_entries.push_back({which[v], at, u});
    }
}

}  // namespace hawser

#include "linear/joint_leaves.h"

#include <set>

#include "linear/joint_tree_shape.h"

namespace hawser {
namespace {

/// What refers to the nodes that are left while leaves are taken away.
struct TreeGraph {
  explicit TreeGraph(const SystemStructure& s);
  /// The rows and the other node of a leaf; false where it is none.
  bool leaf(int node, std::vector<int>& rows, int& above) const;
  /// The row that a body hangs on, or -1.
  [[nodiscard]] int hangs_on(int node) const;
  void take(int node, const std::vector<int>& rows);
  void hang(int node, int row);

  std::vector<char> stays;                ///< by node: never a leaf
  std::vector<char> held;                 ///< by node: never above a leaf
  std::vector<char> shares;               ///< by row: SystemStructure::sharing
  std::vector<char> kept;                 ///< by row: bodies hang on it
  std::vector<std::set<int>> rows_of;     ///< by node
  std::vector<std::set<int>> nodes_of;    ///< by row
  std::vector<std::set<int>> neighbours;  ///< by node: by curvature
};

TreeGraph::TreeGraph(const SystemStructure& s)
    : stays(static_cast<size_t>(s.nodes), 0),
      held(stays),
      shares(s.sharing),
      kept(static_cast<size_t>(s.conditions), 0),
      rows_of(static_cast<size_t>(s.nodes)),
      nodes_of(static_cast<size_t>(s.conditions)),
      neighbours(static_cast<size_t>(s.nodes)) {
  const auto hold = [&](int node) {
    stays[static_cast<size_t>(node)] = held[static_cast<size_t>(node)] = 1;
  };
  for (int n = 0; n < s.nodes; ++n)
    if (s.is_narrow(n)) hold(n);
  for (const int c : s.fixed) hold(c / node_size);
  for (const auto& [follower, leader] : s.shared)
    hold(follower / node_size), hold(leader / node_size);
  for (const auto& [a, b] : s.elements)
    stays[static_cast<size_t>(a)] = stays[static_cast<size_t>(b)] = 1;
  for (const auto& e : s.condition_entries) {
    const int node = e.coordinate / node_size;
    rows_of[static_cast<size_t>(node)].insert(e.row);
    nodes_of[static_cast<size_t>(e.row)].insert(node);
  }
  for (const auto& [a, b] : s.pairs) {
    neighbours[static_cast<size_t>(a)].insert(b);
    neighbours[static_cast<size_t>(b)].insert(a);
  }
}

bool TreeGraph::leaf(int node, std::vector<int>& rows, int& above) const {
  const auto n = static_cast<size_t>(node);
  if (stays[n] || rows_of[n].size() > static_cast<size_t>(most_joint_rows)) return false;
  std::set<int> others = neighbours[n];
  size_t grounded = 0;
  for (const int row : rows_of[n]) {
    if (kept[static_cast<size_t>(row)]) return false;
    const std::set<int>& of = nodes_of[static_cast<size_t>(row)];
    grounded += of.size() == 1;
    others.insert(of.begin(), of.end());
  }
  others.erase(node);
  if (others.size() > 1 || (others.size() == 1 && grounded > 0)) return false;
  above = others.empty() ? -1 : *others.begin();
  if (above >= 0 && held[static_cast<size_t>(above)]) return false;
  rows.assign(rows_of[n].begin(), rows_of[n].end());
  return true;
}

int TreeGraph::hangs_on(int node) const {
  const auto n = static_cast<size_t>(node);
  if (stays[n] || rows_of[n].size() != 1 || !neighbours[n].empty()) return -1;
  const int row = *rows_of[n].begin();
  return shares.empty() || !shares[static_cast<size_t>(row)] ? row : -1;
}

void TreeGraph::hang(int node, int row) {
  rows_of[static_cast<size_t>(node)].clear();
  kept[static_cast<size_t>(row)] = 1;
  stays[static_cast<size_t>(node)] = 1;
}

void TreeGraph::take(int node, const std::vector<int>& rows) {
  for (const int row : rows)
    for (const int other : nodes_of[static_cast<size_t>(row)])
      rows_of[static_cast<size_t>(other)].erase(row);
  for (const int other : neighbours[static_cast<size_t>(node)])
    neighbours[static_cast<size_t>(other)].erase(node);
  neighbours[static_cast<size_t>(node)].clear();
  stays[static_cast<size_t>(node)] = 1;
}

}  // namespace

std::vector<JointLeaf> find_joint_leaves(const SystemStructure& s) {
  TreeGraph graph(s);
  std::vector<JointLeaf> out;
  std::vector<int> open;
  for (int n = 0; n < s.nodes; ++n) open.push_back(n);
  JointLeaf leaf;
  while (!open.empty()) {
    leaf.node = open.back();
    open.pop_back();
    if (!graph.leaf(leaf.node, leaf.rows, leaf.above)) continue;
    graph.take(leaf.node, leaf.rows);
    if (leaf.above >= 0) open.push_back(leaf.above);
    out.push_back(leaf);
  }
  for (int n = 0; n < s.nodes; ++n)  // when no other leaf is left
    if (const int row = graph.hangs_on(n); row >= 0) {
      graph.hang(n, row);
      out.push_back({n, -1, row, {}});
    }
  return out;
}

}  // namespace hawser

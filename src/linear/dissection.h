// Orders of elimination for large nets: nested dissection (George 1973), and what an order costs.
//
// A graph is halved by a separator, each half likewise, and separators are eliminated after what
// they separate. Where to halve is found without coordinates: distances along the graph from two of
// its corners stand for them. On a rectangular net with corners x and z the sum and the difference
// of both distances are twice the column and the row of a knot, so that separators are straight.
#pragma once

#include <vector>

namespace hawser {

/// An undirected graph: the neighbours of node i are neighbours[begin[i]] to
/// neighbours[begin[i + 1]], without itself and each once.
struct Graph {
  std::vector<int> begin = {0}, neighbours;
  [[nodiscard]] int size() const { return static_cast<int>(begin.size()) - 1; }
};

/// The nodes in the order in which to eliminate them. The same for the same graph.
std::vector<int> nested_dissection(const Graph& graph);

/// Multiplications of a factorization that eliminates the nodes in this order; `unknowns` by node.
double factor_work(const Graph& graph, const std::vector<int>& order,
                   const std::vector<int>& unknowns);

}  // namespace hawser

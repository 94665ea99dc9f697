#include "linear/dissection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace hawser::HAWSER_FILE {
namespace {

Graph graph_of(int nodes, const std::set<std::pair<int, int>>& edges) {
  std::vector<std::set<int>> beside(static_cast<size_t>(nodes));
  for (const auto& [a, b] : edges) {
    beside[static_cast<size_t>(a)].insert(b);
    beside[static_cast<size_t>(b)].insert(a);
  }
  Graph graph;
  for (const std::set<int>& others : beside) {
    graph.neighbours.insert(graph.neighbours.end(), others.begin(), others.end());
    graph.begin.push_back(static_cast<int>(graph.neighbours.size()));
  }
  return graph;
}

Graph grid(int along, int across) {
  std::set<std::pair<int, int>> edges;
  for (int j = 0; j < across; ++j)
    for (int i = 0; i < along; ++i) {
      const int n = along * j + i;
      if (i + 1 < along) edges.insert({n, n + 1});
      if (j + 1 < across) edges.insert({n, n + along});
    }
  return graph_of(along * across, edges);
}

std::vector<int> in_sequence(int n) {
  std::vector<int> out(static_cast<size_t>(n));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

void expect_permutation(std::vector<int> order, int n) {
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, in_sequence(n));
}

TEST(Dissection, OrdersEveryNodeOnce) {
  for (const Graph& g : {grid(1, 1), grid(7, 1), grid(5, 4), grid(13, 9), graph_of(9, {}),
                         graph_of(12, {{0, 1}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}})})
    expect_permutation(nested_dissection(g), g.size());
  EXPECT_TRUE(nested_dissection(Graph()).empty());
}

TEST(Dissection, WorkOfAChain) {
  // Each node but the last has one below it: 1 (1 + 1)/2 multiplications and 1/6 for the pivot.
  EXPECT_NEAR(factor_work(grid(10, 1), in_sequence(10), std::vector<int>(10, 1)), 9 + 10.0 / 6,
              1e-12);
}

/// The separator of a rectangle is its middle row: it is eliminated last.
TEST(Dissection, SeparatesARectangleAcross) {
  const std::vector<int> order = nested_dissection(grid(21, 9));
  std::set<int> columns;
  for (size_t k = order.size() - 9; k < order.size(); ++k) columns.insert(order[k] % 21);
  EXPECT_EQ(columns.size(), 1U);
  EXPECT_NEAR(*columns.begin(), 10, 2);
}

/// George (1973): work of order n^3 on an n x n grid, where a band takes n^4.
TEST(Dissection, WorkGrowsAsTheCubeOfTheSide) {
  const auto work = [](int n) {
    const Graph g = grid(n, n);
    return factor_work(g, nested_dissection(g), std::vector<int>(static_cast<size_t>(n * n), 3));
  };
  EXPECT_LT(work(40) / work(20), 11);
  const Graph g = grid(40, 40);
  EXPECT_LT(work(40), 0.25 * factor_work(g, in_sequence(1600), std::vector<int>(1600, 3)));
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

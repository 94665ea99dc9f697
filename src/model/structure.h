// The shape of the linear system, known when a scene is compiled.
#pragma once

#include <utility>
#include <vector>

namespace hawser {

inline constexpr int node_size = 6;  ///< coordinates of a node: r, r'

struct SystemStructure {
  int nodes = 0;
  std::vector<std::pair<int, int>> elements;  ///< the two nodes of every element, in order
  std::vector<int> fixed;                     ///< eliminated coordinates, increasing
  struct Entry {
    int row, coordinate;
    double factor;
  };
  std::vector<Entry> condition_entries;  ///< of G
  int conditions = 0;                    ///< rows of G
  bool symmetric = true;                 ///< false when a load has an unsymmetric tangent

  [[nodiscard]] int coordinates() const { return node_size * nodes; }
  [[nodiscard]] int unknowns() const { return coordinates() + conditions; }
  /// A set of chains without general conditions: what the block-tridiagonal solver can take.
  [[nodiscard]] bool is_chain() const;
};

}  // namespace hawser

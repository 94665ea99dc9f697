// The shape of the linear system, known when a scene is compiled.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace hawser {

inline constexpr int node_size = 6;  ///< coordinates of a node: r, r'
/// Arrays by node end in this many spare doubles, so that whole packs can be read past the end.
inline constexpr int padding = 32;

/// Which coordinates there are and which of them are unknowns. Arrays by coordinate hold 6 numbers
/// a node, whatever its kind, so that kernels walk them by whole packs; then the scalars.
struct DofMap {
  int nodes = 0;
  /// By node: 1 where the position alone is unknown (np-fem), and r' stays as it is; empty:
  /// nowhere.
  std::vector<char> narrow;
  int scalars = 0;  ///< unknowns of their own: they go in a border of the matrix
  /// Coordinates of joined nodes that are one unknown, each with the coordinate it follows, which
  /// follows no other; increasing.
  struct Shared {
    int follower, leader;
  };
  std::vector<Shared> shared;

  [[nodiscard]] int node_coordinates() const { return node_size * nodes; }
  [[nodiscard]] int coordinates() const { return node_coordinates() + scalars; }
  [[nodiscard]] int scalar(int i) const { return node_coordinates() + i; }
  [[nodiscard]] bool is_narrow(int node) const {
    return !narrow.empty() && narrow[static_cast<std::size_t>(node)] != 0;
  }
  /// The coordinate whose unknown this one is.
  [[nodiscard]] int leader(int coordinate) const;
  /// Generalized forces by coordinate: those on followers go to their leaders.
  void gather(double* forces) const {
    for (const Shared& s : shared) {
      forces[s.leader] += forces[s.follower];
      forces[s.follower] = 0;
    }
  }
  /// Values by coordinate: followers have those of their leaders.
  void spread(double* values) const {
    for (const Shared& s : shared) values[s.follower] = values[s.leader];
  }
  /// False for the coordinates r' of narrow nodes.
  [[nodiscard]] bool is_unknown(int coordinate) const {
    return coordinate >= node_coordinates() || coordinate % node_size < 3 ||
           !is_narrow(coordinate / node_size);
  }
};

struct SystemStructure : DofMap {
  std::vector<std::pair<int, int>> elements;  ///< the two nodes of every element, in order
  /// Nodes and elements of cables come first: each element from a node to the next, and all of them
  /// written in one walk (MatrixSink::panels).
  int chain_nodes = 0, chain_elements = 0;
  std::vector<int> fixed;  ///< eliminated coordinates, increasing
  struct Entry {
    int row, coordinate;
    double factor;
  };
  /// Where G may have entries, row after row; the factor is the value at the start, which the
  /// order of elimination goes by. The assembler writes the values (MatrixSink::rows).
  std::vector<Entry> condition_entries;
  int conditions = 0;  ///< rows of G
  /// By row: 1 where rows may repeat each other (joints of a closed loop). Such a row has a
  /// compliance of its own, a small part of what inertia and stiffness yield in a step, so that the
  /// rows share their force.
  std::vector<char> sharing;
  /// By row: 1 where it always acts and never yields, E = 0. Empty: nowhere.
  std::vector<char> rigid;
  /// Nodes that the curvature of constraints couples, smaller number first, each pair once; those
  /// of an element are not among them.
  std::vector<std::pair<int, int>> pairs;
  /// Pairs from this number on are of parts that come close and part again.
  std::size_t first_loose = static_cast<std::size_t>(-1);
  bool symmetric = true;  ///< false when a load has an unsymmetric tangent

  [[nodiscard]] int unknowns() const { return coordinates() + conditions; }
  /// A set of chains without conditions or scalars that nothing joins, or only what is fixed: what
  /// the block-tridiagonal solver can take.
  [[nodiscard]] bool is_chain() const;
};

}  // namespace hawser

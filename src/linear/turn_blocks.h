// Blocks over the positions or the turns of bodies alone: the first or the last three coordinates
// of their nodes.
#pragma once

#include "linear/sink.h"

namespace hawser {

/// Adds a number to the diagonal of the position of a node without a panel.
inline void add_shift_diagonal(const MatrixSink& sink, int node, double entry) {
  const int n = node - sink.panel_nodes;
  const int* to = sink.node_positions + 36L * n;
  for (int i = 0; i < 3; ++i) sink.values[to[(node_size + 1) * i]] += entry;
}

/// Adds a 3 x 3 block (columns first) to the turns of a node without a panel.
inline void add_turn_block(const MatrixSink& sink, int node, const double block[9]) {
  const int n = node - sink.panel_nodes;
  if (sink.node_blocks && sink.node_blocks[n] >= 0) {
    double* own = sink.values + sink.node_blocks[n];
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) own[node_size * (3 + j) + 3 + i] += block[3 * j + i];
    return;
  }
  const int* to = sink.node_positions + 36L * n;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      if (const int at = to[node_size * (3 + j) + 3 + i]; at >= 0)
        sink.values[at] += block[3 * j + i];
}

/// Adds a 3 x 3 block (columns first) that couples the turns of a pair: rows of the second node,
/// columns of the first.
inline void add_turn_pair(const MatrixSink& sink, int pair, const double block[9]) {
  if (sink.pair_blocks && sink.pair_blocks[2 * pair] >= 0) {
    double* own = sink.values + sink.pair_blocks[2 * pair] + (node_size + 1) * 3;
    const bool turned = sink.pair_blocks[2 * pair + 1] != 0;
    const int down = turned ? node_size : 1, right = turned ? 1 : node_size;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) own[right * j + down * i] += block[3 * j + i];
    return;
  }
  const int* to = sink.pair_positions + 72L * pair;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      const int at = node_size * (3 + j) + 3 + i;
      sink.values[to[at]] += block[3 * j + i];
      if (to[36 + at] >= 0) sink.values[to[36 + at]] += block[3 * j + i];
    }
}

}  // namespace hawser

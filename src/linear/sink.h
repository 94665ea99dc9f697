// Where the assembler writes the matrix of a step.
#pragma once

#include <algorithm>
#include <limits>

#include "linear/structure.h"

namespace hawser {

inline constexpr int panel_rows = 12;  ///< of a node's panel: its own rows, then the next node's
inline constexpr int panel_size = panel_rows * node_size;
inline constexpr int spare_panels = 4;  ///< at the end, so that whole packs can be stored

/// Coordinates from the first to before the last; none where that is not above the first.
struct CoordinateRange {
  int first = 0, last = 0;
};

/// Plain pointers into a linear solver's storage: no virtual call per element.
struct MatrixSink {
  /// The first nodes, and the elements between them, have panels; all others have positions in the
  /// value array.
  int panel_nodes = 0, panel_elements = 0;
  /// panel_size doubles a node, column by column: 6 columns of the node's own 6 rows (lower
  /// triangle) and the next node's 6 rows. The assembler overwrites them, and the spare ones.
  double* panels = nullptr;
  /// Where the matrix is not symmetric: laid out like the panels, by how much the transposed entry
  /// is larger, A_ji - A_ij for i > j. The assembler adds to it. Null: nothing above the diagonal
  /// is looked at.
  double* skew = nullptr;
  /// The value array and, for each element without panels, where its 12 x 12 lower triangle goes by
  /// columns (78 positions), then its strict upper triangle mirrored (66), or -1 when not kept.
  double* values = nullptr;
  long value_count = 0;
  const int* element_positions = nullptr;
  /// 36 positions a node without a panel, -1 above the diagonal.
  const int* node_positions = nullptr;
  /// 36 positions a pair of SystemStructure::pairs, columns (of the first node) first, then
  /// 36 of the transpose, or -1 where that is not kept apart.
  const int* pair_positions = nullptr;
  /// By node without a panel: where its block stands as a whole among the values, by columns, both
  /// triangles, of which the lower one counts; -1: it does not. Null: none does.
  const int* node_blocks = nullptr;
  /// By pair, two numbers: the same, and 1 where the block stands transposed.
  const int* pair_blocks = nullptr;
  /// Pairs from this number on have their blocks here instead, 36 numbers each, columns (of the
  /// first node) first.
  double* loose = nullptr;
  int first_loose = std::numeric_limits<int>::max();
  /// The entries of G in the order of SystemStructure::condition_entries, and by row the
  /// compliance E >= 0 of G x - E lambda = c. factor() reads them; clear() leaves them alone. A row
  /// of zeros with E > 0 is switched off: its lambda is -c/E.
  double* rows = nullptr;
  double* compliance = nullptr;
  /// Where there are scalars: of each, the column of the rows of all nodes' coordinates and its own
  /// row over them, `border_length` numbers each, and the square of the scalars by columns.
  double *border_columns = nullptr, *border_rows = nullptr, *corner = nullptr;
  int border_length = 0, scalars = 0;
  CoordinateRange* border_range = nullptr;  ///< by scalar: widened to what is written; null: not
};
inline constexpr int element_positions_size = 78 + 66;

/// Adds a 6 x 6 block (columns first) to a node's diagonal block.
inline void add_node_block(const MatrixSink& sink, int node, const double block[36]) {
  if (node < sink.panel_nodes) {
    double* own = sink.panels + static_cast<long>(panel_size) * node;
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < node_size; ++i) own[panel_rows * j + i] += block[node_size * j + i];
    if (!sink.skew) return;
    double* skew = sink.skew + static_cast<long>(panel_size) * node;
    for (int j = 0; j < node_size; ++j)
      for (int i = j + 1; i < node_size; ++i)
        skew[panel_rows * j + i] += block[node_size * i + j] - block[node_size * j + i];
    return;
  }
  if (sink.node_blocks && sink.node_blocks[node - sink.panel_nodes] >= 0) {
    double* own = sink.values + sink.node_blocks[node - sink.panel_nodes];
    for (int i = 0; i < 36; ++i) own[i] += block[i];
    return;
  }
  const int* to = sink.node_positions + 36L * (node - sink.panel_nodes);
  for (int i = 0; i < 36; ++i)
    if (to[i] >= 0) sink.values[to[i]] += block[i];
}

/// Adds a block (columns first) that couples the nodes of a pair: rows of the second, columns of
/// the first; its transpose goes to the other side.
inline void add_pair_block(const MatrixSink& sink, int pair, const double block[36]) {
  if (pair >= sink.first_loose) {
    double* own = sink.loose + 36L * (pair - sink.first_loose);
    for (int i = 0; i < 36; ++i) own[i] += block[i];
    return;
  }
  if (sink.pair_blocks && sink.pair_blocks[2 * pair] >= 0) {
    double* own = sink.values + sink.pair_blocks[2 * pair];
    if (sink.pair_blocks[2 * pair + 1] == 0)
      for (int i = 0; i < 36; ++i) own[i] += block[i];
    else
      for (int j = 0; j < node_size; ++j)
        for (int i = 0; i < node_size; ++i) own[node_size * i + j] += block[node_size * j + i];
    return;
  }
  const int* to = sink.pair_positions + 72 * pair;
  for (int i = 0; i < 36; ++i) {
    sink.values[to[i]] += block[i];
    if (to[36 + i] >= 0) sink.values[to[36 + i]] += block[i];
  }
}

/// Adds to the border: `column` is the derivative of the coordinate's equation by the scalar, `row`
/// that of the scalar's equation by the coordinate.
inline void add_border(const MatrixSink& sink, int scalar, int coordinate, double column,
                       double row) {
  if (sink.border_range) {
    CoordinateRange& range = sink.border_range[scalar];
    range = {std::min(range.first, coordinate), std::max(range.last, coordinate + 1)};
  }
  const auto at = static_cast<long>(sink.border_length) * scalar + coordinate;
  sink.border_columns[at] += column;
  sink.border_rows[at] += row;
}

/// Adds the derivative of the equation of scalar i by scalar j.
inline void add_corner(const MatrixSink& sink, int i, int j, double entry) {
  sink.corner[sink.scalars * j + i] += entry;
}

}  // namespace hawser

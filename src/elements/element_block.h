// A whole element's matrix into a sink; apart from sink.h, which the batched kernels are made with.
#pragma once

#include "linear/sink.h"

namespace hawser {

/// Adds the 12 x 12 matrix (columns first) of an element, whose nodes follow each other. Where but
/// one triangle is kept it must be symmetric.
inline void add_element_block(const MatrixSink& sink, int element, int first_node,
                              const double block[144]) {
  constexpr int size = 2 * node_size;
  if (element < sink.panel_elements) {
    // By whole columns: nothing reads what is above the diagonal.
    double* __restrict own = sink.panels + static_cast<long>(panel_size) * first_node;
    double* __restrict next = own + panel_size;
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < size; ++i) own[panel_rows * j + i] += block[size * j + i];
    for (int j = 0; j < node_size; ++j)
      for (int i = 0; i < node_size; ++i)
        next[panel_rows * j + i] += block[size * (node_size + j) + node_size + i];
    if (!sink.skew) return;
    double* skew = sink.skew + static_cast<long>(panel_size) * first_node;
    for (int j = 0; j < size; ++j) {
      const int column =
          j < node_size ? panel_rows * j : panel_size + panel_rows * (j - node_size) - node_size;
      for (int i = j + 1; i < size; ++i)
        skew[column + i] += block[size * i + j] - block[size * j + i];
    }
    return;
  }
  const int* to = sink.element_positions + element_positions_size * (element - sink.panel_elements);
  for (int j = 0, lower = 0, upper = 78; j < size; ++j)
    for (int i = j; i < size; ++i) {
      sink.values[to[lower++]] += block[size * j + i];
      if (i == j) continue;
      if (to[upper] >= 0) sink.values[to[upper]] += block[size * i + j];
      ++upper;
    }
}

/// Adds to the border of a scalar what couples it to n coordinates from `first` on, symmetric.
inline void add_border_block(const MatrixSink& sink, int scalar, int first, int n,
                             const double* entries, double factor) {
  if (sink.border_range) {
    CoordinateRange& range = sink.border_range[scalar];
    range = {std::min(range.first, first), std::max(range.last, first + n)};
  }
  const auto at = static_cast<long>(sink.border_length) * scalar + first;
  for (int i = 0; i < n; ++i) sink.border_columns[at + i] += factor * entries[i];
  for (int i = 0; i < n; ++i) sink.border_rows[at + i] += factor * entries[i];
}

}  // namespace hawser

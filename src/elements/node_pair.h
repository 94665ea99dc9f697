// Nodes of four consecutive elements of a cable, side by side.
#pragma once

#include "kernels/pack.h"
#include "linear/structure.h"

namespace hawser::HAWSER_ISA {

/// A field at the two nodes of four elements.
struct NodePair {
  Pack left[6], right[6];

  HAWSER_INLINE explicit NodePair(const double* p) {
    for (int i = 0; i < 6; i += 2) load_two(p + i, node_size, left[i], left[i + 1]);
    for (int i = 0; i < 6; ++i) right[i] = shift_out(left[i], p[24 + i]);
  }

  /// (d, r1', r2'), see hermite.h.
  HAWSER_INLINE void reduce(double inv_length, Pack x[9]) const {
    const Pack s(inv_length);
    for (int i = 0; i < 3; ++i) {
      x[i] = (right[i] - left[i]) * s;
      x[3 + i] = left[3 + i];
      x[6 + i] = right[3 + i];
    }
  }
};

/// Six components of four nodes, to memory in node order.
HAWSER_INLINE void store_nodes(const Pack component[6], double* out) {
  for (int i = 0; i < 6; i += 2) store_two(component[i], component[i + 1], node_size, out + i);
}

/// 1 in lanes that hold an element, else 0.
HAWSER_INLINE Pack held_lanes(int elements) {
  return {1, elements > 1 ? 1.0 : 0.0, elements > 2 ? 1.0 : 0.0, elements > 3 ? 1.0 : 0.0};
}

HAWSER_INLINE double largest_lane(Pack p) {
  const double a = p[0] > p[1] ? p[0] : p[1], b = p[2] > p[3] ? p[2] : p[3];
  return a > b ? a : b;
}

}  // namespace hawser::HAWSER_ISA

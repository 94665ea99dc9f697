// Ground and fluid around cable elements, four consecutive ones side by side.
//
// As in elements/ancf_kernels.h, what an element adds to its right node is handed to the next lane
// first. What is there already is added to: only nodes of the run are written, so lanes past its
// last element may hold anything.
#pragma once

#include "base/inline.h"
#include "loads/element_added_mass.h"
#include "loads/ground_kernels.h"

namespace hawser::HAWSER_ISA {

/// Adds to a field node by node while a run is walked.
template <bool slopes>
class NodeAdder {
 public:
  HAWSER_INLINE explicit NodeAdder(double* first) : out_(first) {
    for (Pack& c : carry_) c = Pack(0.0);
  }

  /// Adds the shares of the first `valid` of four elements to their left nodes.
  HAWSER_INLINE void push(const Pack left[6], const Pack right[6], int valid) {
    Pack sum[6];
    for (int i = 0; i < 6; ++i) {
      sum[i] = i < size ? left[i] + shift_in(carry_[i], right[i]) : Pack(0.0);
      if (i < size) carry_[i] = right[i];
    }
    if (valid == 4) {
      for (int i = 0; i < size; i += 2) {
        Pack first, second;
        load_two(out_ + i, node_size, first, second);
        store_two(first + sum[i], second + sum[i + 1], node_size, out_ + i);
      }
    } else {
      for (int n = 0; n < valid; ++n)
        for (int i = 0; i < size; ++i) out_[node_size * n + i] += sum[i][n];
    }
    out_ += 4 * node_size;
  }
  /// Goes past four elements that add nothing.
  HAWSER_INLINE void skip() {
    hand_over(4);
    for (Pack& c : carry_) c = Pack(0.0);
    out_ += 4 * node_size;
  }
  /// After the last four elements, of which `valid` count.
  HAWSER_INLINE void finish(int valid) {
    out_ -= node_size * (4 - valid);
    hand_over(valid);
  }

 private:
  static constexpr int size = slopes ? 6 : 3;

  HAWSER_INLINE void hand_over(int valid) {
    for (int i = 0; i < size; ++i) out_[i] += carry_[i][valid - 1];
  }

  double* out_;
  Pack carry_[size];
};

/// Adds to the panels of a chain, in the same way.
template <bool slopes>
class PanelAdder {
 public:
  HAWSER_INLINE explicit PanelAdder(double* first) : out_(first) {
    for (Pack& c : carry_) c = Pack(0.0);
  }

  HAWSER_INLINE void push(const SurroundedBlock<Pack>& block, int valid) {
    HAWSER_UNROLL(6)
    for (int j = 0; j < size; ++j) {
      Pack col[12];
      HAWSER_UNROLL(12)
      for (int i = 0; i < 12; ++i) {
        col[i] = slopes || i % 6 < 3 ? entry(block, i, j) : Pack(0.0);
        if (i >= size) continue;
        const Pack right = entry(block, 6 + i, 6 + j);
        col[i] += shift_in(carry_[size * j + i], right);
        carry_[size * j + i] = right;
      }
      // Straight elements have rows 0 to 2 and 6 to 8 alone.
      HAWSER_UNROLL(3)
      for (int g = 0; g < 12; g += slopes ? 4 : 6) {
        transpose(col[g], col[g + 1], col[g + 2], col[g + 3]);
        double* to = out_ + panel_rows * j + g;
        HAWSER_UNROLL(4)
        for (int n = 0; n < 4; ++n, to += panel_size)
          if (n < valid) (Pack::load(to) + col[g + n]).store(to);
      }
    }
    out_ += 4 * panel_size;
  }
  HAWSER_INLINE void skip() {
    hand_over(4);
    for (Pack& c : carry_) c = Pack(0.0);
    out_ += 4 * panel_size;
  }
  HAWSER_INLINE void finish(int valid) {
    out_ -= panel_size * (4 - valid);
    hand_over(valid);
  }

 private:
  static constexpr int size = slopes ? 6 : 3;

  /// Row i and column j of the 12 x 12 matrix.
  static HAWSER_INLINE Pack entry(const SurroundedBlock<Pack>& block, int i, int j) {
    const int high = i > j ? i / 3 : j / 3, low = i > j ? j / 3 : i / 3;
    return block.pair[high * (high + 1) / 2 + low].m[sym3_at[i % 3][j % 3]];
  }
  HAWSER_INLINE void hand_over(int valid) {
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i) out_[panel_rows * j + i] += carry_[size * j + i][valid - 1];
  }

  double* out_;
  Pack carry_[size * size];
};

/// Adds the matrices of the first `valid` of four elements one by one, to any sink.
inline __attribute__((noinline)) void add_blocks(const SurroundedElements& run,
                                                 const SurroundingsIo& io,
                                                 const SurroundedBlock<Pack>& block, int e,
                                                 int valid) {
  constexpr int size = 2 * node_size;
  const MatrixSink& sink = io.sink;
  const int element = run.first_element + e, node = run.first_node + e;
  Pack whole[size * size];
  write_whole(run.surroundings, block, whole);
  if (io.weights.by_slope && run.surroundings.drag.any()) {
    const NodePair q(io.q_ahead + node_size * node), v(io.v_ahead + node_size * node);
    add_by_slope(run.surroundings, {ends_of(q), ends_of(v), ends_of(q), ends_of(v)}, io.weights,
                 whole);
  }
  for (int n = 0; n < valid; ++n) {
    if (element + n < sink.panel_elements) {
      double* own = sink.panels + static_cast<long>(panel_size) * (node + n);
      for (int j = 0; j < size; ++j) {
        double* column = own + panel_rows * j;
        if (j >= node_size) column += panel_size - panel_rows * node_size - node_size;
        for (int i = j; i < size; ++i) column[i] += whole[size * j + i][n];
        if (!sink.skew) continue;
        double* skew = sink.skew + (column - sink.panels);
        for (int i = j + 1; i < size; ++i)
          skew[i] += whole[size * i + j][n] - whole[size * j + i][n];
      }
      continue;
    }
    const int* to =
        sink.element_positions + element_positions_size * (element + n - sink.panel_elements);
    for (int j = 0, lower = 0, upper = 78; j < size; ++j)
      for (int i = j; i < size; ++i) {
        sink.values[to[lower++]] += whole[size * j + i][n];
        if (i == j) continue;
        if (to[upper] >= 0) sink.values[to[upper]] += whole[size * i + j][n];
        ++upper;
      }
  }
}

/// What of a run is asked for. `moved`: (q, v) is not (q_ahead, v_ahead).
template <bool with_slopes, bool lossy_part, bool with_matrix, bool is_moved>
struct Asked {
  static constexpr bool slopes = with_slopes, lossy = lossy_part, matrix = with_matrix,
                        moved = is_moved;
};

/// Force and matrix of four elements; false: there are none.
template <class A>
HAWSER_INLINE bool surround_pack(const Surroundings& s, const SurroundingsIo& io, int node,
                                 Pack force[12], SurroundedBlock<Pack>* block) {
  const bool drags = s.drag.any();
  const bool pushes = s.ground.stiffness > 0 && (!A::lossy || s.ground.damping > 0);
  const NodePair q_ahead(io.q_ahead + node);
  Pack depth[Surroundings::point_count];
  bool touches = false;
  if (pushes) {
    ground_depths<A::slopes>(s, ends_of(q_ahead), depth);
    touches = any_in_ground(depth);
  }
  if (!drags && !touches) return false;
  for (int i = 0; i < 12; ++i) force[i] = Pack(0.0);
  const NodePair v_ahead(io.v_ahead + node), q(A::moved ? io.q + node : io.q_ahead + node),
      v(A::moved ? io.v + node : io.v_ahead + node);
  const SurroundedMotion<Pack> at{ends_of(q), ends_of(v), ends_of(q_ahead), ends_of(v_ahead)};
  if (drags) add_drag<A::slopes, A::moved>(s, at, io.weights, force, block);
  if (touches) add_ground<A::slopes, A::lossy>(s, at, depth, io.weights, force, block, drags);
  return true;
}

template <class A>
void surround_run(const SurroundedElements& run, const SurroundingsIo& io) {
  const Surroundings& s = run.surroundings;
  const bool chain =
      A::matrix && run.first_element < io.sink.panel_elements && !io.weights.by_slope;
  const int first = node_size * run.first_node;
  NodeAdder<A::slopes> forces(io.force + first);
  PanelAdder<A::slopes> panels(
      chain ? io.sink.panels + static_cast<long>(panel_size) * run.first_node : nullptr);
  int valid = 0;
  for (int e = 0; e < run.elements; e += 4) {
    valid = run.elements - e < 4 ? run.elements - e : 4;
    Pack force[12];
    SurroundedBlock<Pack> block;
    if (!surround_pack<A>(s, io, first + node_size * e, force, A::matrix ? &block : nullptr)) {
      forces.skip();
      if (chain) panels.skip();
      continue;
    }
    forces.push(force, force + 6, valid);
    if (chain)
      panels.push(block, valid);
    else if (A::matrix)
      add_blocks(run, io, block, e, valid);
  }
  forces.finish(valid);
  if (chain) panels.finish(valid);
}

template <bool slopes, bool moved>
void surround_moved(const SurroundedElements& run, const SurroundingsIo& io) {
  io.matrix ? surround_run<Asked<slopes, false, true, moved>>(run, io)
            : surround_run<Asked<slopes, false, false, moved>>(run, io);
}

inline void surroundings(const SurroundedElements& run, const SurroundingsIo& io) {
  const bool slopes = run.surroundings.slopes;
  if (io.q == io.q_ahead && io.v == io.v_ahead)
    slopes ? surround_moved<true, false>(run, io) : surround_moved<false, false>(run, io);
  else
    slopes ? surround_moved<true, true>(run, io) : surround_moved<false, true>(run, io);
}

template <bool slopes, bool matrix>
void add_mass_of_run(const SurroundedElements& run, const SurroundingsIo& io) {
  const Surroundings& s = run.surroundings;
  const bool chain = matrix && run.first_element < io.sink.panel_elements;
  const int first = node_size * run.first_node;
  NodeAdder<slopes> products(io.force + first);
  PanelAdder<slopes> panels(chain ? io.sink.panels + static_cast<long>(panel_size) * run.first_node
                                  : nullptr);
  int valid = 0;
  for (int e = 0; e < run.elements; e += 4) {
    valid = run.elements - e < 4 ? run.elements - e : 4;
    const NodePair q(io.q + first + node_size * e), b(io.v + first + node_size * e);
    Pack product[12];
    SurroundedBlock<Pack> block;
    for (Pack& x : product) x = Pack(0.0);
    add_mass_of_element<slopes>(s, ends_of(q), ends_of(b), io.weights.velocity, product,
                                matrix ? &block : nullptr);
    products.push(product, product + 6, valid);
    if (chain)
      panels.push(block, valid);
    else if (matrix)
      add_blocks(run, io, block, e, valid);
  }
  products.finish(valid);
  if (chain) panels.finish(valid);
}

inline void added_mass(const SurroundedElements& run, const SurroundingsIo& io) {
  if (run.surroundings.slopes)
    io.matrix ? add_mass_of_run<true, true>(run, io) : add_mass_of_run<true, false>(run, io);
  else
    io.matrix ? add_mass_of_run<false, true>(run, io) : add_mass_of_run<false, false>(run, io);
}

inline void lossy_surroundings(const SurroundedElements& run, const SurroundingsIo& io) {
  run.surroundings.slopes ? surround_run<Asked<true, true, false, true>>(run, io)
                          : surround_run<Asked<false, true, false, true>>(run, io);
}

}  // namespace hawser::HAWSER_ISA

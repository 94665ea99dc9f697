// Block-tridiagonal LU of a chain with 6 x 6 blocks that is not symmetric. As in chain_kernels.h it
// is eliminated from both ends towards the middle, a node from the front in the first half of every
// pack and one from the back in the last half. Of a pair of nodes let N be the rows of the next
// nodes in their columns, and P the columns of the next nodes in their rows:
//
//     D^-1,   V = D^-1 P,   D_next -= N V
//     z = D^-1 y,   y_next -= N z       from the ends to the middle
//     x = z - V x_next                  and back
//
// Diagonal blocks are inverted by Gauss and Jordan without exchanges, or by the caller, who may
// exchange rows. What is kept of a pair (ChainLuNumbers): N, V, D^-1, then P and D for residuals.
#pragma once

#include "linear/chain_kernels.h"
#include "linear/chain_lu_io.h"

namespace hawser::HAWSER_ISA {

/// A block of a pair of nodes by column and pair of rows.
struct PairBlock {
  Pack m[6][3];

  HAWSER_INLINE void store(double* to) const {
    HAWSER_UNROLL(6)
    for (int j = 0; j < 6; ++j) HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) m[j][t].store(to + 4 * (3 * j + t));
  }
};

/// The diagonal blocks of two nodes from their panels, and what is added to these above the
/// diagonal.
HAWSER_INLINE void load_diagonal(const double* front, const double* back, long to_skew,
                                 PairBlock& D) {
  Pack more[6][3];
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) HAWSER_UNROLL(3)
  for (int t = j / 2; t < 3; ++t) {
    const int at = panel_rows * j + 2 * t;
    D.m[j][t] = load_halves(front + at, back + at);
    more[j][t] = D.m[j][t] + load_halves(front + to_skew + at, back + to_skew + at);
  }
  HAWSER_UNROLL(3)
  for (int a = 0; a < 3; ++a) {
    D.m[2 * a + 1][a] = shuffle<1, 5, 3, 7>(more[2 * a][a], D.m[2 * a + 1][a]);
    HAWSER_UNROLL(3)
    for (int t = 0; t < a; ++t) {
      D.m[2 * a][t] = shuffle<0, 4, 2, 6>(more[2 * t][a], more[2 * t + 1][a]);
      D.m[2 * a + 1][t] = shuffle<1, 5, 3, 7>(more[2 * t][a], more[2 * t + 1][a]);
    }
  }
}

/// N and P: the panel of the node from the front, and that of the node before the one from the
/// back.
HAWSER_INLINE void load_coupling(const double* front, const double* before_back, long to_skew,
                                 PairBlock& N, PairBlock& P) {
  Pack more[6][3];
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) HAWSER_UNROLL(3)
  for (int t = 0; t < 3; ++t) {
    const int at = panel_rows * j + node_size + 2 * t;
    N.m[j][t] = load_halves(front + at, before_back + at);
    more[j][t] = N.m[j][t] + load_halves(front + to_skew + at, before_back + to_skew + at);
  }
  HAWSER_UNROLL(3)
  for (int a = 0; a < 3; ++a) HAWSER_UNROLL(3)
  for (int t = 0; t < 3; ++t) {
    P.m[2 * a][t] = shuffle<0, 4, 2, 6>(more[2 * t][a], more[2 * t + 1][a]);
    P.m[2 * a + 1][t] = shuffle<1, 5, 3, 7>(more[2 * t][a], more[2 * t + 1][a]);
  }
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) HAWSER_UNROLL(3)
  for (int t = 0; t < 3; ++t) {
    const Pack below = N.m[j][t];
    N.m[j][t] = shuffle<0, 1, 6, 7>(below, P.m[j][t]);
    P.m[j][t] = shuffle<0, 1, 6, 7>(P.m[j][t], below);
  }
}

/// Row i of a column becomes `entry`.
HAWSER_INLINE void set_entry(Pack column[3], int i, Pack entry) {
  Pack& pair = column[i / 2];
  pair = i % 2 ? shuffle<0, 5, 2, 7>(pair, entry) : shuffle<4, 1, 6, 3>(pair, entry);
}

/// A -> A^-1 without exchanges; `inverse`: of the pivots.
HAWSER_INLINE void invert_pair(PairBlock& A, Pack inverse[6]) {
  HAWSER_UNROLL(6)
  for (int k = 0; k < 6; ++k) {
    inverse[k] = Pack(1.0) / entry(A.m[k][k / 2], k);
    HAWSER_UNROLL(6)
    for (int j = 0; j < 6; ++j) {
      if (j == k) continue;
      const Pack f = entry(A.m[j][k / 2], k) * inverse[k];
      HAWSER_UNROLL(3)
      for (int t = 0; t < 3; ++t) A.m[j][t] -= A.m[k][t] * f;
      set_entry(A.m[j], k, f);
    }
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) A.m[k][t] = -(A.m[k][t] * inverse[k]);
    set_entry(A.m[k], k, inverse[k]);
  }
}

/// out = A y for a pair of nodes, in two sums that do not wait for each other.
HAWSER_INLINE void pair_times(const double* A, const Pack y[3], Pack out[3]) {
  Pack more[3];
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    const Pack f = entry(y[j / 2], j);
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) {
      Pack& sum = j % 2 ? more[t] : out[t];
      const Pack a = Pack::load(A + 4 * (3 * j + t));
      sum = j < 2 ? a * f : sum + a * f;
    }
  }
  HAWSER_UNROLL(3)
  for (int t = 0; t < 3; ++t) out[t] += more[t];
}

/// C = A B, as they are kept.
HAWSER_INLINE void multiply(const double* A, const double* B, double* C) {
  HAWSER_KEEP_LOOP
  for (int j = 0; j < 6; ++j, B += 12, C += 12) {
    const Pack b[3] = {Pack::load(B), Pack::load(B + 4), Pack::load(B + 8)};
    Pack c[3];
    pair_times(A, b, c);
    for (int t = 0; t < 3; ++t) c[t].store(C + 4 * t);
  }
}

inline void factor_chain_lu(const ChainLuNumbers& io, ChainLuPivots& out) {
  const int n = io.nodes;
  const auto panel = [&](int k) { return io.panels + static_cast<long>(panel_size) * k; };
  const long to_skew = io.skew - io.panels;
  const Ends ends(n);
  if (ends.adds_one(n)) {
    double *last = panel(n - 1), *added = panel(n);
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) {
        for (const long at : {0L, to_skew}) last[at + panel_rows * j + node_size + i] = 0;
        added[panel_rows * j + i] = i == j;
        added[to_skew + panel_rows * j + i] = 0;
      }
  }
  PivotWatch watch;
  out.failed_node = -1;
  PairBlock D;
  alignas(32) double next[72];
  for (int k = 0; k <= ends.middle; ++k) {
    const bool middle = k == ends.middle;
    double* own = io.factors + static_cast<long>(chain_lu_pair) * k;
    load_diagonal(panel(k), panel(ends.last - k), to_skew, D);
    D.store(own + at_lu_D);
    if (k > 0) {
      if (middle) {
        HAWSER_KEEP_LOOP
        for (int at = 0; at < 72; at += 4) sum_halves(Pack::load(next + at)).store(next + at);
      }
      HAWSER_UNROLL(6)
      for (int j = 0; j < 6; ++j) HAWSER_UNROLL(3)
      for (int t = 0; t < 3; ++t) D.m[j][t] -= Pack::load(next + 4 * (3 * j + t));
    }
    if (io.invert) {
      D.store(own + at_lu_inverse);
      const double pivot = io.invert(own + at_lu_inverse);
      if (k == 0 || pivot < out.smallest) out.smallest = pivot, out.node = k;
      if (!(pivot > io.least)) {
        out.failed_node = k;
        return;
      }
    } else {
      Pack inverse[6];
      invert_pair(D, inverse);
      D.store(own + at_lu_inverse);
      const bool single = middle || (k == 0 && ends.adds_one(n));
      HAWSER_UNROLL(3)
      for (int t = 0; t < 3; ++t)
        watch.see(shuffle<0, 5, 2, 7>(inverse[2 * t], inverse[2 * t + 1]), k, single);
    }
    if (middle) break;
    PairBlock N, P;
    load_coupling(panel(k), panel(ends.last - k - 1), to_skew, N, P);
    N.store(own + at_lu_N);
    P.store(own + at_lu_P);
    multiply(own + at_lu_inverse, own + at_lu_P, own + at_lu_V);
    multiply(own + at_lu_N, own + at_lu_V, next);
  }
  if (io.invert) return;
  const Kernels::Pivots pivots = watch.result(ends.last);
  out.smallest = pivots.smallest / pivots.largest;
  out.node = pivots.node;
  if (!pivots.finite || !(out.smallest > io.least)) out.failed_node = out.node;
}

/// x -> A^-1 x with the factors.
inline void solve_chain_lu(const ChainLuNumbers& io, double* b) {
  ChainVector x(io.nodes, b);
  const int m = x.middle();
  const auto own = [&](int k) { return io.factors + static_cast<long>(chain_lu_pair) * k; };
  Pack y[3], z[3], w[3];
  x.load(0, y);
  for (int k = 0; k < m; ++k) {
    pair_times(own(k) + at_lu_inverse, y, z);
    x.store(k, z);
    pair_times(own(k) + at_lu_N, z, w);
    if (k + 1 == m) {
      HAWSER_UNROLL(3)
      for (int t = 0; t < 3; ++t)
        y[t] = sum_halves(Pack(load_pair(x.front(m) + 2 * t), V2{0, 0}) - w[t]);
    } else {
      x.load(k + 1, y);
      HAWSER_UNROLL(3)
      for (int t = 0; t < 3; ++t) y[t] -= w[t];
    }
  }
  pair_times(own(m) + at_lu_inverse, y, z);
  x.store(m, z);
  for (int k = m - 1; k >= 0; --k) {
    pair_times(own(k) + at_lu_V, z, w);
    x.load(k, z);
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) z[t] -= w[t];
    x.store(k, z);
  }
}

/// out = b - A x of the matrix as assembled.
inline ChainLuResidual chain_lu_residual(const ChainLuNumbers& io, const double* b, const double* x,
                                         double* out) {
  // Read alone, but a vector of the one kind.
  ChainVector at(io.nodes,
                 const_cast<double*>(x));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  ChainVector right(io.nodes, const_cast<double*>(b));  // NOLINT
  ChainVector left(io.nodes, out);
  const int m = at.middle();
  const auto own = [&](int k) { return io.factors + static_cast<long>(chain_lu_pair) * k; };
  Pack before[3], here[3], after[3], product[3], none(0.0);
  Pack largest(0.0), size(0.0), finite(0.0), handed[3] = {none, none, none};
  at.load(0, here);
  for (int k = 0; k <= m; ++k) {
    Pack r[3];
    right.load(k, r);
    pair_times(own(k) + at_lu_D, here, product);
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) {
      size = larger(size, larger(larger(r[t], -r[t]), larger(product[t], -product[t])));
      const Pack taken = k == m ? sum_halves(handed[t]) : handed[t];
      r[t] = r[t] - product[t] - taken;
    }
    if (k < m) {
      HAWSER_UNROLL(3)
      for (int t = 0; t < 3; ++t) before[t] = here[t];
      pair_times(own(k) + at_lu_N, before, handed);
      at.load(k + 1, after);
      pair_times(own(k) + at_lu_P, after, product);
      HAWSER_UNROLL(3)
      for (int t = 0; t < 3; ++t) {
        r[t] -= product[t];
        here[t] = after[t];
      }
    }
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) {
      largest = larger(largest, larger(r[t], -r[t]));
      finite += r[t] * none;
    }
    left.store(k, r);
  }
  const auto most = [](Pack p) {
    const double a = p[0] > p[1] ? p[0] : p[1], c = p[2] > p[3] ? p[2] : p[3];
    return a > c ? a : c;
  };
  return {most(largest) + (finite[0] + finite[1] + finite[2] + finite[3]), most(size)};
}

}  // namespace hawser::HAWSER_ISA

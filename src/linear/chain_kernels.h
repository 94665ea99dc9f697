// Block-tridiagonal L D L^T of a chain with 6 x 6 blocks, without pivoting, in place.
//
// Panel k holds the columns of node k: its own 6 rows (lower triangle of D_k) and the 6 rows of
// node k+1 (the coupling B_k). Eliminating the panel's six columns leaves L in its own rows, takes
// B_k D_k^-1 B_k^T from D_{k+1}, and W_k = B_k D_k^-1 stays in the rows of the next node: with W
// the substitutions hand a vector from node to node by one product, which keeps the chain of
// dependent operations short. Work: about 450 multiply-adds a node, and no allocation.
#pragma once

#include "kernels/kernels.h"
#include "kernels/pack.h"

namespace hawser::HAWSER_ISA {

/// A panel as rows 0-3, 4-7 and 8-11 of each column.
struct Panel {
  Pack a[6], b[6], c[6];

  HAWSER_INLINE void load(const double* p) {
    for (int j = 0; j < 6; ++j) {
      a[j] = Pack::load(p + panel_rows * j);
      b[j] = Pack::load(p + panel_rows * j + 4);
      c[j] = Pack::load(p + panel_rows * j + 8);
    }
  }
};

/// W = (B L^-T D^-1) L^-1 into rows 6-11 of the panel at `out`, whose rows 0-5 hold L; `top` and
/// `rest` come in as B L^-T.
HAWSER_INLINE void store_coupling(double* out, const double* inv, Pack top[6], Pack rest[6]) {
#pragma GCC unroll 6
  for (int j = 5; j >= 0; --j) {
    const Pack d(inv[j]);
    top[j] *= d;
    rest[j] *= d;
#pragma GCC unroll 6
    for (int i = j + 1; i < 6; ++i) {
      const Pack l(out[panel_rows * j + i]);
      top[j] -= top[i] * l;
      rest[j] -= rest[i] * l;
    }
    top[j].store(out + panel_rows * j + 6);
    out[panel_rows * j + 10] = rest[j][0];
    out[panel_rows * j + 11] = rest[j][1];
  }
}

HAWSER_INLINE void factor_chain(double* panels, double* inv_pivots, int nodes,
                                Kernels::Pivots& pivots) {
  double smallest = __builtin_inf(), largest = 0;
  int smallest_node = -1, negative = 0;
  Panel P;
  P.load(panels);
  for (int k = 0; k < nodes; ++k) {
    double* out = panels + panel_size * k;
    double* inv = inv_pivots + node_size * k;
    Pack low_top[6], low_rest[6];  // rows 6-9 and 10-11 of column j, times D
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const double pivot = j < 4 ? P.a[j][j & 3] : P.b[j][j & 3];
      const double inverse = 1.0 / pivot;
      inv[j] = inverse;
      const double size = __builtin_fabs(pivot);
      if (size < smallest) smallest = size, smallest_node = k;
      if (size > largest) largest = size;
      negative += pivot < 0;
      const Pack s(inverse);
      const Pack la = P.a[j] * s, lb = P.b[j] * s, lc = P.c[j] * s;
#pragma GCC unroll 6
      for (int i = j + 1; i < 6; ++i) {
        const Pack f(i < 4 ? P.a[j][i & 3] : P.b[j][i & 3]);
        if (i < 4) P.a[i] -= la * f;
        P.b[i] -= lb * f;
        P.c[i] -= lc * f;
      }
      low_top[j] = straddle(P.b[j], P.c[j]);
      low_rest[j] = straddle(P.c[j], 0.0);
      la.store(out + panel_rows * j);
      lb.store(out + panel_rows * j + 4);
      lc.store(out + panel_rows * j + 8);
    }
    if (k + 1 == nodes) break;
    Panel next;
    next.load(out + panel_size);
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const double* l = out + panel_rows * j + node_size;
#pragma GCC unroll 6
      for (int i = 0; i < 6; ++i) {
        const Pack f(l[i]);
        if (i < 4) next.a[i] -= low_top[j] * f;
        next.b[i] -= low_rest[j] * f;
      }
    }
    store_coupling(out, inv, low_top, low_rest);
    P = next;
  }
  pivots = {smallest, largest, smallest_node, negative};
}

/// y <- (L D L^T)^-1 y for one node.
HAWSER_INLINE void solve_node(const double* L, const double* inv, double y[6]) {
#pragma GCC unroll 6
  for (int j = 1; j < 6; ++j)
#pragma GCC unroll 6
    for (int i = 0; i < j; ++i) y[j] -= L[panel_rows * i + j] * y[i];
#pragma GCC unroll 6
  for (int j = 5; j >= 0; --j) {
    y[j] *= inv[j];
#pragma GCC unroll 6
    for (int i = j + 1; i < 6; ++i) y[j] -= L[panel_rows * j + i] * y[i];
  }
}

/// x <- A^-1 x for the factored chain: r_{k+1} -= W_k r_k down the chain, then
/// x_k = D_k^-1 r_k - W_k^T x_{k+1} up again.
HAWSER_INLINE void solve_chain(const double* panels, const double* inv_pivots, int nodes,
                               double* x) {
  for (int k = 0; k + 1 < nodes; ++k) {
    const double* W = panels + panel_size * k + node_size;
    double* y = x + node_size * k;
    Pack even = Pack::load(y + 6), odd(0.0);
    double r4 = y[10], r5 = y[11], s4 = 0, s5 = 0;
#pragma GCC unroll 3
    for (int j = 0; j < 6; j += 2) {
      const double *w0 = W + panel_rows * j, *w1 = w0 + panel_rows;
      even -= Pack::load(w0) * Pack(y[j]);
      odd -= Pack::load(w1) * Pack(y[j + 1]);
      r4 -= w0[4] * y[j];
      r5 -= w0[5] * y[j];
      s4 -= w1[4] * y[j + 1];
      s5 -= w1[5] * y[j + 1];
    }
    (even + odd).store(y + 6);
    y[10] = r4 + s4;
    y[11] = r5 + s5;
  }
  double after[6] = {0, 0, 0, 0, 0, 0};
  for (int k = nodes - 1; k >= 0; --k) {
    const double* P = panels + panel_size * k;
    double z[6];
    for (int j = 0; j < 6; ++j) z[j] = x[node_size * k + j];
    solve_node(P, inv_pivots + node_size * k, z);
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const double* w = P + panel_rows * j + node_size;
      const double even = w[0] * after[0] + w[2] * after[2] + w[4] * after[4];
      const double odd = w[1] * after[1] + w[3] * after[3] + w[5] * after[5];
      z[j] -= even + odd;
    }
    for (int j = 0; j < 6; ++j) after[j] = z[j];
    for (int j = 0; j < 6; j += 2) store_pair(V2{z[j], z[j + 1]}, x + node_size * k + j);
  }
}

}  // namespace hawser::HAWSER_ISA

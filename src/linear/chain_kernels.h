// Block-tridiagonal L D L^T of a chain with 6 x 6 blocks, without pivoting, in place.
//
// Panel k holds the columns of node k: its own 6 rows (lower triangle of D_k) and the 6 rows of
// node k+1 (the coupling B_k). Eliminating the panel's six columns leaves L in both parts and
// takes B_k D_k^-1 B_k^T from D_{k+1}. Work: about 400 multiply-adds a node, and no allocation.
#pragma once

#include "assembly/kernels.h"
#include "math/pack.h"

namespace hawser::HAWSER_ISA {

/// Factors one panel held in registers as rows 0-3, 4-7 and 8-11 of each column; on return the
/// columns of L have zeros in rows 0..j and B is still multiplied by D (needed by the update).
struct Panel {
  V4 a[6], b[6], c[6];

  HAWSER_INLINE void load(const double* p) {
    for (int j = 0; j < 6; ++j) {
      a[j] = Pack::load(p + panel_rows * j).v;
      b[j] = Pack::load(p + panel_rows * j + 4).v;
      c[j] = Pack::load(p + panel_rows * j + 8).v;
    }
  }
};

HAWSER_INLINE void factor_chain(double* panels, double* inv_pivots, int nodes,
                                Kernels::Pivots& pivots) {
  double smallest = __builtin_inf(), largest = 0;
  int smallest_node = -1, negative = 0;
  Panel P;
  P.load(panels);
  for (int k = 0; k < nodes; ++k) {
    double* out = panels + panel_size * k;
    double* inv = inv_pivots + node_size * k;
    V4 low_top[6], low_rest[6];  // rows 6-9 and 10-11 of column j, times D
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const double pivot = j < 4 ? P.a[j][j & 3] : P.b[j][j & 3];
      const double inverse = 1.0 / pivot;
      inv[j] = inverse;
      const double size = __builtin_fabs(pivot);
      if (size < smallest) smallest = size, smallest_node = k;
      if (size > largest) largest = size;
      negative += pivot < 0;
      const V4 s = Pack(inverse).v;
      const V4 la = P.a[j] * s, lb = P.b[j] * s, lc = P.c[j] * s;
#pragma GCC unroll 6
      for (int i = j + 1; i < 6; ++i) {
        const V4 f = Pack(i < 4 ? P.a[j][i & 3] : P.b[j][i & 3]).v;
        if (i < 4) P.a[i] -= la * f;
        P.b[i] -= lb * f;
        P.c[i] -= lc * f;
      }
      low_top[j] = __builtin_shufflevector(P.b[j], P.c[j], 2, 3, 4, 5);
      low_rest[j] = __builtin_shufflevector(P.c[j], V4{0, 0, 0, 0}, 2, 3, 4, 5);
      Pack(la).store(out + panel_rows * j);
      Pack(lb).store(out + panel_rows * j + 4);
      Pack(lc).store(out + panel_rows * j + 8);
    }
    if (k + 1 == nodes) break;
    Panel next;
    next.load(out + panel_size);
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const double* l = out + panel_rows * j + node_size;
#pragma GCC unroll 6
      for (int i = 0; i < 6; ++i) {
        const V4 f = Pack(l[i]).v;
        if (i < 4) next.a[i] -= low_top[j] * f;
        next.b[i] -= low_rest[j] * f;
      }
    }
    P = next;
  }
  pivots = {smallest, largest, smallest_node, negative};
}

/// x <- A^-1 x for the factored chain. Scalars within a node keep the chain of dependences short.
HAWSER_INLINE void solve_chain(const double* panels, const double* inv_pivots, int nodes,
                               double* x) {
  for (int k = 0; k < nodes; ++k) {
    const double* L = panels + panel_size * k;
    double* y = x + node_size * k;
    double s[6];
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      s[j] = y[j];
#pragma GCC unroll 6
      for (int i = 0; i < j; ++i) s[j] -= L[panel_rows * i + j] * s[i];
      y[j] = s[j];
    }
    if (k + 1 == nodes) break;
    V4 top = Pack::load(y + 6).v;
    double r4 = y[10], r5 = y[11];
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const double* l = L + panel_rows * j + node_size;
      top -= Pack::load(l).v * Pack(s[j]).v;
      r4 -= l[4] * s[j];
      r5 -= l[5] * s[j];
    }
    Pack(top).store(y + 6);
    y[10] = r4;
    y[11] = r5;
  }
  double after[6] = {0, 0, 0, 0, 0, 0};
  for (int k = nodes - 1; k >= 0; --k) {
    const double* L = panels + panel_size * k;
    const double* inv = inv_pivots + node_size * k;
    double* y = x + node_size * k;
    double s[6];
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const double* l = L + panel_rows * j + node_size;
      const double even = l[0] * after[0] + l[2] * after[2] + l[4] * after[4];
      const double odd = l[1] * after[1] + l[3] * after[3] + l[5] * after[5];
      s[j] = y[j] * inv[j] - (even + odd);
    }
#pragma GCC unroll 6
    for (int j = 5; j >= 0; --j) {
#pragma GCC unroll 6
      for (int i = j + 1; i < 6; ++i) s[j] -= L[panel_rows * j + i] * s[i];
      y[j] = after[j] = s[j];
    }
  }
}

}  // namespace hawser::HAWSER_ISA

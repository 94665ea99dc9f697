// Block-tridiagonal L D L^T of a run: nodes one after the other, of which the first may couple to a
// node on the left and the last to one on the right that stay (linear/condensed.h). Panels are
// those of chain_kernels.h; the panel of the node on the right follows that of the last.
//
// Eliminating node k with the coupling B_k to the next node and S_k to the node on the left leaves
//
//     D_{k+1} -= B_k D_k^-1 B_k^T     S_{k+1} = -S_k D_k^-1 B_k^T     C -= S_k D_k^-1 S_k^T
//
// and stores W_k = B_k D_k^-1 and V_k = S_k D_k^-1 for the substitutions.
#pragma once

#include "kernels/kernels.h"
#include "kernels/pack.h"
#include "linear/run.h"

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
  HAWSER_UNROLL(6)
  for (int j = 5; j >= 0; --j) {
    const Pack d(inv[j]);
    top[j] *= d;
    rest[j] *= d;
    HAWSER_UNROLL(6)
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

/// y <- (L D L^T)^-1 y for one node.
HAWSER_INLINE void solve_node(const double* L, const double* inv, double y[6]) {
  HAWSER_UNROLL(6)
  for (int j = 1; j < 6; ++j) HAWSER_UNROLL(6)
  for (int i = 0; i < j; ++i) y[j] -= L[panel_rows * i + j] * y[i];
  HAWSER_UNROLL(6)
  for (int j = 5; j >= 0; --j) {
    y[j] *= inv[j];
    HAWSER_UNROLL(6)
    for (int i = j + 1; i < 6; ++i) y[j] -= L[panel_rows * j + i] * y[i];
  }
}

/// Six columns of six rows, as rows 0-3 and 4-5 of each (then two spare lanes).
struct Spike {
  Pack a[6], b[6];

  HAWSER_INLINE void load(const double* p) {
    for (int j = 0; j < 6; ++j) {
      a[j] = Pack::load(p + spike_rows * j);
      b[j] = Pack::load(p + spike_rows * j + 4);
    }
  }
  HAWSER_INLINE void store(double* p) const {
    for (int j = 0; j < 6; ++j) {
      a[j].store(p + spike_rows * j);
      b[j].store(p + spike_rows * j + 4);
    }
  }
};

/// V = (S L^-T D^-1) L^-1 from S L^-T; L in rows 0-5 of the panel.
HAWSER_INLINE void finish_spike(const double* panel, const double* inv, Spike& s) {
  HAWSER_UNROLL(6)
  for (int j = 5; j >= 0; --j) {
    const Pack d(inv[j]);
    s.a[j] *= d;
    s.b[j] *= d;
    HAWSER_UNROLL(6)
    for (int i = j + 1; i < 6; ++i) {
      const Pack l(panel[panel_rows * j + i]);
      s.a[j] -= s.a[i] * l;
      s.b[j] -= s.b[i] * l;
    }
  }
}

/// What a node leaves to the run's left: C -= S D^-1 S^T and, of the next node, S = -S D^-1 B^T.
/// The columns of `s` are S L^-T, and those of the panel's rows 6-11 B L^-T D^-1.
HAWSER_INLINE void hand_on_spike(const Spike& s, const double* panel, const double* inv,
                                 double* corner, Spike& next) {
  double row[6][spike_rows];
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    (s.a[j] * Pack(inv[j])).store(row[j]);
    (s.b[j] * Pack(inv[j])).store(row[j] + 4);
  }
  for (int i = 0; i < 6; ++i) {
    Pack a = Pack::load(corner + spike_rows * i), b = Pack::load(corner + spike_rows * i + 4);
    Pack c(0.0), d(0.0);
    HAWSER_UNROLL(6)
    for (int j = 0; j < 6; ++j) {
      const Pack own(row[j][i]), below(panel[panel_rows * j + node_size + i]);
      a -= s.a[j] * own;
      b -= s.b[j] * own;
      c -= s.a[j] * below;
      d -= s.b[j] * below;
    }
    a.store(corner + spike_rows * i);
    b.store(corner + spike_rows * i + 4);
    next.a[i] = c;
    next.b[i] = d;
  }
}

/// A node's own rows.
HAWSER_INLINE void store_own(const Panel& P, double* panel) {
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    if (j < 4) P.a[j].store(panel + panel_rows * j);
    P.b[j].store(panel + panel_rows * j + 4);
  }
}

/// B D^-1 B^T of a factored panel from the next one: its rows 6-11 times those with D.
HAWSER_INLINE void hand_on_panel(const double* panel, const Pack low_top[6], const Pack low_rest[6],
                                 Panel& next) {
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    const double* l = panel + panel_rows * j + node_size;
    HAWSER_UNROLL(6)
    for (int i = 0; i < 6; ++i) {
      const Pack f(l[i]);
      if (i < 4) next.a[i] -= low_top[j] * f;
      next.b[i] -= low_rest[j] * f;
    }
  }
}

template <bool left>
HAWSER_INLINE void factor_run_nodes(const RunNumbers& io, int nodes, Kernels::Pivots& pivots) {
  double smallest = pivots.smallest, largest = pivots.largest;
  int smallest_node = pivots.node, negative = pivots.negative;
  double not_finite = 0;  // NaN as soon as an inverse pivot is not finite
  Panel P;
  P.load(io.panels);
  Spike S;
  if constexpr (left) S.load(io.spikes);
  for (int k = 0; k < nodes; ++k) {
    double* out = io.panels + panel_size * k;
    double* inv = io.inverse + node_size * k;
    Pack low_top[6], low_rest[6];  // rows 6-9 and 10-11 of column j, times D
    HAWSER_UNROLL(6)
    for (int j = 0; j < 6; ++j) {
      const double pivot = j < 4 ? P.a[j][j & 3] : P.b[j][j & 3];
      const double inverse = 1.0 / pivot;
      inv[j] = inverse;
      const double size = __builtin_fabs(pivot);
      if (size < smallest) smallest = size, smallest_node = io.first_node + k;
      if (size > largest) largest = size;
      negative += pivot < 0;
      not_finite += 0 * inverse;
      const Pack s(inverse);
      const Pack la = P.a[j] * s, lb = P.b[j] * s, lc = P.c[j] * s;
      HAWSER_UNROLL(6)
      for (int i = j + 1; i < 6; ++i) {
        const Pack f(i < 4 ? P.a[j][i & 3] : P.b[j][i & 3]);
        if (i < 4) P.a[i] -= la * f;
        P.b[i] -= lb * f;
        P.c[i] -= lc * f;
        if constexpr (left) {
          const Pack g(i < 4 ? la[i & 3] : lb[i & 3]);
          S.a[i] -= S.a[j] * g;
          S.b[i] -= S.b[j] * g;
        }
      }
      low_top[j] = straddle(P.b[j], P.c[j]);
      low_rest[j] = straddle(P.c[j], 0.0);
      la.store(out + panel_rows * j);
      lb.store(out + panel_rows * j + 4);
      lc.store(out + panel_rows * j + 8);
    }
    Panel next;
    next.load(out + panel_size);
    hand_on_panel(out, low_top, low_rest, next);
    if constexpr (left) {
      Spike after;
      hand_on_spike(S, out, inv, io.corner, after);
      finish_spike(out, inv, S);
      S.store(io.spikes + spike_size * k);
      S = after;
    }
    store_coupling(out, inv, low_top, low_rest);
    P = next;
  }
  store_own(P, io.panels + panel_size * nodes);
  if constexpr (left) S.store(io.spikes + spike_size * nodes);
  pivots = {smallest, largest, smallest_node, negative, pivots.finite && not_finite == 0};
}

inline void factor_run(const RunNumbers& io, int nodes, bool left, Kernels::Pivots& pivots) {
  if (left)
    factor_run_nodes<true>(io, nodes, pivots);
  else
    factor_run_nodes<false>(io, nodes, pivots);
}

/// r_{k+1} -= W_k r_k along x, which goes on to the node on the right, and r_left -= V_k r_k.
inline void solve_run_down(const RunNumbers& io, int nodes, bool left, double* x, double* x_left) {
  Pack top(0.0), rest(0.0);
  const int handed_on = io.right ? nodes : nodes - 1;  // a run with a left has a right
  for (int k = 0; k < handed_on; ++k) {
    const double* W = io.panels + panel_size * k + node_size;
    const double* V = left ? io.spikes + spike_size * k : nullptr;
    double* y = x + node_size * k;
    Pack sum = Pack::load(y + 6);
    double r4 = y[10], r5 = y[11];
    HAWSER_UNROLL(6)
    for (int j = 0; j < 6; ++j) {
      const double* w = W + panel_rows * j;
      sum -= Pack::load(w) * Pack(y[j]);
      r4 -= w[4] * y[j];
      r5 -= w[5] * y[j];
      if (left) {
        top -= Pack::load(V + spike_rows * j) * Pack(y[j]);
        rest -= Pack::load(V + spike_rows * j + 4) * Pack(y[j]);
      }
    }
    sum.store(y + 6);
    y[10] = r4;
    y[11] = r5;
  }
  if (!left) return;
  for (int i = 0; i < 4; ++i) x_left[i] += top[i];
  for (int i = 0; i < 2; ++i) x_left[4 + i] += rest[i];
}

/// x_k = D_k^-1 r_k - W_k^T x_{k+1} - V_k^T x_left.
inline void solve_run_up(const RunNumbers& io, int nodes, bool left, double* x,
                         const double* x_left) {
  for (int k = nodes - 1; k >= 0; --k) {
    const double* P = io.panels + panel_size * k;
    const double* V = left ? io.spikes + spike_size * k : nullptr;
    double* z = x + node_size * k;
    const double* after = z + node_size;
    solve_node(P, io.inverse + node_size * k, z);
    if (k + 1 == nodes && !io.right) continue;
    HAWSER_UNROLL(6)
    for (int j = 0; j < 6; ++j) {
      const double* w = P + panel_rows * j + node_size;
      double even = w[0] * after[0] + w[2] * after[2] + w[4] * after[4];
      double odd = w[1] * after[1] + w[3] * after[3] + w[5] * after[5];
      if (left) {
        const double* v = V + spike_rows * j;
        even += v[0] * x_left[0] + v[2] * x_left[2] + v[4] * x_left[4];
        odd += v[1] * x_left[1] + v[3] * x_left[3] + v[5] * x_left[5];
      }
      z[j] -= even + odd;
    }
  }
}

}  // namespace hawser::HAWSER_ISA

// Block-tridiagonal L D L^T of a chain with 6 x 6 blocks, without pivoting, in place.
//
// The chain is eliminated from both ends towards the node in the middle (van der Vorst 1987,
// Parallel Computing 5, 45-54): the two halves do not depend on each other. Node k from the front
// and node k from the back are eliminated together, the one in the first half of every pack, the
// other in the last half. No number ever crosses the halves, except where they meet, and a column
// of 12 rows is six packs without an idle lane. The order of elimination is the same on every
// machine.
//
// Panel k comes with the columns of node k: its own 6 rows (lower triangle of D_k) and the 6 rows
// of node k+1 (the coupling B_k). A node from the back is coupled to the node before it, by the
// transpose of B_{k-1}. Eliminating the columns of a node gives L of its own rows and L' of the
// rows of the next one, takes L' D L'^T from the D of the next, and leaves W = L' L^-1 = B D_k^-1:
// with W the substitutions hand a vector from node to node by one product, which keeps the chain of
// dependent operations short. Work: about 430 multiply-adds a node, and no allocation.
//
// The factors replace the panels, for a pair of nodes side by side: W in the panel of the node from
// the front, L and the inverse pivots in that of the node from the back. An even number of nodes is
// made odd by one more that is coupled to none, in the first spare panel.
#pragma once

#include "kernels/kernels.h"
#include "kernels/pack.h"

namespace hawser::HAWSER_ISA {

/// Entry i of a vector that is kept by pairs of entries, given the pair it is in: twice in each
/// half.
HAWSER_INLINE Pack entry(Pack pair, int i) {
  return i % 2 ? shuffle<1, 1, 3, 3>(pair, pair) : shuffle<0, 0, 2, 2>(pair, pair);
}
HAWSER_INLINE Pack load_halves(const double* front, const double* back) {
  return {load_pair(front), load_pair(back)};
}
HAWSER_INLINE void store_halves(Pack p, double* front, double* back) {
  store_pair(p.first(), front);
  store_pair(p.last(), back);
}
/// The sum of both halves, in each.
HAWSER_INLINE Pack sum_halves(Pack p) { return p + shuffle<2, 3, 0, 1>(p, p); }
/// The sum of each pair of p, then of q, half by half.
HAWSER_INLINE Pack sum_pairs(Pack p, Pack q) {
  return shuffle<0, 4, 2, 6>(p, q) + shuffle<1, 5, 3, 7>(p, q);
}

/// Where the factors of a pair of nodes are, in packs: W by column and pair of rows; L by column
/// and pair of rows from the first below the diagonal; the inverse pivots.
inline constexpr int first_pair[6] = {0, 1, 1, 2, 2, 3};
inline constexpr int column_of_L[6] = {0, 2, 4, 5, 6, 6};
HAWSER_INLINE double* at_W(double* front, int column, int pair) {
  return front + 4 * (3 * column + pair);
}
HAWSER_INLINE const double* at_W(const double* front, int column, int pair) {
  return front + 4 * (3 * column + pair);
}
HAWSER_INLINE double* at_L(double* back, int column, int pair) {
  return back + 4 * (column_of_L[column] + pair);
}
HAWSER_INLINE const double* at_L(const double* back, int column, int pair) {
  return back + 4 * (column_of_L[column] + pair);
}
inline constexpr int at_pivots = 4 * 9;

/// The rows of the next nodes in the columns of a pair, by column and pair of rows.
struct Coupled {
  Pack times_D[6][3], lower[6][3];  ///< L' D and L'
};

/// The nodes of a chain in the order in which they are eliminated.
struct Ends {
  int middle, last;  ///< node k from the front goes with node last - k

  HAWSER_INLINE explicit Ends(int nodes) : middle(nodes / 2), last(2 * middle) {}
  /// True where the last node is not one of the chain.
  [[nodiscard]] HAWSER_INLINE bool adds_one(int nodes) const { return last == nodes; }
};

/// Of the pivots, by their inverses.
struct PivotWatch {
  Pack largest{0.0}, smallest{__builtin_inf()}, where{0.0}, negative{0.0}, not_finite{0.0};

  /// Two inverse pivots of pair k. `single`: of the node from the front alone.
  HAWSER_INLINE void see(Pack inverse, int k, bool single) {
    if (single) inverse = Pack(inverse.first(), inverse.first());
    const Pack size = larger(inverse, -inverse);
    where = choose(size, largest, Pack(double(k)), where);
    largest = larger(size, largest);  // in this order NaN leaves them as they are
    smallest = -larger(-size, -smallest);
    negative += unless_slack(-inverse, Pack(single ? 0.5 : 1.0));
    not_finite += inverse * Pack(0.0);
  }

  [[nodiscard]] HAWSER_INLINE Kernels::Pivots result(int last) const {
    int lane = 0;
    double least = smallest[0];
    for (int i = 1; i < 4; ++i) {
      if (largest[i] > largest[lane]) lane = i;
      if (smallest[i] < least) least = smallest[i];
    }
    const int k = static_cast<int>(where[lane]);
    const auto sum = [](Pack p) { return (p[0] + p[1]) + (p[2] + p[3]); };
    return {1 / largest[lane], 1 / least, lane < 2 ? k : last - k, static_cast<int>(sum(negative)),
            sum(not_finite) == 0};
  }
};

/// Column j of W = L' L^-1 of a pair, after the columns behind it.
HAWSER_INLINE void store_W(const Coupled& of, double* front, const double* back, int j) {
  Pack w[3];
  HAWSER_UNROLL(3)
  for (int t = 0; t < 3; ++t) w[t] = of.lower[j][t];
  HAWSER_UNROLL(6)
  for (int i = 5; i > j; --i) {
    const Pack l = entry(Pack::load(at_L(back, j, i / 2)), i);
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) w[t] -= Pack::load(at_W(front, i, t)) * l;
  }
  HAWSER_UNROLL(3)
  for (int t = 0; t < 3; ++t) w[t].store(at_W(front, j, t));
}

/// A pair of nodes on its way through the elimination. In the middle both are the same.
template <bool middle>
struct PairOfNodes {
  double *front, *back;       ///< their panels
  const double* coupling;     ///< of the node from the back: B of the panel before it
  Pack own[6][3], low[6][3];  ///< own rows and those of the next nodes, by column and pair of rows

  HAWSER_INLINE PairOfNodes(double* front_panel, double* back_panel)
      : front(front_panel), back(back_panel), coupling(back - panel_size + node_size) {}

  HAWSER_INLINE void load(int i) {
    HAWSER_UNROLL(3)
    for (int t = i / 2; t < 3; ++t) {
      const int at = panel_rows * i + 2 * t;
      own[i][t] =
          middle ? Pack(load_pair(front + at), V2{0, 0}) : load_halves(front + at, back + at);
    }
    if (middle) return;
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) {
      const double* B = coupling + panel_rows * 2 * t + i / 2 * 2;
      const V2 x = load_pair(B), y = load_pair(B + panel_rows);
      low[i][t] =
          Pack(load_pair(front + panel_rows * i + node_size + 2 * t),
               i % 2 ? __builtin_shufflevector(x, y, 1, 3) : __builtin_shufflevector(x, y, 0, 2));
    }
  }

  /// What the pair before takes from column i.
  HAWSER_INLINE void take(int i, const Coupled& before) {
    HAWSER_UNROLL(6)
    for (int j = 0; j < 6; ++j) {
      const Pack f = entry(before.lower[j][i / 2], i);
      HAWSER_UNROLL(3)
      for (int t = i / 2; t < 3; ++t) own[i][t] -= before.times_D[j][t] * f;
    }
    if (!middle) return;
    HAWSER_UNROLL(3)
    for (int t = i / 2; t < 3; ++t) own[i][t] = sum_halves(own[i][t]);
  }

  /// What column p takes from column i.
  HAWSER_INLINE void update(int i, int p, const Coupled& now) {
    const Pack f = entry(own[p][i / 2], i);
    HAWSER_UNROLL(3)
    for (int t = i / 2; t < 3; ++t) own[i][t] -= Pack::load(at_L(back, p, t)) * f;
    if (middle) return;
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) low[i][t] -= now.lower[p][t] * f;
  }

  /// Column i over its pivot. L goes where the panel has been read already.
  HAWSER_INLINE void store(int i, Pack inverse, Coupled& now) const {
    const Pack s = entry(inverse, i);
    HAWSER_UNROLL(3)
    for (int t = first_pair[i]; t < 3; ++t) (own[i][t] * s).store(at_L(back, i, t));
    if (middle) return;
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) {
      now.times_D[i][t] = low[i][t];
      now.lower[i][t] = low[i][t] * s;
    }
  }
};

/// Eliminates a pair of nodes. While a division is under way the next column is made ready, and a
/// column of W of the pair before (its panels: `front_before`, `back_before`).
template <bool middle>
HAWSER_INLINE void eliminate(double* front, double* back, bool first, const Coupled& before,
                             double* front_before, const double* back_before, Coupled& now) {
  PairOfNodes<middle> nodes(front, back);
  Pack inverse[6];
  nodes.load(0);
  if (!first) nodes.take(0, before);
  HAWSER_UNROLL(6)
  for (int i = 0; i < 6; ++i) {
    inverse[i] = Pack(1.0) / nodes.own[i][i / 2];
    if (i < 5) {
      nodes.load(i + 1);
      if (!first) nodes.take(i + 1, before);
      HAWSER_UNROLL(6)
      for (int p = 0; p < i; ++p) nodes.update(i + 1, p, now);
    }
    if (!first) store_W(before, front_before, back_before, 5 - i);
    nodes.store(i, inverse[i], now);
    if (i < 5) nodes.update(i + 1, i, now);
  }
  HAWSER_UNROLL(3)
  for (int t = 0; t < 3; ++t)
    shuffle<0, 5, 2, 7>(inverse[2 * t], inverse[2 * t + 1]).store(back + at_pivots + 4 * t);
}

HAWSER_INLINE void factor_chain(double* panels, int nodes, Kernels::Pivots& pivots) {
  const auto panel = [&](int k) { return panels + static_cast<long>(panel_size) * k; };
  const Ends ends(nodes);
  const bool adds_one = ends.adds_one(nodes);
  if (adds_one) {
    double *last = panel(nodes - 1) + node_size, *added = panel(nodes);
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) {
        last[panel_rows * j + i] = 0;
        added[panel_rows * j + i] = i == j;
      }
  }
  PivotWatch watch;
  const auto see = [&](int k, bool single) HAWSER_ALWAYS_INLINE {
    const double* at = panel(ends.last - k) + at_pivots;
    for (int t = 0; t < 3; ++t) watch.see(Pack::load(at + 4 * t), k, single);
  };
  Coupled coupled[2];
  for (int k = 0; k < ends.middle; ++k) {
    eliminate<false>(panel(k), panel(ends.last - k), k == 0, coupled[1 - k % 2], panel(k - 1),
                     panel(ends.last - k + 1), coupled[k % 2]);
    see(k, k == 0 && adds_one);
  }
  const int m = ends.middle;
  eliminate<true>(panel(m), panel(m), m == 0, coupled[1 - m % 2], panel(m - 1), panel(m + 1),
                  coupled[m % 2]);
  see(m, true);
  pivots = watch.result(ends.last);
}

/// x <- (L D L^T)^-1 x of the nodes of two pairs, whose factors are at `first` and `second` and
/// whose x are at `front` and `back`.
HAWSER_INLINE void solve_nodes(const double* first, const double* second, double* const front[2],
                               double* const back[2]) {
  const auto split = [](Pack a, Pack b, Pack out[2]) HAWSER_ALWAYS_INLINE {
    out[0] = shuffle<0, 4, 2, 6>(a, b);
    out[1] = shuffle<1, 5, 3, 7>(a, b);
  };
  Pack l[6][6], d[6], y[6];
  HAWSER_UNROLL(3)
  for (int j = 0; j < 6; j += 2)
    split(load_halves(front[0] + j, back[0] + j), load_halves(front[1] + j, back[1] + j), y + j);
  HAWSER_UNROLL(6)
  for (int j = 0; j < 5; ++j) {
    HAWSER_UNROLL(3)
    for (int t = first_pair[j]; t < 3; ++t)
      split(Pack::load(at_L(first, j, t)), Pack::load(at_L(second, j, t)), l[j] + 2 * t);
    HAWSER_UNROLL(6)
    for (int i = j + 1; i < 6; ++i) y[i] -= l[j][i] * y[j];
  }
  HAWSER_UNROLL(3)
  for (int j = 0; j < 6; j += 2)
    split(Pack::load(first + at_pivots + 2 * j), Pack::load(second + at_pivots + 2 * j), d + j);
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) y[j] *= d[j];
  HAWSER_UNROLL(6)
  for (int i = 5; i > 0; --i) HAWSER_UNROLL(6)
  for (int j = 0; j < i; ++j) y[j] -= l[j][i] * y[i];
  HAWSER_UNROLL(3)
  for (int j = 0; j < 6; j += 2) {
    Pack pairs[2];
    split(y[j], y[j + 1], pairs);
    store_halves(pairs[0], front[0] + j, back[0] + j);
    store_halves(pairs[1], front[1] + j, back[1] + j);
  }
}

/// next -= W y, for a pair of nodes.
HAWSER_INLINE void hand_on(const double* W, const Pack y[3], Pack next[3]) {
  Pack more[3] = {Pack(0.0), Pack(0.0), Pack(0.0)};
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    const Pack f = entry(y[j / 2], j);
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) (j < 3 ? next : more)[t] -= Pack::load(at_W(W, j, t)) * f;
  }
  HAWSER_UNROLL(3)
  for (int t = 0; t < 3; ++t) next[t] += more[t];
}

/// x - W^T y, y of the nodes after, for a pair of nodes.
HAWSER_INLINE void take_back(const double* W, const Pack y[3], Pack x[3]) {
  HAWSER_UNROLL(3)
  for (int t = 0; t < 3; ++t) {
    Pack p = Pack::load(at_W(W, 2 * t, 0)) * y[0], q = Pack::load(at_W(W, 2 * t + 1, 0)) * y[0];
    HAWSER_UNROLL(2)
    for (int s = 1; s < 3; ++s) {
      p += Pack::load(at_W(W, 2 * t, s)) * y[s];
      q += Pack::load(at_W(W, 2 * t + 1, s)) * y[s];
    }
    x[t] -= sum_pairs(p, q);
  }
}

/// The entries of a vector over a chain, by pairs of nodes. `added`: of the node that makes an even
/// number odd.
class ChainVector {
 public:
  HAWSER_INLINE ChainVector(int nodes, double* x)
      : ends_(nodes), adds_one_(ends_.adds_one(nodes)), x_(x) {}

  [[nodiscard]] HAWSER_INLINE int middle() const { return ends_.middle; }
  [[nodiscard]] HAWSER_INLINE int last() const { return ends_.last; }
  [[nodiscard]] HAWSER_INLINE double* front(int k) const { return x_ + node_size * k; }
  [[nodiscard]] HAWSER_INLINE double* back(int k) {
    return k == 0 && adds_one_ ? added_ : x_ + node_size * (ends_.last - k);
  }
  HAWSER_INLINE void load(int k, Pack out[3]) {
    const double *f = front(k), *b = back(k);
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) out[t] = load_halves(f + 2 * t, b + 2 * t);
  }
  HAWSER_INLINE void store(int k, const Pack in[3]) {
    double *f = front(k), *b = back(k);
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) store_halves(in[t], f + 2 * t, b + 2 * t);
  }

 private:
  Ends ends_;
  bool adds_one_;
  double* x_;
  double added_[node_size] = {0, 0, 0, 0, 0, 0};
};

HAWSER_INLINE const double* panel_of(const double* panels, int k) {
  return panels + static_cast<long>(panel_size) * k;
}

/// r -= W r of the node before, from both ends to the middle. Of a vector that is zero before pair
/// `from`.
HAWSER_INLINE void chain_down(const double* panels, int from, ChainVector& x) {
  const int m = x.middle();
  Pack y[3], next[3];
  x.load(from, y);
  for (int k = from + 1; k < m; ++k) {
    x.load(k, next);
    hand_on(panel_of(panels, k - 1), y, next);
    x.store(k, next);
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) y[t] = next[t];
  }
  if (from == m) return;
  HAWSER_UNROLL(3)
  for (int t = 0; t < 3; ++t) next[t] = Pack(load_pair(x.front(m) + 2 * t), V2{0, 0});
  hand_on(panel_of(panels, m - 1), y, next);
  HAWSER_UNROLL(3)
  for (int t = 0; t < 3; ++t) next[t] = sum_halves(next[t]);
  x.store(m, next);
}

/// D^-1 r everywhere from pair `from` on, four nodes side by side.
HAWSER_INLINE void chain_middle(const double* panels, int from, ChainVector& x) {
  const int m = x.middle();
  for (int k = from; k <= m; k += 2) {
    const int l = k < m ? k + 1 : k;  // a last one stands in for the other, too
    double *const fronts[2] = {x.front(k), x.front(l)}, *const backs[2] = {x.back(k), x.back(l)};
    solve_nodes(panel_of(panels, x.last() - k), panel_of(panels, x.last() - l), fronts, backs);
  }
}

/// x = D^-1 r - W^T x of the node after, from the middle back to the ends.
HAWSER_INLINE void chain_up(const double* panels, ChainVector& x) {
  Pack y[3], next[3];
  x.load(x.middle(), y);
  for (int k = x.middle() - 1; k >= 0; --k) {
    x.load(k, next);
    take_back(panel_of(panels, k), y, next);
    x.store(k, next);
    HAWSER_UNROLL(3)
    for (int t = 0; t < 3; ++t) y[t] = next[t];
  }
}

/// x <- A^-1 x for the factored chain.
HAWSER_INLINE void solve_chain(const double* panels, int nodes, double* x) {
  ChainVector vector(nodes, x);
  chain_down(panels, 0, vector);
  chain_middle(panels, 0, vector);
  chain_up(panels, vector);
}

}  // namespace hawser::HAWSER_ISA

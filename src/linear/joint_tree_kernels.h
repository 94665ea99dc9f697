// Trees of bodies, eliminated from their leaves: see joint_tree.h. A body c with the rows r of its
// joint and the body p above it is a small dense matrix,
//
//     [ H    C^T  G^T ] c        six columns, then one a row, each over c, p and r;
//     [ C             ] p        p comes before r, so that what goes to p stands as p's own
//     [ G    Gp   -E  ] r        columns do
//
// and L D L^T of the columns of c and r leaves -[C; Gp]^T (...)^-1 [C; Gp] at p.
#pragma once

#include "kernels/kernels.h"
#include "kernels/pack.h"
#include "linear/joint_tree_shape.h"

namespace hawser::HAWSER_ISA {

/// Compliance of rows that may repeat each other and the smallest pivot of rigid ones, relative to
/// g diag(H)^-1 g^T: as in sparse_kkt.cpp.
inline constexpr double tree_sharing = 1e-10, tree_floor = 1e-12;

/// Packs that hold the six numbers of the body above and those of the rows.
constexpr int packs_of(int rows) { return (6 + rows + 3) / 4; }

HAWSER_INLINE double sum_of(Pack a) { return (a[0] + a[1]) + (a[2] + a[3]); }
HAWSER_INLINE Pack size_of_pack(Pack a) { return larger(a, -a); }
HAWSER_INLINE void copy_six(const double* from, double* to) {
  Pack::load(from).store(to);
  store_pair(load_pair(from + 4), to + 4);
}
/// Six numbers as two packs, the last two lanes zero.
struct Six {
  Pack a, b;
  explicit HAWSER_INLINE Six(const double* from)
      : a(Pack::load(from)), b(load_pair(from + 4), V2{0, 0}) {}
  Six() = default;
};
HAWSER_INLINE void add_six(const Six& v, double* to) {
  (Pack::load(to) + v.a).store(to);
  store_pair(load_pair(to + 4) + v.b.first(), to + 4);
}

/// E of a row, sharing included; returns what stands in for a pivot that rounding has left.
HAWSER_INLINE double weigh_row(const TreeNumbers& io, int row, double schur) {
  const double yields = io.compliance[row] + (io.rows[row].sharing ? tree_sharing * schur : 0);
  io.yields[row] = yields;
  return yields > 0 ? 0 : schur > 0 ? tree_floor * schur : 1;
}

/// M rows of a joint from `first` on: G over the body by its columns, and the least pivots.
template <int M>
HAWSER_INLINE void load_rows(const TreeNumbers& io, const TreeJoint& s, int first, Pack (&G)[6],
                             double* floor) {
  const Six scale(io.scales + s.scale), scale_above(io.scales + s.scale_above);
  Pack a[4], b[4], schur[4];
  HAWSER_UNROLL(4)
  for (int r = 0; r < 4; ++r) {
    a[r] = b[r] = schur[r] = Pack(0.0);
    if (r >= M) continue;
    const TreeRow& row = io.rows[s.first_row + first + r];
    const Six g(io.entries + row.own), gp(io.entries + row.above);
    a[r] = g.a;
    b[r] = g.b;
    schur[r] = (g.a * g.a * scale.a + g.b * g.b * scale.b) +
               (gp.a * gp.a * scale_above.a + gp.b * gp.b * scale_above.b);
  }
  if constexpr (M == 1) {
    HAWSER_UNROLL(6)
    for (int j = 0; j < 6; ++j) G[j] = Pack(j < 4 ? a[0][j & 3] : b[0][j & 3], 0, 0, 0);
    floor[first] = weigh_row(io, s.first_row + first, sum_of(schur[0]));
    return;
  }
  transpose(a[0], a[1], a[2], a[3]);
  transpose(b[0], b[1], b[2], b[3]);
  transpose(schur[0], schur[1], schur[2], schur[3]);
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) G[j] = j < 4 ? a[j & 3] : b[j & 3];
  const Pack sums = (schur[0] + schur[1]) + (schur[2] + schur[3]);
  HAWSER_UNROLL(4)
  for (int r = 0; r < M; ++r) floor[first + r] = weigh_row(io, s.first_row + first + r, sums[r]);
}

/// Makes H symmetric, of which the lower triangle counts and is in `h` by columns.
HAWSER_INLINE void mirror(const Six (&h)[6], double* H) {
  H[6] = h[0].a[1];
  store_pair(V2{h[0].a[2], h[1].a[2]}, H + 12);
  store_pair(V2{h[0].a[3], h[1].a[3]}, H + 18);
  H[20] = h[2].a[3];
  Pack row[4] = {h[0].b, h[1].b, h[2].b, h[3].b};
  transpose(row[0], row[1], row[2], row[3]);
  row[0].store(H + 24);
  row[1].store(H + 30);
  H[34] = h[4].b[1];
}

/// Pivots of a body: most are positive.
HAWSER_INLINE void note_pivots(const double d[6], int node, Kernels::Pivots& pivots) {
  const auto least = [](double a, double b) { return a < b ? a : b; };
  const auto most = [](double a, double b) { return a > b ? a : b; };
  double low = least(least(least(d[0], d[1]), least(d[2], d[3])), least(d[4], d[5]));
  double high = most(most(most(d[0], d[1]), most(d[2], d[3])), most(d[4], d[5]));
  const double sum = ((d[0] + d[1]) + (d[2] + d[3])) + (d[4] + d[5]);
  if (!(low > 0)) {
    low = high = __builtin_fabs(d[0]);
    for (int k = 0; k < 6; ++k) {
      const double size = __builtin_fabs(d[k]);
      low = least(low, size);
      high = most(high, size);
      pivots.negative += d[k] < 0;
      pivots.finite = pivots.finite && size > 0;
    }
  }
  if (low < pivots.smallest) pivots.smallest = low, pivots.node = node;
  if (high > pivots.largest) pivots.largest = high;
  pivots.finite = pivots.finite && 0 * sum == 0;
}

/// L D L^T of the body's own block, with what those below have left at it.
HAWSER_INLINE void factor_own(const TreeNumbers& io, const TreeJoint& s, Kernels::Pivots& pivots) {
  double *H = io.values + s.block, *panel = io.panels + s.panel, *inverse = io.panels + s.inverse();
  const int stride = s.stride();
  Six a[6];
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) a[j] = Six(H + 6 * j);
  mirror(a, H);
  if (s.has_below) {
    HAWSER_UNROLL(6)
    for (int j = 0; j < 6; ++j) {
      if (j < 4) a[j].a += Pack::load(panel + stride * j);
      a[j].b += Pack::load(panel + stride * j + 4);
    }
  }
  double d[6] = {a[0].a[0]};
  HAWSER_UNROLL(6)
  for (int k = 0; k < 6; ++k) {
    const auto entry = [&](int i, int j)
                           HAWSER_ALWAYS_INLINE { return i < 4 ? a[j].a[i & 3] : a[j].b[i & 3]; };
    const double inv = 1.0 / d[k];
    inverse[k] = inv;
    if (k < 5) {  // the next division waits for nothing else
      const double below = entry(k + 1, k);
      d[k + 1] = entry(k + 1, k + 1) - below * below * inv;
    }
    const Pack la = a[k].a * Pack(inv), lb = a[k].b * Pack(inv);
    if (k < 4) la.store(panel + stride * k);
    lb.store(panel + stride * k + 4);
    HAWSER_UNROLL(6)
    for (int i = k + 1; i < 6; ++i) {
      const Pack f(entry(i, k));
      if (i < 4) a[i].a -= la * f;
      a[i].b -= lb * f;
    }
  }
  note_pivots(d, s.node, pivots);
}

/// Rows of p and r in the columns of the body: `low`, C and G at first, becomes L D, and the panel
/// gets L.
template <int N>
HAWSER_INLINE void factor_low(double* panel, const double* inverse, Pack (&low)[6][N]) {
  constexpr int stride = 8 + 4 * N;
  HAWSER_UNROLL(4)
  for (int n = 0; n < N; ++n) {
    Pack x[6];
    HAWSER_UNROLL(6)
    for (int j = 0; j < 6; ++j) x[j] = low[j][n];
    HAWSER_UNROLL(6)
    for (int k = 0; k < 6; ++k) {
      HAWSER_UNROLL(6)
      for (int j = k + 1; j < 6; ++j) x[j] -= x[k] * Pack(panel[stride * k + j]);
      low[k][n] = x[k];
      (x[k] * Pack(inverse[k])).store(panel + stride * k + 8 + 4 * n);
    }
  }
}

/// The columns of the rows: `column` is L D, at rows before its own, which L does not have, of no
/// meaning.
template <int K, int N>
HAWSER_INLINE void factor_rows(const TreeNumbers& io, const TreeJoint& s, const double* floor,
                               const Pack (&low)[6][N], double* inverse, Pack (&column)[K + 1][N],
                               Kernels::Pivots& pivots) {
  constexpr int stride = 8 + 4 * N;
  const double* panel = io.panels + s.panel;
  double* rows = io.panels + s.row_columns();
  constexpr int together = 3;  // columns in registers
  HAWSER_UNROLL(3)
  for (int from = 0; from < K; from += together) {
    const int to = from + together < K ? from + together : K;
    HAWSER_UNROLL(3)
    for (int r = from; r < to; ++r) {
      const Six above(io.entries + io.rows[s.first_row + r].above);
      column[r][0] = above.a;
      column[r][1] = above.b;
      HAWSER_UNROLL(2)
      for (int n = 2; n < N; ++n) column[r][n] = Pack(0.0);
    }
    HAWSER_UNROLL(6)
    for (int k = 0; k < 6; ++k) HAWSER_UNROLL(3)
    for (int r = from; r < to; ++r) {
      const Pack f(panel[stride * k + 14 + r]);
      HAWSER_UNROLL(4)
      for (int n = 0; n < N; ++n) column[r][n] -= low[k][n] * f;
    }
  }
  double sum = 0, inv = 0;
  HAWSER_UNROLL(8)
  for (int r = 0; r < K; ++r) {
    const int at = 6 + r, n_at = at / 4;
    Pack* c = column[r];
    HAWSER_UNROLL(8)
    for (int k = 0; k + 1 < r; ++k) {
      const Pack f(rows[4 * N * k + at]);
      HAWSER_UNROLL(4)
      for (int n = 0; n < N; ++n) c[n] -= column[k][n] * f;
    }
    double pivot = c[n_at][at % 4] - io.yields[s.first_row + r];
    if (r > 0) {  // of the row before, whose division is all that this one waits for
      const Pack* before = column[r - 1];
      const double below = before[n_at][at % 4];
      pivot -= below * below * inv;
      const Pack f(below * inv);
      HAWSER_UNROLL(4)
      for (int n = 0; n < N; ++n) c[n] -= before[n] * f;
    }
    if (__builtin_expect(__builtin_fabs(pivot) < floor[r], 0)) pivot = -floor[r];
    inv = 1.0 / pivot;
    inverse[at] = inv;
    pivots.negative += pivot < 0;
    sum += inv;
    HAWSER_UNROLL(4)
    for (int n = 0; n < N; ++n) (c[n] * Pack(inv)).store(rows + 4 * (N * r + n));
  }
  pivots.finite = pivots.finite && 0 * sum == 0;
}

/// What the columns of the body and of the rows leave at p: its lower triangle.
template <int K, int N>
HAWSER_INLINE void leave_above(const TreeNumbers& io, const TreeJoint& s, const Pack (&low)[6][N],
                               const Pack (&column)[K + 1][N]) {
  constexpr int stride = 8 + 4 * N;
  const double *panel = io.panels + s.panel + 8, *rows = io.panels + s.row_columns();
  Pack left[6][2];
  HAWSER_UNROLL(6)
  for (int c = 0; c < 6; ++c) left[c][0] = left[c][1] = Pack(0.0);
  const auto take = [&](const Pack* of, const double* by) HAWSER_ALWAYS_INLINE {
    const Pack l[2] = {Pack::load(by), Pack::load(by + 4)};
    HAWSER_UNROLL(6)
    for (int c = 0; c < 6; ++c) {
      const Pack f(of[c / 4][c % 4]);
      HAWSER_UNROLL(2)
      for (int n = c / 4; n < 2; ++n) left[c][n] -= l[n] * f;
    }
  };
  HAWSER_UNROLL(6)
  for (int k = 0; k < 6; ++k) take(low[k], panel + stride * k);
  HAWSER_UNROLL(8)
  for (int r = 0; r < K; ++r) take(column[r], rows + 4 * N * r);
  HAWSER_UNROLL(6)
  for (int c = 0; c < 6; ++c) {
    double* to = io.panels + s.above + s.above_stride * c;
    HAWSER_UNROLL(2)
    for (int n = c / 4; n < 2; ++n) {
      if (s.adds) left[c][n] += Pack::load(to + 4 * n);
      left[c][n].store(to + 4 * n);
    }
  }
}

/// W = [C Gp^T] [H G^T; G -E]^-1 in place of the rows of p of L, by columns, and W^T: with it
/// vectors are handed on by one product, so that the chain of dependent operations is short.
template <int K>
HAWSER_INLINE void find_products(const TreeNumbers& io, const TreeJoint& s) {
  constexpr int N = packs_of(K), stride = 8 + 4 * N, columns = 6 + K;
  double *panel = io.panels + s.panel, *rows = io.panels + s.row_columns(),
         *turned = io.panels + s.transposed();
  const auto at = [&](int j) HAWSER_ALWAYS_INLINE {
    return j < 6 ? panel + stride * j + 8 : rows + 4 * N * (j - 6);
  };
  constexpr int together = 3;  // columns in registers
  HAWSER_UNROLL(5)
  for (int from = columns; from > 0; from -= together) {
    const int first = from > together ? from - together : 0;
    Six w[together];
    HAWSER_UNROLL(3)
    for (int j = first; j < from; ++j) w[j - first] = Six(at(j));
    HAWSER_UNROLL(14)
    for (int i = columns - 1; i > first; --i) {
      const Six other = i < from ? w[i - first] : Six(at(i));
      const int to = i < from ? i : from;
      HAWSER_UNROLL(3)
      for (int j = first; j < to; ++j) {
        const Pack l(i < 6 ? panel[stride * j + i] : at(j)[i]);
        w[j - first].a -= other.a * l;
        w[j - first].b -= other.b * l;
      }
    }
    HAWSER_UNROLL(3)
    for (int j = first; j < from; ++j) {
      w[j - first].a.store(at(j));
      store_pair(w[j - first].b.first(), at(j) + 4);
    }
  }
  HAWSER_UNROLL(4)
  for (int n = 0; n < N; ++n) {
    Six w[4];
    HAWSER_UNROLL(4)
    for (int k = 0; k < 4; ++k)
      if (4 * n + k < columns)
        w[k] = Six(at(4 * n + k));
      else
        w[k].a = w[k].b = Pack(0.0);
    transpose(w[0].a, w[1].a, w[2].a, w[3].a);
    transpose(w[0].b, w[1].b, w[2].b, w[3].b);
    HAWSER_UNROLL(4)
    for (int k = 0; k < 4; ++k) w[k].a.store(turned + 4 * (N * k + n));
    HAWSER_UNROLL(2)
    for (int k = 0; k < 2; ++k) w[k].b.store(turned + 4 * (N * (4 + k) + n));
  }
}

/// Returns whether C is not zero. A factorization is a chain of divisions: the products of the
/// joint `before` (or null) are found beside it.
template <int K, class Finish>
HAWSER_INLINE bool factor_joint(const TreeNumbers& io, const TreeJoint& s, Kernels::Pivots& pivots,
                                const TreeJoint* before, const Finish& finish) {
  constexpr int N = packs_of(K);
  double *panel = io.panels + s.panel, *inverse = io.panels + s.inverse(), floor[8];
  Pack first[6], last[6], low[6][N], column[K + 1][N], curvature(0.0);
  if constexpr (K > 0) load_rows<(K < 4 ? K : 4)>(io, s, 0, first, floor);
  if constexpr (K > 4) load_rows<K - 4>(io, s, 4, last, floor);
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    const Six c(io.values + s.block + 36 + 6 * j);
    curvature += c.a * c.a + c.b * c.b;
    low[j][0] = c.a;
    low[j][1] = K == 0 ? c.b : Pack(c.b.first(), first[j].first());
    if constexpr (N > 2) low[j][2] = K > 4 ? straddle(first[j], last[j]) : straddle(first[j], 0.0);
    if constexpr (N > 3) low[j][3] = straddle(last[j], 0.0);
  }
  factor_own(io, s, pivots);
  factor_low<N>(panel, inverse, low);
  if (before && before->rows == K)
    find_products<K>(io, *before);
  else if (before)
    finish(*before);
  factor_rows<K, N>(io, s, floor, low, inverse, column, pivots);
  if (!s.is_top) leave_above<K, N>(io, s, low, column);
  return !(sum_of(curvature) == 0);
}

/// p -= W r, and r becomes [H G^T; G -E]^-1 r.
template <int K>
HAWSER_INLINE void joint_down(const TreeNumbers& io, const TreeJoint& s, double* vector) {
  constexpr int N = packs_of(K), stride = 8 + 4 * N;
  const double *panel = io.panels + s.panel, *columns = io.panels + s.row_columns(),
               *inverse = io.panels + s.inverse();
  double *y = vector + s.y, x[6 + K];
  HAWSER_UNROLL(14)
  for (int j = 0; j < 6 + K; ++j) x[j] = y[j];
  Six up(vector + s.y_above), more;
  more.a = more.b = Pack(0.0);
  const auto take = [&](const double* w, double by, Six& from) HAWSER_ALWAYS_INLINE {
    const Six column(w);
    from.a -= column.a * Pack(by);
    from.b -= column.b * Pack(by);
  };
  HAWSER_UNROLL(8)  // the body comes last: its entries are those that others hand on
  for (int r = 0; r < K; ++r) take(columns + 4 * N * r, x[6 + r], r % 2 ? more : up);
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) take(panel + stride * j + 8, x[j], j % 2 ? more : up);
  up.a += more.a;
  up.b += more.b;
  up.a.store(vector + s.y_above);
  store_pair(up.b.first(), vector + s.y_above + 4);
  const auto L = [&](int i, int j) HAWSER_ALWAYS_INLINE {
    return j < 6 ? panel[stride * j + (i < 6 ? i : 8 + i)] : columns[4 * N * (j - 6) + i];
  };
  HAWSER_UNROLL(14)
  for (int j = 0; j < 6 + K; ++j) HAWSER_UNROLL(14)
  for (int i = j + 1; i < 6 + K; ++i) x[i] -= L(i, j) * x[j];
  HAWSER_UNROLL(14)
  for (int j = 0; j < 6 + K; ++j) x[j] *= inverse[j];
  HAWSER_UNROLL(14)
  for (int i = 5 + K; i > 0; --i) HAWSER_UNROLL(14)
  for (int j = 0; j < i; ++j) x[j] -= L(i, j) * x[i];
  HAWSER_UNROLL(14)
  for (int j = 0; j < 6 + K; ++j) y[j] = x[j];
}

/// x -= W^T p.
template <int K>
HAWSER_INLINE void joint_up(const TreeNumbers& io, const TreeJoint& s, double* vector) {
  constexpr int N = packs_of(K);
  const double *turned = io.panels + s.transposed(), *above = vector + s.y_above;
  double* x = vector + s.y;
  Pack out[N], more[N];
  HAWSER_UNROLL(4)
  for (int n = 0; n < N; ++n) {
    out[n] = Pack::load(x + 4 * n);
    more[n] = Pack(0.0);
  }
  HAWSER_UNROLL(6)
  for (int c = 0; c < 6; ++c) {
    const Pack f(above[c]);
    HAWSER_UNROLL(4)
    for (int n = 0; n < N; ++n) (c % 2 ? more : out)[n] -= Pack::load(turned + 4 * (N * c + n)) * f;
  }
  HAWSER_UNROLL(4)
  for (int n = 0; n < N; ++n) (out[n] + more[n]).store(x + 4 * n);
}

/// Calls what<rows>(): loops over the rows then have a length known to the compiler.
template <class What>
HAWSER_INLINE void with_rows(int rows, const What& what) {
  switch (rows) {
    case 0:
      return what.template operator()<0>();
    case 1:
      return what.template operator()<1>();
    case 2:
      return what.template operator()<2>();
    case 3:
      return what.template operator()<3>();
    case 4:
      return what.template operator()<4>();
    case 5:
      return what.template operator()<5>();
    case 6:
      return what.template operator()<6>();
    case 7:
      return what.template operator()<7>();
    default:
      return what.template operator()<most_joint_rows>();
  }
}

inline void factor_tree(const TreeNumbers& io, Kernels::Pivots& all_pivots) {
  Kernels::Pivots pivots = all_pivots;  // in registers
  const auto finish = [&](const TreeJoint& s) {
    with_rows(s.rows, [&]<int K>() HAWSER_ALWAYS_INLINE { find_products<K>(io, s); });
  };
  const TreeJoint* before = nullptr;
  for (int i = 0; i < io.count; ++i) {
    const TreeJoint& s = io.joints[i];
    with_rows(s.rows, [&]<int K>() HAWSER_ALWAYS_INLINE {
      io.curved[i] = factor_joint<K>(io, s, pivots, before, finish);
    });
    before = s.is_top ? nullptr : &s;
  }
  if (before) finish(*before);
  all_pivots = pivots;
}

inline void solve_tree_down(const TreeNumbers& io, double* y) {
  for (int i = 0; i < io.count; ++i)
    with_rows(io.joints[i].rows,
              [&]<int K>() HAWSER_ALWAYS_INLINE { joint_down<K>(io, io.joints[i], y); });
}

/// Largest numbers of a residual, lane by lane.
struct TreeSizes {
  Pack coordinates{0.0}, terms{0.0}, some_terms{0.0}, poison{0.0};
  double conditions = 0, condition_terms = 0;

  HAWSER_INLINE void see_terms(Pack a, Pack b) {
    terms = larger(terms, larger(size_of_pack(a), size_of_pack(b)));
  }
};

/// sum -= C^T x of the body above, and up -= C x.
HAWSER_INLINE void subtract_curvature(const double* C, const double* x, const Six& above, Six& sum,
                                      Six& up) {
  Pack s[8];
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    const Six c(C + 6 * j);
    const Pack xj(x[j]);
    up.a -= c.a * xj;
    up.b -= c.b * xj;
    s[j] = c.a * above.a + c.b * above.b;
  }
  s[6] = s[7] = Pack(0.0);
  transpose(s[0], s[1], s[2], s[3]);
  transpose(s[4], s[5], s[6], s[7]);
  sum.a -= (s[0] + s[1]) + (s[2] + s[3]);
  sum.b -= (s[4] + s[5]) + (s[6] + s[7]);
}

/// r -= A x of a joint: of its rows, of its body and of the body above, whose turn comes before.
/// `terms`: the sizes of all that is added up are looked at, not only of some.
template <bool terms>
HAWSER_INLINE void subtract_joint(const TreeNumbers& io, int i, int rows, const double* x,
                                  double* r, TreeSizes& out) {
  const TreeJoint& s = io.joints[i];
  const double *H = io.values + s.block, *xc = x + s.y;
  const Six own(xc), above(x + s.y_above);
  Six sum(r + s.y), up(r + s.y_above);
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    const Six h(H + 6 * j);
    const Pack xj(xc[j]), a = h.a * xj, b = h.b * xj;
    sum.a -= a;
    sum.b -= b;
    if (terms || j < 3) out.see_terms(a, b);
  }
  if (io.curved[i]) subtract_curvature(H + 36, xc, above, sum, up);
  HAWSER_UNROLL(8)
  for (int k = 0; k < rows; ++k) {
    const TreeRow& row = io.rows[s.first_row + k];
    const Six g(io.entries + row.own), gp(io.entries + row.above);
    const double force = xc[6 + k], yields = io.yields[s.first_row + k] * force;
    const Pack a = g.a * own.a, b = g.b * own.b, c = gp.a * above.a, d = gp.b * above.b;
    const double left = r[s.y + 6 + k] - sum_of((a + b) + (c + d)) + yields;
    r[s.y + 6 + k] = left;
    const Pack f(force), fa = g.a * f, fb = g.b * f;
    sum.a -= fa;
    sum.b -= fb;
    up.a -= gp.a * f;
    up.b -= gp.b * f;
    out.poison += Pack(0 * left);
    out.conditions = __builtin_fabs(left) > out.conditions ? __builtin_fabs(left) : out.conditions;
    if constexpr (terms) {
      const double size =
          sum_of((size_of_pack(a) + size_of_pack(b)) + (size_of_pack(c) + size_of_pack(d)));
      out.condition_terms = size > out.condition_terms ? size : out.condition_terms;
      out.see_terms(fa, fb);
    } else {
      out.some_terms = larger(out.some_terms, larger(size_of_pack(a), size_of_pack(c)));
      out.terms = larger(out.terms, size_of_pack(fa));
    }
  }
  sum.a.store(r + s.y);
  store_pair(sum.b.first(), r + s.y + 4);
  up.a.store(r + s.y_above);
  store_pair(up.b.first(), r + s.y_above + 4);
}

/// After all joints, r being what is left.
HAWSER_INLINE void see_coordinates(const TreeNumbers& io, const double* r, TreeSizes& out) {
  for (int i = 0; i < io.count; ++i) {
    const Six left(r + io.joints[i].y);
    out.coordinates = larger(out.coordinates, larger(size_of_pack(left.a), size_of_pack(left.b)));
    out.poison += Pack(0.0) * left.a + Pack(0.0) * left.b;
  }
}

HAWSER_INLINE void report_sizes(const TreeSizes& sizes, TreeResidual& out) {
  const auto most = [](Pack p) {
    const double a = p[0] > p[1] ? p[0] : p[1], b = p[2] > p[3] ? p[2] : p[3];
    return a > b ? a : b;
  };
  out.coordinates = most(sizes.coordinates);
  out.conditions = sizes.conditions;
  out.coordinate_terms = most(sizes.terms);
  const double some = most(sizes.some_terms);
  out.condition_terms = sizes.condition_terms > some ? sizes.condition_terms : some;
  out.finite = sum_of(sizes.poison) == 0;
}

/// `r`: a right-hand side, from which A x is taken. A substitution is a chain of operations that
/// wait for each other: the residual is found beside it.
inline void solve_tree_up(const TreeNumbers& io, double* x, double* r, TreeResidual& out) {
  TreeSizes sizes;
  for (int i = io.count - 1; i >= 0; --i)
    with_rows(io.joints[i].rows, [&]<int K>() HAWSER_ALWAYS_INLINE {
      joint_up<K>(io, io.joints[i], x);
      subtract_joint<false>(io, i, K, x, r, sizes);
    });
  see_coordinates(io, r, sizes);
  report_sizes(sizes, out);
}

inline void tree_residual(const TreeNumbers& io, const double* x, double* r, TreeResidual& out) {
  TreeSizes sizes;
  for (int i = io.count - 1; i >= 0; --i)
    subtract_joint<true>(io, i, io.joints[i].rows, x, r, sizes);
  see_coordinates(io, r, sizes);
  report_sizes(sizes, out);
}

}  // namespace hawser::HAWSER_ISA

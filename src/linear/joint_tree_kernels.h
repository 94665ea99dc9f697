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

/// E of a row, sharing included, and what stands in for a pivot that rounding has left.
HAWSER_INLINE void weigh_row(const TreeNumbers& io, const TreeJoint& s, int row, const Six& own,
                             const Six& above) {
  const Six scale(io.scales + s.scale), scale_above(io.scales + s.scale_above);
  const double schur =
      sum_of(own.a * own.a * scale.a + own.b * own.b * scale.b + above.a * above.a * scale_above.a +
             above.b * above.b * scale_above.b);
  const double yields = io.compliance[row] + (io.rows[row].sharing ? tree_sharing * schur : 0);
  io.yields[row] = yields;
  io.floor[row] = yields > 0 ? 0 : schur > 0 ? tree_floor * schur : 1;
}

/// The values and rows into the panel. H is made symmetric: its lower triangle counts. Returns
/// whether C is not zero.
template <int K>
HAWSER_INLINE bool load_joint(const TreeNumbers& io, const TreeJoint& s) {
  constexpr int N = packs_of(K), stride = 8 + 4 * N;
  double *panel = io.panels + s.panel, *H = io.values + s.block;
  Pack largest(0.0);
  for (int k = 36; k < 72; k += 4) largest = larger(largest, size_of_pack(Pack::load(H + k)));
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    copy_six(H + 6 * j, panel + stride * j);
    store_pair(V2{0, 0}, panel + stride * j + 6);
    copy_six(H + 36 + 6 * j, panel + stride * j + 8);
  }
  double* column = io.panels + s.row_columns();
  HAWSER_UNROLL(8)
  for (int r = 0; r < K; ++r, column += 4 * N) {
    const TreeRow& row = io.rows[s.first_row + r];
    const double* g = io.entries + row.own;
    HAWSER_UNROLL(6)
    for (int j = 0; j < 6; ++j) panel[stride * j + 14 + r] = g[j];
    const Six above(io.entries + row.above);
    weigh_row(io, s, s.first_row + r, Six(g), above);
    above.a.store(column);
    above.b.store(column + 4);
    HAWSER_UNROLL(2)
    for (int n = 2; n < N; ++n) Pack(0.0).store(column + 4 * n);
    column[6 + r] = -io.yields[s.first_row + r];
  }
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j)  // after they were read: a vector waits for numbers just written
    HAWSER_UNROLL(6)
  for (int i = j + 1; i < 6; ++i) H[6 * i + j] = H[6 * j + i];
  return !(sum_of(largest) == 0);
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

/// Factors the six columns of the body. `low`: their rows of p and r, times D; scaled they are in
/// the panel.
template <int N>
HAWSER_INLINE void factor_body(const TreeJoint& s, double* panel, double* inverse,
                               Pack (&low)[6][N], Kernels::Pivots& pivots) {
  constexpr int stride = 8 + 4 * N;
  Pack a[6][2];
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    a[j][0] = Pack::load(panel + stride * j);
    a[j][1] = Pack::load(panel + stride * j + 4);
    HAWSER_UNROLL(4)
    for (int n = 0; n < N; ++n) low[j][n] = Pack::load(panel + stride * j + 8 + 4 * n);
  }
  double d[6];
  HAWSER_UNROLL(6)
  for (int k = 0; k < 6; ++k) {
    const double pivot = a[k][k / 4][k % 4], inv = 1.0 / pivot;
    d[k] = pivot;
    inverse[k] = inv;
    double* out = panel + stride * k;
    const Pack l0 = a[k][0] * Pack(inv), l1 = a[k][1] * Pack(inv);
    l0.store(out);
    l1.store(out + 4);
    Pack w[N];
    HAWSER_UNROLL(4)
    for (int n = 0; n < N; ++n) {
      w[n] = low[k][n] * Pack(inv);
      w[n].store(out + 8 + 4 * n);
    }
    HAWSER_UNROLL(6)
    for (int i = k + 1; i < 6; ++i) {
      const Pack f(a[k][i / 4][i % 4]);
      if (i < 4) a[i][0] -= l0 * f;
      a[i][1] -= l1 * f;
      HAWSER_UNROLL(4)
      for (int n = 0; n < N; ++n) low[i][n] -= w[n] * f;
    }
  }
  note_pivots(d, s.node, pivots);
}

/// Factors the columns of the rows; `left`: what that leaves at p. Entries of a column at rows
/// before its own, which L does not have, are of no meaning.
template <int K, int N>
HAWSER_INLINE void factor_rows(const TreeNumbers& io, const TreeJoint& s, Pack (&column)[K + 1][N],
                               double* inverse, Pack (&left)[6][2], Kernels::Pivots& pivots) {
  double sum = 0;
  double* out = io.panels + s.row_columns();
  HAWSER_UNROLL(8)
  for (int r = 0; r < K; ++r, out += 4 * N) {
    const double found = column[r][(6 + r) / 4][(6 + r) % 4], floor = io.floor[s.first_row + r];
    const double pivot = __builtin_fabs(found) < floor ? -floor : found, inv = 1.0 / pivot;
    inverse[6 + r] = inv;
    pivots.negative += pivot < 0;
    sum += inv;
    Pack w[N];
    HAWSER_UNROLL(4)
    for (int n = 0; n < N; ++n) {
      w[n] = column[r][n] * Pack(inv);
      w[n].store(out + 4 * n);
    }
    HAWSER_UNROLL(8)
    for (int k = r + 1; k < K; ++k) {
      const Pack f(w[(6 + k) / 4][(6 + k) % 4]);
      HAWSER_UNROLL(4)
      for (int n = 0; n < N; ++n) column[k][n] -= column[r][n] * f;
    }
    HAWSER_UNROLL(6)
    for (int c = 0; c < 6; ++c) {
      const Pack f(w[c / 4][c % 4]);
      left[c][0] -= column[r][0] * f;
      left[c][1] -= column[r][1] * f;
    }
  }
  pivots.finite = pivots.finite && 0 * sum == 0;
}

template <int K>
HAWSER_INLINE void factor_joint(const TreeNumbers& io, const TreeJoint& s,
                                Kernels::Pivots& pivots) {
  constexpr int N = packs_of(K), stride = 8 + 4 * N;
  double *panel = io.panels + s.panel, *inverse = io.panels + s.inverse();
  const double* rows = io.panels + s.row_columns();
  Pack low[6][N], left[6][2], column[K + 1][N];
  factor_body<N>(s, panel, inverse, low, pivots);
  HAWSER_UNROLL(8)
  for (int r = 0; r < K; ++r) {
    HAWSER_UNROLL(4)
    for (int n = 0; n < N; ++n) column[r][n] = Pack::load(rows + 4 * (N * r + n));
    HAWSER_UNROLL(6)
    for (int k = 0; k < 6; ++k) {
      const Pack f(panel[stride * k + 14 + r]);
      HAWSER_UNROLL(4)
      for (int n = 0; n < N; ++n) column[r][n] -= low[k][n] * f;
    }
  }
  HAWSER_UNROLL(6)
  for (int c = 0; c < 6; ++c) {
    left[c][0] = left[c][1] = Pack(0.0);
    HAWSER_UNROLL(6)
    for (int k = 0; k < 6; ++k) {
      const Pack f(panel[stride * k + 8 + c]);
      left[c][0] -= low[k][0] * f;
      left[c][1] -= low[k][1] * f;
    }
  }
  factor_rows<K, N>(io, s, column, inverse, left, pivots);
  HAWSER_UNROLL(6)
  for (int c = 0; c < 6; ++c) {
    double* to = io.panels + s.above + s.above_stride * c;
    (Pack::load(to) + left[c][0]).store(to);
    (Pack::load(to + 4) + left[c][1]).store(to + 4);
  }
}

template <int K>
HAWSER_INLINE void joint_down(const TreeNumbers& io, const TreeJoint& s, double* vector) {
  constexpr int N = packs_of(K), stride = 8 + 4 * N;
  const double *panel = io.panels + s.panel, *columns = io.panels + s.row_columns();
  double *y = vector + s.y, z[6], u[K + 1];
  Pack sum[N];
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) z[j] = y[j];
  HAWSER_UNROLL(4)
  for (int n = 0; n < N; ++n) sum[n] = Pack(0.0);
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    const double* l = panel + stride * j;
    HAWSER_UNROLL(6)
    for (int i = j + 1; i < 6; ++i) z[i] -= l[i] * z[j];
    HAWSER_UNROLL(4)
    for (int n = 0; n < N; ++n) sum[n] -= Pack::load(l + 8 + 4 * n) * Pack(z[j]);
  }
  Six up;
  up.a = sum[0];
  up.b = sum[1];
  HAWSER_UNROLL(8)
  for (int r = 0; r < K; ++r) {
    u[r] = y[6 + r] + sum[(6 + r) / 4][(6 + r) % 4];
    HAWSER_UNROLL(8)
    for (int k = 0; k < r; ++k) u[r] -= columns[4 * N * k + 6 + r] * u[k];
    up.a -= Pack::load(columns + 4 * N * r) * Pack(u[r]);
    up.b -= Pack::load(columns + 4 * N * r + 4) * Pack(u[r]);
  }
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) y[j] = z[j];
  HAWSER_UNROLL(8)
  for (int r = 0; r < K; ++r) y[6 + r] = u[r];
  add_six(up, vector + s.y_above);
}

template <int K>
HAWSER_INLINE void joint_up(const TreeNumbers& io, const TreeJoint& s, double* vector) {
  constexpr int N = packs_of(K), stride = 8 + 4 * N;
  const double *panel = io.panels + s.panel, *columns = io.panels + s.row_columns(),
               *inverse = io.panels + s.inverse();
  double *y = vector + s.y, u[12] = {}, z[6];
  const Six above(vector + s.y_above);
  HAWSER_UNROLL(8)
  for (int r = K - 1; r >= 0; --r) {
    const double* column = columns + 4 * N * r;
    u[r] = y[6 + r] * inverse[6 + r] -
           sum_of(Pack::load(column) * above.a + Pack::load(column + 4) * above.b);
    HAWSER_UNROLL(8)
    for (int k = K - 1; k > r; --k) u[r] -= column[6 + k] * u[k];
  }
  Pack known[4] = {above.a, Pack(above.b[0], above.b[1], u[0], u[1]), Pack(u[2], u[3], u[4], u[5]),
                   Pack(u[6], u[7], 0, 0)};
  Pack sum[8];
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    const double* l = panel + stride * j + 8;
    sum[j] = Pack::load(l) * known[0];
    HAWSER_UNROLL(4)
    for (int n = 1; n < N; ++n) sum[j] += Pack::load(l + 4 * n) * known[n];
  }
  sum[6] = sum[7] = Pack(0.0);
  transpose(sum[0], sum[1], sum[2], sum[3]);
  transpose(sum[4], sum[5], sum[6], sum[7]);
  const Pack first = (sum[0] + sum[1]) + (sum[2] + sum[3]),
             last = (sum[4] + sum[5]) + (sum[6] + sum[7]);
  HAWSER_UNROLL(6)
  for (int j = 5; j >= 0; --j) {
    const double* l = panel + stride * j;
    z[j] = y[j] * inverse[j] - (j < 4 ? first[j & 3] : last[j & 3]);
    HAWSER_UNROLL(6)
    for (int i = 5; i > j; --i) z[j] -= l[i] * z[i];
  }
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) y[j] = z[j];
  HAWSER_UNROLL(8)
  for (int r = 0; r < K; ++r) y[6 + r] = u[r];
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
  // A factorization is a chain of divisions. Joints that come later are loaded beside it: the next
  // one, which has then been stored when it is read, and the one above, which is added to.
  int loaded = 0;
  for (int i = 0; i < io.count; ++i) {
    const TreeJoint& s = io.joints[i];
    const int ahead = s.next > i + 1 ? s.next : i + 1;
    for (; loaded <= ahead && loaded < io.count; ++loaded) {
      const TreeJoint& next = io.joints[loaded];
      with_rows(next.rows,
                [&]<int K>() HAWSER_ALWAYS_INLINE { io.curved[loaded] = load_joint<K>(io, next); });
    }
    with_rows(s.rows, [&]<int K>() HAWSER_ALWAYS_INLINE { factor_joint<K>(io, s, pivots); });
  }
  all_pivots = pivots;
}

inline void solve_tree_down(const TreeNumbers& io, double* y) {
  for (int i = 0; i < io.count; ++i)
    with_rows(io.joints[i].rows,
              [&]<int K>() HAWSER_ALWAYS_INLINE { joint_down<K>(io, io.joints[i], y); });
}

inline void solve_tree_up(const TreeNumbers& io, double* y) {
  for (int i = io.count - 1; i >= 0; --i)
    with_rows(io.joints[i].rows,
              [&]<int K>() HAWSER_ALWAYS_INLINE { joint_up<K>(io, io.joints[i], y); });
}

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

/// r -= A x of the bodies and rows that are eliminated: r holds the right-hand side. Each body has
/// got what those below it give when its turn comes. `terms`: those of coordinates are looked at.
template <bool terms>
HAWSER_INLINE void find_residual(const TreeNumbers& io, const double* x, double* r,
                                 TreeResidual& out) {
  Pack largest(0.0), parts(0.0), poison(0.0);
  double conditions = 0, condition_terms = 0;
  const auto note = [&](Pack a, Pack b) HAWSER_ALWAYS_INLINE {
    if constexpr (terms) parts = larger(parts, larger(size_of_pack(a), size_of_pack(b)));
  };
  for (int i = 0; i < io.count; ++i) {
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
      note(a, b);
    }
    if (io.curved[i]) subtract_curvature(H + 36, xc, above, sum, up);
    for (int k = 0; k < s.rows; ++k) {
      const TreeRow& row = io.rows[s.first_row + k];
      const Six g(io.entries + row.own), gp(io.entries + row.above);
      const double force = xc[6 + k], yields = io.yields[s.first_row + k] * force;
      const Pack a = g.a * own.a, b = g.b * own.b, c = gp.a * above.a, d = gp.b * above.b;
      const double left = r[s.y + 6 + k] - sum_of((a + b) + (c + d)) + yields;
      r[s.y + 6 + k] = left;
      poison += Pack(0 * left);
      const double size =
          sum_of((size_of_pack(a) + size_of_pack(b)) + (size_of_pack(c) + size_of_pack(d)));
      conditions = __builtin_fabs(left) > conditions ? __builtin_fabs(left) : conditions;
      condition_terms = size > condition_terms ? size : condition_terms;
      const Pack f(force), fa = g.a * f, fb = g.b * f;
      sum.a -= fa;
      sum.b -= fb;
      up.a -= gp.a * f;
      up.b -= gp.b * f;
      note(fa, fb);
    }
    sum.a.store(r + s.y);
    store_pair(sum.b.first(), r + s.y + 4);
    up.a.store(r + s.y_above);
    store_pair(up.b.first(), r + s.y_above + 4);
    largest = larger(largest, larger(size_of_pack(sum.a), size_of_pack(sum.b)));
    poison += Pack(0.0) * sum.a + Pack(0.0) * sum.b;
  }
  const auto most = [](Pack p) {
    const double a = p[0] > p[1] ? p[0] : p[1], b = p[2] > p[3] ? p[2] : p[3];
    return a > b ? a : b;
  };
  out.coordinates = most(largest);
  out.conditions = conditions;
  out.coordinate_terms = most(parts);
  out.condition_terms = condition_terms;
  out.finite = sum_of(poison) == 0;
}

inline void tree_residual(const TreeNumbers& io, const double* x, double* r, TreeResidual& out) {
  if (out.looks_at_terms)
    find_residual<true>(io, x, r, out);
  else
    find_residual<false>(io, x, r, out);
}

}  // namespace hawser::HAWSER_ISA

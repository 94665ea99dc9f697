// Sparse L D L^T over dense panels, without pivoting, and its substitutions: see ldlt_shape.h.
//
// A panel takes its entries of the matrix, then each panel before it that has rows there takes its
// L D L^T away, in their order (left-looking), and it is factored, its columns in registers. Only
// one thread writes to a panel and the order is always the same: so are the bits, whoever does it.
#pragma once

#include "base/flags.h"
#include "kernels/pack.h"
#include "linear/ldlt_shape.h"

namespace hawser::HAWSER_ISA {

/// Factors the square on top of a panel of W columns; rows 0 to 4N come along.
template <int W>
HAWSER_INLINE void factor_square(const LdltShape::Panel& s, const LdltNumbers& io) {
  double* panel = io.values + s.panel;
  const int stride = s.stride;
  constexpr int N = (W + 3) / 4;
  Pack a[W][N];
  HAWSER_UNROLL(8)
  for (int j = 0; j < W; ++j) HAWSER_UNROLL(2)
  for (int n = 0; n < N; ++n) a[j][n] = Pack::load(panel + stride * j + 4 * n);
  HAWSER_UNROLL(8)
  for (int k = 0; k < W; ++k) {
    const double found = a[k][k / 4][k % 4], floor = io.floor[s.first + k];
    const double pivot = __builtin_fabs(found) < floor ? -floor : found, inv = 1.0 / pivot;
    io.pivots[s.first + k] = pivot;
    io.inverse[s.first + k] = inv;
    Pack l[N];
    HAWSER_UNROLL(2)
    for (int n = 0; n < N; ++n) {
      l[n] = a[k][n] * Pack(inv);
      l[n].store(panel + stride * k + 4 * n);
    }
    HAWSER_UNROLL(8)
    for (int j = k + 1; j < W; ++j) HAWSER_UNROLL(2)
    for (int n = j / 4; n < N; ++n) a[j][n] -= l[n] * Pack(a[k][j / 4][j % 4]);
  }
}

template <int W>
HAWSER_INLINE void factor_panel(const LdltShape::Panel& s, const LdltNumbers& io) {
  double* panel = io.values + s.panel;
  const double* inverse = io.inverse + s.first;
  factor_square<W>(s, io);
  for (int i = 4 * ((W + 3) / 4); i < s.stride; i += 4) {
    Pack x[W];
    HAWSER_UNROLL(8)
    for (int k = 0; k < W; ++k) x[k] = Pack::load(panel + s.stride * k + i);
    HAWSER_UNROLL(8)
    for (int k = 0; k < W; ++k) {
      HAWSER_UNROLL(8)
      for (int j = k + 1; j < W; ++j) x[j] -= x[k] * Pack(panel[s.stride * k + j]);
      (x[k] * Pack(inverse[k])).store(panel + s.stride * k + i);
    }
  }
}

HAWSER_INLINE void subtract_some(Pack v, int count, double* from) {
  for (int i = 0; i < count; ++i) from[i] -= v[i];
}

/// C columns of a later panel: target -= L (D L^T). What falls above its diagonal does no harm.
template <int W, int C>
HAWSER_INLINE void update_columns(const LdltShape::Run* run, const LdltShape::Run* last,
                                  const double* panel, int stride, const double* factors,
                                  double* target, int target_stride) {
  for (; run != last; ++run)
    for (int i = 0; i < run->length; i += 4) {
      const double* l = panel + run->source + i;
      Pack sum[C];
      HAWSER_UNROLL(8)
      for (int k = 0; k < W; ++k) {
        const Pack column = Pack::load(l + stride * k);
        HAWSER_UNROLL(4)
        for (int c = 0; c < C; ++c) {
          const Pack factor(factors[panel_width * k + c]);
          sum[c] = k == 0 ? column * factor : sum[c] + column * factor;
        }
      }
      const int rest = run->length - i;
      HAWSER_UNROLL(4)
      for (int c = 0; c < C; ++c) {
        double* t = target + target_stride * c + run->target + i;
        if (rest >= 4)
          (Pack::load(t) - sum[c]).store(t);
        else
          subtract_some(sum[c], rest, t);
      }
    }
}

/// `s` takes its share from the later panel `t`.
template <int W>
HAWSER_INLINE void update_panel(const LdltShape& shape, const LdltShape::Update& update,
                                const LdltShape::Panel& s, const LdltShape::Panel& t,
                                const LdltNumbers& io) {
  const double* panel = io.values + s.panel;
  double factors[panel_width * panel_width];  // D L^T
  for (int k = 0; k < W; ++k)
    for (int c = 0; c < update.columns; ++c)
      factors[panel_width * k + c] =
          panel[s.stride * k + update.source + c] * io.pivots[s.first + k];
  const LdltShape::Run *run = shape.runs + update.runs[0], *last = shape.runs + update.runs[1];
  double* target = io.values + t.panel + t.stride * update.target;
  int c = 0;
  for (; c + 3 <= update.columns; c += 3)
    update_columns<W, 3>(run, last, panel, s.stride, factors + c, target + t.stride * c, t.stride);
  for (; c < update.columns; ++c)
    update_columns<W, 1>(run, last, panel, s.stride, factors + c, target + t.stride * c, t.stride);
}

HAWSER_INLINE void load_panel(const LdltShape& shape, const LdltShape::Panel& s,
                              const LdltNumbers& io) {
  double* panel = io.values + s.panel;
  for (int i = 0, n = s.stride * s.width; i < n; i += 4) Pack(0.0).store(panel + i);
  for (int e = s.entries[0]; e < s.entries[1]; ++e)
    io.values[shape.entries[e].to] = io.matrix[shape.entries[e].from];
}

/// Below the panel: x -= L x of the panel.
template <int W>
HAWSER_INLINE void solve_down(const LdltShape& shape, const LdltShape::Panel& s,
                              const LdltNumbers& io, double* x) {
  const double* panel = io.values + s.panel;
  double y[W];
  HAWSER_UNROLL(8)
  for (int k = 0; k < W; ++k) y[k] = x[s.first + k];
  HAWSER_UNROLL(8)
  for (int k = 0; k < W; ++k) HAWSER_UNROLL(8)
  for (int j = k + 1; j < W; ++j) y[j] -= panel[s.stride * k + j] * y[k];
  HAWSER_UNROLL(8)
  for (int k = 0; k < W; ++k) x[s.first + k] = y[k];
  const int* row = shape.down_rows + s.row_list;
  for (int i = 0; i < s.rows; i += 4) {
    const double* l = panel + W + i;
    Pack sum = Pack::load(l) * Pack(y[0]);
    HAWSER_UNROLL(8)
    for (int k = 1; k < W; ++k) sum += Pack::load(l + s.stride * k) * Pack(y[k]);
    if (i + 4 <= s.rows) {
      HAWSER_UNROLL(4)
      for (int n = 0; n < 4; ++n) x[row[i + n]] -= sum[n];
    } else {
      for (int n = 0; i + n < s.rows; ++n) x[row[i + n]] -= sum[n];
    }
  }
}

template <int W>
HAWSER_INLINE void solve_up(const LdltShape& shape, const LdltShape::Panel& s,
                            const LdltNumbers& io, double* x) {
  const double* panel = io.values + s.panel;
  const int* row = shape.rows + s.row_list;
  double y[W];
  HAWSER_UNROLL(8)
  for (int k = 0; k < W; ++k) y[k] = x[s.first + k] * io.inverse[s.first + k];
  int i = 0;
  if (s.rows >= 4) {
    Pack sum[W];
    HAWSER_UNROLL(8)
    for (int k = 0; k < W; ++k) sum[k] = Pack(0.0);
    for (; i + 4 <= s.rows; i += 4) {
      const Pack below = {x[row[i]], x[row[i + 1]], x[row[i + 2]], x[row[i + 3]]};
      HAWSER_UNROLL(8)
      for (int k = 0; k < W; ++k) sum[k] += Pack::load(panel + s.stride * k + W + i) * below;
    }
    HAWSER_UNROLL(8)
    for (int k = 0; k < W; ++k) y[k] -= (sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3]);
  }
  for (; i < s.rows; ++i) {
    const double below = x[row[i]];
    HAWSER_UNROLL(8)
    for (int k = 0; k < W; ++k) y[k] -= panel[s.stride * k + W + i] * below;
  }
  HAWSER_UNROLL(8)
  for (int k = W - 1; k >= 0; --k) {
    HAWSER_UNROLL(8)
    for (int j = W - 1; j > k; --j) y[k] -= panel[s.stride * k + j] * y[j];
    x[s.first + k] = y[k];
  }
}

/// Calls what<width>(): the loops over a panel's columns then have a length known to the compiler.
template <class What>
HAWSER_INLINE void with_width(int width, const What& what) {
  switch (width) {
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
      return what.template operator()<panel_width>();
  }
}

HAWSER_INLINE void factor_ldlt(const LdltShape& shape, const LdltNumbers& io,
                               const LdltPart& part) {
  for (int i = 0; i < part.count; ++i) {
    const LdltShape::Panel& s = shape.panels[part.panels[i]];
    load_panel(shape, s, io);
    for (int u = s.updates[0]; u < s.updates[1]; ++u) {
      const LdltShape::Update& update = shape.updates[u];
      const LdltShape::Panel& before = shape.panels[update.from];
      if (io.done && !is_raised(io.done[update.from], io.turn))
        await_flag(io.done[update.from], io.turn);
      with_width(before.width, [&]<int W>() HAWSER_ALWAYS_INLINE {
        update_panel<W>(shape, update, before, s, io);
      });
    }
    with_width(s.width, [&]<int W>() HAWSER_ALWAYS_INLINE { factor_panel<W>(s, io); });
    if (io.done) raise_flag(io.done[part.panels[i]], io.turn);
  }
}

/// x <- L^-1 x, x of later panels as far as these contribute.
HAWSER_INLINE void solve_ldlt_down(const LdltShape& shape, const LdltNumbers& io,
                                   const LdltPart& part, double* x) {
  for (int i = 0; i < part.count; ++i) {
    const LdltShape::Panel& s = shape.panels[part.panels[i]];
    with_width(s.width, [&]<int W>() HAWSER_ALWAYS_INLINE { solve_down<W>(shape, s, io, x); });
  }
}

/// x <- L^-T D^-1 x, given that of later panels.
HAWSER_INLINE void solve_ldlt_up(const LdltShape& shape, const LdltNumbers& io,
                                 const LdltPart& part, double* x) {
  for (int i = part.count - 1; i >= 0; --i) {
    const LdltShape::Panel& s = shape.panels[part.panels[i]];
    with_width(s.width, [&]<int W>() HAWSER_ALWAYS_INLINE { solve_up<W>(shape, s, io, x); });
  }
}

}  // namespace hawser::HAWSER_ISA

// The flowing element (flow.h), four elements side by side. Its blocks over (d, g1, g2) are
// symmetric; the element's matrix is made of them entry by entry as it is stored.
#pragma once

#include "elements/ancf.h"
#include "elements/flow_io.h"
#include "elements/kernel_io.h"
#include "elements/node_pair.h"
#include "kernels/pack.h"

namespace hawser::HAWSER_ISA {

HAWSER_INLINE Pack pack_of(const FlowLaneNumbers& x) { return Pack::load(x.at); }
/// Over the lanes that hold an element.
HAWSER_INLINE double sum_lanes(const FlowPack& at, Pack p) {
  const Pack held = select(held_lanes(at.count), p);
  return (held[0] + held[1]) + (held[2] + held[3]);
}

/// e of four elements, or another field over it; by pairs, as arrays by node are written.
HAWSER_INLINE void gather(const FlowPack& at, const double* from, Pack out[12]) {
  const double *a = from + at.first[0], *b = from + at.first[1], *c = from + at.first[2],
               *d = from + at.first[3];
  HAWSER_UNROLL(6)
  for (int i = 0; i < 12; i += 2) {
    const Pack even(load_pair(a + i), load_pair(c + i)), odd(load_pair(b + i), load_pair(d + i));
    out[i] = shuffle<0, 4, 2, 6>(even, odd);
    out[i + 1] = shuffle<1, 5, 3, 7>(even, odd);
  }
}

/// p at an end less its base, or its rate.
HAWSER_INLINE Pack flow_at_end(const FlowPack& at, const double* a, int end) {
  Pack sum(0.0);
  for (int k = 0; k < at.flows; ++k) sum += pack_of(at.share[k][end]) * Pack(a[at.flow_at[k]]);
  return sum;
}
HAWSER_INLINE Pack length_of(const FlowPack& at, const double* q) {
  return (pack_of(at.base[1]) + flow_at_end(at, q, 1)) -
         (pack_of(at.base[0]) + flow_at_end(at, q, 0));
}

/// n numbers of each lane, those of a lane four apart.
HAWSER_INLINE void gather_points(const FlowPack& at, const double* from, const int place[4], int n,
                                 Pack* out) {
  if (at.together) {
    from += place[0];
    for (int k = 0; k < n; ++k) out[k] = Pack::load(from + 4 * k);
    return;
  }
  const double *a = from + place[0], *b = from + place[1], *c = from + place[2],
               *d = from + place[3];
  for (int k = 0; k < 4 * n; k += 4) out[k / 4] = {V2{a[k], b[k]}, V2{c[k], d[k]}};
}
HAWSER_INLINE void scatter_points(const FlowPack& at, const Pack* x, double* to, const int place[4],
                                  int n) {
  if (at.together) {
    to += place[0];
    for (int k = 0; k < n; ++k) x[k].store(to + 4 * k);
    return;
  }
  for (int lane = 0; lane < at.count; ++lane)
    for (int k = 0; k < n; ++k)
      to[place[lane] + 4 * k] = reinterpret_cast<const double*>(x)[4 * k + lane];
}

/// Adds six numbers of a node to those of lanes before `to`, by pairs; also to `other`, unless it
/// is null.
HAWSER_INLINE void add_to_nodes(const FlowPack& at, const Pack x[6], double* out, double* other,
                                int to) {
  double *own[4], *also[4];
  for (int lane = 0; lane < 4; ++lane) own[lane] = out + at.first[lane];
  for (int lane = 0; lane < 4; ++lane) also[lane] = other + at.first[lane];
  const auto add = [&](const V2 pair[4], int i, int lanes) HAWSER_ALWAYS_INLINE {
    HAWSER_UNROLL(4)
    for (int lane = 0; lane < lanes; ++lane)
      store_pair(load_pair(own[lane] + i) + pair[lane], own[lane] + i);
    if (!other) return;
    HAWSER_UNROLL(4)
    for (int lane = 0; lane < lanes; ++lane)
      store_pair(load_pair(also[lane] + i) + pair[lane], also[lane] + i);
  };
  HAWSER_UNROLL(3)
  for (int i = 0; i < 6; i += 2) {
    const Pack even = shuffle<0, 4, 2, 6>(x[i], x[i + 1]),
               odd = shuffle<1, 5, 3, 7>(x[i], x[i + 1]);
    const V2 pair[4] = {even.first(), odd.first(), even.last(), odd.last()};
    if (to == 4)
      add(pair, i, 4);
    else if (to == 2)
      add(pair, i, 2);
    else
      for (int lane = 0; lane < to; ++lane) {
        store_pair(load_pair(own[lane] + i) + pair[lane], own[lane] + i);
        if (other) store_pair(load_pair(also[lane] + i) + pair[lane], also[lane] + i);
      }
  }
}

/// Adds a field over e. Where elements share nodes, what goes to a right node is handed to the next
/// lane first.
inline __attribute__((noinline)) void scatter(const FlowPack& at, const Pack x[12], double* out,
                                              double* other) {
  if (!at.together) {
    add_to_nodes(at, x, out, other, at.count);
    return add_to_nodes(at, x + 6, out + node_size, other ? other + node_size : nullptr, at.count);
  }
  Pack left[6];
  HAWSER_UNROLL(6)
  for (int i = 0; i < 6; ++i) left[i] = x[i] + shift_in(Pack(0.0), x[6 + i]);
  add_to_nodes(at, left, out, other, at.count);
  const long place = at.first[at.count - 1] + node_size;
  const double* last = reinterpret_cast<const double*>(x + 6) + at.count - 1;
  HAWSER_UNROLL(3)
  for (int i = 0; i < 6; i += 2) {
    const V2 pair = {last[4 * i], last[4 * i + 4]};
    store_pair(load_pair(out + place + i) + pair, out + place + i);
    if (other) store_pair(load_pair(other + place + i) + pair, other + place + i);
  }
}

/// M12(l) of four elements, and D1 e and D2 e, which are zero at the other end.
struct FlowInertia {
  Pack mass[10];
  Pack D[2][6];

  HAWSER_INLINE FlowInertia(const FlowParameters& par, const Pack e[12], Pack l) {
    constexpr int slopes[10] = {0, 1, 0, 1, 2, 1, 2, 0, 1, 2};
    const Pack power[3] = {l, l * l, l * l * l};
    HAWSER_UNROLL(10)
    for (int i = 0; i < 10; ++i) mass[i] = Pack(par.unit.mass[i]) * power[slopes[i]];
    columns(par.unit.slopes, e, Pack(1.0) / l, D);
  }

  static HAWSER_INLINE void columns(bool slopes, const Pack e[12], Pack inverse, Pack out[2][6]) {
    for (int i = 0; i < 3; ++i) {
      const Pack chord = (e[6 + i] - e[i]) * inverse, g1 = e[3 + i], g2 = e[9 + i];
      if (!slopes) {
        out[0][i] = out[1][i] = -chord;
        out[0][3 + i] = out[1][3 + i] = Pack(0.0);
        continue;
      }
      const Pack d = Pack(6.0) * inverse * chord;
      out[0][i] = -g1;
      out[0][3 + i] = inverse * (Pack(4.0) * g1 + Pack(2.0) * g2) - d;
      out[1][i] = -g2;
      out[1][3 + i] = d - inverse * (Pack(2.0) * g1 + Pack(4.0) * g2);
    }
  }

  HAWSER_INLINE void times(const Pack a[12], Pack out[12]) const {
    HAWSER_UNROLL(4)
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < 3; ++i)
        out[3 * k + i] = mass[flow_pair[k][0]] * a[i] + mass[flow_pair[k][1]] * a[3 + i] +
                         mass[flow_pair[k][2]] * a[6 + i] + mass[flow_pair[k][3]] * a[9 + i];
  }
  /// D . f
  [[nodiscard]] HAWSER_INLINE Pack dot(int end, const Pack f[12]) const {
    const Pack* of = f + 6 * end;
    Pack sum = D[end][0] * of[0];
    HAWSER_UNROLL(5)
    for (int i = 1; i < 6; ++i) sum += D[end][i] * of[i];
    return sum;
  }
  /// x + a1 D1 + a2 D2
  HAWSER_INLINE void add_columns(Pack a1, Pack a2, Pack x[12]) const {
    HAWSER_UNROLL(6)
    for (int i = 0; i < 6; ++i) x[i] += a1 * D[0][i], x[6 + i] += a2 * D[1][i];
  }
};

/// c of (4) or (6).
HAWSER_INLINE void flow_convected(bool slopes, const Pack e[12], const Pack v[12], Pack l, Pack one,
                                  Pack two, Pack c[12]) {
  const Pack i1 = Pack(1.0) / l, i2 = i1 * i1, i3 = i2 * i1;
  if (!slopes) {
    for (int i = 0; i < 3; ++i) {
      const Pack u = v[6 + i] - v[i] - (two - one) * i1 * (e[6 + i] - e[i]),
                 twice = Pack(-2.0) * i1 * u;
      c[i] = one * twice;
      c[6 + i] = two * twice;
      c[3 + i] = c[9 + i] = Pack(0.0);
    }
    return;
  }
  Pack D[2][6];
  FlowInertia::columns(true, v, i1, D);
  const Pack once = Pack(2.0) * one, twice = Pack(2.0) * two;
  HAWSER_UNROLL(6)
  for (int i = 0; i < 6; ++i) c[i] = once * D[0][i], c[6 + i] = twice * D[1][i];
  const Pack squares[3] = {one * one, Pack(2.0) * one * two, two * two};
  for (int i = 0; i < 3; ++i) {
    const Pack d = e[6 + i] - e[i], g1 = e[3 + i], g2 = e[9 + i];
    const Pack first = Pack(4.0) * g1 + Pack(2.0) * g2, second = Pack(2.0) * g1 + Pack(4.0) * g2;
    const Pack bent = Pack(6.0) * i2 * d, bent_l = Pack(12.0) * i3 * d;
    const Pack k1 = bent - i1 * first, k2 = i1 * second - bent;
    const Pack k1_l = i2 * first - bent_l, k2_l = bent_l - i2 * second;
    c[i] += squares[0] * k1;
    c[3 + i] += squares[0] * (k1_l - Pack(6.0) * i2 * g1 - Pack(4.0) * i1 * k1) - squares[1] * k1_l;
    c[6 + i] += squares[2] * k2;
    c[9 + i] += squares[1] * (Pack(6.0) * i2 * g1 + Pack(2.0) * i1 * k1) -
                squares[2] * (Pack(6.0) * i2 * g2 - Pack(4.0) * i1 * k2 + k2_l);
  }
}

/// The elastic part over x = (d, g1, g2).
struct FlowStrain {
  AncfResult<Pack> of;  ///< A_x and A_xx, then l A_xx + B_xx/l; N and eps_r'
  Pack Ax[9];           ///< A_x of the geometric stiffness
  Pack axial;           ///< A [J/m]
};

template <class Strain, class Law, Tangent tangent, int points>
__attribute__((noinline)) void flow_axial(const FlowPack& at, const FlowAssembly& io,
                                          const Pack x[9], FlowStrain& s) {
  const AncfParameters& unit = io.parameters->unit;
  const int n = points ? points : unit.axial_points;
  Pack carried[max_gauss_points], past[max_gauss_points];
  ViscousPoints<Pack> viscous{io.axial_factor, io.bending_factor};
  const bool carries = io.force_n && (tangent == Tangent::mixed || Law::one_sided);
  if (carries) gather_points(at, io.force_n, at.point, n, carried);
  if (io.past_force) {
    gather_points(at, io.past_force, at.point, n, past);
    viscous.force = past;
  }
  detail::ancf_axial<Strain, Law, tangent, points>(unit, x, carries ? carried : nullptr,
                                                   io.parameters->scale, viscous, s.of);
  Pack squares(0.0);
  HAWSER_UNROLL(5)
  for (int g = 0; g < n; ++g) {
    const Pack N = viscous.force ? s.of.force[g] - past[g] : s.of.force[g];
    squares += Pack(unit.axial[g].w) * N * N;
  }
  s.axial = Pack(1 / (2 * io.axial_factor * io.axial_factor * unit.law.EA)) * squares;
  if constexpr (tangent != Tangent::none)
    detail::flow_axial_gradient(unit, tangent == Tangent::mixed ? carried : s.of.force,
                                s.of.strain_r, s.Ax);
  if (!io.axial_star) return;
  scatter_points(at, s.of.force, io.axial_star, at.point, n);
  scatter_points(at, s.of.strain_r[0], io.strain_r, at.slope, 3 * n);
}

template <class Strain, class Law, int points>
HAWSER_INLINE void flow_axial(const FlowPack& at, const FlowAssembly& io, const Pack x[9],
                              FlowStrain& s) {
  switch (io.tangent) {
    case Tangent::none:
      return flow_axial<Strain, Law, Tangent::none, points>(at, io, x, s);
    case Tangent::own:
      return flow_axial<Strain, Law, Tangent::own, points>(at, io, x, s);
    case Tangent::mixed:
      return flow_axial<Strain, Law, Tangent::mixed, points>(at, io, x, s);
  }
}

HAWSER_INLINE void flow_axial(const FlowPack& at, const FlowAssembly& io, const Pack x[9],
                              FlowStrain& s) {
  const AncfParameters& unit = io.parameters->unit;
  if (unit.tension_only) return flow_axial<EngineeringStrain, TensionOnly, 1>(at, io, x, s);
  if (!unit.slopes) return flow_axial<EngineeringStrain, LinearElastic, 1>(at, io, x, s);
  if (unit.axial_points != 5)
    return io.green ? flow_axial<GreenStrain, LinearElastic, 0>(at, io, x, s)
                    : flow_axial<EngineeringStrain, LinearElastic, 0>(at, io, x, s);
  io.green ? flow_axial<GreenStrain, LinearElastic, 5>(at, io, x, s)
           : flow_axial<EngineeringStrain, LinearElastic, 5>(at, io, x, s);
}

/// What is quadratic in x: B_x, and B.
HAWSER_INLINE Pack flow_bending_part(const FlowPack& at, const FlowAssembly& io, const Pack x[9],
                                     Pack l, Pack Bx[9]) {
  const AncfParameters& unit = io.parameters->unit;
  const double* k = unit.constant_stiffness;
  Pack energy(0.0);
  const Pack factor(io.bending_factor);
  for (int i = 0; i < 3; ++i) {
    const Pack d = x[i], g1 = x[3 + i], g2 = x[6 + i];
    const Pack own[3] = {Pack(k[0]) * d + Pack(k[1]) * g1 + Pack(k[3]) * g2,
                         Pack(k[1]) * d + Pack(k[2]) * g1 + Pack(k[4]) * g2,
                         Pack(k[3]) * d + Pack(k[4]) * g1 + Pack(k[5]) * g2};
    energy += own[0] * d + own[1] * g1 + own[2] * g2;
    for (int a = 0; a < 3; ++a) Bx[3 * a + i] = factor * own[a];
  }
  if (!io.moment) return Pack(0.5) * energy;
  Pack moment[3 * max_gauss_points];
  gather_points(at, io.moment, at.bending, 3 * unit.bending_points, moment);
  for (int g = 0; g < unit.bending_points; ++g)
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 3; ++a)
        Bx[3 * a + i] += Pack(unit.bending[g].w * unit.bending[g].c2[a]) * l * moment[3 * g + i];
  return Pack(0.5) * energy;
}

/// Weight (2): dV/de, its derivative by the length, and dV/dl.
struct FlowWeight {
  double w[12];  ///< on (r1, g1, r2, g2) for l = 1

  HAWSER_INLINE explicit FlowWeight(const FlowParameters& par) {
    for (int a = 0; a < 4; ++a)
      for (int i = 0; i < 3; ++i) w[3 * a + i] = -par.mass * par.unit.load[a] * par.gravity[i];
  }
  [[nodiscard]] HAWSER_INLINE Pack by_length(int i, Pack l) const {
    return i / 3 % 2 == 1 ? Pack(2 * w[i]) * l : Pack(w[i]);
  }
  /// dV/dl
  [[nodiscard]] HAWSER_INLINE Pack on_length(const Pack e[12], Pack l) const {
    Pack sum(0.0);
    HAWSER_UNROLL(12)
    for (int i = 0; i < 12; ++i) sum += by_length(i, l) * e[i];
    return sum;
  }
  /// d2V/dl2
  [[nodiscard]] HAWSER_INLINE Pack twice(const Pack e[12]) const {
    Pack sum(0.0);
    for (int i = 0; i < 3; ++i)
      sum += Pack(2 * w[3 + i]) * e[3 + i] + Pack(2 * w[9 + i]) * e[9 + i];
    return sum;
  }
  [[nodiscard]] HAWSER_INLINE Pack energy(const Pack e[12], Pack l) const {
    Pack sum(0.0);
    HAWSER_UNROLL(12)
    for (int i = 0; i < 12; ++i) sum += Pack(w[i]) * (i / 3 % 2 == 1 ? l * l : l) * e[i];
    return sum;
  }
};

/// Forces that depend on the rates: -M12 c, and what crosses the ends, (5) and (7).
HAWSER_INLINE void add_flow_rates(const FlowPack& at, const FlowAssembly& io, const Pack e[12],
                                  const FlowInertia& inertia, Pack l, const Pack rate[2],
                                  Pack force[12], Pack force_p[2]) {
  const FlowParameters& par = *io.parameters;
  const bool slopes = par.unit.slopes;
  Pack v[12], c[12], f[12];
  gather(at, io.v, v);
  const Pack inverse = Pack(1.0) / l;
  flow_convected(slopes, e, v, l, rate[0], rate[1], c);
  inertia.times(c, f);
  HAWSER_UNROLL(12)
  for (int i = 0; i < 12; ++i) force[i] -= f[i];
  for (int end = 0; end < 2; ++end) force_p[end] -= inertia.dot(end, f);
  if (par.lumped()) {
    const Pack grows = rate[1] - rate[0], half = Pack(par.mass / 2) * grows;
    Pack on_p(0.0);
    for (int i = 0; i < 3; ++i) {
      const Pack way = e[6 + i] - e[i], u = v[6 + i] - v[i] - grows * inverse * way;
      on_p -= half * inverse * u * way + Pack(par.mass / 4) * u * u;
      force[i] += half * u;
      force[6 + i] -= half * u;
    }
    force_p[0] += on_p;
    force_p[1] -= on_p;
  }
  HAWSER_UNROLL(2)
  for (int end = 0; end < 2; ++end) {
    const double m = end == 0 ? -par.mass : par.mass;
    const Pack on_r = Pack(m) * rate[end] * pack_of(at.crosses_r[end]);
    Pack squares(0.0);
    for (int i = 0; i < 3; ++i) {
      const Pack g = slopes ? e[6 * end + 3 + i] : (e[6 + i] - e[i]) * inverse,
                 speed = v[6 * end + i];
      squares += rate[end] * rate[end] * g * g - speed * speed;
      force[6 * end + i] -= on_r * (speed - rate[end] * g);
    }
    force_p[end] -= Pack(m / 2) * pack_of(at.crosses_p[end]) * squares;
  }
}

/// Of running cable: M12 W, W = damping_weight 2 A + stiffness_weight B of
/// flow_convection_matrices(), over (r1, g1, r2, g2), the same for x, y and z. Column r2 is that of
/// r1 with the other sign.
HAWSER_INLINE void flow_convection_tangent(const FlowAssembly& io, const FlowInertia& inertia,
                                           Pack l, const Pack rate[2], Pack out[4][4]) {
  const Pack i1 = Pack(1.0) / l, i2 = i1 * i1, six = Pack(6.0) * i2;
  const Pack a1 = Pack(-2 * io.convection_weight) * rate[0],
             a2 = Pack(-2 * io.convection_weight) * rate[1],
             once = Pack(io.stiffness_weight) * rate[0], s1 = once * rate[0],
             both = Pack(2.0) * once * rate[1], s2 = Pack(io.stiffness_weight) * rate[1] * rate[1];
  // By the columns r1, g1, g2: k1 and k2, and their derivatives by l.
  const Pack two = Pack(2.0) * i1, four = Pack(4.0) * i1, twice = two * i1, twelve = two * six;
  const Pack k1[3] = {-six, -four, -two}, k2[3] = {six, two, four},
             k1_l[3] = {twelve, four * i1, twice}, k2_l[3] = {-twelve, -twice, -(four * i1)};
  const Pack f1 = a1 - four * s1, f2 = a2 + four * s2, g1 = s1 - both, h1 = two * both;
  Pack W[4][3];
  HAWSER_UNROLL(3)
  for (int j = 0; j < 3; ++j) {
    W[0][j] = s1 * k1[j];
    W[1][j] = f1 * k1[j] + g1 * k1_l[j];
    W[2][j] = s2 * k2[j];
    W[3][j] = f2 * k2[j] + h1 * k1[j] - s2 * k2_l[j];
  }
  W[0][1] += a1;
  W[1][1] -= six * s1;
  W[2][2] += a2;
  W[3][1] += six * both;
  W[3][2] -= six * s2;
  constexpr int column[3] = {0, 1, 3};
  HAWSER_UNROLL(4)
  for (int i = 0; i < 4; ++i) {
    HAWSER_UNROLL(3)
    for (int j = 0; j < 3; ++j)
      out[i][column[j]] =
          inertia.mass[flow_pair[i][0]] * W[0][j] + inertia.mass[flow_pair[i][1]] * W[1][j] +
          inertia.mass[flow_pair[i][2]] * W[2][j] + inertia.mass[flow_pair[i][3]] * W[3][j];
    out[i][2] = -out[i][0];
  }
}

/// The 12 x 12 matrices of four elements.
struct FlowMatrix {
  Pack K[6][6];   ///< blocks over (d, g1, g2), symmetric, scaled as those over e
  Pack mass[10];  ///< times its weight
  Pack convected[4][4];

  /// Rows and columns both from 0 to 11.
  template <bool runs>
  [[nodiscard]] HAWSER_INLINE Pack entry(int i, int j) const {
    constexpr int block[4][4] = {{0, 1, 0, 3}, {1, 2, 1, 4}, {0, 1, 0, 3}, {3, 4, 3, 5}};
    constexpr int symmetric[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    const int a = i / 3, b = j / 3, c = i % 3, d = j % 3;
    // r2 takes of d what r1 takes, with the other sign.
    const bool negative = (a == 2) != (b == 2);
    const Pack k = K[block[a][b]][symmetric[c][d]];
    if (c != d) return negative ? -k : k;
    const Pack more = runs ? mass[flow_pair[a][b]] + convected[a][b] : mass[flow_pair[a][b]];
    return negative ? more - k : more + k;
  }
};

/// Adds the entries to panels. Where elements share nodes, what goes to the block of a right node
/// is handed to the next lane first.
template <bool runs, bool full>
inline __attribute__((noinline)) void add_flow_panels(const FlowPack& at, const FlowAssembly& io,
                                                      const FlowMatrix& m) {
  constexpr int by_coordinate = panel_size / node_size;
  const bool together = full || at.together;
  const int count = full ? 4 : at.count;
  double* panels[4];
  for (int lane = 0; lane < 4; ++lane) panels[lane] = io.panels + by_coordinate * at.first[lane];
  const auto add_to = [](double* p, Pack x) HAWSER_ALWAYS_INLINE { (Pack::load(p) + x).store(p); };
  const auto add_left = [&](Pack rows[4], int beyond) HAWSER_ALWAYS_INLINE {
    transpose(rows[0], rows[1], rows[2], rows[3]);
    HAWSER_UNROLL(4)
    for (int lane = 0; lane < 4; ++lane)
      if (full || lane < count) add_to(panels[lane] + beyond, rows[lane]);
  };
  const auto add_right = [&](Pack rows[4], int beyond) HAWSER_ALWAYS_INLINE {
    if (full) {
      const Pack ab = shuffle<3, 7, 3, 7>(rows[0], rows[1]),
                 cd = shuffle<3, 7, 3, 7>(rows[2], rows[3]);
      return add_to(panels[3] + beyond, Pack(ab.first(), cd.first()));
    }
    transpose(rows[0], rows[1], rows[2], rows[3]);
    HAWSER_UNROLL(4)
    for (int lane = 0; lane < 4; ++lane)
      if (lane < count && (!together || lane == count - 1))
        add_to(panels[lane] + beyond, rows[lane]);
  };
  HAWSER_UNROLL(6)
  for (int j = 0; j < 6; ++j) {
    Pack col[12], right[8];
    HAWSER_UNROLL(12)
    for (int i = 0; i < 12; ++i) col[i] = m.entry<runs>(i, j);
    HAWSER_UNROLL(6)
    for (int i = j / 4 * 4; i < 6; ++i) {
      right[i] = m.entry<runs>(6 + i, 6 + j);
      if (together) col[i] += shift_in(Pack(0.0), right[i]);
    }
    right[6] = right[7] = Pack(0.0);
    HAWSER_UNROLL(3)
    for (int g = j / 4 * 4; g < 12; g += 4) add_left(col + g, panel_rows * j + g);
    HAWSER_UNROLL(2)
    for (int g = j / 4 * 4; g < 8; g += 4) add_right(right + g, panel_size + panel_rows * j + g);
  }
  if (!runs || !io.skew) return;
  // The transposed entry less the entry, of the same component.
  HAWSER_UNROLL(4)
  for (int a = 0; a < 4; ++a) HAWSER_UNROLL(4)
  for (int b = 0; b < a; ++b) {
    const Pack more = m.convected[b][a] - m.convected[a][b];
    const int column =
        b < 2 ? panel_rows * 3 * b + 3 * a : panel_size + panel_rows * 3 * (b - 2) + 3 * (a - 2);
    HAWSER_UNROLL(4)
    for (int lane = 0; lane < 4; ++lane) {
      if (!full && lane >= count) break;
      double* skew = io.skew + by_coordinate * at.first[lane] + column;
      for (int i = 0; i < 3; ++i) skew[(panel_rows + 1) * i] += more[lane];
    }
  }
}

template <bool runs>
inline __attribute__((noinline)) void write_flow_blocks(const FlowPack& at, const FlowAssembly& io,
                                                        const FlowMatrix& m) {
  for (int j = 0; j < 12; ++j)
    for (int i = 0; i < 12; ++i) {
      const Pack entry = m.entry<runs>(i, j);
      for (int lane = 0; lane < at.count; ++lane) io.block[lane][12 * j + i] = entry[lane];
    }
}

template <bool runs>
HAWSER_INLINE void write_flow_matrix(const FlowPack& at, const FlowAssembly& io,
                                     const FlowMatrix& m) {
  if (!io.panels) return write_flow_blocks<runs>(at, io, m);
  at.together&& at.count == 4 ? add_flow_panels<runs, true>(at, io, m)
                              : add_flow_panels<runs, false>(at, io, m);
}

/// By flow: dp1/ds D1 e + dp2/ds D2 e moves the material with it, and (dp2/ds - dp1/ds) is what the
/// length changes by. `by_length` and `corner`: d2U/de dl and d2U/dl2, weight included.
HAWSER_INLINE void add_flow_border(const FlowPack& at, const FlowAssembly& io,
                                   const Pack by_length[12], Pack corner,
                                   const FlowInertia& inertia) {
  const Pack wK(io.stiffness_weight), wM(io.mass_weight);
  Pack moved[most_lane_flows][12], grows[most_lane_flows];
  for (int flow = 0; flow < at.flows; ++flow) {
    const Pack share[2] = {pack_of(at.share[flow][0]), pack_of(at.share[flow][1])};
    grows[flow] = share[1] - share[0];
    HAWSER_UNROLL(6)
    for (int i = 0; i < 6; ++i) {
      moved[flow][i] = share[0] * inertia.D[0][i];
      moved[flow][6 + i] = share[1] * inertia.D[1][i];
    }
    const Pack stiff = wK * grows[flow];
    Pack inert[12], entry[12];
    inertia.times(moved[flow], inert);
    HAWSER_UNROLL(12)
    for (int i = 0; i < 12; ++i) {
      inert[i] *= wM;
      entry[i] = inert[i] + stiff * by_length[i];
    }
    const long column = static_cast<long>(io.border_length) * at.scalar[flow];
    scatter(at, entry, io.border_columns + column, io.border_rows + column);
    for (int other = 0; other <= flow; ++other) {
      Pack sum = stiff * grows[other] * corner;
      HAWSER_UNROLL(12)
      for (int i = 0; i < 12; ++i) sum += moved[other][i] * inert[i];
      const double both = sum_lanes(at, sum);
      const int a = at.scalar[flow], b = at.scalar[other];
      io.corner[io.scalars * b + a] += both;
      if (a != b) io.corner[io.scalars * a + b] += both;
    }
  }
}

/// The Hessian of U over e and by the length (flow.h), and what inertia adds.
HAWSER_INLINE void flow_matrix(const FlowPack& at, const FlowAssembly& io, const Pack e[12],
                               const Pack x[9], const Pack l, const FlowStrain& s, const Pack Bx[9],
                               Pack bending, const FlowWeight& weight, const FlowInertia& inertia,
                               Pack ahead_length, const Pack rate[2]) {
  const Pack inverse = Pack(1.0) / l, square = inverse * inverse;
  const double* constant = io.parameters->unit.constant_stiffness;
  constexpr int with_d[3] = {0, 1, 3};
  Pack mixed[9], corner = Pack(2.0) * bending * square * inverse;
  HAWSER_UNROLL(3)
  for (int a = 0; a < 3; ++a) {  // A_x - B_x/l^2 - (l A_xx + B_xx/l) (d, 0, 0)/l
    const Pack* A = s.of.tangent[with_d[a]];
    const Pack stiff = Pack(io.bending_factor * constant[with_d[a]]) * square;
    for (int i = 0; i < 3; ++i)
      mixed[3 * a + i] = s.Ax[3 * a + i] - Bx[3 * a + i] * square - stiff * x[i] -
                         (A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2]);
  }
  for (int i = 0; i < 3; ++i) {
    const Pack Gd = l * s.Ax[i] + inverse * Bx[i];
    corner +=
        Pack(2.0) * square * Gd * x[i] - inverse * x[i] * (mixed[i] + s.Ax[i] - Bx[i] * square);
    mixed[i] -= Gd * inverse;
  }
  Pack by_length[12];
  const Pack load(io.load_factor);
  for (int i = 0; i < 3; ++i) {
    by_length[6 + i] = mixed[i] * inverse + load * weight.by_length(6 + i, l);
    by_length[i] = load * weight.by_length(i, l) - mixed[i] * inverse;
    by_length[3 + i] = mixed[3 + i] + load * weight.by_length(3 + i, l);
    by_length[9 + i] = mixed[6 + i] + load * weight.by_length(9 + i, l);
  }
  add_flow_border(at, io, by_length, corner + load * weight.twice(e), inertia);
  FlowMatrix m;
  const Pack wK(io.stiffness_weight), wM(io.mass_weight);
  const Pack in_d[6] = {wK * square, -(wK * inverse), wK, -(wK * inverse), wK, wK};
  HAWSER_UNROLL(6)
  for (int b = 0; b < 6; ++b) {
    constexpr int unique[6] = {0, 1, 2, 4, 5, 8};
    const Pack axial = in_d[b] * l,
               stiff = in_d[b] * inverse * Pack(io.bending_factor * constant[b]);
    HAWSER_UNROLL(6)
    for (int k = 0; k < 6; ++k) m.K[b][k] = axial * s.of.tangent[b][unique[k]];
    m.K[b][0] += stiff, m.K[b][3] += stiff, m.K[b][5] += stiff;
  }
  HAWSER_UNROLL(10)
  for (int k = 0; k < 10; ++k) m.mass[k] = wM * inertia.mass[k];
  if (io.running) {
    flow_convection_tangent(io, inertia, ahead_length, rate, m.convected);
    write_flow_matrix<true>(at, io, m);
  } else {
    write_flow_matrix<false>(at, io, m);
  }
}

inline void assemble_flow_pack(const FlowPack& at, const FlowAssembly& io) {
  const FlowParameters& par = *io.parameters;
  Pack e[12], other[12], x[9], Bx[9];
  gather(at, io.q, e);
  const Pack l = length_of(at, io.q), inverse = Pack(1.0) / l;
  const bool same = io.ahead == io.q;
  const Pack ahead_length = same ? l : length_of(at, io.ahead);
  if (!same) gather(at, io.ahead, other);
  const Pack* ahead = same ? e : other;
  for (int i = 0; i < 3; ++i) {
    x[i] = (e[6 + i] - e[i]) * inverse;
    x[3 + i] = e[3 + i];
    x[6 + i] = e[9 + i];
  }
  FlowStrain s;
  flow_axial(at, io, x, s);
  const Pack bending = flow_bending_part(at, io, x, l, Bx);
  const FlowWeight weight(par);
  const FlowInertia inertia(par, ahead, ahead_length);
  const Pack load(io.load_factor), light = load * l, twice = light * l;
  const Pack rate[2] = {flow_at_end(at, io.v, 0), flow_at_end(at, io.v, 1)};
  Pack force[12], force_p[2];
  Pack by_length = s.axial - bending * inverse * inverse + load * weight.on_length(e, l);
  for (int i = 0; i < 3; ++i) {
    const Pack on_d = s.of.gradient[i] + inverse * inverse * Bx[i];
    by_length -= x[i] * on_d;
    force[i] = on_d - Pack(weight.w[i]) * light;
    force[3 + i] =
        -(l * s.of.gradient[3 + i] + inverse * Bx[3 + i]) - Pack(weight.w[3 + i]) * twice;
    force[6 + i] = -on_d - Pack(weight.w[6 + i]) * light;
    force[9 + i] =
        -(l * s.of.gradient[6 + i] + inverse * Bx[6 + i]) - Pack(weight.w[9 + i]) * twice;
  }
  force_p[0] = by_length;
  force_p[1] = -by_length;
  add_flow_rates(at, io, ahead, inertia, ahead_length, rate, force, force_p);
  scatter(at, force, io.force, nullptr);
  const auto add_to_flows = [&](const Pack on_p[2], double* out) HAWSER_ALWAYS_INLINE {
    for (int k = 0; k < at.flows; ++k)
      out[at.flow_at[k]] +=
          sum_lanes(at, pack_of(at.share[k][0]) * on_p[0] + pack_of(at.share[k][1]) * on_p[1]);
  };
  add_to_flows(force_p, io.force);
  if (io.b) {
    Pack w[12], f[12];
    gather(at, io.b, w);
    inertia.add_columns(flow_at_end(at, io.b, 0), flow_at_end(at, io.b, 1), w);
    inertia.times(w, f);
    scatter(at, f, io.inertia, nullptr);
    const Pack on_p[2] = {inertia.dot(0, f), inertia.dot(1, f)};
    add_to_flows(on_p, io.inertia);
  }
  if (io.tangent != Tangent::none)
    flow_matrix(at, io, e, x, l, s, Bx, bending, weight, inertia, ahead_length, rate);
}

/// Adds energies with the axial force given.
inline void flow_pack_energy(const FlowPack& at, const FlowEnergyIo& io, FlowEnergy& out) {
  const FlowParameters& par = *io.parameters;
  Pack e[12], w[12], f[12];
  gather(at, io.q, e);
  gather(at, io.v, w);
  const Pack l = length_of(at, io.q), inverse = Pack(1.0) / l;
  const FlowInertia inertia(par, e, l);
  inertia.add_columns(flow_at_end(at, io.v, 0), flow_at_end(at, io.v, 1), w);
  inertia.times(w, f);
  Pack kinetic(0.0), bending(0.0), axial(0.0), x[9];
  HAWSER_UNROLL(12)
  for (int i = 0; i < 12; ++i) kinetic += w[i] * f[i];
  for (int i = 0; i < 3; ++i) {
    x[i] = (e[6 + i] - e[i]) * inverse;
    x[3 + i] = e[3 + i];
    x[6 + i] = e[9 + i];
  }
  // By points, as the energy of a run: a sum of squares loses nothing where cable is straight.
  for (int g = 0; g < par.unit.bending_points; ++g) {
    const HermitePoint& point = par.unit.bending[g];
    Pack square(0.0);
    for (int i = 0; i < 3; ++i) {
      const Pack b =
          Pack(point.c2[0]) * x[i] + Pack(point.c2[1]) * x[3 + i] + Pack(point.c2[2]) * x[6 + i];
      square += b * b;
    }
    bending += Pack(point.w) * square;
  }
  const int n = par.unit.axial_points;
  Pack N[max_gauss_points], past[max_gauss_points];
  gather_points(at, io.axial_force, at.point, n, N);
  if (io.past_force) gather_points(at, io.past_force, at.point, n, past);
  for (int g = 0; g < n; ++g) {
    if (io.past_force) N[g] -= past[g];
    axial += Pack(par.unit.axial[g].w) * N[g] * N[g];
  }
  out.kinetic += 0.5 * sum_lanes(at, kinetic);
  out.axial += 0.5 / par.unit.law.EA * sum_lanes(at, axial * l);
  out.bending += 0.5 * par.unit.law.bending() * sum_lanes(at, bending * inverse);
  out.gravity += sum_lanes(at, FlowWeight(par).energy(e, l));
}

/// N = N* + EA (eps_e . de + eps_l dl); r' changes by d too: d = (r2 - r1)/l. A tension-only cable
/// that would push goes slack. `points`: of an element, or 0: known at run time.
template <int points, bool slopes>
HAWSER_INLINE void flow_pack_axial_update(const FlowPack& at, const FlowAxialUpdateIo& io,
                                          FlowAxialChange& out) {
  const AncfParameters& unit = io.parameters->unit;
  const int n = points ? points : unit.axial_points;
  constexpr double round_off = 1e-9;  // whose force is none
  const Pack EA(unit.law.EA * io.factor), half(unit.law.EA / 2),
      half_stiff(0.5 * unit.law.EA * io.factor);
  Pack e[12], d[12], chord[3], N[max_gauss_points], strain_r[3 * max_gauss_points];
  gather(at, io.q, e);
  gather(at, io.d, d);
  gather_points(at, io.axial_star, at.point, n, N);
  gather_points(at, io.strain_r, at.slope, 3 * n, strain_r);
  const Pack inverse = Pack(1.0) / length_of(at, io.q),
             stretch = (flow_at_end(at, io.d, 1) - flow_at_end(at, io.d, 0)) * inverse;
  for (int i = 0; i < 3; ++i) chord[i] = (d[6 + i] - d[i] - stretch * (e[6 + i] - e[i])) * inverse;
  Pack turned = larger(stretch, -stretch), missing(0.0), largest(0.0), pushes(0.0);
  HAWSER_UNROLL(5)
  for (int g = 0; g < n; ++g) {
    const HermitePoint& c = unit.axial[g];
    Pack strain(0.0), square(0.0);
    for (int i = 0; i < 3; ++i) {
      const Pack slope =
          Pack(c.c[0]) * chord[i] + Pack(c.c[1]) * d[3 + i] + Pack(c.c[2]) * d[9 + i];
      strain += strain_r[3 * g + i] * slope;
      square += slope * slope;
      if (!slopes) turned = larger(turned, larger(slope, -slope));
    }
    const Pack squared = strain * strain;
    N[g] += EA * strain;
    Pack across = half * (square - squared);
    if (!slopes && unit.tension_only) {
      pushes = larger(pushes, -(N[g] + Pack(round_off * unit.law.EA)));
      across = unless_slack(N[g], across);
      N[g] = unless_slack(N[g], N[g]);
    }
    largest = larger(largest, larger(N[g], -N[g]));
    missing = larger(missing, larger(across, half_stiff * squared));
  }
  scatter_points(at, N, io.axial, at.point, n);
  const Pack held = held_lanes(at.count);
  out.turned = largest_lane(select(held, turned));
  out.pushes = !slopes && largest_lane(select(held, pushes)) > 0;
  select(held, missing).store(out.missing.at);
  select(held, largest).store(out.largest.at);
}

inline void flow_pack_axial_update(const FlowPack& at, const FlowAxialUpdateIo& io,
                                   FlowAxialChange& out) {
  const AncfParameters& unit = io.parameters->unit;
  if (!unit.slopes) return flow_pack_axial_update<1, false>(at, io, out);
  unit.axial_points == 5 ? flow_pack_axial_update<5, true>(at, io, out)
                         : flow_pack_axial_update<0, true>(at, io, out);
}

}  // namespace hawser::HAWSER_ISA

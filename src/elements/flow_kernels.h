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
  HAWSER_KEEP_LOOP
  for (int i = 0; i < 12; i += 2) {
    const Pack even(load_pair(a + i), load_pair(c + i)), odd(load_pair(b + i), load_pair(d + i));
    out[i] = shuffle<0, 4, 2, 6>(even, odd);
    out[i + 1] = shuffle<1, 5, 3, 7>(even, odd);
  }
}

/// p at an end less its base, or its rate.
HAWSER_INLINE Pack flow_at_end(const FlowPack& at, const double* a, int end) {
  static_assert(most_lane_flows == 2);
  if (at.flows == 0) return Pack(0.0);
  const Pack sum = pack_of(at.share[0][end]) * Pack(a[at.flow_at[0]]);
  return at.flows == 1 ? sum : sum + pack_of(at.share[1][end]) * Pack(a[at.flow_at[1]]);
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

/// Adds six numbers of a node, side by side, by pairs; also to `other`, unless it is null.
HAWSER_INLINE void add_to_node(const double x[6], double* out, double* other) {
  const V2 a = load_pair(x), b = load_pair(x + 2), c = load_pair(x + 4);
  store_pair(load_pair(out) + a, out);
  store_pair(load_pair(out + 2) + b, out + 2);
  store_pair(load_pair(out + 4) + c, out + 4);
  if (!other) return;
  store_pair(load_pair(other) + a, other);
  store_pair(load_pair(other + 2) + b, other + 2);
  store_pair(load_pair(other + 4) + c, other + 4);
}

/// Adds a field over e. Where elements share nodes, what goes to a right node is handed to the next
/// lane first. In loops: this is called a few times a step, once for a pair of elements.
inline __attribute__((noinline)) void scatter(const FlowPack& at, const Pack x[12], double* out,
                                              double* other) {
  double left[4 * node_size], right[4 * node_size];
  HAWSER_KEEP_LOOP
  for (int i = 0; i < 6; i += 2) {
    Pack a = x[i], b = x[i + 1];
    if (at.together) a += shift_in(Pack(0.0), x[6 + i]), b += shift_in(Pack(0.0), x[7 + i]);
    store_two(a, b, node_size, left + i);
    store_two(x[6 + i], x[7 + i], node_size, right + i);
  }
  const int last = at.count - 1;
  HAWSER_KEEP_LOOP
  for (int lane = 0; lane <= last; ++lane) {
    const long place = at.first[lane], next = place + node_size;
    add_to_node(left + node_size * lane, out + place, other ? other + place : nullptr);
    if (at.together && lane < last) continue;
    add_to_node(right + node_size * lane, out + next, other ? other + next : nullptr);
  }
}

/// M12(l) of four elements, and D1 e and D2 e, which are zero at the other end. What follows goes
/// component by component of space, in loops: code that runs once a step costs what it is long.
struct FlowInertia {
  Pack mass[10];
  Pack D[2][6];

  HAWSER_INLINE FlowInertia(const FlowParameters& par, const Pack e[12], Pack l) {
    constexpr int slopes[10] = {0, 1, 0, 1, 2, 1, 2, 0, 1, 2};
    const Pack power[3] = {l, l * l, l * l * l}, inverse = Pack(1.0) / l;
    HAWSER_UNROLL(10)
    for (int i = 0; i < 10; ++i) mass[i] = Pack(par.unit.mass[i]) * power[slopes[i]];
    HAWSER_KEEP_LOOP
    for (int i = 0; i < 3; ++i) {
      Pack of[4];
      columns(par.unit.slopes, e + i, inverse, of);
      D[0][i] = of[0], D[0][3 + i] = of[1], D[1][i] = of[2], D[1][3 + i] = of[3];
    }
  }

  /// A component of D1 e and D2 e: on r1, g1 and on r2, g2.
  static HAWSER_INLINE void columns(bool slopes, const Pack* e, Pack inverse, Pack out[4]) {
    const Pack chord = (e[6] - e[0]) * inverse, g1 = e[3], g2 = e[9];
    if (!slopes) {
      out[0] = out[2] = -chord;
      out[1] = out[3] = Pack(0.0);
      return;
    }
    const Pack d = Pack(6.0) * inverse * chord;
    out[0] = -g1;
    out[1] = inverse * (Pack(4.0) * g1 + Pack(2.0) * g2) - d;
    out[2] = -g2;
    out[3] = d - inverse * (Pack(2.0) * g1 + Pack(4.0) * g2);
  }

  /// f = M12 a of a component; what D1 e and D2 e, component i, make of f is added to on_p.
  HAWSER_INLINE void times(const Pack a[4], Pack f[4]) const {
    HAWSER_UNROLL(4)
    for (int k = 0; k < 4; ++k)
      f[k] = mass[flow_pair[k][0]] * a[0] + mass[flow_pair[k][1]] * a[1] +
             mass[flow_pair[k][2]] * a[2] + mass[flow_pair[k][3]] * a[3];
  }
  HAWSER_INLINE void add_products(int i, const Pack f[4], Pack on_p[2]) const {
    on_p[0] += D[0][i] * f[0] + D[0][3 + i] * f[1];
    on_p[1] += D[1][i] * f[2] + D[1][3 + i] * f[3];
  }
  /// A component of w = x + rate1 D1 e + rate2 D2 e.
  HAWSER_INLINE void move(int i, const Pack* x, const Pack rate[2], Pack w[4]) const {
    w[0] = x[i] + rate[0] * D[0][i];
    w[1] = x[3 + i] + rate[0] * D[0][3 + i];
    w[2] = x[6 + i] + rate[1] * D[1][i];
    w[3] = x[9 + i] + rate[1] * D[1][3 + i];
  }
};

/// c of (4) or (6).
struct FlowConvection {
  bool slopes;
  Pack rate[2], inverse, square, cube, squares[3];

  HAWSER_INLINE FlowConvection(bool with_slopes, Pack l, const Pack rates[2])
      : slopes(with_slopes),
        rate{rates[0], rates[1]},
        inverse(Pack(1.0) / l),
        square(inverse * inverse),
        cube(square * inverse),
        squares{rate[0] * rate[0], Pack(2.0) * rate[0] * rate[1], rate[1] * rate[1]} {}

  /// A component, from those of e and e.
  HAWSER_INLINE void find(const Pack* e, const Pack* v, Pack c[4]) const {
    const Pack d = e[6] - e[0], g1 = e[3], g2 = e[9];
    if (!slopes) {
      const Pack u = v[6] - v[0] - (rate[1] - rate[0]) * inverse * d,
                 twice = Pack(-2.0) * inverse * u;
      c[0] = rate[0] * twice;
      c[2] = rate[1] * twice;
      c[1] = c[3] = Pack(0.0);
      return;
    }
    Pack D[4];
    FlowInertia::columns(true, v, inverse, D);
    const Pack once = Pack(2.0) * rate[0], twice = Pack(2.0) * rate[1], six = Pack(6.0) * square;
    const Pack first = Pack(4.0) * g1 + Pack(2.0) * g2, second = Pack(2.0) * g1 + Pack(4.0) * g2;
    const Pack bent = six * d, bent_l = Pack(12.0) * cube * d;
    const Pack k1 = bent - inverse * first, k2 = inverse * second - bent;
    const Pack k1_l = square * first - bent_l, k2_l = bent_l - square * second;
    c[0] = once * D[0] + squares[0] * k1;
    c[1] =
        once * D[1] + squares[0] * (k1_l - six * g1 - Pack(4.0) * inverse * k1) - squares[1] * k1_l;
    c[2] = twice * D[2] + squares[2] * k2;
    c[3] = twice * D[3] + squares[1] * (six * g1 + Pack(2.0) * inverse * k1) -
           squares[2] * (six * g2 - Pack(4.0) * inverse * k2 + k2_l);
  }
};

/// The elastic part over x = (d, g1, g2). Symmetric blocks are kept by xx, xy, xz, yy, yz, zz.
struct FlowStrain {
  Pack gradient[9], tangent[6][6];  ///< A_x; A_xx by block pair
  Pack Ax[9];                       ///< A_x of the geometric stiffness
  Pack axial;                       ///< A [J/m]
};

template <class Strain, class Law, Tangent tangent, int points>
__attribute__((noinline)) void flow_axial(const FlowPack& at, const FlowAssembly& io,
                                          const Pack x[9], FlowStrain& s) {
  const AncfParameters& unit = io.parameters->unit;
  constexpr bool matrix = tangent != Tangent::none;
  const int n = points ? points : unit.axial_points;
  Pack carried[max_gauss_points], past[max_gauss_points], force[max_gauss_points],
      strain_r[max_gauss_points][3], pull[max_gauss_points][3], geometric[max_gauss_points][3];
  Sym3<Pack> D[max_gauss_points];
  const bool carries = tangent == Tangent::mixed || (Law::one_sided && io.force_n);
  const auto gather_or_clear = [&](bool there, const double* from, Pack* out) {
    if (there) return gather_points(at, from, at.point, n, out);
    for (int g = 0; g < n; ++g) out[g] = Pack(0.0);
  };
  gather_or_clear(carries, io.force_n, carried);
  gather_or_clear(io.past_force, io.past_force, past);
  const Law law{LinearElastic{io.axial_factor * unit.law.EA, unit.law.EI}};
  Pack squares(0.0);
  HAWSER_KEEP_LOOP
  for (int g = 0; g < n; ++g) {
    const HermitePoint& point = unit.axial[g];
    Pack r1[3], strain, *gradient = strain_r[g], N, EA;
    Sym3<Pack> hessian;
    for (int i = 0; i < 3; ++i)
      r1[i] = Pack(point.c[0]) * x[i] + Pack(point.c[1]) * x[3 + i] + Pack(point.c[2]) * x[6 + i];
    Strain::eval(r1, strain, gradient, hessian);
    law.respond(strain, past[g], carries ? carried + g : nullptr, N, EA);
    force[g] = N;
    squares += Pack(point.w) * (N - past[g]) * (N - past[g]);
    const Pack wN = Pack(point.w) * N;
    for (int i = 0; i < 3; ++i) pull[g][i] = wN * gradient[i];
    if constexpr (matrix) {
      const Pack Ngeo = tangent == Tangent::mixed ? carried[g] : N;
      int k = 0;
      for (int i = 0; i < 3; ++i) {
        const Pack stiff = EA * gradient[i];
        for (int j = i; j < 3; ++j, ++k) {
          D[g].m[k] = stiff * gradient[j];
          if constexpr (Strain::identity_hessian) {
            if (i == j) D[g].m[k] += Ngeo;
          } else {
            D[g].m[k] += Ngeo * hessian.m[k];
          }
        }
      }
      if constexpr (Law::one_sided)
        for (int i = 0; i < 3; ++i) gradient[i] = unless_slack(EA, gradient[i]);
      for (int i = 0; i < 3; ++i) geometric[g][i] = Pack(point.w) * Ngeo * gradient[i];
    } else if constexpr (Law::one_sided) {
      for (int i = 0; i < 3; ++i) gradient[i] = unless_slack(EA, gradient[i]);
    }
  }
  s.axial = Pack(1 / (2 * io.axial_factor * io.axial_factor * unit.law.EA)) * squares;
  HAWSER_KEEP_LOOP
  for (int a = 0; a < 3; ++a) {
    Pack sum[6] = {Pack(0.0), Pack(0.0), Pack(0.0), Pack(0.0), Pack(0.0), Pack(0.0)};
    HAWSER_UNROLL(5)
    for (int g = 0; g < n; ++g) {
      const Pack c(unit.axial[g].c[a]);
      for (int i = 0; i < 3; ++i) sum[i] += c * pull[g][i];
      for (int i = 0; i < 3 && matrix; ++i) sum[3 + i] += c * geometric[g][i];
    }
    for (int i = 0; i < 3; ++i) s.gradient[3 * a + i] = sum[i];
    for (int i = 0; i < 3 && matrix; ++i) s.Ax[3 * a + i] = sum[3 + i];
  }
  if constexpr (matrix) {
    HAWSER_KEEP_LOOP
    for (int b = 0; b < 6; ++b) {
      Pack sum[6];
      HAWSER_UNROLL(5)
      for (int g = 0; g < n; ++g) {
        const Pack c(io.parameters->scale.pair[b][g]);
        for (int k = 0; k < 6; ++k) sum[k] = g == 0 ? c * D[g].m[k] : sum[k] + c * D[g].m[k];
      }
      for (int k = 0; k < 6; ++k) s.tangent[b][k] = sum[k];
    }
  }
  if (!io.axial_star) return;
  scatter_points(at, force, io.axial_star, at.point, n);
  scatter_points(at, strain_r[0], io.strain_r, at.slope, 3 * n);
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
  HAWSER_KEEP_LOOP
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
    Pack once(0.0), twice(0.0);
    HAWSER_KEEP_LOOP
    for (int i = 0; i < 3; ++i) {
      once += Pack(w[i]) * e[i] + Pack(w[6 + i]) * e[6 + i];
      twice += Pack(w[3 + i]) * e[3 + i] + Pack(w[9 + i]) * e[9 + i];
    }
    return once + Pack(2.0) * l * twice;
  }
  /// d2V/dl2
  [[nodiscard]] HAWSER_INLINE Pack twice(const Pack e[12]) const {
    Pack sum(0.0);
    HAWSER_KEEP_LOOP
    for (int i = 0; i < 3; ++i) sum += Pack(w[3 + i]) * e[3 + i] + Pack(w[9 + i]) * e[9 + i];
    return Pack(2.0) * sum;
  }
  [[nodiscard]] HAWSER_INLINE Pack energy(const Pack e[12], Pack l) const {
    Pack once(0.0), twice(0.0);
    HAWSER_KEEP_LOOP
    for (int i = 0; i < 3; ++i) {
      once += Pack(w[i]) * e[i] + Pack(w[6 + i]) * e[6 + i];
      twice += Pack(w[3 + i]) * e[3 + i] + Pack(w[9 + i]) * e[9 + i];
    }
    return l * (once + l * twice);
  }
};

/// Forces that depend on the rates: -M12 c, and what crosses the ends, (5) and (7).
HAWSER_INLINE void add_flow_rates(const FlowPack& at, const FlowAssembly& io, const Pack e[12],
                                  const FlowInertia& inertia, Pack l, const Pack rate[2],
                                  Pack force[12], Pack force_p[2]) {
  const FlowParameters& par = *io.parameters;
  const FlowConvection convection(par.unit.slopes, l, rate);
  Pack v[12], on_p[2] = {Pack(0.0), Pack(0.0)}, squares[2] = {Pack(0.0), Pack(0.0)};
  gather(at, io.v, v);
  const Pack on_r[2] = {Pack(-par.mass) * rate[0] * pack_of(at.crosses_r[0]),
                        Pack(par.mass) * rate[1] * pack_of(at.crosses_r[1])};
  HAWSER_KEEP_LOOP
  for (int i = 0; i < 3; ++i) {
    Pack c[4], f[4];
    convection.find(e + i, v + i, c);
    inertia.times(c, f);
    inertia.add_products(i, f, on_p);
    const Pack way = (e[6 + i] - e[i]) * convection.inverse;
    HAWSER_UNROLL(2)
    for (int end = 0; end < 2; ++end) {
      const Pack g = convection.slopes ? e[6 * end + 3 + i] : way, speed = v[6 * end + i],
                 moved = rate[end] * g;
      squares[end] += moved * moved - speed * speed;
      force[6 * end + i] -= f[2 * end] + on_r[end] * (speed - moved);
      force[6 * end + 3 + i] -= f[2 * end + 1];
    }
  }
  for (int end = 0; end < 2; ++end)
    force_p[end] -= on_p[end] + Pack(end == 0 ? -par.mass / 2 : par.mass / 2) *
                                    pack_of(at.crosses_p[end]) * squares[end];
  if (!par.lumped()) return;
  const Pack grows = rate[1] - rate[0], half = Pack(par.mass / 2) * grows;
  Pack more(0.0);
  HAWSER_KEEP_LOOP
  for (int i = 0; i < 3; ++i) {
    const Pack way = (e[6 + i] - e[i]) * convection.inverse, u = v[6 + i] - v[i] - grows * way;
    more -= half * u * way + Pack(par.mass / 4) * u * u;
    force[i] += half * u;
    force[6 + i] -= half * u;
  }
  force_p[0] += more;
  force_p[1] -= more;
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
    const Pack stiff = wK * grows[flow];
    Pack inert[12], entry[12], own = stiff * grows[flow] * corner;
    HAWSER_KEEP_LOOP
    for (int i = 0; i < 3; ++i) {
      const Pack w[4] = {share[0] * inertia.D[0][i], share[0] * inertia.D[0][3 + i],
                         share[1] * inertia.D[1][i], share[1] * inertia.D[1][3 + i]};
      Pack f[4];
      inertia.times(w, f);
      HAWSER_UNROLL(4)
      for (int k = 0; k < 4; ++k) {
        moved[flow][3 * k + i] = w[k];
        const Pack weighed = wM * f[k];
        inert[3 * k + i] = weighed;
        own += w[k] * weighed;
        entry[3 * k + i] = weighed + stiff * by_length[3 * k + i];
      }
    }
    const long column = static_cast<long>(io.border_length) * at.scalar[flow];
    scatter(at, entry, io.border_columns + column, io.border_rows + column);
    io.corner[(io.scalars + 1) * at.scalar[flow]] += sum_lanes(at, own);
    if (flow == 0) continue;
    Pack sum = stiff * grows[0] * corner;
    HAWSER_KEEP_LOOP
    for (int i = 0; i < 12; ++i) sum += moved[0][i] * inert[i];
    const double both = sum_lanes(at, sum);
    io.corner[io.scalars * at.scalar[0] + at.scalar[1]] += both;
    io.corner[io.scalars * at.scalar[1] + at.scalar[0]] += both;
  }
}

/// The Hessian of U over e and by the length (flow.h), and what inertia adds.
HAWSER_INLINE void flow_matrix(const FlowPack& at, const FlowAssembly& io, const Pack e[12],
                               const Pack x[9], const Pack l, const FlowStrain& s, const Pack Bx[9],
                               Pack bending, const FlowWeight& weight, const FlowInertia& inertia,
                               Pack ahead_length, const Pack rate[2]) {
  const Pack inverse = Pack(1.0) / l, square = inverse * inverse;
  const double* constant = io.parameters->unit.constant_stiffness;
  static constexpr int with_d[3] = {0, 1, 3};
  Pack mixed[9], corner = Pack(2.0) * bending * square * inverse;
  HAWSER_KEEP_LOOP
  for (int a = 0; a < 3; ++a) {  // A_x - B_x/l^2 - (l A_xx + B_xx/l) (d, 0, 0)/l
    const Pack* A = s.tangent[with_d[a]];
    const Pack stiff = Pack(io.bending_factor * constant[with_d[a]]) * square;
    const Pack on_d[3] = {A[0] * x[0] + A[1] * x[1] + A[2] * x[2],
                          A[1] * x[0] + A[3] * x[1] + A[4] * x[2],
                          A[2] * x[0] + A[4] * x[1] + A[5] * x[2]};
    for (int i = 0; i < 3; ++i)
      mixed[3 * a + i] = s.Ax[3 * a + i] - Bx[3 * a + i] * square - stiff * x[i] - on_d[i];
  }
  HAWSER_KEEP_LOOP
  for (int i = 0; i < 3; ++i) {
    const Pack Gd = l * s.Ax[i] + inverse * Bx[i];
    corner +=
        Pack(2.0) * square * Gd * x[i] - inverse * x[i] * (mixed[i] + s.Ax[i] - Bx[i] * square);
    mixed[i] -= Gd * inverse;
  }
  Pack by_length[12];
  const Pack load(io.load_factor);
  HAWSER_KEEP_LOOP
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
  HAWSER_KEEP_LOOP
  for (int b = 0; b < 6; ++b) {
    const Pack axial = in_d[b] * l,
               stiff = in_d[b] * inverse * Pack(io.bending_factor * constant[b]);
    for (int k = 0; k < 6; ++k) m.K[b][k] = axial * s.tangent[b][k];
    m.K[b][0] += stiff, m.K[b][3] += stiff, m.K[b][5] += stiff;
  }
  HAWSER_KEEP_LOOP
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
  HAWSER_KEEP_LOOP
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
  HAWSER_KEEP_LOOP
  for (int i = 0; i < 3; ++i) {
    const Pack on_d = s.gradient[i] + inverse * inverse * Bx[i];
    by_length -= x[i] * on_d;
    force[i] = on_d - Pack(weight.w[i]) * light;
    force[3 + i] = -(l * s.gradient[3 + i] + inverse * Bx[3 + i]) - Pack(weight.w[3 + i]) * twice;
    force[6 + i] = -on_d - Pack(weight.w[6 + i]) * light;
    force[9 + i] = -(l * s.gradient[6 + i] + inverse * Bx[6 + i]) - Pack(weight.w[9 + i]) * twice;
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
    const Pack of_p[2] = {flow_at_end(at, io.b, 0), flow_at_end(at, io.b, 1)};
    Pack b[12], on_p[2] = {Pack(0.0), Pack(0.0)};
    gather(at, io.b, b);
    HAWSER_KEEP_LOOP
    for (int i = 0; i < 3; ++i) {
      Pack w[4], f[4];
      inertia.move(i, b, of_p, w);
      inertia.times(w, f);
      inertia.add_products(i, f, on_p);
      b[i] = f[0], b[3 + i] = f[1], b[6 + i] = f[2], b[9 + i] = f[3];
    }
    scatter(at, b, io.inertia, nullptr);
    add_to_flows(on_p, io.inertia);
  }
  if (io.tangent != Tangent::none)
    flow_matrix(at, io, e, x, l, s, Bx, bending, weight, inertia, ahead_length, rate);
}

/// Adds energies with the axial force given.
inline void flow_pack_energy(const FlowPack& at, const FlowEnergyIo& io, FlowEnergy& out) {
  const FlowParameters& par = *io.parameters;
  Pack e[12], v[12];
  gather(at, io.q, e);
  gather(at, io.v, v);
  const Pack l = length_of(at, io.q), inverse = Pack(1.0) / l,
             rate[2] = {flow_at_end(at, io.v, 0), flow_at_end(at, io.v, 1)};
  const FlowInertia inertia(par, e, l);
  Pack kinetic(0.0), bending(0.0), axial(0.0), x[9];
  HAWSER_KEEP_LOOP
  for (int i = 0; i < 3; ++i) {
    Pack w[4], f[4];
    inertia.move(i, v, rate, w);
    inertia.times(w, f);
    HAWSER_UNROLL(4)
    for (int k = 0; k < 4; ++k) kinetic += w[k] * f[k];
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
  if (io.past_force) {
    gather_points(at, io.past_force, at.point, n, past);
    for (int g = 0; g < n; ++g) N[g] -= past[g];
  }
  for (int g = 0; g < n; ++g) axial += Pack(par.unit.axial[g].w) * N[g] * N[g];
  out.kinetic += 0.5 * sum_lanes(at, kinetic);
  out.axial += 0.5 / par.unit.law.EA * sum_lanes(at, axial * l);
  out.bending += 0.5 * par.unit.law.bending() * sum_lanes(at, bending * inverse);
  out.gravity += sum_lanes(at, FlowWeight(par).energy(e, l));
}

/// N = N* + EA (eps_e . de + eps_l dl); r' changes by d too: d = (r2 - r1)/l. A tension-only cable
/// that would push goes slack.
template <bool slopes>
HAWSER_INLINE void flow_pack_axial_update(const FlowPack& at, const FlowAxialUpdateIo& io,
                                          FlowAxialChange& out) {
  const AncfParameters& unit = io.parameters->unit;
  const int n = unit.axial_points;
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
  HAWSER_KEEP_LOOP
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
  io.parameters->unit.slopes ? flow_pack_axial_update<true>(at, io, out)
                             : flow_pack_axial_update<false>(at, io, out);
}

}  // namespace hawser::HAWSER_ISA

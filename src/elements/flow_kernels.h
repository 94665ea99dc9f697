// The flowing element (flow.h) with vectors of space in packs: x, y, z and a zero. Its blocks over
// (d, g1, g2) are symmetric: sums over the axial points of alpha eps_r' eps_r'^T + beta I.
#pragma once

#include "elements/flow_io.h"
#include "kernels/pack.h"

namespace hawser::HAWSER_ISA {

/// Reads one number more than it takes.
HAWSER_INLINE Pack load_vector(const double* p) {
  return shuffle<0, 1, 2, 7>(Pack::load(p), Pack(0.0));
}
HAWSER_INLINE double product(Pack a, Pack b) {
  const Pack m = a * b;
  return m[0] + m[1] + m[2];
}
/// Unit vector i times a number.
HAWSER_INLINE Pack along_axis(int i, double x) {
  return {i == 0 ? x : 0, i == 1 ? x : 0, i == 2 ? x : 0, 0};
}

/// Four vectors over e, or a field of it.
struct FourVectors {
  Pack v[4];

  FourVectors() = default;
  HAWSER_INLINE explicit FourVectors(const double* p) {
    for (int a = 0; a < 4; ++a) v[a] = load_vector(p + 3 * a);
  }
  HAWSER_INLINE void store(double* p) const {
    for (int a = 0; a < 4; ++a) v[a].store(p + 3 * a);
  }
  [[nodiscard]] HAWSER_INLINE double dot(const FourVectors& o) const {
    Pack sum = v[0] * o.v[0];
    for (int a = 1; a < 4; ++a) sum += v[a] * o.v[a];
    return sum[0] + sum[1] + sum[2];
  }
};

/// M12(l), D1 e and D2 e of an element: what its inertia is made of.
struct FlowInertia {
  double mass[10];
  FourVectors D[2];

  HAWSER_INLINE FlowInertia(const FlowParameters& par, const FourVectors& e, double l) {
    constexpr int slopes[10] = {0, 1, 0, 1, 2, 1, 2, 0, 1, 2};
    const double power[3] = {l, l * l, l * l * l};
    for (int i = 0; i < 10; ++i) mass[i] = par.unit.mass[i] * power[slopes[i]];
    columns(par.unit.slopes, e, l, D);
  }

  static HAWSER_INLINE void columns(bool slopes, const FourVectors& e, double l,
                                    FourVectors out[2]) {
    const double inverse = 1 / l;
    const Pack chord = (e.v[2] - e.v[0]) * Pack(inverse), none(0.0);
    if (!slopes) {
      for (int a = 0; a < 4; ++a) {
        out[0].v[a] = a == 0 ? -chord : none;
        out[1].v[a] = a == 2 ? -chord : none;
      }
      return;
    }
    const Pack d = Pack(6 * inverse) * chord, i(inverse), two(2.0), four(4.0);
    out[0].v[0] = -e.v[1];
    out[0].v[1] = i * (four * e.v[1] + two * e.v[3]) - d;
    out[0].v[2] = out[0].v[3] = out[1].v[0] = out[1].v[1] = none;
    out[1].v[2] = -e.v[3];
    out[1].v[3] = d - i * (two * e.v[1] + four * e.v[3]);
  }

  [[nodiscard]] HAWSER_INLINE FourVectors times(const FourVectors& a) const {
    FourVectors out;
    for (int i = 0; i < 4; ++i) {
      out.v[i] = Pack(mass[flow_pair[i][0]]) * a.v[0];
      for (int j = 1; j < 4; ++j) out.v[i] += Pack(mass[flow_pair[i][j]]) * a.v[j];
    }
    return out;
  }
};

/// c of (4) or (6).
HAWSER_INLINE FourVectors flow_convected(bool slopes, const FourVectors& e, const FourVectors& v,
                                         double l, const double rate[2]) {
  FourVectors c;
  const Pack way = e.v[2] - e.v[0];
  const double i1 = 1 / l, i2 = i1 * i1, i3 = i2 * i1;
  if (!slopes) {
    const Pack u = v.v[2] - v.v[0] - Pack((rate[1] - rate[0]) * i1) * way,
               twice = Pack(-2 * i1) * u;
    c.v[0] = Pack(rate[0]) * twice;
    c.v[2] = Pack(rate[1]) * twice;
    c.v[1] = c.v[3] = Pack(0.0);
    return c;
  }
  FourVectors D[2];
  FlowInertia::columns(true, v, l, D);
  for (int a = 0; a < 4; ++a)
    c.v[a] = a < 2 ? Pack(2 * rate[0]) * D[0].v[a] : Pack(2 * rate[1]) * D[1].v[a];
  const Pack one(rate[0] * rate[0]), both(2 * rate[0] * rate[1]), two(rate[1] * rate[1]);
  const Pack g1 = e.v[1], g2 = e.v[3];
  const Pack first = Pack(4.0) * g1 + Pack(2.0) * g2, second = Pack(2.0) * g1 + Pack(4.0) * g2;
  const Pack bent = Pack(6 * i2) * way, bent_l = Pack(12 * i3) * way;
  const Pack k1 = bent - Pack(i1) * first, k2 = Pack(i1) * second - bent;
  const Pack k1_l = Pack(i2) * first - bent_l, k2_l = bent_l - Pack(i2) * second;
  c.v[0] += one * k1;
  c.v[1] += one * (k1_l - Pack(6 * i2) * g1 - Pack(4 * i1) * k1) - both * k1_l;
  c.v[2] += two * k2;
  c.v[3] += both * (Pack(6 * i2) * g1 + Pack(2 * i1) * k1) -
            two * (Pack(6 * i2) * g2 - Pack(4 * i1) * k2 + k2_l);
  return c;
}

/// The elastic part over x = (d, g1, g2): l A and B/l of (1).
struct FlowStrain {
  Pack K[6][3];                   ///< l A_xx + B_xx/l by block pair, columns
  Pack Ax[3], Bx[3], G[3];        ///< A_x of the geometric stiffness; B_x; l A_x + B_x/l
  double axial = 0, bending = 0;  ///< A, B [J/m, J m]
};

/// N and its rate of change with the strain, as LinearElastic and TensionOnly have them.
HAWSER_INLINE void flow_respond(const FlowElementIn& in, double EA, int g, double strain, double& N,
                                double& tangent) {
  const double own = EA * strain + (in.viscous.force ? in.viscous.force[g] : 0.0);
  N = own;
  tangent = EA;
  if (!in.parameters->unit.tension_only || !(own <= 0)) return;
  if (in.force_n && !(in.force_n[g] <= 0)) return;
  N = tangent = 0;
}

HAWSER_INLINE void flow_axial_points(const FlowElementIn& in, const Pack x[3], FlowElementOut& out,
                                     FlowStrain& s) {
  const AncfParameters& unit = in.parameters->unit;
  const bool matrix = in.tangent != Tangent::none;
  const double EA = in.viscous.axial_factor * unit.law.EA, l = in.length;
  const double energy = 1 / (2 * in.viscous.axial_factor * EA);
  double beta_sum[6] = {0, 0, 0, 0, 0, 0};
  Pack force_x[3] = {Pack(0.0), Pack(0.0), Pack(0.0)};
  for (int g = 0; g < unit.axial_points; ++g) {
    const HermitePoint& point = unit.axial[g];
    const Pack r = Pack(point.c[0]) * x[0] + Pack(point.c[1]) * x[1] + Pack(point.c[2]) * x[2];
    const double square = product(r, r);
    double inverse = 1, strain = (square - 1) / 2;
    if (!in.green) {
      const double norm = __builtin_sqrt(square);
      inverse = 1 / norm;
      strain = norm - 1;
    }
    const Pack gradient = in.green ? r : r * Pack(inverse);
    double N, tangent;
    flow_respond(in, EA, g, strain, N, tangent);
    const Pack shown = tangent <= 0 && unit.tension_only ? Pack(0.0) : gradient;
    out.axial[g] = N;
    shown.store(out.strain_r[g]);
    const double elastic = in.viscous.force ? N - in.viscous.force[g] : N;
    s.axial += point.w * energy * elastic * elastic;
    const Pack pull = Pack(point.w * N) * gradient;
    for (int a = 0; a < 3; ++a) force_x[a] += Pack(point.c[a]) * pull;
    if (!matrix) continue;
    const double Ngeo = in.tangent == Tangent::mixed ? in.force_n[g] : N;
    const Pack geometric = Pack(point.w * Ngeo) * shown;
    for (int a = 0; a < 3; ++a) s.Ax[a] += Pack(point.c[a]) * geometric;
    const double beta = in.green ? Ngeo : Ngeo * inverse,
                 alpha = in.green ? tangent : tangent - beta;
    const Pack outer = Pack(l * alpha) * gradient;
    const Pack D[3] = {outer * Pack(gradient[0]), outer * Pack(gradient[1]),
                       outer * Pack(gradient[2])};
    HAWSER_UNROLL(6)
    for (int b = 0; b < 6; ++b) {
      const double c = in.parameters->scale.pair[b][g];
      beta_sum[b] += c * beta;
      for (int i = 0; i < 3; ++i) s.K[b][i] += Pack(c) * D[i];
    }
  }
  for (int a = 0; a < 3; ++a) s.G[a] = Pack(l) * force_x[a];
  for (int b = 0; matrix && b < 6; ++b)
    for (int i = 0; i < 3; ++i) s.K[b][i] += along_axis(i, l * beta_sum[b]);
}

/// What is quadratic in x.
HAWSER_INLINE void flow_bending_part(const FlowElementIn& in, const Pack x[3], FlowStrain& s) {
  const AncfParameters& unit = in.parameters->unit;
  const double inverse = 1 / in.length, factor = in.viscous.bending_factor;
  Pack own[3] = {Pack(0.0), Pack(0.0), Pack(0.0)};
  for (int b = 0; b < 6; ++b) {
    const Pack k(unit.constant_stiffness[b]);
    const int r = block_row[b], c = block_col[b];
    own[r] += k * x[c];
    if (r != c) own[c] += k * x[r];
    if (in.tangent == Tangent::none) continue;
    const double stiff = factor * unit.constant_stiffness[b] * inverse;
    for (int i = 0; i < 3; ++i) s.K[b][i] += along_axis(i, stiff);
  }
  for (int a = 0; a < 3; ++a) {
    s.bending += product(own[a], x[a]) / 2;
    s.Bx[a] = Pack(factor) * own[a];
    for (int g = 0; in.viscous.moment && g < unit.bending_points; ++g)
      s.Bx[a] +=
          Pack(unit.bending[g].w * unit.bending[g].c2[a]) * load_vector(in.viscous.moment + 3 * g);
    s.G[a] += Pack(inverse) * s.Bx[a];
  }
}

/// Weight (2): dV/de, and its derivative by the length.
struct FlowWeight {
  FourVectors force, by_length;
  double on_length = 0, twice = 0;  ///< dV/dl, d2V/dl2

  HAWSER_INLINE FlowWeight(const FlowParameters& par, const FourVectors& e, double l) {
    const Pack gravity(par.gravity[0], par.gravity[1], par.gravity[2], 0);
    for (int a = 0; a < 4; ++a) {
      const Pack w = Pack(-par.mass * par.unit.load[a]) * gravity;
      const bool slope = a % 2 == 1;
      force.v[a] = w * Pack(slope ? l * l : l);
      by_length.v[a] = slope ? w * Pack(2 * l) : w;
      if (slope) twice += 2 * product(w, e.v[a]);
    }
    on_length = by_length.dot(e);
  }
};

/// The Hessian of U over e and by the length (flow.h).
HAWSER_INLINE void flow_matrix(const FlowElementIn& in, const Pack d, const FlowStrain& s,
                               const FlowWeight& weight, const FlowInertia& inertia,
                               FlowElementOut& out) {
  const double l = in.length, inverse = 1 / l, square = inverse * inverse, wK = in.stiffness_weight;
  Pack mixed[3];
  constexpr int with_d[3] = {0, 1, 3};
  for (int a = 0; a < 3; ++a) {
    const Pack* K = s.K[with_d[a]];
    mixed[a] = s.Ax[a] - s.Bx[a] * Pack(square) -
               Pack(inverse) * (K[0] * Pack(d[0]) + K[1] * Pack(d[1]) + K[2] * Pack(d[2]));
  }
  const Pack Gd = Pack(l) * s.Ax[0] + Pack(inverse) * s.Bx[0];
  const double corner = 2 * s.bending * square * inverse -
                        inverse * product(d, mixed[0] + s.Ax[0] - s.Bx[0] * Pack(square)) +
                        2 * square * product(Gd, d);
  mixed[0] -= Gd * Pack(inverse);
  FourVectors by_length;
  by_length.v[0] = -(mixed[0] * Pack(inverse));
  by_length.v[1] = mixed[1];
  by_length.v[2] = mixed[0] * Pack(inverse);
  by_length.v[3] = mixed[2];
  // Block pairs of (r1, g1, r2, g2): which block of K, and its factor.
  constexpr int block[4][4] = {{0, 1, 0, 3}, {1, 2, 1, 4}, {0, 1, 0, 3}, {3, 4, 3, 5}};
  const double in_d[4] = {-inverse, 1, inverse, 1};
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i)
      for (int b = 0; b < 4; ++b)
        (Pack(wK * in_d[a] * in_d[b]) * s.K[block[a][b]][i] +
         along_axis(i, in.mass_weight * inertia.mass[flow_pair[a][b]]))
            .store(out.block + 12 * (3 * a + i) + 3 * b);
  FourVectors MD[2];
  for (int end = 0; end < 2; ++end) {
    MD[end] = inertia.times(inertia.D[end]);
    FourVectors entry;
    const Pack stiff(end == 0 ? -wK : wK);  // the length by p
    for (int a = 0; a < 4; ++a)
      entry.v[a] = Pack(in.mass_weight) * MD[end].v[a] +
                   stiff * (by_length.v[a] + Pack(in.load_factor) * weight.by_length.v[a]);
    entry.store(out.border[end]);
  }
  const double stiff = wK * (corner + in.load_factor * weight.twice);
  for (int end = 0; end < 2; ++end)
    for (int other = 0; other < 2; ++other)
      out.corner[end][other] =
          (end == other ? stiff : -stiff) + in.mass_weight * inertia.D[end].dot(MD[other]);
}

/// Forces that depend on the rates: -M12 c, and what crosses the ends, (5) and (7).
HAWSER_INLINE void add_flow_rates(const FlowElementIn& in, const FourVectors& e,
                                  const FlowInertia& inertia, FourVectors& force,
                                  FlowElementOut& out) {
  const FlowParameters& par = *in.parameters;
  const bool slopes = par.unit.slopes;
  const FourVectors v(in.rates);
  const double l = in.ahead_length;
  const FourVectors f = inertia.times(flow_convected(slopes, e, v, l, in.rate));
  for (int a = 0; a < 4; ++a) force.v[a] -= f.v[a];
  for (int end = 0; end < 2; ++end) out.force_p[end] -= inertia.D[end].dot(f);
  const Pack way = e.v[2] - e.v[0];
  if (par.lumped()) {
    const double grows = in.rate[1] - in.rate[0], half = par.mass * grows / 2;
    const Pack u = v.v[2] - v.v[0] - Pack(grows / l) * way;
    const double on_p = -(half / l) * product(u, way) - par.mass / 4 * product(u, u);
    force.v[0] += Pack(half) * u;
    force.v[2] -= Pack(half) * u;
    out.force_p[0] += on_p;
    out.force_p[1] -= on_p;
  }
  for (int end = 0; end < 2; ++end) {
    if (!in.crosses_p[end]) continue;
    const double m = end == 0 ? -par.mass : par.mass, rate = in.rate[end];
    const Pack g = slopes ? e.v[2 * end + 1] : way * Pack(1 / l), speed = v.v[2 * end];
    out.force_p[end] -= m / 2 * (rate * rate * product(g, g) - product(speed, speed));
    if (in.crosses_r[end]) force.v[2 * end] -= Pack(m * rate) * (speed - Pack(rate) * g);
  }
}

/// Force, M b and, unless the tangent is none, the matrix of an element.
inline void flow_element(const FlowElementIn& in, FlowElementOut& out) {
  const FlowParameters& par = *in.parameters;
  const FourVectors e(in.e), ahead(in.ahead);
  const double l = in.length, inverse = 1 / l;
  const Pack x[3] = {(e.v[2] - e.v[0]) * Pack(inverse), e.v[1], e.v[3]};
  FlowStrain s;
  for (auto& block : s.K)
    for (Pack& column : block) column = Pack(0.0);
  for (Pack& a : s.Ax) a = Pack(0.0);
  flow_axial_points(in, x, out, s);
  flow_bending_part(in, x, s);
  const FlowWeight weight(par, e, l);
  const FlowInertia inertia(par, ahead, in.ahead_length);
  FourVectors force;
  const Pack on_d = s.G[0] * Pack(inverse), load(in.load_factor);
  force.v[0] = on_d - load * weight.force.v[0];
  force.v[1] = -s.G[1] - load * weight.force.v[1];
  force.v[2] = -on_d - load * weight.force.v[2];
  force.v[3] = -s.G[2] - load * weight.force.v[3];
  const double by_length = s.axial - s.bending * inverse * inverse - product(x[0], on_d) +
                           in.load_factor * weight.on_length;
  out.force_p[0] = by_length;
  out.force_p[1] = -by_length;
  add_flow_rates(in, ahead, inertia, force, out);
  force.store(out.force);
  if (in.b) {
    FourVectors w(in.b);
    for (int a = 0; a < 4; ++a)
      w.v[a] += Pack(in.b_flow[0]) * inertia.D[0].v[a] + Pack(in.b_flow[1]) * inertia.D[1].v[a];
    const FourVectors f = inertia.times(w);
    f.store(out.inertia);
    for (int end = 0; end < 2; ++end) out.inertia_p[end] = inertia.D[end].dot(f);
  }
  if (in.tangent != Tangent::none) flow_matrix(in, x[0], s, weight, inertia, out);
}

}  // namespace hawser::HAWSER_ISA

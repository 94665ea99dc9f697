// The cable element through which cable flows (ALE): its ends are at the material coordinates
// p1(t), p2(t), so that its unstretched length l = p2 - p1 is a coordinate beside e = (r1, g1, r2,
// g2), g = dr/dp. Westin & Irani 2025 (their misprints mended as in docs/theory/flow.md); the
// energy form follows from theirs by the terms of the two boundaries.
//
// Elastic energy. With x = (d, g1, g2), d = (r2 - r1)/l (hermite.h), a curvature that is linear in
// r'' and a unit element (l = 1) of energies A(x), axial, and B(x), bending,
//
//     U(e, l) = l A(x) + B(x)/l,     x_l = (-d/l, 0, 0)                                                     (1)
//
// so that the kernels of ancf.h serve for a length that varies. Weight, m per unstretched metre:
//
//     V(e, l) = -m grav . (l (r1 + r2)/2 + l^2 (g1 - g2)/12)                                                (2)
//
// Inertia. The material at fixed p moves with v = S(xi) w, w = e. + p1. D1 e + p2. D2 e, and
//
//     D1 e = (-g1, -k1, 0, 0),   k1 = r''(p1) = 6 (r2 - r1)/l^2 - (4 g1 + 2 g2)/l
//     D2 e = (0, 0, -g2, -k2),   k2 = r''(p2) = -6 (r2 - r1)/l^2 + (2 g1 + 4 g2)/l
//     T kinetic = w . M12(l) w/2                                                                             (3)
//     force of inertia (d'Alembert): f = M12 (e.. + p1.. D1 e + p2.. D2 e + c) on e; D1 e . f on p1; D2 e . f on p2
//     c = 2 (p1. D1 + p2. D2) e. + p1.^2 (D1 D1 - D1,l) e + 2 p1. p2. (D2 D1 + D1,l) e + p2.^2 (D2 D2 + D2,l) e   (4)
//
// Lagrange's equations of (3) are d'Alembert's with what crosses the boundaries, v = r. - p. g at a
// node:
//
//     on r: -m p1. v1 at 1, +m p2. v2 at 2;   on p: -m (p1.^2 |g1|^2 - |r1.|^2)/2 at 1, + the same with 2 at 2   (5)
//
// np-fem. The straight element has idle slopes (ancf.h) and r' = d = (r2 - r1)/l: U = l A(d), and
//
//     D1 e = (-d, 0, 0, 0),   D2 e = (0, 0, -d, 0),   c = -2 (p1. d., 0, p2. d., 0),   d. = ((r2 - r1). - l. d)/l   (6)
//
// (5) holds with g = d for the consistent mass. Lumped, the kinetic energy m l (|w1|^2 + |w2|^2)/4
// has Lagrange's equations with, beside (5),
//
//     -+ m l. u/2 on r1 and r2,   +- m (l. u . d/2 + |u|^2/4) on p1 and p2,   u = w2 - w1 = l d.   (7)
//
// Units: p, l, r [m], g [-], forces on e as of ancf.h, on p and l [N].
#pragma once

#include "elements/ancf.h"

namespace hawser {

/// What a flowing element is made of: an ancf or np-fem element of unit length.
struct FlowParameters {
  AncfParameters unit;
  BlockScale scale;               ///< of its tangent: 1
  double mass = 0;                ///< per unstretched metre [kg/m]
  double gravity[3] = {0, 0, 0};  ///< [m/s^2]

  /// np-fem with half of the mass at each node.
  [[nodiscard]] bool lumped() const { return !unit.slopes && unit.mass[2] == 0; }
};

FlowParameters flow_parameters(const LinearElastic& law, double mass_per_metre,
                               const double gravity[3], int axial_points, int bending_points);
/// np-fem.
FlowParameters straight_flow_parameters(double EA, double mass_per_metre, const double gravity[3],
                                        bool lumped_mass, bool tension_only);

/// Over y = (e, l): 12 coordinates and the length.
inline constexpr int flow_size = 13;

template <class T>
struct FlowElastic {
  T axial, bending;                  ///< energies [J]
  T gradient[flow_size];             ///< dU/dy
  T hessian[flow_size * flow_size];  ///< d2U/dy2, symmetric
  T force[max_gauss_points];         ///< N at the axial points [N]
  T strain_r[max_gauss_points][3];   ///< eps_r' there
};

namespace detail {

/// (d, g1, g2) of an element.
template <class T>
inline void flow_reduce(const T e[12], const T& l, T x[9]) {
  const T inverse = T(1.0) / l;
  for (int i = 0; i < 3; ++i) {
    x[i] = (e[6 + i] - e[i]) * inverse;
    x[3 + i] = e[3 + i];
    x[6 + i] = e[9 + i];
  }
}

/// From a vector over x to one over e: J^T, J = dx/de.
template <class T>
inline void flow_expand(const T from[9], const T& inverse, T* to) {
  for (int i = 0; i < 3; ++i) {
    to[i] = -(from[i] * inverse);
    to[3 + i] = from[3 + i];
    to[6 + i] = from[i] * inverse;
    to[9 + i] = from[6 + i];
  }
}

/// Of the unit element: the energy of bending.
template <class Curvature, class T>
inline T flow_bending(const AncfParameters& unit, const T x[9]) {
  T sum(0.0);
  for (int g = 0; g < unit.bending_points; ++g) {
    const HermitePoint& point = unit.bending[g];
    T a[3], b[3], half;
    for (int i = 0; i < 3; ++i) {
      a[i] = T(point.c[0]) * x[i] + T(point.c[1]) * x[3 + i] + T(point.c[2]) * x[6 + i];
      b[i] = T(point.c2[0]) * x[i] + T(point.c2[1]) * x[3 + i] + T(point.c2[2]) * x[6 + i];
    }
    Curvature::half_square(a, b, half);
    sum += T(point.w * unit.law.bending()) * half;
  }
  return sum;
}

/// A_x with the axial forces given.
template <class T>
inline void flow_axial_gradient(const AncfParameters& unit, const T* force, const T strain_r[][3],
                                T out[9]) {
  for (int k = 0; k < 9; ++k) out[k] = T(0.0);
  for (int g = 0; g < unit.axial_points; ++g) {
    const HermitePoint& point = unit.axial[g];
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i)
        out[3 * a + i] += T(point.w * point.c[a]) * force[g] * strain_r[g][i];
  }
}

/// G_xx = l A_xx + B_xx/l, whole.
template <class T>
inline void flow_stiffness(const AncfResult<T>& A, const AncfResult<T>& B, const T& l,
                           const T& inverse, T out[81]) {
  for (int b = 0; b < 6; ++b)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const T k = l * A.tangent[b][3 * i + j] + inverse * B.tangent[b][3 * i + j];
        const int row = 3 * block_row[b] + i, column = 3 * block_col[b] + j;
        out[9 * column + row] = k;
        out[9 * row + column] = k;
      }
}

/// The Hessian of (1). `Ax`: of the axial forces that make the geometric stiffness.
///
///     U_el = J^T [G_xx x_l + A_x - B_x/l^2 - (G_d/l, 0, 0)],   G_x = l A_x + B_x/l
///     U_ll = x_l . G_xx x_l + 2 x_l . (A_x - B_x/l^2) + 2 B/l^3 + G_d . 2 d/l^2
template <class T>
inline void flow_hessian(const T x[9], const T K[81], const T Ax[9], const T Bx[9], const T& B,
                         const T& l, T* out) {
  const T inverse = T(1.0) / l, square = inverse * inverse;
  T mixed[9], corner = T(2.0) * B * square * inverse;
  for (int i = 0; i < 9; ++i) {
    mixed[i] = Ax[i] - Bx[i] * square;
    for (int j = 0; j < 3; ++j) mixed[i] -= K[9 * j + i] * x[j] * inverse;
  }
  for (int i = 0; i < 3; ++i) {
    const T xl = -(x[i] * inverse), Gd = l * Ax[i] + Bx[i] * inverse;
    corner += xl * (mixed[i] + Ax[i] - Bx[i] * square) + T(2.0) * Gd * x[i] * square;
    mixed[i] -= Gd * inverse;
  }
  T rows[9][12];  // K J, by row of K
  for (int i = 0; i < 9; ++i) flow_expand(K + 9 * i, inverse, rows[i]);
  for (int j = 0; j < 12; ++j) {
    T column[9];
    for (int i = 0; i < 9; ++i) column[i] = rows[i][j];
    flow_expand(column, inverse, out + flow_size * j);
  }
  T* last = out + flow_size * 12;
  flow_expand(mixed, inverse, last);
  last[12] = corner;
  for (int j = 0; j < 12; ++j) out[flow_size * j + 12] = last[j];
}

}  // namespace detail

/// Energy, gradient and (unless none) Hessian of U at (e, l). `force_n` and `viscous` as for
/// ancf_elastic(); what viscosity adds does work, and is no energy.
template <class Strain, class Curvature, Tangent tangent, class Law = LinearElastic, class T>
void flow_elastic(const FlowParameters& par, const T e[12], const T& l, const T* force_n,
                  FlowElastic<T>& out, const ViscousPoints<T>& viscous = {}) {
  const T inverse = T(1.0) / l;
  T x[9];
  detail::flow_reduce(e, l, x);
  AncfResult<T> A, B{};
  constexpr Tangent any = tangent == Tangent::none ? Tangent::none : Tangent::own;
  detail::ancf_axial<Strain, Law, tangent, 0>(par.unit, x, force_n, par.scale, viscous, A);
  detail::ancf_bending<Curvature, any>(par.unit, x, par.scale, viscous, B);
  const T b = detail::flow_bending<Curvature>(par.unit, x);
  const double share = viscous.axial_factor * viscous.axial_factor;
  T a(0.0);
  for (int g = 0; g < par.unit.axial_points; ++g) {
    const T N = viscous.force ? A.force[g] - viscous.force[g] : A.force[g];
    a += T(par.unit.axial[g].w / (2 * share * par.unit.law.EA)) * N * N;
    out.force[g] = A.force[g];
    for (int i = 0; i < 3; ++i) out.strain_r[g][i] = A.strain_r[g][i];
  }
  out.axial = l * a;
  out.bending = b * inverse;
  T Gx[9];
  for (int i = 0; i < 9; ++i) Gx[i] = l * A.gradient[i] + B.gradient[i] * inverse;
  detail::flow_expand(Gx, inverse, out.gradient);
  out.gradient[12] = a - b * inverse * inverse;
  for (int i = 0; i < 3; ++i) out.gradient[12] -= x[i] * Gx[i] * inverse;
  if constexpr (tangent != Tangent::none) {
    T K[81], Ax[9];
    detail::flow_stiffness(A, B, l, inverse, K);
    detail::flow_axial_gradient(par.unit, tangent == Tangent::mixed ? force_n : A.force, A.strain_r,
                                Ax);
    detail::flow_hessian(x, K, Ax, B.gradient, b, l, out.hessian);
  }
}

/// Weight: energy V of (2) and its gradient over y, and, unless null, its Hessian by y and l: the
/// rest is zero.
template <class T>
void flow_weight(const FlowParameters& par, const T e[12], const T& l, T& energy,
                 T gradient[flow_size], T by_length[flow_size]) {
  const double* share = par.unit.load;  // of (r1, g1, r2, g2)
  energy = T(0.0);
  gradient[12] = T(0.0);
  if (by_length) by_length[12] = T(0.0);
  for (int i = 0; i < 12; ++i) {
    const bool slope = i / 3 % 2 == 1;
    const T w(-par.mass * par.gravity[i % 3] * share[i / 3]);
    const T once = slope ? w * l * l : w * l, by_l = slope ? T(2.0) * w * l : w;
    energy += once * e[i];
    gradient[i] = once;
    gradient[12] += by_l * e[i];
    if (!by_length) continue;
    by_length[i] = by_l;
    if (slope) by_length[12] += T(2.0) * w * e[i];
  }
}

/// M12(l) by block pair of (r1, g1, r2, g2), upper triangle by rows [kg, kg m, kg m^2].
template <class T>
void flow_mass(const FlowParameters& par, const T& l, T mass[10]) {
  constexpr int slopes[10] = {0, 1, 0, 1, 2, 1, 2, 0, 1, 2};
  const T power[3] = {l, l * l, l * l * l};
  for (int i = 0; i < 10; ++i) mass[i] = T(par.unit.mass[i]) * power[slopes[i]];
}

/// Where flow_mass() has the entry of two of them.
inline constexpr int flow_pair[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};

/// M12 a.
template <class T>
void flow_mass_times(const T m[10], const T a[12], T out[12]) {
  for (int i = 0; i < 3; ++i) {
    const T r1 = a[i], d1 = a[3 + i], r2 = a[6 + i], d2 = a[9 + i];
    out[i] = m[0] * r1 + m[1] * d1 + m[2] * r2 + m[3] * d2;
    out[3 + i] = m[1] * r1 + m[4] * d1 + m[5] * r2 + m[6] * d2;
    out[6 + i] = m[2] * r1 + m[5] * d1 + m[7] * r2 + m[8] * d2;
    out[9 + i] = m[3] * r1 + m[6] * d1 + m[8] * r2 + m[9] * d2;
  }
}

namespace detail {

template <class T>
void ancf_columns(const T e[12], const T& l, T D1[12], T D2[12]) {
  const T inverse = T(1.0) / l, square = T(6.0) * inverse * inverse;
  for (int i = 0; i < 3; ++i) {
    const T d = square * (e[6 + i] - e[i]), g1 = e[3 + i], g2 = e[9 + i];
    D1[i] = -g1;
    D1[3 + i] = inverse * (T(4.0) * g1 + T(2.0) * g2) - d;
    D1[6 + i] = D1[9 + i] = D2[i] = D2[3 + i] = T(0.0);
    D2[6 + i] = -g2;
    D2[9 + i] = d - inverse * (T(2.0) * g1 + T(4.0) * g2);
  }
}

/// Of (6).
template <class T>
void straight_columns(const T e[12], const T& l, T D1[12], T D2[12]) {
  const T inverse = T(1.0) / l;
  for (int i = 0; i < 3; ++i) {
    D1[i] = D2[6 + i] = inverse * (e[i] - e[6 + i]);
    D1[3 + i] = D1[6 + i] = D1[9 + i] = D2[i] = D2[3 + i] = D2[9 + i] = T(0.0);
  }
}

/// u of (7), which is l d. of (6).
template <class T>
void straight_stretching(const T e[12], const T v[12], const T& l, const T& rate1, const T& rate2,
                         T u[3]) {
  const T grows = (rate2 - rate1) / l;
  for (int i = 0; i < 3; ++i) u[i] = v[6 + i] - v[i] - grows * (e[6 + i] - e[i]);
}

template <class T>
void ancf_convection(const T e[12], const T v[12], const T& l, const T& rate1, const T& rate2,
                     T c[12]) {
  const T i1 = T(1.0) / l, i2 = i1 * i1, i3 = i2 * i1;
  T D1v[12], D2v[12];
  ancf_columns(v, l, D1v, D2v);
  const T one = rate1 * rate1, both = T(2.0) * rate1 * rate2, two = rate2 * rate2;
  for (int i = 0; i < 12; ++i) c[i] = T(2.0) * (rate1 * D1v[i] + rate2 * D2v[i]);
  for (int i = 0; i < 3; ++i) {
    const T d = e[6 + i] - e[i], g1 = e[3 + i], g2 = e[9 + i];
    const T k1 = T(6.0) * i2 * d - i1 * (T(4.0) * g1 + T(2.0) * g2);
    const T k2 = i1 * (T(2.0) * g1 + T(4.0) * g2) - T(6.0) * i2 * d;
    const T k1_l = i2 * (T(4.0) * g1 + T(2.0) * g2) - T(12.0) * i3 * d;
    const T k2_l = T(12.0) * i3 * d - i2 * (T(2.0) * g1 + T(4.0) * g2);
    c[i] += one * k1;
    c[3 + i] += one * (k1_l - T(6.0) * i2 * g1 - T(4.0) * i1 * k1) - both * k1_l;
    c[6 + i] += two * k2;
    c[9 + i] += both * (T(6.0) * i2 * g1 + T(2.0) * i1 * k1) -
                two * (T(6.0) * i2 * g2 - T(4.0) * i1 * k2 + k2_l);
  }
}

template <class T>
void straight_convection(const T e[12], const T v[12], const T& l, const T& rate1, const T& rate2,
                         T c[12]) {
  T u[3];
  straight_stretching(e, v, l, rate1, rate2, u);
  for (int i = 0; i < 3; ++i) {
    const T twice = T(-2.0) * u[i] / l;
    c[i] = rate1 * twice;
    c[6 + i] = rate2 * twice;
    c[3 + i] = c[9 + i] = T(0.0);
  }
}

}  // namespace detail

/// D1 e and D2 e: what the field at fixed p changes by with p1 and p2.
template <class T>
void flow_columns(const FlowParameters& par, const T e[12], const T& l, T D1[12], T D2[12]) {
  par.unit.slopes ? detail::ancf_columns(e, l, D1, D2) : detail::straight_columns(e, l, D1, D2);
}

/// c of (4) or (6) from positions, velocities e. and rates of the ends.
template <class T>
void flow_convection(const FlowParameters& par, const T e[12], const T v[12], const T& l,
                     const T& rate1, const T& rate2, T c[12]) {
  par.unit.slopes ? detail::ancf_convection(e, v, l, rate1, rate2, c)
                  : detail::straight_convection(e, v, l, rate1, rate2, c);
}

/// r' at an end: 0 or 1.
template <class T>
void flow_slope(const FlowParameters& par, int end, const T e[12], const T& l, T g[3]) {
  for (int i = 0; i < 3; ++i) g[i] = par.unit.slopes ? e[6 * end + 3 + i] : (e[6 + i] - e[i]) / l;
}

/// (7) of a lumped mass: on r2 and on p2; on r1 and p1 it is the opposite.
template <class T>
void flow_lumping(const FlowParameters& par, const T e[12], const T v[12], const T& l,
                  const T& rate1, const T& rate2, T on_r[3], T& on_p) {
  T u[3];
  detail::straight_stretching(e, v, l, rate1, rate2, u);
  const T half = T(0.5 * par.mass) * (rate2 - rate1);
  on_p = T(0.0);
  for (int i = 0; i < 3; ++i) {
    on_r[i] = half * u[i];
    on_p -= on_r[i] * (e[6 + i] - e[i]) / l + T(0.25 * par.mass) * u[i] * u[i];
  }
}

/// c = 2 A e. + B e: 2 A and B of (4) by rows, the same for x, y and z.
template <class T>
void flow_convection_matrices(const T& l, const T& rate1, const T& rate2, T A2[16], T B[16]) {
  const T i1 = T(1.0) / l, i2 = i1 * i1, i3 = i2 * i1;
  const T one = rate1 * rate1, both = T(2.0) * rate1 * rate2, two = rate2 * rate2;
  const T k1[4] = {T(-6.0) * i2, T(-4.0) * i1, T(6.0) * i2, T(-2.0) * i1},
          k2[4] = {T(6.0) * i2, T(2.0) * i1, T(-6.0) * i2, T(4.0) * i1},
          k1_l[4] = {T(12.0) * i3, T(4.0) * i2, T(-12.0) * i3, T(2.0) * i2},
          k2_l[4] = {T(-12.0) * i3, T(-2.0) * i2, T(12.0) * i3, T(-4.0) * i2};
  for (int j = 0; j < 4; ++j) {
    const T g1(j == 1 ? 1.0 : 0.0), g2(j == 3 ? 1.0 : 0.0);
    A2[j] = T(-2.0) * rate1 * g1;
    A2[4 + j] = T(-2.0) * rate1 * k1[j];
    A2[8 + j] = T(-2.0) * rate2 * g2;
    A2[12 + j] = T(-2.0) * rate2 * k2[j];
    B[j] = one * k1[j];
    B[4 + j] = one * (k1_l[j] - T(6.0) * i2 * g1 - T(4.0) * i1 * k1[j]) - both * k1_l[j];
    B[8 + j] = two * k2[j];
    B[12 + j] = both * (T(6.0) * i2 * g1 + T(2.0) * i1 * k1[j]) -
                two * (T(6.0) * i2 * g2 - T(4.0) * i1 * k2[j] + k2_l[j]);
  }
}

/// What Lagrange's equations have beside d'Alembert's at one end, (5): `end` is 0 or 1; on r and on
/// p.
template <class T>
void flow_crossing(const FlowParameters& par, int end, const T e[12], const T v[12], const T& l,
                   const T& rate, T on_r[3], T& on_p) {
  const T m(end == 0 ? -par.mass : par.mass);
  T g[3];
  flow_slope(par, end, e, l, g);
  on_p = T(0.0);
  for (int i = 0; i < 3; ++i) {
    const T velocity = v[6 * end + i];
    on_r[i] = m * rate * (velocity - rate * g[i]);
    on_p += T(0.5) * m * (rate * rate * g[i] * g[i] - velocity * velocity);
  }
}

}  // namespace hawser

// The cable elements: elastic force and tangent from
//
//     U(x) = l sum_g w_g W_axial(eps(r'_g)) + l sum_g w_g EI K^2(r'_g, r''_g)/2,
//     x = (d, r1', r2')   (hermite.h)
//
// composed of a shape, a strain measure, a curvature measure, a section law and a quadrature rule.
//
// ancf: the gradient-deficient element. Berzeri & Shabana 2000; Gerstmayr & Shabana 2006; Westin &
// Irani eqs. 8-18 with the misprints of (13)-(16) mended: no factor 1/2 on the bending force.
//
// np-fem: the two-node element of nodal positions, straight, in engineering strain. Zhu 2010; Tonin
// & Braun eqs. 1-11 with L mended to L0 in the energy and with the geometric stiffness
// (N/L)(I - t t^T), which they leave out. It is the same U with r' = d in one point: U = l EA
// (|d| - 1)^2/2. Its nodes keep their slope coordinates, so that all nodes are of one size; they
// are idle: zero, held there by a spring and a mass that nothing moves.
#pragma once

#include "base/inline.h"
#include "elements/hermite.h"
#include "elements/measures.h"
#include "sections/linear_elastic.h"
#include "terms/tangent.h"

namespace hawser {

inline constexpr int max_gauss_points = 7;

/// Block pairs (row, column) of the lower triangle of the 3 x 3 blocks over (d, r1', r2').
inline constexpr int block_row[6] = {0, 1, 1, 2, 2, 2};
inline constexpr int block_col[6] = {0, 0, 1, 0, 1, 2};

/// What all elements of a batch share.
struct AncfParameters {
  double length = 0;  ///< unstretched, of one element [m]
  LinearElastic law{};
  bool slopes = true;         ///< false: np-fem
  bool tension_only = false;  ///< TensionOnly instead of the law itself; np-fem
  /// Mass by block pair of (r1, r1', r2, r2'), upper triangle by rows as hermite_mass
  /// [kg, kg m, kg m^2].
  double mass[10];
  /// Force on (r1, r1', r2, r2') of a uniform unit force per metre [m, m^2].
  double load[4];
  int axial_points = 0, bending_points = 0;
  HermitePoint axial[max_gauss_points];  ///< weights times the length
  HermitePoint bending[max_gauss_points];
  /// Stiffness of what is quadratic in x, by block pair [N m]. ancf: bending in the measure |r''|,
  /// EI/l sum_g w_g c2_a c2_b. np-fem: what holds the idle slopes.
  double constant_stiffness[6];
  double mass_damping = 0;  ///< force per momentum [1/s]
};

/// What viscosity makes of a section in a step (sections/viscosity.h): it is stiffer by the factors
/// and has forces and moments beside the elastic ones, which the past gives.
template <class T>
struct ViscousPoints {
  double axial_factor = 1, bending_factor = 1;
  const T* force = nullptr;   ///< by axial point [N]; null: none
  const T* moment = nullptr;  ///< by bending point, three components in world axes [N m]
};

/// Factors on the blocks of the tangent, worked into the quadrature so that scaling costs nothing.
struct BlockScale {
  double block[6];                   ///< by block pair
  double pair[6][max_gauss_points];  ///< block * w_g c_a c_b

  /// Enough for Tangent::none. Not defaulted: BlockScale() would then fill it with zeros.
  HAWSER_INLINE BlockScale() {}  // NOLINT(modernize-use-equals-default)
  HAWSER_INLINE
  BlockScale(const AncfParameters& par, const double factors[6]) {
    for (int b = 0; b < 6; ++b) {
      block[b] = factors[b];
      for (int g = 0; g < par.axial_points; ++g)
        pair[b][g] = factors[b] * par.axial[g].w * par.axial[g].c[block_row[b]] *
                     par.axial[g].c[block_col[b]];
    }
  }
};

AncfParameters ancf_parameters(double length, const LinearElastic& law, double mass_per_metre,
                               int axial_points, int bending_points);
/// The same elements with another length [m].
AncfParameters with_length(const AncfParameters& parameters, double length);
/// Lumped: half of the mass at each node; otherwise the consistent mass of a straight element.
AncfParameters np_fem_parameters(double length, double EA, double mass_per_metre, bool lumped_mass,
                                 bool tension_only);

/// Result over x = (d, r1', r2').
template <class T>
struct AncfResult {
  T gradient[9];                    ///< dU/dx [N m]
  T tangent[6][9];                  ///< d2U/dx2 by block pair, rows first, scaled [N m]
  T force[max_gauss_points];        ///< axial force N at the axial points [N]
  T strain_r[max_gauss_points][3];  ///< eps_r' at the axial points; zero where slack
};

namespace detail {

/// The blocks of the tangent from those of the n axial points.
template <int fixed_points, class T>
HAWSER_INLINE void sum_tangent(int n, const Sym3<T>* D, const BlockScale& scale,
                               AncfResult<T>& out) {
  if (fixed_points) n = fixed_points;
  HAWSER_UNROLL(6)
  for (int b = 0; b < 6; ++b) {
    T sum[6];
    for (int k = 0; k < 6; ++k) sum[k] = T(scale.pair[b][0]) * D[0].m[k];
    HAWSER_UNROLL(5)
    for (int g = 1; g < n; ++g) {
      const T c(scale.pair[b][g]);
      for (int k = 0; k < 6; ++k) sum[k] += c * D[g].m[k];
    }
    T* K = out.tangent[b];
    K[0] = sum[0], K[1] = K[3] = sum[1], K[2] = K[6] = sum[2];
    K[4] = sum[3], K[5] = K[7] = sum[4], K[8] = sum[5];
  }
}

template <class Strain, class Law, Tangent tangent, int fixed_points, class T>
HAWSER_INLINE void ancf_axial(const AncfParameters& par, const T x[9], const T* force_n,
                              const BlockScale& scale, const ViscousPoints<T>& viscous,
                              AncfResult<T>& out) {
  const int n = fixed_points ? fixed_points : par.axial_points;
  const Law law{LinearElastic{viscous.axial_factor * par.law.EA, par.law.EI}};
  Sym3<T> D[max_gauss_points];  // EA eps_r' eps_r'^T + N eps_r'r'
  T wNr[max_gauss_points][3];   // w N eps_r'
  HAWSER_UNROLL(5)
  for (int g = 0; g < n; ++g) {
    const HermitePoint& point = par.axial[g];
    T r1[3], eps, *grad = out.strain_r[g];
    Sym3<T> hess;
    for (int i = 0; i < 3; ++i)
      r1[i] = T(point.c[0]) * x[i] + T(point.c[1]) * x[3 + i] + T(point.c[2]) * x[6 + i];
    Strain::eval(r1, eps, grad, hess);
    T N, EA;
    law.respond(eps, viscous.force ? viscous.force[g] : T(0.0), force_n ? force_n + g : nullptr, N,
                EA);
    const T wN = T(point.w) * N;
    out.force[g] = N;
    for (int i = 0; i < 3; ++i) wNr[g][i] = wN * grad[i];
    if constexpr (tangent != Tangent::none) {
      const T Ngeo = tangent == Tangent::mixed ? force_n[g] : N;
      int k = 0;
      for (int i = 0; i < 3; ++i) {
        const T Eg = EA * grad[i];
        for (int j = i; j < 3; ++j, ++k) {
          D[g].m[k] = Eg * grad[j];
          if constexpr (Strain::identity_hessian) {
            if (i == j) D[g].m[k] += Ngeo;
          } else {
            D[g].m[k] += Ngeo * hess.m[k];
          }
        }
      }
    }
    if constexpr (Law::one_sided)
      for (int i = 0; i < 3; ++i) grad[i] = unless_slack(EA, grad[i]);
  }
  for (int a = 0; a < 3; ++a) {
    T sum[3];
    for (int i = 0; i < 3; ++i) sum[i] = T(par.axial[0].c[a]) * wNr[0][i];
    HAWSER_UNROLL(5)
    for (int g = 1; g < n; ++g) {
      const T c(par.axial[g].c[a]);
      for (int i = 0; i < 3; ++i) sum[i] += c * wNr[g][i];
    }
    for (int i = 0; i < 3; ++i) out.gradient[3 * a + i] = sum[i];
  }
  if constexpr (tangent != Tangent::none) sum_tangent<fixed_points>(n, D, scale, out);
}

template <class Curvature, Tangent tangent, class T>
HAWSER_INLINE void ancf_bending(const AncfParameters& par, const T x[9], const BlockScale& scale,
                                const ViscousPoints<T>& viscous, AncfResult<T>& out) {
  if constexpr (Curvature::constant_stiffness) {
    if (viscous.moment)
      for (int g = 0; g < par.bending_points; ++g)
        for (int a = 0; a < 3; ++a) {
          const T w(par.bending[g].w * par.bending[g].c2[a]);
          for (int i = 0; i < 3; ++i) out.gradient[3 * a + i] += w * viscous.moment[3 * g + i];
        }
    for (int b = 0; b < 6; ++b) {
      const T k(viscous.bending_factor * par.constant_stiffness[b]);
      const int r = block_row[b], c = block_col[b];
      for (int i = 0; i < 3; ++i) {
        out.gradient[3 * r + i] += k * x[3 * c + i];
        if (r != c) out.gradient[3 * c + i] += k * x[3 * r + i];
        if constexpr (tangent != Tangent::none) out.tangent[b][4 * i] += T(scale.block[b]) * k;
      }
    }
  } else {
    const T inv_l(1 / par.length), l(par.length), EI(viscous.bending_factor * par.law.bending());
    for (int g = 0; g < par.bending_points; ++g) {
      const HermitePoint& point = par.bending[g];
      T r1[3], r2[3], half, g1[3], g2[3], h12[9];
      Sym3<T> h11, h22;
      for (int i = 0; i < 3; ++i) {
        r1[i] = T(point.c[0]) * x[i] + T(point.c[1]) * x[3 + i] + T(point.c[2]) * x[6 + i];
        r2[i] =
            inv_l * (T(point.c2[0]) * x[i] + T(point.c2[1]) * x[3 + i] + T(point.c2[2]) * x[6 + i]);
      }
      Curvature::eval(r1, r2, half, g1, g2, h11, h12, h22);
      for (int i = 0; i < 3; ++i) g1[i] = EI * g1[i], g2[i] = EI * g2[i];
      for (int k = 0; k < 6; ++k) h11.m[k] = EI * h11.m[k], h22.m[k] = EI * h22.m[k];
      for (int k = 0; k < 9; ++k) h12[k] = EI * h12[k];
      if (viscous.moment) Curvature::add_moment(r1, r2, viscous.moment + 3 * g, g1, g2, h11, h12);
      const T w = l * T(point.w);
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 3; ++i)
          out.gradient[3 * a + i] += w * (T(point.c[a]) * g1[i] + T(point.c2[a]) * inv_l * g2[i]);
      if constexpr (tangent != Tangent::none) {
        constexpr int sym[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
        for (int b = 0; b < 6; ++b) {
          const int r = block_row[b], c = block_col[b];
          const T ws = w * T(scale.block[b]);
          const T rr = ws * T(point.c[r] * point.c[c]);
          const T rs = ws * T(point.c[r] * point.c2[c]) * inv_l;
          const T sr = ws * T(point.c2[r] * point.c[c]) * inv_l;
          const T ss = ws * T(point.c2[r] * point.c2[c]) * inv_l * inv_l;
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              out.tangent[b][3 * i + j] += rr * h11.m[sym[3 * i + j]] + rs * h12[3 * i + j] +
                                           sr * h12[3 * j + i] + ss * h22.m[sym[3 * i + j]];
        }
      }
    }
  }
}

}  // namespace detail

/// Elastic gradient, axial forces and (unless none) tangent at x, the tangent's blocks multiplied
/// by `scale`. `force_n`: axial force at the start of the step; for Tangent::mixed, else it may be
/// null. `fixed_points`: the number of axial points when known to the compiler, else 0.
template <class Strain, class Curvature, class Law, Tangent tangent, int fixed_points, class T>
HAWSER_INLINE void ancf_elastic(const AncfParameters& par, const T x[9], const T* force_n,
                                const BlockScale& scale, const ViscousPoints<T>& viscous,
                                AncfResult<T>& out) {
  detail::ancf_axial<Strain, Law, tangent, fixed_points>(par, x, force_n, scale, viscous, out);
  detail::ancf_bending<Curvature, tangent>(par, x, scale, viscous, out);
}

}  // namespace hawser

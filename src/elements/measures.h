// Strain and curvature measures of a cable, as functions of r' and r'' at one point.
//
// Each gives its value, gradient and Hessian. Symmetric 3x3 matrices are kept as the six entries
// (xx, xy, xz, yy, yz, zz). Formulas are templates over the scalar: double, Dual or a Pack of four
// elements.
#pragma once

#include "base/inline.h"

namespace hawser {

template <class T>
struct Sym3 {
  T m[6];
};

template <class T>
HAWSER_INLINE T dot3(const T a[3], const T b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// eps = (r'.r' - 1)/2; eps_r' = r'; eps_r'r' = I.
struct GreenStrain {
  static constexpr bool identity_hessian = true;
  template <class T>
  static HAWSER_INLINE void eval(const T r1[3], T& eps, T grad[3], Sym3<T>& /*hess*/) {
    eps = T(0.5) * (dot3(r1, r1) - T(1.0));
    for (int i = 0; i < 3; ++i) grad[i] = r1[i];
  }
};

/// eps = |r'| - 1; eps_r' = r'/|r'| = t; eps_r'r' = (I - t t^T)/|r'|.
struct EngineeringStrain {
  static constexpr bool identity_hessian = false;
  template <class T>
  static HAWSER_INLINE void eval(const T r1[3], T& eps, T grad[3], Sym3<T>& hess) {
    const T norm = sqrt(dot3(r1, r1)), inv = T(1.0) / norm;
    eps = norm - T(1.0);
    for (int i = 0; i < 3; ++i) grad[i] = r1[i] * inv;
    const T* t = grad;
    hess = {{inv * (T(1.0) - t[0] * t[0]), -(inv * t[0] * t[1]), -(inv * t[0] * t[2]),
             inv * (T(1.0) - t[1] * t[1]), -(inv * t[1] * t[2]), inv * (T(1.0) - t[2] * t[2])}};
  }
};

/// K^2 = |r''|^2, quadratic in the coordinates: its stiffness is constant.
struct SecondDerivativeCurvature {
  static constexpr bool constant_stiffness = true;

  template <class T>
  static HAWSER_INLINE void half_square(const T* /*a*/, const T b[3], T& half) {
    half = T(0.5) * dot3(b, b);
  }

  /// The curvature as a vector: K = |k|.
  template <class T>
  static HAWSER_INLINE void vector(const T* /*a*/, const T b[3], T k[3]) {
    for (int i = 0; i < 3; ++i) k[i] = b[i];
  }
};

/// K^2 = (s t - c^2) / s^p with s = r'.r', t = r''.r'', c = r'.r''. In this form a straight cable
/// is regular; K itself has a singular gradient there. p = 2: the material curvature
/// |r' x r''|/|r'|^2 (Gu et al. eq. 6); p = 3: the curvature of the curve in space.
template <int p>
struct CrossProductCurvature {
  static constexpr bool constant_stiffness = false;

  /// half = K^2/2 alone.
  template <class T>
  static HAWSER_INLINE void half_square(const T a[3], const T b[3], T& half) {
    const T s = dot3(a, a), t = dot3(b, b), c = dot3(a, b), i1 = T(1.0) / s;
    half = T(0.5) * (t * s - c * c) * (p == 2 ? i1 * i1 : i1 * i1 * i1);
  }

  /// The curvature as a vector: k = r' x r'' s^(-p/2), K = |k|.
  template <class T>
  static HAWSER_INLINE void vector(const T a[3], const T b[3], T k[3]) {
    const T s = dot3(a, a), f = T(1.0) / (p == 2 ? s : s * sqrt(s));
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      k[i] = (a[j] * b[l] - a[l] * b[j]) * f;
    }
  }

  /// Adds the derivatives of M . k, for a moment M that stays: with u = M . (r' x r'') and m = p/2,
  /// M . k = u s^-m.
  template <class T>
  static HAWSER_INLINE void add_moment(const T a[3], const T b[3], const T M[3], T g1[3], T g2[3],
                                       Sym3<T>& h11, T h12[9]) {
    const T s = dot3(a, a), i1 = T(1.0) / s, f = p == 2 ? i1 : i1 / sqrt(s);
    T ua[3], ub[3];  // u by r' and r'': r'' x M and M x r'
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      ua[i] = b[j] * M[l] - b[l] * M[j];
      ub[i] = M[j] * a[l] - M[l] * a[j];
    }
    const T u = dot3(ua, a), by_s = T(-double(p)) * f * i1;  // by_s = -2m s^(-m-1)
    const T twice = T(-double(p + 2)) * by_s * i1 * u;       // 4m(m+1) u s^(-m-2)
    int k = 0;
    for (int i = 0; i < 3; ++i) {
      g1[i] += f * ua[i] + by_s * u * a[i];
      g2[i] += f * ub[i];
      for (int j = i; j < 3; ++j, ++k) {
        h11.m[k] += by_s * (ua[i] * a[j] + a[i] * ua[j]) + twice * a[i] * a[j];
        if (i == j) h11.m[k] += by_s * u;
      }
      for (int j = 0; j < 3; ++j) h12[3 * i + j] += by_s * a[i] * ub[j];
      // u by r'_i and r''_j: the sign of the permutation (l, i, j), times M_l.
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      h12[3 * i + j] += f * M[l];
      h12[3 * i + l] -= f * M[j];
    }
  }

  /// half = K^2/2 and its derivatives: g1, g2 by r' and r''; h11, h22 symmetric; h12 = d g1 / d r''
  /// (row: r', column: r'').
  template <class T>
  static HAWSER_INLINE void eval(const T a[3], const T b[3], T& half, T g1[3], T g2[3],
                                 Sym3<T>& h11, T h12[9], Sym3<T>& h22) {
    static_assert(p == 2 || p == 3);
    const T s = dot3(a, a), t = dot3(b, b), c = dot3(a, b);
    const T i1 = T(1.0) / s, i2 = i1 * i1, ip = p == 2 ? i2 : i2 * i1;  // ip = s^-p
    // F = K^2/2 = (t s^(1-p) - c^2 s^-p)/2 and its derivatives by s, t and c.
    const T Ft = T(0.5) * s * ip, Fc = -(c * ip);
    const T Fs = T(0.5) * ip * (T(1.0 - p) * t + T(double(p)) * c * c * i1);
    const T Fss =
        T(0.5) * ip * i1 * (T(double(p) * (p - 1)) * t - T(double(p) * (p + 1)) * c * c * i1);
    const T Fst = T(0.5 * (1 - p)) * ip, Fsc = T(double(p)) * c * ip * i1, Fcc = -ip;
    half = T(0.5) * (t * s - c * c) * ip;
    for (int i = 0; i < 3; ++i) {
      g1[i] = T(2.0) * Fs * a[i] + Fc * b[i];
      g2[i] = T(2.0) * Ft * b[i] + Fc * a[i];
    }
    int k = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j, ++k) {
        h11.m[k] = T(4.0) * Fss * a[i] * a[j] + T(2.0) * Fsc * (a[i] * b[j] + b[i] * a[j]) +
                   Fcc * b[i] * b[j];
        h22.m[k] = Fcc * a[i] * a[j];
        if (i == j) {
          h11.m[k] += T(2.0) * Fs;
          h22.m[k] += T(2.0) * Ft;
        }
      }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        h12[3 * i + j] =
            T(4.0) * Fst * a[i] * b[j] + T(2.0) * Fsc * a[i] * a[j] + Fcc * b[i] * a[j];
        if (i == j) h12[3 * i + j] += Fc;
      }
  }
};

using MaterialCurvature = CrossProductCurvature<2>;
using GeometricCurvature = CrossProductCurvature<3>;

}  // namespace hawser

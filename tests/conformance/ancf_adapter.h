// The ANCF cable element, ready for the suites of conformance.h.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "conformance/conformance.h"  // before the kernels: they need its sqrt
#include "elements/ancf.h"
#include "hawser/section.h"
#include "math/quadrature.h"

namespace hawser::conformance {

inline Dual square(Dual x) { return x * x; }
inline double square(double x) { return x * x; }

/// (d, r1', r2') = A (r1, r1', r2, r2').
inline Eigen::Matrix<double, 9, 12> ancf_reduction(double l) {
  Eigen::Matrix<double, 9, 12> A = Eigen::Matrix<double, 9, 12>::Zero();
  A.block<3, 3>(0, 0).diagonal().setConstant(-1 / l);
  A.block<3, 3>(0, 6).diagonal().setConstant(1 / l);
  A.block<3, 3>(3, 3).setIdentity();
  A.block<3, 3>(6, 9).setIdentity();
  return A;
}

/// The full 9 x 9 tangent from the lower block pairs.
inline Eigen::Matrix<double, 9, 9> ancf_full_tangent(const AncfResult<double>& result) {
  Eigen::Matrix<double, 9, 9> K;
  for (int b = 0; b < 6; ++b) {
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> block(result.tangent[b]);
    K.block<3, 3>(3 * block_col[b], 3 * block_row[b]) = block.transpose();
    K.block<3, 3>(3 * block_row[b], 3 * block_col[b]) = block;
  }
  return K;
}

/// Strain and curvature squared from their definitions, apart from the kernel's formulas.
template <class Strain, class T>
T strain_of(const T r1[3]) {
  const T s = square(r1[0]) + square(r1[1]) + square(r1[2]);
  if constexpr (std::is_same_v<Strain, GreenStrain>) return T(0.5) * (s - T(1));
  return sqrt(s) - T(1);
}

template <class Curvature, class T>
T curvature_squared(const T a[3], const T b[3]) {
  if constexpr (std::is_same_v<Curvature, SecondDerivativeCurvature>)
    return square(b[0]) + square(b[1]) + square(b[2]);
  const T cross = square(a[1] * b[2] - a[2] * b[1]) + square(a[2] * b[0] - a[0] * b[2]) +
                  square(a[0] * b[1] - a[1] * b[0]);
  const T s = square(a[0]) + square(a[1]) + square(a[2]);
  if constexpr (std::is_same_v<Curvature, MaterialCurvature>) return cross / (s * s);
  return cross / (s * s * s);
}

template <class Strain, class Curvature>
class AncfAdapter {
 public:
  AncfAdapter(double length, double EA, double EI, int axial_points, int bending_points)
      : parameters(ancf_parameters(length, {EA, EI}, 1.0, axial_points, bending_points)) {}

  [[nodiscard]] std::vector<Block> blocks() const {
    return {Block::position, Block::direction, Block::position, Block::direction};
  }

  /// With what damping adds in a step: a stiffness by factors, and work of forces and moments that
  /// stay as they are.
  template <class T>
  T energy(const T* x) const {
    const double l = parameters.length;
    T sum(0.0);
    int point = 0;
    for (const GaussPoint& g : gauss_rule(parameters.axial_points)) {
      T r1[3], r2[3];
      derivatives(x, g.x, r1, r2);
      const T strain = strain_of<Strain>(r1);
      sum += T(axial_factor * parameters.law.EA * l * g.w / 2) * square(strain);
      if (!force.empty()) sum += T(l * g.w * force[static_cast<size_t>(point++)]) * strain;
    }
    point = 0;
    for (const GaussPoint& g : gauss_rule(parameters.bending_points)) {
      T r1[3], r2[3];
      derivatives(x, g.x, r1, r2);
      sum += T(bending_factor * parameters.law.EI * l * g.w / 2) *
             curvature_squared<Curvature>(r1, r2);
      if (moment.empty()) continue;
      const T s = square(r1[0]) + square(r1[1]) + square(r1[2]);
      for (int i = 0; i < 3; ++i, ++point) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        T component = r2[i];
        if constexpr (!std::is_same_v<Curvature, SecondDerivativeCurvature>) {
          component = (r1[j] * r2[k] - r1[k] * r2[j]) / s;
          if constexpr (std::is_same_v<Curvature, GeometricCurvature>)
            component = component / sqrt(s);
        }
        sum += T(l * g.w * moment[static_cast<size_t>(point)]) * component;
      }
    }
    return sum;
  }

  template <class T>
  void gradient(const T* x, T* g) const {
    const AncfResult<T> result = evaluate<Tangent::none, T>(x, nullptr);
    expand(result.gradient, g);
  }

  [[nodiscard]] MatrixXd tangent(const VectorXd& x) const {
    return assemble(evaluate<Tangent::own, double>(x.data(), nullptr));
  }

  /// With the axial force of the geometric stiffness handed in, one value a Gauss point.
  [[nodiscard]] MatrixXd mixed_tangent(const VectorXd& x, const double* force_n) const {
    return assemble(evaluate<Tangent::mixed, double>(x.data(), force_n));
  }

  template <Tangent tangent, class T>
  AncfResult<T> evaluate(const T* x, const T* force_n) const {
    T reduced[9];
    for (int i = 0; i < 3; ++i) {
      reduced[i] = (x[6 + i] - x[i]) / T(parameters.length);
      reduced[3 + i] = x[3 + i];
      reduced[6 + i] = x[9 + i];
    }
    constexpr double as_it_is[6] = {1, 1, 1, 1, 1, 1};
    const std::vector<T> forces(force.begin(), force.end()), moments(moment.begin(), moment.end());
    const ViscousPoints<T> viscous{axial_factor, bending_factor,
                                   forces.empty() ? nullptr : forces.data(),
                                   moments.empty() ? nullptr : moments.data()};
    AncfResult<T> result;
    ancf_elastic<Strain, Curvature, LinearElastic, tangent, 0>(
        parameters, reduced, force_n, BlockScale(parameters, as_it_is), viscous, result);
    return result;
  }

  double axial_factor = 1, bending_factor = 1;
  std::vector<double> force, moment;  ///< of damping: by axial point; by bending point, three

  /// From (d, r1', r2') to (r1, r1', r2, r2').
  template <class T>
  void expand(const T from[9], T to[12]) const {
    for (int i = 0; i < 3; ++i) {
      to[6 + i] = from[i] / T(parameters.length);
      to[i] = -to[6 + i];
      to[3 + i] = from[3 + i];
      to[9 + i] = from[6 + i];
    }
  }

  AncfParameters parameters;

 private:
  /// r' and r'' of the cubic through the ends with their slopes.
  template <class T>
  void derivatives(const T* x, double xi, T r1[3], T r2[3]) const {
    const double l = parameters.length;
    const double s1[4] = {(6 * xi * xi - 6 * xi) / l, 1 - 4 * xi + 3 * xi * xi,
                          (6 * xi - 6 * xi * xi) / l, 3 * xi * xi - 2 * xi};
    const double s2[4] = {(12 * xi - 6) / (l * l), (6 * xi - 4) / l, (6 - 12 * xi) / (l * l),
                          (6 * xi - 2) / l};
    for (int i = 0; i < 3; ++i) {
      r1[i] = r2[i] = T(0.0);
      for (int k = 0; k < 4; ++k) {
        r1[i] += T(s1[k]) * x[3 * k + i];
        r2[i] += T(s2[k]) * x[3 * k + i];
      }
    }
  }

  [[nodiscard]] MatrixXd assemble(const AncfResult<double>& result) const {
    const Eigen::Matrix<double, 9, 12> A = ancf_reduction(parameters.length);
    return A.transpose() * ancf_full_tangent(result) * A;
  }
};

/// Calls f(strain, curvature) with the types that the measures name.
template <class Function>
void with_measures(StrainMeasure strain, CurvatureMeasure curvature, Function&& f) {
  const auto with = [&](auto chosen) {
    switch (curvature) {
      case CurvatureMeasure::second_derivative:
        return f(chosen, SecondDerivativeCurvature());
      case CurvatureMeasure::material:
        return f(chosen, MaterialCurvature());
      case CurvatureMeasure::geometric:
        return f(chosen, GeometricCurvature());
    }
  };
  if (strain == StrainMeasure::green) return with(GreenStrain());
  return with(EngineeringStrain());
}

inline constexpr std::array<StrainMeasure, 2> strain_measures = {StrainMeasure::green,
                                                                 StrainMeasure::engineering};
inline constexpr std::array<CurvatureMeasure, 3> curvature_measures = {
    CurvatureMeasure::second_derivative, CurvatureMeasure::material, CurvatureMeasure::geometric};

}  // namespace hawser::conformance

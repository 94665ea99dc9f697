// The np-fem cable element, ready for the suites of conformance.h.
#pragma once

#include "conformance/ancf_adapter.h"

namespace hawser::conformance {

/// Over the positions (r1, r2); the slope coordinates are zero, as in every state.
template <class Law>
class NpFemAdapter {
 public:
  NpFemAdapter(double length, double EA)
      : parameters(np_fem_parameters(length, EA, 1.0, false, Law::one_sided)) {}

  [[nodiscard]] std::vector<Block> blocks() const { return {Block::position, Block::position}; }

  /// l EA eps^2/2 with eps = L/l - 1; without energy when tension-only and shorter than l.
  template <class T>
  T energy(const T* x) const {
    const double l = parameters.length;
    const T L = sqrt(square(x[3] - x[0]) + square(x[4] - x[1]) + square(x[5] - x[2]));
    const T stretched = L - T(l);
    if (Law::one_sided && value_of(stretched) < 0) return T(0.0);
    return T(parameters.law.EA / (2 * l)) * square(stretched);
  }

  template <class T>
  void gradient(const T* x, T* g) const {
    const AncfResult<T> result = evaluate<Tangent::none, T>(x, nullptr);
    for (int i = 0; i < 3; ++i) {
      g[3 + i] = result.gradient[i] / T(parameters.length);
      g[i] = -g[3 + i];
    }
  }

  [[nodiscard]] MatrixXd tangent(const VectorXd& x) const {
    return assemble(evaluate<Tangent::own, double>(x.data(), nullptr));
  }
  /// With the axial force at the start of the step handed in.
  [[nodiscard]] MatrixXd mixed_tangent(const VectorXd& x, const double* force_n) const {
    return assemble(evaluate<Tangent::mixed, double>(x.data(), force_n));
  }

  template <Tangent tangent, class T>
  AncfResult<T> evaluate(const T* x, const T* force_n) const {
    T reduced[9];
    for (int i = 0; i < 3; ++i) {
      reduced[i] = (x[3 + i] - x[i]) / T(parameters.length);
      reduced[3 + i] = reduced[6 + i] = T(0.0);
    }
    constexpr double as_it_is[6] = {1, 1, 1, 1, 1, 1};
    AncfResult<T> result;
    ancf_elastic<EngineeringStrain, SecondDerivativeCurvature, Law, tangent, 1>(
        parameters, reduced, force_n, BlockScale(parameters, as_it_is), {}, result);
    return result;
  }

  AncfParameters parameters;

 private:
  static double value_of(double x) { return x; }
  static double value_of(Dual x) { return x.value; }

  [[nodiscard]] MatrixXd assemble(const AncfResult<double>& result) const {
    const Matrix3d K =
        ancf_full_tangent(result).block<3, 3>(0, 0) / (parameters.length * parameters.length);
    MatrixXd out(6, 6);
    out << K, -K, -K, K;
    return out;
  }
};

}  // namespace hawser::conformance

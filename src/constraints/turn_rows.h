// The turn of two bodies whose joint holds their axes with compliance. With D the rotation of B
// since the start as seen from A's axes, and theta = Log D its rotation vector,
//
//     D = R_a^T R_b C,    C = R_b^T R_a at the start,    Phi = theta    (three rows, A's axes)
//
// Phi + eps lambda = 0 is a rotational spring that is the same about all axes: its energy is
// |theta|^2/(2 eps), its moment |theta|/eps about the axis of the turn, linear up to half a turn.
// With J = 1 - [theta]x/2 + k [theta]x^2, k = (1 - x cot x)/(4 x^2), x = |theta|/2, the inverse of
// the left Jacobian of the exponential map (Sola, Deray & Atchuthan 2018, eq. 146), and J^T that of
// the right one, small turns phi in body axes give
//
//     d theta = -J phi_a + J^T C^T phi_b
//
// Along a turn at a constant rate the rate of theta changes with J alone. With g = J lambda,
// h = J^T lambda, both as functions of theta, the curvature is
//
//     K_aa = sym(h' J)        K_bb = sym(C g' J^T C^T)        K_ab = -(C g' J)^T
//
// Joints that hold axes rigidly use rows that are cheaper (parts.h).
#pragma once

#include "constraints/constraint.h"

namespace hawser {

/// theta and its derivatives, without the constant C: B's turns in A's axes of the start.
class RelativeTurn {
 public:
  explicit RelativeTurn(const Matrix3& D);

  Vec3 theta;  ///< [rad]
  Matrix3 J;   ///< d theta = -J phi_a + J^T phi_b

  /// Second derivatives of lambda . theta.
  struct Curvature {
    Matrix3 aa, ab, bb;
  };
  [[nodiscard]] Curvature curvature(const Vec3& lambda) const;

 private:
  double k_, k_rate_;  ///< k, and its derivative by the angle over the angle
};

/// Three rows over two nodes.
struct TurnData {
  int row = 0;    ///< the first of them
  PointOn a, b;   ///< nodes and bodies
  Matrix3 start;  ///< C
};

class TurnRows final : public Constraint {
 public:
  explicit TurnRows(std::vector<TurnData> all) : all_(std::move(all)) {}

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs& pairs) const override;
  bool evaluate(const RowsAt& at, RowValues& out) override;
  void add_curvature(const double* q, const Poses& poses, const double* lambda, double weight,
                     const MatrixSink& sink) const override;

 private:
  std::vector<TurnData> all_;
  std::vector<int> pair_;  ///< by joint, among the pairs
};

}  // namespace hawser

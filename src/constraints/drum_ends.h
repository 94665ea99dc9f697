// Cable with mass that leaves the drum of a winch: its first node, with the slope g and the
// material coordinate p. y = r - c is its place from the mount, a the axis, z = a . y, rho n = y -
// z a, tau = a x n, and theta the turn of the drum. The node is where the cable leaves the layer
// that is being unwound, at the angle `leave` around the axis, which is zero at the start
// (elements/winding.h):
//
//     W = W0 + leave - theta,     d leave = tau/rho . dr
//     plane      z - z(W) = 0
//     circle     rho - R(W) = 0
//     tangent    rho n . g = 0
//     supply     p - (s(W) - s(W0)) = 0
//
// The cable is wound without its strain. The multiplier of the supply is what the equation of
// virtual work has on p: T |g|, with the tension T. It acts on the drum with the torque T |g|
// ds/dW, and does no work with the one on p. G contains R', z' and s', so that layers that change
// do no false work. For a mount on a body, of the position x, G over its turn is, with the
// gradients over r and g,
//
//     -(r - x) x Phi_r - g x Phi_g     (in body axes)
//
// An np-fem node has no slope: g is the straight element to the node beside it, (r_b - r)/L, with L
// its length when the mesh was made (chord_tangents.h), and the gradient over g acts on r_b and r.
//
// Curvature is left out: the force of the supply turns across the groove, where the circle holds.
#pragma once

#include "constraints/constraint.h"

namespace hawser {

struct DrumEndData {
  int row = 0;        ///< of plane, circle, tangent and supply the first
  int node = 0;       ///< of the cable
  int beside = -1;    ///< np-fem: the next node; else -1
  double length = 0;  ///< np-fem: L [m]
  int flow = 0;       ///< coordinate of p
  WoundOn drum;
  PointOn centre;
  DirectionOn axis, start;  ///< start: outwards to the node at the start
  int wrap = 0;             ///< in State::wrap: `leave`

  /// g.
  [[nodiscard]] Vec3 slope(const double* q) const {
    using Vector = Eigen::Map<const Vec3>;
    const double* r = q + node_size * node;
    if (beside < 0) return Vector(r + 3);
    return (Vector(q + node_size * beside) - Vector(r)) / length;
  }
  static constexpr int rows = 4;
  [[nodiscard]] int supply_row() const { return row + rows - 1; }
};

class DrumEnds final : public Constraint {
 public:
  explicit DrumEnds(std::vector<DrumEndData> ends) : ends_(std::move(ends)) {}

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs&) const override {
    return std::make_unique<DrumEnds>(*this);
  }
  bool evaluate(const RowsAt& at, RowValues& out) override;

 private:
  std::vector<DrumEndData> ends_;
};

}  // namespace hawser

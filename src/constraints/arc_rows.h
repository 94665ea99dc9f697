// The stretch of cables with mass where they lie on pulleys. Between the nodes A and B, where the
// cable reaches the groove and leaves it, its unstretched length is l = pB - pA and its way is
// R theta:
//
//     Phi = l - R theta,     Phi + (l/EA) T = 0,     lambda = T
//     G: tau_A on r_A, -tau_B on r_B, tau_B - tau_A on the centre, -(1 + eps/2) on pA, 1 + eps/2 on pB
//                                                               (tau = axis x n, eps = T/EA as the step began)
//
// eps/2 is the derivative of the compliance: the strain energy T^2/2 EA of the cable that crosses A
// and B.
//
// With friction, or where the cable grips the pulley, there are two such rows, one for either side
// of a point M of the groove that is halfway at the start. The cable at M has the material
// coordinate pM, kept in State::run_length as pM and -pM, and d after them:
//
//     Phi_A = pM - pA - R theta_A,     Phi_B = pB - pM - R theta_B
//     G_A: tau_A on r_A, -tau_A on the centre, -(1 + eps_A/2) on pA, -R axis on the turn of the pulley's body
//     G_B: -tau_B on r_B, tau_B on the centre, 1 + eps_B/2 on pB, R axis on that turn
//
// each with half of the compliance. What sticks moves with the surface, so that R theta is its
// stretched length: a turn by phi takes R phi/(1 + eps_s) of unstretched cable from one side to the
// other, with the strain eps_s of what lies there. In the rows pM creeps by eps_s for what runs
// over, u = -(change of pA + pB)/2. The cable brings the strain of the side that it comes from
// along, over the length R theta that lies on the pulley:
//
//     eps_s = (eps_A + eps_B)/2 + d,     d' = (+-(eps_A - eps_B)/2 - d) |u'|/(R theta)
//
// G as it is has the torque R (T_B - T_A). What that and the tensions at A and B leave,
// u' (T_A - T_B) d, is what the cable loses to the groove where its strain changes: EA (eps_A -
// eps_B)^2/2 for each metre once d has come to its end.
//
// A pulley with an inertia turns on its mount by phi (winch.h):
// R theta_A then grows by R phi, R theta_B falls by it, and G has -R and R on phi. The cable
// sticks, pM stays, as long as the ratio of both tensions is below e^(mu theta); else it slips
// (complementarity/rows.h). An eyelet with friction is a pulley of radius 0, with theta the angle
// between the slopes of the cable on its sides. An np-fem cable has no slopes: its directions are
// those of the elements beside A and B.
//
// theta is counted from its value at the start by the angles that A and B have moved around the
// axis in the pulley's own axes, which go on from those of the state (State::wrap). The rows of A
// and B, on the circle and tangent to it, are those of a joint (JointRows). Where sections are
// joined on the pulley, l/EA is the sum over them, and eps that of the section at A or B.
//
// The force f = T (tau_B - tau_A) on the centre of a pulley on a body has a moment that changes as
// the body turns: without that curvature a block would not hang from its axle. With s of the
// centre, in the body's axes, it is (f s^T + s f^T)/2 - (f . s) 1 over the turn. The rest is left
// out: that along the groove is a matter of the rows of A and B, that of a tilt of the groove is
// T R (n tau^T + tau n^T)/2 of A less that of B, which cancels where they are opposite.
//
// The cable comes off where theta has shrunk to zero (model/pulleys.h). The model of a cable that
// is off a pulley has the rows of that pulley, and they do not act.
#pragma once

#include <string>

#include "constraints/constraint.h"

namespace hawser {

struct ArcData {
  int row = 0;              ///< with friction of A's side; that of B is the next one
  int rub = -1;             ///< with friction: its place among the rubs; else -1
  int run = 0;              ///< with friction: in State::run_length, pM, -pM and d
  int cable = 0, stop = 0;  ///< in the scene, in its route
  std::string owner;        ///< "cable 'hoist' on 'boom.head'"
  PointOn centre;
  DirectionOn axis, start[2];  ///< start: outwards to A and B at the start
  double radius = 0;           ///< [m]; 0: an eyelet, whose rows are over pA and pB alone
  double angle = 0;            ///< theta at the start [rad]
  double EA[2] = {0, 0};       ///< of the cable at A and at B [N]
  /// Of the strain in G on pA and pB: the half, or where two sections meet at an eyelet, which
  /// take part by virtual work, all of it.
  double crossing = 0.5;
  int turn = -1;             ///< coordinate of phi; -1: the pulley does not turn on its mount
  int nodes[2] = {-1, -1};   ///< none: the cable is off this pulley
  bool out = false;          ///< off for good: an end of the cable has run out of it
  int beside[2] = {-1, -1};  ///< np-fem: the node before A and the one after B
  int flows[2] = {0, 0};     ///< coordinates of pA, pB
  int wrap = 0;              ///< in State::wrap: what A and then B have moved by

  [[nodiscard]] bool off() const { return nodes[0] < 0; }
  /// Along the cable where it reaches the pulley or leaves it, of any length.
  [[nodiscard]] Vec3 direction(size_t end, const double* q) const {
    using Vector = Eigen::Map<const Vec3>;
    const double* node = q + node_size * nodes[end];
    if (beside[end] < 0) return Vector(node + 3);
    const Vec3 chord = Vector(q + node_size * beside[end]) - Vector(node);
    return end == 0 ? Vec3(-chord) : chord;
  }
  /// All rows of a pulley are those before `row` and these.
  [[nodiscard]] int rows_before() const { return radius > 0 ? 6 : 0; }
  [[nodiscard]] int rows() const { return rub < 0 ? 1 : 2; }
  /// theta as State::wrap has it [rad].
  [[nodiscard]] double theta(const std::vector<double>& moved) const {
    return angle - moved[static_cast<size_t>(wrap)] + moved[static_cast<size_t>(wrap) + 1];
  }
};

/// Where both ends are on a pulley.
struct ArcPlace {
  Operand centre;
  Vec3 axis, outward[2], along[2];
  double moved[2];  ///< around the axis since the start [rad]
  double angle;     ///< theta [rad]

  /// `wrap`: State::wrap, near which it is.
  ArcPlace(const ArcData& arc, const double* q, const Poses& poses,
           const std::vector<double>& wrap);
};

class ArcRows final : public Constraint {
 public:
  explicit ArcRows(std::vector<ArcData> arcs)
      : arcs_(std::move(arcs)), angles_(arcs_.size(), 0), stuck_(arcs_.size(), 0) {}

  [[nodiscard]] std::unique_ptr<Constraint> copy(const NodePairs&) const override {
    return std::make_unique<ArcRows>(*this);
  }
  bool evaluate(const RowsAt& at, RowValues& out) override;
  void add_curvature(const double* q, const Poses& poses, const double* lambda, double weight,
                     const MatrixSink& sink) const override;
  double accept(const TakenStep& step, State& state) const override;
  /// A cable that has come off its pulley and should have left it.
  [[nodiscard]] std::string ending(const double* q, const double* v, double h,
                                   const Poses& poses) const override;

 private:
  /// The row of a pulley without friction; the two rows of one with friction, or of an eyelet.
  static void evaluate_free(const ArcData& arc, const ArcPlace& place, const RowsAt& at,
                            RowValues& out);
  static void evaluate_side(const ArcData& arc, const ArcPlace& place, size_t side, double stuck,
                            const RowsAt& at, RowValues& out);
  static double creep(const ArcData& arc, double stuck, const TakenStep& step, State& state);
  static void evaluate_eyelet(const ArcData& arc, const RowsAt& at, RowValues& out);
  static void evaluate_off(const ArcData& arc, const RowsAt& at, RowValues& out);

  std::vector<ArcData> arcs_;
  std::vector<double> angles_;  ///< theta at the last evaluation [rad]
  std::vector<double> stuck_;   ///< of the cable that sticks, its strain as the step began
};

}  // namespace hawser

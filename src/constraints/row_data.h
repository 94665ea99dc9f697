// The rows of constraints as compiled.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "constraints/bend.h"
#include "constraints/parts.h"
#include "elements/winding.h"
#include "hawser/section.h"
#include "hawser/signal.h"

namespace hawser {

/// A section of a massless cable, without what is paid out.
struct RoutePart {
  double length = 0;      ///< [m]
  double EA = 0, GJ = 0;  ///< [N], [N m^2]
};

/// Where a cable is wound on the drum of a winch.
struct WoundOn {
  std::shared_ptr<const Winding> winding;
  int coordinate = 0;  ///< turn of the drum, 0 at the start; positive: paid out [rad]
  double start = 0;    ///< W at the start [rad]
  double length = 0;   ///< s(W) there [m]

  /// Length paid out since the start [m], and its rate.
  [[nodiscard]] double paid(const double* q) const {
    return length - winding->length(start - q[coordinate]);
  }
  [[nodiscard]] double paying(const double* q, const double* v) const {
    return winding->at(start - q[coordinate]).rate * v[coordinate];
  }
};

/// A row of the constraints: Phi(q, t) + compliance lambda = 0, or with a rate given
/// G v + Phi_t + slip lambda = 0.
struct RowInfo {
  enum class Role { joint, stretch, twist };
  std::string owner;  ///< for messages: "joint 'foot'"
  Role role = Role::joint;
  bool velocity = false;   ///< the rate is given, not the position
  bool one_sided = false;  ///< lambda >= 0; switched off while Phi > 0
  bool sharing = false;    ///< may repeat what others hold
  bool support = false;    ///< its force is one of a support: it comes from outside
  bool moves = false;      ///< of a constant G: what is prescribed changes with time
  bool limited = false;    ///< of a velocity row: |lambda| <= RowValues::limit, beyond it slips
  /// Of a limited row: rows that hold the same in its place while they act.
  int stops[2] = {-1, -1};
  double compliance = 0;  ///< [m/N] or [rad/(N m)]
  Signal slip = 0.0;      ///< of a velocity row [m/(s N), rad/(s N m)]

  int first_entry = 0;           ///< of its part of G
  std::vector<int> coordinates;  ///< of its entries: of nodes, or scalars (DofMap)
  /// By entry, where G does not depend on q: G itself; else empty. Such a row is rigid.
  std::vector<double> factors;

  // --- of a stretch ---
  double EA = 0;         ///< [N]
  double viscosity = 0;  ///< viscosity over stiffness, as the stepper of Lacoursiere takes it [s]
  Damping damping;       ///< of its section
  Signal payout = 0.0;   ///< of a cable that is paid out [m]
  double unpaid = 0;     ///< its unstretched length without that [m]
  std::vector<RoutePart> parts;  ///< of several sections; empty: one
  std::vector<WoundOn> drums;    ///< at its ends
  /// Of cable with mass on a pulley: the coordinates of the flows at its ends; -1: it is none.
  int flows[2] = {-1, -1};
  /// The length there as one of EA, of several sections: flow_share[1] pB - flow_share[0] pA +
  /// flow_offset.
  double flow_share[2] = {1, 1}, flow_offset = 0;

  [[nodiscard]] bool constant() const { return !factors.empty(); }
  /// True where it always acts and never yields.
  [[nodiscard]] bool rigid() const {
    return !velocity && !one_sided && !limited && compliance == 0 && steady();
  }
  /// True for a cable whose length, and with it the compliance, changes.
  [[nodiscard]] bool paid_out() const {
    return !velocity && !(payout.is_constant() && drums.empty());
  }
  /// True where its compliance does not change.
  [[nodiscard]] bool steady() const { return !paid_out() && flows[0] < 0; }
  /// Length that drums have paid out, or that lies on a pulley, as one of EA [m], and the rate of
  /// all that is paid out [m/s].
  [[nodiscard]] double off_drums(const double* q) const {
    if (flows[0] >= 0)
      return flow_share[1] * q[flows[1]] - flow_share[0] * q[flows[0]] + flow_offset;
    double sum = 0;
    for (const WoundOn& drum : drums) sum += drum.paid(q);
    return sum;
  }
  [[nodiscard]] double paying(const Instant& now, const double* q, const double* v) const {
    double sum = payout.at(now).rate;
    for (const WoundOn& drum : drums) sum += drum.paying(q, v);
    return sum;
  }
  /// [m/N], [rad/(N m)]; `off`: off_drums() [m].
  [[nodiscard]] double compliance_at(const Instant& now, double off) const {
    if (flows[0] >= 0) return std::max(0.0, off) / EA;
    if (payout.is_constant() && drums.empty()) return compliance;
    double paid = payout.at(now).value + off, sum = 0;
    if (parts.empty()) return std::max(0.0, unpaid + paid) / EA;
    for (const RoutePart& part : parts) {  // reeled in, the first ones first
      const double left = part.length + paid;
      paid = std::min(0.0, left);
      sum += std::max(0.0, left) / part.EA;
    }
    return sum;
  }
};

/// A place between two runs of a cable that holds it or rubs: the cable sticks there, each run with
/// a tension of its own, or slips.
struct RubInfo {
  int before = 0, after = 0;  ///< rows of the runs
  double friction = 0;
  bool grip = false;                ///< never slips
  int first_row = 0, last_row = 0;  ///< of the cable's runs
};

/// A turn of directions in the world, by an angle that is a function of time [rad].
struct WorldTurn {
  Vec3 axis = Vec3::UnitZ();
  Signal angle;

  [[nodiscard]] Vec3 turned(const Vec3& v, const Instant& now) const {
    return Eigen::AngleAxisd(angle.at(now).value, axis) * v;
  }
};

/// The angle that the second body of a joint has turned about the axis since the start: from xa to
/// xb, whole turns included.
struct AngleData {
  int joint = 0;           ///< of the scene
  DirectionOn axis, xa;    ///< in the first body
  DirectionOn axis_b, xb;  ///< in the second
  int wrap = 0;            ///< its place in State::wrap
};

/// A row of a joint or an attachment: sign (part - value(t)).
struct PartRow {
  enum class Kind { along, dot, distance, angle } kind = Kind::along;
  int row = 0;  ///< among the constraints' rows
  PointOn pa, pb;
  DirectionOn u, w;    ///< along: u is n; dot: both
  Signal value = 0.0;  ///< [m] or [rad]
  double sign = 1;     ///< -1: an upper limit
  int angle = -1;      ///< angle: which of the mechanism's
};

/// A stop of a massless cable.
struct StopData {
  std::string name;                            ///< of its frame
  PointOn at;                                  ///< the point, or the pulley's centre
  double radius = 0;                           ///< [m]
  Vec3 e1 = Vec3::Zero(), e2 = e1, axis = e1;  ///< of its plane, body axes
  double friction = 0;
  bool grip = false;
  int slot = 0;       ///< of its node's six entries in a row of the cable
  int wrap = -1;      ///< of a pulley: State::wrap holds the angles of reaching and of leaving
  WoundOn drum;       ///< at an end of the cable; no winding: none
  double sense = 0;   ///< of a drum: dW by the angle, 1 where the cable starts, -1 where it ends
  int drum_slot = 0;  ///< of the drum's entry in a row of the cable
  BendData bend;      ///< where it meets a shape; none: a stop of the scene
  int number = -1;    ///< in the scene's route; -1: where it meets a shape or another cable
  int crossing = -1;  ///< where it lies on another massless cable: which; -1: it does not
};

/// A part of a massless cable along which its tension is the same.
struct RunData {
  int first_stop = 0, last_stop = 0;
  int row = 0;             ///< of its stretch, or of its speed
  double compliance = 0;   ///< at the start's length [m/N]
  double free_length = 0;  ///< at the start [m]
};

struct RouteData {
  int cable = 0;
  std::string name;  ///< of the cable
  std::vector<StopData> stops;
  std::vector<RunData> runs;  ///< the stop between two of them holds the cable or rubs
  int first_run = 0;          ///< in State::run_length
  int first_rub = 0;          ///< in State::activity: of the stops between its runs
  int twist_row = -1;
  std::vector<RoutePart> parts;  ///< from its start; only the first where there is one section
  double EA = 0;                 ///< of all parts in series at the start [N]
  double twist_compliance = 0;   ///< [rad/(N m)]
  bool driven = false;           ///< the rate of its length is given
  bool cut = false;              ///< its rows never act
  Signal payout = 0.0;           ///< [m], from the start
  Signal speed = 0.0;            ///< [m/s]
  bool bends = false;            ///< some of its stops are where it meets shapes
};

/// A point that two massless cables go through (crossings.h).
struct CrossingData {
  int route[2] = {0, 0};  ///< among the routes
  int stop[2] = {0, 0};   ///< of either route
  int memory = 0;         ///< its place in State::bends

  static constexpr int remembered = 6;  ///< numbers: the point, the normal
};

/// Routes that crossings join, directly or by others: their lengths depend on all of their nodes.
struct CrossingGroup {
  std::vector<int> crossings, routes, nodes;
};

}  // namespace hawser

// The rows of joints, attachments and massless cables as compiled.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "constraints/parts.h"
#include "hawser/signal.h"

namespace hawser {

/// A row of the constraints: Phi(q, t) + compliance lambda = 0, or with a rate given
/// G v + Phi_t + slip lambda = 0.
struct RowInfo {
  enum class Role { joint, stretch, twist };
  std::string owner;  ///< for messages: "joint 'foot'"
  Role role = Role::joint;
  int winch = -1;          ///< of a stretch: route whose length at its start it has, else -1
  bool velocity = false;   ///< the rate is given, not the position
  bool one_sided = false;  ///< lambda >= 0; switched off while Phi > 0
  bool sharing = false;    ///< may repeat what others hold
  double compliance = 0;   ///< [m/N] or [rad/(N m)]
  double viscosity = 0;    ///< of a stretch: viscosity over stiffness, as the stepper of
                           ///< Lacoursiere takes it [s]
  Signal slip = 0.0;       ///< of a velocity row [m/(s N), rad/(s N m)]
  int first_entry = 0;     ///< of its part of G, six entries a node
  std::vector<int> nodes;  ///< that it touches, increasing
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
  PointOn at;                                  ///< the point, or the pulley's centre
  double radius = 0;                           ///< [m]
  Vec3 e1 = Vec3::Zero(), e2 = e1, axis = e1;  ///< of its plane, body axes
  double friction = 0;
  bool grip = false;
  int slot = 0;   ///< of its node's six entries in a row of the cable
  int wrap = -1;  ///< of a pulley: State::wrap holds the angles of reaching and of leaving
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
  std::vector<StopData> stops;
  std::vector<RunData> runs;  ///< the stop between two of them holds the cable or rubs
  int first_run = 0;          ///< in State::run_length
  int first_rub = 0;          ///< in State::activity: of the stops between its runs
  int twist_row = -1;
  double EA = 0;                ///< [N]
  double twist_compliance = 0;  ///< [rad/(N m)]
  bool driven = false;          ///< the rate of its length is given
  Signal payout = 0.0;          ///< [m], from the start
  Signal speed = 0.0;           ///< [m/s]
};

}  // namespace hawser

// What is kept of a run: channels (named numbers in time), the shapes of the cables and the poses
// of the bodies. SI units.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

/// A place where things are held, under the name its scene gives it: nodes of cables, and what is
/// fastened to the frame of the ground of that name where the scene has one.
struct Support {
  std::string name;
  std::vector<Place> places;  ///< the nodes held there, one for every cable that reaches it
  bool holds_direction = false;
};

/// What a scene asks to be recorded.
struct Recording {
  double every = 0;         ///< between rows of the channels [s]; 0: a thousandth of the run
  double shapes_every = 0;  ///< between shapes [s]; 0: 25 a second, at most 1,000 in a run
  int points = 0;           ///< of a shape, for each element; 0: enough for a smooth curve
  std::vector<std::string> channels;  ///< empty: default_channels()
};

/// One number in time: a column of a table.
struct Column {
  std::string name;  ///< "tether.position.z@end"
  std::string unit;  ///< "m"; empty for a pure number
};

/// What channel names mean.
///
///   CABLE.QUANTITY@PLACE   position, velocity, direction (three columns, or one: position.z),
///                          tension, strain, curvature, moment, utilisation
///                          PLACE: start, end, a fraction (0.25), a length ("3.5 m"), min, max
///                          (min and max: over the whole cable; scalar quantities only)
///   CABLE.length           stretched length
///   CABLE.strain, CABLE.rest_length, CABLE.twist, CABLE.torque
///                          of a massless cable: over its whole length; unstretched, with what is
///                          paid out; turned between its ends; in it, of the sign of the twist
///   BODY.position, velocity, acceleration    of its centre of mass, world axes
///   BODY.angular_velocity  world axes
///   BODY.orientation       that turns body axes into world axes (four columns: w, x, y, z)
///   BODY.FRAME.position, velocity            "load.hook.position.z"
///   JOINT.force, JOINT.torque                on its second body at its second frame, world axes
///   JOINT.turn             of a hinge or a cylinder, from the start: counted over many turns where
///                          it is driven or limited, else within half a turn either way
///   JOINT.travel           of a slider or a cylinder, from the start; of a distance the distance
///   SUPPORT.force, SUPPORT.moment    on all that is held there, together: what carries a weight
///                          pushes up, force.z > 0 (three columns, or one: force.z)
///   SUPPORT.position       of its first place
///   reactions              the force of every support, and the moment of those that clamp; the
///                          force of every joint, and the torque of those that hold directions
///   energy                 kinetic, axial, bending, twist, joints, potential, work, balance; or
///                          one: energy.work
///   momentum               linear and angular; or one: momentum.linear, momentum.angular.z
///
/// Position and velocity follow the cubic curve of the element. Tension and strain are known best
/// at the axial Gauss points: min and max are taken over those, and between them counts the
/// straight line nearest to the element's points. Where elements meet, tension, strain and
/// curvature are the mean of both sides. utilisation is tension by breaking load. A channel asked
/// for twice gives one column.
///
/// A massless cable has the tension of the part that the place lies on, no curvature and no moment;
/// position, velocity and direction are those of its ends. A length in metres counts by the cable
/// as it is at the start, and its velocity is that of what it is fastened to.
class Channels {
 public:
  /// Throws Error that names the channel, what was expected and the nearest name.
  Channels(const Model& model, const std::vector<Support>& supports,
           const std::vector<std::string>& names);
  ~Channels();
  Channels(Channels&&) noexcept;
  Channels& operator=(Channels&&) noexcept;

  [[nodiscard]] const std::vector<Column>& columns() const;
  /// One number a column. Does not allocate.
  void sample(const State& state, std::span<double> out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The channels of a scene that names none: for every body its position; for every cable the
/// position of its free ends, the tension at its ends and the largest one (of a massless one also
/// its length), its utilisation where the breaking load is known; reactions, without those of the
/// joints where these are many; energy.
std::vector<std::string> default_channels(const Model& model, const std::vector<Support>& supports);

/// A cable at points along it, evenly over each element, both ends included. A massless cable has a
/// point at every stop and several along each pulley between its ends; its velocity is that of the
/// stops, s is as it lies at the start. Arrays by point; vectors are x, y, z point after point.
struct Shape {
  std::vector<double> s;                   ///< unstretched arc length [m]
  std::vector<double> position, velocity;  ///< [m], [m/s]
  std::vector<double> tension;             ///< [N]
  std::vector<double> strain;              ///< in the cable's measure [-]
  std::vector<double> curvature;           ///< in the cable's measure [1/m]
  [[nodiscard]] int points() const { return static_cast<int>(s.size()); }
};

/// Where a body is.
struct BodyPose {
  Vec3 position = Vec3::Zero();                ///< of its centre of mass [m]
  Eigen::Quaterniond orientation{1, 0, 0, 0};  ///< turns body axes into world axes
};

/// Shapes of all cables and poses of all bodies; memory is taken once.
class Shapes {
 public:
  /// `points` for each element and each pulley of a massless cable; 0: enough for a smooth curve,
  /// 1 where elements are many.
  Shapes(const Model& model, int points);
  ~Shapes();
  Shapes(Shapes&&) noexcept;
  Shapes& operator=(Shapes&&) noexcept;

  /// Does not allocate.
  void sample(const State& state);
  /// By cable, in the order of the scene.
  [[nodiscard]] const std::vector<Shape>& cables() const;
  /// By body, in the order of the scene.
  [[nodiscard]] const std::vector<BodyPose>& bodies() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hawser

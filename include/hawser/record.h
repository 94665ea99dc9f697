// Recording of a run: channels (named scalar time series), cable shapes and body poses; files.
// SI units.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

/// Recording settings of a scene.
struct Recording {
  double every = 0;         ///< sampling interval of the channels [s]; 0: a thousandth of the run
  double shapes_every = 0;  ///< interval of shapes [s]; 0: 25 per second, at most 1,000 per run
  int points = 0;           ///< points per element in a shape; 0: enough for a smooth curve
  std::vector<std::string> channels;  ///< empty: default_channels()
};

/// One scalar time series: a column of a table.
struct Column {
  std::string name;  ///< "tether.position.z@end"
  std::string unit;  ///< "m"; empty if dimensionless
};

/// Evaluates channels. Channel names:
///
///   CABLE.QUANTITY@PLACE   position, velocity, direction (three columns, or one: position.z),
///                          tension, strain, curvature, moment, utilisation
///                          PLACE: start, end, a fraction (0.25), a length ("3.5 m"), a distance
///                          ("1.5 m after ring"), min, max
///                          (min and max: over the whole cable; scalar quantities only)
///   CABLE.length           stretched length
///   CABLE.strain, CABLE.rest_length, CABLE.twist, CABLE.torque
///                          of a massless cable: mean strain; unstretched length, including
///                          payout; twist angle between its ends; torque, of the same sign
///   BODY.position, velocity, acceleration    of the centre of mass, world axes
///   BODY.angular_velocity  world axes
///   BODY.orientation       rotation from body to world axes (four columns: w, x, y, z)
///   BODY.FRAME.position, velocity            "load.hook.position.z"
///   JOINT.force, JOINT.torque                on the second body at the second frame, world axes
///   JOINT.turn             angle of a hinge or cylinder from the start: counts full turns if it
///                          is driven or limited, otherwise within half a turn either way
///   JOINT.travel           of a slider or cylinder, from the start; of a distance: the distance
///   SUPPORT.force, SUPPORT.moment    total on everything held there: a support that carries a
///                          weight has force.z > 0 (three columns, or one: force.z)
///   SUPPORT.position       of the first node it holds, or its own
///   SUPPORT.velocity       prescribed
///   reactions              force of every support, and moment of those that clamp; force of
///                          every joint, and torque of those that constrain rotation
///   input.NAME             value of an input
///   energy                 kinetic, axial, bending, twist, joints, potential, work, balance; or
///                          one: energy.work
///   momentum               linear and angular; or one: momentum.linear, momentum.angular.z
///
/// Position and velocity follow the cubic interpolation of the element. Tension and strain are most
/// accurate at the axial Gauss points: min and max are taken over these; elsewhere a least-squares
/// line through the element's points is used. At element boundaries, tension, strain and curvature
/// are the mean of both sides. utilisation is tension divided by breaking load. A channel requested
/// twice gives one column.
///
/// Where cable flows, a length ("3.5 m") is a place of the material, counted unstretched from the
/// start of the cable as it was at first: it moves with the cable. A fraction is that of the
/// unstretched length at the moment. A distance ("1.5 m after ring", "2 m before ring", "after
/// start", "before end") is a place in space: along the cable as it is, stretched, from a hand-over
/// of its route or an end.
///
/// A massless cable has the tension of the run that contains the place, and no curvature or moment.
/// Position, velocity and direction are available at its ends only. A length in metres refers to
/// the initial cable, and the velocity is that of the attachment.
class Channels {
 public:
  /// Throws Error with the channel, what was expected and the closest match.
  Channels(const Model& model, const std::vector<std::string>& names);
  ~Channels();
  Channels(Channels&&) noexcept;
  Channels& operator=(Channels&&) noexcept;

  [[nodiscard]] const std::vector<Column>& columns() const;
  /// One value per column. Does not allocate.
  void sample(const State& state, std::span<double> out);
  /// The channels whose place is off the cable at the moment: reeled in, or beyond its end. They
  /// have the value at the nearest end.
  [[nodiscard]] std::vector<std::string> off_cable(const State& state) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The channels of a scene that specifies none: position of every body; for every cable the
/// position of its free ends, the tension at its ends and the maximum (and the length if
/// massless), and the utilisation if the breaking load is known; reactions, without joints if there
/// are many; inputs; energy.
std::vector<std::string> default_channels(const Model& model);

/// A cable sampled along its length, evenly within each element, including both ends. A massless
/// cable has a point at every contact and several on each pulley between its ends. Its velocity is
/// that of the stops and s is the initial one. Vectors are stored as x, y, z point by point.
struct Shape {
  std::vector<double> s;                   ///< unstretched arc length [m]
  std::vector<double> position, velocity;  ///< [m], [m/s]
  std::vector<double> tension;             ///< [N]
  std::vector<double> strain;              ///< in the cable's measure [-]
  std::vector<double> curvature;           ///< in the cable's measure [1/m]
  [[nodiscard]] int points() const { return static_cast<int>(s.size()); }
};

/// Pose of a body.
struct BodyPose {
  Vec3 position = Vec3::Zero();                ///< of its centre of mass [m]
  Eigen::Quaterniond orientation{1, 0, 0, 0};  ///< rotates body axes into world axes
};

/// Shapes of all cables and poses of all bodies. Memory is allocated once.
class Shapes {
 public:
  /// `points` per element, and per pulley of a massless cable; 0: enough for a smooth curve, 1 if
  /// there are many elements.
  Shapes(const Model& model, int points);
  ~Shapes();
  Shapes(Shapes&&) noexcept;
  Shapes& operator=(Shapes&&) noexcept;

  /// Does not allocate.
  void sample(const State& state);
  /// Per cable, in scene order.
  [[nodiscard]] const std::vector<Shape>& cables() const;
  /// Per body, in scene order.
  [[nodiscard]] const std::vector<BodyPose>& bodies() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes a whole file, which may also be a pipe or a device. Throws Error if it cannot be opened
/// and WriteError if writing fails; an incomplete regular file is removed.
void write_whole_file(const std::string& path, std::string_view data);

}  // namespace hawser

// Scene description: plain structs with sensible defaults. `Model` validates and compiles it.
// SI units throughout: m, kg, s, N, Pa, rad.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "hawser/section.h"
#include "hawser/signal.h"

namespace hawser {

using Vec3 = Eigen::Vector3d;

// --- bodies, frames and joints ---

/// A solid of uniform density with its centre of mass at the origin.
struct Solid {
  enum class Kind { none, box, sphere, cylinder, plate };
  Kind kind = Kind::none;
  /// box: edge lengths. sphere: radius (first component). cylinder: radius and length, axis along
  /// z. plate: edge lengths along x and y, no thickness [m].
  Vec3 size = Vec3::Zero();

  [[nodiscard]] double volume() const;  ///< [m^3]; plate: area [m^2]
  /// Inertia about the centre for a given mass [kg m^2].
  [[nodiscard]] Eigen::Matrix3d inertia(double mass) const;
};

/// A rigid body. Its initial axes are the world axes rotated by `orientation`.
struct Body {
  std::string name;
  double mass = 0;                                    ///< [kg]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre, body axes [kg m^2]
  Vec3 position = Vec3::Zero();                       ///< of the centre of mass [m]
  Eigen::Quaterniond orientation{1, 0, 0, 0};         ///< rotates body axes into world axes
  Vec3 velocity = Vec3::Zero();                       ///< of the centre, world axes [m/s]
  Vec3 angular_velocity = Vec3::Zero();               ///< world axes [rad/s]
  Solid shape;                                        ///< for display
};

/// A named point on a body or on the ground, to which cables and joints attach. Every body has a
/// frame at its centre of mass with the name of the body.
struct Frame {
  std::string name;
  std::string body;  ///< empty: the ground
  Vec3 position =
      Vec3::Zero();  ///< from the body's centre, body axes; on the ground: world axes [m]
  /// On the ground only: displacement from `position` over time, world axes [m].
  std::array<Signal, 3> motion{Signal(0.0), Signal(0.0), Signal(0.0)};
};

enum class JointKind {
  pin,        ///< ball joint: two points coincide
  weld,       ///< no relative motion
  hinge,      ///< rotates about `axis`
  slider,     ///< translates along `axis`
  cylinder,   ///< rotates about `axis` and translates along it
  universal,  ///< rotates about `axis`, fixed in the first body, and `second_axis`, in the second
  distance    ///< constant distance between two points
};

/// Actuation of a joint or a cable: prescribed position or velocity as a function of time.
struct Drive {
  enum class Kind { none, position, velocity };
  Kind kind = Kind::none;
  Signal value = 0.0;  ///< [m] or [rad], from the start; `distance`: the distance itself
  /// Velocity only: loss of speed per unit of force or torque [m/(s N), rad/(s N m)].
  Signal slip = 0.0;
};

/// Range of a travel, turn or distance. The joint pushes back at its ends.
struct Limits {
  double lowest = -std::numeric_limits<double>::infinity();  ///< [m] or [rad]
  double highest = std::numeric_limits<double>::infinity();
};

/// Connects two frames. The initial configuration is the reference; there the frames must coincide.
struct Joint {
  std::string name;
  JointKind kind = JointKind::pin;
  std::string first, second;  ///< frames; travel and turn are of the second relative to the first
  Vec3 axis = Vec3::UnitZ();  ///< world axes at the start
  Vec3 second_axis = Vec3::UnitX();   ///< `universal`: world axes at the start
  Drive travel, turn;                 ///< along and about the axis; `distance`: travel
  Limits travel_limits, turn_limits;  ///< [m], [rad]
  double compliance = 0;              ///< of the translational constraints [m/N]
  double angular_compliance = 0;      ///< of the rotational constraints [rad/(N m)]
};

/// force * strength(t) at a body frame and moment * strength(t) on the body, world axes.
struct BodyForce {
  std::string frame;
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 moment = Vec3::Zero();  ///< [N m]
  Signal strength = 1.0;
};

// --- cables ---

enum class CableModel {
  ancf,     ///< position and slope at every node: bending, large rotations
  np_fem,   ///< position at every node, straight elements: no bending
  massless  ///< no degrees of freedom of its own: stretch and twist over its whole route
};

/// Initial shape of a cable.
enum class Initial {
  straight,  ///< straight from point to point of the route, uniform strain
  catenary,  ///< hanging under its weight from point to point, without bending stiffness
  points,    ///< a smooth curve through the points of the route
  rest       ///< static equilibrium of the whole scene
};

/// A contact of a massless cable, which ends there or slides over it.
struct Contact {
  std::string frame;
  double radius = 0;         ///< of the pulley's groove [m]; 0: a point
  Vec3 axis = Vec3::Zero();  ///< of the pulley; the cable wraps about it by the right-hand rule;
                             ///< world axes at the start
  double friction = 0;       ///< Coulomb friction coefficient of the cable on the contact [-]
  bool grip = false;         ///< the cable does not slip: it rotates the pulley's body
};

/// A cable. Initially it runs along the points of its route: start, via, end. Nodes are numbered
/// from 0 (start) to `elements` (end); see span_elements for the nodes at the via points.
/// A massless cable has no nodes: its route is given by `contacts`, including the ends.
struct Cable {
  std::string name;
  CableModel model = CableModel::ancf;
  Section section;
  Vec3 start = Vec3::Zero();  ///< [m]
  Vec3 end = Vec3::UnitX();   ///< [m]
  /// Points between start and end through which the cable initially passes [m]. They do not hold
  /// it: pin the nodes there for that.
  std::vector<Vec3> via;
  std::optional<Initial> initial;  ///< initial shape; not set: that of the scene
  double length = 0;  ///< unstretched length [m], distributed over the route; 0: the route's length
  std::vector<Contact> contacts;  ///< massless only
  Signal payout = 0.0;            ///< massless: added to the length, at the start of the cable [m]
  Drive drive;                    ///< massless: prescribed rate of length instead of stretch
  bool pushes = false;            ///< massless: also carries compression, like a rod
  int elements = 10;
  StrainMeasure strain = StrainMeasure::engineering;  ///< ancf; other models: engineering only
  CurvatureMeasure curvature = CurvatureMeasure::second_derivative;
  int axial_points = 5;          ///< Gauss points for the axial force, 3 to 7; 5 is exact for Green
  int bending_points = 3;        ///< Gauss points for bending, 2 to 7
  bool lumped_mass = false;      ///< np-fem: half of an element's mass at each node
  bool tension_only = false;     ///< np-fem: elements go slack instead of carrying compression
  Vec3 velocity = Vec3::Zero();  ///< initial velocity of every point [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< added to it: rotation about `start` [rad/s]
};

/// Number of elements in each span of a cable's route, from the start: via.size() + 1 numbers with
/// sum `elements`, proportional to the lengths of the spans, at least one each. The node at via[k]
/// is the sum of the first k + 1 numbers. Throws Error if the points do not form a route.
std::vector<int> span_elements(const Cable& cable);

/// A node of a cable. Negative numbers count from the end: -1 is the last node.
struct Place {
  std::string cable;
  int node = 0;
};

/// Holds a node at its initial position. Rotation is free.
struct Pin {
  Place at;
};

/// Holds a node and the direction of the cable there. The length of the slope r' is free, so that
/// the cable can stretch at the clamp.
struct Clamp {
  Place at;
  bool position = true;       ///< false: only the direction is held, the node can move
  Vec3 axis = Vec3::UnitZ();  ///< rotation axis of the direction, world axes
  Signal turn = 0.0;          ///< rotation angle since the start [rad]
};

/// Attaches a node to a frame of a body or of the ground.
struct Attachment {
  Place at;
  std::string frame;
  bool direction = false;  ///< also holds the initial direction of the cable
};

/// Two coincident nodes, of one cable or of two.
struct Junction {
  Place first, second;
};

/// A node's coordinates: position and slope r' (unit tangent when unstretched).
enum class Coordinate { x, y, z, slope_x, slope_y, slope_z };

/// Prescribes one coordinate of a node as a function of time [m] (slope: dimensionless).
struct Motion {
  Place at;
  Coordinate coordinate = Coordinate::x;
  Signal value;
};

/// sum of factor * coordinate = value(t): a general linear condition on one or more nodes. Its
/// multiplier is part of the solution (State::multipliers).
struct LinearCondition {
  struct Term {
    Place at;
    Coordinate coordinate;
    double factor;
  };
  std::string name;
  std::vector<Term> terms;
  Signal value;
};

/// A stiff load enters the tangent of the implicit step; a non-stiff one is evaluated once.
enum class Stiffness { stiff, non_stiff };

/// force * strength(t) at a node [N].
struct PointForce {
  Place at;
  Vec3 force = Vec3::Zero();
  Signal strength = 1.0;
};

/// force * strength(t) per unstretched metre over a whole cable [N/m].
struct DistributedForce {
  std::string cable;
  Vec3 force = Vec3::Zero();
  Signal strength = 1.0;
};

/// A moment * strength(t) at a node [N m], fixed in space: slope force (M x r')/|r'|^2.
struct Moment {
  Place at;
  Vec3 moment = Vec3::Zero();
  Signal strength = 1.0;
  Stiffness stiffness = Stiffness::stiff;
};

/// A point mass at a node [kg], with weight and inertia.
struct PointMass {
  Place at;
  double mass = 0;
};

/// A plane that supports cables. Its force depends on depth and penetration speed.
struct Ground {
  double height = 0;            ///< along `normal`, from the origin [m]
  Vec3 normal = Vec3::UnitZ();  ///< pointing away from the ground
  double stiffness = 1e4;       ///< force per metre of cable and metre of depth [N/m^2]
  double damping = 0;           ///< viscosity / stiffness [s]
};

/// The surrounding fluid: buoyancy, and drag from the relative velocity.
struct Fluid {
  double density = 0;            ///< [kg/m^3]
  Vec3 velocity = Vec3::Zero();  ///< of the current or wind [m/s]
};

/// Sets an input after every step.
struct FeedbackLaw {
  struct Symbol {
    std::string name, channel;  ///< "z", "load.position.z" (Channels; one column)
  };
  std::vector<Symbol> channels;  ///< names for channels
  std::string law;  ///< an expression of these names and t, with units: "0.5 s^-1 * (3 m - z)"
};

/// A named value that is set while the scene runs (Model::set_input). Functions of time use it by
/// its index in Scene::inputs: Signal::input(), Signal::of_inputs().
struct Input {
  std::string name;
  std::string unit;  ///< of its values, SI: "m/s"; empty: dimensionless
  double value = 0;  ///< initial
  double from = -std::numeric_limits<double>::infinity();  ///< range of the settings: those
  double to = std::numeric_limits<double>::infinity();     ///< outside of it are clamped
  /// Smoothing time of settings [s] (InputMotion); 0: the value jumps, which positions must not.
  double smoothing = 0;
  std::optional<FeedbackLaw> feedback;  ///< the scene sets the input itself (hawser/control.h)
};

struct Scene {
  Vec3 gravity{0, 0, -9.81};  ///< [m/s^2]
  Initial initial = Initial::straight;
  std::optional<Ground> ground;
  std::optional<Fluid> fluid;
  std::vector<Body> bodies;
  std::vector<Frame> frames;
  std::vector<Joint> joints;
  std::vector<Cable> cables;
  std::vector<Attachment> attachments;
  std::vector<Junction> junctions;
  std::vector<BodyForce> body_forces;
  std::vector<Pin> pins;
  std::vector<Clamp> clamps;
  std::vector<Motion> motions;
  std::vector<LinearCondition> conditions;
  std::vector<PointForce> point_forces;
  std::vector<DistributedForce> distributed_forces;
  std::vector<Moment> moments;
  std::vector<PointMass> point_masses;
  std::vector<Input> inputs;
};

}  // namespace hawser

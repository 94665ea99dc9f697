// The description of a scene: plain structs with sound defaults. `Model` validates and compiles it.
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

// --- bodies and what is attached to them ---

/// A solid of even density, its centre of mass at the origin.
struct Solid {
  enum class Kind { none, box, sphere, cylinder, plate };
  Kind kind = Kind::none;
  /// box: its edges. sphere: its radius, first. cylinder: radius and length, its axis along z.
  /// plate: its edges along x and y; it has no thickness [m].
  Vec3 size = Vec3::Zero();

  [[nodiscard]] double volume() const;  ///< [m^3]; of a plate its area [m^2]
  /// Inertia of that solid of that mass, about its centre [kg m^2].
  [[nodiscard]] Eigen::Matrix3d inertia(double mass) const;
};

/// A rigid body. Its axes start as the world's, turned by `orientation`.
struct Body {
  std::string name;
  double mass = 0;                                    ///< [kg]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about its centre, body axes [kg m^2]
  Vec3 position = Vec3::Zero();                       ///< of its centre of mass [m]
  Eigen::Quaterniond orientation{1, 0, 0, 0};         ///< turns body axes into world axes
  Vec3 velocity = Vec3::Zero();                       ///< of its centre, world axes [m/s]
  Vec3 angular_velocity = Vec3::Zero();               ///< world axes [rad/s]
  Solid shape;                                        ///< what it looks like
};

/// A named place on a body or on the ground: what cables and joints attach to. Every body has one
/// at its centre of mass, under its own name.
struct Frame {
  std::string name;
  std::string body;  ///< empty: the ground
  Vec3 position =
      Vec3::Zero();  ///< from the body's centre, body axes; on the ground world axes [m]
  /// On the ground only: displacement from `position` in time, world axes [m].
  std::array<Signal, 3> motion{Signal(0.0), Signal(0.0), Signal(0.0)};
};

enum class JointKind {
  pin,        ///< two points stay together: a ball joint
  weld,       ///< nothing moves
  hinge,      ///< turns about `axis`
  slider,     ///< travels along `axis`
  cylinder,   ///< turns about `axis` and travels along it
  universal,  ///< turns about `axis`, fixed in the first body, and `second_axis`, in the second
  distance    ///< two points keep their distance
};

/// What makes a joint or a cable move by itself: a position or a velocity as a function of time.
struct Drive {
  enum class Kind { none, position, velocity };
  Kind kind = Kind::none;
  Signal value = 0.0;  ///< [m] or [rad], from the start; of `distance` the distance itself
  /// Velocity only: speed lost for each unit of force or torque [m/(s N), rad/(s N m)].
  Signal slip = 0.0;
};

/// The range a travel, turn or distance may have; beyond it the joint pushes back.
struct Limits {
  double lowest = -std::numeric_limits<double>::infinity();  ///< [m] or [rad]
  double highest = std::numeric_limits<double>::infinity();
};

/// Joins two frames. What it holds is as the bodies are at the start, where the frames must meet.
struct Joint {
  std::string name;
  JointKind kind = JointKind::pin;
  std::string first, second;          ///< frames; travel and turn are those of the second
  Vec3 axis = Vec3::UnitZ();          ///< world axes at the start
  Vec3 second_axis = Vec3::UnitX();   ///< of `universal`: world axes at the start
  Drive travel, turn;                 ///< along and about the axis; of `distance` travel
  Limits travel_limits, turn_limits;  ///< [m], [rad]
  double compliance = 0;              ///< of what holds points and distances [m/N]
  double angular_compliance = 0;      ///< of what holds directions [rad/(N m)]
};

/// force * strength(t) at a frame of a body and moment * strength(t) on the body, world axes.
struct BodyForce {
  std::string frame;
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 moment = Vec3::Zero();  ///< [N m]
  Signal strength = 1.0;
};

// --- cables ---

enum class CableModel {
  ancf,     ///< position and slope at every node: bending, large rotation
  np_fem,   ///< position at every node, straight between: no bending
  massless  ///< no unknowns of its own: stretch and twist over the whole route
};

/// The shape in which a cable starts.
enum class Initial {
  straight,  ///< straight from point to point of its route, stretched evenly
  catenary,  ///< hanging from point to point by its weight, as a cable that does not bend
  points,    ///< a smooth curve through the points of its route
  rest       ///< of the whole scene: where everything is in balance
};

/// A stop of a massless cable: it ends there, or slides over it.
struct Contact {
  std::string frame;
  double radius = 0;         ///< of the pulley's groove [m]; 0: a point
  Vec3 axis = Vec3::Zero();  ///< of the pulley, about which the cable turns by the right hand;
                             ///< world axes at the start
  double friction = 0;       ///< between the cable and what it passes over, Coulomb's mu [-]
  bool grip = false;         ///< the cable does not slip there: it turns the pulley's body
};

/// A cable. At the start it goes from point to point of its route: start, via, end. Nodes are
/// numbered 0 (start) to `elements` (end); see span_elements for those at the points between.
/// A massless cable has no nodes: its route are the `contacts`, ends included.
struct Cable {
  std::string name;
  CableModel model = CableModel::ancf;
  Section section;
  Vec3 start = Vec3::Zero();  ///< [m]
  Vec3 end = Vec3::UnitX();   ///< [m]
  /// Points between start and end that the cable passes through at the start [m]. They hold
  /// nothing: pin the nodes there for that.
  std::vector<Vec3> via;
  std::optional<Initial> initial;  ///< its shape at the start; none: as the scene says
  double length = 0;  ///< unstretched length [m], shared out over the route; 0: the route's length
  std::vector<Contact> contacts;  ///< massless only
  Signal payout = 0.0;            ///< massless: added to the length, paid out at the start [m]
  Drive drive;                    ///< massless: the rate of its length is given, instead of stretch
  bool pushes = false;            ///< massless: it also pushes when compressed, like a rod
  int elements = 10;
  StrainMeasure strain = StrainMeasure::engineering;  ///< ancf; the others know no other one
  CurvatureMeasure curvature = CurvatureMeasure::second_derivative;
  int axial_points = 5;          ///< Gauss points for the axial force, 3 to 7; 5 is exact for Green
  int bending_points = 3;        ///< Gauss points for bending, 2 to 7
  bool lumped_mass = false;      ///< np-fem: half an element's mass at each node
  bool tension_only = false;     ///< np-fem: elements go slack instead of being compressed
  Vec3 velocity = Vec3::Zero();  ///< initial velocity of every point [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< added: a rotation about `start` [rad/s]
};

/// How many elements each span of a cable's route gets, from the start: via.size() + 1 numbers that
/// add up to `elements`, in proportion to the spans' lengths, at least one each. The node at via[k]
/// is the sum of the first k + 1 of them. Throws Error when the points make no route.
std::vector<int> span_elements(const Cable& cable);

/// A node of a cable. Negative numbers count from the end: -1 is the last node.
struct Place {
  std::string cable;
  int node = 0;
};

/// Holds a node where it is at the start; it may turn freely.
struct Pin {
  Place at;
};

/// Holds a node and the direction of the cable there. The length of the slope r' stays free, so
/// that the cable can stretch up to the clamp.
struct Clamp {
  Place at;
  bool position = true;       ///< false: the direction alone is held, the node may move
  Vec3 axis = Vec3::UnitZ();  ///< about which the direction turns, world axes
  Signal turn = 0.0;          ///< by that angle since the start [rad]
};

/// Holds a node to a frame of a body or of the ground.
struct Attachment {
  Place at;
  std::string frame;
  bool direction = false;  ///< also the direction of the cable, as it is at the start
};

/// Two nodes that stay together, of one cable or of two.
struct Junction {
  Place first, second;
};

/// A node's coordinates: position and slope r' (unit tangent when unstretched).
enum class Coordinate { x, y, z, slope_x, slope_y, slope_z };

/// One coordinate of a node follows a function of time [m] (slope: no unit).
struct Motion {
  Place at;
  Coordinate coordinate = Coordinate::x;
  Signal value;
};

/// sum of factor * coordinate = value(t): a general linear condition on one or more nodes. Its
/// multiplier is part of the solution; see Model::rows().
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

/// A stiff load enters the tangent of the implicit step; a non-stiff one is evaluated once a step.
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

/// A lump of mass at a node [kg]; it has weight and inertia but no size.
struct PointMass {
  Place at;
  double mass = 0;
};

/// A plane that cables lie on: it pushes back by depth and by the speed of sinking in.
struct Ground {
  double height = 0;            ///< along `normal`, from the origin [m]
  Vec3 normal = Vec3::UnitZ();  ///< away from the ground
  double stiffness = 1e4;       ///< force per metre of cable and metre of depth [N/m^2]
  double damping = 0;           ///< its viscosity over its stiffness [s]
};

/// What everything is immersed in: buoyancy, and drag by the speed against it.
struct Fluid {
  double density = 0;            ///< [kg/m^3]
  Vec3 velocity = Vec3::Zero();  ///< of the current or wind [m/s]
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
};

}  // namespace hawser

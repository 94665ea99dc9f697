// Scene description: plain structs with sensible defaults. `Model` validates and compiles it.
// SI units throughout: m, kg, s, N, Pa, rad.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hawser/profile.h"
#include "hawser/section.h"
#include "hawser/signal.h"

namespace hawser {

using Vec3 = Eigen::Vector3d;

// --- bodies, frames and joints ---

/// A closed convex surface (hawser/polyhedron.h).
struct Polyhedron {
  std::vector<Vec3> corners;            ///< [m]
  std::vector<std::vector<int>> faces;  ///< counterclockwise seen from outside
};

/// A solid of uniform density with its centre of mass at the origin.
struct Solid {
  enum class Kind { none, box, sphere, cylinder, plate, capsule, mesh };
  Kind kind = Kind::none;
  /// box: edge lengths. sphere: radius (first component). cylinder: radius and length, axis along
  /// z. capsule: the same, with half a sphere beyond each end of the length. plate: edge lengths
  /// along x and y, no thickness. mesh: edge lengths of the box about the origin that holds it [m].
  Vec3 size = Vec3::Zero();
  std::shared_ptr<const Polyhedron> mesh{};  ///< its surface; see solid_of() in hawser/polyhedron.h

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
  Solid shape;                                        ///< for display and contact
};

/// A named point on a body, to which cables and joints attach. Every body has a frame at its centre
/// of mass with the name of the body.
struct Frame {
  std::string name;
  std::string body;
  Vec3 position = Vec3::Zero();  ///< from the body's centre, body axes [m]
};

/// A fixed or moving point of the world that holds cables and joints.
struct Support {
  std::string name;
  Vec3 position = Vec3::Zero();  ///< [m]
  /// Displacement from `position` over time, world axes [m].
  std::array<Signal, 3> motion{Signal(0.0), Signal(0.0), Signal(0.0)};
  /// Direction in which the cables held there can slide freely.
  std::optional<Vec3> slides{};
  /// Rotation of the directions of the cables clamped there, since the start.
  struct Turn {
    Vec3 axis = Vec3::UnitZ();  ///< world axes
    Signal angle = 0.0;         ///< [rad]
  };
  std::optional<Turn> turn{};
  /// What cables touch (Contact), centred at the support; it moves and turns with it.
  Solid shape{};
  Eigen::Quaterniond orientation{1, 0, 0, 0};  ///< of the shape at the start
  /// Away from a plane through the support, on which cables lie (Stop::along).
  std::optional<Vec3> normal{};
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
  /// Frames, bodies or supports; travel and turn are of the second relative to the first.
  std::string first, second;
  Vec3 axis = Vec3::UnitZ();          ///< world axes at the start
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

// --- winches ---

/// A drum and how cable lies on it, in layers of turns side by side. Layer i = 1, 2, ... has its
/// centre line at the radius R_i = radius + cable/2 + (i - 1) q, with q = sqrt(3)/2 cable if nested
/// and q = cable otherwise.
struct Drum {
  double radius = 0;  ///< of its surface [m]
  double cable = 0;   ///< diameter of the cable on it [m]; 0: `radius` is that of the centre line
  double width = std::numeric_limits<double>::infinity();  ///< between its flanges [m]; infinite:
                                                           ///< one layer without an end, wound in
                                                           ///< one plane
  double pitch = 0;        ///< axial distance of neighbouring turns [m]; 0: `cable`
  int layers = 1;          ///< at most
  bool nested = true;      ///< turns lie in the grooves between those below
  bool left_hand = false;  ///< the first layer is wound along -axis, else along +axis
};

/// What turns a drum. A positive turn pays out.
struct Motor {
  enum class Kind {
    none,
    torque,  ///< `value` is its torque [N m]
    rate,    ///< `value` is the turn rate of the drum [rad/s], held with `most_torque` at most
    curve    ///< sign(u) |u| f(sign(u) omega) with the command u = `value` and f = `curve`
  };
  Kind kind = Kind::none;
  Signal value = 0.0;
  double most_torque = std::numeric_limits<double>::infinity();  ///< rate [N m]
  struct Point {
    double rate, torque;  ///< [rad/s], [N m]
  };
  std::vector<Point> curve;  ///< torque by turn rate, linear between points of increasing rate
  /// curve: beyond its ends the first and the last line go on; otherwise the torque is constant.
  bool extends = false;
};

/// A brake that holds the drum by friction, and slips beyond its torque.
struct Brake {
  double torque = 0;         ///< [N m]
  Signal on = 1.0;           ///< above 0.5: applied
  double delay = 0;          ///< from `on` to the torque [s]
  double release_delay = 0;  ///< from the end of `on` to that of the torque [s]
};

/// A drum that turns about an axis of a support or a body, with the cable on it. On a body its mass
/// and its inertia, as if it did not turn, are those of the body.
struct Winch {
  std::string name;
  std::string on;             ///< a support, a body or a frame: the middle of the drum
  Vec3 axis = Vec3::UnitY();  ///< world axes at the start; the cable leaves the drum about it by
                              ///< the right-hand rule: a positive turn pays out
  Drum drum;
  double inertia = 0;     ///< about the axis, without the cable on it [kg m^2]
  double wound = 0;       ///< length on the drum at the start, in addition to the cable's [m]
  double turns_kept = 0;  ///< turns that stay on the drum: there is a stop
  Motor motor;
  std::optional<Brake> brake;
  bool slack_switch = false;  ///< a slack cable while paying out cuts the motor, applies the brake
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

/// Where the nodes of a cable are that slides or is paid out (docs/theory/flow.md).
enum class FlowMesh {
  material,  ///< on the material; elements beside hand-overs divide and merge
  running    ///< in place: the material runs through them
};

/// How a cable with elements meets the pulleys of its route.
enum class PulleyMeeting {
  flow,    ///< the circle holds it: the material runs over it between two nodes
  contact  ///< its elements lie on a cylinder and touch it (Contact)
};

/// A plane on which a straight part of a cable lies by its weight, and slides: Coulomb friction,
/// regularized. The cable does not leave it.
struct Along {
  std::string on;                ///< a support with a normal
  double friction = 0;           ///< coefficient [-]
  double regularization = 1e-3;  ///< speed below which friction is proportional to it [m/s]
};

/// A point of a cable's route.
struct Stop {
  enum class Kind {
    free,   ///< `point` shapes the cable at the start and does not hold it; a massless cable slides
            ///< over it
    hold,   ///< holds the cable; a massless cable is held at its ends and slides over the others
    clamp,  ///< also holds the direction of an ancf cable
    over,   ///< the cable slides over a pulley, or over a point: through an eyelet
    wind    ///< massless at an end, ancf at the first: wound on the drum of a winch
  };
  Kind kind = Kind::free;
  Vec3 point = Vec3::Zero();   ///< free [m]
  std::string on;              ///< hold, clamp, over: a support, a body or a frame; wind: a winch
  double radius = 0;           ///< over: of the pulley's groove [m]; 0: a point
  Vec3 axis = Vec3::Zero();    ///< over: of the pulley; the cable wraps about it by the right-hand
                               ///< rule; world axes at the start
  double friction = 0;         ///< over: Coulomb friction coefficient of the cable [-]
  double inertia = 0;          ///< over, not massless: of a pulley that turns on its mount, about
                               ///< its axis; without `friction` the cable does not slip [kg m^2]
  double bearing_torque = 0;   ///< over, with `inertia`: of the friction of its bearing [N m]
  bool grip = false;           ///< over: the cable does not slip: it rotates the pulley, which is
                               ///< its body or has an inertia of its own
  std::optional<Along> along;  ///< ancf: what the cable lies on from here to the next stop

  Stop() = default;
  template <class Derived>
  Stop(const Eigen::MatrixBase<Derived>& at)  // NOLINT(google-explicit-constructor): a point
      : point(at) {}
  Stop(double x, double y, double z) : point(x, y, z) {}
  static Stop hold(std::string on) { return {Kind::hold, std::move(on)}; }
  static Stop clamp(std::string on) { return {Kind::clamp, std::move(on)}; }
  static Stop wind(std::string winch) { return {Kind::wind, std::move(winch)}; }
  static Stop over(std::string on, double radius = 0, const Vec3& axis = Vec3::Zero()) {
    Stop stop(Kind::over, std::move(on));
    stop.radius = radius;
    stop.axis = axis;
    return stop;
  }
  /// What messages call it: the name, or "[x, y, z]".
  [[nodiscard]] std::string text() const;

 private:
  Stop(Kind k, std::string name) : kind(k), on(std::move(name)) {}
};

/// A section over a part of a cable. Its length counts towards that of the cable, and makes it up
/// where the cable states none.
struct SectionPart : Section {
  double length = 0;  ///< unstretched [m]; 0: what the others leave, for at most one part

  SectionPart() = default;
  SectionPart(const Section& section, double part = 0)  // NOLINT(google-explicit-constructor)
      : Section(section), length(part) {}
};

/// What a massless cable becomes while it is slack (docs/theory/fidelity.md): a cable with
/// elements, whose mass is then there.
struct WhenSlack {
  CableModel model = CableModel::ancf;  ///< ancf or np_fem
  /// It changes when the way along its route is shorter than its length by more than this share of
  /// it, and back when it is stretched and hardly bends or vibrates.
  double limit = 1e-3;
};

/// A cable. Its route is the same for every model, which can be exchanged by its name alone, except
/// that np-fem cables do not slide (Stop::Kind::over).
struct Cable {
  std::string name;
  CableModel model = CableModel::ancf;
  std::vector<SectionPart> sections{SectionPart()};  ///< from the start to the end
  std::vector<Stop> route{{0, 0, 0}, {1, 0, 0}};     ///< from the start to the end, two or more
  std::optional<Initial> initial;                    ///< initial shape; not set: that of the scene
  double length = 0;  ///< unstretched length [m], distributed over the route; 0: the route's length
  /// Cables with elements: the end is joined to the start, with its slope. The route ends where it
  /// starts.
  bool closed = false;
  Signal payout = 0.0;  ///< massless, ancf: added to the length, at the start of the cable [m]
  /// Prescribed rate of length, at the start of the cable. massless: instead of stretch; ancf: of
  /// its unstretched length.
  Drive drive;
  std::optional<Signal> tension;  ///< ancf: with which a winch holds the start of the cable [N]
  bool pushes = false;            ///< massless: also carries compression, like a rod
  std::optional<WhenSlack> when_slack{};  ///< massless; not set: it stays massless
  /// Shared out among the spans of the route by length, at least one each. There is a node at every
  /// stop and wherever the scene names a place.
  int elements = 10;
  /// ancf cables that slide or are paid out: of the elements that come and go; 0: the length
  /// divided by `elements` [m].
  double element_length = 0;
  FlowMesh mesh = FlowMesh::material;                 ///< ancf cables that slide or are paid out
  PulleyMeeting pulleys = PulleyMeeting::flow;        ///< ancf, np-fem
  StrainMeasure strain = StrainMeasure::engineering;  ///< ancf; other models: engineering only
  CurvatureMeasure curvature = CurvatureMeasure::second_derivative;
  int axial_points = 5;          ///< Gauss points for the axial force, 3 to 7; 5 is exact for Green
  int bending_points = 3;        ///< Gauss points for bending, 2 to 7
  bool lumped_mass = false;      ///< np-fem: half of an element's mass at each node
  bool tension_only = false;     ///< np-fem: elements go slack instead of carrying compression
  Vec3 velocity = Vec3::Zero();  ///< initial velocity of every point [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< added to it: rotation about the first stop [rad/s]
};

/// A point of a cable with elements, by unstretched arc length from its start.
struct Place {
  std::string cable;
  double s = 0;              ///< [m], or as a fraction of the cable's length
  bool is_fraction = false;  ///< s is a fraction

  Place() = default;
  static Place start(std::string cable) { return {std::move(cable), 0, true}; }
  static Place end(std::string cable) { return {std::move(cable), 1, true}; }
  static Place at(std::string cable, double s) { return {std::move(cable), s, false}; }
  static Place fraction(std::string cable, double part) { return {std::move(cable), part, true}; }
  /// What messages call it: "0.5 m from the start of cable 'rope'".
  [[nodiscard]] std::string text() const;

 private:
  Place(std::string on, double along, bool part)
      : cable(std::move(on)), s(along), is_fraction(part) {}
};

/// Two coincident places, of one cable or of two.
struct Junction {
  Place first, second;
};

/// The coordinates of a cable at a place: position and slope r' (unit tangent when unstretched).
enum class Coordinate { x, y, z, slope_x, slope_y, slope_z };

/// sum of factor * coordinate = value(t): a general linear condition at one or more places. Its
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

/// A stiff load enters the tangent of the implicit step; a non-stiff one is evaluated once, where
/// the step is linearized (docs/theory/integrators.md).
enum class Stiffness { stiff, non_stiff };

/// force * strength(t) at a place [N].
struct PointForce {
  Place at;
  Vec3 force = Vec3::Zero();
  Signal strength = 1.0;
};

/// force * strength(t) per unstretched metre over a cable or a part of it [N/m].
struct DistributedForce {
  std::string cable;
  Vec3 force = Vec3::Zero();
  Signal strength = 1.0;
  double from = 0;  ///< start of the part, unstretched arc length [m]
  double to = std::numeric_limits<double>::infinity();  ///< its end [m]; infinity: the cable's
  /// The strength by arc length within the part; none: `strength` everywhere.
  Profile along{};
};

/// A moment * strength(t) at a place [N m], fixed in space: slope force (M x r')/|r'|^2.
struct Moment {
  Place at;
  Vec3 moment = Vec3::Zero();
  Signal strength = 1.0;
  Stiffness stiffness = Stiffness::stiff;
};

/// A point mass at a place [kg], with weight and inertia.
struct PointMass {
  Place at;
  double mass = 0;
};

/// A point of a body that slides along a cable with elements: a carriage on a ropeway, a ring on a
/// rope. It transmits no torque (docs/theory/sliding.md).
struct SlidingJoint {
  std::string name;
  std::string cable;
  std::string body;     ///< a body or a frame of one; it starts on the cable
  double friction = 0;  ///< Coulomb friction coefficient [-]
  /// Stops, by unstretched arc length from the start of the cable [m]; default: the cable's ends.
  Limits stops;
  bool leaves = false;  ///< beyond a stop the body leaves the cable instead of being stopped
};

/// A plane that supports cables. Its force depends on depth and penetration speed.
struct Ground {
  double height = 0;            ///< along `normal`, from the origin [m]
  Vec3 normal = Vec3::UnitZ();  ///< pointing away from the ground
  double stiffness = 1e4;       ///< force per metre of cable and metre of depth [N/m^2]
  double damping = 0;           ///< viscosity / stiffness [s]
  bool non_stiff = false;       ///< its force is (Stiffness)
};

enum class FrictionLaw {
  bristle,  ///< with a memory: holds without creep
  hollars   ///< by the sliding speed (Hollars 1988): creeps under load
};

/// Cables with elements touch the shapes of bodies and supports, or the ground, with Coulomb
/// friction: docs/theory/contact.md.
struct Contact {
  std::string name;
  std::vector<std::string> cables;
  std::vector<std::string> shapes;  ///< bodies and supports with a shape, or "ground"
  /// Pulleys (Stop::over) that the cables lie on, as cylinders: of cables that meet them so.
  std::vector<Stop> pulleys;
  double friction = 0;                     ///< coefficient where it sticks [-]
  std::optional<double> kinetic_friction;  ///< where it slips; not set: `friction`
  double stiffness = 0;        ///< force per metre of cable and metre of depth [N/m^2]; 0: chosen
  double damping_time = 1e-3;  ///< viscosity / stiffness along the normal [s]
  /// Speed after an impact over that before it; 0: `damping_time` decides. Above 0 the damping
  /// follows from it.
  double restitution = 0;
  FrictionLaw friction_law = FrictionLaw::bristle;
  double transition_speed = 1e-3;  ///< hollars: at which friction is largest [m/s]
  int points = 3;                  ///< per element
};

/// The surrounding fluid: buoyancy, drag from the relative velocity, and added mass.
struct Fluid {
  double density = 0;            ///< [kg/m^3]
  Vec3 velocity = Vec3::Zero();  ///< of the current or wind [m/s]
  bool non_stiff = false;        ///< drag is (Stiffness)
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
  bool hidden = false;                  ///< of the hand: neither recorded nor reported
};

/// The inputs of the hand (Scene::hand), in this order at the end of Scene::inputs: "hand.on", ...
enum class HandInput {
  on,  ///< what it holds: 0 nothing, k the k-th body, -k the k-th cable, from 1
  at_x,
  at_y,
  at_z,  ///< on a body: from its centre, body axes; on a cable at_x: arc length [m]
  to_x,
  to_y,
  to_z,       ///< where it pulls to [m]
  stiffness,  ///< [N/m]
  damping     ///< [N s/m]
};
inline constexpr size_t hand_inputs = 9;

struct Scene {
  Vec3 gravity{0, 0, -9.81};  ///< [m/s^2]
  Initial initial = Initial::straight;
  std::optional<Ground> ground;
  std::optional<Fluid> fluid;
  std::vector<Support> supports;
  std::vector<Body> bodies;
  std::vector<Frame> frames;
  std::vector<Joint> joints;
  std::vector<Winch> winches;
  std::vector<Cable> cables;
  std::vector<Junction> junctions;
  std::vector<SlidingJoint> sliding_joints;
  std::vector<Contact> contacts;
  std::vector<BodyForce> body_forces;
  std::vector<LinearCondition> conditions;
  std::vector<PointForce> point_forces;
  std::vector<DistributedForce> distributed_forces;
  std::vector<Moment> moments;
  std::vector<PointMass> point_masses;
  std::vector<Input> inputs;
  /// There is a spring that pulls at any body or at the nearest node of any cable, driven by the
  /// inputs of HandInput. add_hand() sets it.
  bool hand = false;
};

/// Adds the hand and its inputs, after all others, unless the scene has them.
void add_hand(Scene& scene);

}  // namespace hawser

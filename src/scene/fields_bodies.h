// The fields of scene files, continued: bodies, joints, nets and pulleys.
#pragma once

#include <array>

#include "hawser/scene.h"
#include "scene/kinds.h"

namespace hawser {

// --- words ---

inline constexpr WordKind<CableModel> model_words{
    {{"ancf", CableModel::ancf, "position and slope at every node: bending, large rotations"},
     {"np-fem", CableModel::np_fem, "position at every node, straight elements: no bending"},
     {"massless", CableModel::massless, "no nodes: stretch over the whole route, pulleys"}}};

inline constexpr WordKind<CableModel> net_model_words{{model_words.words[1], model_words.words[0]}};

inline constexpr WordKind<JointKind> joint_words{
    {{"pin", JointKind::pin, "ball joint: two points coincide"},
     {"weld", JointKind::weld, "no relative motion"},
     {"hinge", JointKind::hinge, "rotates about its axis"},
     {"slider", JointKind::slider, "translates along its axis"},
     {"cylinder", JointKind::cylinder, "rotates about its axis and translates along it"},
     {"universal", JointKind::universal, "rotates about two perpendicular axes"},
     {"distance", JointKind::distance, "constant distance between two points"}}};

inline constexpr WordKind<FrictionLaw> friction_words{
    {{"bristle", FrictionLaw::bristle, "with a memory: what sticks does not creep"},
     {"hollars", FrictionLaw::hollars, "by the sliding speed: creeps under load"}}};

// --- bodies ---

struct CylinderText {
  Given<double> radius, length;
};
template <class V>
void describe(V& v, CylinderText& c) {
  v({"radius", "Radius.", true}, c.radius, QuantityKind{quantity::length, Sign::positive});
  v({"length", "Length along z.", true}, c.length, QuantityKind{quantity::length, Sign::positive});
}

struct MeshText {
  Given<Polyhedron> file;
  Given<double> scale{1.0};
};
template <class V>
void describe(V& v, MeshText& m) {
  v({"file",
     "STL or OBJ file of a closed convex surface, relative to the scene; or the surface itself, "
     "`{points: [[0, 0, 0], ...], faces: [[0, 2, 1], ...]}`, faces counterclockwise seen from "
     "outside, points counted from 0.",
     true},
    m.file, MeshKind{});
  v({"scale", "Length of a unit of the file."}, m.scale,
    QuantityKind{quantity::length, Sign::positive});
}

struct ShapeText {
  Given<Eigen::Vector3d> box;
  Given<double> sphere;
  Given<CylinderText> cylinder, capsule;
  Given<std::array<double, 2>> plate;
  Given<MeshText> mesh;
};
template <class V>
void describe(V& v, ShapeText& s) {
  v({"box", "Edge lengths along x, y and z."}, s.box, VectorKind{quantity::length, Sign::positive});
  v({"sphere", "Radius."}, s.sphere, QuantityKind{quantity::length, Sign::positive});
  v({"cylinder", "Circular cylinder with its axis along z."}, s.cylinder, OptionalObjectKind{});
  v({"capsule", "Circular cylinder along z with half a sphere beyond each end of its length."},
    s.capsule, OptionalObjectKind{});
  v({"plate", "Edge lengths along x and y; no thickness."}, s.plate,
    PairKind{quantity::length, "x", "y", Sign::positive});
  v({"mesh",
     "Convex polyhedron. The centre of its volume is at the position of the body or "
     "support; its axes are those of the file."},
    s.mesh, OptionalObjectKind{});
}

struct OrientationText {
  Given<Eigen::Vector3d> axis;
  Given<double> angle;
  Given<Eigen::Quaterniond> quaternion;
};
template <class V>
void describe(V& v, OrientationText& o) {
  v({"axis", "Rotation axis, used with `angle`: x, y, z or a vector."}, o.axis, DirectionKind{});
  v({"angle", "Rotation angle."}, o.angle, QuantityKind{quantity::angle});
  v({"quaternion", "Quaternion [w, x, y, z] instead of axis and angle; it is normalized."},
    o.quaternion, QuaternionKind{});
}

struct BodyText {
  Given<ShapeText> shape;
  Given<double> mass, density;
  Given<std::vector<double>> inertia;
  Given<Eigen::Vector3d> position;
  Given<OrientationText> orientation;
  Given<Eigen::Vector3d> velocity{Eigen::Vector3d::Zero()},
      angular_velocity{Eigen::Vector3d::Zero()};
  Given<std::vector<NamedPoint>> frames;
};
template <class V>
void describe(V& v, BodyText& b) {
  v({"shape", "A solid of uniform density, centred at the centre of mass: exactly one of these."},
    b.shape, OptionalObjectKind{});
  const bool plate = b.shape.value && b.shape->plate.value;  // known once the shape is read
  v({"mass", "Mass. Alternatively, give the density of the shape."}, b.mass,
    QuantityKind{quantity::mass, Sign::positive});
  v({"density", "Density of the shape; for a plate mass per area [kg/m^2]."}, b.density,
    QuantityKind{plate ? quantity::mass_per_area : quantity::density, Sign::positive});
  v({"inertia",
     "Inertia about the centre of mass in body axes; xy is the matrix entry, minus the integral of "
     "x y. Overrides the inertia of the shape."},
    b.inertia, TensorKind{quantity::moment_of_inertia});
  v({"position", "Initial position of the centre of mass.", true}, b.position,
    VectorKind{quantity::length});
  v({"orientation", "Initial orientation; default: body axes equal world axes."}, b.orientation,
    OptionalObjectKind{});
  v({"velocity", "Initial velocity of the centre of mass, world axes."}, b.velocity,
    VectorKind{quantity::velocity});
  v({"angular_velocity", "Initial angular velocity, world axes."}, b.angular_velocity,
    VectorKind{quantity::angular_velocity});
  v({"frames",
     "Named points on the body, relative to its centre of mass in body axes: `hook: [0, 0, 1 m]` "
     "of "
     "the body `load` is `load.hook` in routes, joints and loads. `load` alone is its centre of "
     "mass."},
    b.frames, PointsKind{});
}

// --- joints ---

struct JointText {
  Given<JointKind> kind;
  Given<std::array<std::string, 2>> between;
  Given<Eigen::Vector3d> axis, second_axis;
  Given<TimeFunction> turn, turn_rate, travel, travel_rate, slip;
  Given<std::array<double, 2>> turn_limits, travel_limits;
  Given<double> compliance{0.0}, angular_compliance{0.0};
};
template <class V>
void describe(V& v, JointText& j) {
  v({"kind", "Joint type.", true}, j.kind, joint_words);
  v({"between",
     "The two connected points: supports, bodies or frames of bodies. They must coincide at the "
     "start, except for distance.",
     true},
    j.between, FramePairKind{});
  v({"axis", "hinge, slider, cylinder, universal: initial axis, x, y, z or a vector."}, j.axis,
    DirectionKind{});
  v({"second_axis", "universal: perpendicular to the first axis, fixed in the second body."},
    j.second_axis, DirectionKind{});
  v({"turn", "hinge, cylinder: rotation angle of the second body since the start."}, j.turn,
    FunctionKind{quantity::angle, true});
  v({"turn_rate", "The same, prescribed by its rate."}, j.turn_rate,
    FunctionKind{quantity::angular_velocity});
  v({"travel",
     "slider, cylinder: displacement of the second body along the axis since the start; distance: "
     "the distance itself."},
    j.travel, FunctionKind{quantity::length, true});
  v({"travel_rate", "The same, prescribed by its rate."}, j.travel_rate,
    FunctionKind{quantity::velocity});
  v({"slip",
     "With a rate: loss of speed per unit of force; with turn_rate per unit of torque "
     "[rad/s/N/m]."},
    j.slip, FunctionKind{j.turn_rate.value ? quantity::angular_slip : quantity::slip});
  v({"turn_limits", "Range of the turn, which starts at 0."}, j.turn_limits,
    PairKind{quantity::angle, "lowest", "highest"});
  v({"travel_limits", "Range of the travel, which starts at 0; distance: range of the distance."},
    j.travel_limits, PairKind{quantity::length, "lowest", "highest"});
  v({"compliance", "Compliance of the translational constraints."}, j.compliance,
    QuantityKind{quantity::compliance, Sign::not_negative});
  v({"angular_compliance", "Compliance of the rotational constraints."}, j.angular_compliance,
    QuantityKind{quantity::angular_compliance, Sign::not_negative});
}

// --- pulleys, nets, junctions ---

struct ClampText {
  Given<std::string> clamp;
};
template <class V>
void describe(V& v, ClampText& c) {
  v({"clamp",
     "Support, body or frame that holds the cable and its direction; np-fem has no bending, so "
     "only "
     "the position is held.",
     true},
    c.clamp, FrameKind{});
}

struct OverText {
  Given<std::string> over;
  Given<double> radius{0.0};
  Given<Eigen::Vector3d> axis;
  Given<double> friction{0.0};
  Given<double> inertia{0.0}, bearing_torque{0.0};
  Given<bool> grip{false};
};
template <class V>
void describe(V& v, OverText& o) {
  v({"over",
     "Support, body or frame over which the cable slides; without a radius as through an eyelet.",
     true},
    o.over, FrameKind{});
  v({"radius", "Radius of the pulley's groove; 0: a point."}, o.radius,
    QuantityKind{quantity::length, Sign::not_negative});
  v({"axis", "Initial axis of the pulley. The cable wraps about it by the right-hand rule."},
    o.axis, DirectionKind{});
  v({"friction",
     "Coulomb friction coefficient between the cable and the pulley or point. The pulley does not "
     "turn on its mount, unless it has an `inertia`."},
    o.friction, QuantityKind{quantity::number, Sign::not_negative});
  v({"inertia",
     "ancf, np-fem: moment of inertia of a pulley that turns on its mount. Without `friction` the "
     "cable does not slip on it."},
    o.inertia, QuantityKind{quantity::moment_of_inertia, Sign::not_negative});
  v({"bearing_torque",
     "With `inertia`: torque of the friction in the bearing; below it the pulley does not turn."},
    o.bearing_torque, QuantityKind{quantity::moment, Sign::not_negative});
  v({"grip",
     "No slip: the cable rotates the pulley, which is its body, or has an `inertia` of its own."},
    o.grip, FlagKind{});
}

struct ThroughText {
  Given<std::string> through;
  Given<double> friction{0.0};
};
template <class V>
void describe(V& v, ThroughText& t) {
  v({"through", "Support, body or frame with an eyelet through which the cable slides.", true},
    t.through, FrameKind{});
  v({"friction", "Coulomb friction coefficient between the cable and the eyelet."}, t.friction,
    QuantityKind{quantity::number, Sign::not_negative});
}

struct AlongText {
  Given<std::string> along;
  Given<double> friction{0.0}, regularization{Along{}.regularization};
};
template <class V>
void describe(V& v, AlongText& a) {
  v({"along",
     "Support with a `normal`: between the points before and after this one the cable lies on the "
     "plane through it, straight at the start. No point of the route itself.",
     true},
    a.along, NameKind{"supports"});
  v({"friction", "Coulomb friction coefficient between the cable and the plane."}, a.friction,
    QuantityKind{quantity::number, Sign::not_negative});
  v({"regularization",
     "Speed below which friction is proportional to the speed: the cable creeps instead of "
     "sticking."},
    a.regularization, QuantityKind{quantity::velocity, Sign::positive});
}

struct ContactText {
  Given<std::vector<Line>> between;
  Given<double> friction{0.0}, kinetic_friction;
  Given<FrictionLaw> friction_law{Contact{}.friction_law};
  Given<double> transition_speed;
  Given<double> stiffness, damping_time{Contact{}.damping_time}, restitution;
  Given<int> points{Contact{}.points};
};
template <class V>
void describe(V& v, ContactText& c) {
  v({"between",
     "What touches: one or more cables, and one or more bodies and supports with a "
     "shape, or `ground`. Every cable may touch every one of the others; massless cables lie on "
     "shapes, not on the ground, without friction. Where it names cables alone, all with elements "
     "or all massless, they touch each other; one with elements that is named twice touches "
     "itself. Without a "
     "cable: "
     "bodies, which touch each other and the rest.",
     true},
    c.between, LinesKind{"names"});
  v({"friction", "Coulomb friction coefficient of what sticks."}, c.friction,
    QuantityKind{quantity::number, Sign::not_negative});
  v({"kinetic_friction", "The same of what slips; default: `friction`."}, c.kinetic_friction,
    QuantityKind{quantity::number, Sign::not_negative});
  v({"friction_law", "How friction depends on the motion."}, c.friction_law, friction_words);
  v({"transition_speed", "hollars: sliding speed at which friction is largest; default: 1 mm/s."},
    c.transition_speed, QuantityKind{quantity::velocity, Sign::positive});
  v({"stiffness",
     "Force per metre of cable and metre of depth. Default: stiff enough that a cable sinks in by "
     "a "
     "thousandth of the radius that it wraps and a hundredth of its diameter where it lies. "
     "Between "
     "cables the metre of cable is the sum of their radii."},
    c.stiffness, QuantityKind{quantity::ground_stiffness, Sign::positive});
  v({"damping_time", "Viscosity divided by stiffness, along the normal; 0: things bounce."},
    c.damping_time, QuantityKind{quantity::time, Sign::not_negative});
  v({"restitution",
     "Speed after an impact over that before it, above 0 to 1, instead of `damping_time`, which "
     "follows from it; the steps must resolve the impact. Default: none, impacts follow from "
     "`damping_time`."},
    c.restitution, QuantityKind{quantity::number, Sign::positive, 1, 0.01});
  v({"points", "Points per element that touch; between cables, straight parts of a bent element."},
    c.points, CountKind{1, 16});
}

struct NetText {
  Given<std::string> section;
  Given<std::vector<Stop>> corners;
  Given<std::array<int, 2>> meshes;
  Given<int> elements{1};
  Given<CableModel> model{CableModel::np_fem};
  Given<double> slack{0.0};
  Given<bool> lumped_mass{false}, tension_only{false};
};
template <class V>
void describe(V& v, NetText& n) {
  v({"section", "Cross-section of the threads: one of `sections`.", true}, n.section,
    NameKind{"sections"});
  v({"corners",
     "The four corners, in order around the net: coordinates, which are free; names of supports, "
     "bodies or frames, which hold it.",
     true},
    n.corners, RouteKind{4});
  v({"meshes",
     "Number of meshes along the first side and along the second. Rows are the cables `NAME-row-0` "
     "to `NAME-row-LAST`, along the first side; columns are `NAME-column-0` and so on, along the "
     "second. They are knotted where they cross.",
     true},
    n.meshes, CountPairKind{1, 1000});
  v({"elements", "Number of elements per side of a mesh."}, n.elements, CountKind{1, 1000});
  v({"model", "Cable model of the threads."}, n.model, net_model_words);
  v({"slack",
     "Extra length of the threads, as a fraction of the straight length; use `tension_only` so "
     "that "
     "they can hang."},
    n.slack, QuantityKind{quantity::number, Sign::not_negative, 10});
  v({"lumped_mass", "As for cables."}, n.lumped_mass, FlagKind{});
  v({"tension_only", "As for cables."}, n.tension_only, FlagKind{});
}

struct JunctionText {
  Given<std::array<PlaceOn, 2>> of;
};
template <class V>
void describe(V& v, JunctionText& j) {
  v({"of", "Two nodes with the same initial position: `[a@0.5, b@start]`.", true}, j.of,
    PlacePairKind{});
}

}  // namespace hawser

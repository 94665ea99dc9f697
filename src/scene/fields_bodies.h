// The language of scene files, continued: bodies, joints, nets, and what cables run over.
#pragma once

#include <array>

#include "hawser/scene.h"
#include "scene/kinds.h"

namespace hawser {

// --- words ---

inline constexpr WordKind<CableModel> model_words{
    {{"ancf", CableModel::ancf, "position and slope at every node: bending, large rotation"},
     {"np-fem", CableModel::np_fem, "position at every node, straight between: no bending"},
     {"massless", CableModel::massless, "no nodes: stretch over the whole route, over pulleys"}}};

inline constexpr WordKind<CableModel> net_model_words{{model_words.words[1], model_words.words[0]}};

inline constexpr WordKind<JointKind> joint_words{
    {{"pin", JointKind::pin, "two points stay together: a ball joint"},
     {"weld", JointKind::weld, "nothing moves"},
     {"hinge", JointKind::hinge, "turns about its axis"},
     {"slider", JointKind::slider, "travels along its axis"},
     {"cylinder", JointKind::cylinder, "turns about its axis and travels along it"},
     {"universal", JointKind::universal, "turns about two axes across each other"},
     {"distance", JointKind::distance, "two points keep their distance"}}};

// --- bodies ---

struct CylinderText {
  Given<double> radius, length;
};
template <class V>
void describe(V& v, CylinderText& c) {
  v({"radius", "Of the round.", true}, c.radius, QuantityKind{quantity::length, Sign::positive});
  v({"length", "Along z.", true}, c.length, QuantityKind{quantity::length, Sign::positive});
}

struct ShapeText {
  Given<Eigen::Vector3d> box;
  Given<double> sphere;
  Given<CylinderText> cylinder;
  Given<std::array<double, 2>> plate;
};
template <class V>
void describe(V& v, ShapeText& s) {
  v({"box", "Edges along x, y and z."}, s.box, VectorKind{quantity::length, Sign::positive});
  v({"sphere", "Radius."}, s.sphere, QuantityKind{quantity::length, Sign::positive});
  v({"cylinder", "Round, its axis along z."}, s.cylinder, OptionalObjectKind{});
  v({"plate", "Edges along x and y; it has no thickness."}, s.plate,
    PairKind{quantity::length, "x", "y", Sign::positive});
}

struct OrientationText {
  Given<Eigen::Vector3d> axis;
  Given<double> angle;
  Given<Eigen::Quaterniond> quaternion;
};
template <class V>
void describe(V& v, OrientationText& o) {
  v({"axis", "About which it is turned, with `angle`: x, y, z or a vector."}, o.axis,
    DirectionKind{});
  v({"angle", "By which it is turned."}, o.angle, QuantityKind{quantity::angle});
  v({"quaternion", "[w, x, y, z] instead, of any length."}, o.quaternion, QuaternionKind{});
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
  v({"shape", "A solid of even density, its centre at the body's: exactly one of these."}, b.shape,
    OptionalObjectKind{});
  const bool plate = b.shape.value && b.shape->plate.value;  // known once the shape is read
  v({"mass", "Mass; or give the density of the shape."}, b.mass,
    QuantityKind{quantity::mass, Sign::positive});
  v({"density", "Mass by volume of the shape; of a plate by its area [kg/m^2]."}, b.density,
    QuantityKind{plate ? quantity::mass_per_area : quantity::density, Sign::positive});
  v({"inertia",
     "About its centre of mass, in its own axes; xy is the entry of the matrix, minus the integral "
     "of x y. Goes before that of the shape."},
    b.inertia, TensorKind{quantity::moment_of_inertia});
  v({"position", "Of its centre of mass at the start.", true}, b.position,
    VectorKind{quantity::length});
  v({"orientation", "How it is turned at the start; its axes are the world's when not given."},
    b.orientation, OptionalObjectKind{});
  v({"velocity", "Of its centre of mass at the start, world axes."}, b.velocity,
    VectorKind{quantity::velocity});
  v({"angular_velocity", "At the start, world axes."}, b.angular_velocity,
    VectorKind{quantity::angular_velocity});
  v({"frames",
     "Named places on it, from its centre of mass in its own axes: `hook: [0, 0, 1 m]` of the body "
     "`load` is `load.hook` for routes, joints and loads. `load` alone is its centre of mass."},
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
  v({"kind", "What it lets move.", true}, j.kind, joint_words);
  v({"between",
     "The two it joins, which must meet at the start: supports, bodies or frames of bodies.", true},
    j.between, FramePairKind{});
  v({"axis",
     "Of hinge, slider, cylinder and universal: x, y, z or a vector, as it is at the start."},
    j.axis, DirectionKind{});
  v({"second_axis", "Of universal: across the first, fixed in the second body."}, j.second_axis,
    DirectionKind{});
  v({"turn", "Of hinge and cylinder: the angle the second has turned since the start."}, j.turn,
    FunctionKind{quantity::angle, true});
  v({"turn_rate", "The same by its rate."}, j.turn_rate, FunctionKind{quantity::angular_velocity});
  v({"travel",
     "Of slider and cylinder: the way the second has travelled since the start; of distance the "
     "distance itself."},
    j.travel, FunctionKind{quantity::length, true});
  v({"travel_rate", "The same by its rate."}, j.travel_rate, FunctionKind{quantity::velocity});
  v({"slip",
     "With a rate: speed lost for each unit of force; with turn_rate for each unit of torque "
     "[rad/s/N/m]."},
    j.slip, FunctionKind{j.turn_rate.value ? quantity::angular_slip : quantity::slip});
  v({"turn_limits", "Range of the turn, of which the start is 0."}, j.turn_limits,
    PairKind{quantity::angle, "lowest", "highest"});
  v({"travel_limits", "Range of the travel, of which the start is 0; or of the distance."},
    j.travel_limits, PairKind{quantity::length, "lowest", "highest"});
  v({"compliance", "How far points it holds give way, by force."}, j.compliance,
    QuantityKind{quantity::compliance, Sign::not_negative});
  v({"angular_compliance", "How far directions it holds give way, by torque."},
    j.angular_compliance, QuantityKind{quantity::angular_compliance, Sign::not_negative});
}

// --- what cables run over, nets, knots ---

struct ClampText {
  Given<std::string> clamp;
};
template <class V>
void describe(V& v, ClampText& c) {
  v({"clamp",
     "What holds the cable and its direction; of np-fem, which has no bending, the place alone.",
     true},
    c.clamp, FrameKind{});
}

struct OverText {
  Given<std::string> over;
  Given<double> radius{0.0};
  Given<Eigen::Vector3d> axis;
  Given<double> friction{0.0};
  Given<bool> grip{false};
};
template <class V>
void describe(V& v, OverText& o) {
  v({"over", "What a massless cable slides over: a support, a body or a frame of one.", true},
    o.over, FrameKind{});
  v({"radius", "Of the pulley's groove; 0 is a point."}, o.radius,
    QuantityKind{quantity::length, Sign::not_negative});
  v({"axis", "Of a pulley: the cable turns about it by the right hand; as it is at the start."},
    o.axis, DirectionKind{});
  v({"friction", "Between the cable and what it passes over, Coulomb's."}, o.friction,
    QuantityKind{quantity::number, Sign::not_negative});
  v({"grip", "The cable does not slip there: it turns the pulley's body."}, o.grip, FlagKind{});
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
  v({"section", "What its threads are made of: one of `sections`.", true}, n.section,
    NameKind{"sections"});
  v({"corners",
     "Four, in order around it: points, which are free; names of supports, bodies or frames, which "
     "hold it.",
     true},
    n.corners, RouteKind{4});
  v({"meshes",
     "Along the first side and along the second. Rows are the cables `NAME-row-0` to "
     "`NAME-row-LAST`, along the first side; columns `NAME-column-0` and on across; they are "
     "knotted where they cross.",
     true},
    n.meshes, CountPairKind{1, 1000});
  v({"elements", "For each side of a mesh."}, n.elements, CountKind{1, 1000});
  v({"model", "How the threads are simulated."}, n.model, net_model_words);
  v({"slack", "By which part the threads are longer than straight: `tension_only` lets them hang."},
    n.slack, QuantityKind{quantity::number, Sign::not_negative, 10});
  v({"lumped_mass", "As of cables."}, n.lumped_mass, FlagKind{});
  v({"tension_only", "As of cables."}, n.tension_only, FlagKind{});
}

struct JunctionText {
  Given<std::array<PlaceOn, 2>> of;
};
template <class V>
void describe(V& v, JunctionText& j) {
  v({"of", "Two nodes that start at the same place: `[a@0.5, b@start]`.", true}, j.of,
    PlacePairKind{});
}

}  // namespace hawser

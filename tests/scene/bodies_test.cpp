// Bodies, joints, massless cables, nets and junctions read from scene files.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "hawser/scene_file.h"
#include "model/model_data.h"
#include "scene/scene_compare.h"
#include "source_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double pi = std::numbers::pi;

SceneFile crane() { return read_scene(source_path("tests/scene/whole/crane.yaml")); }

template <class T>
const T& named(const std::vector<T>& all, const std::string& name) {
  for (const T& one : all)
    if (one.name == name) return one;
  throw std::runtime_error("no " + name);
}

std::string error_of(const std::string& text) {
  try {
    read_scene_text(text, "s.yaml");
    return "none";
  } catch (const SceneError& error) {
    return error.what();
  }
}

/// The first line of the error without file, line and column.
std::string first_line(const std::string& text) {
  const std::string error = error_of(text);
  const std::string line = error.substr(0, error.find('\n'));
  return line == "none" ? line : line.substr(line.find(": ") + 2);
}

TEST(Bodies, AreSound) { EXPECT_NO_THROW(validate(crane().scene)); }

TEST(Bodies, HaveMassAndInertiaOfTheirShapes) {
  const Scene s = crane().scene;
  ASSERT_EQ(s.bodies.size(), 6u);
  const Body& boom = named(s.bodies, "boom");
  EXPECT_EQ(boom.mass, 2000);
  EXPECT_EQ(boom.shape.kind, Solid::Kind::box);
  EXPECT_EQ(boom.shape.size, Vec3(20, 1, 0.5));
  EXPECT_DOUBLE_EQ(boom.inertia(2, 2), 2000 * (400 + 1) / 12.0);
  const Body& load = named(s.bodies, "load");
  EXPECT_DOUBLE_EQ(load.mass, 1000 * pi / 6);
  EXPECT_DOUBLE_EQ(load.inertia(0, 0), 0.1 * load.mass);
  EXPECT_EQ(load.velocity, Vec3(1, 0, 0));
  EXPECT_DOUBLE_EQ(load.angular_velocity.z(), 2 * pi);
  EXPECT_DOUBLE_EQ(named(s.bodies, "sail").mass, 12);
}

TEST(Bodies, TakeInertiaByThreeOrSixNumbers) {
  const Scene s = crane().scene;
  Eigen::Matrix3d expected;
  expected << 5, 0.1, 0.2, 0.1, 5, -0.3, 0.2, -0.3, 4;
  EXPECT_EQ(named(s.bodies, "drum").inertia, expected);
  EXPECT_EQ(named(s.bodies, "trolley").inertia, Eigen::Matrix3d::Identity());
  EXPECT_EQ(named(s.bodies, "trolley").shape.kind, Solid::Kind::none);
}

TEST(Bodies, AreTurnedByAxisAndAngleOrQuaternion) {
  const Scene s = crane().scene;
  const auto turned = [&](const char* body, const Vec3& v) -> Vec3 {
    return named(s.bodies, body).orientation * v;
  };
  EXPECT_LT((turned("load", Vec3::UnitX()) - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_LT((turned("sail", Vec3::UnitY()) - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_EQ(named(s.bodies, "drum").orientation.coeffs(), Eigen::Quaterniond::Identity().coeffs());
}

TEST(Frames, AreThoseOfBodies) {
  const Scene s = crane().scene;
  const Frame& tip = named(s.frames, "boom.tip");
  EXPECT_EQ(tip.body, "boom");
  EXPECT_EQ(tip.position, Vec3(10, 0, 0));
  for (const Frame& f : s.frames) EXPECT_FALSE(f.body.empty()) << f.name;
}

TEST(Supports, StandAndMove) {
  const Scene s = crane().scene;
  const Support& winch = named(s.supports, "winch");
  EXPECT_EQ(winch.position, Vec3(-2, 0, 10));
  EXPECT_TRUE(winch.motion[2].same_as(Signal::sine(0.1, 0.2)));
  EXPECT_TRUE(winch.motion[0].same_as(0.0));
  std::set<std::string> names;
  for (const Support& support : s.supports) names.insert(support.name);
  for (const char* name : {"tower", "winch", "eye", "wall", "post"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Joints, AreRead) {
  const Scene s = crane().scene;
  const Joint& foot = named(s.joints, "foot");
  EXPECT_EQ(foot.kind, JointKind::hinge);
  EXPECT_EQ(foot.first, "tower");
  EXPECT_EQ(foot.second, "boom.foot");
  EXPECT_EQ(foot.axis, Vec3::UnitY());
  EXPECT_EQ(foot.turn.kind, Drive::Kind::position);
  EXPECT_TRUE(foot.turn.value.same_as(Signal::ramp(0, 0.5, 1, 3)));
  EXPECT_DOUBLE_EQ(foot.turn_limits.lowest, -10 * pi / 180);
  EXPECT_DOUBLE_EQ(foot.turn_limits.highest, 80 * pi / 180);
  EXPECT_EQ(foot.angular_compliance, 1e-9);
  EXPECT_EQ(foot.travel.kind, Drive::Kind::none);
  EXPECT_FALSE(std::isfinite(foot.travel_limits.highest));
  const Joint& head = named(s.joints, "head");
  EXPECT_EQ(head.axis, Vec3::UnitY());
  EXPECT_EQ(head.turn.kind, Drive::Kind::velocity);
  EXPECT_DOUBLE_EQ(head.turn.value.at({0, {}}).value, 0.4 * pi);
  EXPECT_EQ(head.turn.slip.at({0, {}}).value, 0.1);
  const Joint& rail = named(s.joints, "rail");
  EXPECT_EQ(rail.travel.kind, Drive::Kind::velocity);
  EXPECT_EQ(rail.travel.value.at({2, {}}).value, 1);
  EXPECT_DOUBLE_EQ(rail.travel.slip.at({0.5, {}}).value, 5e-4);
  EXPECT_EQ(rail.travel_limits.highest, 5);
  EXPECT_EQ(rail.compliance, 1e-8);
  EXPECT_EQ(named(s.joints, "stay").travel.value.at({0, {}}).value, 3);
  EXPECT_EQ(named(s.joints, "ball").second_axis, Vec3::UnitZ());
}

TEST(Massless, HasStops) {
  const Scene s = crane().scene;
  const Cable& hoist = named(s.cables, "hoist");
  EXPECT_EQ(hoist.model, CableModel::massless);
  EXPECT_EQ(hoist.length, 50);
  EXPECT_DOUBLE_EQ(hoist.payout.at({2.5, {}}).value, -0.5);
  ASSERT_EQ(hoist.route.size(), 4u);
  EXPECT_EQ(hoist.route[0].on, "winch");
  EXPECT_EQ(hoist.route[1].kind, Stop::Kind::free);
  EXPECT_EQ(hoist.route[1].point, Vec3(0, 0, 12));
  EXPECT_EQ(hoist.route[2].kind, Stop::Kind::over);
  EXPECT_EQ(hoist.route[2].on, "drum");
  EXPECT_EQ(hoist.route[2].radius, 0.2);
  EXPECT_EQ(hoist.route[2].axis, Vec3::UnitY());
  EXPECT_EQ(hoist.route[2].friction, 0.1);
  EXPECT_TRUE(hoist.route[2].grip);
  EXPECT_EQ(hoist.route[3].on, "load.hook");
  const Cable& pendant = named(s.cables, "pendant");
  EXPECT_EQ(pendant.length, 0);
  EXPECT_EQ(pendant.drive.kind, Drive::Kind::velocity);
  EXPECT_EQ(pendant.drive.value.at({0, {}}).value, -0.5);
  EXPECT_DOUBLE_EQ(pendant.drive.slip.at({0, {}}).value, 1e-3);
  EXPECT_EQ(pendant.route[1].radius, 0);
  EXPECT_FALSE(pendant.route[1].grip);
}

TEST(Attachments, HoldNodesToBodies) {
  const Scene s = crane().scene;
  const Model model(s);
  const auto of = [&](const std::string& cable) {
    std::vector<Hold> out;
    for (const Hold& h : model.data().holds)
      if (s.cables[static_cast<size_t>(h.cable)].name == cable) out.push_back(h);
    return out;
  };
  ASSERT_EQ(of("guy").size(), 2u);
  EXPECT_EQ(of("guy")[0].node, model.node(Place::start("guy")));
  EXPECT_GE(of("guy")[0].at.body, 0);
  EXPECT_TRUE(of("guy")[0].direction);
  EXPECT_EQ(of("guy")[1].node, model.node(Place::end("guy")));
  EXPECT_FALSE(of("guy")[1].direction);
  ASSERT_EQ(of("tag").size(), 2u);
  EXPECT_FALSE(of("tag")[0].direction) << "np-fem has no direction to hold";
  EXPECT_FALSE(of("tag")[1].direction) << "nor at a support";
  EXPECT_GE(of("tag")[1].at.support, 0);
  const Cable& tag = named(s.cables, "tag");
  EXPECT_EQ(tag.model, CableModel::np_fem);
  EXPECT_TRUE(tag.lumped_mass);
  EXPECT_TRUE(tag.tension_only);
}

TEST(Nets, AreThreadsOnAPatch) {
  const SceneFile f = crane();
  const Scene& s = f.scene;
  // corners (0, 0, 0), (8, 0, 0), (20, 0, 10), (0, 0, 10); 4 meshes along, 2 across
  const Cable& row = named(s.cables, "net-row-1");
  EXPECT_EQ(row.route.front().point, Vec3(0, 0, 5));
  EXPECT_EQ(row.route.back().point, Vec3(14, 0, 5));
  EXPECT_EQ(row.elements, 12);
  EXPECT_DOUBLE_EQ(row.length, 14 * 1.05);
  EXPECT_EQ(row.model, CableModel::np_fem);
  EXPECT_TRUE(row.tension_only);
  const Cable& column = named(s.cables, "net-column-3");
  EXPECT_EQ(column.route.front().point, Vec3(6, 0, 0));
  EXPECT_EQ(column.route.back().point, Vec3(15, 0, 10));
  EXPECT_EQ(column.elements, 6);
  EXPECT_EQ(s.cables.size(), 5u + 3 + 5);
  ASSERT_EQ(s.junctions.size(), 15u + 1);
  const auto at = [&](const Place& p) -> Vec3 {
    const std::vector<Vec3> ends = route_points(s, named(s.cables, p.cable));
    return ends[0] + (ends[1] - ends[0]) * p.s;
  };
  for (const Junction& j : s.junctions)
    EXPECT_LT((at(j.first) - at(j.second)).norm(), 1e-12) << j.first.cable;
  expect_same(s.junctions.back().first, Place::end("net-row-0"));
  expect_same(s.junctions.back().second, Place::start("trail"));
  // two free corners, one on a body, one on a support
  const Cable& last = named(s.cables, "net-row-2");
  EXPECT_EQ(last.route.back().on, "boom.tip");
  EXPECT_EQ(last.route.front().kind, Stop::Kind::hold);
  EXPECT_EQ(named(s.cables, "net-row-0").route.front().kind, Stop::Kind::free);
  EXPECT_EQ(f.sources.at("cables.net-column-3").line, f.sources.at("nets.net").line);
}

TEST(Loads, ActOnBodies) {
  const Scene s = crane().scene;
  ASSERT_EQ(s.body_forces.size(), 3u);
  EXPECT_EQ(s.body_forces[0].frame, "sail");
  EXPECT_EQ(s.body_forces[0].force, Vec3::UnitY());
  EXPECT_TRUE(s.body_forces[0].strength.same_as(Signal::sine(10, 1)));
  EXPECT_EQ(s.body_forces[1].force, Vec3(0, 0, 5));
  EXPECT_EQ(s.body_forces[2].frame, "load.hook");
  EXPECT_EQ(s.body_forces[2].moment, Vec3(0, 0, 3));
  EXPECT_EQ(s.body_forces[2].force, Vec3::Zero());
}

TEST(Solve, HasSpook) {
  EXPECT_EQ(crane().solve.method, Method::spook);
  EXPECT_EQ(crane().solve.damping_time, 0.02);
  const std::string body = "bodies: {b: {shape: {sphere: 1 m}, mass: 1 kg, position: [0, 0, 0]}}\n";
  EXPECT_EQ(read_scene_text(body, "s.yaml").solve.damping_time, -1);
  EXPECT_EQ(
      read_scene_text(body + "solve: {damping_time: automatic}\n", "s.yaml").solve.damping_time,
      -1);
  EXPECT_EQ(first_line(body + "solve: {damping_time: -1 s}\n"),
            "solve.damping_time: found '-1 s'; expected a time of zero or more.");
  EXPECT_EQ(first_line(body + "solve: {method: spook, constraints: baumgarte}\n"),
            "solve.constraints: found baumgarte with spook; expected position.");
}

TEST(Bodies, ThatAreAloneMakeAScene) {
  const SceneFile f = read_scene_text(
      "bodies: {ball: {shape: {sphere: 1 m}, mass: 1 kg, position: [0, 0, 0]}}\n", "s.yaml");
  EXPECT_TRUE(f.scene.cables.empty());
  EXPECT_TRUE(f.warnings.empty());
}

const std::string parts =
    "sections: {rope: {EA: 1 MN, mass: 1 kg/m}}\n"
    "supports: {a: {position: [0, 0, 0]}, r: {position: [0, 0, 9 m], slides: x}}\n"
    "bodies: {b: {shape: {sphere: 1 m}, mass: 1 kg, position: [5 m, 0, 0], frames: {f: [1, 0, "
    "0]}}}\n";

std::string joint_error(const std::string& joint) {
  return first_line(parts + "joints: {j: {between: [a, b], " + joint + "}}\n");
}
std::string cable_error(const std::string& cable) {
  return first_line(parts + "cables: {c: {section: rope, " + cable + "}}\n");
}
std::string body_error(const std::string& body) {
  return first_line("bodies: {b: {position: [0, 0, 0], " + body + "}}\n");
}
std::string net_error(const std::string& net) {
  return first_line(parts + "nets: {n: {section: rope, " + net + "}}\n");
}

TEST(Bodies, ThatAreIncompleteAreErrors) {
  EXPECT_EQ(body_error("shape: {sphere: 1 m}"),
            "bodies.b: found no `mass`; expected `mass`, or `density` with a `shape`.");
  EXPECT_EQ(
      body_error("shape: {sphere: 1 m}, mass: 1 kg, density: 1 kg/m^3"),
      "bodies.b: found both `mass` and `density`; expected `mass`, or `density` with a `shape`.");
  EXPECT_EQ(body_error("density: 1 kg/m^3, inertia: [1, 1, 1]"),
            "bodies.b: found `density` without a `shape`; expected `mass`, or a `shape` with the "
            "`density`.");
  EXPECT_EQ(body_error("mass: 1 kg"),
            "bodies.b: found neither `inertia` nor `shape`; expected one of them, for the moment "
            "of inertia.");
  EXPECT_EQ(body_error("mass: 1 kg, shape: {sphere: 1 m, plate: [1, 1]}"),
            "bodies.b.shape: found 2 shapes in one; expected exactly one of box, sphere, cylinder, "
            "capsule, plate, mesh.");
  EXPECT_EQ(body_error("mass: 1 kg, shape: {box: [1 m, 0, 1 m]}"),
            "bodies.b.shape.box[1]: found '0'; expected a length above zero.");
  EXPECT_EQ(
      body_error("density: 5 kg/m^3, shape: {plate: [1 m, 1 m]}"),
      "bodies.b.density: found '5 kg/m^3', which is a density; expected a mass per area, such "
      "as 80 kg/m^2.");
  EXPECT_EQ(body_error("mass: 1 kg, inertia: [1, 2, 3, 4]"),
            "bodies.b.inertia: found a list of 4; expected [xx, yy, zz] or [xx, yy, zz, xy, xz, "
            "yz].");
  EXPECT_EQ(body_error("mass: 1 kg, inertia: [1, 1, 1], orientation: {axis: x}"),
            "bodies.b.orientation: found no `angle`; expected `axis` and `angle`, or "
            "`quaternion`.");
  EXPECT_EQ(body_error("mass: 1 kg, inertia: [1, 1, 1], orientation: {quaternion: [0, 0, 0, 0]}"),
            "bodies.b.orientation.quaternion: found a quaternion of length zero; expected a "
            "quaternion of nonzero length.");
}

TEST(Joints, ThatAreIncompleteAreErrors) {
  EXPECT_EQ(joint_error("kind: hinge"),
            "joints.j: found no `axis`; expected `axis: ...` (x, y, z or a vector).");
  EXPECT_EQ(joint_error("kind: pin, axis: x"),
            "joints.j.axis: found an axis, which this joint type does not have; expected an axis "
            "only for hinge, slider, cylinder and universal.");
  EXPECT_EQ(joint_error("kind: universal, axis: x"),
            "joints.j: found no `second_axis`; expected `second_axis: ...` (x, y, z or a vector).");
  EXPECT_EQ(joint_error("kind: hinge, axis: x, turn: 0, turn_rate: 1 rpm"),
            "joints.j: found both `turn` and `turn_rate`; expected one of them.");
  EXPECT_EQ(joint_error("kind: hinge, axis: x, turn: 0, slip: 1"),
            "joints.j.slip: found a slip without a rate; expected a slip with exactly one of "
            "`turn_rate` and `travel_rate`.");
  EXPECT_EQ(joint_error("kind: hinge, axis: x, turn_rate: 1 rpm, slip: 1 m/s/N"),
            "joints.j.slip: found '1 m/s/N', which is a quantity in kg^-1 s; expected an angular "
            "slip, such as 1e-6 rad/s/N/m.");
  EXPECT_EQ(first_line(parts + "joints: {j: {kind: pin, between: [r, b]}}\n"),
            "joints.j.between[0]: found 'r', which slides freely; expected a support that is fixed "
            "in every direction.");
  EXPECT_EQ(first_line(parts + "joints: {j: {kind: pin, between: [a, b.g]}}\n"),
            "joints.j.between[1]: found unknown name 'b.g'; expected one of `supports` or "
            "`bodies`: a, b, b.f or r.");
}

TEST(Cables, HaveTheFieldsOfTheirModel) {
  EXPECT_EQ(
      cable_error("route: [a, b], payout: 1 m"),
      "cables.c.payout: found a constant payout of a cable with mass; expected a function of time "
      "that starts at 0 m.");
  EXPECT_EQ(
      cable_error("route: [a, b], model: np-fem, payout: 1 m"),
      "cables.c.payout: found a constant payout of a cable with mass; expected a function of time "
      "that starts at 0 m.");
  EXPECT_EQ(cable_error("route: [a, b], model: massless, tension_only: true"),
            "cables.c.tension_only: found `tension_only` with the model massless; expected "
            "`model: np-fem`, which supports it.");
  EXPECT_EQ(cable_error("route: [a, b], tension_only: false"), "none");
  EXPECT_EQ(cable_error("route: [a, b], model: massless, payout: 0, speed: 1 m/s"),
            "cables.c: found both `payout` and `speed`; expected one of them.");
  EXPECT_EQ(cable_error("route: [a, b], model: massless, slip: 1"),
            "cables.c.slip: found a slip without a rate; expected `speed` with it.");
  EXPECT_EQ(cable_error("route: [a, {over: b.f}, [9 m, 0, 0]], model: np-fem"), "none");
  EXPECT_EQ(cable_error("route: [a, [9 m, 0, 0]], model: massless"),
            "cables.c.route[1]: found a point at an end of a massless cable; expected a support, a "
            "body or a frame of a body.");
  EXPECT_EQ(cable_error("route: [a, {clamp: b.f}, b], model: massless"),
            "cables.c.route[1]: found a clamp between the ends of a massless cable; expected b.f, "
            "over which it slides.");
  EXPECT_EQ(cable_error("route: [a, {over: b.f, radios: 1 m}, b], model: massless"),
            "cables.c.route[1]: found the unknown field 'radios'; expected a known field.");
}

TEST(Loads, StandOnNodesOrBodies) {
  const std::string cables =
      parts + "cables: {c: {section: rope, model: massless, route: [a, b]}}\nloads: ";
  EXPECT_EQ(first_line(cables + "{l: {at: c@end, mass: 1 kg}}\n"),
            "loads.l.at: found 'c@end', on a massless cable; expected a point on a cable of "
            "another model: massless cables have no nodes.");
  EXPECT_EQ(first_line(cables + "{l: {at: b, mass: 1 kg}}\n"),
            "loads.l.mass: found a mass on a body; expected force or moment.");
  EXPECT_EQ(first_line(cables + "{l: {at: a, force: [1 N, 0, 0]}}\n"),
            "loads.l.at: found 'a', a support; expected one of `bodies`: b or b.f.");
  EXPECT_EQ(first_line(cables + "{l: {at: c, force: [1 N, 0, 0]}}\n"),
            "loads.l.at: found 'c', a whole cable; expected a point on it, such as c@end.");
  EXPECT_EQ(first_line(cables + "{l: {on: c, force_per_length: [1 N/m, 0, 0]}}\n"),
            "loads.l.on: found the massless cable 'c'; expected a cable of another model: "
            "distributed loads do not act on massless cables.");
}

TEST(Nets, ThatCannotBeAreErrors) {
  const std::string meshes = ", meshes: [2, 2]";
  EXPECT_EQ(net_error("corners: [a, b]" + meshes),
            "nets.n.corners: found a list of 2; expected 4 points: coordinates [x, y, z] or names "
            "of supports, bodies or their frames.");
  EXPECT_EQ(net_error("corners: [a, b, [5, 5, 0], {clamp: a}]" + meshes),
            "nets.n.corners[3]: found a corner with `clamp` or `over`; expected only the name a.");
  EXPECT_EQ(net_error("corners: [a, b, [5, 5, 0], [0, 5, 0]], model: massless" + meshes),
            "nets.n.model: found 'massless'; expected np-fem or ancf.");
  EXPECT_EQ(net_error("corners: [a, b, [0, 5, 0], [5, 5, 0]]" + meshes),
            "nets.n.corners: found no room for n-row-1; expected four distinct corners, in order "
            "around the net.");
  EXPECT_EQ(net_error("corners: [a, b, [5, 5, 0], [0, 5, 0]], meshes: [1000, 1000]"),
            "nets.n.meshes: found 2002000 elements in the cables up to here; expected at most "
            "2000000 in all cables of a scene.");
}

TEST(Names, AreNotShared) {
  const std::string net = parts +
                          "nets: {n: {section: rope, corners: [a, b, [5, 5, 0], [0, 5, "
                          "0]], meshes: [2, 2]}}\n";
  EXPECT_EQ(first_line(net + "cables: {n-row-1: {section: rope, route: [a, b]}}\n"),
            "nets: found 'n-row-1', which is also the name of a cable; expected a unique name.");
  EXPECT_EQ(first_line(net + "joints: {b: {kind: pin, between: [a, b]}}\n"),
            "joints: found 'b', which is also the name of a body; expected a unique name.");
  EXPECT_EQ(first_line(net + "loads: {l: {at: n-row-2@0.5, mass: 1 kg}}\n"), "none");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

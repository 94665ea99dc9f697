// Channels, shapes and measures of bodies, joints and massless cables, against closed forms.
#include "allocations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hawser/error.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/record.h"
#include "record/mechanisms.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double pi = std::numbers::pi;

struct Sampled {
  std::vector<Column> columns;
  std::vector<double> values;
  double operator[](const std::string& name) const {
    for (size_t i = 0; i < columns.size(); ++i)
      if (columns[i].name == name) return values[i];
    ADD_FAILURE() << "no column " << name;
    return 0;
  }
  [[nodiscard]] Vec3 vec(const std::string& owner, const std::string& place = "") const {
    return {(*this)[owner + ".x" + place], (*this)[owner + ".y" + place],
            (*this)[owner + ".z" + place]};
  }
};

Sampled sampled(const Model& model, const State& state, const std::vector<std::string>& names) {
  Channels channels(model, names);
  Sampled out{channels.columns(), std::vector<double>(channels.columns().size(), -7e77)};
  channels.sample(state, out.values);
  return out;
}

/// The state after so many steps of 1 ms.
State stepped(const Model& model, int steps, const SolveOptions& options = {}) {
  Integrator integrator(model, options);
  State state = integrator.start();
  for (int i = 0; i < steps; ++i)
    EXPECT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
  return state;
}

void expect_near(const Vec3& a, const Vec3& b, double within) {
  EXPECT_LT((a - b).norm(), within) << a.transpose() << " is not " << b.transpose();
}

/// A beam of 2 kg along x, welded to the wall at its end, 0.5 m from its centre.
Scene cantilever(bool turned_round) {
  Scene scene;
  scene.bodies.push_back(solid_body("arm", 2, {0.5, 1, 0}, {1, 0.1, 0.1}));
  add_frame(scene, "wall", "", {0, 1, 0});
  add_frame(scene, "arm.root", "arm", {-0.5, 0, 0});
  if (turned_round)
    add_joint(scene, "weld", JointKind::weld, "arm.root", "wall");
  else
    add_joint(scene, "weld", JointKind::weld, "wall", "arm.root");
  return scene;
}

TEST(JointChannels, AWeldCarriesAWeightAndItsMoment) {
  const double weight = 2 * 9.81;
  for (const int steps : {0, 20}) {
    const Model model(cantilever(false));
    const State state = stepped(model, steps);
    const Sampled s = sampled(model, state,
                              {"weld.force", "weld.torque", "wall.force", "wall.moment",
                               "wall.position", "arm.root.position"});
    expect_near(s.vec("weld.force"), {0, 0, weight}, 1e-6);
    expect_near(s.vec("weld.torque"), {0, -0.5 * weight, 0}, 1e-6);
    expect_near(s.vec("wall.force"), {0, 0, weight}, 1e-6);
    expect_near(s.vec("wall.moment"), {0, -0.5 * weight, 0}, 1e-6);
    expect_near(s.vec("wall.position"), {0, 1, 0}, 1e-12);
    expect_near(s.vec("arm.root.position"), {0, 1, 0}, 1e-8);
    const Wrench w = joint_force(model, state, "weld");
    EXPECT_EQ(w.force, s.vec("weld.force"));
    EXPECT_EQ(w.torque, s.vec("weld.torque"));
  }
}

TEST(JointChannels, AreOfTheSecondFrameWhicheverBodyItIs) {
  const Model model(cantilever(true));
  const State state = stepped(model, 0);
  const Sampled s = sampled(model, state, {"weld.force", "weld.torque", "wall.force"});
  expect_near(s.vec("weld.force"), {0, 0, -2 * 9.81}, 1e-6);  // on the ground
  expect_near(s.vec("weld.torque"), {0, 2 * 9.81 * 0.5, 0}, 1e-6);
  expect_near(s.vec("wall.force"), {0, 0, 2 * 9.81}, 1e-6);  // on the arm all the same
}

TEST(JointChannels, ABodyHangsOnItsPinAndOnItsDistance) {
  Scene scene;
  scene.bodies.push_back(solid_body("upper", 3, {0, 0, -1}, {0.1, 0.1, 2}));
  scene.bodies.push_back(solid_body("lower", 5, {0, 0, -5}, {0.1, 0.1, 2}));
  add_frame(scene, "roof", "", {0, 0, 0});
  add_frame(scene, "upper.top", "upper", {0, 0, 1});
  add_frame(scene, "upper.end", "upper", {0, 0, -1});
  add_frame(scene, "lower.top", "lower", {0, 0, 1});
  add_joint(scene, "pin", JointKind::pin, "roof", "upper.top");
  add_joint(scene, "rod", JointKind::distance, "upper.end", "lower.top");
  const Model model(scene);
  const Sampled s =
      sampled(model, stepped(model, 10), {"pin.force", "pin.torque", "rod.force", "rod.travel"});
  expect_near(s.vec("pin.force"), {0, 0, 8 * 9.81}, 1e-6);
  expect_near(s.vec("pin.torque"), Vec3::Zero(), 1e-6);
  expect_near(s.vec("rod.force"), {0, 0, 5 * 9.81}, 1e-6);
  EXPECT_NEAR(s["rod.travel"], 2, 1e-9);
}

TEST(JointChannels, TurnsAndTravelsAreFromTheStart) {
  Scene scene;
  scene.gravity = Vec3::Zero();
  for (const char* name : {"free", "driven", "sled"})
    scene.bodies.push_back(solid_body(name, 1, {0, 0, 0}, {1, 1, 1}));
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized());
  scene.bodies[0].angular_velocity = {0, 2, 0};
  scene.bodies[2].velocity = {0, 3, 0};
  add_frame(scene, "ground", "", {0, 0, 0});
  add_joint(scene, "hinge", JointKind::hinge, "ground", "free", Vec3::UnitY());
  Joint& motor = add_joint(scene, "motor", JointKind::hinge, "ground", "driven", Vec3::UnitX());
  motor.turn.kind = Drive::Kind::velocity;
  motor.turn.value = 40.0;
  add_joint(scene, "rail", JointKind::slider, "ground", "sled", Vec3::UnitY());
  const Model model(scene);
  const Sampled s =
      sampled(model, stepped(model, 400), {"hinge.turn", "motor.turn", "rail.travel"});
  EXPECT_NEAR(s["hinge.turn"], 0.8, 1e-6);
  EXPECT_NEAR(s["motor.turn"], 16, 1e-6);  // two and a half turns
  EXPECT_NEAR(s["rail.travel"], 1.2, 1e-6);
}

/// A free wheel, also one that turns by more than half a turn in a step, and where a run is
/// resumed.
TEST(JointChannels, TheTurnOfAFreeHingeCountsWholeTurns) {
  Scene scene;
  scene.gravity = Vec3::Zero();
  for (const double speed : {10.0, -200.0}) {
    scene.bodies = {solid_body("wheel", 1, {0, 0, 0}, {1, 1, 1})};
    scene.bodies[0].angular_velocity = {0, 0, speed};
    scene.frames.clear();
    scene.supports.clear();
    scene.joints.clear();
    add_frame(scene, "ground", "", {0, 0, 0});
    add_joint(scene, "axle", JointKind::hinge, "ground", "wheel");
    add_joint(scene, "back", JointKind::cylinder, "wheel", "ground");
    const Model model(scene);
    for (const Method method :
         {Method::mixed, Method::newton, Method::linearized, Method::mixed3, Method::spook})
      for (const double h : {1e-3, 0.02}) {
        SCOPED_TRACE(fmt::format("{}, {} rad/s, {} s", static_cast<int>(method), speed, h));
        const SolveOptions options = solve_options(method, h);
        Integrator first(model, options), second(model, options);
        State state = first.start();
        ASSERT_EQ(first.advance(state, 1), Status::ok) << first.failure().message();
        second.resume(state);
        ASSERT_EQ(second.advance(state, 2), Status::ok) << second.failure().message();
        const Sampled s = sampled(model, state, {"axle.turn", "back.turn"});
        EXPECT_NEAR(s["axle.turn"], 2 * speed, 1e-6);
        EXPECT_NEAR(s["back.turn"], -2 * speed, 1e-6);
      }
  }
}

TEST(BodyChannels, FollowASpinningBody) {
  Scene scene;
  scene.gravity = {0, 0, -2};
  Body ball = solid_body("ball", 4, {1, 2, 3}, {1, 1, 1});  // a cube: it spins about any axis
  ball.orientation = Eigen::AngleAxisd(pi / 2, Vec3::UnitX());
  ball.velocity = {0, 5, 0};
  ball.angular_velocity = {0, 0, 3};
  scene.bodies.push_back(ball);
  add_frame(scene, "ball.mark", "ball", {0.5, 0, 0});
  const Model model(scene);
  const double t = 0.4;
  const State state = stepped(model, 400, solve_options(Method::newton, 1e-3, Scheme::newmark));
  const Sampled s = sampled(model, state,
                            {"ball.position", "ball.velocity", "ball.acceleration",
                             "ball.orientation", "ball.angular_velocity", "ball.mark.position",
                             "ball.mark.velocity", "ball.orientation.w", "momentum"});
  const Vec3 centre = Vec3(1, 2 + 5 * t, 3 - t * t), radial(std::cos(3 * t), std::sin(3 * t), 0);
  const Vec3 velocity(0, 5, -2 * t);
  expect_near(s.vec("ball.position"), centre, 1e-9);
  expect_near(s.vec("ball.velocity"), velocity, 1e-9);
  expect_near(s.vec("ball.acceleration"), {0, 0, -2}, 1e-9);
  expect_near(s.vec("ball.angular_velocity"), {0, 0, 3}, 1e-9);
  // exp(3 t z) exp(pi/2 x), quaternions multiplied by hand
  const double c = std::cos(1.5 * t), r = std::sqrt(0.5), d = std::sin(1.5 * t);
  EXPECT_NEAR(s["ball.orientation.w"], c * r, 1e-9);
  EXPECT_NEAR(s["ball.orientation.x"], c * r, 1e-9);
  EXPECT_NEAR(s["ball.orientation.y"], d * r, 1e-9);
  EXPECT_NEAR(s["ball.orientation.z"], d * r, 1e-9);
  expect_near(s.vec("ball.mark.position"), centre + 0.5 * radial, 1e-9);
  expect_near(s.vec("ball.mark.velocity"), velocity + 1.5 * Vec3(-radial.y(), radial.x(), 0), 1e-9);
  expect_near(s.vec("momentum.linear"), 4 * velocity, 1e-8);
  const Vec3 spin(0, 0, 4.0 / 6 * 3);  // m a^2/6
  expect_near(s.vec("momentum.angular"), centre.cross(4 * velocity) + spin, 1e-8);
  EXPECT_EQ(s.columns.size(), 3U + 3 + 3 + 4 + 3 + 3 + 3 + 6);
}

TEST(Momentum, OfATumblingBodyIsKept) {
  Scene scene;
  scene.gravity = Vec3::Zero();
  Body book = solid_body("book", 2, {1, 0, 0}, {0.1, 0.5, 1});
  book.angular_velocity = {0.1, 6, 0.1};  // about the middle axis: it turns over
  scene.bodies.push_back(book);
  const Model model(scene);
  const Vec3 start = momentum(model, stepped(model, 0)).angular;
  EXPECT_NEAR(start.y(), 2.0 / 12 * (0.01 + 1) * 6, 1e-12);
  const State state = stepped(model, 2000);
  EXPECT_LT(sampled(model, state, {"book.orientation"})["book.orientation.w"], 0.99);
  expect_near(momentum(model, state).angular, start, 1e-2 * start.norm());
}

// --- massless cables ---

TEST(MasslessChannels, StrainIsWithoutWhatTheSectionDamps) {
  Scene scene = hoist();
  scene.cables[0].sections[0].axial_damping.viscosity = 0.05;
  scene.bodies[0].velocity = {0, 0, -0.1};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::linearized, Method::newton, Method::spook}) {
    SolveOptions options;
    options.method = method;
    Integrator integrator(model, options);
    State state = integrator.start();
    for (int i = 0; i < 10; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
    const Sampled s = sampled(
        model, state,
        {"rope.strain", "rope.strain@0.9", "rope.tension@0.9", "rope.length", "rope.rest_length"});
    const double strain = s["rope.length"] / s["rope.rest_length"] - 1;
    EXPECT_NEAR(s["rope.strain"], strain, 1e-12);
    EXPECT_NEAR(s["rope.strain@0.9"], strain, 1e-12);
    EXPECT_GT(s["rope.tension@0.9"] / hoist_EA, 1.05 * strain) << "it is meant to damp";
  }
}

TEST(MasslessChannels, SlackHasNoStrain) {
  Scene scene = hoist();
  scene.cables[0].length = 6;
  const Model model(scene);
  const Sampled s = sampled(model, stepped(model, 1), {"rope.strain", "rope.tension@max"});
  EXPECT_EQ(s["rope.strain"], 0);
  EXPECT_EQ(s["rope.tension@max"], 0);
}

TEST(MasslessChannels, OfAHoistAtRest) {
  for (const double friction : {0.0, 0.3}) {
    const Model model(hoist(friction));
    for (const int steps : {0, 30}) {
      const State state = stepped(model, steps);
      const Sampled s = sampled(model, state, {"rope.tension@start",   "rope.tension@end",
                                               "rope.tension@0.3",     "rope.tension@1 m",
                                               "rope.tension@min",     "rope.tension@max",
                                               "rope.strain",          "rope.strain@0.9",
                                               "rope.length",          "rope.rest_length",
                                               "rope.utilisation@max", "rope.position@start",
                                               "rope.position@end",    "rope.direction@end",
                                               "rope.velocity@end",    "rope.curvature@0.5",
                                               "rope.moment@max",      "anchor.force",
                                               "anchor.moment",        "top.force",
                                               "top.moment",           "top.position"});
      const double length = 4 + 0.2 * pi, W = hoist_weight;
      for (const char* place : {"start", "end", "0.3", "1 m", "min", "max"})
        EXPECT_NEAR(s[std::string("rope.tension@") + place], W, 1e-5) << place;
      EXPECT_NEAR(s["rope.strain"], W / hoist_EA, 1e-9);
      EXPECT_NEAR(s["rope.strain@0.9"], W / hoist_EA, 1e-9);
      EXPECT_NEAR(s["rope.length"], length, 1e-8);
      EXPECT_NEAR(s["rope.rest_length"], length / (1 + W / hoist_EA), 1e-8);
      EXPECT_NEAR(s["rope.utilisation@max"], W / 1000, 1e-8);
      expect_near(s.vec("rope.position", "@start"), {-0.2, 0, 0}, 1e-12);
      expect_near(s.vec("rope.position", "@end"), {0.2, 0, 0}, 1e-8);
      expect_near(s.vec("rope.direction", "@end"), {0, 0, -1}, 1e-8);
      expect_near(s.vec("rope.velocity", "@end"), Vec3::Zero(), 1e-5);
      EXPECT_EQ(s["rope.curvature@0.5"], 0);
      EXPECT_EQ(s["rope.moment@max"], 0);
      expect_near(s.vec("anchor.force"), {0, 0, -W}, 1e-5);
      expect_near(s.vec("anchor.moment"), Vec3::Zero(), 1e-9);
      expect_near(s.vec("top.force"), {0, 0, 2 * W}, 1e-5);
      // The rope pulls equally on both sides; between them it presses on the whole groove.
      expect_near(s.vec("top.moment"), Vec3::Zero(), 1e-5);
      EXPECT_EQ(s.vec("top.position"), Vec3(0, 0, 2));
      EXPECT_EQ(run_tensions(model, state, "rope").size(), friction > 0 ? 2U : 1U);
      EXPECT_EQ(run_tensions(model, state, "rope").back(), s["rope.tension@end"]);
    }
  }
}

TEST(MasslessChannels, FrictionPartsTheTensions) {
  // Lifted at the anchor's end the rope slips: the load's side carries less by e^(mu pi).
  Scene scene = hoist(0.2);
  scene.cables[0].payout = Signal::ramp(0, -0.05, 0, 0.1);
  const Model model(scene);
  const State state = stepped(model, 60);
  const Sampled s = sampled(model, state,
                            {"rope.tension@start", "rope.tension@end", "rope.tension@0.1",
                             "rope.tension@0.9", "rope.tension@min", "rope.tension@max",
                             "rope.rest_length", "top.force.z", "top.moment.y", "anchor.force.z"});
  const double before = s["rope.tension@start"], after = s["rope.tension@end"];
  EXPECT_NEAR(before / after, std::exp(0.2 * pi), 2e-2);
  EXPECT_EQ(s["rope.tension@0.1"], before);
  EXPECT_EQ(s["rope.tension@0.9"], after);
  EXPECT_EQ(s["rope.tension@min"], after);
  EXPECT_EQ(s["rope.tension@max"], before);
  const double length = (4 + 0.2 * pi) / (1 + hoist_weight / hoist_EA);
  EXPECT_NEAR(s["rope.rest_length"], length - 0.03, 1e-6);  // paid out over both parts
  EXPECT_NEAR(s["top.force.z"], before + after, 1e-3);
  EXPECT_NEAR(s["top.moment.y"], 0.2 * (before - after), 1e-2);
  EXPECT_NEAR(s["anchor.force.z"], -before, 1e-4);
}

TEST(MasslessChannels, TwistAndTorque) {
  Scene scene = hoist();
  Cable& rope = scene.cables[0];
  rope.route.erase(rope.route.begin(), rope.route.begin() + 1);
  rope.route[0].radius = 0;
  rope.route[0].kind = Stop::Kind::hold;
  scene.supports[1].position = {0.2, 0, 2};
  rope.length = 2 / (1 + hoist_weight / hoist_EA);
  rope.sections[0].GJ = 5;
  scene.bodies[0].angular_velocity = {0, 0, 1.5};
  const Model model(scene);
  const State state = stepped(model, 100);
  const Sampled s =
      sampled(model, state, {"rope.twist", "rope.torque", "energy.twist", "energy", "top.moment"});
  // J w' = -GJ/L angle: a swing of 1.5/omega sin(omega t). It hangs downwards: twist = -angle.
  const double J = 30.0 / 12 * 0.5, omega = std::sqrt(5 / rope.length / J);
  const double angle = 1.5 / omega * std::sin(omega * 0.1);
  EXPECT_NEAR(s["rope.twist"], -angle, 1e-4);
  EXPECT_NEAR(s["rope.torque"], -5 / rope.length * angle, 1e-3);
  EXPECT_NEAR(s["top.moment.z"], -5 / rope.length * angle, 1e-3);  // holds the rope back
  const Energy e = energy(model, state);
  EXPECT_NEAR(e.twist, 5 / rope.length * angle * angle / 2, 1e-4);
  EXPECT_EQ(s["energy.twist"], e.twist);
  EXPECT_EQ(s["energy.joints"], e.joints);
  EXPECT_NEAR(e.total(), e.kinetic + e.axial + e.bending + e.twist + e.joints + e.potential, 1e-9);
  EXPECT_NEAR(e.balance(), energy(model, stepped(model, 0)).balance(), 1e-3);
}

TEST(Energy, OfAJointThatYields) {
  Scene scene = cantilever(false);
  scene.joints[0].compliance = 1e-8;
  scene.initial = Initial::rest;
  const Model model(scene);
  EXPECT_NEAR(energy(model, stepped(model, 0)).joints, 1e-8 * std::pow(2 * 9.81, 2) / 2, 1e-12);
}

TEST(MasslessShapes, GoStraightAndAlongPulleys) {
  const Model model(hoist(0.2));
  Shapes shapes(model, 0);
  const State state = stepped(model, 0);
  shapes.sample(state);
  const Shape& rope = shapes.cables()[0];
  ASSERT_EQ(rope.points(), 1 + 17 + 1);
  double length = 0;
  for (int i = 0; i < rope.points(); ++i) {
    const auto k = static_cast<size_t>(i);
    const Vec3 p = Vec3::Map(&rope.position[3 * k]);
    const bool arc = i > 0 && i + 1 < rope.points();
    if (i > 0) length += (p - Vec3::Map(&rope.position[3 * k - 3])).norm();
    if (arc) {
      const double angle = pi * (i - 1) / 16;
      expect_near(p, Vec3(-0.2 * std::cos(angle), 0, 2 + 0.2 * std::sin(angle)), 1e-9);
    }
    EXPECT_EQ(rope.curvature[k], arc ? 5 : 0);
    EXPECT_NEAR(rope.tension[k], hoist_weight, 1e-6);
    EXPECT_NEAR(rope.strain[k], hoist_weight / hoist_EA, 1e-9);
    expect_near(Vec3::Map(&rope.velocity[3 * k]), Vec3::Zero(), 1e-12);
  }
  EXPECT_NEAR(length, 4 + 0.2 * 32 * std::sin(pi / 32), 1e-9);
  EXPECT_EQ(rope.s.front(), 0);
  EXPECT_NEAR(rope.s.back(), model.scene().cables[0].length, 1e-12);
  ASSERT_EQ(shapes.bodies().size(), 1U);
  EXPECT_EQ(shapes.bodies()[0].position, Vec3(0.2, 0, -0.5));
  EXPECT_EQ(shapes.bodies()[0].orientation.w(), 1);
  EXPECT_EQ(Shapes(model, 4).cables()[0].points(), 1 + 5 + 1);
}

// --- cables with mass, fastened to frames ---

TEST(Attachments, CarryTheirCables) {
  Scene scene;
  scene.cables = {westin_irani_cable(1e7)};
  scene.bodies.push_back(solid_body("load", 3, {0, 0, 0.5}, {1, 1, 1}));
  add_frame(scene, "hook", "", {0, 0, 2});
  add_frame(scene, "load.eye", "load", {0, 0, 0.5});
  scene.cables[0].route = {Stop::hold("hook"), Stop::hold("load.eye")};
  const Model model(scene);
  Integrator integrator(model, solve_options(Method::newton, 1e-3, Scheme::backward_euler));
  State state = integrator.start();
  const auto look = [&] {
    return sampled(model, state,
                   {"hook.force", "hook.position.z", "load.acceleration.z", "momentum.linear.z"});
  };
  for (int i = 0; i < 100; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
  const Sampled before = look();
  ASSERT_EQ(integrator.step(state), Status::ok);
  const Sampled after = look();
  const double pull = 3 * (9.81 + after["load.acceleration.z"]);
  EXPECT_GT(pull, 5);
  EXPECT_NEAR(reaction(model, state, Place::end("pendulum")).force.z(), -pull, 1e-4);
  EXPECT_NEAR(reaction(model, state, Place::start("pendulum")).force.z(), after["hook.force.z"],
              1e-12);
  // Backward Euler: momentum changes by the force at the end of the step.
  const double weight = (3 + scene.cables[0].sections[0].mass) * 9.81;
  EXPECT_NEAR(after["momentum.linear.z"] - before["momentum.linear.z"],
              1e-3 * (after["hook.force.z"] - weight), 1e-7);
  EXPECT_EQ(after["hook.position.z"], 2);
  EXPECT_EQ(
      default_channels(model),
      (std::vector<std::string>{"load.position", "pendulum.tension@start", "pendulum.tension@end",
                                "pendulum.tension@max", "reactions", "energy"}));
}

// --- names ---

TEST(MechanismChannels, DefaultsAndReactions) {
  Scene scene = hoist();
  EXPECT_EQ(default_channels(Model(scene)),
            (std::vector<std::string>{"load.position", "rope.tension@start", "rope.length",
                                      "rope.utilisation@max", "reactions", "energy"}));
  EXPECT_EQ(default_channels(Model(hoist(0.1)))[2], "rope.tension@end");
  add_frame(scene, "floor", "", {0.2, 0, -1});
  add_frame(scene, "load.foot", "load", {0, 0, -0.5});
  add_joint(scene, "pin", JointKind::pin, "floor", "load.foot");
  add_joint(scene, "hinge", JointKind::hinge, "floor", "load.foot");
  std::string names;
  const Channels reactions(Model(scene), {"reactions"});
  for (const Column& c : reactions.columns()) names += c.name + " ";
  EXPECT_EQ(names,
            "anchor.force.x anchor.force.y anchor.force.z top.force.x top.force.y top.force.z "
            "floor.force.x floor.force.y floor.force.z pin.force.x pin.force.y pin.force.z "
            "hinge.force.x hinge.force.y hinge.force.z hinge.torque.x hinge.torque.y "
            "hinge.torque.z ");
  for (int i = 0; i < 7; ++i)
    add_joint(scene, "more" + std::to_string(i), JointKind::pin, "floor", "load.foot");
  const std::vector<std::string> many = default_channels(Model(scene));
  EXPECT_EQ(many[many.size() - 2], "floor.force");
}

TEST(MechanismChannels, SayWhatIsWrongWithAName) {
  Scene scene = hoist();
  add_frame(scene, "floor", "", {0.2, 0, -1});
  add_frame(scene, "load.foot", "load", {0, 0, -0.5});
  add_joint(scene, "pin", JointKind::pin, "floor", "load.foot");
  const Model model(scene);
  const auto expect_parts = [&](const std::string& name, const std::vector<std::string>& parts) {
    std::string text = "accepted";
    try {
      Channels(model, {name});
    } catch (const Error& error) {
      text = error.what();
    }
    for (const std::string& part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
  };
  expect_parts("laod.position", {"'laod'", "load.hook", "Did you mean 'load'?"});
  expect_parts("load.postion", {"'postion'", "angular_velocity", "Did you mean 'position'?"});
  expect_parts("load.orientation.v", {"component 'v'", "w, x, y, z"});
  expect_parts("load.position@end", {"a point ('@end')"});
  expect_parts("load.hook.force", {"'force'", "position, velocity"});
  expect_parts("pin.turn", {"quantity 'turn'", "one of force, torque"});
  expect_parts("rope.position@0.5",
               {"position inside massless cable 'rope'", "'@start' or '@end'"});
  expect_parts("rope.twist", {"without torsional stiffness", "GJ"});
  expect_parts("rope.tension", {"no point"});
  expect_parts("rope.tension@9 m", {"'9 m'", "m long"});
  expect_parts("rope.rest_lenght", {"Did you mean 'rest_length'?"});
  const State state = stepped(model, 0);
  EXPECT_THROW(joint_force(model, state, "pim"), Error);
  EXPECT_THROW(run_tensions(model, state, "cord"), Error);
  EXPECT_THROW(run_tensions(Model(pendulum(1e7)), state, "pendulum"), Error);
}

#ifdef COUNTS_ALLOCATIONS
TEST(MechanismChannels, SampleWithoutAllocating) {
  Scene scene = hoist(0.2);
  scene.cables[0].sections[0].GJ = 1;
  add_frame(scene, "floor", "", {0.2, 0, -1});
  add_frame(scene, "load.foot", "load", {0, 0, -0.5});
  add_joint(scene, "rail", JointKind::cylinder, "floor", "load.foot");
  const Model model(scene);
  const State state = stepped(model, 3);
  std::vector<std::string> names = default_channels(model);
  for (const char* name :
       {"momentum", "load.velocity", "load.acceleration", "load.orientation",
        "load.angular_velocity", "load.hook.position", "load.hook.velocity", "rail.turn",
        "rail.travel", "rope.strain", "rope.strain@0.3", "rope.rest_length", "rope.twist",
        "rope.torque", "rope.position@start", "rope.tension@min", "top.moment", "top.position"})
    names.emplace_back(name);
  Channels channels(model, names);
  Shapes shapes(model, 0);
  std::vector<double> out(channels.columns().size());
  const long before = allocations;
  channels.sample(state, out);
  shapes.sample(state);
  EXPECT_EQ(allocations - before, 0);
}
#endif

}  // namespace
}  // namespace hawser::HAWSER_FILE

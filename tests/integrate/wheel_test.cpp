// Pulleys with an inertia of their own under cables with mass: turned without slip, with friction
// and against the friction of their bearings. And loads along cables that flow.
#include <gtest/gtest.h>

#include <cmath>

#include "../bench/flow_scenes.h"
#include "model/model_data.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flowing;

constexpr double R = 0.1;

void run_to(FlowRun& run, double t) {
  ASSERT_EQ(run.to(t), Status::ok) << run.integrator.failure().message();
}

/// Two loads on a light rope over a pulley.
Scene over_a_wheel(double a, double b, double inertia) {
  Scene scene;
  scene.supports = {at("axle", Vec3::Zero())};
  scene.bodies = {load("a", a, {-R, 0, -5}), load("b", b, {R, 0, -5})};
  Stop pulley = Stop::over("axle", R, Vec3::UnitY());
  pulley.inertia = inertia;
  Cable c = rope({Stop::hold("a"), pulley, Stop::hold("b")}, 1e6, 1e-3, 1e-3, 8);
  c.sections[0].axial_damping.viscosity = 2e-3;
  c.length = (10 + pi * R) / (1 + (a + b) / 2 * g / 1e6);
  scene.cables = {c};
  return scene;
}

/// The turn of its pulley [rad].
double turn(const FlowRun& run) {
  return run.state.q[static_cast<size_t>(run.model.data().mechanism.wheels[0].coordinate())];
}

/// a = (m1 - m2) g/(m1 + m2 + I/R^2), with grip, and with more friction than it needs.
TEST(Wheel, TurnsWithoutSlip) {
  const double a = 0.5 * g / (20.5 + 0.2 / (R * R));
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double friction : {0.0, 0.5}) {
      Scene scene = over_a_wheel(10, 10.5, 0.2);
      scene.cables[0].model = model;
      scene.cables[0].route[1].friction = friction;
      FlowRun run(scene, by(2e-3));
      ASSERT_NO_FATAL_FAILURE(run_to(run, 2));
      EXPECT_NEAR(run.place("b").z(), -5 - 2 * a, 5e-4) << friction;
      EXPECT_NEAR(turn(run), 2 * a / R, 5e-3) << friction;
      EXPECT_NEAR(run.read("rope.slip@axle"), 0, 1e-3);
      EXPECT_NEAR(run.read("energy.balance"), 0, 1e-3);
    }
}

/// Hinged to the axle, a drum turns by a given angle under a rope that sticks to it, with strains
/// eps_a and eps_b: as much stretched rope runs on as the surface moves, which leaves it with the
/// strain of the other side (elastic creep). At the start what lies on the drum has the mean of
/// both.
TEST(Wheel, StretchedRopeRunsWithTheSurface) {
  constexpr double EA = 1e5, r = 0.05, m[2] = {20, 10}, way = 1;
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double sense : {1.0, -1.0})
      for (const double step : {2e-3, 2e-3 / 16}) {
        Scene scene;
        scene.supports = {at("axle", Vec3::Zero())};
        scene.bodies = {load("a", m[0], {-r, 0, -3}), load("b", m[1], {r, 0, -3}),
                        load("drum", 5, Vec3::Zero())};
        Joint hub;
        hub.name = "hub";
        hub.kind = JointKind::hinge;
        hub.first = "axle";
        hub.second = "drum";
        hub.axis = Vec3::UnitY();
        hub.turn = {Drive::Kind::position, Signal::smooth(0, sense * way / r, 0.2, 2.2)};
        scene.joints = {hub};
        Stop pulley = Stop::over("drum", r, Vec3::UnitY());
        pulley.friction = 0.6;
        Cable c = rope({Stop::hold("a"), pulley, Stop::hold("b")}, EA, 1e-3, 1e-3, 12);
        c.model = model;
        c.sections[0].axial_damping.viscosity = 5e-3;
        scene.cables = {c};
        scene.initial = Initial::rest;
        FlowRun run(scene, by(step));
        const double from[2] = {run.place("a").z(), run.place("b").z()};
        ASSERT_NO_FATAL_FAILURE(run_to(run, 3));
        const double eps[2] = {m[0] * g / EA, m[1] * g / EA}, jump = eps[0] - eps[1];
        const double on = sense > 0 ? eps[0] : eps[1], l = pi * r;
        const double begins = sense * jump / 2 * l * (1 - std::exp(-way / l));  // as the mean
        const double runs = way - on * way + begins;                            // unstretched
        EXPECT_NEAR(run.place("a").z() - from[0], sense * runs * (1 + eps[0]), 1e-4) << step;
        EXPECT_NEAR(run.place("b").z() - from[1], -sense * runs * (1 + eps[1]), 1e-4) << step;
        EXPECT_NEAR(run.read("energy.balance"), 0, 1e-3) << step;
      }
}

/// The same of a pulley that the rope turns: what drives it is what the loads lose.
TEST(Wheel, KeepsTheEnergyOfAStretchedRope) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double friction : {0.0, 0.5})
      for (const double step : {2e-3, 2e-3 / 16}) {
        Scene scene = over_a_wheel(8, 12, 0.2);
        Cable& c = scene.cables[0];
        c.model = model;
        c.sections[0].EA = 2e4;
        c.length = (10 + pi * R) / (1 + 10 * g / 2e4);
        c.route[1].friction = friction;
        FlowRun run(scene, by(step));
        ASSERT_NO_FATAL_FAILURE(run_to(run, 1.5));
        EXPECT_GT(turn(run), 8);
        EXPECT_NEAR(run.read("energy.balance"), 0, 5e-3) << step;
      }
}

/// A heavy pulley that the rope slips over: m1 (g - a) = k m2 (g + a), k = e^(mu pi), and
/// I phi'' = R (T1 - T2).
TEST(Wheel, SlipsWithFriction) {
  const double k = std::exp(0.05 * pi), a = g * (12 - 8 * k) / (12 + 8 * k);
  const double torque = R * (12 * (g - a) - 8 * (g + a));
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    Scene scene = over_a_wheel(8, 12, 1);
    scene.cables[0].model = model;
    scene.cables[0].route[1].friction = 0.05;
    FlowRun run(scene, by(2e-3));
    ASSERT_NO_FATAL_FAILURE(run_to(run, 1));
    EXPECT_NEAR(run.place("b").z(), -5 - a / 2, 2e-3);
    EXPECT_NEAR(turn(run), torque / 2, 0.01 * torque);
    EXPECT_NEAR(run.read("rope.slip@axle"), a - R * torque, 0.02);
    EXPECT_NEAR(run.read("rope.wrap@axle"), pi, 1e-3);
    EXPECT_LT(run.read("energy.balance"), 1e-3);
    EXPECT_GT(run.read("energy.balance"), -0.05);
  }
}

/// The bearing takes its torque from that of the loads, and holds the pulley where they have less.
TEST(Wheel, HasABearing) {
  Scene scene = over_a_wheel(10, 10.5, 0.2);
  scene.cables[0].route[1].bearing_torque = 0.3;
  const double a = (0.5 * g - 0.3 / R) / (20.5 + 0.2 / (R * R));
  FlowRun run(scene, by(2e-3));
  ASSERT_NO_FATAL_FAILURE(run_to(run, 2));
  EXPECT_NEAR(run.place("b").z(), -5 - 2 * a, 1e-3);
  EXPECT_NEAR(turn(run), 2 * a / R, 1e-2);
  scene.cables[0].route[1].bearing_torque = 0.6;
  FlowRun held(scene, by(2e-3));
  ASSERT_NO_FATAL_FAILURE(run_to(held, 0.5));
  const double then = turn(held);  // the loads bounce at first
  EXPECT_NEAR(then, 0, 1e-3);
  ASSERT_NO_FATAL_FAILURE(run_to(held, 1));
  EXPECT_NEAR(turn(held), then, 1e-9);
}

/// On a body that is free, without weight: a stretched rope draws two loads to the body, the
/// lighter one faster, and turns the pulley. Momentum stays what it was, none.
TEST(Wheel, IsPartOfItsBody) {
  Scene scene = over_a_wheel(2, 6, 0.05);
  scene.gravity = Vec3::Zero();
  scene.bodies.push_back(load("block", 4, Vec3::Zero()));
  scene.bodies.back().inertia = 0.3 * Eigen::Matrix3d::Identity();
  scene.cables[0].route[1].on = "block";
  scene.cables[0].sections[0].EA = 1e3;
  scene.cables[0].length = 10;
  FlowRun run(scene, by(2.5e-4));
  ASSERT_NO_FATAL_FAILURE(run_to(run, 0.3));
  const Momentum after = momentum(run.model, run.state);
  const double moving = 6 * run.read("b.velocity.z"), energy = run.read("energy.balance");
  EXPECT_GT(moving, 1);
  EXPECT_GT(std::abs(turn(run)), 0.1);
  EXPECT_LT(after.linear.norm(), 1e-3 * moving);
  EXPECT_LT(after.angular.norm(), 1e-4);
  EXPECT_LT(energy, 1e-3);
  EXPECT_GT(energy, -0.02 * run.read("energy.kinetic"));
}

TEST(Wheel, RefusesWhatItDoesNotModel) {
  const auto refused = [](const Scene& scene) -> std::string {
    try {
      Model model(scene);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  Scene scene = over_a_wheel(1, 1, 0);
  scene.cables[0].route[1].bearing_torque = 1;
  EXPECT_NE(refused(scene).find("without an `inertia`"), std::string::npos) << refused(scene);
  scene = over_a_wheel(1, 1, 0.1);
  scene.cables[0].model = CableModel::massless;
  EXPECT_NE(refused(scene).find("`inertia` of a pulley under a massless"), std::string::npos)
      << refused(scene);
}

/// Weight as loads: the machine moves as under gravity. The rope flows through the eyelet.
TEST(FlowLoad, IsAWeight) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const Method method : {Method::mixed, Method::newton, Method::linearized}) {
      Scene scene = heavy_atwood();
      scene.cables[0].model = model;
      scene.cables[0].strain = StrainMeasure::engineering;
      FlowRun weighs(scene, by(1e-3, method));
      scene.gravity = Vec3::Zero();
      for (const Body& b : scene.bodies)
        scene.body_forces.push_back({b.name, {0, 0, -b.mass * g}, Vec3::Zero(), 1.0});
      DistributedForce along;
      along.cable = "rope";
      along.force = {0, 0, -0.1 * g};
      scene.distributed_forces = {along};
      FlowRun loaded(scene, by(1e-3, method));
      // The same in two parts, one of them by a profile: they end within elements.
      scene.distributed_forces[0].to = 2.6;
      along.from = 2.6;
      along.along = Profile([](double) { return Signal(1.0); });
      scene.distributed_forces.push_back(along);
      FlowRun parts(scene, by(1e-3, method));
      for (FlowRun* run : {&weighs, &loaded, &parts}) ASSERT_NO_FATAL_FAILURE(run_to(*run, 0.75));
      EXPECT_GT(loaded.changes, 0);
      EXPECT_LT((loaded.place("b") - weighs.place("b")).norm(), 2e-4);
      EXPECT_LT((parts.place("b") - loaded.place("b")).norm(), 1e-5);
      EXPECT_NEAR(loaded.read("energy.balance"), weighs.read("energy.balance"), 2e-3);
    }
}

/// Cable that is paid out carries a load that acts from the start on, and one between places of the
/// material stays with it.
TEST(FlowLoad, GoesWithTheMaterial) {
  Scene scene;
  scene.initial = Initial::rest;
  scene.supports = {at("winch", Vec3::Zero())};
  scene.bodies = {load("load", 20, {0, 0, -6})};
  Cable c = rope({Stop::hold("winch"), Stop::hold("load")}, 1e5, 0, 0.3, 6);
  c.sections[0].axial_damping.viscosity = 0.02;
  c.length = 6;
  c.payout = Signal::smooth(0, 4, 0, 4);
  scene.cables = {c};
  DistributedForce all, part;
  all.cable = part.cable = "rope";
  all.force = {0, 0, -5};
  part.force = {0, 0, -50};
  part.from = 1.25, part.to = 2.5;
  scene.distributed_forces = {all, part};
  FlowRun run(scene, by(5e-3));
  EXPECT_NEAR(run.read("winch.force.z"), 20 * g + 6 * (0.3 * g + 5) + 50 * 1.25, 1e-3);
  ASSERT_NO_FATAL_FAILURE(run_to(run, 8));
  EXPECT_NEAR(run.read("winch.force.z"), 20 * g + 10 * (0.3 * g + 5) + 50 * 1.25, 0.2);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

// Ropes with mass on the drums of winches: closed forms, and the massless rope in the limit of a
// light one.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../bench/flow_scenes.h"
#include "elements/winding.h"
#include "hawser/error.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flowing;

constexpr double R = 0.3, J = 40, weight_mass = 500, weight = weight_mass * g;

/// A load 10 m below the right side of a drum, at rest.
Scene hoist(double rope_mass, CableModel model = CableModel::ancf) {
  Scene scene;
  scene.initial = Initial::rest;
  scene.supports = {at("pedestal", Vec3::Zero())};
  scene.bodies = {load("load", weight_mass, {R, 0, -10})};
  Winch w;
  w.name = "main";
  w.on = "pedestal";
  w.axis = Vec3::UnitY();
  w.drum.radius = R;
  w.inertia = J;
  w.wound = 100;
  scene.winches = {w};
  Cable c = rope({Stop::wind("main"), Stop::hold("load")}, 1e8, 0, rope_mass, 5);
  c.model = model;
  c.length = 10;
  c.sections[0].axial_damping.viscosity = 2e-3;
  scene.cables = {c};
  return scene;
}

void go(FlowRun& run, double t) {
  ASSERT_EQ(run.to(t), Status::ok) << run.integrator.failure().message();
}

constexpr CableModel with_mass[] = {CableModel::ancf, CableModel::np_fem};

void expect_free_fall(CableModel model) {
  for (const Method method : {Method::mixed, Method::newton}) {
    FlowRun run(hoist(1e-3, model), by(5e-3, method));
    ASSERT_NO_FATAL_FAILURE(go(run, 1));
    const double a = weight * R / (J + weight_mass * R * R);
    EXPECT_NEAR(run.read("main.speed"), a, 2e-3 * a);
    EXPECT_NEAR(run.read("main.turn"), a / 2, 6e-3 * a);
    EXPECT_NEAR(run.read("rope.rest_length"), 10 + R * run.read("main.turn"), 1e-4);
    EXPECT_NEAR(run.read("rope.paid_out"), run.read("rope.rest_length") - 10, 1e-9);
    EXPECT_NEAR(run.read("rope.tension@start"), J * a / R, 2e-3 * weight);
    EXPECT_NEAR(run.read("energy.balance"), 0, 1e-3 * weight);
    EXPECT_GE(run.changes, 1);
  }
}

TEST(DrumRope, FreeFallTurnsTheDrum) {
  for (const CableModel model : with_mass) expect_free_fall(model);
}

/// A rope of 2 kg/m falls with its load: (J + m I + (M + m l) R^2) theta'' = (M + m l) g R.
TEST(DrumRope, HeavyRope) {
  double turn = 0, rate = 0, t = 0;
  const double m = 2, h = 1e-5;
  const auto acceleration = [&](double theta) {
    const double l = 10 + R * theta, hangs = weight_mass + m * l,
                 inertia = J + m * R * R * (100 - R * theta);
    return hangs * g * R / (inertia + hangs * R * R);
  };
  for (; t < 2 - h / 2; t += h) {  // leapfrog
    rate += h / 2 * acceleration(turn);
    turn += h * rate;
    rate += h / 2 * acceleration(turn);
  }
  for (const CableModel model : with_mass) {
    FlowRun run(hoist(2, model), by(5e-3));
    ASSERT_NO_FATAL_FAILURE(go(run, 2));
    EXPECT_NEAR(run.read("main.turn"), turn, 2e-3 * turn);
    EXPECT_NEAR(run.read("main.speed"), rate, 2e-3 * rate);
    EXPECT_NEAR(run.read("energy.balance"), 0, 2e-3 * weight);
  }
}

/// Lifted over three layers of ten turns: the length wound by the helices, the load by the massless
/// rope.
void expect_three_layers(CableModel of) {
  const auto lift = [](CableModel model) {
    Scene scene = hoist(1e-3, model);
    Winch& w = scene.winches[0];
    w.drum = {};
    w.drum.radius = 0.2;
    w.drum.cable = 0.02;
    w.drum.width = 0.22;
    w.drum.pitch = 0.021;
    w.drum.layers = 3;
    w.wound = 6;
    w.motor.kind = Motor::Kind::rate;
    constexpr double rate = 2 * pi * 25 / 10;
    w.motor.value = Signal::function([](double t) {
      const Signal::Sample up = Signal::smooth(0, -rate, 0, 2).at({t, {}}),
                           down = Signal::smooth(0, rate, 10, 12).at({t, {}});
      return Signal::Sample{up.value + down.value, up.rate + down.rate, 0};
    });
    scene.bodies[0].position = {0.21, 0, -50};
    scene.cables[0].length = 50;
    scene.cables[0].elements = 10;
    return scene;
  };
  FlowRun run(lift(of), by(1e-2)), light(lift(CableModel::massless), by(1e-2));
  for (const double t : {3.0, 6.0, 9.0, 13.0}) {
    ASSERT_NO_FATAL_FAILURE(go(run, t));
    ASSERT_NO_FATAL_FAILURE(go(light, t));
    EXPECT_NEAR(run.place("load").z(), light.place("load").z(), 1e-3) << t;
    EXPECT_NEAR(run.place("load").y(), light.place("load").y(), 1e-2) << t;
    EXPECT_NEAR(run.read("rope.tension@start"), light.read("rope.tension@start"), 1e-2 * weight);
    EXPECT_NEAR(run.read("main.torque"), light.read("main.torque"), 1e-2 * weight * R) << t;
  }
  // 6 m are 4.54671 turns of 1.319636 m. After 25 more, the third layer has 9.54671 of 1.537268 m.
  EXPECT_NEAR(run.read("main.wound"), 42.156724, 1e-4);
  EXPECT_NEAR(run.read("rope.rest_length"), 50 + 6 - 42.156724, 1e-3);
  EXPECT_EQ(run.read("main.layer"), 3);
  EXPECT_GE(run.changes, 5);
}

TEST(DrumRope, LiftsOverThreeLayers) {
  for (const CableModel model : with_mass) expect_three_layers(model);
}

/// The brake holds the load, and stops it after its delay where it falls.
TEST(DrumRope, Brake) {
  Scene scene = hoist(1e-3);
  Brake brake;
  brake.torque = 2 * weight * R;
  brake.on = Signal::ramp(0, 1, 0.3, 0.300001);
  brake.delay = 0.2;
  scene.winches[0].brake = brake;
  FlowRun run(scene, by(5e-3));
  ASSERT_NO_FATAL_FAILURE(go(run, 2));
  const double a = weight * R / (J + weight_mass * R * R);
  EXPECT_NEAR(run.read("main.turn"), a * 0.25, 0.02);
  EXPECT_NEAR(run.read("main.speed"), 0, 1e-6);
  EXPECT_NEAR(run.read("main.brake_torque"), -weight * R, 0.01 * weight * R);
}

/// The last turns stay on the drum; a full drum stops; a rope that is reeled in ends the run.
TEST(DrumRope, Ends) {
  Scene scene = hoist(0.5);
  scene.cables[0].sections[0].EA = 1e6;
  scene.cables[0].sections[0].EI = 10;
  scene.cables[0].sections[0].axial_damping.viscosity = 0.05;
  scene.winches[0].wound = 4;
  scene.winches[0].turns_kept = 2;
  FlowRun empty(scene, by(5e-3));
  ASSERT_NO_FATAL_FAILURE(go(empty, 3));
  EXPECT_NEAR(empty.read("main.turn"), 4 / R - 4 * pi, 1e-6);
  EXPECT_NEAR(empty.read("main.speed"), 0, 1e-6);

  scene = hoist(1e-3);
  scene.winches[0].motor.kind = Motor::Kind::rate;
  scene.winches[0].motor.value = Signal::smooth(0, -10, 0, 0.5);
  FlowRun reeled(scene, by(5e-3));
  EXPECT_NE(reeled.to(6), Status::ok);
  EXPECT_NE(reeled.integrator.failure().message().find("is used up"), std::string::npos)
      << reeled.integrator.failure().message();
}

/// A load set down while the winch pays out: the motor is cut and the brake applied.
TEST(DrumRope, SlackSwitch) {
  for (const bool on : {false, true}) {
    Scene scene = hoist(0.5);
    scene.cables[0].sections[0].EA = 1e6;
    scene.cables[0].sections[0].EI = 10;
    scene.supports.push_back(at("guide", {R, 0, -10}));
    Joint rail;
    rail.name = "rail";
    rail.kind = JointKind::slider;
    rail.first = "guide";
    rail.second = "load";
    rail.axis = Vec3::UnitZ();
    rail.travel_limits.lowest = -0.3;
    scene.joints = {rail};
    Winch& w = scene.winches[0];
    w.motor.kind = Motor::Kind::rate;
    w.motor.value = Signal::smooth(0, 1, 0, 0.5);
    Brake brake;
    brake.torque = 3 * weight * R;
    brake.on = 0.0;
    brake.delay = 0.05;
    w.brake = brake;
    w.slack_switch = on;
    FlowRun run(scene, by(5e-3));
    ASSERT_NO_FATAL_FAILURE(go(run, 3));
    EXPECT_NEAR(run.read("main.speed"), on ? 0 : 1, 1e-6);
    EXPECT_LT(R * run.read("main.turn"), on ? 0.5 : 1);
    EXPECT_NEAR(run.place("load").z(), -10.3, 1e-3);
  }
}

TEST(DrumRope, GoesOnToTheSameBits) {
  for (const CableModel model : with_mass) {
    const Scene scene = hoist(2, model);
    FlowRun whole(scene, by(1e-2)), part(scene, by(1e-2));
    ASSERT_NO_FATAL_FAILURE(go(part, 1));
    FlowRun after(scene, by(1e-2));
    after.model = Model(part.model.scene(), part.model.mesh());
    after.integrator = Integrator(after.model, by(1e-2));
    after.state = part.state;
    after.integrator.resume(after.state);
    ASSERT_NO_FATAL_FAILURE(go(whole, 2));
    ASSERT_NO_FATAL_FAILURE(go(after, 2));
    EXPECT_EQ(whole.state.q, after.state.q);
  }
}

TEST(DrumRope, RefusesWhatItCannotWind) {
  Scene scene = hoist(1);
  std::swap(scene.cables[0].route[0], scene.cables[0].route[1]);
  EXPECT_THROW(Model{scene}, Error);
  scene = hoist(1);
  scene.cables[0].payout = Signal::ramp(0, 1, 0, 1);
  EXPECT_THROW(Model{scene}, Error);
}

/// A motor of any torque does not turn a drum that has run empty: the run stops and says so, before
/// forces grow. With a largest torque it stalls there, and the load comes to rest.
TEST(DrumRope, EmptyDrumStopsOrStallsTheMotor) {
  for (const CableModel model : with_mass) {
    Scene scene = hoist(0.5, model);
    scene.winches[0].wound = 2;
    scene.winches[0].motor.kind = Motor::Kind::rate;
    scene.winches[0].motor.value = Signal::smooth(0, 4, 0, 1);
    FlowRun rigid(scene, by(5e-3));
    ASSERT_NE(rigid.to(6), Status::ok);
    EXPECT_NE(rigid.integrator.failure().message().find("its drum is empty"), std::string::npos)
        << rigid.integrator.failure().message();
    EXPECT_LT(rigid.read("rope.tension@max"), 1.5 * weight);
    scene.winches[0].motor.most_torque = 3 * weight * R;
    FlowRun stalls(scene, by(1e-3));
    ASSERT_NO_FATAL_FAILURE(go(stalls, 8));
    EXPECT_NEAR(stalls.read("main.turn"), 2 / R, 1e-3);
    EXPECT_NEAR(stalls.place("load").z(), -12, 0.02);
  }
}

/// Reeled in completely: the load is at the drum.
TEST(DrumRope, ReeledInCompletelyItStops) {
  for (const CableModel model : with_mass) {
    Scene scene = hoist(0.5, model);
    scene.winches[0].motor.kind = Motor::Kind::rate;
    scene.winches[0].motor.value = Signal::smooth(0, -8, 0, 1);
    FlowRun run(scene, by(5e-3));
    ASSERT_NE(run.to(8), Status::ok);
    EXPECT_NE(run.integrator.failure().message().find("is used up"), std::string::npos)
        << run.integrator.failure().message();
    EXPECT_GT(run.place("load").z(), -0.6);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

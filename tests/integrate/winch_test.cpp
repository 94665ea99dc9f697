// Winches against closed forms: g = 9.81, a load that hangs from a drum by a cable so stiff that it
// counts as rigid unless said.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "elements/winding.h"
#include "hawser/measure.h"
#include "hawser/modes.h"
#include "hawser/record.h"
#include "hawser/statics.h"
#include "machines.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;
constexpr double R = 0.3, J = 40, mass = 500, weight = mass * g;
constexpr double whole = J + mass * R * R;  ///< inertia of drum and load about the axis

constexpr Method methods[] = {Method::linearized, Method::mixed, Method::mixed3, Method::newton,
                              Method::spook};

/// A load 10 m below the right side of a drum on the ground, at rest; no mass of the cable.
Scene hoist(double EA = 1e10) {
  Scene scene;
  scene.initial = Initial::rest;
  scene.supports = {ground("pedestal", Vec3::Zero())};
  scene.bodies = {ball("load", mass, {R, 0, -10})};
  Winch w;
  w.name = "main";
  w.on = "pedestal";
  w.axis = Vec3::UnitY();
  w.drum.radius = R;
  w.inertia = J;
  w.wound = 100;
  scene.winches = {w};
  Cable cable = massless("rope", EA, 10, {"load", "load"});
  cable.route.front() = Stop::wind("main");
  cable.sections[0].mass = 0;
  cable.sections[0].axial_damping.viscosity = 2e-3;
  scene.cables = {cable};
  return scene;
}

Brake brake(double torque, const Signal& on = 1.0, double delay = 0) {
  Brake b;
  b.torque = torque;
  b.on = on;
  b.delay = delay;
  return b;
}

SolveOptions with(Method method, double step) {
  SolveOptions o;
  o.method = method;
  o.step = step;
  return o;
}

/// mixed3 does without damping.
Scene for_method(Scene scene, Method method) {
  if (method == Method::mixed3) scene.cables[0].sections[0].axial_damping = {};
  return scene;
}

class Hoisting {
 public:
  Hoisting(const Scene& scene, const SolveOptions& options)
      : model(for_method(scene, options.method)),
        integrator(model, options),
        state(integrator.start()) {}

  void to(double t) {
    ASSERT_EQ(integrator.advance(state, t), Status::ok) << integrator.failure().message();
  }
  double read(const std::string& channel) {
    Channels channels(model, {channel});
    double out = 0;
    channels.sample(state, std::span(&out, 1));
    return out;
  }

  Model model;
  Integrator integrator;
  State state;
};

TEST(Winch, FreeFallTurnsTheDrum) {
  for (const Method method : methods) {
    SCOPED_TRACE(static_cast<int>(method));
    Hoisting run(hoist(), with(method, 5e-3));
    run.to(1);
    const double a = weight * R / whole;
    EXPECT_NEAR(run.read("main.speed"), a, 2e-3 * a);
    EXPECT_NEAR(run.read("main.turn"), a / 2, 6e-3 * a);
    EXPECT_NEAR(run.read("rope.paid_out"), R * run.read("main.turn"), 1e-9);
    if (method != Method::mixed3) {  // undamped, it oscillates
      EXPECT_NEAR(run.read("rope.tension@start"), J * a / R, 2e-3 * weight);
    }
    EXPECT_NEAR(run.read("main.wound"), 100 - R * run.read("main.turn"), 1e-9);
  }
}

TEST(Winch, MotorRunsUpByItsCurve) {
  constexpr double stall = 3000, no_load = 8;
  for (const Method method : methods) {
    SCOPED_TRACE(static_cast<int>(method));
    Scene scene = hoist();
    Motor& motor = scene.winches[0].motor;
    motor.kind = Motor::Kind::curve;
    motor.value = -1.0;  // reels in
    motor.curve = {{0, stall}, {no_load, 0}};
    motor.extends = true;
    Hoisting run(scene, with(method, 2e-3));
    const double limit = -no_load * (1 - weight * R / stall), tau = whole * no_load / stall;
    for (const double t : {0.1, 0.25, 0.5}) {
      run.to(t);
      const double exact = limit * (1 - std::exp(-t / tau));
      EXPECT_NEAR(run.read("main.speed"), exact, 1e-2 * std::abs(limit)) << t;
      EXPECT_NEAR(run.read("main.torque"), -stall * (1 + run.read("main.speed") / no_load), 1e-9);
    }
  }
}

TEST(Winch, CurveOfPointsEqualsTheLine) {
  Scene scene = hoist();
  Motor& motor = scene.winches[0].motor;
  motor.kind = Motor::Kind::curve;
  motor.value = -1.0;
  motor.curve = {{0, 3000}, {8, 0}};
  motor.extends = true;
  Hoisting line(scene, with(Method::mixed, 5e-3));
  scene.winches[0].motor.curve = {{-20, 10500}, {0, 3000}, {3, 1875}, {8, 0}, {20, -4500}};
  scene.winches[0].motor.extends = false;
  Hoisting points(scene, with(Method::mixed, 5e-3));
  line.to(1), points.to(1);
  EXPECT_NEAR(line.read("main.turn"), points.read("main.turn"), 1e-9);
}

TEST(Winch, BrakeHolds) {
  for (const Method method : methods) {
    SCOPED_TRACE(static_cast<int>(method));
    Scene scene = hoist(1e6);
    scene.winches[0].brake = brake(1.001 * weight * R);
    Hoisting run(scene, with(method, 1e-2));
    EXPECT_NEAR(run.read("main.brake_torque"), -weight * R, 1e-6 * weight);
    run.to(20);
    EXPECT_LT(std::abs(run.read("main.turn")), 1e-9);
    EXPECT_NEAR(run.read("main.brake_torque"), -weight * R, 1e-6 * weight);
  }
}

TEST(Winch, BrakeSlips) {
  for (const Method method : methods) {
    SCOPED_TRACE(static_cast<int>(method));
    Scene scene = hoist();
    const double torque = 0.6 * weight * R;
    scene.winches[0].brake = brake(torque);
    Hoisting run(scene, with(method, 5e-3));
    run.to(1);
    const double a = (weight * R - torque) / whole;
    EXPECT_NEAR(run.read("main.speed"), a, 3e-3 * a);
    EXPECT_NEAR(run.read("main.brake_torque"), -torque, 1e-9);
    const Energy energy = hawser::energy(run.model, run.state);
    EXPECT_NEAR(energy.work, -torque * run.read("main.turn"), 2e-2 * torque);
  }
}

/// Falls freely, is stopped by the brake that comes with its delay, and stays.
TEST(Winch, EmergencyStop) {
  for (const Method method : methods) {
    SCOPED_TRACE(static_cast<int>(method));
    for (const double h : {1e-2, 1e-2 / 16}) {
      Scene scene = hoist();
      const double torque = 2 * weight * R;
      scene.winches[0].brake = brake(torque, Signal::ramp(0, 2, 0.5, 0.5000001), 0.217);
      Hoisting run(scene, with(method, h));
      const double from = 0.717, a = weight * R / whole, b = (torque - weight * R) / whole;
      const double speed = a * from, stop = from + speed / b;
      run.to(0.7);
      EXPECT_EQ(run.read("main.brake_torque"), 0);
      run.to(3);
      EXPECT_NEAR(run.read("main.turn"), a * from * from / 2 + speed * speed / (2 * b), 2 * h);
      EXPECT_LT(std::abs(run.read("main.speed")), 1e-9);
      EXPECT_LT(stop, 3);
      if (method != Method::mixed3) {
        EXPECT_NEAR(run.read("rope.tension@start"), weight, 1e-3 * weight);
      }
    }
  }
}

TEST(Winch, StopsWhereTurnsAreKept) {
  for (const Method method : methods) {
    SCOPED_TRACE(static_cast<int>(method));
    Scene scene = hoist(1e6);
    scene.winches[0].wound = 4;
    scene.winches[0].turns_kept = 1;
    Hoisting run(scene, with(method, 2e-3));
    const double most = 4 / R - 2 * pi;
    run.to(6);
    EXPECT_NEAR(run.read("main.turn"), most, 1e-3);
    EXPECT_GE(run.read("main.wound"), 2 * pi * R - 1e-3);
  }
}

TEST(Winch, StopsWhereTheDrumIsFull) {
  Scene scene = hoist();
  Winch& w = scene.winches[0];
  w.drum.cable = 0.02;
  w.drum.radius = R - 0.01;
  w.drum.width = 0.2;
  w.drum.layers = 1;
  w.wound = 9.5 * 2 * pi * R;
  w.motor.kind = Motor::Kind::torque;
  w.motor.value = -2 * weight * R;
  Hoisting run(scene, with(Method::mixed, 5e-3));
  run.to(2);
  EXPECT_NEAR(run.read("main.wound"), 10 * std::hypot(2 * pi * R, 0.02), 2e-3);
  EXPECT_LT(std::abs(run.read("main.speed")), 1e-6);
  EXPECT_EQ(run.read("main.layer"), 1);
}

/// A drum of three layers and a tall lift.
Scene layers(double EA) {
  Scene scene = hoist(EA);
  Winch& w = scene.winches[0];
  w.drum.radius = R - 0.015;
  w.drum.cable = 0.03;
  w.drum.width = 0.31;
  w.drum.pitch = 0.031;
  w.drum.layers = 3;
  w.wound = 5;
  scene.supports[0].position = {0, 0, 60};
  scene.bodies[0].position = {R, -0.1, 0};
  scene.cables[0].length = 0;
  return scene;
}

TEST(Winch, LiftsOverThreeLayers) {
  for (const Method method : methods) {
    SCOPED_TRACE(static_cast<int>(method));
    Scene scene = layers(1e9);
    Motor& motor = scene.winches[0].motor;
    motor.kind = Motor::Kind::rate;
    motor.value = Signal::ramp(0, -8, 0, 2);
    Hoisting run(scene, with(method, 1e-2));
    const double start = run.read("main.wound");
    run.to(21);
    const Winding winding(scene.winches[0].drum);
    const double turn = run.read("main.turn"), W = winding.angle(5) - turn;
    EXPECT_NEAR(turn, -8 * 20,
                method == Method::linearized || method == Method::spook ? 0.1 : 2e-2);
    EXPECT_EQ(run.read("main.layer"), 3);
    EXPECT_NEAR(run.read("main.wound"), winding.length(W), 1e-9);
    // Height by the closed form: what is left of the rope hangs from the drum's side.
    const double left = run.read("rope.rest_length");
    EXPECT_NEAR(left, std::hypot(60, 0) - (winding.length(W) - start), 0.02);
    const Vec3 at = body_at(run.model, run.state, 0);
    const Vec3 off(winding.at(W).radius, winding.at(W).shift, 60);
    EXPECT_NEAR((at - off).norm(), left, 0.02);
  }
}

/// Let go and caught by nothing: weight, drum and rope exchange energy, at layer changes too.
TEST(Winch, NoFalseWorkWhereLayersChange) {
  double gain[2];
  for (const int fine : {0, 1}) {
    Scene scene = layers(1e7);
    scene.winches[0].wound = 50;
    scene.bodies[0].position.z() = 50;
    SolveOptions o = with(Method::newton, fine ? 1e-3 : 4e-3);
    Hoisting run(scene, o);
    double most = 0;
    for (double t = 0.1; t < 3.45; t += 0.1) {
      run.to(t);
      most = std::max(most, std::abs(hawser::energy(run.model, run.state).balance()));
    }
    EXPECT_LT(run.read("main.layer"), 2.5) << "has not passed a flange";
    gain[fine] = most / hawser::energy(run.model, run.state).kinetic;
    EXPECT_LT(gain[fine], fine ? 2e-4 : 3e-3);
  }
  EXPECT_LT(gain[1], gain[0] / 3);
}

/// The cable on the drum has mass: its inertia leaves with it and with its kinetic energy.
TEST(Winch, InertiaOfTheCableOnTheDrum) {
  Scene scene = hoist();
  scene.cables[0].sections[0].mass = 2;
  Hoisting run(scene, with(Method::newton, 1e-3));
  run.to(1.5);
  // J(W) theta'' = (weight - m theta'' R) R, J = J + 2 R^2 (100 - R theta), by Runge-Kutta.
  double x = 0, v = 0;
  const auto a = [](double theta) {
    return weight * R / (J + 2 * R * R * (100 - R * theta) + mass * R * R);
  };
  constexpr int n = 10000;
  constexpr double h = 1.5 / n;
  for (int i = 0; i < n; ++i) {
    const double k1 = a(x), k2 = a(x + h / 2 * v), k3 = a(x + h / 2 * (v + h / 2 * k1)),
                 k4 = a(x + h * (v + h / 2 * k2));
    x += h * v + h * h / 6 * (k1 + k2 + k3);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  EXPECT_NEAR(run.read("main.turn"), x, 1e-4 * x);
  EXPECT_NEAR(run.read("main.speed"), v, 1e-4 * v);
  const Energy energy = hawser::energy(run.model, run.state);
  EXPECT_LT(energy.work, 0) << "of what leaves the drum";
  EXPECT_LT(std::abs(energy.balance()), 1e-3 * energy.kinetic);
}

TEST(Winch, MotorsWorkLiftsTheLoad) {
  Scene scene = hoist(1e7);
  Motor& motor = scene.winches[0].motor;
  motor.kind = Motor::Kind::torque;
  motor.value = -1.2 * weight * R;
  Hoisting run(scene, with(Method::mixed, 2e-3));
  const Energy before = hawser::energy(run.model, run.state);
  run.to(2);
  const Energy after = hawser::energy(run.model, run.state);
  EXPECT_NEAR(after.work, -1.2 * weight * R * run.read("main.turn"), 1e-3 * after.work);
  EXPECT_LT(std::abs(after.balance()), 1e-3 * after.work);
  EXPECT_GT(after.potential, before.potential);
}

TEST(Winch, LimitedMotorStalls) {
  for (const Method method : methods) {
    SCOPED_TRACE(static_cast<int>(method));
    Scene scene = hoist(1e7);
    Motor& motor = scene.winches[0].motor;
    motor.kind = Motor::Kind::rate;
    motor.value = -2.0;
    motor.most_torque = 1.5 * weight * R;
    Hoisting run(scene, with(method, 5e-3));
    run.to(0.1);
    const double a = -0.5 * weight * R / whole;
    EXPECT_NEAR(run.read("main.speed"), 0.1 * a, method == Method::mixed3 ? 0.06 : 0.03);
    EXPECT_NEAR(run.read("main.torque"), -1.5 * weight * R, 1e-6);
    run.to(4);
    EXPECT_NEAR(run.read("main.speed"), -2, 1e-6);
    if (method != Method::mixed3) {
      EXPECT_NEAR(run.read("main.torque"), -weight * R, 1e-2 * weight * R);
    }
  }
}

/// A load set down while the drum goes on paying out.
TEST(Winch, SlackSwitch) {
  for (const bool on : {false, true}) {
    Scene scene = hoist(1e6);
    scene.supports.push_back(ground("floor", {R, 0, -10.5}));
    Joint floor = joint("floor-stop", JointKind::distance, "floor", "load");
    floor.travel_limits.lowest = 0.2;
    scene.joints = {floor};
    Winch& w = scene.winches[0];
    w.motor.kind = Motor::Kind::rate;
    w.motor.value = Signal::ramp(0, 1, 0, 0.5);
    w.brake = brake(3 * weight * R, 0.0, 0.05);
    w.slack_switch = on;
    Hoisting run(scene, with(Method::mixed, 5e-3));
    run.to(6);
    if (on) {
      EXPECT_LT(std::abs(run.read("main.speed")), 1e-9);
      EXPECT_LT(run.read("rope.paid_out"), 0.5);
    } else {
      EXPECT_NEAR(run.read("main.speed"), 1, 1e-6);
      EXPECT_GT(run.read("rope.paid_out"), 1);
    }
  }
}

/// Alone in space: what the motor gives to the drum it takes from the body.
TEST(Winch, OnABodyKeepsAngularMomentum) {
  for (const Method method : {Method::mixed, Method::newton, Method::mixed3}) {
    SCOPED_TRACE(static_cast<int>(method));
    Scene scene = hoist(1e7);
    scene.initial = Initial::straight;
    scene.gravity = Vec3::Zero();
    scene.supports.clear();
    Body frame = ball("frame", 2000, Vec3::Zero());
    frame.inertia = Vec3(900, 400, 700).asDiagonal();
    frame.orientation = Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized());
    scene.bodies.push_back(frame);
    Winch& w = scene.winches[0];
    w.on = "frame";
    w.motor.kind = Motor::Kind::torque;
    w.motor.value = -300.0;
    Hoisting run(scene, with(method, 1e-3));
    run.to(1);
    Channels channels(run.model, {"momentum"});
    std::vector<double> out(channels.columns().size());
    channels.sample(run.state, out);
    for (const double p : out) EXPECT_NEAR(p, 0, 0.3);
    EXPECT_LT(run.read("main.speed"), -0.5);
    const Energy energy = hawser::energy(run.model, run.state);
    EXPECT_LT(std::abs(energy.balance()), 2e-3 * energy.work);
  }
}

/// A spinning drum on a body that turns about another axis: a gyroscope precesses.
TEST(Winch, SpinningDrumIsAGyroscope) {
  Scene scene = hoist(1e7);
  scene.initial = Initial::straight;
  scene.gravity = Vec3::Zero();
  scene.supports = {ground("pivot", Vec3::Zero())};
  scene.cables[0].length = 30;  // slack
  Body frame = ball("frame", 100, Vec3::Zero());
  frame.inertia = Vec3(50, 60, 50).asDiagonal();
  frame.angular_velocity = {0, 0, 0.1};
  scene.bodies.push_back(frame);
  scene.joints = {joint("ball", JointKind::pin, "pivot", "frame")};
  Winch& w = scene.winches[0];
  w.on = "frame";
  w.motor.kind = Motor::Kind::rate;
  w.motor.value = 5.0;
  w.wound = 1000;
  Hoisting run(scene, with(Method::newton, 1e-3));
  const auto momentum = [&] {
    Channels channels(run.model, {"momentum.angular"});
    std::vector<double> out(channels.columns().size());
    channels.sample(run.state, out);
    return Vec3(out[0], out[1], out[2]);
  };
  const Vec3 before = momentum();
  run.to(2);
  EXPECT_LT((momentum() - before).norm(), 2e-3 * before.norm());
}

TEST(Winch, StateContinuesBitIdentically) {
  for (const Method method : methods) {
    Scene scene = layers(1e7);
    scene.cables[0].sections[0].mass = 1;
    scene.winches[0].wound = 20;
    scene.winches[0].brake = brake(4 * weight * R, Signal::ramp(0, 2, 0.5, 0.51), 0.2);
    Hoisting run(scene, with(method, 5e-3));
    run.to(0.6);
    const State copy = run.state;
    run.to(1.5);
    Integrator other(run.model, with(method, 5e-3));
    State again = copy;
    other.resume(again);
    ASSERT_EQ(other.advance(again, 1.5), Status::ok);
    EXPECT_EQ(again.q, run.state.q) << static_cast<int>(method);
    EXPECT_EQ(again.multipliers, run.state.multipliers) << static_cast<int>(method);
  }
}

TEST(Winch, StaticsAndModesHoldTheDrum) {
  const Scene scene = hoist(1e6);
  const Model model(scene);
  Integrator integrator(model, with(Method::mixed, 1e-2));
  State s = integrator.start();
  EXPECT_NEAR(s.q[0], 0, 1e-12) << "turn of the drum";
  EXPECT_NEAR(body_at(model, s, 0).z(), -10 * (1 + weight / 1e6), 1e-6);
  const ModesReport report = modes(model, s);
  EXPECT_TRUE(report.complete) << report.message;
  EXPECT_NEAR(report.mass, mass, 1e-9);
  const double stretch = std::sqrt(1e6 / 10 / mass) / (2 * pi);
  bool found = false;
  for (const Mode& mode : report.modes) {
    found = found || std::abs(mode.frequency - stretch) < 1e-4 * stretch;
    for (const double m : mode.effective_mass) EXPECT_LT(m, mass * (1 + 1e-9));
  }
  EXPECT_TRUE(found) << stretch;
}

TEST(Winch, ReeledInCompletelyStopsWithAMessage) {
  Scene scene = hoist();
  scene.winches[0].motor.kind = Motor::Kind::rate;
  scene.winches[0].motor.value = Signal::ramp(0, -5, 0, 1);
  const Model model(scene);
  Integrator integrator(model, with(Method::mixed, 5e-3));
  State s = integrator.start();
  EXPECT_EQ(integrator.advance(s, 20), Status::diverged);
  EXPECT_NE(integrator.failure().message().find("rope"), std::string::npos)
      << integrator.failure().message();
  for (const double q : s.q) EXPECT_TRUE(std::isfinite(q));
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

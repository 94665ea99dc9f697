// The massless cable against closed forms: g = 9.81, and cables so stiff that they count as rigid.
// Values of the winch and rigid pendulums: integration of their equations of motion by an
// independent program.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "../bench/flow_scenes.h"
#include "hawser/measure.h"
#include "machines.h"
#include "model/model_data.h"

namespace hawser::HAWSER_FILE {
namespace {

using flowing::FlowRun;

constexpr double g = 9.81, stiff = 1e9;

double tension(const State& state, size_t row = 0) { return state.multipliers.at(row); }

SolveOptions options(double step, Method method = Method::mixed) {
  SolveOptions o;
  o.step = step;
  o.method = method;
  return o;
}

TEST(Massless, AtwoodsMachine) {
  Scene scene;
  scene.bodies = {ball("a", 3, {-1, 0, -2}), ball("b", 1, {1, 0, -2})};
  scene.supports = {ground("left", {-1, 0, 0}), ground("right", {1, 0, 0})};
  scene.cables = {massless("rope", 6 * stiff, 6, {"a", "left", "right", "b"})};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::linearized, Method::newton, Method::spook}) {
    Integrator integrator(model, options(1e-2, method));
    State state = integrator.start();
    EXPECT_EQ(tension(state), 0) << "not stretched yet";
    ASSERT_EQ(integrator.advance(state, 0.5), Status::ok);
    EXPECT_NEAR(state.a[2], -4.905, 1e-6);
    EXPECT_NEAR(tension(state), 14.715, 1e-6);
    EXPECT_NEAR(body_velocity(model, state, 1).z(), 4.905 * 0.5, 1e-6);
  }
}

TEST(Massless, BeadOnACable) {
  Scene scene;
  const double off = 1e-3;
  scene.bodies = {ball("bead", 1, {off, 0, -3 * std::sqrt(1 - off * off / 25)})};
  scene.supports = {ground("left", {-4, 0, 0}), ground("right", {4, 0, 0})};
  scene.cables = {massless("wire", 10 * stiff, 10, {"left", "bead", "right"})};
  const Model model(scene);
  Integrator integrator(model, options(1e-3));
  State state = integrator.start();
  EXPECT_EQ(tension(state), 0) << "not stretched yet";
  for (int i = 0; i < 3; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
  EXPECT_NEAR(tension(state), 8.175, 0.01 * 8.175);
  for (int i = 0; i < 60; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
  EXPECT_NEAR(tension(state), 8.175, 1e-5);
  double before = off, quarter = 0;  // first passage through the middle
  while (quarter == 0 && state.t < 3) {
    ASSERT_EQ(integrator.step(state), Status::ok);
    if (state.q[0] <= 0) quarter = state.t - 1e-3 * state.q[0] / (state.q[0] - before);
    before = state.q[0];
  }
  EXPECT_NEAR(4 * quarter, 5.79102, 2e-4);
}

TEST(Massless, WinchPendulum) {
  Scene scene;
  scene.bodies = {ball("load", 1, {5 * std::sin(0.3), 0, -5 * std::cos(0.3)})};
  scene.supports = {ground("winch", Vec3::Zero())};
  Cable rope = massless("rope", 5 * stiff, 5, {"winch", "load"});
  rope.payout = Signal::function([](double t) {
    constexpr double w = std::numbers::pi / 2;
    return Signal::Sample{-0.5 * (t - std::sin(w * t) / w), -0.5 * (1 - std::cos(w * t)),
                          -0.5 * w * std::sin(w * t)};
  });
  scene.cables = {rope};
  const Model model(scene);
  Integrator integrator(model, options(1e-3));
  State state = integrator.start();
  struct Point {
    double t, theta, tension;
  };
  for (const Point p : {Point{1, .0470807, 11.51209}, Point{2, -.3478606, 9.37367}}) {
    ASSERT_EQ(integrator.advance(state, p.t), Status::ok);
    const Vec3 r = state.position(0);
    EXPECT_NEAR(std::atan2(r.x(), -r.z()), p.theta, 1e-5);
    EXPECT_NEAR(tension(state), p.tension, 2e-3);
  }
  EXPECT_NEAR(energy(model, state).balance(), 0, 1e-3);  // the winch's work counts
}

TEST(Massless, RigidPendulum) {
  Scene scene;
  scene.bodies = {ball("bob", 1, {2 * std::sin(1), 0, -2 * std::cos(1)})};
  scene.supports = {ground("hook", Vec3::Zero())};
  scene.cables = {massless("rope", 2 * stiff, 2, {"hook", "bob"})};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::newton}) {
    Integrator integrator(model, options(1e-3, method));
    State state = integrator.start();
    EXPECT_EQ(tension(state), 0) << "not stretched yet";
    for (int i = 0; i < 3; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
    EXPECT_NEAR(tension(state), g * std::cos(1), 0.01 * g);
    for (const auto& [t, theta] : {std::pair(1.0, -.4930675), std::pair(2.0, -.5383673)}) {
      ASSERT_EQ(integrator.advance(state, t), Status::ok);
      EXPECT_NEAR(std::atan2(state.q[0], -state.q[2]), theta, 1e-5);
    }
  }
}

/// Dropped at the anchor: free fall, then a spring, and all of it back again.
TEST(Massless, BungeeGoesSlackAndTaut) {
  Scene scene;
  scene.bodies = {ball("jumper", 1, {0, 0, -1e-6})};
  scene.supports = {ground("bridge", Vec3::Zero())};
  scene.cables = {massless("cord", 100, 1, {"bridge", "jumper"})};
  const Model model(scene);
  Integrator integrator(model, options(1e-4));
  State state = integrator.start();
  double taut = 0, largest = 0, lowest = 0, top = 0, z = 0, v = 0;
  while (state.t < 1.4) {
    v = body_velocity(model, state, 0).z();
    ASSERT_EQ(integrator.step(state), Status::ok);
    z = body_at(model, state, 0).z();
    if (taut == 0 && tension(state) > 0) taut = state.t;
    largest = std::max(largest, tension(state));
    lowest = std::min(lowest, z);
    if (v > 0 && body_velocity(model, state, 0).z() <= 0) top = state.t;
    EXPECT_GE(tension(state), 0);
  }
  EXPECT_NEAR(taut, .451524, 2e-4);
  EXPECT_NEAR(-1 - lowest, .551778, 1e-5);
  EXPECT_NEAR(largest, 55.1778, 1e-3);
  EXPECT_NEAR(top, 1.260797, 3e-4);
}

TEST(Massless, RigidCableTightensWithoutGainOfEnergy) {
  Scene scene;
  scene.bodies = {ball("bob", 1, {0, 0, -0.2}, {1, 0, 0})};
  scene.supports = {ground("hook", Vec3::Zero())};
  scene.cables = {massless("rope", stiff, 1, {"hook", "bob"})};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::newton, Method::linearized, Method::spook}) {
    Integrator integrator(model, options(5e-3, method));
    State state = integrator.start();
    const double start = energy(model, state).total();
    double most = start;
    while (state.t < 5) {
      ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
      most = std::max(most, energy(model, state).total());
    }
    EXPECT_LT(most, start + 0.01 * g) << "method " << static_cast<int>(method);
    EXPECT_NEAR(body_at(model, state, 0).norm(), 1, 1e-2);
  }
}

TEST(Massless, DriveWithSlip) {
  Scene scene;
  scene.bodies = {ball("box", 1, {0, 0, -5})};
  scene.supports = {ground("rod", Vec3::Zero())};
  Cable line = massless("line", stiff, 5, {"rod", "box"});
  line.drive = {Drive::Kind::velocity, -2.0, 0.1};
  scene.cables = {line};
  const Model model(scene);
  Integrator integrator(model, options(5e-3));
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 2), Status::ok);
  EXPECT_NEAR(body_velocity(model, state, 0).z(), 2 - 0.1 * g, 1e-6);
  EXPECT_NEAR(tension(state), g, 1e-6);
}

/// Two masses over a fixed round bar: the rope slips, its tensions in the ratio e^(mu pi).
TEST(Massless, CapstanRatio) {
  constexpr double mu = 0.2, R = 0.5;
  Scene scene;
  scene.bodies = {ball("a", 3, {-R, 0, -2}), ball("b", 1, {R, 0, -2})};
  scene.supports = {ground("bar", Vec3::Zero())};
  Cable rope = massless("rope", stiff, 0, {"a", "bar", "b"});
  rope.route[1].radius = R;
  rope.route[1].axis = Vec3::UnitY();
  rope.route[1].friction = mu;
  scene.cables = {rope};
  const double ratio = std::exp(mu * std::numbers::pi);
  EXPECT_NEAR(ratio, 1.874456, 1e-6);
  for (const Method method : {Method::mixed, Method::newton, Method::mixed3, Method::spook}) {
    const Model model(scene);
    Integrator integrator(model, options(1e-2, method));
    State state = integrator.start();
    ASSERT_EQ(integrator.advance(state, 0.5), Status::ok);
    EXPECT_NEAR(tension(state, 0) / tension(state, 1), ratio, 1e-6);
    EXPECT_NEAR(body_velocity(model, state, 1).z() / 0.5, (3 - ratio) / (3 + ratio) * g, 2e-2);
  }
  // Nearly in balance it sticks, each side with its own weight.
  scene.bodies[0].mass = 1.5;
  const Model model(scene);
  Integrator integrator(model, options(1e-2));
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 2), Status::ok);
  EXPECT_NEAR(tension(state, 0), 1.5 * g, 1e-6);
  EXPECT_NEAR(tension(state, 1), g, 1e-6);
  EXPECT_NEAR(body_at(model, state, 0).z(), -2, 1e-6);
}

/// The same on a rope that stretches, laid from the one load to the other and back: each side has
/// half of the arc. With k = e^(-mu pi) and T2 = k T1 the route stretches by c1 T1 + c2 T2, with
/// 2 g - T1/m1 - T2/m2 as the rate of its rate, and starts with T1 = 0.
TEST(Massless, SlipsAlikeInBothDirections) {
  constexpr double mu = 0.2, R = 0.1, EA = 2.5856e6, m1 = 300, m2 = 100;
  const double pi = std::numbers::pi, k = std::exp(-mu * pi), heavier = 1 / m1 + k / m2;
  const double c1 = (0.5 + pi / 2 * R) / EA, c2 = (2.5 + pi / 2 * R) / EA;
  const double omega = std::sqrt(heavier / (c1 + k * c2)), middle = 2 * g / heavier;
  for (const bool reversed : {false, true})
    for (const double step : {2e-4, 2e-4 / 16}) {
      Scene scene;
      scene.bodies = {ball("heavy", m1, {-R, 0, 2.5}), ball("light", m2, {R, 0, 0.5})};
      scene.supports = {ground("bar", {0, 0, 3})};
      Cable rope = reversed ? massless("rope", EA, 0, {"light", "bar", "heavy"})
                            : massless("rope", EA, 0, {"heavy", "bar", "light"});
      rope.route[1].radius = R;
      rope.route[1].axis = reversed ? Vec3(-Vec3::UnitY()) : Vec3(Vec3::UnitY());
      rope.route[1].friction = mu;
      scene.cables = {rope};
      const Model model(scene);
      Integrator integrator(model, options(step));
      State state = integrator.start();
      for (const double turns : {0.25, 0.5, 1.25, 1.75, 2.25}) {
        ASSERT_EQ(integrator.advance(state, turns * 2 * pi / omega), Status::ok);
        const double T = middle * (1 - std::cos(omega * state.t));
        EXPECT_NEAR(tension(state, reversed ? 1 : 0), T, 5e-3 * middle) << turns;
        EXPECT_NEAR(tension(state, reversed ? 0 : 1), k * T, 5e-3 * middle) << turns;
      }
    }
}

/// A winch and the first of two fixed bars move towards the second one by x, while the winch draws
/// in half of that: over the bars the rope slips in opposite directions, and its middle part loses
/// cable at both ends. Neither tensions nor slip depend on the damping of the rope.
TEST(Massless, SlipsInOppositeDirectionsOverTwoBars) {
  constexpr double m = 50, EA = 2e6, mu[2] = {0.3, 0.1}, way = 0.3;
  const auto moved = [](double by) {
    return Signal::function([by](double t) {
      constexpr double w = std::numbers::pi;
      return Signal::Sample{by / 2 * (t - std::sin(w * t) / w), by / 2 * (1 - std::cos(w * t)),
                            by / 2 * w * std::sin(w * t)};
    });
  };
  Scene scene;
  scene.bodies = {ball("load", m, {2, 0, 1})};
  scene.supports = {ground("winch", {0, 0, 1}), ground("first", {0, 0, 5}),
                    ground("second", {2, 0, 5})};
  scene.supports[0].motion[0] = scene.supports[1].motion[0] = moved(way);
  Cable rope = massless("rope", EA, 10 / (1 + m * g / EA), {"winch", "first", "second", "load"});
  rope.route[1].friction = mu[0];
  rope.route[2].friction = mu[1];
  rope.payout = moved(-way / 2);
  const double quarter = std::numbers::pi / 2;
  for (const double viscosity : {3e-3, 0.01})
    for (const Method method : {Method::mixed, Method::linearized, Method::newton})
      for (const double step : {2e-3, 2e-3 / 16}) {
        rope.sections[0].axial_damping.viscosity = viscosity;
        scene.cables = {rope};
        FlowRun run(scene, options(step, method));
        for (const double t : {0.7, 1.0, 1.3}) {
          while (run.state.t < t - step / 2) {
            ASSERT_EQ(run.step(), Status::ok) << run.integrator.failure().message();
            ASSERT_LT(tension(run.state), 1.5 * m * g) << run.state.t << ' ' << step;
          }
          const Signal::Sample drawn = moved(way / 2).at({t, {}});
          const double T = m * (g - drawn.acceleration);
          EXPECT_NEAR(tension(run.state, 2) / T, 1, 2e-3);
          EXPECT_NEAR(tension(run.state, 1) / T, std::exp(-mu[1] * quarter), 2e-3);
          EXPECT_NEAR(tension(run.state, 0) / tension(run.state, 1), std::exp(mu[0] * quarter),
                      2e-3);
          EXPECT_NEAR(run.read("rope.slip@first"), -drawn.rate, 2e-3);
          EXPECT_NEAR(run.read("rope.slip@second"), drawn.rate, 2e-3);
        }
        EXPECT_NEAR(run.read("energy.balance"), 0, 0.02);
      }
}

/// A sheave that the rope turns: its inertia is felt.
TEST(Massless, PulleyWithInertia) {
  constexpr double R = 0.5, J = 0.25;
  Scene scene;
  scene.bodies = {ball("a", 3, {-R, 0, -2}), ball("b", 1, {R, 0, -2}),
                  ball("sheave", 2, {0, 0, 0})};
  scene.bodies[2].inertia = Vec3(0.2, J, 0.2).asDiagonal();
  scene.supports = {ground("axle", Vec3::Zero())};
  scene.joints = {joint("bearing", JointKind::hinge, "axle", "sheave", Vec3::UnitY())};
  Cable rope = massless("rope", 6 * stiff, 0, {"a", "sheave", "b"});
  rope.route[1].radius = R;
  rope.route[1].axis = Vec3::UnitY();
  rope.route[1].grip = true;
  scene.cables = {rope};
  const Model model(scene);
  Integrator integrator(model, options(5e-3));
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 0.5), Status::ok);
  const double a = 2 * g / (4 + J / (R * R));
  EXPECT_NEAR(body_velocity(model, state, 0).z(), -a * 0.5, 1e-5);
  EXPECT_NEAR(state.v[6 * 2 + 4], -a * 0.5 / R, 1e-5);  // turned by the heavier side
}

/// A hook of 1 kg between a rope and a load of 10 t that swings, at 10 ms; the hook's own motion
/// across the rope has a period of three steps.
TEST(Massless, MassRatioOfTenThousand) {
  const Vec3 down = Vec3(0.5, 0, -10).normalized();
  Scene scene;
  scene.bodies = {ball("hook", 1, 5 * down), ball("load", 10000, 10 * down)};
  scene.supports = {ground("boom", Vec3::Zero())};
  scene.cables = {massless("fall", 5e8, 5, {"boom", "hook"}),
                  massless("sling", 5e8, 0, {"hook", "load"})};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::newton, Method::linearized, Method::spook}) {
    Integrator integrator(model, options(1e-2, method));
    State state = integrator.start();
    const double start = energy(model, state).total();
    ASSERT_EQ(integrator.advance(state, 20), Status::ok) << integrator.failure().message();
    EXPECT_LT(energy(model, state).total(), start + 1e-3 * 1e4 * g);
    EXPECT_NEAR(body_at(model, state, 0).norm(), 5, 0.01);
    EXPECT_LT(std::abs(body_at(model, state, 1).x()), 0.7);
  }
}

/// The twist acts the same whatever way the cable points.
TEST(Massless, TwistAtEveryInclination) {
  constexpr double mass = 1000, I = mass * 4 / 6, c = 1e3;
  const double exact = 2 * std::numbers::pi * std::sqrt(I / 2 / c);
  for (const double angle : {0.0, 0.7, 1.4, std::numbers::pi / 2}) {
    const Vec3 d(std::cos(angle), 0, std::sin(angle));
    Scene scene;
    scene.gravity = Vec3::Zero();
    for (const double side : {-1.0, 1.0}) {
      Body b = ball(side < 0 ? "a" : "b", mass, 3 * side * d);
      b.inertia = I * Eigen::Matrix3d::Identity();
      b.angular_velocity = 0.5 * side * d;
      scene.bodies.push_back(b);
      scene.frames.push_back(frame(b.name + ".eye", b.name, -side * d));
    }
    Cable rope = massless("rope", 4e6, 4, {"a.eye", "b.eye"});
    rope.sections[0].GJ = 4 * c;
    scene.cables = {rope};
    const Model model(scene);
    Integrator integrator(model, options(1e-2));
    State state = integrator.start();
    double before = 0, half = 0;
    while (half == 0 && state.t < exact) {
      ASSERT_EQ(integrator.step(state), Status::ok);
      if (before > 0 && state.twist[0] <= 0)
        half = state.t - 1e-2 * state.twist[0] / (state.twist[0] - before);
      before = state.twist[0];
    }
    EXPECT_NEAR(2 * half, exact, 1e-3 * exact) << angle;
    const Momentum p = momentum(model, state);
    EXPECT_LT(p.angular.norm(), 1e-6 * I);
  }
}

/// A rope over a point and a pulley of one body that tumbles freely is not twisted by that.
TEST(Massless, ABentRouteThatTurnsAsAWholeIsNotTwisted) {
  for (const double radius : {0.0, 0.2}) {
    Scene scene;
    scene.gravity = Vec3::Zero();
    Body b = ball("frame", 10, Vec3::Zero());
    b.inertia = Vec3(2, 3, 4).asDiagonal();
    b.angular_velocity = {1, 0.3, 2};
    scene.bodies = {b};
    scene.frames = {frame("l", "frame", {-1, 0, 0}), frame("top", "frame", {0, 0.3, 1}),
                    frame("r", "frame", {1, 0, 0.2})};
    Cable rope = massless("rope", 1e6, 0, {"l", "top", "r"});
    rope.route[1].radius = radius;
    rope.route[1].axis = Vec3::UnitY();
    rope.sections[0].GJ = 10;
    scene.cables = {rope};
    const Model model(scene);
    Integrator integrator(model, options(1e-2));
    State state = integrator.start();
    const Vec3 before = momentum(model, state).angular;
    ASSERT_EQ(integrator.advance(state, 2), Status::ok) << integrator.failure().message();
    EXPECT_NEAR(state.twist[0], 0, 1e-12) << radius;
    EXPECT_LT((momentum(model, state).angular - before).norm(), 1e-3 * before.norm());
  }
}

/// A block under two vertical falls, turned by an angle, twists both by it: the torque along the
/// rope is GJ/L times twice the angle, and each fall turns the block back with that.
TEST(Massless, ABlockThatSpinsTwistsBothFalls) {
  constexpr double I = 0.5, GJ = 3, L = 4 + std::numbers::pi * 0.01;
  Scene scene;
  scene.gravity = Vec3::Zero();
  Body block = ball("block", 10, {0, 0, -2});
  block.inertia = I * Eigen::Matrix3d::Identity();
  block.angular_velocity = {0, 0, 0.2};
  scene.bodies = {block};
  scene.supports = {ground("left", {-0.01, 0, 0}), ground("right", {0.01, 0, 0})};
  Cable rope = massless("rope", 1e6, 0, {"left", "block", "right"});
  rope.route[1].radius = 0.01;
  rope.route[1].axis = -Vec3::UnitY();
  rope.sections[0].GJ = GJ;
  scene.cables = {rope};
  const Model model(scene);
  Integrator integrator(model, options(1e-3));
  State state = integrator.start();
  const double period = 2 * std::numbers::pi * std::sqrt(I / (4 * GJ / L));
  ASSERT_EQ(integrator.advance(state, period / 4), Status::ok) << integrator.failure().message();
  // The falls are taut by nothing but inertia: only twist resists.
  EXPECT_NEAR(std::abs(state.twist[0]), 2 * 0.2 * std::sqrt(I / (4 * GJ / L)), 1e-3);
}

/// Two bodies that come closer: the cable between them gets nodes. Its mass moves with their
/// velocities, linear in between; they keep theirs; and nothing but its bending has energy beside.
TEST(Massless, GoesSlackWithTheMomentumOfItsEnds) {
  constexpr double mass = 0.1, length = 1.5, limit = 2e-3, step = 1e-3;
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    SCOPED_TRACE(model == CableModel::ancf ? "ancf" : "np-fem");
    Scene scene;
    scene.gravity.setZero();
    scene.bodies = {ball("a", 2, {0, 0, 0}, {1, 0.5, 0}), ball("b", 3, {1.5, 0, 0}, {-1, 0, 0.2})};
    scene.cables = {massless("rope", 1e5, length, {"a", "b"})};
    scene.cables[0].sections[0].mass = mass;
    scene.cables[0].sections[0].EI = 0.01;
    scene.cables[0].when_slack = WhenSlack{model, limit};
    Integrator integrator(Model(scene), options(step));
    State state = integrator.start();
    std::optional<Mesh> mesh;
    while (!mesh && state.t < 0.1) {
      ASSERT_EQ(integrator.step(state), Status::ok);
      mesh = renewed_mesh(integrator.model(), state);
    }
    ASSERT_TRUE(mesh);
    const Model& before = integrator.model();
    const Vec3 a = body_velocity(before, state, 0), b = body_velocity(before, state, 1);
    const auto& bodies = before.data().mechanism.bodies;
    const Vec3 apart = state.position(bodies[1].node) - state.position(bodies[0].node);
    EXPECT_GT(length - apart.norm(), limit * length);
    EXPECT_LT(length - apart.norm(), limit * length + 2 * step);
    EXPECT_EQ(mesh->s[0].size(), 11u);
    const Model next(before.scene(), *mesh);
    const MeshChange change = integrator.change_mesh(next, state);
    EXPECT_EQ(integrator.counters().fidelity_changes, 1);
    EXPECT_LT((body_velocity(next, state, 0) - a).norm(), 1e-12);
    EXPECT_LT((body_velocity(next, state, 1) - b).norm(), 1e-12);
    EXPECT_NEAR(change.kinetic, mass * length / 6 * (a.dot(a) + a.dot(b) + b.dot(b)), 1e-12);
    EXPECT_LT((change.momentum - mass * length / 2 * (a + b)).norm(), 1e-12);
    EXPECT_NEAR(state.books.by_fidelity, change.energy - change.kinetic, 1e-12);
    EXPECT_EQ(state.books.largest_fidelity, std::abs(state.books.by_fidelity));
    // An arc of the half angle x has sin(x)/x = chord/length, and EI (2 x)^2/2 length.
    const double x = std::sqrt(6 * (1 - apart.norm() / length));
    EXPECT_NEAR(energy(next, state).bending,
                model == CableModel::ancf ? 0.01 * 2 * x * x / length : 0, 1e-6);
    EXPECT_NEAR(energy(next, state).axial, 0, 1e-9);
    // A mesh without nodes makes it massless again, and takes what it has brought along.
    const double total = energy(next, state).total() - change.energy;
    Mesh taut = *mesh;
    taut.s[0].clear();
    integrator.change_mesh(Model(next.scene(), taut), state);
    EXPECT_EQ(integrator.counters().fidelity_changes, 2);
    EXPECT_NEAR(energy(integrator.model(), state).total(), total, 1e-12);
    EXPECT_NEAR(state.books.by_fidelity, 0, 1e-12);
    ASSERT_EQ(integrator.step(state), Status::ok);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

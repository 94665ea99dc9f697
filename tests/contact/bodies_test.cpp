// Bodies that touch the ground, supports and each other.
#include "../bench/body_scenes.h"

#include <gtest/gtest.h>

#include <random>

#include "contact/body_contact.h"
#include "contact/refusal.h"
#include "hawser/record.h"

namespace hawser {
namespace {

using namespace touching;
using Kind = Solid::Kind;

constexpr double deg = pi / 180;

/// What slides or rolls down a plane in a second.
double way_down(const Body& body, double angle, double friction, double h) {
  TouchRun run(on_slope(body, angle, friction), by(h));
  EXPECT_EQ(run.to(1), Status::ok) << run.integrator.failure().message();
  return place_of(run, 0).x();
}

TEST(BodyContact, BlockSticksBelowTheAngleOfFriction) {
  const Body block = solid("block", Kind::box, {0.4, 0.3, 0.2}, {0, 0, 0.1});
  for (const double h : {1e-3, 1e-2}) {
    TouchRun run(on_slope(block, 25 * deg, 0.5), by(h));
    ASSERT_EQ(run.to(0.5), Status::ok) << run.integrator.failure().message();
    const double settled = place_of(run, 0).x();
    ASSERT_EQ(run.to(2), Status::ok) << run.integrator.failure().message();
    EXPECT_NEAR(place_of(run, 0).x(), settled, 1e-8) << h;
    EXPECT_LT(std::abs(settled), 5e-5) << h;
  }
}

TEST(BodyContact, BlockSlidesAboveIt) {
  const Body block = solid("block", Kind::box, {0.4, 0.3, 0.2}, {0, 0, 0.1});
  const double slides = g * (std::sin(35 * deg) - 0.5 * std::cos(35 * deg)) / 2;
  for (const double h : {1e-3, 1e-2})
    EXPECT_NEAR(way_down(block, 35 * deg, 0.5, h), slides, 5e-3 * slides) << h;
}

TEST(BodyContact, SphereAndCylinderRoll) {
  const double slope = 20 * deg, falls = g * std::sin(slope) / 2;
  const Body ball = solid("ball", Kind::sphere, {0.1, 0, 0}, {0, 0, 0.1});
  Body drum = solid("drum", Kind::cylinder, {0.1, 0.3, 0}, {0, 0, 0.1});
  drum.orientation = Eigen::AngleAxisd(pi / 2, Vec3::UnitX());
  for (const double h : {1e-3, 5e-3}) {
    EXPECT_NEAR(way_down(ball, slope, 0.5, h), 5.0 / 7 * falls, 5e-3 * falls) << h;
    EXPECT_NEAR(way_down(drum, slope, 0.5, h), 2.0 / 3 * falls, 5e-3 * falls) << h;
  }
  // With less than 2/7 tan the sphere slips.
  EXPECT_NEAR(way_down(ball, slope, 0.05, 1e-3), falls - 0.05 * g * std::cos(slope) / 2,
              5e-3 * falls);
}

TEST(BodyContact, StackStays) {
  for (const double h : {1e-3, 1e-2}) {
    TouchRun run(stack(5), by(h));
    ASSERT_EQ(run.to(2), Status::ok) << run.integrator.failure().message();
    const BodyDrift drift = body_drift(run);
    EXPECT_LT(drift.way, 5e-4) << h;
    EXPECT_LT(drift.turn, 1e-3) << h;
    const double height = place_of(run, 4).z();
    ASSERT_EQ(run.to(3), Status::ok);
    EXPECT_NEAR(place_of(run, 4).z(), height, 1e-7) << h;
  }
}

/// It holds up to the static coefficient from the moment that it touches, and where it comes to
/// rest.
TEST(BodyContact, StaticFrictionHoldsWhatKineticWouldNot) {
  const Body block = solid("block", Kind::box, {0.4, 0.3, 0.2}, {0, 0, 0.1});
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    Scene scene = on_slope(block, 20 * deg, 0.5);
    scene.contacts[0].kinetic_friction = 0.2;
    TouchRun still(scene, by(h));
    ASSERT_EQ(still.to(0.3), Status::ok) << still.integrator.failure().message();
    EXPECT_LT(std::abs(place_of(still, 0).x()), 5e-5) << h;
    scene.bodies[0].velocity = {-1, 0, 0};
    TouchRun uphill(scene, by(h));
    ASSERT_EQ(uphill.to(0.6), Status::ok) << uphill.integrator.failure().message();
    const double way = 0.5 / (g * (std::sin(20 * deg) + 0.2 * std::cos(20 * deg)));
    EXPECT_NEAR(place_of(uphill, 0).x(), -way, 0.01 * way + 0.5 * h) << h;
    const double x = place_of(uphill, 0).x();
    ASSERT_EQ(uphill.to(0.8), Status::ok);
    EXPECT_NEAR(place_of(uphill, 0).x(), x, 1e-7) << h;
    scene.bodies[0].velocity.setZero();
    scene.gravity = g * Vec3(std::sin(30 * deg), 0, -std::cos(30 * deg));
    scene.contacts[0].friction = 0.4;
    TouchRun slides(scene, by(h));
    ASSERT_EQ(slides.to(0.5), Status::ok) << slides.integrator.failure().message();
    const double goes = g * (std::sin(30 * deg) - 0.2 * std::cos(30 * deg)) / 8;
    EXPECT_NEAR(place_of(slides, 0).x(), goes, 0.02 * goes + 0.5 * h) << h;
  }
}

TEST(BodyContact, RestIsFoundWithKineticFriction) {
  Scene scene = on_slope(solid("block", Kind::box, {0.4, 0.3, 0.2}, {0, 0, 0.1}), 20 * deg, 0.5);
  scene.contacts[0].kinetic_friction = 0.2;
  scene.initial = Initial::rest;
  TouchRun run(scene, by(1e-3));
  const double x = place_of(run, 0).x();
  ASSERT_EQ(run.to(0.2), Status::ok) << run.integrator.failure().message();
  EXPECT_NEAR(place_of(run, 0).x(), x, 1e-8);
}

/// A table that lifts a crate does its work.
TEST(BodyContact, DrivenShapesDoWork) {
  constexpr double lift = 0.1;
  for (const double h : {4e-3, 1e-3}) {
    Scene scene;
    Support table = touching::at("table", {0, 0, -0.5});
    table.shape = {Kind::box, {9, 9, 1}};
    table.motion[2] = Signal::function([](double t) {
      const double w = 2 * pi;  // up within half a second
      if (t > 0.5) return Signal::Sample{lift, 0, 0};
      return Signal::Sample{lift * (1 - std::cos(w * t)) / 2, lift * w * std::sin(w * t) / 2,
                            lift * w * w * std::cos(w * t) / 2};
    });
    scene.supports = {table};
    scene.bodies = {solid("crate", Kind::box, {0.2, 0.2, 0.2}, {0, 0, 0.1}, 4)};
    scene.contacts = {among({"crate", "table"}, 0.5)};
    TouchRun run(scene, by(h));
    ASSERT_EQ(run.to(1), Status::ok) << run.integrator.failure().message();
    const Energy e = energy(run.model, run.state);
    EXPECT_NEAR(e.work, 4 * g * lift, 2e-3 * 4 * g * lift) << h;
    EXPECT_NEAR(e.balance(), 0, 2e-3 * 4 * g * lift) << h;
  }
}

/// A crate that hardly moves on a table is no gain of energy.
TEST(BodyContact, ShakenCrateRuns) {
  for (const double h : {4e-3, 1e-3}) {
    Scene scene;
    Support table = touching::at("table", {0, 0, -0.5});
    table.shape = {Kind::box, {9, 9, 1}};
    table.motion[2] = Signal::function([](double t) {
      const double w = 2 * pi, a = 0.02;  // as if from rest: t^2 sin(w t)
      return Signal::Sample{a * t * t * std::sin(w * t),
                            a * t * (2 * std::sin(w * t) + w * t * std::cos(w * t)),
                            a * (2 * std::sin(w * t) + 4 * w * t * std::cos(w * t) -
                                 w * w * t * t * std::sin(w * t))};
    });
    scene.supports = {table};
    scene.bodies = {solid("crate", Kind::box, {0.2, 0.2, 0.1}, {1, 0, 0.05}, 2)};
    scene.contacts = {among({"crate", "table"}, 0.5)};
    TouchRun run(scene, by(h));
    ASSERT_EQ(run.to(1), Status::ok) << run.integrator.failure().message();
    EXPECT_NEAR(place_of(run, 0).z(), 0.05, 1e-4) << h;
  }
}

/// Without gravity the loads tell how stiff a contact must be.
TEST(BodyContact, PushedBodiesMeetWithoutGravity) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {solid("a", Kind::sphere, {0.1, 0, 0}, {0, 0, 0}, 1),
                  solid("b", Kind::sphere, {0.1, 0, 0}, {0.5, 0, 0}, 1)};
  BodyForce push;
  push.frame = "a";
  push.force = {10, 0, 0};
  scene.body_forces = {push};
  scene.contacts = {among({"a", "b"}, 0.3)};
  TouchRun run(scene, by(1e-3));
  ASSERT_EQ(run.to(1), Status::ok) << run.integrator.failure().message();
  EXPECT_GT(place_of(run, 1).x() - place_of(run, 0).x(), 0.19);
  const Vec3 p = momentum(run.model, run.state).linear;
  EXPECT_NEAR(p.x(), 10, 1e-6);
  EXPECT_LT(run.state.contacts[3], 1) << "nothing is too soft";
}

/// What lies carries its own weight; the ground has all of it.
TEST(BodyContact, ForcesAreTheWeights) {
  TouchRun run(stack(3), by(1e-3));
  ASSERT_EQ(run.to(2), Status::ok) << run.integrator.failure().message();
  const std::string contact = run.model.scene().contacts[0].name;
  const double weight = g * run.model.scene().bodies[0].mass;
  const auto on = [&](const char* shape) {
    return contact_force(run.model, run.state, contact, shape);
  };
  for (const char* box : {"box0", "box1", "box2"})
    EXPECT_LT((on(box) - Vec3(0, 0, weight)).norm(), 1e-5 * weight) << box;
  EXPECT_LT((on("ground") + Vec3(0, 0, 3 * weight)).norm(), 1e-5 * weight);
}

TEST(BodyContact, ChannelsSayWhatIsWrong) {
  const Model model(stack(2));
  const std::string contact = model.scene().contacts[0].name;
  const auto refusal_of = [&](const std::string& channel) -> std::string {
    try {
      const Channels channels(model, {channel});
      return "none";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refusal_of(contact + ".force.z@ground"), "none");
  EXPECT_NE(refusal_of(contact + ".force").find("no shape"), std::string::npos);
  EXPECT_NE(refusal_of(contact + ".force@box5").find("one of ground, box0, box1"),
            std::string::npos);
  EXPECT_NE(refusal_of(contact + ".fource@box1").find("Did you mean 'force'?"), std::string::npos);
}

TEST(BodyContact, DroppedSphereComesToRestWithoutGainOfEnergy) {
  for (const double h : {1e-3, 1e-2}) {
    TouchRun run(on_slope(solid("ball", Kind::sphere, {0.1, 0, 0}, {0, 0, 1.1}), 0, 0.5), by(h));
    const double start = energy(run.model, run.state).total();
    double most = start;
    while (run.state.t < 2) {
      ASSERT_EQ(run.integrator.step(run.state), Status::ok) << run.integrator.failure().message();
      most = std::max(most, energy(run.model, run.state).total());
    }
    EXPECT_LT(most, start * (1 + 1e-3)) << h;
    EXPECT_NEAR(place_of(run, 0).z(), 0.1, 1e-4) << h;
    EXPECT_LT(run.state.contacts[1], 0.05) << "no deeper than half its radius";
  }
}

/// A tall box tips where its weight passes its edge, tan = width/height.
TEST(BodyContact, TallBoxTips) {
  const Body tall = solid("tall", Kind::box, {0.2, 0.2, 0.6}, {0, 0, 0.3});
  for (const double angle : {17.0, 25.0}) {
    TouchRun run(on_slope(tall, angle * deg, 1), by(1e-3));
    ASSERT_EQ(run.to(0.3), Status::ok) << run.integrator.failure().message();
    // About the edge: I'' turn = m g r sin(angle + turn - atan(width/height)).
    const double r = std::hypot(0.1, 0.3), rate = g * r / (4.0 / 3 * r * r), dt = 1e-4;
    double turn = 0, speed = 0;
    for (double t = 0; t < 0.3; t += dt) {
      speed += dt * std::max(0.0, rate * std::sin(angle * deg + turn - std::atan(1.0 / 3)));
      turn += dt * speed;
    }
    EXPECT_NEAR(body_drift(run).turn, turn, 1e-3 + 0.1 * turn) << angle;  // it starts with a knock
  }
}

/// Two bodies that hit each other aslant keep momentum and angular momentum.
TEST(BodyContact, InnerForcesKeepMomentum) {
  for (const Kind kind : {Kind::sphere, Kind::box, Kind::capsule, Kind::cylinder}) {
    Scene scene;
    scene.gravity.setZero();
    Body a = solid("a", kind, {0.1, 0.2, 0.15}, {-0.3, 0.03, 0.02}, 2);
    a.velocity = {3, 0.2, 0};
    a.angular_velocity = {0, 2, 1};
    a.orientation = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized());
    scene.bodies = {a, solid("b", Kind::box, {0.3, 0.2, 0.2}, {0, 0, 0}, 5)};
    scene.contacts = {among({"a", "b"}, 0.3)};
    TouchRun run(scene, by(1e-3));
    const Momentum before = momentum(run.model, run.state);
    ASSERT_EQ(run.to(0.3), Status::ok) << run.integrator.failure().message();
    const Momentum after = momentum(run.model, run.state);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-9);
    EXPECT_LT((after.angular - before.angular).norm(), 2e-3 * before.angular.norm());
    EXPECT_GT(place_of(run, 1).x(), 0.05) << "it was hit";
    EXPECT_GT(run.state.contacts[1], 0);
  }
}

/// Two bodies fall on a table and on each other.
TEST(BodyContact, TumblingBodiesGainNoEnergy) {
  std::mt19937 random(7);
  const auto within = [&](double most) {
    return most * (2 * static_cast<double>(random()) / 4294967295.0 - 1);
  };
  const auto vector = [&](double most) { return Vec3(within(most), within(most), within(most)); };
  for (const Kind kind : {Kind::box, Kind::sphere})
    for (const double h : {1e-3, 4e-3, 1e-3, 4e-3}) {
      Scene scene;
      Support table = touching::at("table", {0, 0, -0.5});
      table.shape = {Kind::box, {9, 9, 1}};
      scene.supports = {table};
      scene.bodies = {solid("a", Kind::box, {0.1, 0.2, 0.15}, {0, 0, 0.3}),
                      solid("b", kind, {0.1, 0.2, 0.15}, {within(0.05), within(0.05), 0.7}, 3)};
      for (Body& body : scene.bodies) {
        body.orientation = Eigen::AngleAxisd(within(3), vector(1).normalized());
        body.angular_velocity = vector(3);
      }
      scene.bodies[1].velocity = Vec3(0, 0, -1.5) + vector(0.5);
      scene.contacts = {among({"a", "b", "table"}, 0.5 + within(0.4))};
      TouchRun run(scene, by(h));
      const double before = energy(run.model, run.state).total();
      while (run.state.t < 0.8) {
        ASSERT_EQ(run.integrator.step(run.state), Status::ok) << run.integrator.failure().message();
        EXPECT_LT(energy(run.model, run.state).total(), before * (1 + 1e-3));
      }
      for (size_t i = 0; i < 2; ++i) EXPECT_GT(place_of(run, i).z(), 0.04);
    }
}

TEST(BodyContact, RefusesBadInput) {
  Scene scene = stack(2);
  scene.bodies[1].position.z() -= 0.05;
  expect_refused(scene, "'box0' and 'box1' overlap by 0.05 m");
  scene = stack(2);
  scene.contacts.push_back(among({"box1", "box0"}, 0.1));
  expect_refused(scene, "which another entry names");
  scene = stack(1);
  scene.contacts[0].shapes = {"ground"};
  expect_refused(scene, "no cable and no body");
  scene.contacts[0].shapes = {"box0"};
  expect_refused(scene, "nothing that the body touches");
}

// --- where convex shapes touch ---

Manifold touch_at(const ConvexShape& a, const ConvexShape& b, const Vec3& centre,
                  const Eigen::AngleAxisd& turn = Eigen::AngleAxisd(0, Vec3::UnitZ())) {
  return manifold(a, b, {turn.toRotationMatrix(), centre}, {});
}

TEST(Manifold, BoxesTouchAtFourPointsOfTheirFaces) {
  const ConvexShape box({Surface::Kind::box, {1, 1, 1}});
  for (const double angle : {0.0, 0.3, pi / 4}) {
    const Manifold m = touch_at(box, box, {0.1, 0, 0.99}, Eigen::AngleAxisd(angle, Vec3::UnitZ()));
    ASSERT_EQ(m.count, 4) << angle;
    Vec3 low = m.points[0].y, high = low;
    for (const Manifold::Point& p : m.points) {
      EXPECT_NEAR(p.depth, 0.01, 1e-12);
      EXPECT_NEAR(p.normal.z(), 1, 1e-12);
      low = low.cwiseMin(p.y);
      high = high.cwiseMax(p.y);
    }
    EXPECT_GT((high - low).head<2>().minCoeff(), 0.6) << angle;
  }
  EXPECT_EQ(touch_at(box, box, {0, 0, 1.01}).count, 0);
}

TEST(Manifold, CrossedEdgesTouchAtAPoint) {
  const ConvexShape box({Surface::Kind::box, {1, 1, 1}});
  // Both stand on an edge: below along x, above along y.
  const Eigen::Matrix3d below = Eigen::AngleAxisd(pi / 4, Vec3::UnitX()).toRotationMatrix(),
                        above = Eigen::AngleAxisd(pi / 4, Vec3::UnitY()).toRotationMatrix();
  const Vec3 up(0.05, -0.1, std::sqrt(2.0) - 0.01);
  const Manifold m = manifold(box, box, {below.transpose() * above, below.transpose() * up}, {});
  ASSERT_EQ(m.count, 1);
  EXPECT_NEAR(m.points[0].depth, 0.01, 1e-9);
  EXPECT_NEAR((below * m.points[0].normal).z(), 1, 1e-9);
  EXPECT_NEAR((below * m.points[0].y).x(), 0.05, 1e-9);
  EXPECT_NEAR((below * m.points[0].y).y(), 0, 0.011);
}

TEST(Manifold, RoundShapesTouchWhereTheyAreNearest) {
  const ConvexShape ball({Surface::Kind::sphere, {0.5, 0, 0}}),
      pill({Surface::Kind::capsule, {0.1, 1, 0}}), box({Surface::Kind::box, {1, 1, 1}});
  const Manifold corner = touch_at(ball, box, {0.8, 0.8, 0.8});
  EXPECT_EQ(corner.count, 0);
  const Manifold side = touch_at(ball, box, {0.2, 0.99, 0});
  ASSERT_EQ(side.count, 1);
  EXPECT_NEAR(side.points[0].depth, 0.01, 1e-12);
  // Across the upper edge of the box, its middle touches.
  const Manifold across =
      touch_at(pill, box, {0.55, 0, 0.58}, Eigen::AngleAxisd(3 * pi / 4, Vec3::UnitY()));
  ASSERT_EQ(across.count, 1);
  EXPECT_NEAR(across.points[0].normal.x(), std::sqrt(0.5), 1e-3);
  const Manifold crossed =
      touch_at(pill, pill, {0.19, 0, 0}, Eigen::AngleAxisd(pi / 2, Vec3::UnitX()));
  ASSERT_EQ(crossed.count, 1);
  EXPECT_NEAR(crossed.points[0].depth, 0.01, 1e-9);
}

}  // namespace
}  // namespace hawser

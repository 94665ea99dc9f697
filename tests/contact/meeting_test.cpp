// Massless cables that meet shapes.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "../bench/flow_scenes.h"
#include "constraints/bend.h"
#include "hawser/error.h"
#include "model/meetings.h"

namespace hawser {
namespace {

using flowing::at;
using flowing::FlowRun;
using flowing::load;

constexpr double g = 9.81, pi = std::numbers::pi;

/// The length over a shape and what it changes by with its ends: shortest ways are straight there.
TEST(Bend, LengthChangesAlongTheStraightParts) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> some(-1, 1);
  const auto vector = [&] { return Vec3(some(random), some(random), some(random)); };
  for (int i = 0; i < 200; ++i) {
    BendData on;
    on.kind = i % 2 == 0 ? BendData::Kind::sphere : BendData::Kind::bar;
    on.radius = i % 4 == 1 ? 0 : 0.3;
    on.axis = vector().normalized();
    const Vec3 middle = vector().normalized();
    Vec3 a = vector(), b = vector();
    a *= 2 / a.norm(), b *= 1.5 / b.norm();
    const double hint[4] = {middle.x(), middle.y(), middle.z(), 1};
    const auto length = [&](const Vec3& from, const Vec3& to, Bend& out) {
      EXPECT_TRUE(bend_between(on, from, to, hint, out));
      return (out.in - from).norm() + out.length + (to - out.out).norm();
    };
    Bend bend;
    if (!bend_between(on, a, b, hint, bend)) continue;  // a bar through one of them
    const Vec3 ta = (bend.in - a).normalized(), tb = (b - bend.out).normalized();
    constexpr double d = 1e-6;
    for (int k = 0; k < 3; ++k) {
      Bend other;
      const Vec3 e = d * Vec3::Unit(k);
      EXPECT_NEAR((length(a + e, b, other) - length(a - e, b, other)) / (2 * d), -ta[k], 1e-7);
      EXPECT_NEAR((length(a, b + e, other) - length(a, b - e, other)) / (2 * d), tb[k], 1e-7);
    }
    EXPECT_NEAR((bend.point(0) - bend.in).norm(), 0, 1e-12);
    EXPECT_NEAR((bend.point(1) - bend.out).norm(), 0, 1e-12);
  }
}

TEST(Meetings, FindsTheEdgesOfTheWayAround) {
  Scene scene;
  Support box = at("box", Vec3::Zero());
  box.shape = {Solid::Kind::box, {2, 4, 1}};
  scene.supports = {box};
  scene.cables.resize(1);
  scene.cables[0].name = "rope";
  Contact contact;
  contact.cables = {"rope"};
  contact.shapes = {"box"};
  scene.contacts = {contact};
  const auto shapes = met_shapes(scene, scene.cables[0]);
  ASSERT_EQ(shapes[0].edges.size(), 12u);
  const Vec3 a(-3, 0, 0.3), b(3, 1, 0.3);
  const auto over = edges_between(shapes[0].edges, a, b, Vec3::UnitZ(), 0);
  ASSERT_EQ(over.size(), 2u);
  EXPECT_NEAR((over[0].at - Vec3(-1, 1.0 / 3, 0.5)).norm(), 0, 1e-12);
  EXPECT_NEAR((over[1].at - Vec3(1, 2.0 / 3, 0.5)).norm(), 0, 1e-12);
  EXPECT_NEAR(nearest_on_line(shapes[0].surface, a, b).distance, -0.2, 1e-9);
}

Scene hanging(const Solid& shape, const Vec3& place, const Eigen::Quaterniond& turned) {
  Scene scene;
  Support peg = at("peg", place);
  peg.shape = shape;
  peg.orientation = turned;
  scene.supports = {at("top", Vec3::Zero()), peg};
  Cable rope;
  rope.name = "rope";
  rope.model = CableModel::massless;
  rope.sections = {Section{1e6, 0, 0}};
  scene.cables = {rope};
  Contact contact;
  contact.name = "meets";
  contact.cables = {"rope"};
  contact.shapes = {"peg"};
  scene.contacts = {contact};
  return scene;
}

const Eigen::Quaterniond along_y(Eigen::AngleAxisd(pi / 2, Vec3::UnitX()));

/// A bob on 2 m, released from 0.7 rad at rest; below the support its rope meets a peg.
Scene galilei(const Solid& shape, const Vec3& place) {
  Scene scene = hanging(shape, place,
                        shape.kind == Solid::Kind::box ? Eigen::Quaterniond::Identity() : along_y);
  const Vec3 start(-2 * std::sin(0.7), 0, -2 * std::cos(0.7));
  scene.bodies = {load("bob", 1, start)};
  scene.bodies[0].inertia *= 1e-3;
  scene.cables[0].route = {Stop::hold("top"), Stop::hold("bob")};
  scene.cables[0].length = 2;
  return scene;
}

/// The height to which the bob rises again behind the peg, and the energy it has lost at the end.
struct Swing {
  double rise = -HUGE_VAL, taken = 0, deepest = 0;
  int changes = 0;
  size_t bends = 0, left = 0;
};
Swing swing(const Scene& scene, double h, double until) {
  FlowRun run(scene, flowing::by(h));
  Swing out;
  const double start = energy(run.model, run.state).total();
  while (run.state.t < until) {
    EXPECT_EQ(run.step(), Status::ok) << run.integrator.failure().message();
    const Vec3 bob = run.place("bob");
    if (bob.x() > 0) out.rise = std::max(out.rise, bob.z());
    for (const auto& bends : run.model.mesh().bends) out.bends = std::max(out.bends, bends.size());
  }
  for (const auto& bends : run.model.mesh().bends) out.left += bends.size();
  out.taken = start - energy(run.model, run.state).total();
  out.changes = run.changes;
  return out;
}

/// Galilei: whatever peg the string meets, the bob rises to the height from which it fell. It comes
/// back and leaves the peg.
TEST(Meetings, BobRisesToItsHeight) {
  const double height = -2 * std::cos(0.7);
  struct Case {
    Solid shape;
    Vec3 place;
    size_t bends;
  };
  for (const Case& c : {Case{{Solid::Kind::cylinder, {0.05, 1, 0}}, {0.06, 0, -1}, 1},
                        Case{{Solid::Kind::sphere, {0.05, 0, 0}}, {0.06, 0, -1}, 1},
                        Case{{Solid::Kind::capsule, {0.05, 1, 0}}, {0.06, 0, -1}, 1},
                        Case{{Solid::Kind::box, {0.1, 1, 0.2}}, {0.06, 0, -1}, 1}})
    for (const double h : {4e-3, 2.5e-4}) {
      const Swing s = swing(galilei(c.shape, c.place), h, 2.4);
      EXPECT_EQ(s.bends, c.bends);
      EXPECT_EQ(s.left, 0u);
      EXPECT_EQ(s.changes, 2);
      EXPECT_NEAR(s.rise, height, h > 1e-3 ? 4e-3 : 5e-4) << h;
      EXPECT_LT(std::abs(s.taken), h > 1e-3 ? 0.05 : 2e-3) << h;
    }
}

/// A box that rises through a taut cable: over two edges. The tension is that of the stretch, and
/// the box carries what the cable turns by. With a diameter it lies on round edges.
TEST(Meetings, LiesOnTwoEdges) {
  for (const double d : {0.0, 0.04}) {
    Scene scene =
        hanging({Solid::Kind::box, {0.4, 1, 0.2}}, {0, 0, -0.3}, Eigen::Quaterniond::Identity());
    scene.supports[0].position = {-1, 0, 0};
    scene.supports.push_back(at("end", {1, 0, 0}));
    scene.supports[1].motion[2] = Signal::ramp(0, 0.4, 0, 0.4);
    scene.cables[0].route = {Stop::hold("top"), Stop::hold("end")};
    scene.cables[0].length = 1.99;
    scene.cables[0].sections[0].EA = 1e4;
    scene.cables[0].sections[0].diameter = d;
    scene.bodies = {load("aside", 1, {5, 5, 5})};
    FlowRun run(scene, flowing::by(5e-3));
    ASSERT_EQ(run.to(0.4), Status::ok) << run.integrator.failure().message();
    ASSERT_EQ(run.model.mesh().bends.at(0).size(), 2u);
    const double r = d / 2, x = 0.8, z = 0.2;  // from a support to an edge
    const double straight = std::sqrt(x * x + z * z - r * r);
    const double angle = std::atan2(z, x) + std::asin(r / std::hypot(x, z));
    const double length = 2 * straight + 2 * r * angle + 0.4;
    const double T = 1e4 * (length / 1.99 - 1);
    EXPECT_NEAR(run.read("rope.tension@start"), T, 1e-6 * T);
    EXPECT_NEAR(run.read("peg.force.z"), 2 * T * std::sin(angle), 1e-6 * T);
    EXPECT_NEAR(run.read("rope.length"), length, 1e-9);
  }
}

/// Aslant over a bar the cable slides along it, to the shortest way: straight on the unrolled bar.
TEST(Meetings, SlidesAlongABar) {
  Scene scene = hanging({Solid::Kind::cylinder, {0.1, 3, 0}}, {0, 0, -0.3}, along_y);
  scene.supports[0].position = {-1, -0.6, 0};
  scene.supports.push_back(at("end", {0.5, 0.6, 0}));
  scene.supports[1].motion[2] = Signal::ramp(0, 0.5, 0, 0.5);
  scene.cables[0].route = {Stop::hold("top"), Stop::hold("end")};
  scene.cables[0].sections[0].EA = 1e4;
  scene.bodies = {load("aside", 1, {5, 5, 5})};
  FlowRun run(scene, flowing::by(5e-3));
  ASSERT_EQ(run.to(0.5), Status::ok) << run.integrator.failure().message();
  const double R = 0.1, down = 0.2;  // its axis is above the ends
  const double A = std::hypot(1, down), B = std::hypot(0.5, down);
  const double theta =
      2 * pi - (std::atan2(1, down) + std::atan2(0.5, down)) - std::acos(R / A) - std::acos(R / B);
  const double flat = std::sqrt(A * A - R * R) + std::sqrt(B * B - R * R) + R * theta;
  EXPECT_NEAR(run.read("rope.length"), std::hypot(flat, 1.2), 1e-9);
}

/// A post at 50 m/s, which in a step goes five times farther than it is thick, does not pass a
/// cable; it is thrown back.
TEST(Meetings, NothingPasses) {
  for (const Solid& shape :
       {Solid{Solid::Kind::cylinder, {0.1, 1, 0}}, Solid{Solid::Kind::box, {0.2, 0.2, 1}}})
    for (const double h : {1e-2, 1e-3})
      for (const double offset : {0.0, 0.013, 0.21, 0.37}) {
        Scene scene = hanging(shape, {0, 0, 0}, along_y);
        scene.gravity.setZero();
        scene.supports = {at("top", {0, -1, 0}), at("end", {0, 1, 0})};
        scene.bodies = {load("post", 1, {-1 - offset, 0, 0})};
        scene.bodies[0].shape = shape;
        scene.bodies[0].velocity = {50, 0, 0};
        scene.contacts[0].shapes = {"post"};
        scene.cables[0].sections[0].EA = 5e4;
        scene.cables[0].route = {Stop::hold("top"), Stop::hold("end")};
        FlowRun run(scene, flowing::by(h));
        double farthest = 0;
        const double start = energy(run.model, run.state).total();
        while (run.state.t < 0.1) {
          ASSERT_EQ(run.step(), Status::ok) << run.integrator.failure().message();
          farthest = std::max(farthest, run.place("post").x());
        }
        EXPECT_LT(run.state.v[0], -10) << h << " " << offset;
        EXPECT_LT(farthest, 1.2);
        EXPECT_LT(energy(run.model, run.state).total(), 1.001 * start) << h << " " << offset;
      }
}

/// From a state in which the cable lies on the peg, another integrator goes on to the same bits.
TEST(Meetings, GoesOnFromAState) {
  const Scene scene = galilei({Solid::Kind::box, {0.1, 1, 0.2}}, {0.06, 0, -1});
  FlowRun run(scene, flowing::by(4e-3));
  ASSERT_EQ(run.to(1), Status::ok);
  ASSERT_FALSE(run.model.mesh().bends.empty());
  const Model model(scene, run.model.mesh());
  Integrator other(model, flowing::by(4e-3));
  State state = run.state;
  other.resume(state);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(other.step(state), Status::ok);
    ASSERT_EQ(run.integrator.step(run.state), Status::ok);
  }
  EXPECT_EQ(state.q, run.state.q);
  EXPECT_EQ(state.bends, run.state.bends);
}

TEST(Meetings, SaysWhatIsNotModelled) {
  const auto message = [](const std::function<void(Scene&)>& change) -> std::string {
    Scene scene = galilei({Solid::Kind::cylinder, {0.05, 1, 0}}, {0.06, 0, -1});
    change(scene);
    try {
      FlowRun run(scene, flowing::by(4e-3));
      if (run.to(1.5) != Status::ok) return run.integrator.failure().message();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  EXPECT_EQ(message([](Scene&) {}), "");
  has(message([](Scene& s) { s.contacts[0].friction = 0.1; }), "without friction");
  has(message([](Scene& s) { s.supports[1].position.x() = -0.8; }), "deep in 'peg'");
  has(message([](Scene& s) {
        s.ground = Ground();
        s.contacts[0].shapes = {"ground"};
      }),
      "ground");
  has(message([](Scene& s) {
        s.contacts[0].shapes.clear(), s.contacts[0].cables = {"rope", "rope"};
      }),
      "touches itself");
  // Meets the flat end: the axis of the cylinder points at the bob.
  has(message([](Scene& s) {
        s.supports[1].orientation = Eigen::AngleAxisd(pi / 2, Vec3::UnitY());
        s.supports[1].position.x() = 0.6;
      }),
      "flat end");
}

}  // namespace
}  // namespace hawser

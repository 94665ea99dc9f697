// Cables that flow, through eyelets and from winches, and touch shapes.
#include "../bench/contact_scenes.h"
#include "../bench/flow_scenes.h"

#include <gtest/gtest.h>

#include "contact/cable_contact.h"

namespace hawser::HAWSER_FILE {
namespace {

using constants::g;
using flowing::FlowRun;
using std::numbers::pi;

constexpr double radius = 5e-3;  ///< of the rope

/// A rope of 1 kg/m on a box whose top is where the rope lies, under a ring in its middle or beside
/// the edge.
Scene rope_on_box(CableModel model, int elements, double friction, const Vec3& end) {
  Scene scene;
  constexpr double stiffness = 1e6, mass = 1;
  Cable rope = flowing::rope({{1, 0, 0}, Stop::over("ring"), end}, 1e6, 1e-4, mass, elements);
  rope.model = model;
  rope.length = 2;
  rope.sections[0].diameter = 2 * radius;
  rope.sections[0].axial_damping.viscosity = 2e-3;
  scene.cables = {rope};
  const double top = mass * g / stiffness - radius;
  Support box = flowing::at("box", {end.x() < 0 ? 0.0 : 1.5 + radius, 0, top - 0.1});
  box.shape = {Solid::Kind::box, {end.x() < 0 ? 6.0 : 3.0, 1, 0.2}};
  scene.supports = {flowing::at("ring", Vec3::Zero()), box};
  scene.contacts = {touching::between("box", friction, stiffness)};
  return scene;
}

/// x'' = g (x - mu (L - x - r))/L of the part x that hangs, L = 2 m; the edge is r beside the ring.
TEST(FlowingContact, RopeSlidesOffATable) {
  constexpr double mu = 0.3, lies = 2 - radius, rest = lies * mu / (1 + mu);
  const double k = std::sqrt(g * (1 + mu) / 2);
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const int elements : {10, 40})
      for (const double h : {4e-3, 1e-3}) {
        SCOPED_TRACE(testing::Message() << elements << " elements, step " << h);
        FlowRun run(rope_on_box(model, elements, mu, {0, 0, -1}), touching::by(h));
        ASSERT_EQ(run.to(0.6), Status::ok) << run.integrator.failure().message();
        EXPECT_GT(run.changes, 0);
        const double x = rest + (1 - rest) * std::cosh(k * run.state.t);
        const double within = model == CableModel::ancf ? 3e-3 : 2e-3;
        EXPECT_NEAR(run.read("rope.position.x@start"), 2 - x, within);
        const double work = mu * g * (lies * (x - 1) - (x * x - 1) / 2);
        EXPECT_NEAR(run.state.contacts[0], work, 0.01 * work) << "taken by friction";
        EXPECT_NEAR(run.read("energy.balance"), 0, 2e-3 * work * h / 1e-3);
      }
}

/// Drawn in over a drum, or let out: by exp(mu pi) more or less than what hangs.
TEST(FlowingContact, CapstanHasItsRatio) {
  for (const double way : {-1.0, 1.0})
    for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
      touching::Capstan drum;
      drum.speed = -way * 0.02;
      FlowRun run(touching::capstan_of_winch(drum, model), touching::by(2e-3));
      ASSERT_EQ(run.to(1), Status::ok) << run.integrator.failure().message();
      double sum = 0;
      int steps = 0;
      for (; run.state.t < 1.5; ++steps) {
        ASSERT_EQ(run.step(), Status::ok) << run.integrator.failure().message();
        sum += run.read("rope.tension@start");
      }
      const double ratio = std::exp(-way * 0.2 * pi);
      EXPECT_NEAR(sum / steps / 100, ratio, 5e-3 * ratio) << way;
    }
}

/// A box under a running rope is dragged along by what friction takes from the rope.
TEST(FlowingContact, DragsABody) {
  constexpr double mu = 0.3, mass = 4, pull = 10, until = 0.4;
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double h : {4e-3, 1e-3}) {
      Scene scene = rope_on_box(model, 20, mu, {-1, 0, 0});
      const Support box = scene.supports.back();
      Body cart = flowing::load("box", mass, box.position);
      cart.shape = box.shape;
      cart.inertia = cart.shape.inertia(cart.mass);
      scene.bodies = {cart};
      scene.supports.back() = flowing::at("rail", box.position);
      Joint slide;
      slide.name = "slide";
      slide.kind = JointKind::slider;
      slide.first = "rail";
      slide.second = "box";
      slide.axis = Vec3::UnitX();
      scene.joints = {slide};
      PointForce force;
      force.at = Place::end("rope");
      force.force = {-pull, 0, 0};
      scene.point_forces = {force};
      FlowRun run(scene, touching::by(h));
      ASSERT_EQ(run.to(until), Status::ok) << run.integrator.failure().message();
      EXPECT_GT(run.changes, 0);
      const double friction = mu * 2 * g, square = run.state.t * run.state.t / 2;
      // At first, for 2 ms, parts of the rope stick: the front of the pull has not reached them.
      const Vec3 on_box = contact_force(run.model, run.state, "touch", "box");
      EXPECT_NEAR(on_box.z(), -2 * g, 0.1);
      EXPECT_NEAR(on_box.x(), -friction, 0.05);
      EXPECT_NEAR(run.place("box").x(), -friction / mass * square, 2e-3);
      EXPECT_NEAR(run.read("rope.position.x@end"), -1 - (pull - friction) / 2 * square, 2e-3);
      const Vec3 p = momentum(run.model, run.state).linear;
      EXPECT_NEAR(p.x(), -pull * run.state.t, 1e-3 * pull) << "an eyelet takes nothing of it";
    }
}

/// At rest over a bar without friction both sides pull alike.
/// same length.
TEST(FlowingContact, RestsOverABar) {
  Scene scene = touching::held_load(0);
  scene.contacts[0].friction = 0;
  scene.initial = Initial::rest;
  scene.supports.push_back(flowing::at("winch", {-0.1, 0, -0.3}));
  scene.cables[0].route.front() = Stop::hold("winch");
  scene.cables[0].payout = Signal(0.0);
  scene.point_masses.erase(scene.point_masses.begin());
  FlowRun run(scene, touching::by(2e-3));
  EXPECT_NEAR(run.read("rope.tension@start"), run.read("rope.tension@end"), 0.01);
  const double height = run.read("rope.position.z@end");
  ASSERT_EQ(run.to(0.2), Status::ok) << run.integrator.failure().message();
  EXPECT_NEAR(run.read("rope.position.z@end"), height, 1e-7) << "it stays at rest";
  const double pull = run.read("rope.tension@start") + run.read("rope.tension@end"),
               weight = 0.1 * (0.6 + 0.1 * pi) * g;
  EXPECT_NEAR(run.read("touch.force.z@bar"), -pull - weight, 0.01);
}

TEST(FlowingContact, GoesOnToTheSameBits) {
  const Scene scene = rope_on_box(CableModel::ancf, 20, 0.3, {0, 0, -1});
  FlowRun whole(scene, touching::by(1e-3)), part(scene, touching::by(1e-3));
  ASSERT_EQ(part.to(0.35), Status::ok);
  EXPECT_GT(part.changes, 0);
  FlowRun after(scene, touching::by(1e-3));
  after.model = Model(part.model.scene(), part.model.mesh());
  after.integrator = Integrator(after.model, touching::by(1e-3));
  after.state = part.state;
  after.integrator.resume(after.state);
  ASSERT_EQ(whole.to(0.5), Status::ok);
  ASSERT_EQ(after.to(0.5), Status::ok);
  EXPECT_EQ(whole.state.q, after.state.q);
  EXPECT_EQ(whole.state.v, after.state.v);
  EXPECT_EQ(whole.state.contacts, after.state.contacts);
}

/// What steps go by does not change with the mesh.
TEST(FlowingContact, KeepsItsStiffness) {
  Scene scene = rope_on_box(CableModel::ancf, 20, 0.3, {0, 0, -1});
  scene.contacts[0].stiffness = 0;
  FlowRun run(scene, touching::by(1e-3));
  const std::vector<double> chosen = run.model.mesh().contact_stiffness;
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_GT(chosen[0], 0);
  ASSERT_EQ(run.to(0.5), Status::ok) << run.integrator.failure().message();
  EXPECT_GT(run.changes, 0);
  EXPECT_EQ(run.model.mesh().contact_stiffness, chosen);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

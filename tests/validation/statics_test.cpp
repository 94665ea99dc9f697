// Static equilibrium: closed forms, rest that lasts, and scenes that have none.
#include "hawser/statics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "../bench/routes.h"
#include "bench/cases.h"
#include "bench/statics.h"
#include "hawser/error.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/modes.h"
#include "machines.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double g = 9.81;

Section section(double EA, double EI, double mass) {
  Section s;
  s.EA = EA;
  s.EI = EI;
  s.mass = mass;
  return s;
}

Cable cable(const std::string& name, CableModel model, const Section& s, const Vec3& from,
            const Vec3& to, double length, int elements) {
  Cable c;
  c.name = name;
  c.model = model;
  c.sections = {s};
  c.route.front() = from;
  c.route.back() = to;
  c.length = length;
  c.elements = elements;
  return c;
}

Scene slack_span(CableModel model, double EA) {
  Scene s;
  s.cables = {cable("line", model, section(EA, 0.01, 1), {0, 0, 0}, {10, 0, 0}, 12, 40)};
  hold(s, "line", 0);
  hold(s, "line", -1);
  return s;
}

/// A load on a rope over a pulley, made fast on the ground.
Scene hoist() {
  Scene s;
  s.bodies = {ball("load", 50, {-0.3, 0, -3})};
  s.supports = {ground("wheel", {0, 0, 0}), ground("cleat", {1, 0, -2})};
  Cable rope = massless("rope", 1e6, 7, {"load", "wheel", "cleat"});
  rope.route[1].radius = 0.3;
  rope.route[1].axis = Vec3::UnitY();
  s.cables = {rope};
  return s;
}

/// A block in the bight of a rope from the beam, round the block, over the beam's wheel.
Scene block_and_tackle() {
  Scene s;
  s.bodies = {ball("block", 80, {0.2, 0, -2})};
  s.supports = {ground("becket", {0, 0, 0}), ground("wheel", {0.6, 0, 0}),
                ground("cleat", {2, 0, -3})};
  Cable rope = massless("fall", 1e6, 9, {"becket", "block", "wheel", "cleat"});
  rope.route[1].radius = rope.route[2].radius = 0.2;
  rope.route[1].axis = -Vec3::UnitY();
  rope.route[2].axis = Vec3::UnitY();
  s.cables = {rope};
  return s;
}

/// A boom on a hinge, held by a stay, with a load at its tip.
Scene crane() {
  Scene s;
  s.bodies = {ball("boom", 200, {2, 0, 1}), ball("load", 100, {4, 0, -1})};
  s.supports = {ground("foot", {0, 0, 0}), ground("mast", {0, 0, 4})};
  s.frames = {frame("heel", "boom", {-2, 0, -1}), frame("tip", "boom", {2, 0, 1})};
  s.joints = {joint("hinge", JointKind::hinge, "foot", "heel", Vec3::UnitY())};
  s.cables = {massless("stay", 1e7, 4.4, {"mast", "tip"}),
              massless("rope", 1e6, 3, {"tip", "load"})};
  return s;
}

Scene net() {
  Scene s;
  for (int i = 1; i <= 2; ++i)
    for (int way = 0; way < 2; ++way) {
      const std::string name = (way == 0 ? "along" : "across") + std::to_string(i);
      const Vec3 from = way == 0 ? Vec3(0, i, 0) : Vec3(i, 0, 0);
      const Vec3 to = way == 0 ? Vec3(3, i, 0) : Vec3(i, 3, 0);
      s.cables.push_back(cable(name, CableModel::np_fem, section(1e5, 0, 0.1), from, to, 3.05, 6));
      hold(s, name, 0);
      hold(s, name, -1);
    }
  for (int i = 1; i <= 2; ++i)
    for (int j = 1; j <= 2; ++j)
      s.junctions.push_back({nth("along" + std::to_string(i), 2 * j, 6),
                             nth("across" + std::to_string(j), 2 * i, 6)});
  s.point_masses = {{nth("along1", 2, 6), 20}};
  return s;
}

Scene cantilever() {
  Scene s;
  s.cables = {cable("beam", CableModel::ancf, section(1e7, 100, 0.5), {0, 0, 0}, {4, 0, 0}, 4, 16)};
  clamp(s, "beam", 0);
  return s;
}

Scene loop() {
  Scene s;
  Cable c = cable("loop", CableModel::ancf, section(1e6, 1, 0.5), {0, 0, 0}, {0, 0, 0}, 4.4, 24);
  lead_through(c, {{1, 0, 0}, {1, 0, 1}, {0, 0, 1}});
  s.cables = {c};
  s.junctions = {{Place::start("loop"), Place::end("loop")}};
  hold(s, "loop", 0);
  hold(s, "loop", 2);
  return s;
}

/// A load on two legs from one hook: all of it slews about the hook freely.
Scene sling(CableModel model, double mass) {
  Scene s;
  s.bodies = {ball("load", mass, {0, 0, -4})};
  s.bodies[0].inertia = mass * Vec3(0.5, 1.5, 2).asDiagonal();
  s.frames = {frame("a", "load", {2, 1, 0.5}), frame("b", "load", {-2, 1, 0.5})};
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left" : "right";
    s.cables.push_back(cable(name, model, section(1e6, model == CableModel::ancf ? 1 : 0, 0.2),
                             {0, 0, 0}, {2 * side, 1, -3.5}, 0, 10));
    hold(s, name, 0);
    attach(s.cables.back(), -1, side > 0 ? "a" : "b");
  }
  return s;
}

/// Where everything is: nodes' positions.
std::vector<Vec3> places(const Model& model, const State& state) {
  std::vector<Vec3> out;
  for (int i = 0; i < model.nodes(); ++i) out.push_back(state.position(i));
  return out;
}

struct RestCase {
  const char* name;
  std::function<Scene()> scene;
};

class Rest : public testing::TestWithParam<RestCase> {};

TEST_P(Rest, Lasts) {
  Scene scene = GetParam().scene();
  scene.initial = Initial::rest;
  const Model model(scene);
  Integrator integrator(model, {});
  State state = integrator.start();
  const std::vector<Vec3> start = places(model, state);
  for (const double v : state.v) ASSERT_EQ(v, 0);
  ASSERT_EQ(integrator.advance(state, 10), Status::ok) << integrator.failure().message();
  double drift = 0;
  for (size_t i = 0; i < start.size(); ++i)
    drift = std::max(drift, (state.position(static_cast<int>(i)) - start[i]).norm());
  EXPECT_LT(drift, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(
    Statics, Rest,
    testing::Values(RestCase{"ancf", [] { return slack_span(CableModel::ancf, 1e8); }},
                    RestCase{"np_fem", [] { return slack_span(CableModel::np_fem, 1e8); }},
                    RestCase{"hoist", hoist}, RestCase{"tackle", block_and_tackle},
                    RestCase{"crane", crane}, RestCase{"net", net},
                    RestCase{"cantilever", cantilever}, RestCase{"loop", loop}),
    [](const auto& instance) { return instance.param.name; });

/// y = a cosh(x/a): 2 a sinh(span/(2 a)) = length.
TEST(Statics, Catenary) {
  double low = 1, high = 100;
  for (int i = 0; i < 200; ++i) {
    const double a = (low + high) / 2;
    (2 * a * std::sinh(5 / a) > 12 ? low : high) = a;
  }
  const double a = low, sag = a * (std::cosh(5 / a) - 1);
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem}) {
    Scene scene = slack_span(kind, 1e8);
    scene.cables[0].sections[0].EI = 0;
    const Model model(scene);
    State state = Integrator(model, {}).start();
    const StaticReport report = equilibrium(model, state);
    ASSERT_TRUE(report.converged) << report.message;
    EXPECT_LT(report.residual, 1e-5);
    EXPECT_NEAR(state.position(20).z(), -sag, 3e-3 * sag);
    EXPECT_NEAR(reaction(model, state, Place::start("line")).force.z(), 6 * g, 1e-6);
    EXPECT_NEAR(-reaction(model, state, Place::start("line")).force.x(), a * g, 5e-3 * a * g);
  }
}

TEST(Statics, RollsUpIntoASemicircle) {
  for (const StaticWay way : {StaticWay::continuation, StaticWay::relaxation}) {
    const Model model(semicircle(16));
    State state = Integrator(model, {}).start();
    StaticOptions options;
    options.ways = {way};
    const StaticReport report = equilibrium(model, state, options);
    ASSERT_TRUE(report.converged) << report.message;
    const Vec3 tip = state.position(model.node(Place::end("strip")));
    EXPECT_NEAR(tip.x(), 0, 1e-5);
    EXPECT_NEAR(tip.z(), -2 / std::numbers::pi, 1e-4);
  }
}

/// Upside down all forces balance, and the smallest push ends it.
TEST(Statics, LeavesAnUnstableEquilibrium) {
  Scene scene;
  scene.bodies = {ball("bob", 2, {0, 0, 1})};
  scene.supports = {ground("pivot", {0, 0, 0})};
  scene.frames = {frame("eye", "bob", {0, 0, -1})};
  scene.joints = {joint("pin", JointKind::pin, "pivot", "eye")};
  const Model model(scene);
  State state = Integrator(model, {}).start();
  const StaticReport report = equilibrium(model, state);
  ASSERT_TRUE(report.converged) << report.message;
  EXPECT_NEAR(body_at(model, state, 0).z(), -1, 1e-9);
  EXPECT_EQ(report.attempts.back().way, StaticWay::relaxation);
  ASSERT_EQ(report.loose.size(), 1U);
  EXPECT_EQ(report.loose[0].substr(0, 25), "body 'bob' rotates about ");
}

TEST(Statics, SaysWhatFalls) {
  Scene scene = hoist();
  scene.bodies.push_back(ball("stone", 3, {5, 0, 0}));
  const Model model(scene);
  State state = Integrator(model, {}).start();
  const State before = state;
  const StaticReport report = equilibrium(model, state);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.attempts.size(), 3U);
  EXPECT_NE(report.message.find("body 'stone' moves along (0, 0, -1)"), std::string::npos)
      << report.message;
  EXPECT_EQ(state.q, before.q);
  EXPECT_EQ(state.orientation, before.orientation);
  scene.initial = Initial::rest;
  const Model starts(scene);
  EXPECT_THROW((void)Integrator(starts, {}).start(), Error);
}

TEST(Statics, SaysWhatContradicts) {
  Scene scene;
  scene.bodies = {ball("bob", 2, {0, 0, -1})};
  scene.supports = {ground("pivot", {0, 0, 0})};
  Joint held = joint("short", JointKind::distance, "pivot", "bob");
  Joint driven = joint("long", JointKind::distance, "pivot", "bob");
  driven.travel.kind = Drive::Kind::position;
  driven.travel.value = Signal::ramp(1, 1.5, 0, 1);
  scene.joints = {held, driven};
  const Model model(scene);
  State state = Integrator(model, {}).start();
  state.t = 1;
  const StaticReport report = equilibrium(model, state);
  EXPECT_FALSE(report.converged);
  EXPECT_NE(report.message.find("joint 'short'"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("joint 'long'"), std::string::npos) << report.message;
}

TEST(Statics, RestContradictsASpeed) {
  Scene scene = hoist();
  scene.initial = Initial::rest;
  scene.bodies[0].velocity = {0, 0, 1};
  const Model model(scene);
  EXPECT_THROW((void)Integrator(model, {}).start(), Error);
}

TEST(Statics, AsksForAWay) {
  const Model model(hoist());
  State state = Integrator(model, {}).start();
  StaticOptions options;
  options.ways.clear();
  EXPECT_THROW(equilibrium(model, state, options), Error);
}

/// The tension of the rope is the load's weight, and it has stretched by that.
TEST(Statics, HoistCarriesItsLoad) {
  const Model model(hoist());
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  EXPECT_NEAR(run_tensions(model, state, "rope").at(0), 50 * g, 1e-8 * 50 * g);
  EXPECT_NEAR(body_at(model, state, 0).x(), -0.3, 1e-9);
}

/// The whole turns about the hook without stiffness: that is told, not refused.
TEST(Statics, SlingsFromOneHook) {
  for (const CableModel kind : {CableModel::np_fem, CableModel::ancf})
    for (const double mass : {50.0, 3000.0}) {
      const Model model(sling(kind, mass));
      State state = Integrator(model, {}).start();
      const StaticReport report = equilibrium(model, state);
      ASSERT_TRUE(report.converged) << report.message;
      ASSERT_EQ(report.loose.size(), 1U);
      EXPECT_EQ(report.loose[0], "body 'load' rotates about (0, 0, 1)");
      // The centre of mass is below the hook.
      const double weight = g * (mass + 0.4 * Vec3(2, 1, -3.5).norm());
      EXPECT_NEAR(body_at(model, state, 0).head<2>().norm(), 0, 0.01);
      EXPECT_NEAR(reaction(model, state, Place::start("left")).force.z() +
                      reaction(model, state, Place::start("right")).force.z(),
                  weight, 1e-8 * weight);
      EXPECT_TRUE(stays_at_rest(model, state, 2));
      ModeOptions options;
      options.count = 6;
      const ModesReport found = modes(model, state, options);
      ASSERT_FALSE(found.modes.empty());
      EXPECT_EQ(found.modes[0].kind, ModeKind::free);
      for (const Mode& mode : found.modes) EXPECT_NE(mode.kind, ModeKind::unstable);
    }
}

/// Straight and crushed to half its length it is in balance too, at a strain that no cable has.
TEST(Statics, UnfoldsACrushedCable) {
  Scene scene;
  scene.cables = {cable("line", CableModel::ancf, section(3.3e9, 0.0035, 0.17), {0, 0, 0},
                        {5.3, 0, 0}, 10, 51)};
  hold(scene, "line", 0);
  hold(scene, "line", -1);
  const Model model(scene);
  State state = Integrator(model, {}).start();
  const StaticReport report = equilibrium(model, state);
  ASSERT_TRUE(report.converged) << report.message;
  EXPECT_NEAR(reaction(model, state, Place::start("line")).force.z(), 0.17 * g * 5, 1e-3);
  EXPECT_TRUE(stays_at_rest(model, state, 2));
}

/// Two unequal weights over a pulley: one goes down until nothing of the rope is left.
TEST(Statics, SaysWhereLettingGoLeads) {
  Scene scene;
  scene.bodies = {ball("light", 1, {-0.3, 0, -2}), ball("heavy", 10, {0.3, 0, -2})};
  scene.supports = {ground("wheel", {0, 0, 0})};
  Cable rope = massless("rope", 1e6, 0, {"light", "wheel", "heavy"});
  rope.route[1].radius = 0.3;
  rope.route[1].axis = Vec3::UnitY();
  scene.cables = {rope};
  const Model model(scene);
  State state = Integrator(model, {}).start();
  const StaticReport report = equilibrium(model, state);
  EXPECT_FALSE(report.converged);
  EXPECT_NE(report.message.find("have come together"), std::string::npos) << report.message;
  EXPECT_EQ(report.message.find("nothing constrains"), std::string::npos) << report.message;
}

TEST(Statics, RandomScenes) {
  const StaticCampaign campaign = run_static_campaign(60, 1);
  for (const std::string& failure : campaign.failures) ADD_FAILURE() << failure;
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

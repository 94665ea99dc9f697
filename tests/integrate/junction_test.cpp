// Cables that are joined: they move as one, whatever solves for them.
#include <gtest/gtest.h>

#include <cmath>

#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/modes.h"
#include "hawser/statics.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

Cable rope(const std::string& name, const Vec3& from, const Vec3& to, int elements) {
  Cable c;
  c.name = name;
  c.model = CableModel::np_fem;
  c.sections = {Section::round(0.01, 1e8, 5000)};
  c.route = {from, to};
  c.elements = elements;
  return c;
}

/// A rope of ten elements that swings down, whole or cut after six and joined again.
Scene swinging(bool cut) {
  Scene scene;
  if (cut) {
    scene.cables = {rope("a", {0, 0, 0}, {0.6, 0, 0}, 6), rope("b", {0.6, 0, 0}, {1, 0, 0}, 4)};
    scene.junctions = {{Place::end("a"), Place::start("b")}};
  } else {
    scene.cables = {rope("a", {0, 0, 0}, {1, 0, 0}, 10)};
  }
  hold(scene, "a", 0);
  return scene;
}

Vec3 end_of(const Model& model, const State& s, const std::string& cable) {
  return s.position(model.node(Place::end(cable)));
}

TEST(Junction, MovesAsARopeThatWasNeverCut) {
  const Model whole(swinging(false)), cut(swinging(true));
  for (const SolveOptions& options : all_methods(2e-3)) {
    SCOPED_TRACE(name_of(options));
    Integrator one(whole, options), two(cut, options);
    State a = one.start(), b = two.start();
    ASSERT_EQ(one.advance(a, 0.2), Status::ok);
    ASSERT_EQ(two.advance(b, 0.2), Status::ok);
    EXPECT_LT((end_of(whole, a, "a") - end_of(cut, b, "b")).norm(), 1e-7);
    EXPECT_EQ(end_of(cut, b, "a"), b.position(cut.node(Place::start("b"))));
    EXPECT_LT(
        (reaction(whole, a, Place::start("a")).force - reaction(cut, b, Place::start("a")).force)
            .norm(),
        1e-4);
  }
}

/// A rope that is joined to another where that hangs from a moving support hangs from it, too.
TEST(Junction, FollowsASupportThatMoves) {
  const auto hanging = [](bool joined) {
    Scene scene;
    scene.cables = {rope("a", {0, 0, 0}, {0.3, 0, -0.4}, 5),
                    rope("b", {0, 0, 0}, {0, 0.3, -0.4}, 5)};
    hold(scene, "a", 0).motion = {Signal::sine(0.1, 3), 0.0, Signal::sine(0.05, 2)};
    if (joined)
      scene.junctions = {{Place::start("a"), Place::start("b")}};
    else
      scene.cables[1].route[0] = scene.cables[0].route[0];
    return scene;
  };
  const Model held(hanging(false)), joined(hanging(true));
  for (const SolveOptions& options : all_methods(2e-3)) {
    SCOPED_TRACE(name_of(options));
    Integrator one(held, options), two(joined, options);
    State a = one.start(), b = two.start();
    ASSERT_EQ(one.advance(a, 0.2), Status::ok);
    ASSERT_EQ(two.advance(b, 0.2), Status::ok);
    for (const char* name : {"a", "b"})
      EXPECT_LT((end_of(held, a, name) - end_of(joined, b, name)).norm(), 1e-9);
    EXPECT_EQ(b.position(joined.node(Place::start("b"))),
              b.position(joined.node(Place::start("a"))));
    const Vec3 both =
        reaction(held, a, Place::start("a")).force + reaction(held, a, Place::start("b")).force;
    EXPECT_LT((reaction(joined, b, Place::start("a")).force - both).norm(), 1e-5);
  }
}

TEST(Junction, RestsAndOscillatesAsARopeThatWasNeverCut) {
  const auto hanging = [](bool cut) {
    Scene scene = swinging(cut);
    for (Cable& c : scene.cables)
      for (Stop& stop : c.route) stop.point = {0, 0, -stop.point.x()};
    return scene;
  };
  const Model whole(hanging(false)), cut(hanging(true));
  State a = Integrator(whole, {}).start(), b = Integrator(cut, {}).start();
  ASSERT_TRUE(equilibrium(whole, a).converged);
  ASSERT_TRUE(equilibrium(cut, b).converged);
  EXPECT_LT((end_of(whole, a, "a") - end_of(cut, b, "b")).norm(), 1e-12);
  ModeOptions options;
  options.count = 6;
  const ModesReport one = modes(whole, a, options), two = modes(cut, b, options);
  EXPECT_EQ(one.motions, two.motions);
  ASSERT_EQ(one.modes.size(), two.modes.size());
  for (size_t i = 0; i < one.modes.size(); ++i)
    EXPECT_NEAR(two.modes[i].frequency, one.modes[i].frequency, 1e-8 * one.modes[i].frequency);
}

/// What is joined at different velocities goes on with one, and with the same momentum.
TEST(Junction, KeepsTheMomentumOfTheStart) {
  for (const CableModel model : {CableModel::np_fem, CableModel::ancf}) {
    Scene scene;
    scene.gravity.setZero();
    scene.cables = {rope("a", {0, 0, 0}, {0.6, 0, 0}, 6), rope("b", {0.6, 0, 0}, {1, 0, 0}, 4)};
    scene.cables[1].model = model;
    scene.cables[0].velocity = {0, 2, 0};
    scene.cables[1].velocity = {0, -1, 3};
    const double line = scene.cables[0].sections[0].mass;
    scene.junctions = {{Place::end("a"), Place::start("b")}};
    const Model joined(scene);
    const State s = Integrator(joined, {}).start();
    EXPECT_EQ(s.velocity(joined.node(Place::end("a"))), s.velocity(joined.node(Place::start("b"))));
    const Momentum found = momentum(joined, s);
    EXPECT_NEAR(found.linear.y(), line * (0.6 * 2 - 0.4), 1e-12);
    EXPECT_NEAR(found.linear.z(), line * 0.4 * 3, 1e-12);
    EXPECT_NEAR(found.angular.z(), line * (0.6 * 0.3 * 2 - 0.4 * 0.8), 1e-12);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

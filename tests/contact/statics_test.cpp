// Static equilibrium and modes of cables that touch things.
#include "hawser/statics.h"

#include <gtest/gtest.h>

#include "../bench/edge_scenes.h"
#include "hawser/error.h"
#include "hawser/modes.h"

namespace hawser {
namespace {

using namespace touching;

/// How far the rope moves from a static start within a time.
double drift(const Scene& scene, double h, double time) {
  TouchRun run(scene, by(h));
  const std::vector<double> before = run.state.q;
  EXPECT_EQ(run.to(time), Status::ok) << run.integrator.failure().message();
  double most = 0;
  for (size_t i = 0; i < before.size(); ++i)
    if (i % 6 < 3) most = std::max(most, std::abs(run.state.q[i] - before[i]));
  return most;
}

TEST(ContactStatics, RopeLiesOnTheGround) {
  Scene scene = dropped_rope(0.05, 0, 0.4, 0);
  scene.initial = Initial::rest;
  const TouchRun run(scene, by(1e-3));
  EXPECT_NEAR(run.middle().z(), 0.005 - 0.1 * g / 1e6, 1e-8);
  EXPECT_LT(drift(scene, 1e-3, 0.1), 1e-9);
}

/// On a table: the share that hangs over the edge, as its radius vanishes, and a static start just
/// below what friction holds. `hawser bench contact` has those above, which slide.
TEST(ContactStatics, RopeHangsOverTheEdgeOfATable) {
  struct Case {
    double friction;
    bool rubs;
    double share;
  };
  for (const Case& c : {Case{0.3, false, 0.230769}, Case{0.3, true, 0.324595},
                        Case{0.5, false, 0.333333}, Case{0.5, true, 0.523046}}) {
    EdgeRope rope{c.friction, c.rubs, 1e-6};
    EXPECT_NEAR(rope.limit(), c.share, 1e-6);
    EXPECT_NEAR(rope.critical(), c.share, 1e-5);
    rope.radius = 0.05;
    rope.hangs = 0.98 * rope.critical();
    EXPECT_LT(drift(rope_on_edge(rope), 1e-3, 0.2), 1e-6) << c.friction << c.rubs;
  }
}

/// A catenary that touches down on the ground: T = H + w z, H from the length that hangs.
TEST(ContactStatics, CatenaryTouchesTheGround) {
  const TouchedDown c;
  for (const double mu : {0.0, 0.5}) {
    const TouchRun run(touched_down(c, mu), by(1e-3));
    const double top = reaction(run.model, run.state, Place::end("rope")).force.norm();
    EXPECT_NEAR(top, c.H + c.weight() * c.height, 2e-3 * top) << mu;
    if (mu > 0) continue;
    EXPECT_NEAR(run.pull(), c.H, 5e-3 * c.H) << "all of the rope on the ground pulls as much";
  }
  EXPECT_LT(drift(touched_down(c, 0.5), 1e-3, 0.2), 1e-7);
}

/// It slips where the longer side exceeds 0.966 m.
TEST(ContactStatics, RopeOverABarHoldsUpToItsLimit) {
  const TouchRun run(hung_rope(0.3, 0.93), by(1e-3));
  EXPECT_LT(std::abs(run.state.q[2] + 0.3), 0.005) << "it has settled by some millimetres";
  EXPECT_LT(drift(hung_rope(0.3, 0.93), 1e-3, 0.3), 1e-6);
  try {
    TouchRun slides(hung_rope(0.3, 1), by(1e-3));
    ADD_FAILURE() << "it slides off";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("nothing constrains this motion"), std::string::npos)
        << e.what();
  }
}

TEST(ContactStatics, LoadIsHeldWithoutDrift) {
  for (const double share : {0.5, 0.9}) {
    Scene scene = held_load(share);
    scene.initial = Initial::rest;
    EXPECT_LT(drift(scene, 1e-2, 1), 1e-7) << share;
  }
}

/// The search starts above a thin bar and must not lead through it.
TEST(ContactStatics, SearchDoesNotPassThroughABar) {
  Scene scene;
  scene.supports = {bar(0.01), at("left", {-0.5, 0, 0.3}), at("right", {0.5, 0, 0.3})};
  Cable rope;
  rope.name = "rope";
  rope.sections = {Section{1e5, 1e-4, 0.2}};
  rope.sections[0].diameter = 0.01;
  rope.initial = Initial::points;
  rope.elements = 60;
  rope.length = 1.4;
  rope.route = {Stop::hold("left"), Vec3(-0.25, 0, 0.35), Vec3(0, 0, 0.4), Vec3(0.25, 0, 0.35),
                Stop::hold("right")};
  scene.cables = {rope};
  scene.initial = Initial::rest;
  for (const double mu : {0.0, 0.3}) {
    scene.contacts = {between("bar", mu, 0)};
    const TouchRun run(scene, by(1e-3));
    EXPECT_NEAR(run.middle().z(), 0.015, 3e-3) << mu;  // elements are longer than the bar
    EXPECT_LT(std::abs(run.middle().x()), 0.02) << mu;
  }
}

/// A string over a bar that presses it up: the bar is a node of its vertical modes, and with
/// friction of all.
TEST(ContactStatics, StringOnABarHasTheModesOfItsHalves) {
  for (const double mu : {0.0, 0.4}) {
    const Model model(string_on_bar(mu));
    State state = Integrator(model, by(1e-3)).start();
    ModeOptions options;
    options.count = 1;
    const ModesReport report = modes(model, state, options);
    ASSERT_EQ(report.modes.size(), 1u) << report.message;
    const double wave = std::sqrt(100 / 0.1);
    const double expected = mu > 0 ? wave : wave / 2;
    EXPECT_NEAR(report.modes[0].frequency, expected, 1e-2 * expected) << mu;
  }
}

}  // namespace
}  // namespace hawser

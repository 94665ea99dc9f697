// A rope over a fixed bar with friction: by its route without mass, by a flow of its elements, by
// contact.
#include <gtest/gtest.h>

#include <functional>

#include "../bench/bar_scenes.h"
#include "../bench/flow_scenes.h"

namespace hawser {
namespace {

/// The loads rise alike within 1 %; once they move, tensions differ by the factor of Euler and
/// Eytelwein within 0.01.
TEST(BarInThreeWays, LoadsSpeedUpAlike) {
  constexpr double until = 0.4;
  for (const double h : {1e-3, 2.5e-4}) {
    double rise = 0;  // of the massless rope
    for (const std::string way : {"massless", "flow", "contact"}) {
      flowing::FlowRun run(touching::loads_over_bar(way), touching::by(h));
      const double from = run.place("light").z();
      ASSERT_EQ(run.to(until / 2), Status::ok) << way << run.integrator.failure().message();
      double first = 0, second = 0;
      while (run.state.t < until - 1e-6) {
        ASSERT_EQ(run.step(), Status::ok) << way << run.integrator.failure().message();
        first += run.read("rope.tension@start");
        second += run.read("rope.tension@end");
      }
      EXPECT_NEAR(first / second, std::exp(0.2 * touching::pi), 0.01) << way << " " << h;
      const double rises = run.place("light").z() - from;
      if (way == "massless") rise = rises;
      EXPECT_GT(rise, 0.17);
      EXPECT_NEAR(rises, rise, 0.01 * rise) << way << " " << h;
    }
  }
}

/// A block on two falls, whose sheave is aside of its centre and turned. One end of the rope is
/// raised by 0.2 m, the block follows by half of it.
Scene raised_block(const std::string& way) {
  Scene scene;
  constexpr double R = 0.1;
  Support pull = touching::at("pull", {R, 0, 0});
  pull.motion[2] = touching::speeding(0.4, 0.1);
  scene.supports = {touching::at("dead", {-R, 0, 0}), pull};
  Body block;
  block.name = "block";
  block.mass = 20;
  block.inertia = 0.1 * Eigen::Matrix3d::Identity();
  block.position = {0, 0, -0.7};
  block.orientation = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized());
  scene.bodies = {block};
  Frame sheave;
  sheave.name = "sheave";
  sheave.body = "block";
  sheave.position = block.orientation.conjugate() * Vec3(0, 0, 0.2);
  scene.frames = {sheave};
  Cable rope;
  rope.name = "rope";
  rope.sections = {Section{1e5, 1e-4, 0.02}};
  rope.sections[0].diameter = 4e-3;
  rope.elements = 70;
  rope.route = {Stop::hold("dead"), Stop::over("sheave", R, -Vec3::UnitY()), Stop::hold("pull")};
  rope.length = (1 + touching::pi * R) / (1 + 10 * touching::g / 1e5);
  if (way == "massless") rope.model = CableModel::massless;
  if (way == "contact") rope.pulleys = PulleyMeeting::contact;
  scene.cables = {rope};
  return scene;
}

TEST(BlockInThreeWays, IsRaisedAlike) {
  double rise = 0;  // on the massless rope
  for (const std::string way : {"massless", "contact", "flow"}) {
    flowing::FlowRun run(raised_block(way), touching::by(2e-3));
    const double from = run.place("block").z();
    ASSERT_EQ(run.to(0.6), Status::ok) << way << run.integrator.failure().message();
    const double rises = run.place("block").z() - from;
    if (way == "massless") rise = rises;
    EXPECT_NEAR(rise, 0.5 * 0.4 * (0.6 - 0.1), 2e-3);
    EXPECT_NEAR(rises, rise, 1e-3) << way;
  }
}

/// What turns the tangent points of a rope on a block must not depend on the length of its
/// elements: half a turn stays half a turn, but for waves of some milliradians.
TEST(BlockByFlow, StaysOnItsRopeWithAnyElements) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const int elements : {20, 70, 140})
      for (const double h : {1e-3, 1e-4}) {
        Scene scene = raised_block("flow");
        scene.cables[0].model = model;
        scene.cables[0].elements = elements;
        flowing::FlowRun run(scene, touching::by(h));
        double most = 0;
        while (run.state.t < 0.15) {
          ASSERT_EQ(run.step(), Status::ok) << run.integrator.failure().message();
          most = std::max(most, std::abs(run.read("rope.wrap@sheave") - touching::pi));
        }
        EXPECT_LT(most, 0.01) << elements << " " << h;
      }
}

TEST(PulleysByContact, RefusesWhatItDoesNotModel) {
  const auto message = [](const std::function<void(Scene&)>& change) -> std::string {
    Scene scene = raised_block("contact");
    change(scene);
    try {
      const Model model(scene);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([](Scene&) {}), "");
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(message([](Scene& s) { s.cables[0].model = CableModel::massless; }), "massless");
  has(message([](Scene& s) { s.cables[0].route[1].grip = true; }), "grip");
  has(message([](Scene& s) { s.cables[0].route[1].inertia = 1; }), "inertia");
  has(message([](Scene& s) { s.cables[0].route[1].radius = 1e-3; }), "radius of the cable");
  has(message([](Scene& s) { s.cables[0].elements = 8; }), "or more");
  has(message([](Scene& s) { s.supports[0].position.y() = 0.1; }), "plane of the pulley");
  has(message([](Scene& s) { s.cables[0].route[1] = Stop::over("sheave"); }), "eyelet");
  has(message([](Scene& s) { s.cables[0].initial = Initial::catenary; }), "initial shape");
}

}  // namespace
}  // namespace hawser

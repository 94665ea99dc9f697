// Rows that switch: slack and damped cables, drives, stops and friction, each compared at steps
// that resolve what happens and at steps that do not. Closed forms, or the convergence of steps.
#include <gtest/gtest.h>

#include <cmath>

#include "hawser/error.h"
#include "hawser/measure.h"
#include "machines.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double g = 9.81;

SolveOptions options(double step) {
  SolveOptions o;
  o.step = step;
  return o;
}

/// Largest force of a row, largest change of the energy's balance either way.
struct Seen {
  double largest = 0, gain = 0, loss = 0;
  State end;
};

Seen run(const Model& model, const SolveOptions& o, double until, size_t row) {
  Integrator integrator(model, o);
  Seen seen;
  State state = integrator.start();
  while (state.t < until - o.step / 2) {
    const Status status = integrator.step(state);
    EXPECT_EQ(status, Status::ok) << integrator.failure().message();
    if (status != Status::ok) break;
    seen.largest = std::max(seen.largest, state.row_largest[row]);
    const double balance = energy(model, state).balance();
    seen.gain = std::max(seen.gain, balance);
    seen.loss = std::max(seen.loss, -balance);
  }
  seen.end = state;
  return seen;
}

Scene fall(double mass, double EA, double length, double height, double viscosity) {
  Scene scene;
  scene.bodies = {ball("load", mass, {0, 0, height - length})};
  scene.supports = {ground("hook", Vec3::Zero())};
  scene.cables = {massless("fall", EA, length, {"hook", "load"})};
  scene.cables[0].sections[0].axial_damping.viscosity = viscosity;
  return scene;
}

/// 2 kg on a rope that damps above critical: the peak is that of the dashpot as it comes taut.
TEST(Switch, DampedRopeComesTautAndGoesSlack) {
  const Model model(fall(2, 9.2e6, 14, 0.1, 3.6e-3));
  const double peak = 9.2e6 / 14 * 3.6e-3 * std::sqrt(2 * g * 0.1), exchanged = 2 * g * 0.1;
  for (const double h : {4e-3, 1e-3, 0.25e-3}) {
    const Seen seen = run(model, options(h), 0.5, 0);
    EXPECT_NEAR(seen.largest, peak, 0.005 * peak) << h;
    EXPECT_LT(seen.gain, 0.03 * exchanged) << h;
    EXPECT_LT(seen.loss, 0.03 * exchanged) << h;
    EXPECT_NEAR(seen.end.q[2], -14 - 2 * g * 14 / 9.2e6, 1e-7) << h;
  }
}

/// The same, lightly damped: what the rope dissipates is counted.
TEST(Switch, WorkOfDampingIsCounted) {
  const Model model(fall(200, 9.2e6, 14, 0.1, 0.5e-3));
  for (const double h : {2e-3, 0.5e-3}) {
    const Seen seen = run(model, options(h), 1, 0);
    EXPECT_LT(seen.end.books.work, -20) << h;
    EXPECT_LT(seen.gain, 0.01 * 200 * g * 0.1) << h;
    EXPECT_LT(seen.loss, 0.03 * 200 * g * 0.1) << h;
  }
}

/// A load at rest on its rope that is given a speed: m g + v sqrt(k m).
TEST(Switch, StartWithASpeedIsAnImpact) {
  Scene scene = fall(1000, 5e6, 10, 0, 0);
  scene.bodies[0].position.z() = -10 - 1000 * g * 10 / 5e6;
  scene.bodies[0].velocity.z() = -0.3;
  const double peak = 1000 * g + 0.3 * std::sqrt(5e5 * 1000);
  const Model model(scene);
  for (const double h : {1e-3, 10e-3, 50e-3})
    EXPECT_NEAR(run(model, options(h), 0.3, 0).largest, peak, 0.01 * peak) << h;
}

/// Rope, light hook off the line, sling and ten tonnes: EA, length of the rope and of the sling;
/// largest tension of both, integrated by an independent program (kink-refs.txt of its authors).
TEST(Switch, KinkedStartOfALightHook) {
  struct Case {
    double EA, rope, sling, of_rope, of_sling;
  };
  for (const Case& c : {Case{5e6, 5, 2, 210388, 210932}, Case{10e6, 10, 4, 203299, 203379},
                        Case{20e6, 10, 2, 223377, 226720}}) {
    Scene scene;
    scene.bodies = {ball("hook", 1, {0.25, 0, -c.rope}),
                    ball("load", 10000, {0, 0, -c.rope - c.sling})};
    scene.supports = {ground("top", Vec3::Zero())};
    scene.cables = {massless("rope", c.EA, 0, {"top", "hook"}),
                    massless("sling", c.EA, 0, {"hook", "load"})};
    const Model model(scene);
    for (const double h : {5e-3, 10e-3}) {
      const Seen rope = run(model, options(h), 1.2, 0), sling = run(model, options(h), 1.2, 1);
      EXPECT_LT(rope.largest, 1.05 * c.of_rope) << c.EA << ' ' << h;
      EXPECT_LT(sling.largest, 1.05 * c.of_sling) << c.EA << ' ' << h;
      EXPECT_GT(rope.largest, 0.9 * c.of_rope) << c.EA << ' ' << h;
      EXPECT_LT(rope.gain, 1e-3 * 10000 * g) << c.EA << ' ' << h;
    }
  }
}

/// Thrown up on a winch that stands still, a load takes its rope up where it left it.
TEST(Switch, SlackRopeOfAWinchKeepsItsLength) {
  Scene scene = fall(100, 1e6, 5, 0, 0);
  scene.cables[0].drive = {Drive::Kind::velocity, 0.0, 0.0};
  scene.bodies[0].velocity.z() = 1;
  const Model model(scene);
  for (const double h : {1e-3, 7e-3}) {
    Integrator integrator(model, options(h));
    State state = integrator.start();
    while (state.t + h < 2 / g) {
      ASSERT_EQ(integrator.step(state), Status::ok);
      EXPECT_EQ(state.multipliers[0], 0) << state.t;
      EXPECT_GT(state.q[2], -5) << state.t;
    }
    ASSERT_EQ(integrator.advance(state, 0.5), Status::ok);
    EXPECT_NEAR(state.q[2], -5, 1e-4) << h;
    EXPECT_NEAR(state.multipliers[0], 100 * g, 0.1) << h;
  }
}

/// Frames that meet to 8 nm are taken as they are, however short the step.
TEST(Switch, GapOfAJointIsKept) {
  Scene scene = fall(200, 3e6, 27, 0, 0);
  scene.bodies.push_back(ball("below", 800, {0, 0, -28}));
  scene.frames.push_back(frame("eye", "below", {0, 0, 1 + 8e-9}));
  scene.joints = {joint("pin", JointKind::pin, "load", "eye")};
  scene.cables[0].drive = {Drive::Kind::velocity, 0.0, 0.0};
  const Model model(scene);
  const size_t row = 3;  // after those of the pin
  for (const double h : {4e-3, 16e-6})
    EXPECT_NEAR(run(model, options(h), 100 * h, row).largest, 1000 * g, 1) << h;
}

TEST(Switch, RigidRowsThatContradictStopTheRun) {
  Scene scene = fall(10, 1e5, 2, 0, 0);
  scene.supports.push_back(ground("floor", {0, 0, -2}));
  scene.joints = {joint("weld", JointKind::weld, "floor", "load")};
  scene.cables[0].drive = {Drive::Kind::velocity, -0.1, 0.0};
  const Model model(scene);
  Integrator integrator(model, options(5e-3));
  State state = integrator.start();
  EXPECT_EQ(integrator.advance(state, 1), Status::diverged);
  EXPECT_NE(integrator.failure().message().find("cannot be satisfied"), std::string::npos)
      << integrator.failure().message();
}

TEST(Switch, WinchBySpeedMustTouchABody) {
  Scene scene = fall(10, 1e5, 2, 0, 0);
  scene.supports.push_back(ground("floor", {0, 0, -2}));
  scene.cables[0].route[1].on = "floor";
  scene.cables[0].drive = {Drive::Kind::velocity, 0.1, 0.0};
  EXPECT_THROW(Model{scene}, Error);
  scene.cables[0].drive.slip = 1e-3;
  EXPECT_NO_THROW(Model{scene});
}

/// A car falls on a rail onto a stop that yields, and comes back with its energy.
TEST(Switch, StopThatYieldsGivesTheEnergyBack) {
  Scene scene;
  scene.bodies = {ball("car", 5.8, Vec3::Zero(), {0, 0, 0.5})};
  scene.supports = {ground("rail", Vec3::Zero())};
  scene.joints = {joint("guide", JointKind::slider, "rail", "car")};
  scene.joints[0].travel_limits = {-0.4, 0.95};
  scene.joints[0].compliance = 1.5e-7;
  const Model model(scene);
  const double exchanged = 5.8 * g * 0.4 + 5.8 * 0.25 / 2;
  for (const double h : {2.45e-3, 0.6e-3}) {
    const Seen seen = run(model, options(h), 0.94, 0);
    EXPECT_LT(seen.gain, 1e-3 * exchanged) << h;
    EXPECT_LT(seen.loss, 0.02 * exchanged) << h;
    EXPECT_GT(seen.end.q[2], -0.4) << h;
  }
}

/// What a rope over a rubbing wheel loses is counted as work.
TEST(Switch, WorkOfFrictionIsCounted) {
  Scene scene;
  scene.bodies = {ball("load", 50, {-0.2, 0, -4.5})};
  scene.supports = {ground("wheel", Vec3::Zero()), ground("winch", {0.2, 0, -3})};
  scene.cables = {massless("rope", 47e6, 8.14, {"load", "wheel", "winch"})};
  Stop& wheel = scene.cables[0].route[1];
  wheel.radius = 0.2;
  wheel.axis = Vec3::UnitY();
  wheel.friction = 0.2;
  const Model model(scene);
  for (const double h : {5e-3, 1.25e-3}) {
    const Seen seen = run(model, options(h), 0.7, 0);
    EXPECT_LT(seen.end.books.work, -5) << h;
    EXPECT_LT(seen.gain, 0.08 * -seen.end.books.work) << h;
    EXPECT_LT(seen.loss, 0.08 * -seen.end.books.work) << h;
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

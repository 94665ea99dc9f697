// Inputs in steps: what a setting does to rates, positions and loads, with every method.
#include "allocations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "hawser/error.h"
#include "hawser/statics.h"
#include "machines.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double step = 1e-3;
constexpr Method every_method[] = {Method::linearized, Method::mixed, Method::mixed3,
                                   Method::newton, Method::spook};

Input input(const std::string& name, double value = 0, double smoothing = 0) {
  Input out;
  out.name = name;
  out.value = value;
  out.smoothing = smoothing;
  return out;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// A load on a winch of given speed.
Scene winch(const Signal& speed) {
  Scene scene;
  scene.bodies = {ball("load", 100, {0, 0, 0})};
  scene.supports = {ground("winch", {0, 0, 10})};
  scene.cables = {massless("rope", 1e6, 0, {"winch", "load"})};
  scene.cables[0].drive.kind = Drive::Kind::velocity;
  scene.cables[0].drive.value = speed;
  scene.inputs = {input("speed")};
  return scene;
}

TEST(Inputs, SettingASpeedIsAKinkOfAFunction) {
  const Signal jump = Signal::function(
      [](double t) {
        return Signal::Sample{t < 0.05 ? 0.0 : -0.4, 0, 0};
      },
      {0.05});
  for (const Method method : every_method) {
    SCOPED_TRACE(name_of(method));
    const Model by_function(winch(jump)), by_input(winch(Signal::input(0)));
    Integrator a(by_function, solve_options(method, step)),
        b(by_input, solve_options(method, step));
    State x = a.start(), y = b.start();
    for (int i = 0; i < 120; ++i) {
      if (i == 50) by_input.set_input(y, by_input.input("speed"), -0.4);
      ASSERT_EQ(a.step(x), Status::ok);
      ASSERT_EQ(b.step(y), Status::ok);
      ASSERT_TRUE(same_bits(x.q, y.q) && same_bits(x.v, y.v) && same_bits(x.a, y.a)) << i;
      ASSERT_TRUE(same_bits(x.multipliers, y.multipliers)) << i;
    }
    EXPECT_EQ(a.counters().restarts, 1);
    EXPECT_EQ(b.counters().restarts, 1);
    EXPECT_NEAR(body_velocity(by_input, y, 0).z(), 0.4, 1e-9);
    EXPECT_NEAR(body_at(by_input, y, 0).z(), 0.4 * 0.07, 1e-6);
    EXPECT_EQ(x.books.work, y.books.work);
  }
}

TEST(Inputs, SettingTheSameValueChangesNothing) {
  const Model model(winch(Signal::input(0)));
  Integrator integrator(model, solve_options(Method::mixed, step));
  State state = integrator.start();
  model.set_input(state, 0, 0.0);
  EXPECT_FALSE(state.rates_jumped);
  model.set_input(state, 0, -0.2);
  EXPECT_TRUE(state.rates_jumped);
  ASSERT_EQ(integrator.step(state), Status::ok);
  EXPECT_FALSE(state.rates_jumped);
  EXPECT_EQ(integrator.counters().restarts, 1);
  EXPECT_NEAR(body_velocity(model, state, 0).z(), 0.2, 1e-12) << "from the very start";
}

TEST(Inputs, AreClampedToTheirRange) {
  Scene scene = winch(Signal::input(0));
  scene.inputs[0].from = -0.5;
  scene.inputs[0].to = 1;
  const Model model(scene);
  State state = Integrator(model, solve_options(Method::mixed, step)).start();
  EXPECT_EQ(model.set_input(state, 0, 0.75), 0.75);
  EXPECT_EQ(model.set_input(state, 0, 7), 1);
  EXPECT_EQ(state.inputs[0].setting, 1);
  EXPECT_EQ(model.set_input(state, 0, -7), -0.5);
  EXPECT_THROW(model.set_input(state, 0, std::nan("")), Error);
  EXPECT_THROW(model.set_input(state, 1, 0), Error);
  EXPECT_THROW((void)model.input("sped"), Error);
}

/// A slider of given travel.
Scene slider(const Signal& travel) {
  Scene scene;
  scene.bodies = {ball("car", 3, {0, 0, 0})};
  scene.supports = {ground("rail", {0, 0, 0})};
  scene.joints = {joint("slide", JointKind::slider, "rail", "car", Vec3::UnitX())};
  scene.joints[0].travel.kind = Drive::Kind::position;
  scene.joints[0].travel.value = travel;
  scene.inputs = {input("travel", 0, 0.1)};
  return scene;
}

TEST(Inputs, SmoothedInputsPrescribePositions) {
  InputMotion motion = InputMotion::at_rest(0, 0.1);
  motion.set(0.02, 0.5);
  const Signal filtered = Signal::function([motion](double t) {
    return t < 0.02 ? Signal::Sample{0, 0, 0} : motion.at(t);
  });
  for (const Method method : every_method) {
    SCOPED_TRACE(name_of(method));
    const Model by_function(slider(filtered)), by_input(slider(Signal::input(0)));
    Integrator a(by_function, solve_options(method, step)),
        b(by_input, solve_options(method, step));
    State x = a.start(), y = b.start();
    for (int i = 0; i < 200; ++i) {
      if (i == 20) by_input.set_input(y, 0, 0.5);
      ASSERT_EQ(a.step(x), Status::ok);
      ASSERT_EQ(b.step(y), Status::ok);
      ASSERT_TRUE(same_bits(x.q, y.q) && same_bits(x.v, y.v)) << i;
    }
    EXPECT_EQ(b.counters().restarts, 0) << "nothing jumps";
    if (method != Method::spook) {
      EXPECT_NEAR(body_at(by_input, y, 0).x(), motion.at(y.t).value, 1e-9);
    }
    EXPECT_NEAR(body_velocity(by_input, y, 0).x(), motion.at(y.t).rate, 2e-3);
  }
}

TEST(Inputs, ForcesJumpWithoutARestart) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {ball("puck", 2, {0, 0, 0})};
  BodyForce push;
  push.frame = "puck";
  push.force = {1, 0, 0};
  push.strength = Signal::input(0);
  scene.body_forces.push_back(push);
  scene.inputs = {input("push")};
  const Model model(scene);
  for (const Method method : {Method::linearized, Method::mixed, Method::newton}) {
    SCOPED_TRACE(name_of(method));
    Integrator integrator(model, solve_options(method, step, Scheme::backward_euler));
    State state = integrator.start();
    ASSERT_EQ(integrator.advance(state, 0.1), Status::ok);
    EXPECT_EQ(body_velocity(model, state, 0).x(), 0);
    model.set_input(state, 0, 10);
    ASSERT_EQ(integrator.advance(state, 0.3), Status::ok);
    EXPECT_NEAR(body_velocity(model, state, 0).x(), 10.0 / 2 * 0.2, 1e-12);
    model.set_input(state, 0, -5);
    ASSERT_EQ(integrator.advance(state, 0.5), Status::ok);
    EXPECT_NEAR(body_velocity(model, state, 0).x(), 1 - 5.0 / 2 * 0.2, 1e-12);
    EXPECT_EQ(integrator.counters().restarts, 0);
    // Backward Euler takes m (h a)^2 / 2 in every step of the work done.
    EXPECT_NEAR(energy(model, state).work - energy(model, state).kinetic,
                200 * (5e-3 * 5e-3 + 2.5e-3 * 2.5e-3), 1e-9);
  }
}

/// A cable whose support, force and stiff moment are inputs.
Scene steered() {
  Scene scene;
  scene.cables = {westin_irani_cable(1e8)};
  scene.cables[0].elements = 5;
  scene.inputs = {input("lift", 0, 0.02), input("push"), input("wring")};
  hold(scene, "pendulum", 0).motion[2] = Signal::input(0);
  add_force(scene, Place::end("pendulum"), {0, 1, 0}, Signal::input(1));
  add_moment(scene, Place::end("pendulum"), {0, 1e-3, 1e-3}, Signal::input(2));
  return scene;
}

/// At step i; a setting of each kind, some while the last one is under way.
void steer(const Model& model, State& state, int i) {
  if (i % 7 == 3) model.set_input(state, 0, 0.01 * std::sin(i));
  if (i % 5 == 2) model.set_input(state, 1, 0.1 * std::cos(i));
  if (i % 11 == 4) model.set_input(state, 2, 2 * std::cos(3 * i));
}

TEST(Inputs, ResumedStatesGoOnWithTheSameBits) {
  const Model model(steered());
  for (const SolveOptions& options : all_methods(step))
    for (const bool controlled : {false, true}) {
      if (controlled && options.method != Method::newton) continue;
      SolveOptions o = options;
      o.error_control = controlled;
      o.tolerance = 1e-5;
      SCOPED_TRACE(name_of(o));
      Integrator whole(model, o);
      State state = whole.start(), other;
      std::unique_ptr<Integrator> second;
      for (int i = 0; i < 40; ++i) {
        steer(model, state, i);
        if (i == 24) {  // just set, not stepped yet
          other = state;
          second = std::make_unique<Integrator>(model, o);
          second->resume(other);
        } else if (second) {
          steer(model, other, i);
        }
        ASSERT_EQ(whole.step(state), Status::ok) << whole.failure().message();
        if (second) {
          ASSERT_EQ(second->step(other), Status::ok);
          ASSERT_TRUE(same_bits(state.q, other.q) && same_bits(state.a, other.a)) << i;
        }
      }
      EXPECT_GT(std::abs(state.inputs[0].at(state.t).rate), 0);
    }
}

TEST(Inputs, SettingsAndStepsDoNotAllocate) {
#ifdef COUNTS_ALLOCATIONS
  for (const Method method : {Method::linearized, Method::mixed, Method::mixed3}) {
    SCOPED_TRACE(name_of(method));
    Scene scene = steered();
    scene.moments[0].stiffness = Stiffness::non_stiff;
    const Model model(scene);
    Integrator integrator(model, solve_options(method, step));
    State state = integrator.start();
    ASSERT_EQ(integrator.step(state), Status::ok);
    const long before = allocations;
    for (int i = 0; i < 50; ++i) {
      steer(model, state, i);
      ASSERT_EQ(integrator.step(state), Status::ok);
    }
    EXPECT_EQ(allocations - before, 0);
  }
#else
  GTEST_SKIP() << "the sanitizers have their own allocator";
#endif
}

TEST(Inputs, EquilibriaAndModesUseTheirCurrentValues) {
  Scene scene;
  scene.bodies = {ball("load", 10, {0, 0, 0})};
  scene.supports = {ground("hook", {0, 0, 5})};
  scene.cables = {massless("rope", 1e5, 0, {"hook", "load"})};
  scene.cables[0].payout = Signal::input(0);
  scene.inputs = {input("payout", 0, 0.5)};
  const Model model(scene);
  State state = Integrator(model, solve_options(Method::mixed, step)).start();
  state.inputs[0] = InputMotion::at_rest(2, 0.5);
  for (const StaticWay way : {StaticWay::newton, StaticWay::relaxation}) {
    State still = state;
    const StaticReport report = equilibrium(model, still, {.ways = {way}});
    ASSERT_TRUE(report.converged) << report.message;
    // A rope of 7 m and its stretch.
    EXPECT_NEAR(body_at(model, still, 0).z(), 5 - 7 * (1 + 10 * 9.81 / 1e5), 1e-6);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

// Impacts, starts and kinks of massless cables and rigid rows, at steps that resolve them and at
// steps that do not. Closed forms, or integration of the equations of motion by an independent
// program.
#include <gtest/gtest.h>

#include <cmath>

#include "hawser/measure.h"
#include "machines.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double g = 9.81;

SolveOptions options(double step, Method method = Method::mixed, Scheme scheme = Scheme::hht) {
  SolveOptions o;
  o.step = step;
  o.method = method;
  o.scheme = scheme;
  return o;
}

/// What a run has shown of a row, and how much energy it has gained at most.
struct Seen {
  double largest = 0, least = HUGE_VAL, gain = 0;
  Counters counters;
  State end;
  bool ok = true;
};

Seen run(const Model& model, const SolveOptions& o, double until, size_t row = 0) {
  Integrator integrator(model, o);
  Seen seen;
  State state = integrator.start();
  const double start = energy(model, state).balance();
  seen.largest = seen.least = state.multipliers[row];
  while (state.t < until - o.step / 2) {
    const Status status = integrator.step(state);
    EXPECT_EQ(status, Status::ok) << integrator.failure().message();
    if (status != Status::ok) {
      seen.ok = false;
      break;
    }
    seen.largest = std::max(seen.largest, state.row_largest[row]);
    seen.least = std::min(seen.least, state.multipliers[row]);
    seen.gain = std::max(seen.gain, energy(model, state).balance() - start);
  }
  seen.counters = integrator.counters();
  seen.end = state;
  return seen;
}

// --- the impact ---

/// A tonne falls 1 m onto a rope of 500 kN/m: m g + sqrt((m g)^2 + k m v^2).
const double snatch_peak = 9810 + std::sqrt(9810.0 * 9810 + 500e3 * 1000 * 2 * g);

Scene snatch() {
  Scene scene;
  scene.bodies = {ball("load", 1000, {0, 0, -9})};
  scene.supports = {ground("hook", Vec3::Zero())};
  scene.cables = {massless("fall", 5e6, 10, {"hook", "load"})};
  return scene;
}

/// The same load, caught by a light block that it is pinned to.
Scene snatch_block(double block) {
  Scene scene = snatch();
  scene.bodies = {ball("block", block, {0, 0, -9}), ball("load", 1000 - block, {0, 0, -9.5})};
  scene.frames.push_back(frame("eye", "load", {0, 0, 0.5}));
  scene.joints = {joint("pin", JointKind::pin, "block", "eye")};
  scene.cables[0].route[1].on = "block";
  return scene;
}

TEST(Impact, PeakAtEveryStep) {
  EXPECT_NEAR(snatch_peak, 109.34e3, 10);
  const Model model(snatch());
  for (const double h : {1e-3, 5e-3, 10e-3, 15e-3, 20e-3, 50e-3}) {
    const Seen seen = run(model, options(h), 2);
    EXPECT_NEAR(seen.largest, snatch_peak, 0.02 * snatch_peak) << h;
    EXPECT_LT(seen.gain, 1e-3 * 9810) << h;
  }
}

TEST(Impact, PeakOfEveryMethod) {
  const Model model(snatch());
  for (const Method method :
       {Method::linearized, Method::mixed, Method::mixed3, Method::newton, Method::spook})
    for (const double h : {1e-3, 10e-3}) {
      const Seen seen = run(model, options(h, method), 1);
      EXPECT_NEAR(seen.largest, snatch_peak, 0.02 * snatch_peak)
          << static_cast<int>(method) << " " << h;
    }
}

TEST(Impact, LightBlockHasTheMassOfItsLoad) {
  for (const double block : {50.0, 1.0}) {
    const Model model(snatch_block(block));
    const size_t row = 3;  // after the pin's
    for (const double h : {1e-3, 5e-3, 10e-3, 15e-3, 20e-3, 50e-3}) {
      const Seen seen = run(model, options(h), 2, row);
      EXPECT_NEAR(seen.largest, snatch_peak, 0.02 * snatch_peak) << block << " " << h;
      EXPECT_LT(seen.gain, 1e-3 * 9810) << block << " " << h;
    }
  }
}

/// With a deadline the steps do not show the peak: the row space does.
TEST(Impact, DeadlineReportsThePeak) {
  const Model model(snatch_block(50));
  for (const double h : {20e-3, 50e-3, 100e-3}) {
    SolveOptions o = options(h);
    o.factorization_cap = 1;
    Integrator integrator(model, o);
    State state = integrator.start();
    double peak = 0, time = -1, speed = 0, taken = 0;
    while (state.t < 0.8) {
      ASSERT_EQ(integrator.step(state), Status::ok);
      if (state.impacts[3].time >= 0 && time < 0) {
        peak = state.impacts[3].peak;
        time = state.impacts[3].time;
        speed = state.impacts[3].speed;
        taken = state.impacts[3].energy;
      }
    }
    EXPECT_NEAR(peak, snatch_peak, 0.02 * snatch_peak) << h;
    EXPECT_NEAR(time, std::sqrt(2 / g), h) << h;
    EXPECT_NEAR(speed, std::sqrt(2 * g), 0.05) << h;
    EXPECT_GT(taken, 0) << h;
  }
}

/// 8.2 t are lowered at 1 m/s; at 1 s, with 21 m of rope, the winch stops: m g + v sqrt(k m).
TEST(Impact, WinchStops) {
  constexpr double EA = 9.859e6, weight = 8200 * g, strain = weight / EA, speed = 1 + strain;
  Scene scene;
  const double z = -20 * (1 + strain);
  scene.bodies = {ball("block", 200, {0, 0, z}, {0, 0, -speed}),
                  ball("load", 8000, {0, 0, z - 1.4}, {0, 0, -speed})};
  scene.supports = {ground("winch", Vec3::Zero())};
  scene.frames = {frame("hook", "block", {0, 0, -0.4}), frame("eye", "load", {0, 0, 1})};
  scene.joints = {joint("pin", JointKind::pin, "hook", "eye")};
  scene.cables = {massless("hoist", EA, 20, {"winch", "block"})};
  scene.cables[0].payout = Signal::table({0, 1}, {0, 1});
  const Model model(scene);
  const double peak = weight + speed * std::sqrt(8200 * EA / 21);
  for (const double h : {1e-3, 5e-3, 6e-3, 10e-3, 20e-3})
    EXPECT_NEAR(run(model, options(h), 2, 3).largest, peak, 0.01 * peak) << h;
}

/// Two masses on one rod, caught by two ropes one after the other; peaks by integration.
TEST(Impact, TwoRopesOnOneBar) {
  Scene scene;
  scene.bodies = {ball("upper", 400, {0, 0, -9.4}), ball("lower", 600, {0, 0, -10.4})};
  scene.supports = {ground("hook", Vec3::Zero())};
  scene.frames = {frame("eye", "lower", {0, 0, 1})};
  scene.joints = {joint("rod", JointKind::weld, "upper", "eye")};
  scene.cables = {massless("a", 400e3 * 10, 10, {"hook", "upper"}),
                  massless("b", 800e3 * 11.03, 11.03, {"hook", "lower"})};
  const Model model(scene);
  for (const double h : {1e-3, 5e-3, 10e-3, 20e-3, 50e-3}) {
    EXPECT_NEAR(run(model, options(h), 1, 6).largest, 51278, 0.02 * 51278) << h;
    EXPECT_NEAR(run(model, options(h), 1, 7).largest, 78555, 0.02 * 78555) << h;
  }
}

/// 10 kg between two slack ropes, 1 mm of play, some 300 switches a second: v sqrt(k m).
TEST(Impact, Chatter) {
  Scene scene;
  scene.gravity = Vec3::Zero();
  scene.bodies = {ball("ball", 10, Vec3::Zero(), {1, 0, 0})};
  scene.supports = {ground("l", {-1, 0, 0}), ground("r", {1, 0, 0})};
  scene.cables = {massless("a", 5e6, 1.001, {"l", "ball"}),
                  massless("b", 5e6, 1.001, {"ball", "r"})};
  const Model model(scene);
  const Seen seen = run(model, options(1e-3), 1);
  EXPECT_NEAR(seen.largest, 7071, 0.02 * 7071);
  EXPECT_LT(seen.gain, 1e-3);
  for (const double h : {5e-3, 20e-3}) EXPECT_LT(run(model, options(h), 1).gain, 0.05) << h;
}

/// A tonne falls 1 m onto a rope over a fixed round bar that rubs.
TEST(Impact, OverARubbingPulley) {
  Scene scene;
  scene.bodies = {ball("load", 1000, {0.1, 0, -9})};
  scene.supports = {ground("winch", {-5, 0, 0}), ground("top", Vec3::Zero())};
  Cable fall = massless("fall", 5e6, 15.157, {"winch", "top", "load"});
  fall.route[1].radius = 0.1;
  fall.route[1].axis = Vec3::UnitY();
  fall.route[1].friction = 0.2;
  scene.cables = {fall};
  const Model model(scene);
  for (const double h : {5e-3, 10e-3, 15e-3, 20e-3})
    EXPECT_NEAR(run(model, options(h), 1, 1).largest, 94960, 0.02 * 94960) << h;
}

// --- starts ---

/// Two pretensioned cables: their forces are those of their stretch, whatever the step.
TEST(Impact, PretensionAtRest) {
  Scene scene;
  scene.initial = Initial::rest;
  scene.bodies = {ball("ball", 10, Vec3::Zero())};
  scene.supports = {ground("top", {0, 0, 1}), ground("bottom", {0, 0, -1})};
  scene.cables = {massless("upper", 5e6, 0.999, {"top", "ball"}),
                  massless("lower", 5e6, 0.999, {"ball", "bottom"})};
  const Model model(scene);
  for (const double h : {0.2e-3, 1e-3, 10e-3}) {
    const Seen upper = run(model, options(h), 0.5, 0), lower = run(model, options(h), 0.5, 1);
    for (const double force : {upper.least, upper.largest}) EXPECT_NEAR(force, 5054.055, 1e-3) << h;
    for (const double force : {lower.least, lower.largest}) EXPECT_NEAR(force, 4955.955, 1e-3) << h;
    EXPECT_EQ(upper.counters.fallbacks, 0) << h;
  }
}

TEST(Impact, PretensionOutOfBalance) {
  Scene scene;
  scene.gravity = {-g, 0, 0};
  scene.bodies = {ball("ball", 10, Vec3::Zero())};
  scene.supports = {ground("l", {-1, 0, 0}), ground("r", {1, 0, 0})};
  scene.cables = {massless("a", 5e6, 0.999, {"l", "ball"}),
                  massless("b", 5e6, 0.999, {"ball", "r"})};
  const Model model(scene);
  for (const double h : {0.2e-3, 1e-3, 10e-3})
    for (const size_t row : {0, 1}) {
      const Seen seen = run(model, options(h), 0.5, row);
      EXPECT_GT(seen.least, 4900) << h;
      EXPECT_LT(seen.largest, 5110) << h;
    }
}

/// Four legs, one more than hold the load: a fourth of the weight each, and no NaN.
TEST(Impact, FourLegs) {
  Scene scene;
  scene.bodies = {ball("load", 500, Vec3::Zero())};
  scene.bodies[0].inertia = Vec3(208, 708, 833).asDiagonal();
  scene.supports = {ground("hook", {0, 0, 8})};
  const Vec3 corners[] = {{2, 1, 0.5}, {-2, 1, 0.5}, {-2, -1, 0.5}, {2, -1, 0.5}};
  for (int i = 0; i < 4; ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    scene.frames.push_back(frame(name, "load", corners[i]));
    scene.cables.push_back(massless("leg " + name, 8e6, 0, {"hook", name}));
  }
  for (const Initial initial : {Initial::straight, Initial::rest}) {
    scene.initial = initial;
    const Model model(scene);
    for (const double h : {1e-3, 10e-3}) {
      const Seen seen = run(model, options(h), 1);
      EXPECT_TRUE(std::isfinite(seen.largest));
      if (initial == Initial::rest) {
        EXPECT_NEAR(seen.least, seen.largest, 1) << h;
      }
    }
  }
}

/// Something that stands still, or is moved by a drive, does not keep a rope from stretching.
TEST(Impact, RopeBetweenWhatCannotYield) {
  Scene scene;
  scene.bodies = {ball("w", 10, {0, 0, -1})};
  scene.supports = {ground("winch", Vec3::Zero()), ground("rock", {0, 0, -1})};
  scene.joints = {joint("bolt", JointKind::weld, "rock", "w")};
  Cable rope = massless("rope", 100e3, 1.1, {"winch", "w"});
  rope.payout = Signal::smooth(0, -0.2, 0, 1);
  scene.cables = {rope};
  for (const double h : {1e-3, 10e-3})
    EXPECT_NEAR(run(Model(scene), options(h), 1, 6).end.multipliers[6], 100e3 * 0.1 / 0.9, 1) << h;
  scene.cables[0].payout = 0.0;
  scene.joints = {joint("drive", JointKind::slider, "rock", "w", Vec3::UnitZ())};
  scene.joints[0].travel = {Drive::Kind::position, Signal::smooth(0, -0.2, 0, 1), 0.0};
  for (const Method method : {Method::mixed, Method::newton, Method::linearized})
    for (const double h : {1e-3, 10e-3})
      EXPECT_NEAR(run(Model(scene), options(h, method), 1, 6).end.multipliers[6], 100e3 * 0.1 / 1.1,
                  1)
          << h;
}

// --- kinks ---

/// A tonne is hoisted at 2 m/s^2 from 1 s to 2 s: 9.81 kN, 11.81 kN meanwhile, and nothing else.
TEST(Impact, HoistedBySpeed) {
  const Signal speed = Signal::ramp(0, 2, 1, 2);
  const Signal travel = Signal::function(
      [](double t) -> Signal::Sample {
        if (t < 1) return {0, 0, 0};
        if (t < 2) return {(t - 1) * (t - 1), 2 * (t - 1), 2};
        return {1 + 2 * (t - 2), 2, 0};
      },
      {1, 2});
  Scene winch;
  winch.bodies = {ball("load", 1000, {0, 0, -20})};
  winch.supports = {ground("top", Vec3::Zero()), ground("at", {0, 0, -20})};
  Scene by_rate = winch, by_position = winch;
  winch.cables = {massless("fall", 5e6, 0, {"top", "load"})};
  winch.cables[0].drive = {Drive::Kind::velocity, Signal::ramp(0, -2, 1, 2), 0.0};
  by_rate.joints = {joint("lift", JointKind::slider, "at", "load", Vec3::UnitZ())};
  by_position.joints = by_rate.joints;
  by_rate.joints[0].travel = {Drive::Kind::velocity, speed, 0.0};
  by_position.joints[0].travel = {Drive::Kind::position, travel, 0.0};
  for (const auto& [scene, row] : {std::pair(&winch, size_t{0}), std::pair(&by_rate, size_t{5}),
                                   std::pair(&by_position, size_t{5})})
    for (const Scheme scheme : {Scheme::hht, Scheme::bdf2, Scheme::generalized_alpha})
      for (const double h : {1e-3, 1.3e-3, 7e-3, 10e-3})
        for (const int cap : {0, 1}) {
          SolveOptions o = options(h, Method::mixed, scheme);
          o.factorization_cap = cap;
          const Seen seen = run(Model(*scene), o, 1.9, row);
          EXPECT_NEAR(seen.largest, 11810, 1) << row << " " << h << " " << static_cast<int>(scheme);
          EXPECT_NEAR(seen.least, 9810, 1) << row << " " << h << " " << static_cast<int>(scheme);
        }
}

// --- winches ---

/// payout(0) is asked for at compilation and at the start, not in the steps.
TEST(Impact, PayoutAtTheStartIsAskedForOnce) {
  int asked = 0;
  Scene scene = snatch();
  scene.cables[0].payout = Signal::function([&asked](double t) -> Signal::Sample {
    if (t == 0) ++asked;
    return {0.1 * t, 0.1, 0};
  });
  const Model model(scene);
  Integrator integrator(model, options(1e-3));
  State state = integrator.start();
  const int before = asked;
  ASSERT_EQ(integrator.advance(state, 0.2), Status::ok);
  EXPECT_LE(asked, before + 2);
}

/// A winch that lowers steadily is no rate of strain: the stretch is that of the weight.
TEST(Impact, PayingOutIsNoStrainRate) {
  Scene scene;
  const double EA = 2e6, weight = 1000 * g;
  scene.bodies = {ball("load", 1000, {0, 0, -10 * (1 + weight / EA)}, {0, 0, -2})};
  scene.supports = {ground("winch", Vec3::Zero())};
  scene.cables = {massless("fall", EA, 10, {"winch", "load"})};
  scene.cables[0].payout = Signal::function([](double t) -> Signal::Sample {
    return {2 * t, 2, 0};
  });
  scene.cables[0].sections[0].axial_damping.viscosity = 0.02;
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::linearized, Method::newton, Method::spook})
    for (const double h : {1e-3, 5e-3}) {
      const SolveOptions o = options(h, method);
      const Seen seen = run(model, o, 5);
      const double strain = -body_at(model, seen.end, 0).z() / 20 - 1;
      EXPECT_NEAR(strain, weight / EA, 1e-5) << name_of(o) << ", " << h;
      EXPECT_NEAR(seen.end.multipliers[0], weight, 20) << name_of(o) << ", " << h;
    }
}

/// A load that follows a steadily rising support hangs by the stretch of its weight.
TEST(Impact, SteadyMotionIsNoStretch) {
  Scene scene;
  const double EA = 2e6, weight = 1000 * g;
  scene.bodies = {ball("load", 1000, {0, 0, -10 * (1 + weight / EA)}, {0, 0, 2})};
  scene.supports = {ground("hook", Vec3::Zero())};
  scene.supports[0].motion[2] = Signal::function([](double t) -> Signal::Sample {
    return {2 * t, 2, 0};
  });
  scene.cables = {massless("fall", EA, 10, {"hook", "load"})};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::linearized, Method::newton, Method::spook})
    for (const double h : {1e-3, 5e-3}) {
      const SolveOptions o = options(h, method);
      const Seen seen = run(model, o, 3);
      const double strain = (6 - body_at(model, seen.end, 0).z()) / 10 - 1;
      EXPECT_NEAR(strain, weight / EA, 1e-6) << name_of(o) << ", " << h;
      EXPECT_NEAR(seen.end.multipliers[0], weight, 1) << name_of(o) << ", " << h;
    }
}

/// A drive that slips starts at rest with the force of its rest.
TEST(Impact, SlippingDriveStartsWithItsForce) {
  Scene scene;
  scene.initial = Initial::rest;
  scene.bodies = {ball("box", 1, {0, 0, -5})};
  scene.supports = {ground("rod", Vec3::Zero())};
  scene.cables = {massless("line", 1e9, 5, {"rod", "box"})};
  scene.cables[0].drive = {Drive::Kind::velocity, -2.0, 0.1};
  const Model model(scene);
  for (const Method method : {Method::mixed, Method::linearized, Method::newton, Method::spook})
    for (const double h : {1e-3, 1e-2}) {
      const SolveOptions o = options(h, method);
      const Seen seen = run(model, o, 1);
      EXPECT_NEAR(seen.least, g, 1e-6) << name_of(o) << ", " << h;
      EXPECT_NEAR(seen.largest, g, 1e-6) << name_of(o) << ", " << h;
      EXPECT_NEAR(body_velocity(model, seen.end, 0).z(), 2 - 0.1 * g, 1e-6)
          << name_of(o) << ", " << h;
    }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

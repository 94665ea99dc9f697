// np-fem cable that runs through eyelets, over pulleys and off winches, in scenes: the cases of
// flow_test.cpp with the model changed, with the same tolerances.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../bench/flow_scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flowing;

void go(FlowRun& run, double t) {
  ASSERT_EQ(run.to(t), Status::ok) << run.integrator.failure().message();
}

/// The same scene with a consistent or a lumped mass.
Scene straight(Scene scene, bool lumped = false) {
  for (Cable& cable : scene.cables) {
    cable.model = CableModel::np_fem;
    cable.strain = StrainMeasure::engineering;
    cable.lumped_mass = lumped;
  }
  return scene;
}

TEST(StraightFlow, PaidOutPendulum) {
  const double theta[] = {0.11793001, -0.04123277, -0.14836522, -0.14338116, -0.05050392};
  for (const Method method : {Method::mixed, Method::newton, Method::linearized})
    for (const bool lumped : {false, true}) {
      FlowRun run(straight(paid_out_pendulum(), lumped), by(1e-2, method));
      for (const int i : {0, 1, 2, 3, 4}) {
        ASSERT_NO_FATAL_FAILURE(go(run, i + 1));
        const Vec3 r = run.place("load");
        EXPECT_NEAR(std::atan2(r.x(), -r.z()), theta[i], 2e-4) << i + 1;
        EXPECT_NEAR(r.norm(), 11 + i, 0.01);
      }
      EXPECT_GE(run.changes, 1);
      EXPECT_NEAR(run.read("energy.balance"), 0, 0.1);  // of 490 J of work
    }
}

TEST(StraightFlow, Deployment) {
  const double t[] = {0.5, 1, 1.5, 2, 3, 5, 10},
               depth[] = {5.029685, 5.186489, 5.530180, 6.006048, 7.007116, 9.009249, 14.014716};
  for (const bool lumped : {false, true}) {
    FlowRun run(straight(deployment(), lumped), by(1e-2));
    for (const size_t i : {0u, 1u, 2u, 3u, 4u, 5u, 6u}) {
      ASSERT_NO_FATAL_FAILURE(go(run, t[i]));
      EXPECT_NEAR(-run.place("load").z(), depth[i], 2e-4) << t[i];
    }
    EXPECT_NEAR(run.read("energy.balance"), 0, 0.05) << lumped;
  }
}

TEST(StraightFlow, WinchesOfGivenSpeedAndTension) {
  Scene scene = straight(deployment());
  scene.cables[0].drive = {
      Drive::Kind::velocity, Signal::function([](double t) {
        return Signal::Sample{(1 - std::cos(pi * std::min(t, 2.0) / 2)) / 2, 0, 0};
      }),
      Signal(0.0)};
  scene.cables[0].payout = 0.0;
  FlowRun run(scene, by(1e-2));
  ASSERT_NO_FATAL_FAILURE(go(run, 5));
  EXPECT_NEAR(-run.place("load").z(), 9.009249, 1e-3);
  EXPECT_NEAR(run.read("energy.balance"), 0, 0.1);
  FlowRun held(straight(supply_by_tension()), by(1e-2));
  ASSERT_NO_FATAL_FAILURE(go(held, 3));
  EXPECT_NEAR(-held.place("load").z(), 15.265994, 3e-3);
}

/// The tension of an element is that of its middle: it jumps by what an element weighs, 8 N of 981.
/// Momentum is kept while a node between the ends is left to take it.
TEST(StraightFlow, OutAndBack) {
  FlowRun run(straight(out_and_back()), by(1e-2));
  ASSERT_NO_FATAL_FAILURE(go(run, 28));
  EXPECT_NEAR(run.read("rope.rest_length"), 101, 0.01);
  ASSERT_NO_FATAL_FAILURE(go(run, 50));
  EXPECT_GT(run.read("rope.rest_length"), 6);
  EXPECT_GT(run.changes, 80);
  EXPECT_LT(run.momentum_jump, 1e-12);
  ASSERT_NO_FATAL_FAILURE(go(run, 56));
  EXPECT_NEAR(run.read("rope.rest_length"), 1, 0.01);
  EXPECT_LT(run.tension_jump, 1e-2);
  EXPECT_LT(run.momentum_jump, 1e-3);
  double largest = 0;  // a pendulum on a light rope: 0.10607, integrated
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(run.step(), Status::ok);
    const Vec3 r = run.place("load");
    largest = std::max(largest, std::abs(std::atan2(r.x(), -r.z())));
  }
  EXPECT_NEAR(largest, 0.10607, 0.0015);
}

/// A load swings on a rope of the same mass and is reeled in: elements that merge are bent. Stiff
/// or not, the tension is that of the load and the rope, and the energy that of the work.
TEST(StraightFlow, MergesBentElements) {
  for (const double EA : {1e5, 1e7}) {
    Scene scene;
    scene.supports = {at("winch", Vec3::Zero())};
    scene.bodies = {load("load", 4, 10 * Vec3(std::sin(0.4), 0, -std::cos(0.4)))};
    Cable c = rope({Stop::hold("winch"), Stop::hold("load")}, EA, 0, 0.4, 10);
    c.payout = Signal::smooth(0, -5, 0, 8);
    c.sections[0].axial_damping.viscosity = 5e-3;
    scene.cables = {c};
    scene.initial = Initial::straight;
    FlowRun run(straight(scene), by(5e-3));
    ASSERT_NO_FATAL_FAILURE(go(run, 1));
    double largest = 0;
    while (run.state.t < 8) {
      ASSERT_EQ(run.step(), Status::ok) << run.integrator.failure().message();
      largest = std::max(largest, run.read("rope.tension@max"));
    }
    EXPECT_GE(run.changes, 4);
    EXPECT_LT(largest, 150) << EA;                     // of 79 N at rest
    EXPECT_LT(run.read("energy.balance"), 0.1) << EA;  // of 250 J of work
  }
}

TEST(StraightFlow, SwingingAtwoodMachine) {
  const double t[] = {0.5, 1, 1.5}, r[] = {1.21709875, 1.15568353, 1.14918871},
               theta[] = {0.63467284, -2.94859208, -5.47537448};
  for (const Method method : {Method::mixed, Method::newton}) {
    FlowRun run(straight(atwood(3, 1, 1e-4, Stop::over("ring"))), by(1e-3, method));
    for (const size_t i : {0u, 1u, 2u}) {
      ASSERT_NO_FATAL_FAILURE(go(run, t[i]));
      const Vec3 exact(r[i] * std::sin(theta[i]), 0, -r[i] * std::cos(theta[i]));
      EXPECT_LT((run.place("b") - exact).norm(), 2e-3) << t[i];
    }
    EXPECT_GT(run.changes, 2);
    EXPECT_NEAR(run.read("energy.balance"), 0, 5e-3);
  }
}

TEST(StraightFlow, AtwoodMachineWithAHeavyRope) {
  FlowRun run(straight(heavy_atwood()), by(1e-3));
  const double t[] = {0.25, 0.5, 0.75, 1}, x[] = {0.80390, 0.36503, -0.22131, -0.69656},
               y[] = {-1.77489, -1.76698, -1.61030, -1.25498};
  for (const size_t i : {0u, 1u, 2u, 3u}) {
    ASSERT_NO_FATAL_FAILURE(go(run, t[i]));
    EXPECT_NEAR(run.place("b").x(), x[i], 5e-4) << t[i];
    EXPECT_NEAR(run.place("b").z(), y[i], 5e-4) << t[i];
  }
  EXPECT_GT(run.changes, 1);
  EXPECT_LT(run.momentum_jump, 1e-12);
}

TEST(StraightFlow, MovingEyeletAndPulley) {
  for (const double R : {0.0, 0.1}) {
    FlowRun run(straight(moving_atwood(R)), by(1e-3));
    for (const double t : {0.25, 0.5, 0.75, 1.0}) {
      ASSERT_NO_FATAL_FAILURE(go(run, t));
      const double Y = 0.2 * std::sin(2 * pi * t);
      const double exact = 2 + 0.2 * (g * t * t / 2 + Y - 0.4 * pi * t);
      EXPECT_NEAR(Y - run.place("a").z(), exact, 1e-3) << t << ", R " << R;
    }
    EXPECT_NEAR(run.read("energy.balance"), 0, 5e-3);
  }
}

TEST(StraightFlow, AtwoodMachineOnAPulley) {
  const double t[] = {0.5, 1, 1.5, 2, 2.5, 3},
               x[] = {10.05228373, 10.21460209, 10.50392830, 10.95051647, 11.60106519, 12.52360068};
  for (const double h : {1e-2, 1e-3}) {
    FlowRun run(straight(atwood_on_a_pulley()), by(h));
    for (const size_t i : {0u, 1u, 2u, 3u, 4u, 5u}) {
      ASSERT_NO_FATAL_FAILURE(go(run, t[i]));
      EXPECT_NEAR(-run.place("a").z(), x[i], 2e-3) << "h " << h << ", t " << t[i];
    }
    EXPECT_GT(run.changes, 1);
    EXPECT_NEAR(run.read("energy.balance"), 0, 0.02);
  }
}

TEST(StraightFlow, SwingingAtwoodMachineOnAPulley) {
  const double t[] = {0.5, 1, 1.5}, r[] = {1.58452353, 1.35042991, 0.98231780},
               theta[] = {0.41468635, -1.06633426, -1.19087272};
  for (const Method method : {Method::mixed, Method::newton}) {
    FlowRun run(straight(swinging_on_a_pulley()), by(1e-3, method));
    for (const size_t i : {0u, 1u, 2u}) {
      ASSERT_NO_FATAL_FAILURE(go(run, t[i]));
      EXPECT_LT((run.place("b") - beside_pulley(r[i], theta[i])).norm(), 2e-3) << t[i];
    }
    EXPECT_NEAR(run.read("energy.balance"), 0, 2e-3);
  }
}

/// A load on two falls, on a block with a ring or a pulley, a body that moves and turns.
TEST(StraightFlow, TwoFalls) {
  for (const double R : {0.0, 0.25}) {
    FlowRun run(straight(two_falls(R)), by(1e-2));
    EXPECT_NEAR(run.read("rope.tension@start"), run.read("rope.tension@end"), 0.5) << R;
    const double before = run.place("block").z();
    ASSERT_NO_FATAL_FAILURE(go(run, 6));
    EXPECT_NEAR(before - run.place("block").z(), 2, 5e-3) << R;
    EXPECT_NEAR(run.read("winch.force.z") + run.read("dead.force.z"), 100 * g + 0.14 * g, 20) << R;
    EXPECT_NEAR(run.read("energy.balance"), 0, 0.05) << R;
  }
}

TEST(StraightFlow, SlipsOrSticksOnAPeg) {
  const double x[] = {1.209264, 1.241048, 1.309258};  // integrated, as in the bench of flows
  FlowRun run(straight(rope_over_a_peg(0.1)), by(1e-3));
  for (const size_t i : {0u, 1u, 2u}) {
    ASSERT_NO_FATAL_FAILURE(go(run, 0.2 * static_cast<double>(i + 1)));
    EXPECT_NEAR(-run.place("b").z(), x[i], 3e-4) << i;
  }
  EXPECT_NEAR(run.read("energy.balance"), 0, 5e-3);
  FlowRun stuck(straight(rope_over_a_peg(0.2)), by(1e-3));
  ASSERT_NO_FATAL_FAILURE(go(stuck, 0.6));
  EXPECT_NEAR(stuck.place("b").z(), -1.2, 1e-4);
}

TEST(StraightFlow, CapstanRatioOnAPulley) {
  const double ratio = std::exp(0.2 * pi);
  FlowRun light(hoist_with_friction(0.2, CableModel::massless), by(2e-3));
  FlowRun heavy(straight(hoist_with_friction(0.2)), by(2e-3));
  const auto share = [&] {
    return heavy.read("rope.tension@start") / heavy.read("rope.tension@end");
  };
  for (const double t : {1.5, 3.0, 4.5, 6.0}) {
    ASSERT_NO_FATAL_FAILURE(go(light, t));
    ASSERT_NO_FATAL_FAILURE(go(heavy, t));
    EXPECT_NEAR(heavy.place("load").z(), light.place("load").z(), 5e-4) << t;
    EXPECT_NEAR(heavy.read("rope.tension@start"), light.read("rope.tension@start"), 1) << t;
    const double slipping = t == 1.5 ? ratio : t == 4.5 ? 1 / ratio : share();
    EXPECT_NEAR(share(), slipping, 1e-3 * slipping) << t;
  }
  EXPECT_GT(heavy.changes, 1);
  EXPECT_NEAR(heavy.read("energy.balance"), 0, 0.1);  // of 440 J of work
}

/// A pulley that a rope grips turns with it: a = (m1 - m2) g/(m1 + m2 + I/R^2).
TEST(StraightFlow, GripsAPulleyOnAHinge) {
  FlowRun run(straight(gripped_pulley()), by(2e-3));
  ASSERT_NO_FATAL_FAILURE(go(run, 2));
  const double a = 0.5 * g / (20.5 + 0.2 / 0.01);
  EXPECT_NEAR(run.place("b").z(), -5 - 2 * a, 5e-4);
  EXPECT_NEAR(run.read("pin.turn"), 2 * a / 0.1, 2e-3);
}

/// Through changes of mesh beside a pulley, with friction.
TEST(StraightFlow, GoesOnToTheSameBits) {
  const Scene scene = straight(hoist_with_friction(0.2));
  FlowRun whole(scene, by(5e-3)), part(scene, by(5e-3)), after(scene, by(5e-3));
  ASSERT_NO_FATAL_FAILURE(go(part, 1.5));
  after.model = Model(part.model.scene(), part.model.mesh());
  after.integrator = Integrator(after.model, by(5e-3));
  after.state = part.state;
  after.integrator.resume(after.state);
  ASSERT_NO_FATAL_FAILURE(go(whole, 4.5));
  ASSERT_NO_FATAL_FAILURE(go(after, 4.5));
  EXPECT_GT(after.changes, 1);
  EXPECT_EQ(whole.state.q, after.state.q);
  EXPECT_EQ(whole.state.run_length, after.state.run_length);
}

/// With section damping, on half and twice the elements; tension-only too, where nothing pushes.
TEST(StraightFlow, ConvergesWithElementsAndSteps) {
  const auto end = [](int elements, double h, bool tension_only) {
    Scene scene = straight(atwood(3, 2, 0.2, Stop::over("ring")));
    scene.cables[0].elements = elements;
    scene.cables[0].tension_only = tension_only;
    scene.cables[0].sections[0].EA = 2e4;
    scene.cables[0].sections[0].axial_damping.viscosity = 0.01;
    FlowRun run(scene, by(h));
    run.to(0.6);
    return run.place("b");
  };
  for (const bool tension_only : {false, true}) {
    const Vec3 fine = end(24, 2.5e-4, tension_only);
    EXPECT_LT((end(12, 1e-3, tension_only) - fine).norm(), 5e-3);
    EXPECT_LT((end(24, 1e-3, tension_only) - fine).norm(), 2e-3);
  }
}

/// Water and its added mass: before it is paid out it swings as a plain cable, and when it is, the
/// energy that the fluid exchanges is accounted for.
TEST(StraightFlow, SwingsInWater) {
  FlowRun flowing(straight(swinging_in_water(Signal::smooth(0, 1, 100, 101))), by(2e-3)),
      plain(straight(swinging_in_water(0.0)), by(2e-3)),
      paid(straight(swinging_in_water(Signal::smooth(0, 0.4, 0, 1))), by(2e-3));
  for (FlowRun* run : {&flowing, &plain, &paid}) ASSERT_NO_FATAL_FAILURE(go(*run, 1));
  EXPECT_LT((flowing.place("load") - plain.place("load")).norm(), 1e-6);
  EXPECT_GT((paid.place("load") - plain.place("load")).norm(), 0.1);
  for (FlowRun* run : {&flowing, &plain, &paid})
    EXPECT_NEAR(run->read("energy.balance"), 0, 0.02 * 2 * g);
}

/// The pulley drops away for good: the rope comes off and hangs as one that never lay on it.
TEST(StraightFlow, ComesOffItsPulley) {
  Scene scene;
  scene.supports = {at("left", {-2, 0, 0}), at("right", {2, 0, 0}), at("peg", {0, 0, 0})};
  scene.supports[2].motion[2] = Signal::smooth(0, -1, 0, 0.5);
  Cable c = rope({Stop::hold("left"), Stop::over("peg", 0.1, Vec3::UnitY()), Stop::hold("right")},
                 1e4, 0, 0.2, 8);
  c.length = 4.05;
  c.sections[0].mass_damping = 4;
  scene.cables = {c};
  FlowRun run(straight(scene), by(1e-3));
  ASSERT_NO_FATAL_FAILURE(go(run, 6));
  EXPECT_LT(run.model.mesh().wraps[0][0], 0);
  scene.cables[0].route.erase(scene.cables[0].route.begin() + 1);
  scene.initial = Initial::rest;
  const FlowRun plain(straight(scene), by(1e-3));
  EXPECT_NEAR(run.read("rope.position.z@0.5"), plain.read("rope.position.z@0.5"), 5e-3);
  EXPECT_NEAR(run.read("rope.tension@0.5"), plain.read("rope.tension@0.5"), 0.1);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

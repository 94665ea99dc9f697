// Cable with mass that runs through eyelets, over pulleys and off winches, in scenes: against
// closed forms, integrated equations and an independent program (numbers from docs/theory/flow.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../bench/flow_scenes.h"
#include "hawser/error.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flowing;

void go(FlowRun& run, double t) {
  ASSERT_EQ(run.to(t), Status::ok) << run.integrator.failure().message();
}

/// A load of 10 kg on a light cable that is paid out at 1 m/s, l = 10 + t, from 0.2 rad.
TEST(FlowingCable, PaidOutPendulum) {
  const Scene scene = paid_out_pendulum();
  const double theta[] = {0.11793001, -0.04123277, -0.14836522, -0.14338116, -0.05050392};
  for (const Method method : {Method::mixed, Method::newton}) {
    FlowRun run(scene, by(1e-2, method));
    for (const int i : {0, 1, 2, 3, 4}) {
      ASSERT_NO_FATAL_FAILURE(go(run, i + 1));
      const Vec3 r = run.place("load");
      EXPECT_NEAR(std::atan2(r.x(), -r.z()), theta[i], 2e-4) << i + 1;
      EXPECT_NEAR(r.norm(), 11 + i, 0.01);
    }
    EXPECT_GE(run.changes, 1);
    EXPECT_NEAR(run.read("rope.rest_length"), scene.cables[0].length + 5, 1e-9);
    EXPECT_NEAR(run.read("energy.balance"), 0, 0.1);  // of 490 J of work
  }
}

/// 100 kg lowered on 1 kg/m, paid out faster and faster to 1 m/s: the wave equation on the growing
/// cable, solved by Chebyshev polynomials.
TEST(FlowingCable, Deployment) {
  FlowRun run(deployment(), by(1e-2));
  const double t[] = {0.5, 1, 1.5, 2, 3, 5, 10},
               T[] = {971.355, 949.484, 977.428, 1037.346, 1050.980, 1071.892, 1119.88},
               depth[] = {5.029685, 5.186489, 5.530180, 6.006048, 7.007116, 9.009249, 14.014716};
  for (const size_t i : {0u, 1u, 2u, 3u, 4u, 5u, 6u}) {
    ASSERT_NO_FATAL_FAILURE(go(run, t[i]));
    EXPECT_NEAR(-run.place("load").z(), depth[i], 2e-4) << t[i];
    EXPECT_NEAR(run.read("rope.tension@start"), T[i], 4e-3 * T[i]) << t[i];
  }
  EXPECT_NEAR(run.read("energy.balance"), 0, 0.05);
}

/// The same by a winch of given speed, and one that holds a tension.
TEST(FlowingCable, WinchesOfGivenSpeedAndTension) {
  Scene scene = deployment();
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
  FlowRun held(supply_by_tension(), by(1e-2));
  ASSERT_NO_FATAL_FAILURE(go(held, 3));
  EXPECT_NEAR(-held.place("load").z(), 15.265994, 3e-3);
}

TEST(FlowingCable, OutAndBack) {
  FlowRun run(out_and_back(), by(1e-2));
  ASSERT_NO_FATAL_FAILURE(go(run, 28));
  EXPECT_NEAR(run.read("rope.rest_length"), 101, 0.01);
  EXPECT_GT(run.changes, 40);
  ASSERT_NO_FATAL_FAILURE(go(run, 56));
  EXPECT_NEAR(run.read("rope.rest_length"), 1, 0.01);
  EXPECT_GT(run.changes, 90);
  EXPECT_LT(run.tension_jump, 1e-3);
  EXPECT_LT(run.momentum_jump, 1e-12);
  double largest = 0;  // a pendulum on a light rope: 0.10607, integrated
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(run.step(), Status::ok);
    const Vec3 r = run.place("load");
    largest = std::max(largest, std::abs(std::atan2(r.x(), -r.z())));
  }
  EXPECT_NEAR(largest, 0.10607, 0.0015);
}

TEST(FlowingCable, GoesOnToTheSameBits) {
  FlowRun whole(out_and_back(), by(1e-2)), part(out_and_back(), by(1e-2));
  ASSERT_NO_FATAL_FAILURE(go(part, 7));
  FlowRun after(out_and_back(), by(1e-2));
  after.model = Model(part.model.scene(), part.model.mesh());
  after.integrator = Integrator(after.model, by(1e-2));
  after.state = part.state;
  after.integrator.resume(after.state);
  ASSERT_NO_FATAL_FAILURE(go(whole, 12));
  ASSERT_NO_FATAL_FAILURE(go(after, 12));
  EXPECT_GT(after.changes, 5);
  EXPECT_EQ(whole.state.q, after.state.q);
  EXPECT_EQ(whole.state.v, after.state.v);
  EXPECT_EQ(whole.state.axial_force, after.state.axial_force);
}

/// The swinging Atwood machine over an eyelet, M/m = 3, against the integrated equations of a
/// massless rope.
TEST(FlowingCable, SwingingAtwoodMachine) {
  const double t[] = {0.5, 1, 1.5}, r[] = {1.21709875, 1.15568353, 1.14918871},
               theta[] = {0.63467284, -2.94859208, -5.47537448};
  for (const Method method : {Method::mixed, Method::newton}) {
    FlowRun run(atwood(3, 1, 1e-4, Stop::over("ring")), by(1e-3, method));
    for (const size_t i : {0u, 1u, 2u}) {
      ASSERT_NO_FATAL_FAILURE(go(run, t[i]));
      const Vec3 exact(r[i] * std::sin(theta[i]), 0, -r[i] * std::cos(theta[i]));
      EXPECT_LT((run.place("b") - exact).norm(), 2e-3) << t[i];
    }
    EXPECT_GT(run.changes, 2);
    EXPECT_NEAR(run.read("energy.balance"), 0, 5e-3);
  }
}

/// A rope of 0.1 kg/m, EA = 20 kN in Green's strain: point masses and springs threaded through a
/// ring, extrapolated to many (an independent program).
TEST(FlowingCable, AtwoodMachineWithAHeavyRope) {
  FlowRun run(heavy_atwood(), by(1e-3));
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

/// Two masses on a light rope over an eyelet or a pulley that moves by Y:
/// x = 2 + (g t^2/2 + Y - Y.(0) t)/5.
TEST(FlowingCable, MovingEyeletAndPulley) {
  for (const double R : {0.0, 0.1}) {
    FlowRun run(moving_atwood(R), by(1e-3));
    for (const double t : {0.25, 0.5, 0.75, 1.0}) {
      ASSERT_NO_FATAL_FAILURE(go(run, t));
      const double Y = 0.2 * std::sin(2 * pi * t);
      const double exact = 2 + 0.2 * (g * t * t / 2 + Y - 0.4 * pi * t);
      EXPECT_NEAR(Y - run.place("a").z(), exact, 1e-3) << t << ", R " << R;
    }
    EXPECT_NEAR(run.read("energy.balance"), 0, 5e-3);
  }
}

/// A heavy rope on a pulley of R = 0.1 m and 0.05 kg m^2 between 12 kg and 10 kg:
/// x = 9 + cosh(k t), k^2 = 2 rho g/(m1 + m2 + rho (20 + pi R) + I/R^2).
TEST(FlowingCable, AtwoodMachineOnAPulley) {
  const double t[] = {0.5, 1, 1.5, 2, 2.5, 3},
               x[] = {10.05228373, 10.21460209, 10.50392830, 10.95051647, 11.60106519, 12.52360068};
  for (const double h : {1e-2, 1e-3}) {
    FlowRun run(atwood_on_a_pulley(), by(h));
    for (const size_t i : {0u, 1u, 2u, 3u, 4u, 5u}) {
      ASSERT_NO_FATAL_FAILURE(go(run, t[i]));
      EXPECT_NEAR(-run.place("a").z(), x[i], 2e-3) << "h " << h << ", t " << t[i];
    }
    EXPECT_GT(run.changes, 1);
    EXPECT_NEAR(run.read("energy.balance"), 0, 0.02);
  }
}

/// The swinging machine on a pulley: m = 1, M = 1.5, R = 0.1, light rope, against the integrated
/// equations.
TEST(FlowingCable, SwingingAtwoodMachineOnAPulley) {
  FlowRun run(swinging_on_a_pulley(), by(1e-3));
  const double t[] = {0.5, 1, 1.5}, r[] = {1.58452353, 1.35042991, 0.98231780},
               theta[] = {0.41468635, -1.06633426, -1.19087272};
  for (const size_t i : {0u, 1u, 2u}) {
    ASSERT_NO_FATAL_FAILURE(go(run, t[i]));
    EXPECT_LT((run.place("b") - beside_pulley(r[i], theta[i])).norm(), 2e-3) << t[i];
  }
  EXPECT_NEAR(run.read("energy.balance"), 0, 2e-3);
}

/// A load on two falls, on a block with a ring or a pulley: half of what is paid out, and half of
/// the weight.
TEST(FlowingCable, TwoFalls) {
  for (const double R : {0.0, 0.25}) {
    FlowRun run(two_falls(R), by(1e-2));
    EXPECT_NEAR(run.read("rope.tension@start"), run.read("rope.tension@end"), 0.5) << R;
    const double before = run.place("block").z();
    ASSERT_NO_FATAL_FAILURE(go(run, 6));
    EXPECT_NEAR(before - run.place("block").z(), 2, 5e-3) << R;
    EXPECT_NEAR(run.read("winch.force.z") + run.read("dead.force.z"), 100 * g + 0.14 * g, 20) << R;
    EXPECT_NEAR(run.read("energy.balance"), 0, 0.05) << R;
  }
}

/// x(t) of a rope over a peg with capstan friction, both sides vertical, by Runge and Kutta:
/// x (g - a) - v^2 = k ((L - x) (g + a) - v^2), k = e^(mu pi).
double over_a_peg(double mu, double L, double x, double until) {
  const double k = std::exp(mu * pi), h = 1e-4;
  const auto slope = [&](const Eigen::Vector2d& y) {
    const double w = y[1] * y[1];
    return Eigen::Vector2d(y[1],
                           (g * (y[0] - k * (L - y[0])) + (k - 1) * w) / (y[0] + k * (L - y[0])));
  };
  Eigen::Vector2d y(x, 0);
  for (int i = 0; i < std::lround(until / h); ++i) {
    const Eigen::Vector2d a = slope(y), b = slope(y + h / 2 * a), c = slope(y + h / 2 * b),
                          d = slope(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y[0];
}

/// The rope slides where one side is 1.5 times as long and e^(mu pi) is less, with the momentum
/// that the peg turns round; and sticks where it is more. The start, unstretched, takes some of it
/// along.
TEST(FlowingCable, SlipsOrSticksOnAPeg) {
  for (const Method method : {Method::mixed, Method::newton}) {
    FlowRun run(rope_over_a_peg(0.1), by(1e-3, method));
    for (const double t : {0.2, 0.4, 0.6}) {
      ASSERT_NO_FATAL_FAILURE(go(run, t));
      EXPECT_NEAR(-run.place("b").z(), over_a_peg(0.1, 2, 1.2, t), 3e-4) << t;
    }
    EXPECT_NEAR(run.read("energy.balance"), 0, 5e-3);
  }
  FlowRun stuck(rope_over_a_peg(0.2), by(1e-3));
  ASSERT_NO_FATAL_FAILURE(go(stuck, 0.6));
  EXPECT_NEAR(stuck.place("b").z(), -1.2, 1e-4);
}

/// Raised, held and lowered over a pulley that does not turn: the tensions have the ratio
/// e^(mu pi), the one of raising while the load is held, its inverse when it is lowered. The load
/// is where a massless cable has it.
TEST(FlowingCable, CapstanRatioOnAPulley) {
  const double ratio = std::exp(0.2 * pi);
  FlowRun light(hoist_with_friction(0.2, CableModel::massless), by(2e-3));
  FlowRun heavy(hoist_with_friction(0.2), by(2e-3));
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

TEST(FlowingCable, FrictionGoesOnToTheSameBits) {
  const Scene scene = hoist_with_friction(0.2);
  FlowRun whole(scene, by(5e-3)), part(scene, by(5e-3)), after(scene, by(5e-3));
  ASSERT_NO_FATAL_FAILURE(go(part, 1.5));
  after.model = Model(part.model.scene(), part.model.mesh());
  after.integrator = Integrator(after.model, by(5e-3));
  after.state = part.state;
  after.integrator.resume(after.state);
  ASSERT_NO_FATAL_FAILURE(go(whole, 4.5));
  ASSERT_NO_FATAL_FAILURE(go(after, 4.5));
  EXPECT_EQ(whole.state.q, after.state.q);
  EXPECT_EQ(whole.state.run_length, after.state.run_length);
}

/// A pulley that a rope grips turns with it: a = (m1 - m2) g/(m1 + m2 + I/R^2).
TEST(FlowingCable, GripsAPulleyOnAHinge) {
  FlowRun run(gripped_pulley(), by(2e-3));
  ASSERT_NO_FATAL_FAILURE(go(run, 2));
  const double a = 0.5 * g / (20.5 + 0.2 / 0.01);
  EXPECT_NEAR(run.place("b").z(), -5 - 2 * a, 5e-4);
  EXPECT_NEAR(run.read("pin.turn"), 2 * a / 0.1, 2e-3);
}

/// With each strain measure and section damping, on half and twice the elements.
TEST(FlowingCable, ConvergesWithElementsAndSteps) {
  const auto end = [](int elements, double h, StrainMeasure strain) {
    Scene scene = atwood(3, 2, 0.2, Stop::over("ring"));
    scene.cables[0].elements = elements;
    scene.cables[0].strain = strain;
    scene.cables[0].sections[0].EA = 2e4;
    scene.cables[0].sections[0].EI = 0.01;
    scene.cables[0].sections[0].axial_damping.viscosity = 0.01;
    FlowRun run(scene, by(h));
    run.to(0.6);
    return run.place("b");
  };
  for (const StrainMeasure strain : {StrainMeasure::engineering, StrainMeasure::green}) {
    const Vec3 fine = end(24, 2.5e-4, strain);
    EXPECT_LT((end(12, 1e-3, strain) - fine).norm(), 5e-3);
    EXPECT_LT((end(24, 1e-3, strain) - fine).norm(), 2e-3);
  }
}

/// In water a load on a rope that is paid out falls to the terminal depth of both models: the rope
/// with mass as light as water, 0.1 mm of drag on it, against a plain cable of the final length.
TEST(FlowingCable, FeelsWaterAndGround) {
  Scene scene;
  scene.initial = Initial::rest;
  scene.fluid = Fluid{1025, {0.5, 0, 0}};
  scene.supports = {at("winch", Vec3::Zero())};
  scene.bodies = {load("load", 20, {0, 0, -6})};
  Cable c = rope({Stop::hold("winch"), Stop::hold("load")}, 1e5, 0, 0.3, 6);
  c.sections[0].diameter = 0.02;
  c.sections[0].drag = 1.2;
  c.sections[0].tangential_drag = 0.01;
  c.sections[0].mass_damping = 0.5;
  c.length = 6;
  c.payout = Signal::smooth(0, 4.3, 0, 6);
  scene.cables = {c};
  FlowRun run(scene, by(1e-2));
  ASSERT_NO_FATAL_FAILURE(go(run, 120));
  scene.cables[0].payout = 0.0;
  scene.cables[0].length = 10.3;
  scene.cables[0].elements = 20;
  scene.bodies[0].position.z() = -10.3;
  const FlowRun plain(scene, by(1e-2));
  EXPECT_LT((run.place("load") - plain.place("load")).norm(), 5e-3);
  EXPECT_NEAR(run.read("rope.tension@start"), plain.read("rope.tension@start"), 0.1);
}

/// In water, with its added mass: before it is paid out it swings as a plain cable, and when it is,
/// the energy that the fluid exchanges is accounted for.
TEST(FlowingCable, SwingsInWater) {
  FlowRun flowing(swinging_in_water(Signal::smooth(0, 1, 100, 101)), by(2e-3)),
      plain(swinging_in_water(0.0), by(2e-3)),
      paid(swinging_in_water(Signal::smooth(0, 0.4, 0, 1)), by(2e-3));
  for (FlowRun* run : {&flowing, &plain, &paid}) ASSERT_NO_FATAL_FAILURE(go(*run, 1));
  EXPECT_LT((flowing.place("load") - plain.place("load")).norm(), 1e-6);
  EXPECT_GT((paid.place("load") - plain.place("load")).norm(), 0.1);
  for (FlowRun* run : {&flowing, &plain, &paid})
    EXPECT_NEAR(run->read("energy.balance"), 0, 0.02 * 2 * g);
}

std::string refused(const Scene& scene) {
  try {
    Model model(scene);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FlowingCable, RefusesLengthsThatAreFarTooShort) {
  Scene scene = atwood(1, 1, 0.1, Stop::over("ring"));
  scene.cables[0].length = 0.006;
  EXPECT_NE(refused(scene).find("on a route of 6 m, which is too short"), std::string::npos)
      << refused(scene);
  scene.cables[0].length = 5.9;
  EXPECT_EQ(refused(scene), "");
}

TEST(FlowingCable, RefusesWhatItDoesNotModel) {
  const auto expect = [](const Scene& scene, const char* text) {
    const std::string message = refused(scene);
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  Scene scene = atwood(3, 1, 0.1, Stop::over("ring"));
  EXPECT_EQ(refused(scene), "");
  scene.cables[0].model = CableModel::np_fem;
  EXPECT_EQ(refused(scene), "");
  scene.cables[0].model = CableModel::ancf;
  scene.cables[0].route[1].grip = true;
  expect(scene, "`grip` at a point");
  scene = atwood_on_a_pulley();
  scene.cables[0].route[1].friction = -0.1;
  expect(scene, "friction");
  scene.cables[0].route[1].friction = 10;
  expect(scene, "a ratio of tensions of e^31.4");
  scene = atwood(3, 1, 0.1, Stop::over("ring"));
  scene.cables[0].curvature = CurvatureMeasure::material;
  expect(scene, "curvature measure");
  scene = atwood(3, 1, 0.1, Stop::over("ring"));
  scene.cables[0].route.pop_back();
  expect(scene, "an end that slides");
  scene = atwood(3, 1, 0.1, Stop::over("ring", 0.1));
  expect(scene, "without an axis");
  scene = atwood(3, 1, 0.1, Stop::over("ring", 5, Vec3::UnitY()));
  expect(scene, "no cable can connect");
  scene = atwood_on_a_pulley();
  scene.point_masses = {{Place::fraction("rope", 0.5), 1}};
  expect(scene, "on the pulley 'axle'");
}

/// A block in a bight of two vertical falls of L = 5 m, in any direction, its centre of mass below
/// its axle: each fall carries half of the block and of the rope on the groove. It hangs lower by
/// what falls and groove stretch.
TEST(FlowingCable, BlockRestsInABight) {
  constexpr double M = 500, R = 0.2, L = 5, EA = 6e6, m = 0.59, arc = pi * R;
  const double T = (M + m * arc) * g / 2;
  const double lower = ((T + m * g * L / 2) * L + T * arc / 2) / EA;
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double below : {0.3, 0.05})
      for (const double azimuth : {0.0, 0.1, 0.7})
        for (const int elements : {4, 16}) {
          SCOPED_TRACE(testing::Message() << static_cast<int>(model) << ' ' << below << ' '
                                          << azimuth << ' ' << elements);
          const Vec3 out(std::cos(azimuth), std::sin(azimuth), 0), across(out.y(), -out.x(), 0);
          Scene scene;
          scene.initial = Initial::rest;
          scene.supports = {at("head", {0, 0, 12}), at("dead", 2 * R * out + Vec3(0, 0, 12))};
          scene.bodies = {load("block", M, R * out + Vec3(0, 0, 12 - L - below))};
          scene.bodies[0].inertia = 10 * Eigen::Matrix3d::Identity();
          Frame axle;
          axle.name = "axle";
          axle.body = "block";
          axle.position = {0, 0, below};
          scene.frames = {axle};
          Cable c = rope({Stop::hold("head"), Stop::over("axle", R, across), Stop::hold("dead")},
                         EA, 0.26, m, elements);
          c.model = model;
          scene.cables = {c};
          const FlowRun run(scene, by(5e-3));
          const Vec3 at = run.place("block");
          EXPECT_NEAR(at.z(), 12 - L - below - lower, 2e-6);
          EXPECT_LT((at - R * out).head<2>().norm(), 1e-6);
          EXPECT_NEAR(std::abs(run.read("head.force.z")), T + m * g * L, 1e-3);
        }
}

/// Reeled in completely: the run stops and says so.
TEST(FlowingCable, StopsWhenItIsUsedUp) {
  Scene scene;
  scene.supports = {at("winch", Vec3::Zero())};
  scene.bodies = {load("load", 100, {0, 0, -4})};
  scene.cables = {rope({Stop::hold("winch"), Stop::hold("load")}, 1e6, 10, 0.4, 4)};
  scene.cables[0].payout = Signal::ramp(0, -10, 0, 10);
  FlowRun run(scene, by(1e-2));
  Status status = Status::ok;
  while (status == Status::ok && run.state.t < 10) {
    status = run.integrator.step(run.state);
    if (status != Status::ok) break;
    if (const auto mesh = renewed_mesh(run.model, run.state)) {
      run.model = Model(scene, *mesh);
      run.integrator.change_mesh(run.model, run.state);
    }
  }
  EXPECT_NE(status, Status::ok);
  EXPECT_NE(run.integrator.failure().message().find("is used up"), std::string::npos)
      << run.integrator.failure().message();
  EXPECT_TRUE(std::isfinite(run.place("load").z()));
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

#include "../bench/belt_scenes.h"

#include <gtest/gtest.h>

#include "hawser/error.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace belts;

/// A closed cable on a circle of circumference (1 + strain) times its length.
Scene hoop(CableModel model, double strain) {
  constexpr int n = 24;
  Scene scene;
  scene.gravity.setZero();
  Cable ring;
  ring.name = "rope";
  ring.model = model;
  ring.closed = true;
  ring.lumped_mass = model == CableModel::np_fem;
  ring.sections = {Section{1000, 0, 0.5}};
  ring.initial = Initial::points;
  ring.elements = n;
  ring.route.clear();
  for (int i = 0; i <= n; ++i) {
    const double a = 2 * pi * (i % n) / n;
    ring.route.emplace_back(std::cos(a), std::sin(a), 0.0);
  }
  const double chord = 2 * n * std::sin(pi / n);
  ring.length = (model == CableModel::np_fem ? chord : 2 * pi) / (1 + strain);
  scene.cables = {ring};
  return scene;
}

/// The tension of a hoop that spins is m v^2: at EA e = m v^2 (1 + e) it neither grows nor shrinks.
TEST(ClosedCable, SpinningHoopKeepsItsTension) {
  constexpr double strain = 0.05;
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    Scene scene = hoop(model, strain);
    const double speed = std::sqrt(1000 * strain / (0.5 / (1 + strain)));
    scene.cables[0].velocity = {0, speed, 0};  // about the centre, a unit from the first point
    scene.cables[0].angular_velocity = {0, 0, speed};
    SolveOptions options;
    options.step = 2e-3;
    const Model compiled(scene);
    Integrator integrator(compiled, options);
    State state = integrator.start();
    ASSERT_EQ(integrator.advance(state, 2), Status::ok) << integrator.failure().message();
    const int last = compiled.nodes() - 1;
    EXPECT_EQ(state.position(0), state.position(last));
    if (model == CableModel::ancf) {
      EXPECT_EQ(state.slope(0), state.slope(last));
    }
    for (const CablePoint& p : profile(compiled, state, 0)) {
      EXPECT_NEAR(p.tension, 1000 * strain, 0.02 * 1000 * strain);
      EXPECT_NEAR(p.position.norm(), 1, 0.02);
    }
  }
}

TEST(ClosedCable, MustEndWhereItStarts) {
  Scene scene = hoop(CableModel::ancf, 0);
  scene.cables[0].route.back() = Stop(1.0, 0.1, 0.0);
  try {
    Model model(scene);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("ends where it starts"), std::string::npos)
        << error.what();
  }
}

/// Creep theory of equal pulleys with engineering strain, integrated apart: load, tensions, slip
/// arc, ratio of the turn rates, force on a bearing.
TEST(Belt, TheoryHasThePublishedTable) {
  struct Line {
    double torque, T1, T2, slip, ratio, bearing;
  };
  Belt belt;
  for (const Line& line :
       {Line{0, 400, 400, 0, 1, 797.727}, Line{10, 450.450, 350.450, 0.50342, 0.988166, 798.653},
        Line{25, 529.315, 279.315, 1.28205, 0.970689, 806.423},
        Line{40, 615.266, 215.266, 2.10660, 0.953571, 828.368}}) {
    belt.torque = line.torque;
    const BeltState at = belt_theory(belt);
    EXPECT_NEAR(at.T1, line.T1, 0.01) << line.torque;
    EXPECT_NEAR(at.T2, line.T2, 0.01) << line.torque;
    EXPECT_NEAR(at.slip, line.slip, 2e-4) << line.torque;
    EXPECT_NEAR(at.ratio, line.ratio, 2e-6) << line.torque;
    EXPECT_NEAR(at.bearing, line.bearing, 0.02) << line.torque;
  }
  EXPECT_NEAR(belt_capacity(belt), 57.9966, 0.002);
}

TEST(Belt, CreepsUnderLoad) {
  Belt belt;
  belt.torque = 25;
  const BeltState theory =
      belt_theory(belt, belt.EA * belt.prestrain / belt.radius / belt.stiffness);
  BeltRun run(belt, 1e-3);
  ASSERT_EQ(run.to(1.2), Status::ok) << run.integrator.failure().message();
  const BeltState now = run.mean(1.5);
  EXPECT_NEAR(now.T1, theory.T1, 0.02 * theory.T1);
  EXPECT_NEAR(now.T2, theory.T2, 0.02 * theory.T2);
  EXPECT_NEAR(now.ratio, theory.ratio, 5e-3);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

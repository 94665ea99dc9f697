// Cable that runs through the elements of its spans (`mesh: running`): against closed forms, and
// against the mesh of the material.
#include <gtest/gtest.h>

#include <cmath>

#include "../bench/flow_scenes.h"
#include "hawser/error.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flowing;

void run_to(FlowRun& run, double t) {
  ASSERT_EQ(run.to(t), Status::ok) << run.integrator.failure().message();
}

Scene run_through(Scene scene) {
  scene.cables[0].mesh = FlowMesh::running;
  return scene;
}

/// As on the mesh of the material: the integrated equation of a pendulum paid out at 1 m/s.
TEST(RunningMesh, PaidOutPendulum) {
  const double theta[] = {0.11793001, -0.04123277, -0.14836522, -0.14338116, -0.05050392};
  for (const Method method : {Method::mixed, Method::linearized, Method::newton}) {
    FlowRun run(run_through(paid_out_pendulum()), by(1e-2, method)),
        material(paid_out_pendulum(), by(1e-2, method));
    for (const int i : {0, 1, 2, 3, 4}) {
      ASSERT_NO_FATAL_FAILURE(run_to(run, i + 1));
      ASSERT_NO_FATAL_FAILURE(run_to(material, i + 1));
      const Vec3 r = run.place("load");
      EXPECT_NEAR(std::atan2(r.x(), -r.z()), theta[i], 2e-4)
          << i + 1 << ", method " << static_cast<int>(method);
      EXPECT_LT((r - material.place("load")).norm(), 1e-3);
    }
    EXPECT_NEAR(run.read("rope.rest_length"), run.model.scene().cables[0].length + 5, 1e-9);
    // Of 490 J of work. The steps lose 0.16 J with `mixed`, 0.07 J on the mesh of the material.
    EXPECT_NEAR(run.read("energy.balance"), 0, 0.2)
        << static_cast<int>(method) << ", material " << material.read("energy.balance");
  }
}

/// omega_1 = (pi/L) c (1 - v^2/c^2) of a string that runs between two points, at speeds at which
/// the mesh of the material fails. Nothing grows in three periods.
TEST(RunningMesh, StringThatRuns) {
  for (const double share : {0.0, 0.25, 0.5, 0.75}) {
    const RunningString string(share);
    FlowRun run(string.beside_a_flyer(), by(4e-3));
    string.pluck(run.model, run.state);
    const RunningString::Seen seen = string.watch(run, 6);
    EXPECT_NEAR(seen.omega, string.omega(), 1e-4 * string.omega())
        << share << " at " << run.state.t << run.integrator.failure().message();
    EXPECT_NEAR(seen.amplitude, 1e-3, 3e-5) << share;
    EXPECT_LT(run.momentum_jump, 1e-9);
  }
}

/// Atwood's machines over an eyelet, with elements that divide and merge.
TEST(RunningMesh, AtwoodMachines) {
  FlowRun run(run_through(heavy_atwood()), by(1e-3));
  const double t[] = {0.25, 0.5, 0.75, 1}, x[] = {0.80390, 0.36503, -0.22131, -0.69656},
               y[] = {-1.77489, -1.76698, -1.61030, -1.25498};
  for (const size_t i : {0u, 1u, 2u, 3u}) {
    ASSERT_NO_FATAL_FAILURE(run_to(run, t[i]));
    EXPECT_NEAR(run.place("b").x(), x[i], 5e-4) << t[i];
    EXPECT_NEAR(run.place("b").z(), y[i], 5e-4) << t[i];
  }
  FlowRun pulley(run_through(atwood_on_a_pulley()), by(1e-2));
  ASSERT_NO_FATAL_FAILURE(run_to(pulley, 3));
  EXPECT_NEAR(-pulley.place("a").z(), 12.52360068, 2e-3);
  EXPECT_NEAR(pulley.read("energy.balance"), 0, 0.02);
}

/// Paid out from 1 m to 11 m and reeled in again: all elements divide, and merge.
TEST(RunningMesh, DividesAndMerges) {
  Scene scene;
  scene.supports = {at("winch", Vec3::Zero())};
  scene.bodies = {load("load", 100, {0, 0, -1})};
  Cable c = rope({Stop::hold("winch"), Stop::hold("load")}, 1e6, 1, 0.4, 1);
  c.element_length = 1;
  c.length = 1 / (1 + 100 * g / 1e6);
  c.mesh = FlowMesh::running;
  c.payout = Signal::function([](double t) {
    const double w = pi / 10;
    return Signal::Sample{5 * (1 - std::cos(w * t)), 5 * w * std::sin(w * t),
                          5 * w * w * std::cos(w * t)};
  });
  scene.cables = {c};
  FlowRun run(scene, by(1e-2));
  ASSERT_NO_FATAL_FAILURE(run_to(run, 10));
  EXPECT_NEAR(run.place("load").z(), -11, 0.05);
  EXPECT_GE(run.changes, 3);
  ASSERT_NO_FATAL_FAILURE(run_to(run, 20));
  EXPECT_NEAR(run.place("load").z(), -1, 0.05);
  EXPECT_GE(run.changes, 6);
  EXPECT_LT(run.tension_jump, 1e-3);
  EXPECT_LT(run.momentum_jump, 1e-9);
}

TEST(RunningMesh, GoesOnToTheSameBits) {
  const Scene scene = RunningString(0.5).scene();
  FlowRun whole(scene, by(5e-3)), part(scene, by(5e-3)), after(scene, by(5e-3));
  for (FlowRun* run : {&whole, &part}) RunningString(0.5).pluck(run->model, run->state);
  ASSERT_NO_FATAL_FAILURE(run_to(part, 0.5));
  after.model = Model(part.model.scene(), part.model.mesh());
  after.integrator = Integrator(after.model, by(5e-3));
  after.state = part.state;
  after.integrator.resume(after.state);
  ASSERT_NO_FATAL_FAILURE(run_to(whole, 1.5));
  ASSERT_NO_FATAL_FAILURE(run_to(after, 1.5));
  EXPECT_GT(after.changes, 0);
  EXPECT_EQ(whole.state.q, after.state.q);
  EXPECT_EQ(whole.state.v, after.state.v);
}

TEST(RunningMesh, RefusesWhatItDoesNotModel) {
  const auto expect = [](const Scene& scene, const char* text) {
    std::string message;
    try {
      Model model(scene);
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  Scene scene = run_through(paid_out_pendulum());
  scene.point_masses = {{Place::fraction("rope", 0.5), 1}};
  expect(scene, "with something at");
  scene = run_through(paid_out_pendulum());
  scene.cables[0].payout = 0.0;
  expect(scene, "a cable that does not flow");
  scene = run_through(paid_out_pendulum());
  scene.cables[0].route.insert(scene.cables[0].route.begin() + 1, Stop(1, 0, -5));
  expect(scene, "that is led over");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

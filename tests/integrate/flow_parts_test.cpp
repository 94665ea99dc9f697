// Cables that flow, in parts: of several sections, and cut.
#include <gtest/gtest.h>

#include <cmath>

#include "../bench/flow_scenes.h"
#include "model/mesh.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flowing;

void run_to(FlowRun& run, double t) {
  ASSERT_EQ(run.to(t), Status::ok) << run.integrator.failure().message();
}

std::string why_refused(const Scene& scene) {
  try {
    Model model(scene);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// A load on a leader of 2 m at the end of a rope, paid out over a pulley.
Scene leader(CableModel model, double EA, double mass) {
  Scene scene;
  scene.initial = Initial::rest;
  scene.supports = {at("winch", {-4, 0, -1}), at("head", Vec3::Zero())};
  scene.bodies = {load("load", 50, {0.2, 0, -6})};
  Cable c = rope({Stop::hold("winch"), Stop::over("head", 0.2, Vec3::UnitY()), Stop::hold("load")},
                 1e6, 1, 0.5, 12);
  c.model = model;
  c.sections = {SectionPart(Section{1e6, 1, 0.5}), SectionPart(Section{EA, 0.1, mass})};
  c.sections[1].length = 2;
  c.sections[0].axial_damping.viscosity = c.sections[1].axial_damping.viscosity = 2e-2;
  c.payout = Signal::smooth(0, 4, 0, 4);
  scene.cables = {c};
  return scene;
}

/// Two equal sections are one.
TEST(FlowSections, EqualOnesAreOne) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    Scene scene = leader(model, 1e6, 0.5);
    scene.cables[0].sections[1].EI = 1;
    FlowRun two(scene, by(5e-3));
    scene.cables[0].sections.pop_back();
    FlowRun one(scene, by(5e-3));
    for (FlowRun* run : {&two, &one}) ASSERT_NO_FATAL_FAILURE(run_to(*run, 3));
    EXPECT_GT(two.changes, 0);
    EXPECT_LT((two.place("load") - one.place("load")).norm(), 1e-3);
    EXPECT_NEAR(two.read("rope.tension@start"), one.read("rope.tension@start"), 1);
  }
}

/// A soft, heavy leader stretches and weighs what it is made of, after the rope has been paid out.
TEST(FlowSections, EachHasItsOwn) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    FlowRun run(leader(model, 2e4, 3), by(5e-3));
    ASSERT_NO_FATAL_FAILURE(run_to(run, 8));
    EXPECT_GT(run.changes, 0);
    const double end = run.model.mesh().s[0].back();
    Channels places(run.model, {"rope.position.z@" + std::to_string(end - 2) + " m"});
    double joint = 0;
    places.sample(run.state, {&joint, 1});
    const double T = (50 + 3) * g;  // in the middle of the leader
    EXPECT_NEAR(joint - run.place("load").z(), 2 * (1 + T / 2e4), 2e-3);
    EXPECT_NEAR(run.read("rope.tension@end"), 50 * g, model == CableModel::ancf ? 1 : 16);
    EXPECT_NEAR(run.read("energy.balance"), 0, 0.5);  // of 2000 J of work
  }
}

/// Reeled in until the leader has passed the pulley, which stretches fifty times as much.
TEST(FlowSections, LeaderPassesThePulley) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    Scene scene = leader(model, 2e4, 3);
    scene.cables[0].payout = Signal::smooth(0, -5, 0, 5);
    FlowRun run(scene, by(5e-3));
    const double z = run.place("load").z();
    ASSERT_NO_FATAL_FAILURE(run_to(run, 5.5));
    EXPECT_NEAR(run.place("load").z(), z + 5 * (1 + 50 * g / 1e6), 5e-3);
    EXPECT_NEAR(run.read("energy.balance"), 0, 1);  // of 2600 J of work
  }
}

/// At the start joints are between the stops, and sections no shorter than they may be.
TEST(FlowSections, AreRefusedOnAPulley) {
  Scene scene = leader(CableModel::ancf, 2e4, 3);
  scene.cables[0].sections[1].length = 6.1;  // 6 m hang
  EXPECT_NE(why_refused(scene).find("sections that are joined at"), std::string::npos)
      << why_refused(scene);
  scene.cables[0].sections[1].length = 0.05;
  EXPECT_NE(why_refused(scene).find("a tenth of an element"), std::string::npos)
      << why_refused(scene);
}

/// A slack rope of little EI is pushed through an eyelet. Where its bent elements merge their
/// length is kept: a rope of 100 kN, which a hundredth of a millimetre stretches by 7 N, would
/// explode.
TEST(FlowSlack, RopeIsPushedThroughAnEyelet) {
  for (const double EA : {1e5, 1e6}) {
    Scene scene;
    scene.supports = {at("winch", Vec3::Zero()), at("ring", {1, 0, 0})};
    Cable c =
        rope({Stop::hold("winch"), Stop::over("ring"), Stop(1.3, 0, -0.3)}, EA, 1e-3, 0.2, 10);
    c.sections[0].axial_damping.viscosity = 1e-3;
    c.payout = Signal::smooth(0, 2, 0.5, 4.5);
    scene.cables = {c};
    FlowRun run(scene, by(1e-3));
    double largest = 0;
    int changes = 0;
    while (run.state.t < 4) {
      ASSERT_EQ(run.integrator.step(run.state), Status::ok) << run.integrator.failure().message();
      const auto mesh = renewed_mesh(run.model, run.state);
      if (!mesh) continue;
      run.model = Model(run.model.scene(), *mesh);
      const MeshChange change = run.integrator.change_mesh(run.model, run.state);
      largest = std::max(largest, change.energy);
      ++changes;
    }
    EXPECT_GT(changes, 10);
    EXPECT_NEAR(run.read("rope.paid_out"), 1.9679, 1e-3);
    EXPECT_LT(largest, 0.03);  // of 4 J of work; 0.1 J at the first one with slopes as they were
  }
}

/// A hoist whose rope is cut below the pulley: the load falls freely, the rope stays.
TEST(FlowCut, LetsTheLoadFall) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    Scene scene = leader(model, 1e6, 0.5);
    scene.cables[0].sections.pop_back();
    FlowRun run(scene, by(1e-3));
    ASSERT_NO_FATAL_FAILURE(run_to(run, 2));
    const double z = run.place("load").z(), v = -run.read("load.velocity.z");
    const double end = run.model.mesh().s[0].back();
    const double energy = run.read("energy.balance");
    const Mesh cut = with_cut(run.model, run.state, 0, end - 2);
    ASSERT_EQ(cut.cuts[0].size(), 1u);
    run.model = Model(run.model.scene(), cut);
    const MeshChange change = run.integrator.change_mesh(run.model, run.state);
    EXPECT_LT(std::abs(change.energy), 1e-6);
    EXPECT_LT(change.momentum.norm(), 1e-6);
    ASSERT_NO_FATAL_FAILURE(run_to(run, 2.2));
    EXPECT_NEAR(run.place("load").z(), z - v * 0.2 - g / 2 * 0.04, 5e-3);
    EXPECT_NEAR(run.read("energy.balance"), energy, 0.5);
    EXPECT_THROW(with_cut(run.model, run.state, 0, end + 1), std::exception);
  }
}

/// Where it lies on the pulley it cannot be cut, and beside it a little away.
TEST(FlowCut, KeepsOffThePulley) {
  Scene scene = leader(CableModel::ancf, 1e6, 0.5);
  scene.cables[0].sections.pop_back();
  FlowRun run(scene, by(5e-3));
  const Mesh& mesh = run.model.mesh();
  const auto node = static_cast<size_t>(mesh.wraps[0][0]);
  EXPECT_THROW(with_cut(run.model, run.state, 0, (mesh.s[0][node] + mesh.s[0][node + 1]) / 2),
               std::exception);
  const double beside = mesh.s[0][node + 1];
  EXPECT_GT(with_cut(run.model, run.state, 0, beside + 1e-3).cuts[0][0], beside + 0.05);
  scene.cables[0].mesh = FlowMesh::running;
  FlowRun running(scene, by(5e-3));
  EXPECT_THROW(Model(scene, with_cut(running.model, running.state, 0, 8)), std::exception);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

// Joints of the sections of a cable that pass eyelets, pulleys and winches.
#include <gtest/gtest.h>

#include <cmath>

#include "../bench/flow_scenes.h"
#include "model/mesh.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flowing;

/// A chain of 3 m and a wire behind it over something in the middle, with a load on either end. At
/// the start the chain ends 1 m below it, on the left.
struct ChainAndWire {
  double R = 0, a = 60, b = 80;  ///< [m], loads [kg]
  double chain = 3, wire = 0.5;  ///< [kg/m]
  double EA = 2e7, EA_wire = 5e6;
  CableModel model = CableModel::ancf;
  double friction = 0, inertia = 0;  ///< of the pulley [kg m^2]
  int elements = 12;
  bool split = true;  ///< else one section of the wire

  [[nodiscard]] Scene scene() const {
    Scene out;
    out.supports = {at("ring", Vec3::Zero())};
    out.bodies = {load("a", a, {-R, 0, -4}), load("b", b, {R > 0 ? R : 1e-3, 0, -2})};
    Stop middle = R > 0 ? Stop::over("ring", R, Vec3::UnitY()) : Stop::over("ring");
    middle.friction = friction;
    middle.inertia = inertia;
    Cable c = rope({Stop::hold("a"), middle, Stop::hold("b")}, EA_wire, 1e-3, wire, elements);
    if (split) {
      c.sections.insert(c.sections.begin(), SectionPart(Section{EA, 1e-3, chain}));
      c.sections[0].length = 3;
    }
    for (SectionPart& s : c.sections) s.axial_damping.viscosity = 1e-3;
    c.model = model;
    out.cables = {c};
    return out;
  }
  /// How far b has come down at a time: of an inextensible cable.
  [[nodiscard]] double came_down(double time) const {
    const double L = 6 + pi * R;
    const auto height = [&](double u) {  // along the way, from a at the start
      if (u < 4) return u - 4;
      if (u < 4 + pi * R) return R * std::sin((u - 4) / R);
      return -(u - 4 - pi * R);
    };
    const auto acceleration = [&](double x) {
      const double rises = height(3 + x) - height(x), falls = height(L + x) - height(3 + x);
      return g * (b - a - chain * rises - wire * falls) /
             (a + b + 3 * chain + (L - 3) * wire + (R > 0 ? inertia / (R * R) : 0));
    };
    double x = 0, v = 0;
    constexpr int n = 20000;
    const double h = time / n;
    for (int i = 0; i < n; ++i) {  // leapfrog
      v += h / 2 * acceleration(x);
      x += h * v;
      v += h / 2 * acceleration(x);
    }
    return x;
  }
};

double energy_of(const FlowRun& run) {
  return run.read("energy.kinetic") + run.read("energy.axial") + run.read("energy.bending") +
         run.read("energy.potential");
}

bool has_joint(const FlowRun& run, double s) {
  const std::vector<double>& nodes = run.model.mesh().s[0];
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](double node) { return std::abs(node - s) < 1e-9; });
}

void joints_run_to(FlowRun& run, double t) {
  ASSERT_EQ(run.to(t), Status::ok) << run.integrator.failure().message();
}

/// Along an eyelet and a pulley, in both models: the time at which an inextensible cable is there,
/// its length, the energy.
TEST(SectionJoint, ChainFollowsAWire) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double R : {0.0, 0.2})
      for (const double h : {2e-3, 1.25e-4}) {
        SCOPED_TRACE(testing::Message() << "R " << R << ", step " << h);
        ChainAndWire machine;
        machine.model = model, machine.R = R;
        FlowRun run(machine.scene(), by(h));
        ASSERT_NO_FATAL_FAILURE(joints_run_to(run, 1));
        EXPECT_TRUE(has_joint(run, 3));
        const double before = energy_of(run), length = run.read("rope.rest_length");
        ASSERT_NO_FATAL_FAILURE(joints_run_to(run, 2.3));
        EXPECT_TRUE(has_joint(run, 3));
        EXPECT_NEAR(-2 - run.place("b").z(), machine.came_down(2.3), 4e-4);
        EXPECT_NEAR(run.read("rope.rest_length"), length, 1e-12);
        EXPECT_NEAR(energy_of(run), before, 0.05);  // of 1700 J that b loses
        // Of an eyelet, what 2 % of an element has, which counts as the other section.
        EXPECT_LT(run.momentum_jump, 5e-3);
      }
}

/// A hoist of chain and wire over an eyelet or a pulley, with friction and with one that turns: the
/// joint passes when 2.5 m are paid out, and again when they are reeled in.
TEST(SectionJoint, PassesToAndFro) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const int kind : {0, 1, 2, 3}) {
      SCOPED_TRACE(testing::Message() << "kind " << kind);
      ChainAndWire machine;
      machine.model = model, machine.R = kind > 1 ? 0.2 : 0;
      machine.friction = kind == 1 || kind == 2 ? 0.05 : 0;
      machine.inertia = kind == 3 ? 0.4 : 0;
      Scene scene = machine.scene();
      scene.initial = Initial::rest;
      scene.supports.push_back(at("winch", scene.bodies[0].position));
      scene.bodies.erase(scene.bodies.begin());
      Cable& c = scene.cables[0];
      c.route.front() = Stop::hold("winch");
      const Signal out = Signal::smooth(0, 2.5, 0, 3), in = Signal::smooth(0, -2.5, 3.5, 6.5);
      c.payout = Signal::function([in, out](double t) {
        const Signal::Sample x = in.at({t, {}}), y = out.at({t, {}});
        return Signal::Sample{x.value + y.value, x.rate + y.rate, x.acceleration + y.acceleration};
      });
      FlowRun run(scene, by(2e-3));
      const double z = run.place("b").z();
      ASSERT_NO_FATAL_FAILURE(joints_run_to(run, 3.4));
      EXPECT_TRUE(has_joint(run, 3));
      EXPECT_NEAR(run.place("b").z() - z, -2.5, 5e-4);
      ASSERT_NO_FATAL_FAILURE(joints_run_to(run, 7));
      EXPECT_TRUE(has_joint(run, 3));
      EXPECT_NEAR(run.place("b").z(), z, 2e-4);         // with friction the tension is another one
      EXPECT_NEAR(run.read("energy.balance"), 0, 0.2);  // of 2000 J of work
    }
}

/// Two equal sections are one, while their joint passes.
TEST(SectionJoint, EqualSectionsAreOne) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double R : {0.0, 0.2}) {
      ChainAndWire machine;
      machine.model = model, machine.R = R;
      machine.chain = machine.wire = 1.5, machine.EA = 5e6;
      FlowRun two(machine.scene(), by(1e-3));
      machine.split = false;
      FlowRun one(machine.scene(), by(1e-3));
      for (FlowRun* run : {&two, &one}) ASSERT_NO_FATAL_FAILURE(joints_run_to(*run, 2.3));
      EXPECT_NEAR(two.place("b").z(), one.place("b").z(), 1e-4);
      // Straight elements beside a pulley turn where a node is dropped, with sections or without.
      EXPECT_LT(two.momentum_jump, 1.01 * one.momentum_jump + 1e-9);
      EXPECT_NEAR(two.read("energy.balance"), one.read("energy.balance"), 1e-2);
    }
}

/// A run goes on from the middle of a passage to the same bits.
TEST(SectionJoint, GoesOnToTheSameBits) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double R : {0.0, 0.2}) {
      ChainAndWire machine;
      machine.model = model, machine.R = R, machine.friction = 0.02;
      FlowRun whole(machine.scene(), by(1e-3));
      while (has_joint(whole, 3)) ASSERT_EQ(whole.step(), Status::ok);
      const Mesh mesh = whole.model.mesh();
      const State state = whole.state;
      ASSERT_NO_FATAL_FAILURE(joints_run_to(whole, 3));
      EXPECT_TRUE(has_joint(whole, 3));
      FlowRun after(machine.scene(), by(1e-3));
      after.model = Model(machine.scene(), mesh);
      after.integrator = Integrator(after.model, by(1e-3));
      after.state = state;
      after.integrator.resume(after.state);
      ASSERT_NO_FATAL_FAILURE(joints_run_to(after, 3));
      EXPECT_EQ(after.state.q, whole.state.q);
      EXPECT_EQ(after.state.v, whole.state.v);
    }
}

/// Two pieces of chain of 0.1 m in a wire, a fifth of an element each: of several joints that are
/// at a hand-over at a time, those that are beyond it get their nodes first.
TEST(SectionJoint, ShortSectionsPassOneByOne) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double R : {0.0, 0.15}) {
      SCOPED_TRACE(testing::Message() << "R " << R);
      ChainAndWire machine;
      machine.model = model, machine.R = R;
      Scene scene = machine.scene();
      const SectionPart chain = scene.cables[0].sections[0], wire = scene.cables[0].sections[1];
      scene.cables[0].sections = {wire, chain, wire, chain, wire};
      const double lengths[] = {2.6, 0.1, 0.2, 0.1, 0};
      for (size_t k = 0; k < 5; ++k) scene.cables[0].sections[k].length = lengths[k];
      FlowRun run(scene, by(2.5e-4));
      ASSERT_NO_FATAL_FAILURE(joints_run_to(run, 1));
      const double before = energy_of(run), length = run.read("rope.rest_length");
      ASSERT_NO_FATAL_FAILURE(joints_run_to(run, 2.1));
      for (const double s : {2.6, 2.7, 2.9, 3.0}) EXPECT_TRUE(has_joint(run, s));
      EXPECT_NEAR(run.read("rope.rest_length"), length, 1e-12);
      EXPECT_NEAR(energy_of(run), before, 0.1);  // of 2000 J that b loses
    }
}

/// A block on two falls, let down until the joint has passed it: a free body, on which short
/// elements beside the pulley would swing. The heavier section comes first.
TEST(SectionJoint, PassesAPulleyOnABody) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem})
    for (const double R : {0.0, 0.2}) {
      SCOPED_TRACE(testing::Message() << "R " << R);
      Scene scene = two_falls(R);
      scene.supports[0].position = {-1, 0, 0}, scene.supports[1].position = {1, 0, 0};
      Cable& c = scene.cables[0];
      c.sections = {SectionPart(Section{1e7, 1e-2, 3}), SectionPart(Section{5e6, 1e-2, 0.5})};
      c.sections[0].length = 4;
      for (SectionPart& s : c.sections) s.axial_damping.viscosity = 2e-3;
      c.model = model;
      c.elements = 20;
      c.payout = Signal::smooth(0, 6, 0, 6);
      FlowRun run(scene, by(1e-3));
      ASSERT_NO_FATAL_FAILURE(joints_run_to(run, 7));
      EXPECT_TRUE(has_joint(run, 4));
      EXPECT_NEAR(run.read("energy.balance"), 0, 0.15);  // of 4100 J of work
    }
}

/// A load on 2 m of wire below a chain is reeled in, past the joint, and paid out again.
TEST(SectionJoint, WinchTakesItInAndOut) {
  for (const CableModel model : {CableModel::ancf, CableModel::np_fem}) {
    Scene scene;
    scene.initial = Initial::rest;
    scene.supports = {at("winch", Vec3::Zero())};
    scene.bodies = {load("load", 50, {0, 0, -6})};
    Cable c = rope({Stop::hold("winch"), Stop::hold("load")}, 1e6, 1e-3, 0.5, 12);
    c.sections.insert(c.sections.begin(), SectionPart(Section{4e6, 1e-3, 3}));
    c.sections[0].length = 2;
    for (SectionPart& s : c.sections) s.axial_damping.viscosity = 1e-3;
    c.model = model;
    const Signal in = Signal::smooth(0, -3, 0, 3), out = Signal::smooth(0, 3, 4, 7);
    c.payout = Signal::function([in, out](double t) {
      const Signal::Sample a = in.at({t, {}}), b = out.at({t, {}});
      return Signal::Sample{a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
    });
    scene.cables = {c};
    FlowRun run(scene, by(2e-3));
    const double z = run.place("load").z(), energy = energy_of(run);
    ASSERT_NO_FATAL_FAILURE(joints_run_to(run, 3.9));
    // The wire alone hangs: 50 kg and 0.5 kg/m, at the middle of the last element or at its end.
    EXPECT_NEAR(run.read("rope.tension@start"), (50 + 0.5 * 3) * g, 1.5);
    EXPECT_NEAR(run.place("load").z(), z + 3, 3e-3);
    EXPECT_FALSE(has_joint(run, 2));
    ASSERT_NO_FATAL_FAILURE(joints_run_to(run, 8));
    EXPECT_TRUE(has_joint(run, 2));
    EXPECT_NEAR(run.place("load").z(), z, 1e-6);
    EXPECT_NEAR(energy_of(run), energy, 1e-3);
    EXPECT_NEAR(run.read("energy.balance"), 0, 0.1);  // of 1600 J of work
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

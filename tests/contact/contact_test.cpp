#include "../bench/contact_scenes.h"

#include <gtest/gtest.h>

#include "contact/cable_contact.h"
#include "contact/refusal.h"
#include "model/model_data.h"

namespace hawser {
namespace {

using namespace touching;

double energy_now(const TouchRun& run) { return energy(run.model, run.state).total(); }

TEST(Contact, CapstanHasItsRatio) {
  TouchRun run(capstan({}), by(5e-3));
  ASSERT_EQ(run.to(1.5), Status::ok) << run.integrator.failure().message();
  const double ratio = run.mean_pull(2) / 100;
  EXPECT_NEAR(ratio, std::exp(0.2 * pi), 2e-3 * std::exp(0.2 * pi));
}

/// The drum turns under a rope that is held: the memory turns with it, and the ratio is the same.
TEST(Contact, TurningDrumPullsAsASlidingRopeDoes) {
  Scene scene = capstan({});
  scene.supports[1].motion[2] = Signal(0.0);
  Support::Turn turn;
  turn.axis = Vec3::UnitY();
  turn.angle = speeding(0.2, 0.05);
  scene.supports[0].turn = turn;
  for (const double h : {1e-3, 1e-2}) {
    TouchRun run(scene, by(h));
    ASSERT_EQ(run.to(1), Status::ok) << run.integrator.failure().message();
    EXPECT_NEAR(run.mean_pull(1.2) / 100, std::exp(0.2 * pi), 2e-3 * std::exp(0.2 * pi)) << h;
  }
}

TEST(Contact, DroppedRopeSlidesAsFarAsFrictionLets) {
  const double H = 0.05, v = 2, mu = 0.4, u = v - mu * std::sqrt(2 * g * H);
  const double slides = v * std::sqrt(2 * H / g) + u * u / (2 * mu * g);
  TouchRun run(dropped_rope(H, v, mu, 0), by(1e-3));
  const double start = energy_now(run);
  double most = start;
  while (run.state.t < 0.7) {
    ASSERT_EQ(run.integrator.step(run.state), Status::ok);
    most = std::max(most, energy_now(run));
  }
  EXPECT_NEAR(run.state.q[0], slides, 5e-3 * slides);
  EXPECT_LT(most, start * (1 + 1e-3));
  const double x = run.state.q[0];
  ASSERT_EQ(run.to(1.2), Status::ok);
  EXPECT_NEAR(run.state.q[0], x, 1e-6) << "it stays where it came to rest";
}

TEST(Contact, RopeDroppedAslantGainsNoEnergy) {
  for (const double h : {1e-3, 5e-3}) {
    TouchRun run(dropped_rope(0.02, 0, 0.4, 0.3), by(h));
    const double start = energy_now(run);
    double most = start;
    while (run.state.t < 0.5) {
      ASSERT_EQ(run.integrator.step(run.state), Status::ok) << run.integrator.failure().message();
      most = std::max(most, energy_now(run));
    }
    EXPECT_LT(most, start + 1e-3 * start) << h;
    EXPECT_LT(run.state.contacts[1], 0.005) << "no deeper than its radius";
  }
}

/// Three times the weight that lies on it; a link's momentum is 2 % of what it has carried by 0.4
/// s.
TEST(Contact, ScaleReadsThreeTimesTheWeightOfAFallingChain) {
  TouchRun run(falling_chain(60), by(5e-4));
  ASSERT_EQ(run.to(0.3), Status::ok) << run.integrator.failure().message();
  EXPECT_NEAR(run.mean_reading(0.44), 3, 0.06);
}

/// The stiffness is that for the fall of the upper end, not for the gap of the lower one.
TEST(Contact, StopsWhatFallsFromAboveTheFirstTouch) {
  Scene scene = dropped_rope(0.001, 0, 0.4, 1.2);
  scene.contacts[0].stiffness = 0;
  TouchRun run(scene, by(1e-3));
  const double start = energy_now(run);
  double most = start;
  while (run.state.t < 0.6) {
    ASSERT_EQ(run.integrator.step(run.state), Status::ok) << run.integrator.failure().message();
    most = std::max(most, energy_now(run));
  }
  EXPECT_LT(most, start + 1e-3 * start);
  EXPECT_LT(run.state.contacts[1], 0.005) << "no deeper than its radius";
}

TEST(Contact, ResumesToTheSameBits) {
  TouchRun whole(capstan({}), by(1e-2)), first(capstan({}), by(1e-2));
  ASSERT_EQ(whole.to(0.6), Status::ok);
  ASSERT_EQ(first.to(0.3), Status::ok);
  Integrator again(first.model, by(1e-2));
  again.resume(first.state);
  ASSERT_EQ(again.advance(first.state, 0.6), Status::ok);
  EXPECT_EQ(first.state.q, whole.state.q);
  EXPECT_EQ(first.state.contacts, whole.state.contacts);
}

/// A rope that lies over a box that may move, pressed down.
Scene on_body(double friction) {
  Scene scene;
  Body box;
  box.name = "box";
  box.mass = 2;
  box.shape = {Solid::Kind::box, {0.4, 0.2, 0.2}};
  box.inertia = box.shape.inertia(box.mass);
  Cable rope;
  rope.name = "rope";
  rope.sections = {Section{1e4, 1e-2, 0.5}};
  rope.sections[0].diameter = 0.02;
  rope.route = {{-0.15, 0, 0.11}, {0.15, 0, 0.11}};
  rope.velocity = {1, 0, 0};
  rope.elements = 6;
  scene.gravity.setZero();
  scene.bodies = {box};
  scene.cables = {rope};
  DistributedForce down;  // on the rope; the box floats
  down.cable = "rope";
  down.force = {0, 0, -20};
  scene.distributed_forces = {down};
  scene.contacts = {between("box", friction, 1e6)};
  return scene;
}

TEST(Contact, BodyTakesTheReaction) {
  TouchRun run(on_body(0.5), by(1e-3));
  const Vec3 before = momentum(run.model, run.state).linear;
  ASSERT_EQ(run.to(0.05), Status::ok) << run.integrator.failure().message();
  const Vec3 change = momentum(run.model, run.state).linear - before;
  EXPECT_LT((change - Vec3(0, 0, -20 * 0.3 * run.state.t)).norm(), 1e-6)
      << "inner forces keep the momentum";
  const auto node = static_cast<size_t>(6 * run.model.data().mechanism.bodies[0].node);
  EXPECT_GT(run.state.v[node], 0.01) << "the rope drags the box along";
  EXPECT_GT(run.state.contacts[0], 0) << "friction takes energy";
}

TEST(Contact, ActsAsItReactsAndResistsWhereItSticks) {
  const Model model(on_body(0.5));
  const ModelData& data = model.data();
  const auto& term = dynamic_cast<const CableContact&>(*data.terms.back());
  const auto n = static_cast<size_t>(data.structure.coordinates());
  std::vector<double> q = data.q0, v(q.size(), 0);
  std::vector<double> contacts(static_cast<size_t>(term.remembered()), 0);
  std::vector<double> orientation{1, 0, 0, 0};
  for (int i = 0; i < 7; ++i) q[static_cast<size_t>(6 * i + 2)] -= 1e-4;
  Configuration at({0, {}}, q.data(), v.data(), orientation.data());
  term.remember(at, contacts.data());
  at.contacts = contacts.data();
  at.predicted = true;  // the limit is frozen
  const auto force = [&](const std::vector<double>& there) {
    std::vector<double> out(data.padded(), 0);
    Configuration moved = at;
    moved.q = moved.q_ahead = there.data();
    term.add(moved, {}, {out.data(), nullptr, {}});
    return out;
  };
  std::vector<double> sum = force(q);
  double total = 0;
  for (size_t i = 2; i < n; i += 6) total += sum[i];
  EXPECT_NEAR(total, 0, 1e-9) << "action and reaction";
  // Along x, where the points stick, the resistance is k times the length that touches.
  std::vector<double> moved = q;
  for (size_t i = 0; i < 42; i += 6) moved[i] += 1e-7;
  const std::vector<double> after = force(moved);
  double resisted = 0;
  for (size_t i = 0; i < 42; i += 6) resisted -= after[i] - sum[i];
  EXPECT_NEAR(resisted / 1e-7, 1e6 * 0.3, 1);
}

TEST(Contact, RefusesBadInput) {
  Scene scene = dropped_rope(0.05, 0, 0.4, 0);
  scene.contacts[0].friction = -0.1;
  expect_refused(scene, "friction");
  scene = dropped_rope(-0.02, 0, 0.4, 0);
  expect_refused(scene, "0.02 m deep in 'ground'");
  scene = dropped_rope(0.05, 0, 0.4, 0);
  scene.contacts[0].shapes = {"table"};
  expect_refused(scene, "unknown name 'table'");
  scene.contacts[0].shapes = {"post"};
  scene.supports = {at("post", {0, 0, -1})};
  expect_refused(scene, "no shape");
  scene.supports[0].shape = {Solid::Kind::plate, {1, 1, 0}};
  expect_refused(scene, "no thickness");
  scene = dropped_rope(0.05, 0, 0.4, 0);
  scene.contacts.push_back(scene.contacts[0]);
  expect_refused(scene, "which another entry names");
  Scene massless;
  massless.ground = Ground{};
  massless.supports = {at("a", {0, 0, 1}), at("b", {1, 0, 1})};
  Cable line;
  line.name = "rope";
  line.model = CableModel::massless;
  line.sections = {Section{1e4, 0, 0}};
  line.route = {Stop::hold("a"), Stop::hold("b")};
  massless.cables = {line};
  massless.contacts = {between("ground", 0, 0)};
  expect_refused(massless, "massless");
}

/// Tractions go over to the points of another mesh: the load does not slide until it holds again.
TEST(Contact, HoldsOverAChangeOfTheMesh) {
  TouchRun run(held_load(0.9), by(1e-2));
  ASSERT_EQ(run.to(2), Status::ok) << run.integrator.failure().message();
  const double before = run.state.q[2], friction = run.state.contacts[0];
  Mesh mesh = default_mesh(run.model.scene());
  std::vector<double>& nodes = mesh.s[0];
  for (size_t i = nodes.size() - 1; i > 0; --i)
    nodes.insert(nodes.begin() + static_cast<long>(i), (nodes[i - 1] + nodes[i]) / 2);
  const Model finer(run.model.scene(), mesh);
  run.integrator.change_mesh(finer, run.state);
  EXPECT_EQ(run.state.contacts[0], friction) << "the sums of the run go on";
  ASSERT_EQ(run.to(3), Status::ok) << run.integrator.failure().message();
  EXPECT_NEAR(run.state.q[2], before, 2e-6);
}

TEST(Contact, NeedsTheMixedMethod) {
  SolveOptions options = by(1e-3);
  options.method = Method::newton;
  EXPECT_THROW(Integrator(Model(dropped_rope(0.05, 0, 0.4, 0)), options), Error);
}

}  // namespace
}  // namespace hawser

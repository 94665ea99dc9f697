#include "contact/cable_pairs.h"

#include <gtest/gtest.h>

#include "../bench/crossing.h"
#include "../bench/meeting_scenes.h"
#include "contact/cable_contact.h"
#include "contact/close_grid.h"
#include "hawser/error.h"
#include "hawser/modes.h"
#include "model/model_data.h"

namespace hawser {
namespace {

using namespace touching;

double energy_of_run(const TouchRun& run) { return energy(run.model, run.state).total(); }

const CablePairs& term_of(const Model& model) {
  return dynamic_cast<const CablePairs&>(*model.data().terms.back());
}

/// Force between the cables [N]: the sum over the pairs of parts.
double push_of(const TouchRun& run) {
  double sum = 0;
  const auto pairs = term_of(run.model).pairs(run.state.contacts.data());
  for (size_t i = 0; i < pairs.size(); i += PartPair::size)
    sum += PartPair::read(pairs.data() + i).bristle.push;
  return sum;
}

SolveOptions to_rest(double h) {
  SolveOptions out = by(h);
  out.scheme = Scheme::backward_euler;
  return out;
}

TEST(CablePairs, CrossedStringsCarryTheirForce) {
  struct Case {
    TautString second;
    double force;
  };
  for (const Case& c : {Case{{}, 4.799760}, Case{{300, 2e5, 0.4}, 8.418068}})
    for (const CableModel model : {CableModel::np_fem, CableModel::ancf}) {
      // Bent elements do not have the kink: the error is that of their length.
      const bool straight = model == CableModel::np_fem;
      TouchRun run(crossed_strings({}, c.second, 0.02, model, straight ? 12 : 48, 1e9),
                   to_rest(5e-3));
      ASSERT_EQ(run.to(1.5), Status::ok) << run.integrator.failure().message();
      const double tolerance = straight ? 1e-3 : 1e-2;
      EXPECT_NEAR(push_of(run), c.force, tolerance * c.force);
    }
}

TEST(CablePairs, FastCableIsHeld) {
  for (const double height : {0.031, 0.0524, 0.0871}) {
    TouchRun run(thrown_across(height, 50, 0.3), by(1e-3));
    const double start = energy_of_run(run);
    Chains before = chains_of(run.model.data(), run.state);
    while (run.state.t < 8e-3) {
      ASSERT_EQ(run.integrator.step(run.state), Status::ok) << run.integrator.failure().message();
      EXPECT_LT(energy_of_run(run), start * (1 + 1e-3)) << run.state.t;
      Chains after = chains_of(run.model.data(), run.state);
      EXPECT_FALSE(chains_cross(before, after)) << height << ", " << run.state.t;
      before = std::move(after);
    }
    EXPECT_GT(run.state.contacts[1], 0) << "they touch";
  }
}

TEST(CablePairs, SleeperComesToRestByFriction) {
  const double v = 1, mu = 0.4;
  TouchRun run(sleeper_on_rails(v, mu), by(1e-3));
  const int node = run.model.first_node(2) + 2;
  ASSERT_EQ(run.to(0.5), Status::ok) << run.integrator.failure().message();
  const double way = run.state.position(node).x();
  EXPECT_NEAR(way, v * v / (2 * mu * g), 0.01 * way);
  ASSERT_EQ(run.to(1), Status::ok);
  EXPECT_NEAR(run.state.position(node).x(), way, 1e-5) << "it does not creep";
}

TEST(CablePairs, ResumesToTheSameBits) {
  const Scene scene = thrown_across(0.031, 50, 0.3);
  TouchRun whole(scene, by(1e-3)), first(scene, by(1e-3));
  ASSERT_EQ(whole.to(8e-3), Status::ok);
  ASSERT_EQ(first.to(3e-3), Status::ok);
  Integrator again(first.model, by(1e-3));
  again.resume(first.state);
  ASSERT_EQ(again.advance(first.state, 8e-3), Status::ok);
  EXPECT_EQ(first.state.q, whole.state.q);
  EXPECT_EQ(first.state.contacts, whole.state.contacts);
}

/// Both cables are bent and pressed into each other, and stick.
struct PressedCables {
  Model model;
  const CablePairs& term;
  std::vector<double> q, v, contacts, start;

  explicit PressedCables(double friction)
      : model(scene(friction)), term(term_of(model)), q(model.data().q0), v(q.size(), 0) {
    for (size_t i = 0; i < q.size(); ++i) q[i] += 1e-3 * std::sin(1.0 + 7 * static_cast<double>(i));
    CloseSearch search;
    start = q;
    Configuration at = configuration(q);
    term.find_pairs(at, 0, true, search, contacts);
    at.contacts = contacts.data();
    at.predicted = false;
    term.remember(at, contacts.data());
  }
  static Scene scene(double friction) {
    Scene out = crossed_strings({}, {}, 0, CableModel::ancf, 3, 1e6);
    out.contacts[0].friction = friction;
    return out;
  }
  [[nodiscard]] Configuration configuration(const std::vector<double>& there) const {
    Configuration out({0, {}}, there.data(), v.data(), nullptr);
    out.contacts = contacts.data();
    out.q_start = start.data();
    out.predicted = true;  // the limit is frozen
    return out;
  }
  [[nodiscard]] std::vector<double> force(const std::vector<double>& there) const {
    std::vector<double> out(q.size(), 0);
    term.add(configuration(there), {}, {out.data(), nullptr, {}});
    return out;
  }
};

TEST(CablePairs, ActsAsItReacts) {
  const PressedCables cables(0.4);
  const std::vector<double> force = cables.force(cables.q);
  Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
  double most = 0;
  for (size_t n = 0; n < 8; ++n) {
    const Vec3 f(force[6 * n], force[6 * n + 1], force[6 * n + 2]),
        g(force[6 * n + 3], force[6 * n + 4], force[6 * n + 5]),
        r(cables.q[6 * n], cables.q[6 * n + 1], cables.q[6 * n + 2]),
        slope(cables.q[6 * n + 3], cables.q[6 * n + 4], cables.q[6 * n + 5]);
    sum += f;
    moment += r.cross(f) + slope.cross(g);
    most = std::max(most, f.norm());
  }
  EXPECT_GT(most, 0.1);
  EXPECT_LT(sum.norm(), 1e-12 * most);
  EXPECT_LT(moment.norm(), 0.02 * most * 0.01)
      << "but for friction, which acts on both centre lines";
}

/// Without friction the force is the gradient of the energy.
TEST(CablePairs, ForceIsTheGradientOfTheEnergy) {
  const PressedCables cables(0);
  const auto stored = [&](const std::vector<double>& there) {
    EnergyParts out;
    cables.term.add_energy(
        {{0, {}}, there.data(), cables.v.data(), nullptr, nullptr, nullptr, cables.contacts.data()},
        out);
    return out.gravity;
  };
  const std::vector<double> force = cables.force(cables.q);
  double most = 0;
  for (const double f : force) most = std::max(most, std::abs(f));
  for (size_t i = 0; i < 48; ++i) {
    std::vector<double> there = cables.q, back = cables.q;
    there[i] += 1e-8;
    back[i] -= 1e-8;
    EXPECT_NEAR((stored(back) - stored(there)) / 2e-8, force[i], 5e-3 * most) << i;
  }
}

TEST(CablePairs, RefusesCablesThatStartInEachOther) {
  Scene scene = crossed_strings({}, {}, 0, CableModel::ancf, 4, 0);
  for (size_t i = 2; i < 4; ++i) scene.supports[i].position.z() = 0.002;
  EXPECT_THROW(Model{scene}, Error);
  scene.contacts[0].cables = {"lower", "lower"};
  EXPECT_NO_THROW(Model{scene}) << "straight, it does not touch itself";
  scene.contacts[0].cables = {"lower"};
  EXPECT_THROW(Model{scene}, Error);
  scene.contacts[0].cables = {"lower", "upper"};
  scene.cables[1].sections[0].diameter = 0;
  EXPECT_THROW(Model{scene}, Error);
}

/// A rope that is joined to another one touches it only beyond the joint.
TEST(CablePairs, JoinedCablesDoNotPushEachOther) {
  Scene scene = crossed_strings({}, {}, 0, CableModel::ancf, 4, 0);
  scene.supports.resize(3);
  scene.cables[1].route = {Stop::hold("lower-a"), {-0.5, 0.5, 0}};
  scene.cables[1].length = 0;
  TouchRun run(scene, by(1e-3));
  ASSERT_EQ(run.to(0.01), Status::ok);
  EXPECT_EQ(push_of(run), 0);
}

/// How far the nodes of a static start move within a time.
double moves_from_rest(TouchRun& run, double time) {
  const std::vector<double> before = run.state.q;
  EXPECT_EQ(run.to(time), Status::ok) << run.integrator.failure().message();
  double most = 0;
  for (size_t i = 0; i < before.size(); ++i)
    if (i % 6 < 3) most = std::max(most, std::abs(run.state.q[i] - before[i]));
  return most;
}

/// Strings that cross and press on each other by 20 mm, found at rest.
TEST(CablePairs, CrossedStringsStartAtRest) {
  constexpr double W = 0.02, d = 0.01;
  for (const CableModel model : {CableModel::np_fem, CableModel::ancf})
    for (const double friction : {0.0, 0.3}) {
      const bool straight = model == CableModel::np_fem;
      Scene scene = crossed_strings({}, {}, 0, model, straight ? 12 : 48, 1e9);
      scene.initial = Initial::rest;
      for (size_t i = 2; i < 4; ++i) scene.supports[i].position.z() -= W;
      Cable& upper = scene.cables[1];
      upper.route = {upper.route.front(), Vec3(0, 0, d), upper.route.back()};  // over the lower one
      scene.contacts[0].friction = friction;
      TouchRun run(scene, by(1e-3));
      EXPECT_NEAR(push_of(run), 4.799760, (straight ? 1e-3 : 1e-2) * 4.799760) << friction;
      EXPECT_LT(moves_from_rest(run, 0.05), 1e-7) << friction;
    }
}

/// Small motions of two equal strings that press on each other in their middles. They rise together
/// as each would alone; what moves one against the other has a node where they touch, twice the
/// frequency: with friction sideways, too.
TEST(CablePairs, CrossedStringsVibrate) {
  constexpr double W = 0.002, d = 0.01;
  for (const double friction : {0.0, 0.3}) {
    Scene scene = crossed_strings({}, {}, 0, CableModel::np_fem, 25, 1e9);
    scene.initial = Initial::rest;
    for (size_t i = 2; i < 4; ++i) scene.supports[i].position.z() -= W;
    Cable& upper = scene.cables[1];
    upper.route = {upper.route.front(), Vec3(0, 0.004, d), upper.route.back()};
    scene.contacts[0].friction = friction;
    const TouchRun run(scene, by(1e-3));
    const std::vector<Mode> found = modes(run.model, run.state, {6, {}}).modes;
    ASSERT_EQ(found.size(), 6u);
    const TautString string;
    const double alone = std::sqrt(string.tension / 0.1) / (4 * string.half);
    const size_t single = friction > 0 ? 1 : 3;
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i].frequency, (i < single ? 1 : 2) * alone,
                  0.04 * alone)  // an element of 25 is held
          << i << ", " << friction;
  }
}

/// A rope that sags more than the one below it would start under that one, hanging by itself. It
/// starts straight, above, and is carried.
TEST(CablePairs, SlackRopeStartsAboveTheOneThatCarriesIt) {
  Scene scene = crossed_strings({}, {}, 0, CableModel::np_fem, 20, 0);
  scene.gravity = {0, 0, -g};
  scene.initial = Initial::rest;
  for (Cable& c : scene.cables) c.initial.reset();
  for (size_t i = 2; i < 4; ++i) scene.supports[i].position.z() += 2e-3;
  scene.cables[1].sections[0].mass = 2;
  scene.cables[1].length = 2 * TautString{}.half;
  const TouchRun run(scene, by(1e-3));
  EXPECT_GT(push_of(run), 1);
  const auto middle = [&](size_t cable) {
    return run.state.position(run.model.data().cables[cable].first_node + 10).z();
  };
  EXPECT_NEAR(middle(1) - middle(0), 0.01, 1e-4);
}

/// A sleeper laid on two rails: they carry its weight, and it stays there.
TEST(CablePairs, RopeOnTwoRopesStartsAtRest) {
  Scene scene = sleeper_on_rails(0, 0.3);
  scene.initial = Initial::rest;
  TouchRun run(scene, by(1e-3));
  EXPECT_NEAR(push_of(run), 0.16 * g, 1e-4);  // as it bends, normals tilt
  EXPECT_LT(moves_from_rest(run, 0.1), 1e-7);
}

}  // namespace
}  // namespace hawser

// Cables of several sections, and loads on parts of cables: nodes where they change, closed forms
// of hanging lengths and beams, and what is refused.
#include "model/sections.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hawser/error.h"
#include "hawser/scene_file.h"
#include "hawser/statics.h"
#include "machines.h"
#include "model/model_data.h"
#include "run/tension_watch.h"
#include "scenes.h"

namespace hawser {
namespace {

constexpr double g = 9.81;
const Section chain{3e6, 0, 9}, rope{2e5, 0, 1.5};

/// Chain, rope and chain hanging down from a hook, 2 m, 5 m and 1 m, with a load at the end.
Scene hanging(CableModel model, double load) {
  Scene scene;
  scene.supports = {ground("hook", Vec3::Zero())};
  scene.bodies = {ball("load", load, {0, 0, -8.001})};
  Cable c;
  c.name = "line";
  c.model = model;
  c.sections = {{chain, 2}, {rope, 5}, {chain, 1}};
  c.route = {Stop::hold("hook"), Stop::hold("load")};
  c.elements = 9;
  scene.cables = {c};
  return scene;
}

std::string refused(const Scene& scene) {
  try {
    (void)Model(scene);
    return "none";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Sections, ChangeAtNodes) {
  const Model model(hanging(CableModel::np_fem, 10));
  const ModelData& data = model.data();
  ASSERT_EQ(data.fields.size(), 3U);
  EXPECT_EQ(data.fields[1]->run.section, 1);
  EXPECT_NEAR(data.fields[0]->run.whole_length(), 2, 1e-12);
  EXPECT_NEAR(data.fields[1]->run.whole_length(), 5, 1e-12);
  EXPECT_NEAR(data.fields[2]->run.whole_length(), 1, 1e-12);
  EXPECT_NEAR(data.total_length, 8, 1e-12) << "the sections make up the length";
  EXPECT_NEAR(data.total_mass, 3 * 9 + 5 * 1.5 + 10, 1e-12);
  EXPECT_EQ(model.elements(), 9);
}

TEST(Sections, OfEqualElementsKeepThem) {
  Scene scene = hanging(CableModel::np_fem, 10);
  scene.cables[0].elements = 8;
  const Model model(scene);
  ASSERT_EQ(model.data().fields.size(), 3U);
  for (const Fields* part : model.data().fields) EXPECT_NEAR(part->run.length, 1, 1e-12);
}

TEST(Sections, OneWithoutLengthTakesTheRest) {
  Scene scene = hanging(CableModel::np_fem, 10);
  scene.cables[0].sections[1].length = 0;
  scene.cables[0].length = 8;
  EXPECT_NEAR(Model(scene).data().total_mass, 3 * 9 + 5 * 1.5 + 10, 1e-12);
  scene.cables[0].length = 0;  // that of the route: 8.001 m
  EXPECT_NEAR(Model(scene).data().total_mass, 3 * 9 + 5.001 * 1.5 + 10, 1e-12);
}

/// Each section is stretched by the load, the weights below it and half of its own; a massless
/// cable by the load alone.
TEST(Sections, StretchInSeries) {
  constexpr double load = 40;
  for (const CableModel kind : {CableModel::np_fem, CableModel::massless}) {
    const Model model(hanging(kind, load));
    State state = Integrator(model, {}).start();
    const StaticReport report = equilibrium(model, state);
    ASSERT_TRUE(report.converged) << report.message;
    const bool massless = kind == CableModel::massless;
    double below = load * g, length = 0;
    for (const auto& [section, l] : {std::pair(chain, 1.0), {rope, 5.0}, {chain, 2.0}}) {
      const double weight = massless ? 0 : section.mass * l * g;
      length += l * (1 + (below + weight / 2) / section.EA);
      below += weight;
    }
    EXPECT_NEAR(body_at(model, state, 0).z(), -length, 1e-6) << static_cast<int>(kind);
    if (massless) continue;
    EXPECT_NEAR(reaction(model, state, Place::start("line")).force.z(), below, 1e-6);
  }
}

/// Weights that differ stretch an ancf cable as they should: EA is the same.
TEST(Sections, OfAncfWeighWhatTheyDo) {
  Scene scene = hanging(CableModel::ancf, 40);
  for (Section& s : scene.cables[0].sections) s.EA = 1e5;
  scene.cables[0].curvature = CurvatureMeasure::material;  // |r''| would see the strain's gradient
  const Model model(scene);
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  double below = 40 * g, length = 0;
  for (const auto& [mass, l] : {std::pair(9.0, 1.0), {1.5, 5.0}, {9.0, 2.0}}) {
    length += l * (1 + (below + mass * l * g / 2) / 1e5);
    below += mass * l * g;
  }
  EXPECT_NEAR(body_at(model, state, 0).z(), -length, 1e-8);
}

/// GJ in series: a turn of the load twists the sections in proportion to their compliances.
TEST(Sections, TwistInSeries) {
  Scene scene = hanging(CableModel::massless, 10);
  for (size_t k = 0; k < 3; ++k) scene.cables[0].sections[k].GJ = 2.0 + static_cast<double>(k);
  const Model model(scene);
  ASSERT_GE(model.data().mechanism.routes[0].twist_row, 0);
  EXPECT_NEAR(model.data().mechanism.routes[0].twist_compliance, 2 / 2.0 + 5 / 3.0 + 1 / 4.0,
              1e-12);
  scene.cables[0].sections[1].GJ = 0;
  EXPECT_LT(Model(scene).data().mechanism.routes[0].twist_row, 0) << "as through a swivel";
}

/// What is paid out is of the first section; what is reeled in takes the first ones first.
TEST(Sections, ArePaidOutFromTheStart) {
  Scene scene = hanging(CableModel::massless, 10);
  scene.cables[0].payout = Signal::ramp(0, -3, 0, 1);
  const Model model(scene);
  const int first = model.data().mechanism.routes[0].runs[0].row;
  const RowInfo& row = model.data().rows[static_cast<size_t>(first)];
  EXPECT_NEAR(row.compliance_at({0, {}}), 3 / chain.EA + 5 / rope.EA, 1e-15);
  EXPECT_NEAR(row.compliance_at({0.5, {}}), 1.5 / chain.EA + 5 / rope.EA, 1e-15);
  EXPECT_NEAR(row.compliance_at({1, {}}), 1 / chain.EA + 4 / rope.EA, 1e-15);
}

/// Everything that knows sections at once: a cable of one section is that of two equal ones.
TEST(Sections, ThatAreEqualAreOne) {
  for (const CableModel kind : {CableModel::ancf, CableModel::np_fem}) {
    Scene one = pendulum(1e8);
    one.cables[0].model = kind;
    Section& section = one.cables[0].sections[0];
    section.diameter = 0.02;
    section.mass_damping = 0.2;
    section.axial_damping.viscosity = 1e-4;
    section.axial_damping.relaxations = {{0.3, 0.01}};
    if (kind == CableModel::ancf) section.bending_damping.viscosity = 1e-3;
    if (kind == CableModel::np_fem) section.EI = 0;
    one.fluid.emplace();
    one.fluid->density = 100;
    one.ground.emplace();
    one.ground->height = -0.05;
    Scene two = one;
    two.cables[0].sections = {{section, 0.4}, {section, 0}};
    const Model whole(one), parts(two);
    ASSERT_EQ(parts.data().fields.size(), 2U);
    Integrator a(whole, {}), b(parts, {});
    State s = a.start(), t = b.start();
    ASSERT_EQ(a.advance(s, 0.2), Status::ok);
    ASSERT_EQ(b.advance(t, 0.2), Status::ok);
    EXPECT_LT(s.position(10).z(), -0.01);
    EXPECT_LT(distance(s, t), 1e-9);
  }
}

TEST(Sections, BreakWhereTheirOwnLoadIsPassed) {
  Scene scene = hanging(CableModel::np_fem, 100);
  scene.cables[0].sections[0].breaking_load = 1e6;
  scene.cables[0].sections[1].breaking_load = 500;
  const Model model(scene);
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  TensionWatch watch(model);
  EXPECT_TRUE(watch.look(state));
  const TensionSeen& seen = watch.seen()[0];
  ASSERT_TRUE(seen.overloaded());
  EXPECT_GT(seen.overload.s, 2);
  EXPECT_LT(seen.overload.s, 7);
  EXPECT_EQ(watch.breaking_load(0, seen.overload.s), 500);
  EXPECT_LT(seen.largest.s, 2) << "the largest tension is at the hook";
}

TEST(Sections, SayWhatIsWrong) {
  Scene scene = hanging(CableModel::np_fem, 10);
  scene.cables[0].length = 8.5;
  EXPECT_EQ(refused(scene),
            "cable 'line', sections: found 8 m of sections; expected 8.5 m, the cable's length. "
            "Give one of them no length: it takes what the others leave.");
  scene.cables[0].sections[0].length = scene.cables[0].sections[1].length = 0;
  EXPECT_EQ(refused(scene),
            "cable 'line', sections: found 2 sections without a length; expected at most one. It "
            "takes what the others leave.");
  scene.cables[0].sections[0].length = 7.5;
  EXPECT_EQ(refused(scene),
            "cable 'line', sections: found 8.5 m of sections; expected less than 8.5 m, the "
            "cable's length. Nothing is left for the section without a length.");
  scene = hanging(CableModel::np_fem, 10);
  scene.cables[0].sections[1].EA = 0;
  EXPECT_EQ(refused(scene),
            "cable 'line', section 2, EA: found 0 N; expected a finite number above zero. Give the "
            "physical value in SI units.");
  scene = hanging(CableModel::np_fem, 10);
  scene.cables[0].initial = Initial::catenary;
  EXPECT_EQ(refused(scene),
            "cable 'line', initial: found a catenary of 3 sections; expected one section. Start "
            "the whole scene in static equilibrium, or give its shape by points.");
  EXPECT_EQ(refused(hanging(CableModel::ancf, 10)),
            "cable 'line', section 2, EA: found 200000 N beside 3e+06 N with the model ancf; "
            "expected the same EA in all sections. Its nodes have one slope, and so one strain, "
            "for both sides. Use the model np-fem.");
  scene = hanging(CableModel::massless, 10);
  scene.cables[0].sections[2].axial_damping.viscosity = 1;
  EXPECT_NE(refused(scene).find("the same in all sections of a massless cable"), std::string::npos);
  scene = hanging(CableModel::np_fem, 10);
  scene.cables[0].sections[2].mass_damping = 1;
  EXPECT_NE(refused(scene).find("0 1/s, as in the first section"), std::string::npos);
  scene = hanging(CableModel::massless, 10);
  scene.cables[0].route.insert(scene.cables[0].route.begin() + 1, Stop::over("ring"));
  scene.cables[0].route[1].friction = 0.1;
  scene.supports.push_back(ground("ring", {0, 0, -1}));
  EXPECT_NE(refused(scene).find("3 sections on a route with friction or grip"), std::string::npos);
}

TEST(Sections, AreReadFromAList) {
  const std::string text =
      "sections: {a: {EA: 1 MN, mass: 1 kg/m}, b: {EA: 2 MN, mass: 3 kg/m}}\n"
      "supports: {hook: {position: [0, 0, 0]}}\n"
      "cables: {line: {model: np-fem, section: [[a, 2 m], [b, rest], [a, 50 cm]], route: [hook, [5 "
      "m, 0, 0]]}}\n";
  const SceneFile file = read_scene_text(text, "list.yaml");
  const std::vector<SectionPart>& parts = file.scene.cables[0].sections;
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].length, 2);
  EXPECT_EQ(parts[1].length, 0);
  EXPECT_EQ(parts[1].EA, 2e6);
  EXPECT_EQ(parts[2].length, 0.5);
  const SceneFile again = read_scene_text(file.resolved, "again.yaml");
  ASSERT_EQ(again.scene.cables[0].sections.size(), 3U);
  EXPECT_EQ(again.scene.cables[0].sections[2].length, 0.5);
  EXPECT_NEAR(Model(file.scene).data().total_mass, 2.5 + 3 * 2.5, 1e-12);
}

// --- loads on parts ---

Scene beam(double EI, double L, int elements) {
  Scene scene;
  scene.gravity.setZero();
  Cable c;
  c.name = "beam";
  c.sections = {Section{1e8, EI, 1}};
  c.route.back() = {L, 0, 0};
  c.elements = elements;
  scene.cables = {c};
  clamp(scene, "beam", 0);
  return scene;
}

double tip(const Scene& scene) {
  const Model model(scene);
  State state = Integrator(model, {}).start();
  EXPECT_TRUE(equilibrium(model, state).converged);
  return state.position(model.node(Place::end("beam"))).z();
}

/// Small deflections of a cantilever: uniform load q from a to L, with b = L - a:
/// q/(24 EI) (3 L^4 - 4 a^3 L + a^4); load rising to q at the tip: 11 q L^4/(120 EI); falling to
/// zero there: q L^4/(30 EI).
TEST(PartLoads, BendACantileverAsTheyShould) {
  constexpr double EI = 200, L = 2, q = 0.01, a = 0.7;
  Scene scene = beam(EI, L, 12);
  DistributedForce load;
  load.cable = "beam";
  load.force = {0, 0, q};
  load.from = a;
  scene.distributed_forces = {load};
  const double part = q / (24 * EI) * (3 * std::pow(L, 4) - 4 * a * a * a * L + std::pow(a, 4));
  EXPECT_NEAR(tip(scene), part, 1e-6 * part);
  load.from = 0;
  load.along = [](double s) { return Signal(s / L); };
  scene.distributed_forces = {load};
  EXPECT_NEAR(tip(scene), 11 * q * std::pow(L, 4) / (120 * EI), 1e-6 * part);
  load.along = [](double s) { return Signal(1 - s / L); };
  scene.distributed_forces = {load};
  EXPECT_NEAR(tip(scene), q * std::pow(L, 4) / (30 * EI), 1e-6 * part);
}

/// The whole force is the integral, at any time: of q sin(k s - w t) from a to b.
TEST(PartLoads, MayTravelAlongTheCable) {
  constexpr double q = 3, k = 2, w = 5, a = 0.37, b = 1.6;
  Scene scene;
  scene.gravity.setZero();
  Cable c;
  c.name = "line";
  c.sections = {Section{1e4, 0, 1}};
  c.route.back() = {2, 0, 0};
  c.model = CableModel::np_fem;
  scene.cables = {c};
  DistributedForce load;
  load.cable = "line";
  load.force = {0, q, 0};
  load.from = a;
  load.to = b;
  load.along = [](double s) {
    return Signal::function([s](double t) {
      return Signal::Sample{std::sin(k * s - w * t), -w * std::cos(k * s - w * t),
                            -w * w * std::sin(k * s - w * t)};
    });
  };
  scene.distributed_forces = {load};
  const Model model(scene);
  Integrator integrator(model, solve_options(Method::newton, 1e-4, Scheme::newmark));
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 0.2), Status::ok);
  // Momentum: int_0^t int_a^b q sin(k s - w t) ds dt
  const auto inner = [&](double t) {
    return q / k * (std::cos(k * a - w * t) - std::cos(k * b - w * t));
  };
  double impulse = 0;
  constexpr int steps = 2000;
  for (int i = 0; i < steps; ++i) impulse += inner(state.t * (i + 0.5) / steps) * state.t / steps;
  EXPECT_NEAR(momentum(model, state).linear.y(), impulse, 1e-5 * std::abs(impulse));
}

TEST(PartLoads, AreReadWithTheArcLength) {
  const std::string text =
      "sections: {a: {EA: 1 MN, mass: 1 kg/m}}\n"
      "variables: {top: 4 N/m}\n"
      "supports: {hook: {position: [0, 0, 0]}}\n"
      "cables: {line: {section: a, route: [hook, [10 m, 0, 0]]}}\n"
      "loads: {wind: {on: line, from: 2 m, to: 7 m, force_per_length: [0, \"top * s / 10 m\", "
      "\"2 N/m * s / 5 m * ramp(t, 0 s, 1 s)\"]}}\n";
  const SceneFile file = read_scene_text(text, "wind.yaml");
  const std::vector<DistributedForce>& loads = file.scene.distributed_forces;
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_EQ(loads[0].from, 2);
  EXPECT_EQ(loads[0].to, 7);
  EXPECT_EQ(loads[0].force, Vec3::UnitY());
  ASSERT_TRUE(loads[0].along);
  EXPECT_DOUBLE_EQ(loads[0].along(5).at({0, {}}).value, 2);
  EXPECT_TRUE(loads[0].along(5).is_constant());
  EXPECT_DOUBLE_EQ(loads[1].along(5).at({0.5, {}}).value, 1);
  EXPECT_FALSE(loads[1].along(5).is_constant());
  const SceneFile again = read_scene_text(file.resolved, "again.yaml");
  EXPECT_DOUBLE_EQ(again.scene.distributed_forces[1].along(2.5).at({0.5, {}}).value, 0.5);
  const auto said = [&](const std::string& load) {
    try {
      read_scene_text(text.substr(0, text.find("loads:")) + "loads: {wind: " + load + "}\n",
                      "w.yaml");
      return std::string("none");
    } catch (const SceneError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(said("{on: line, from: 7 m, to: 2 m, force_per_length: [0, 0, 1 N/m]}")
                .find("found a part from 7 m to 2 m; expected a part of the cable, from 0 to 10 m"),
            std::string::npos);
  EXPECT_NE(said("{at: line@end, from: 1 m, force: [0, 0, 1 N]}")
                .find("found `from` without `force_per_length`"),
            std::string::npos);
  EXPECT_NE(said("{at: line@end, force: [0, 0, \"1 N/m * s\"]}").find("loads.wind.force[2]"),
            std::string::npos)
      << "s only along a cable";
}

}  // namespace
}  // namespace hawser

// Cables of several sections, and loads on parts of cables: nodes where they change, closed forms
// of hanging lengths and beams, and what is refused.
#include "model/sections.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "hawser/error.h"
#include "hawser/scene_file.h"
#include "hawser/statics.h"
#include "machines.h"
#include "model/model_data.h"
#include "run/tension_watch.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
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
  for (const CableModel kind : {CableModel::np_fem, CableModel::massless, CableModel::ancf}) {
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
  EXPECT_NEAR(row.compliance_at({0, {}}, 0), 3 / chain.EA + 5 / rope.EA, 1e-15);
  EXPECT_NEAR(row.compliance_at({0.5, {}}, 0), 1.5 / chain.EA + 5 / rope.EA, 1e-15);
  EXPECT_NEAR(row.compliance_at({1, {}}, 0), 1 / chain.EA + 4 / rope.EA, 1e-15);
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

/// A rod hanging from its start under an axial load with corners inside of its elements, linear
/// between rows: N(s) = int_s^L f, u(s) = int_0^s N/EA. Straight elements have the exact
/// displacement at every node, cubic ones at the end.
TEST(PartLoads, FollowATable) {
  constexpr double EA = 1e5, L = 3;
  const std::vector<double> s{0.4, 1.3, 2.9}, f{50, -20, 80};
  const auto load_at = [&](double x) {
    if (x <= s[0]) return f[0];
    for (size_t i = 1; i < s.size(); ++i)
      if (x <= s[i]) return f[i - 1] + (f[i] - f[i - 1]) * (x - s[i - 1]) / (s[i] - s[i - 1]);
    return f.back();
  };
  // By parts: u(x) = (1/EA) int_0^L f(y) min(x, y) dy; Simpson's rule is exact between corners.
  const auto exact = [&](double x) {
    std::vector<double> cuts{0, s[0], s[1], s[2], L, x};
    std::sort(cuts.begin(), cuts.end());
    double sum = 0;
    for (size_t i = 1; i < cuts.size(); ++i) {
      const double a = cuts[i - 1], b = cuts[i], m = (a + b) / 2;
      const auto at = [&](double y) { return load_at(y) * std::min(x, y); };
      sum += (b - a) / 6 * (at(a) + 4 * at(m) + at(b));
    }
    return sum / EA;
  };
  for (const CableModel kind : {CableModel::np_fem, CableModel::ancf}) {
    Scene scene = beam(0, L, 5);
    scene.cables[0].model = kind;
    scene.cables[0].sections[0].EA = EA;
    DistributedForce load;
    load.cable = "beam";
    load.force = Vec3::UnitX();
    load.along = Profile::table(s, f);
    scene.distributed_forces = {load};
    const Model model(scene);
    State state = Integrator(model, {}).start();
    ASSERT_TRUE(equilibrium(model, state).converged);
    const int end = model.node(Place::end("beam"));
    for (int node = 0; node <= end; ++node) {
      const double x = L * node / end;
      if (kind == CableModel::np_fem || node == end) {
        EXPECT_NEAR(state.position(node).x() - x, exact(x), 1e-12) << node;
      }
    }
  }
}

/// A spline over s is a cubic in every part: the whole force is its integral. With rows at 0, 1, 2
/// m and values 0, 1, 0 it is s^2 (3 - 2 s) up to 1 m and falls as it rose: 1 in all.
TEST(PartLoads, MayBeSmoothTables) {
  Scene scene = beam(0, 2, 3);
  scene.cables[0].sections[0].EA = 1e3;
  DistributedForce load;
  load.cable = "beam";
  load.force = {7, 0, 0};
  load.along = Profile::table({0, 1, 2}, {0, 1, 0}, Interpolation::smooth);
  scene.distributed_forces = {load};
  const Model model(scene);
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  EXPECT_NEAR(reaction(model, state, Place::start("beam")).force.x(), -7, 1e-11);
}

TEST(PartLoads, AreReadFromTables) {
  const std::string head =
      "sections: {a: {EA: 1 MN, mass: 1 kg/m}}\n"
      "variables: {reach: 4 m}\n"
      "supports: {hook: {position: [0, 0, 0]}}\n"
      "cables: {line: {section: a, route: [hook, [10 m, 0, 0]]}}\n";
  const auto with = [&](const std::string& table) {
    return head + "loads: {wind: {on: line, force_per_length: [0, " + table + ", 0]}}\n";
  };
  const SceneFile file =
      read_scene_text(with("{over: s, table: [[20 cm, 1 N/m], [reach, 2 kN/m]]}"), "wind.yaml");
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "profile-rows.csv") << "s, q\n0.2, 1\n4, 2000\n";
  for (const std::string& text : {file.resolved, with("{over: s, table: profile-rows.csv}")}) {
    const SceneFile again = read_scene_text(text, folder + "again.yaml");
    const std::vector<DistributedForce>& loads = again.scene.distributed_forces;
    ASSERT_EQ(loads.size(), 1U);
    ASSERT_TRUE(loads[0].along);
    EXPECT_EQ(loads[0].along.kinks(), (std::vector<double>{0.2, 4}));
    EXPECT_DOUBLE_EQ(loads[0].along(0).at({0, {}}).value, 1);
    EXPECT_DOUBLE_EQ(loads[0].along(2.1).at({3, {}}).value, 1000.5);
    EXPECT_DOUBLE_EQ(loads[0].along(9).at({0, {}}).value, 2000);
  }
  EXPECT_FALSE(read_scene_text(with("{table: [[0 s, 1 N/m], [1 s, 2 N/m]]}"), "t.yaml")
                   .scene.distributed_forces[0]
                   .along)
      << "over time";
  const auto said = [&](const std::string& table) {
    try {
      read_scene_text(with(table), "w.yaml");
      return std::string("none");
    } catch (const SceneError& error) {
      return std::string(error.what());
    }
  };
  const std::pair<std::string, std::string> wrong[] = {
      {"{over: s, table: [[4 m, 1 N/m], [1 m, 2 N/m]]}",
       "found arc lengths that do not increase; expected a valid function of s"},
      {"{over: s, table: [[0 m, 1 N/m], [11 m, 2 N/m]]}",
       "found a row at s = 11 m; expected rows on the cable, from 0 to 10 m"},
      {"{over: s, table: [[-1 m, 1 N/m], [1 m, 2 N/m]]}", "found a row at s = -1 m"},
      {"{table: [[0 m, 1 N/m], [1 m, 2 N/m]]}", "expected `over: s` for a table over the arc"},
      {"{over: s, table: [[0 s, 1 N/m], [1 s, 2 N/m]]}", "length"},
      {"{over: s, table: [[0 m, 1 N], [1 m, 2 N/m]]}", "force per length"},
      {"{over: x, table: [[0 m, 1 N/m], [1 m, 2 N/m]]}", "expected t or s"}};
  for (const auto& [table, message] : wrong)
    EXPECT_NE(said(table).find(message), std::string::npos) << table << ": " << said(table);
  EXPECT_NE(said("0]}, push: {at: line@end, force: [0, {over: s, table: [[0 m, 1 N], [1 m, 2 N]]}")
                .find("loads.push.force[1]"),
            std::string::npos)
      << "only along a cable";
}

TEST(PartLoads, OfTablesAreValidated) {
  Scene scene = beam(1, 2, 3);
  DistributedForce load;
  load.cable = "beam";
  load.force = Vec3::UnitZ();
  load.along = Profile::table({0, 2.5}, {1, 2});
  scene.distributed_forces = {load};
  EXPECT_EQ(refused(scene),
            "distributed force: found 2.5 m of cable 'beam'; expected 0 to 2 m, the cable's "
            "length.");
  scene.distributed_forces[0].along = Profile::table({1, 1}, {1, 2});
  EXPECT_EQ(refused(scene),
            "distributed force on 'beam': found arc lengths that do not increase; expected a valid "
            "function of s.");
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
}  // namespace hawser::HAWSER_FILE

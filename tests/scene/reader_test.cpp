// Scene files read into the scenes they describe, and the resolved text into the same again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "constraints/linear_rows.h"
#include "hawser/model.h"
#include "hawser/scene_file.h"
#include "hawser/section_library.h"
#include "model/model_data.h"
#include "scene/read.h"
#include "scene/scene_compare.h"
#include "source_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double pi = std::numbers::pi;
const std::filesystem::path source = source_folder;

SceneFile whole(const std::string& name, const std::vector<std::string>& sets = {}) {
  return read_scene((source / "tests/scene/whole" / (name + ".yaml")).string(), sets);
}

const std::string base =
    "variables: {span: 10 m}\n"
    "sections: {rope: {EA: 1 MN, mass: 1 kg/m}}\n"
    "supports: {a: {position: [0, 0, 0]}, b: {position: [span, 0, 0]}}\n"
    "cables: {line: {section: rope, route: [a, [5 m, 0, 1 m], b], elements: 20}}\n";

SceneFile text(const std::string& more, const std::vector<std::string>& sets = {}) {
  return read_scene_text(base + more, "scene.yaml", sets);
}

std::string error_of(const std::string& more, const std::vector<std::string>& sets = {}) {
  try {
    text(more, sets);
    return "none";
  } catch (const SceneError& error) {
    return error.what();
  }
}

TEST(Reader, SmallestSceneHasTheDefaults) {
  const SceneFile f = whole("smallest");
  EXPECT_EQ(f.title, "smallest");
  EXPECT_EQ(f.scene.gravity, Vec3(0, 0, -9.81));
  ASSERT_EQ(f.scene.cables.size(), 1u);
  Cable expected;
  expected.name = "line";
  expected.sections = {Section{1e6, 0, 1, 0, 0}};
  expected.route.back() = {10, 0, 0};
  expect_same(f.scene.cables[0], expected);
  EXPECT_TRUE(f.scene.supports.empty());
  EXPECT_EQ(f.until, 10);
  EXPECT_EQ(f.solve.step, SolveOptions{}.step);
  EXPECT_EQ(f.solve.method, SolveOptions{}.method);
  EXPECT_EQ(f.record.every, 0.01);
  EXPECT_EQ(f.record.shapes_every, 0.04);
  EXPECT_TRUE(f.record.channels.empty());
  EXPECT_TRUE(f.warnings.empty());
}

TEST(Reader, ReadsACableWithAllItsNumbers) {
  const SceneFile f = whole("pendulum");
  EXPECT_EQ(f.title, "A swinging bar");
  EXPECT_EQ(f.description, "Two lines,\n\"quoted\" and with a backslash \\.\n");
  EXPECT_EQ(f.scene.gravity, Vec3(0, 0, -9.80665));
  ASSERT_EQ(f.scene.cables.size(), 1u);
  const Cable& bar = f.scene.cables[0];
  EXPECT_DOUBLE_EQ(bar.sections[0].EA, 200e9 * pi * 1e-4);
  EXPECT_EQ(bar.sections[0].EI, 12);  // goes before what the material says
  EXPECT_DOUBLE_EQ(bar.sections[0].mass, 7850 * pi * 1e-4);
  EXPECT_DOUBLE_EQ(bar.sections[0].breaking_load, 98066.5);
  ASSERT_EQ(bar.route.size(), 2u);
  EXPECT_EQ(bar.route[0].kind, Stop::Kind::hold);
  EXPECT_EQ(bar.route[0].on, "hook");
  EXPECT_EQ(bar.route[1].kind, Stop::Kind::free);
  EXPECT_EQ(bar.route[1].point, Vec3(4, 0, 2.5));
  EXPECT_EQ(bar.length, 3.9);
  EXPECT_EQ(bar.elements, 12);
  EXPECT_EQ(bar.strain, StrainMeasure::engineering);
  EXPECT_EQ(bar.curvature, CurvatureMeasure::material);
  EXPECT_EQ(bar.axial_points, 7);
  EXPECT_EQ(bar.bending_points, 4);
  EXPECT_EQ(bar.velocity, Vec3(0, 1, 0));
  EXPECT_DOUBLE_EQ(bar.angular_velocity.z(), 2 * pi);
  ASSERT_EQ(f.scene.supports.size(), 1u);
  EXPECT_EQ(f.scene.supports[0].name, "hook");
  EXPECT_EQ(f.scene.supports[0].position, Vec3(0, 0, 2.5));
}

TEST(Reader, ReadsLoads) {
  const Scene s = whole("pendulum").scene;
  ASSERT_EQ(s.point_masses.size(), 1u);
  expect_same(s.point_masses[0].at, Place::end("bar"));
  EXPECT_EQ(s.point_masses[0].mass, 500);

  ASSERT_EQ(s.point_forces.size(), 2u);  // what changes apart from what does not
  expect_same(s.point_forces[0].at, Place::fraction("bar", 0.5));
  EXPECT_EQ(s.point_forces[0].force, Vec3(0, 0, 1));
  for (const double t : {0.1, 0.6, 1.3}) {
    const double x = std::min(t, 1.0), step = x * x * x * (10 + x * (-15 + 6 * x));
    EXPECT_NEAR(s.point_forces[0].strength.at({t, {}}).value, 50 * std::sin(4 * pi * t) * step,
                1e-12);
  }
  EXPECT_EQ(s.point_forces[1].force, Vec3(100, 0, 0));
  EXPECT_TRUE(s.point_forces[1].strength.is_constant());

  ASSERT_EQ(s.distributed_forces.size(), 1u);
  EXPECT_EQ(s.distributed_forces[0].force, Vec3(0, 1, 0));
  EXPECT_NEAR(s.distributed_forces[0].strength.at({0.4, {}}).value, 1 + 3 * std::cos(pi * 0.4),
              1e-12);

  ASSERT_EQ(s.moments.size(), 1u);
  expect_same(s.moments[0].at, Place::at("bar", 1.95));
  EXPECT_EQ(s.moments[0].stiffness, Stiffness::non_stiff);
  EXPECT_TRUE(s.moments[0].strength.same_as(Signal::ramp(0, 2, 1, 2)));
}

TEST(Reader, ReadsHowToSolveAndWhatToRecord) {
  const SceneFile f = whole("pendulum");
  EXPECT_EQ(f.until, 5);
  EXPECT_EQ(f.solve.step, 0.002);
  EXPECT_EQ(f.solve.scheme, Scheme::generalized_alpha);
  EXPECT_EQ(f.solve.method, Method::newton);
  EXPECT_EQ(f.solve.rho_infinity, 0.6);
  EXPECT_TRUE(f.solve.error_control);
  EXPECT_EQ(f.solve.tolerance, 1e-6);
  EXPECT_EQ(f.solve.newton_tolerance, 1e-8);
  EXPECT_EQ(f.solve.newton_iterations, 12);
  EXPECT_EQ(f.solve.energy_guard, 0);
  EXPECT_EQ(f.solve.backend, LinearBackend::sparse);
  EXPECT_EQ(f.record.every, 0.01);
  EXPECT_EQ(f.record.shapes_every, 0.1);
  EXPECT_EQ(f.record.points, 3);
  EXPECT_EQ(f.record.channels,
            (std::vector<std::string>{"bar.position@end", "bar.tension@1.95 m", "energy"}));
}

TEST(Reader, ReadsExpectations) {
  const SceneFile f = whole("pendulum");
  ASSERT_EQ(f.expect.size(), 2u);
  EXPECT_EQ(f.expect[0].name, "height");
  EXPECT_EQ(f.expect[0].channel, "bar.position.z@end");
  EXPECT_EQ(f.expect[0].time, 1);
  EXPECT_EQ(f.expect[0].value, 1.2);
  EXPECT_EQ(f.expect[0].unit, "m");
  EXPECT_EQ(f.expect[0].within, 0.01);
  EXPECT_EQ(f.expect[0].source, "hand, p. 3");
  EXPECT_LT(f.expect[1].time, 0);
  EXPECT_EQ(f.expect[1].unit, "");
}

TEST(Reader, MergesIncludedFiles) {
  const SceneFile f = whole("moving");
  EXPECT_EQ(f.until, 4);           // the scene goes before
  EXPECT_EQ(f.solve.step, 0.005);  // the include fills in
  EXPECT_EQ(f.solve.constraints, ConstraintLevel::baumgarte);
  const LibrarySection& entry = *find_library_section("wire-rope-6x19");
  const Section rope = library_properties(entry, 0.016).section;
  const Section& read = f.scene.cables[0].sections[0];
  EXPECT_EQ(read.EA, rope.EA);
  EXPECT_EQ(read.EI, rope.EI);
  EXPECT_EQ(read.mass, rope.mass);
  EXPECT_EQ(read.breaking_load, rope.breaking_load);
  EXPECT_EQ(read.GJ, 5);
}

const Support& support_of(const Scene& scene, const std::string& name) {
  for (const Support& s : scene.supports)
    if (s.name == name) return s;
  ADD_FAILURE() << "no support " << name;
  return scene.supports.at(0);
}

const Signal& motion_of(const Scene& scene, const std::string& name, size_t axis) {
  return support_of(scene, name).motion[axis];
}

TEST(Reader, MovesSupportsByTables) {
  const Scene s = whole("moving").scene;
  const Signal heave = Signal::table({0, 0.5, 1.5, 4}, {0, 0.25, -0.5, 0}, Interpolation::smooth);
  const Signal& z = motion_of(s, "crane", 2);
  const Signal& x = motion_of(s, "crane", 0);
  for (const double t : {0.0, 0.2, 0.9, 1.5, 3.3}) {
    EXPECT_EQ(z.at({t, {}}).value, heave.at({t, {}}).value);
    EXPECT_EQ(z.at({t, {}}).rate, heave.at({t, {}}).rate);
    EXPECT_EQ(z.at({t, {}}).acceleration, heave.at({t, {}}).acceleration);
  }
  EXPECT_DOUBLE_EQ(x.at({0.5, {}}).value, 0.1);
  EXPECT_DOUBLE_EQ(x.at({1.5, {}}).rate, -0.2);
  EXPECT_EQ(x.kinks(), (std::vector<double>{0, 1, 2}));
  EXPECT_TRUE(z.kinks().empty());
  EXPECT_EQ(motion_of(s, "crane", 1).at({1, {}}).value, 0);
}

TEST(Reader, LetsSupportsSlide) {
  const SceneFile f = whole("moving");
  const Support& trolley = support_of(f.scene, "trolley");
  ASSERT_TRUE(trolley.slides);
  EXPECT_EQ(*trolley.slides, Vec3::UnitX());
  EXPECT_DOUBLE_EQ(trolley.motion[1].at({2, {}}).value, 0.05);
  EXPECT_TRUE(trolley.motion[2].same_as(0.0));
  EXPECT_FALSE(support_of(f.scene, "crane").slides);

  // Across (3, 0, 4)/5: two conditions n . r = n . (20, sin(pi t), 10), n orthogonal to it.
  Scene scene = f.scene;
  scene.conditions.clear();
  const Model model(scene);
  const int node = model.node(Place::at("hoist", 20));
  int found = 0;
  std::vector<Signal> values;
  for (const auto& constraint : model.data().constraints)
    if (dynamic_cast<const LinearRows*>(constraint.get()))
      constraint->visit_signals([&](const Signal& value) { values.push_back(value); });
  for (size_t r = 0; r < values.size(); ++r) {
    const RowInfo& row = model.data().rows[r];
    if (row.coordinates[0] != 6 * node) continue;
    ++found;
    Vec3 n;
    for (int k = 0; k < 3; ++k) n[k] = row.factors[static_cast<size_t>(k)];
    EXPECT_NEAR(n.norm(), 1, 1e-14);
    EXPECT_NEAR(n.dot(Vec3(3, 0, 4)), 0, 1e-14);
    EXPECT_NEAR(values[r].at({0.5, {}}).value, n.dot(Vec3(20, 1, 10)), 1e-12);
    EXPECT_NEAR(values[r].at({0, {}}).rate, n.y() * pi, 1e-12);
  }
  EXPECT_EQ(found, 2);
}

TEST(Reader, ClampsAndTurns) {
  const SceneFile f = whole("moving");
  EXPECT_EQ(f.scene.cables[0].route.back().kind, Stop::Kind::clamp);
  EXPECT_EQ(f.scene.cables[0].route.back().on, "deck");
  EXPECT_EQ(f.scene.cables[1].route.front().kind, Stop::Kind::clamp);
  const Support& mast = support_of(f.scene, "mast");
  ASSERT_TRUE(mast.turn);
  EXPECT_EQ(mast.turn->axis, Vec3::UnitZ());
  EXPECT_EQ(mast.turn->angle.at({0, {}}).value, 0);
  EXPECT_NEAR(mast.turn->angle.at({2, {}}).value, pi / 4, 1e-14);
  EXPECT_NEAR(mast.turn->angle.at({3, {}}).value, pi / 2, 1e-14);
  EXPECT_NEAR(mast.turn->angle.at({2, {}}).rate, 15.0 / 8 * pi / 2 / 2, 1e-13);
  EXPECT_FALSE(support_of(f.scene, "deck").turn);
}

TEST(Reader, ReadsConditions) {
  const Scene s = whole("moving").scene;
  const LinearCondition& level = s.conditions[s.conditions.size() - 2];
  EXPECT_EQ(level.name, "level");
  ASSERT_EQ(level.terms.size(), 2u);
  expect_same(level.terms[0].at, Place::start("stay"));
  EXPECT_EQ(level.terms[0].coordinate, Coordinate::z);
  EXPECT_EQ(level.terms[0].factor, 1);
  EXPECT_EQ(level.terms[1].factor, -2);
  EXPECT_TRUE(level.value.same_as(Signal::ramp(0, 0.05, 0, 1)));
  const LinearCondition& tied = s.conditions.back();
  EXPECT_EQ(tied.terms[0].coordinate, Coordinate::slope_y);
  EXPECT_TRUE(tied.value.same_as(0.0));
}

TEST(Reader, WarnsOfWhatReadsOddly) {
  const SceneFile f = whole("moving");
  ASSERT_EQ(f.warnings.size(), 7u) << fmt::format("{}", fmt::join(f.warnings, "\n"));
  EXPECT_EQ(
      f.warnings[5],
      "cable 'stay' is 13 m long on a route of 12.0711 m: it starts compressed by 7.15 %, with a "
      "compressive force of 7.39e+05 N, and buckles. Use `initial: catenary` to let it hang");
  EXPECT_EQ(f.warnings[6], "support 'spare' is not used by any route or joint");
  const SceneFile bent = text("", {"cables.line.route=[[0, 0, 0], [1 m, 0, 0], [1 m, 0, 1 m]]"});
  EXPECT_EQ(bent.warnings.at(0),
            "cable 'line' has a corner of 90 deg at point 2 of its route: it starts with a tight, "
            "stressed bend there");
  EXPECT_EQ(text("", {"cables.line.length=8 m"}).warnings.at(1),
            "cable 'line' is 8 m long on a route of 10.198 m: it starts stretched by 27.5 %");
}

/// A GJ that the file asks for; the library has one for every rope.
TEST(Reader, WarnsOfTwistThatNoCableHas) {
  const std::string rest = " ignores the GJ of section 'rope': ";
  const auto warnings = [](const std::string& more, const std::string& model) {
    return text(more, {"cables.line.route=[a, b]", "cables.line.model=" + model}).warnings;
  };
  EXPECT_TRUE(warnings("", "ancf").empty());
  const auto with_GJ = [](const std::string& value, const std::string& model) {
    return text("", {"cables.line.route=[a, b]", "cables.line.model=" + model,
                     "sections.rope.GJ=" + value})
        .warnings;
  };
  ASSERT_EQ(with_GJ("2 N m^2", "ancf").size(), 1u);
  EXPECT_EQ(with_GJ("2 N m^2", "ancf")[0],
            "cable 'line'" + rest + "ancf cables have no torsion, only massless cables do");
  ASSERT_EQ(with_GJ("2 N m^2", "np-fem").size(), 1u);
  EXPECT_EQ(with_GJ("2 N m^2", "np-fem")[0],
            "cable 'line'" + rest + "np-fem cables have no torsion, only massless cables do");
  ASSERT_EQ(with_GJ("2 N m^2", "massless").size(), 1u);  // of its `elements` alone
  EXPECT_EQ(with_GJ("2 N m^2", "massless")[0].find("GJ"), std::string::npos);
  EXPECT_TRUE(with_GJ("0 N m^2", "ancf").empty());
  const SceneFile net = text(
      "nets: {web: {section: rope, meshes: [2, 2], corners: [[0, 1, 0], [2, 1, 0], [2, 3, 0], [0, "
      "3, 0]]}}\n",
      {"cables.line.route=[a, b]", "sections.rope.GJ=2 N m^2"});
  ASSERT_EQ(net.warnings.size(), 2u);
  EXPECT_EQ(net.warnings[1],
            "net 'web'" + rest + "np-fem cables have no torsion, only massless cables do");
}

TEST(Reader, WarnsOfDegreesReadAsRadians) {
  const auto turned = [](const std::string& angle) {
    return text(
               "bodies: {ball: {shape: {sphere: 1 m}, mass: 1 kg, position: [0, 0, 5 m], "
               "orientation: {axis: x, angle: " +
               angle + "}}}\n")
        .warnings;
  };
  const size_t others = turned("90 deg").size();
  ASSERT_EQ(turned("90").size(), others + 1);
  EXPECT_EQ(turned("90")[0],
            "bodies.ball.orientation.angle: 90 is read as radians, 14.3 turns. Write 90 deg for "
            "degrees, or 90 rad to avoid this warning");
  for (const char* meant : {"90 rad", "1.57", "6.28", "10*pi", "-1.5"})
    EXPECT_EQ(turned(meant).size(), others) << meant;
  EXPECT_EQ(turned("-90").size(), others + 1);
  const SceneFile f = text(
      "bodies: {arm: {shape: {sphere: 1 m}, mass: 1 kg, position: [0, 0, 5 m]}}\n"
      "joints: {hinge: {kind: hinge, between: [a, arm], axis: x, turn: {smooth: [0, 90], from: 0 "
      "s, "
      "to: 1 s}, turn_limits: [-100, 2]}}\n",
      {"supports.a.position=[0, 0, 5 m]"});
  EXPECT_TRUE(f.warnings.at(0).starts_with("joints.hinge.turn.smooth[1]: 90 is read as radians"))
      << f.warnings.at(0);
  EXPECT_TRUE(f.warnings.at(1).starts_with("joints.hinge.turn_limits[0]: -100 is read as"))
      << f.warnings.at(1);
}

TEST(Reader, WarnsOfElementsThatAMasslessCableHasNot) {
  const std::vector<std::string> massless{"cables.line.model=massless", "cables.line.route=[a, b]",
                                          "cables.line.elements=20"};
  EXPECT_EQ(text("", massless).warnings.at(0),
            "cable 'line': `elements` has no effect, a massless cable has none. Remove it, or use "
            "`model: ancf` or `model: np-fem`");
  const SceneFile unsaid =
      text("", {"cables.line={section: rope, model: massless, route: [a, b]}"});
  EXPECT_TRUE(unsaid.warnings.empty());
  EXPECT_TRUE(read_scene_text(unsaid.resolved, "again.yaml").warnings.empty());
}

TEST(Reader, ReadsHowCablesStart) {
  EXPECT_EQ(text("").scene.initial, Initial::straight);
  EXPECT_FALSE(text("").scene.cables[0].initial);
  EXPECT_EQ(text("initial: static\n").scene.initial, Initial::rest);
  const SceneFile f = text("initial: catenary\n", {"cables.line.initial=points"});
  EXPECT_EQ(f.scene.initial, Initial::catenary);
  EXPECT_EQ(f.scene.cables[0].initial, Initial::points);
  const SceneFile net = text(
      "initial: catenary\nnets: {web: {section: rope, meshes: [2, 2], corners: [[0, 1, 0], [2, 1, "
      "0], [2, 3, 0], [0, 3, 0]]}}\n");
  EXPECT_EQ(net.scene.cables.back().initial, Initial::straight);
  EXPECT_NO_THROW(Model(net.scene)) << "its threads meet at the knots";
}

TEST(Reader, WarnsOfAStartThatPushesMoreThanTheCableWeighs) {
  const auto warnings = [](const std::string& section, const std::string& rest) {
    return read_scene_text("title: Slack\nsections: {rope: {EA: 5 MN, mass: 0.6 kg/m" + section +
                               "}}\nsupports: {a: {position: [0, 0, 0]}, b: {position: [10 m, 0, "
                               "0]}}\ncables: {line: {section: rope, route: [a, b], " +
                               rest + "}}\n",
                           "slack.yaml")
        .warnings;
  };
  const std::vector<std::string> slack = warnings("", "length: 10.01 m");  // of 59 N
  ASSERT_EQ(slack.size(), 1U);
  EXPECT_EQ(
      slack[0],
      "cable 'line' is 10.01 m long on a route of 10 m: it starts compressed by 0.0999 %, with a "
      "compressive force of 5e+03 N, and buckles. Use `initial: catenary` to let it hang");
  EXPECT_EQ(warnings("", "length: 10.001 m, model: np-fem").size(), 1U);
  EXPECT_TRUE(warnings("", "length: 10.001 m, model: np-fem, tension_only: true").empty());
  EXPECT_TRUE(warnings("", "length: 10.01 m, initial: catenary").empty());
  EXPECT_TRUE(warnings("", "length: 10.0001 m").empty()) << "rounded: 50 N";
  EXPECT_TRUE(warnings(", EI: 2 kN m^2", "length: 10.001 m").empty()) << "a beam that holds it";
}

TEST(Reader, WarnsOfShapesAsTheyAre) {
  const auto warnings = [](const std::string& shape, const std::string& length) {
    return text("initial: " + shape + "\n", {"cables.line.length=" + length}).warnings;
  };
  EXPECT_EQ(warnings("straight", "12 m").size(), 2u) << "bent and compressed";
  EXPECT_EQ(warnings("catenary", "12 m").size(), 1u) << "bent, but slack";
  EXPECT_TRUE(warnings("static", "12 m").empty());
  ASSERT_EQ(warnings("points", "12 m").size(), 1u) << "not bent";
  EXPECT_EQ(
      warnings("points", "12 m")[0],
      "cable 'line' is 12 m long on a curve of 10.236 m: it starts compressed by 14.7 %, with a "
      "compressive force of 1.47e+05 N, and buckles. Use `initial: catenary` to let it hang");
  EXPECT_EQ(warnings("static", "9 m").at(0),
            "cable 'line' is 9 m long on a route of 10.198 m: it starts stretched by 13.3 %");
}

TEST(Reader, ClampsThatTurnHoldWhatTheShapeGives) {
  for (const char* shape : {"straight", "catenary", "points", "static"})
    for (const char* length : {"9 m", "straight", "12 m"}) {
      const SceneFile f =
          text("motions: {turn: {of: b, turn: {axis: x, angle: 0.1 rad/s * t}}}\n",
               {"cables.line.route=[a, [2 m, 1 m, 0], {clamp: b}]", "initial=" + std::string(shape),
                "cables.line.length=" + std::string(length), "variables.span=4 m"});
      EXPECT_NO_THROW(Model(f.scene)) << shape << ", " << length;
    }
}

TEST(Reader, KnowsWhereEverythingStands) {
  const SceneFile f = whole("moving");
  const SceneFile::Source& stay = f.sources.at("cables.stay");
  EXPECT_TRUE(stay.file.ends_with("moving.yaml"));
  EXPECT_EQ(stay.line, 20);
  EXPECT_EQ(stay.column, 3);
  EXPECT_EQ(stay.text, "  stay:");
  EXPECT_TRUE(f.sources.at("sections.rope").file.ends_with("ropes.yaml"));
  const SceneFile p = whole("pendulum");
  EXPECT_EQ(p.sources.at("record.channels[2]").column, 54);
  const SceneError error =
      at_source(p, "loads.push.force", Error("push", "too much", "less", "Push less."));
  const std::string line = p.sources.at("loads.push.force").text;
  EXPECT_EQ(
      std::string(error.what()).substr(source.string().size()),
      "/tests/scene/whole/pendulum.yaml:31:30: push: found too much; expected less.\n    31 | " +
          line + "\n       |                              ^\n         Push less.");
}

// --- --set ---

TEST(Sets, ReplaceValues) {
  const SceneFile f = text("", {"variables.span=20 m", "cables.line.elements=40",
                                "cables.line.route[1]=[5, 0, 2]", "solve.step=5 ms"});
  EXPECT_EQ(f.scene.supports[1].position.x(), 20);
  EXPECT_EQ(f.scene.cables[0].elements, 40);
  EXPECT_EQ(f.scene.cables[0].route[1].point, Vec3(5, 0, 2));
  EXPECT_EQ(f.solve.step, 0.005);
}

TEST(Sets, AddEntries) {
  const SceneFile f = text("", {"loads.bob={at: line@end, mass: 3 kg}", "title=Another"});
  EXPECT_EQ(f.scene.point_masses.at(0).mass, 3);
  EXPECT_EQ(f.title, "Another");
}

TEST(Sets, ThatCannotBeAreErrors) {
  EXPECT_EQ(error_of("", {"variables.spam=3 m"}),
            "--set:1:1: variables: found 'spam', an unknown variable; expected span.\n"
            "     1 | variables.spam=3 m\n       | ^\n         Did you mean 'span'?");
  EXPECT_EQ(error_of("", {"cables.line.route[3]=b"}),
            "--set:1:1: cables.line.route: found the index '3'; expected 0 to 2.\n"
            "     1 | cables.line.route[3]=b\n       | ^");
  EXPECT_EQ(error_of("", {"cables.line.route[1x]=b"}),
            "--set:1:1: cables.line.route: found the index '1x'; expected 0 to 2.\n"
            "     1 | cables.line.route[1x]=b\n       | ^");
  EXPECT_EQ(error_of("", {"cables.line.elements.x=b"}),
            "--set:1:1: cables.line.elements: found 'x' below '20'; expected a path to a field.\n"
            "     1 | cables.line.elements.x=b\n       | ^");
  EXPECT_EQ(error_of("", {"solve.step"}),
            "--set:1:1: found 'solve.step'; expected path=value, such as solve.step=5 ms or "
            "variables.span=20 m.\n     1 | solve.step\n       | ^");
  EXPECT_EQ(error_of("", {"solve.step=5 kg"}),
            "--set:1:12: solve.step: found '5 kg', which is a mass; expected a time, such as 10 ms."
            "\n     1 | solve.step=5 kg\n       |            ^");
}

// --- texts ---

TEST(Reader, TakesLinesOfWindowsAndAByteOrderMark) {
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : base) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_same(read_scene_text(windows, "w.yaml").scene, text("").scene);
}

TEST(Reader, TableFilesMayHaveAByteOrderMarkAndAHeader) {
  const std::string more = "motions: {go: {of: a, z: {table: t.csv}}}\n";
  for (const char* csv : {"\xEF\xBB\xBF"
                          "0,0\n1,2\n",
                          "t,z\r\n0,0\r\n1,2\r\n", "\"t\", \"z\"\n 0 , 0\n 1 , 2"}) {
    const FileLoader load = [&](const std::string&) -> Loaded { return {true, csv, {}}; };
    const SceneFile f = read_scene_with(base + more, "s.yaml", {}, load, {});
    EXPECT_EQ(motion_of(f.scene, "a", 2).at({0.25, {}}).value, 0.5) << csv;
  }
}

TEST(Reader, AnEmptyGroupLeavesRoomForAnInclude) {
  const FileLoader load = [](const std::string&) -> Loaded { return {true, base, {}}; };
  EXPECT_EQ(
      read_scene_with("cables:\ninclude: x.yaml\n", "s.yaml", {}, load, {}).scene.cables.size(),
      1u);
}

TEST(Reader, PlacesAreNodes) {
  // spans of sqrt(26) m, 10 elements each
  const auto node = [](const std::string& place) {
    const Scene scene = text("loads: {bob: {at: line@" + place + ", mass: 1 kg}}\n").scene;
    return Model(scene).node(scene.point_masses[0].at);
  };
  EXPECT_EQ(node("start"), 0);
  EXPECT_EQ(node("end"), 20);
  EXPECT_EQ(node("0.5"), 10);
  EXPECT_EQ(node("0.05"), 1);
  EXPECT_EQ(node("17/20"), 17);
  EXPECT_EQ(node("1.3 * sqrt(26) * 1 m"), 13);
  EXPECT_EQ(node("2 * sqrt(26) * 1 m"), 20);
}

TEST(Reader, PlacesOfCurvesAreByTheirLength) {
  const std::string curve = "initial: points\nloads: {bob: {at: line@1 m, mass: 1 kg}}\n";
  const std::vector<std::string> route = {"cables.line.route=[a, [1 m, 3 m, 0], [4 m, 0, 0], b]"};
  const Scene between = text(curve, route).scene;  // there is a node at every place
  const Model divided(between);
  const int bob = divided.node(between.point_masses[0].at);
  EXPECT_DOUBLE_EQ(divided.mesh().s[0][static_cast<size_t>(bob)], 1);
  const auto length = [&](int node) {
    const Model model(text("initial: points\n", route).scene);
    double s = 0;
    for (const Fields* part : model.data().fields_of(0)) {
      const int inside = std::min(node, part->run.elements);
      s += inside * part->run.length;
      node -= inside;
    }
    return s;
  };
  for (const int node : {1, 9, 15}) {
    const SceneFile f =
        text(curve, {route[0], fmt::format("loads.bob.at=line@{:.17g} m", length(node))});
    EXPECT_EQ(Model(f.scene).node(f.scene.point_masses[0].at), node);
  }
}

// --- the resolved scene ---

void expect_reads_back(const SceneFile& once) {
  SCOPED_TRACE(once.file);
  const SceneFile twice = read_scene_text(once.resolved, "resolved.yaml");
  EXPECT_EQ(twice.resolved, once.resolved);
  expect_same(once.scene, twice.scene);
  EXPECT_EQ(twice.description, once.description);
  EXPECT_EQ(twice.until, once.until);
  EXPECT_EQ(twice.solve.step, once.solve.step);
  EXPECT_EQ(twice.solve.method, once.solve.method);
  EXPECT_EQ(twice.solve.damping_time, once.solve.damping_time);
  EXPECT_EQ(twice.record.channels, once.record.channels);
  EXPECT_EQ(twice.expect.size(), once.expect.size());
  EXPECT_EQ(twice.warnings, once.warnings);
}

TEST(Reader, ReadsDamping) {
  const SceneFile f = whole("damped");
  const Section& cord = f.scene.cables[0].sections[0];
  EXPECT_EQ(cord.mass_damping, 0.1);
  Damping axial, bending;
  axial.viscosity = 1e-3 + 2e-3;  // Rayleigh's and its own
  axial.relaxations = {{0.2, 0.1}, {0.5, 2}};
  axial.fractional = {0.5, 0.1, 2, FractionalForm::direct};
  bending.viscosity = 1e-3;
  bending.fractional = {0.25, 0.3, 0, FractionalForm::constant_cost};
  expect_same(cord.axial_damping, axial);
  expect_same(cord.bending_damping, bending);

  const Section& thread = f.scene.cables[1].sections[0];
  EXPECT_EQ(thread.axial_damping.viscosity, 3e-3);
  EXPECT_EQ(thread.axial_damping.fractional.form, FractionalForm::gu_eq21);
  EXPECT_EQ(thread.axial_damping.fractional.memory, 0);
  EXPECT_FALSE(thread.bending_damping.any()) << "np-fem does not bend";
  EXPECT_FALSE(f.scene.cables[2].sections[0].axial_damping.any()) << "the library has none";
}

TEST(Reader, ReadsWhatAFluidFeels) {
  const SceneFile f = whole("damped");
  const Section& cord = f.scene.cables[0].sections[0];
  EXPECT_EQ(cord.diameter, 12e-3);
  EXPECT_EQ(cord.drag, 1.1);
  EXPECT_EQ(cord.tangential_drag, 0.02);
  const Section& thread = f.scene.cables[1].sections[0];
  EXPECT_EQ(thread.diameter, 0);
  EXPECT_EQ(thread.drag, Section{}.drag);
  EXPECT_EQ(thread.tangential_drag, Section{}.tangential_drag);
  const SectionProperties rope = library_properties(*find_library_section("wire-rope-6x19"), 16e-3);
  const Section& wire = f.scene.cables[2].sections[0];  // drag is given on the circle it displaces
  EXPECT_EQ(wire.diameter, rope.section.diameter);
  EXPECT_LT(wire.diameter, 16e-3) << "water fills the gaps between the wires";
  EXPECT_DOUBLE_EQ(wire.drag * wire.diameter, rope.drag_normal * rope.hydrodynamic_diameter);
  EXPECT_DOUBLE_EQ(wire.tangential_drag * wire.diameter,
                   rope.drag_axial * rope.hydrodynamic_diameter);
}

TEST(Resolved, ScenesReadBack) {
  for (const char* name : {"smallest", "pendulum", "moving", "crane", "damped"})
    expect_reads_back(whole(name));
}

TEST(Resolved, HoldsNothingOfOtherFiles) {
  const std::string resolved = whole("moving").resolved;
  for (const char* word : {"include", "variables", "heave.csv", "rope_diameter"})
    EXPECT_EQ(resolved.find(word), std::string::npos) << word;
}

TEST(Resolved, ShippedScenesReadBack) {
  const std::filesystem::path scenes = source / "scenes";
  if (!std::filesystem::is_directory(scenes)) GTEST_SKIP() << "no scenes are shipped";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scenes)) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path());
    try {
      expect_reads_back(read_scene(entry.path().string()));
    } catch (const SceneError& error) {
      const bool part =
          std::string(error.what()).find("no cable, net or body") != std::string::npos;
      EXPECT_TRUE(part) << error.what();  // a file that others include
    }
  }
}

TEST(Inputs, AreReadWithTheirUnitsAndUsedByName) {
  const SceneFile f = read_scene_text(R"yaml(
variables: {most: 50 cm/s}
inputs:
  hoist: {value: 0, from: -most, to: most}
  lift: {value: 20 cm, smoothing: 100 ms}
  turn: {value: 60 rpm, feedback: {channels: {z: load.position.z}, law: "60 rpm * z / (2 * most * 1 s)"}}
sections: {wire: {EA: 1 MN, mass: 1 kg/m}}
supports: {winch: {position: [0, 0, 5]}}
motions: {heave: {of: winch, z: "0.1 m * sin(1 rad/s * t) + lift"}}
bodies: {load: {mass: 10 kg, inertia: [1, 1, 1], position: [0, 0, 0]}}
cables: {rope: {section: wire, model: massless, route: [winch, load], speed: 2 * hoist}}
loads: {push: {at: load, force: [0, 5 N * hoist / most, turn * 1 N s]}}
)yaml",
                                      "inputs.yaml");
  const std::vector<Input>& inputs = f.scene.inputs;
  ASSERT_EQ(inputs.size(), 3U);
  EXPECT_EQ(inputs[0].unit, "m/s");
  EXPECT_EQ(inputs[0].from, -0.5);
  EXPECT_EQ(inputs[0].to, 0.5);
  EXPECT_EQ(inputs[0].smoothing, 0);
  EXPECT_EQ(inputs[1].unit, "m");
  EXPECT_DOUBLE_EQ(inputs[1].value, 0.2);
  EXPECT_DOUBLE_EQ(inputs[1].smoothing, 0.1);
  EXPECT_EQ(inputs[2].unit, "rad s^-1");
  EXPECT_DOUBLE_EQ(inputs[2].value, 2 * pi);
  ASSERT_TRUE(inputs[2].feedback);
  EXPECT_EQ(inputs[2].feedback->channels[0].name, "z");
  EXPECT_EQ(inputs[2].feedback->channels[0].channel, "load.position.z");
  EXPECT_EQ(inputs[2].feedback->law, "60 rpm * z / (2 * (0.5 m/s) * 1 s)");

  const Signal& speed = f.scene.cables[0].drive.value;
  const Signal& heave = f.scene.supports[0].motion[2];
  EXPECT_EQ(speed.inputs(), std::vector<size_t>{0});
  EXPECT_EQ(heave.inputs(), std::vector<size_t>{1});
  const std::vector<InputMotion> now = {InputMotion::at_rest(0.3), InputMotion::at_rest(0.4),
                                        InputMotion::at_rest(0)};
  EXPECT_EQ(speed.at({1, now}).value, 0.6);
  EXPECT_DOUBLE_EQ(heave.at({1, now}).value, 0.1 * std::sin(1) + 0.4);
  EXPECT_DOUBLE_EQ(heave.at({1, now}).rate, 0.1 * std::cos(1));
  const SceneFile again = read_scene_text(f.resolved, "again.yaml");
  EXPECT_EQ(again.resolved, f.resolved);
  EXPECT_NE(f.resolved.find("speed: 2 * hoist"), std::string::npos) << f.resolved;
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

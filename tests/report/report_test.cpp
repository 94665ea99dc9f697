// What a report says of a run, beside the numbers: the page's own tests are in tests/web.
#include "hawser/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hawser/run.h"
#include "report/drawing.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

using nlohmann::json;

constexpr const char* crane = R"(title: A crane
inputs: {speed: {value: 0 m/s, smoothing: 0.1 s}}
sections: {wire: {EA: 1 MN, mass: 1 kg/m, diameter: 10 mm}, cord: {EA: 20 kN, mass: 0.5 kg/m}}
supports: {jib: {position: [0, 0, 10 m]}, post: {position: [3 m, 0, 8 m]}, eye: {position: [-3 m, 0, 8 m]}}
motions: {sway: {of: eye, x: {smooth: [0 m, 1 m], from: 0 s, to: 0.2 s}}}
bodies:
  load: {shape: {box: [1 m, 1 m, 1 m]}, mass: 100 kg, position: [0, 0, 4 m]}
  arm: {shape: {box: [2 m, 0.2 m, 0.2 m]}, mass: 10 kg, position: [4 m, 0, 8 m], frames: {end: [-1 m, 0, 0]}}
joints: {pivot: {kind: hinge, between: [post, arm.end], axis: y}}
cables:
  hoist: {section: wire, model: massless, route: [jib, load], speed: speed}
  line: {section: cord, model: np-fem, elements: 4, route: [load, [4 m, 0, 4 m]]}
  brace: {section: cord, model: massless, route: [load, eye]}
solve: {until: 0.2 s, step: 5 ms}
record: {shapes: 10 ms}
)";

/// The header of the report of a run in which both cables are cut.
json header_of_a_run_with_cuts() {
  const TemporaryFolder folder;
  write_whole_file(folder / "crane.yaml", crane);
  RunOptions options;
  options.directory = folder / "results";
  options.report = true;
  using Event = LoggedSetting::Event;
  options.replay = {{20, 0.1, "line", 2.0, Event::cut}, {30, 0.15, "hoist", 3.0, Event::cut}};
  EXPECT_EQ(run(read_scene(folder / "crane.yaml"), options).end, RunEnd::finished);
  const std::string page = read_text(folder / "results/report.html");
  EXPECT_LT(page.size(), 2'000'000U);
  const std::string start = "id=\"hawser-run\">";
  const size_t from = page.find(start) + start.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(Report, HasAllThatALiveViewShows) {
  if (!has_report_page()) GTEST_SKIP() << "built without Node.js";
  const json header = header_of_a_run_with_cuts();
  const TemporaryFolder folder;
  write_whole_file(folder / "crane.yaml", crane);
  const json drawing = drawing_of(read_scene(folder / "crane.yaml").scene);
  for (const auto& [key, value] : drawing.items()) EXPECT_EQ(header[key], value) << key;
  ASSERT_EQ(header["joints"].size(), 1U);
  EXPECT_EQ(header["joints"][0]["kind"], "hinge");
  EXPECT_EQ(header["joints"][0]["axis"], json({0.0, 1.0, 0.0}));
  ASSERT_EQ(header["winches"].size(), 1U);
  EXPECT_EQ(header["winches"][0]["cable"], "hoist");
  EXPECT_EQ(header["up"], json({0.0, 0.0, 1.0}));
  EXPECT_EQ(header["diagram"]["nodes"].size(), 8U);  // with the joint, the winch and the free end
}

TEST(Report, SupportsThatMoveAreWhereTheirCablesEnd) {
  if (!has_report_page()) GTEST_SKIP() << "built without Node.js";
  const json header = header_of_a_run_with_cuts();
  EXPECT_EQ(header["cables"][0]["name"], "brace");
  EXPECT_EQ(header["ends"], json::parse("[null, null, [0, 1]]"));  // in the order of "supports"
}

TEST(Drawing, ADrumIsWhereItIsMounted) {
  Scene scene;
  scene.supports = {{"pedestal", Vec3(1, 2, 3)}, {"tip", Vec3(0, 0, 9)}};
  Winch winch;
  winch.name = "main";
  winch.on = "pedestal";
  winch.axis = Vec3(0, -2, 0);
  winch.drum.radius = 0.3;
  scene.winches = {winch};
  Cable cable;
  cable.name = "rope";
  cable.model = CableModel::massless;
  cable.route = {Stop::hold("tip"), Stop::wind("main")};
  scene.cables = {cable};
  const json drawing = drawing_of(scene);
  const json drum = {
      {"cable", "rope"},          {"name", "main"}, {"body", ""}, {"position", {1.0, 2.0, 3.0}},
      {"axis", {0.0, -1.0, 0.0}}, {"radius", 0.3},  {"width", 0}};
  EXPECT_EQ(drawing["winches"], json::array({drum}));
  const json& lines = drawing["diagram"]["lines"];
  EXPECT_EQ(lines[0]["nodes"], json({"support/pedestal", "winch/main"}));
  EXPECT_EQ(lines[1]["nodes"], json({"support/tip", "winch/main"}));
}

TEST(Drawing, ASupportHasTheShapeThatCablesTouch) {
  Scene scene;
  scene.supports = {{"hook", Vec3::Zero()}, {"bar", Vec3(0, 0, 2)}};
  scene.supports[1].shape = {Solid::Kind::cylinder, Vec3(0.1, 0.5, 0)};
  scene.supports[1].orientation = {0, 1, 0, 0};
  const json supports = drawing_of(scene)["supports"];
  EXPECT_FALSE(supports[0].contains("solid"));
  const json solid = {
      {"shape", "cylinder"}, {"size", {0.1, 0.5, 0.0}}, {"orientation", {0.0, 1.0, 0.0, 0.0}}};
  EXPECT_EQ(supports[1]["solid"], solid);
}

TEST(Report, SaysWhereCablesAreCut) {
  if (!has_report_page()) GTEST_SKIP() << "built without Node.js";
  const json header = header_of_a_run_with_cuts();
  const json& hoist = header["cables"][1];
  const json& line = header["cables"][2];
  ASSERT_EQ(line["breaks"].size(), 1U);
  const size_t frame = line["breaks"][0][0];
  EXPECT_NEAR(static_cast<double>(frame) * 0.01, 0.1, 0.011);  // of 10 ms each
  EXPECT_EQ(line["breaks"][0][1], json({2}));                  // the middle of four elements
  EXPECT_EQ(line["points"][0], 5);
  EXPECT_EQ(line["points"].back(), 6);  // both sides of the cut
  ASSERT_EQ(hoist["breaks"].size(), 1U);
  EXPECT_GT(hoist["breaks"][0][0], frame);
  EXPECT_EQ(hoist["breaks"][0][1].size(), hoist["points"][0].get<size_t>() - 1);  // nothing left
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

// A scene is checked without running it.
#include <gtest/gtest.h>

#include "hawser/run.h"

namespace hawser::HAWSER_FILE {
namespace {

const std::string swing = R"(
sections: {cord: {EA: 1 kN, mass: 0.1 kg/m}}
supports: {hook: {position: [0, 0, 0]}}
cables:
  tether: {section: cord, elements: 4, route: [hook, [1 m, 0, 0]]}
solve: {until: 2 s, step: 1 ms}
record: {every: 10 ms, shapes: 0.5 s, points: 2, channels: [tether.position@end, energy.work]}
expect: {far: {channel: tether.position.x@end, at: 5 s, value: 1 m, within: 1 m}}
)";

RunPlan plan(const std::vector<std::string>& sets = {}) {
  const SceneFile file = read_scene_text(swing, "swing.yaml", sets);
  return plan_run(file, compile(file));
}

TEST(Plan, TellsWhatARunRecords) {
  const RunPlan out = plan();
  EXPECT_EQ(out.channels, (std::vector<std::string>{"tether.position@end", "energy.work"}));
  ASSERT_EQ(out.columns.size(), 4U);
  EXPECT_EQ(out.columns[0].name, "tether.position.x@end");
  EXPECT_EQ(out.columns[3].unit, "J");
  EXPECT_DOUBLE_EQ(out.every, 0.01);
  EXPECT_DOUBLE_EQ(out.shapes_every, 0.5);
  EXPECT_EQ(out.points, 4 * 2 + 1);
  ASSERT_EQ(out.warnings.size(), 1U);
  EXPECT_NE(out.warnings[0].find("after the end of the run"), std::string::npos);
}

TEST(Plan, SamplesAtMostEveryStep) { EXPECT_DOUBLE_EQ(plan({"record.every=1 us"}).every, 1e-3); }

TEST(Plan, TellsAllErrorsAtOnce) {
  try {
    plan({"record.channels=[tether.colour]", "expect.far.channel=energy"});
    FAIL() << "no error";
  } catch (const SceneError& error) {
    EXPECT_EQ(error.problems().size(), 2U) << error.what();
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

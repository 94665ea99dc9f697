// Inputs in runs: controllers, feedback, the log of settings, its replay, and runs that go on.
#include "hawser/control.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "allocations.h"
#include "hawser/error.h"
#include "hawser/run.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

/// A load on a trolley and a winch.
constexpr const char* crane = R"(
inputs:
  hoist: {value: 0 m/s, from: -1 m/s, to: 1 m/s}
  travel: {value: 0 m, from: -2 m, to: 2 m, smoothing: 0.1 s}
  wind: {value: 0 N}
sections: {wire: {EA: 1 MN, mass: 1 kg/m}}
supports: {trolley: {position: [0, 0, 10 m]}}
motions: {drive: {of: trolley, x: travel}}
bodies: {load: {mass: 100 kg, inertia: [4 kg m^2, 4 kg m^2, 4 kg m^2], position: [0, 0, 4 m]}}
cables: {rope: {section: wire, model: massless, route: [trolley, load], speed: hoist}}
loads: {wind: {at: load, force: [0, wind, 0]}}
solve: {until: 0.5 s, step: 5 ms}
record: {every: 10 ms}
)";

SceneFile scene(const std::vector<std::string>& sets = {}) {
  return read_scene_text(crane, "crane.yaml", sets);
}

/// Depends on the state alone, so that a resumed run steers alike.
void steer(Control& c) {
  const double z = c.read("load.position.z"), t = c.t();
  c.set("hoist", t > 0.1 && t < 0.3 ? 0.5 * std::sin(20 * t) : 0);
  c.set("travel", t > 0.2 ? 0.3 + 0.1 * (z - 4) : 0);
  c.set("wind", -20 * c.read("load.position.y") + 5);
}

RunOptions into(const std::string& directory) {
  RunOptions o;
  o.directory = directory;
  o.hdf5 = false;
  return o;
}

const std::vector<std::vector<std::string>> methods = {
    {"solve.method=mixed"},
    {"solve.method=mixed3"},
    {"solve.method=linearized"},
    {"solve.method=newton"},
    {"solve.method=newton", "solve.error_control=true", "solve.tolerance=1e-5"},
    {"solve.method=spook"},
    {"solve.scheme=bdf2"}};

TEST(Control, AReplayGivesTheSameBits) {
  for (const auto& sets : methods) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(sets, " ")));
    const TemporaryFolder folder;
    RunOptions first = into(folder / "first"), second = into(folder / "second");
    first.control = steer;
    const RunReport report = run(scene(sets), first);
    ASSERT_EQ(report.end, RunEnd::finished) << report.failure;
    ASSERT_EQ(report.inputs.size(), 3U);
    EXPECT_GT(report.inputs[0].settings, 30);
    EXPECT_GT(report.inputs[1].settings, 30);
    EXPECT_GT(report.inputs[2].settings, 90);
    second.replay = read_settings(folder / "first");
    const RunReport again = run(scene(sets), second);
    ASSERT_EQ(again.end, RunEnd::finished) << again.failure;
    for (const char* name : {"channels.csv", "inputs.csv"})
      EXPECT_EQ(read_text(folder / (std::string("first/") + name)),
                read_text(folder / (std::string("second/") + name)))
          << name;
    EXPECT_EQ(again.inputs[1].value, report.inputs[1].value);
    EXPECT_EQ(again.energy_end.work, report.energy_end.work);
  }
}

TEST(Control, AResumedRunGoesOnWithTheSameBits) {
  for (const auto& sets : methods) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(sets, " ")));
    const TemporaryFolder folder;
    RunOptions whole = into(folder / "whole"), part = into(folder / "part");
    whole.control = part.control = steer;
    ASSERT_EQ(run(scene(sets), whole).end, RunEnd::finished);
    part.progress_every = 0;
    part.progress = [left = 47](const Progress&) mutable { return --left > 0; };
    ASSERT_EQ(run(scene(sets), part).end, RunEnd::stopped);
    part.progress = {};
    ASSERT_EQ(resume(part).end, RunEnd::finished);
    for (const char* name : {"channels.csv", "inputs.csv"})
      EXPECT_EQ(read_text(folder / (std::string("whole/") + name)),
                read_text(folder / (std::string("part/") + name)))
          << name;
    // A replay that is stopped and resumed.
    RunOptions replayed = into(folder / "replayed");
    replayed.replay = read_settings(folder / "whole/inputs.csv");
    replayed.progress_every = 0;
    replayed.progress = [left = 31](const Progress&) mutable { return --left > 0; };
    ASSERT_EQ(run(scene(sets), replayed).end, RunEnd::stopped);
    replayed.progress = {};
    ASSERT_EQ(resume(replayed).end, RunEnd::finished);
    EXPECT_EQ(read_text(folder / "whole/channels.csv"),
              read_text(folder / "replayed/channels.csv"));
    EXPECT_EQ(read_text(folder / "whole/inputs.csv"), read_text(folder / "replayed/inputs.csv"));
  }
}

TEST(Control, ARunThatIsExtendedForgetsTheSettingsOfItsLastSteps) {
  const TemporaryFolder folder;
  RunOptions whole = into(folder / "whole"), part = into(folder / "part");
  whole.control = part.control = steer;
  ASSERT_EQ(run(scene(), whole).end, RunEnd::finished);
  ASSERT_EQ(run(scene({"solve.until=0.2525 s"}), part).end, RunEnd::finished);
  ASSERT_EQ(resume(part, 0.5).end, RunEnd::finished);
  EXPECT_EQ(read_text(folder / "whole/inputs.csv"), read_text(folder / "part/inputs.csv"));
}

TEST(Control, LogsEverySettingWithAllItsDigits) {
  const TemporaryFolder folder;
  RunOptions options = into(folder / "out");
  options.control = [](Control& c) {
    if (c.t() == 0) c.set("hoist", 0.1);
    if (c.t() > 0.0149 && c.t() < 0.0151) c.set("wind", 1.0 / 3);
  };
  ASSERT_EQ(run(scene({"solve.until=50 ms"}), options).end, RunEnd::finished);
  EXPECT_EQ(read_text(folder / "out/inputs.csv"),
            "step,time [s],event,name,value\n"
            "0,0,set,hoist,0.1\n"
            "3,0.015,set,wind,0.3333333333333333\n");
  const std::vector<LoggedSetting> read = read_settings(folder / "out");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].value, 1.0 / 3);
  EXPECT_EQ(read[1].step, 3);
}

TEST(Control, TellsOfClampedSettingsOnce) {
  RunOptions options;
  double applied = 0;
  options.control = [&](Control& c) { applied = c.set("hoist", 3 + c.t()); };
  const RunReport report = run(scene({"solve.until=50 ms"}), options);
  EXPECT_EQ(applied, 1);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0],
            "input 'hoist' was set outside of its range, to 3 m/s at t = 0 s, and clamped to 1");
  EXPECT_EQ(report.inputs[0].value, 1);
  EXPECT_EQ(report.inputs[0].settings, 1) << "the others change nothing";
}

TEST(Control, RefusesWhatItCannotDo) {
  const auto failure = [](const std::function<void(Control&)>& control) {
    RunOptions options;
    options.control = control;
    return error_of([&] { run(scene({"solve.until=50 ms"}), options); });
  };
  EXPECT_EQ(failure([](Control& c) { c.set("hoits", 1); }),
            "input: found unknown input 'hoits'; expected one of hoist, travel, wind. Did you mean "
            "'hoist'?");
  EXPECT_EQ(failure([](Control& c) { c.set("hoist", NAN); }),
            "input 'hoist': found a setting of nan at t = 0 s; expected a finite number.");
  EXPECT_EQ(failure([](Control& c) { (void)c.read("load.position"); }),
            "channel 'load.position': found 3 columns; expected one. Use one of them, such as "
            "'load.position.x'.");
  EXPECT_EQ(failure([](Control& c) { (void)c.read("input.wnd"); }),
            "channel 'input.wnd': found input 'wnd'; expected one of hoist, travel, wind. Did you "
            "mean 'wind'?");
}

TEST(Control, RefusesAReplayThatDoesNotFit) {
  const auto replay = [](const std::vector<LoggedSetting>& settings) {
    RunOptions options;
    options.replay = settings;
    std::string failure;
    const std::string error =
        error_of([&] { failure = run(scene({"solve.until=50 ms"}), options).failure; });
    return error == "no error" ? failure : error;
  };
  EXPECT_TRUE(replay({{0, 0, "wnd", 1}}).starts_with("input: found unknown input 'wnd'"));
  EXPECT_EQ(replay({{0, 0, "hoist", 3}}),
            "input 'hoist', replay: found 3 at t = 0 s; expected a value from -1 to 1. Replay the "
            "settings with the scene of their run.");
  EXPECT_EQ(replay({{3, 0.016, "hoist", 1}}),
            "input 'hoist', replay: found step 4 at t = 0.02 s; expected step 3 at t = 0.016 s, "
            "where the earlier run set it. Replay the settings with the scene and the options of "
            "their run.");
  EXPECT_EQ(replay({{3, 0.015, "hoist", 1}}), "");
  const TemporaryFolder folder;
  EXPECT_TRUE(error_of([&] { read_settings(folder.path()); }).find("no such file") !=
              std::string::npos);
  write_file(folder / "log.csv", "step,time [s],event,name,value\n1,0.1,set,hoist\n");
  EXPECT_EQ(
      error_of([&] { read_settings(folder / "log.csv"); }),
      (folder / "log.csv") +
          ":2: found '1,0.1,set,hoist'; expected a step, a time, `set` or `cut`, the name of an "
          "input "
          "or a cable, and a value. The file was changed, or is of another version of Hawser.");
}

// --- feedback ---

SceneFile lowering(const std::string& law, const std::vector<std::string>& sets = {}) {
  std::string text = crane;
  text += "variables: {low: 3 m, k: 0.5 s^-1}\n";
  std::vector<std::string> all = {
      "inputs.hoist.feedback={channels: {z: load.position.z, v: load.velocity.z}, law: '" + law +
      "'}"};
  all.insert(all.end(), sets.begin(), sets.end());
  return read_scene_text(text, "crane.yaml", all);
}

/// The law is evaluated once a step, and the speed stays until the next one: the distance shrinks
/// by the factor 1 - k h in every step.
TEST(Feedback, ShrinksADistanceByTheSameFactorEveryStep) {
  for (const char* method : {"mixed", "mixed3", "newton", "linearized", "spook"}) {
    SCOPED_TRACE(method);
    const SceneFile file = read_scene_text(R"(
inputs: {rate: {value: 0 m/s, feedback: {channels: {x: lift.travel}, law: 0.5 s^-1 * (1 m - x)}}}
supports: {base: {position: [0, 0, 0]}}
bodies: {car: {mass: 10 kg, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints: {lift: {kind: slider, between: [base, car], axis: z, travel_rate: rate}}
solve: {until: 1 s, step: 5 ms}
)",
                                           "lift.yaml", {std::string("solve.method=") + method});
    const RunReport report = run(file, {});
    ASSERT_EQ(report.end, RunEnd::finished) << report.failure;
    EXPECT_NEAR(report.bodies[0].pose.position.z(), 1 - std::pow(1 - 0.5 * 5e-3, 200), 1e-9);
    EXPECT_EQ(report.inputs[0].settings, 0) << "those of controllers are counted";
  }
}

TEST(Feedback, IsClampedToTheRangeOfItsInput) {
  const RunReport report = run(lowering("100 s^-1 * (z - 6 m)"), {});
  EXPECT_NEAR(report.bodies[0].pose.position.z(), 4 + 0.5, 1e-6) << "at 1 m/s";
}

TEST(Feedback, SurvivesTheResolvedSceneAndAResume) {
  const TemporaryFolder folder;
  const SceneFile file = lowering("k * (z - low) + 0.1 * v", {"inputs.hoist.smoothing=20 ms"});
  EXPECT_NE(file.resolved.find("(3 m)"), std::string::npos) << file.resolved;
  EXPECT_NE(file.resolved.find("x: travel"), std::string::npos) << file.resolved;
  const SceneFile again = read_scene_text(file.resolved, "again.yaml");
  EXPECT_EQ(again.resolved, file.resolved);
  ASSERT_EQ(run(file, into(folder / "whole")).end, RunEnd::finished);
  ASSERT_EQ(run(again, into(folder / "again")).end, RunEnd::finished);
  EXPECT_EQ(read_text(folder / "whole/channels.csv"), read_text(folder / "again/channels.csv"));
  RunOptions part = into(folder / "part");
  part.progress_every = 0;
  part.progress = [left = 40](const Progress&) mutable { return --left > 0; };
  ASSERT_EQ(run(file, part).end, RunEnd::stopped);
  part.progress = {};
  ASSERT_EQ(resume(part).end, RunEnd::finished);
  EXPECT_EQ(read_text(folder / "whole/channels.csv"), read_text(folder / "part/channels.csv"));
}

TEST(Feedback, IsRefusedWithItsPlaceWhereItIsWrong) {
  const auto said = [](const std::string& law) {
    const SceneFile file = lowering(law);
    return error_of([&] { plan_run(file, compile(file)); });
  };
  EXPECT_EQ(said("k * (z - low)"), "no error");
  EXPECT_NE(said("z - low").find("feedback of input 'hoist', law: found 'z - (3 m)', which is a "
                                 "length; expected a velocity, like the value of the input."),
            std::string::npos)
      << said("z - low");
  EXPECT_NE(said("k * (z - v)").find("where '-' combines a length and a velocity"),
            std::string::npos);
  EXPECT_NE(said("k * (y - low)").find("where 'y' is not a variable"), std::string::npos);
  EXPECT_TRUE(said("z - low").starts_with("crane.yaml:3:3: ")) << said("z - low");
}

TEST(Feedback, MustBeAppliedByWhoeverSteps) {
  const SceneFile file = lowering("k * (z - low)");
  const Model model = compile(file);
  Integrator integrator(model, file.solve);
  State state = integrator.start();
  EXPECT_EQ(error_of([&] { (void)integrator.step(state); }),
            "input 'hoist': found a step from t = 0 s without its feedback; expected "
            "Feedback::apply() before every step. `run` of hawser/run.h does it.");
  Feedback feedback(model);
  feedback.apply(state);
  EXPECT_EQ(state.inputs[0].setting, 0.5);
  EXPECT_EQ(integrator.step(state), Status::ok);
  EXPECT_THROW((void)integrator.step(state), Error);
  EXPECT_EQ(error_of([&] { model.set_input(state, 0, 0.1); }),
            "input 'hoist': found a setting of an input that has feedback; expected an input "
            "without feedback. The feedback of the scene sets it after every step.");
}

TEST(Feedback, NeitherItNorControllersAllocate) {
#ifdef COUNTS_ALLOCATIONS
  const SceneFile file = lowering("k * (z - low) + 0.1 * v", {"inputs.hoist.smoothing=20 ms"});
  const Model model = compile(file);
  Integrator integrator(model, file.solve);
  State state = integrator.start();
  Feedback feedback(model);
  Control control(model, state);
  const auto once = [&] {
    control.set("wind", 3 * control.read("load.position.z") + control.read("input.travel"));
    feedback.apply(state);
    ASSERT_EQ(integrator.step(state), Status::ok);
  };
  once();
  const long before = allocations;
  for (int i = 0; i < 50; ++i) once();
  EXPECT_EQ(allocations - before, 0);
#else
  GTEST_SKIP() << "the sanitizers have their own allocator";
#endif
}

TEST(Feedback, WarnsOfJumpsAtEveryStepAndOfIdleInputs) {
  const auto warnings = [](const SceneFile& file) {
    return plan_run(file, compile(file)).warnings;
  };
  EXPECT_TRUE(warnings(scene()).empty());
  const std::vector<std::string> jumping = warnings(lowering("k * (z - low)"));
  ASSERT_EQ(jumping.size(), 1U);
  EXPECT_TRUE(jumping[0].starts_with("input 'hoist' prescribes a speed by feedback without"));
  EXPECT_TRUE(warnings(lowering("k * (z - low)", {"inputs.hoist.smoothing=20 ms"})).empty());
  const std::vector<std::string> idle = warnings(scene({"loads=null"}));
  ASSERT_EQ(idle.size(), 1U);
  EXPECT_EQ(idle[0], "input 'wind' is not used by any function of time");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

// Runs that are acted on, and their replay.
#include "serve/live_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hawser/error.h"
#include "hawser/measure.h"
#include "hawser/run.h"
#include "model/model_data.h"
#include "report/drawing.h"
#include "serve/frame.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

/// A load on a winch, a rope of elements beside it, held at both ends, and one that hangs.
constexpr const char* yard = R"(
inputs:
  hoist: {value: 0 m/s, from: -1 m/s, to: 1 m/s, smoothing: 50 ms}
sections:
  wire: {EA: 1 MN, mass: 1 kg/m, diameter: 10 mm}
  line: {EA: 50 kN, EI: 2 N m^2, mass: 0.5 kg/m, diameter: 20 mm}
supports: {jib: {position: [0, 0, 10 m]}, left: {position: [2 m, 0, 5 m]}, right: {position: [6 m, 0, 5 m]}}
bodies: {load: {shape: {box: [1 m, 1 m, 1 m]}, mass: 100 kg, position: [0, 0, 4 m], frames: {top: [0, 0, 0.5 m]}}}
cables:
  rope: {section: wire, model: massless, route: [jib, load.top], speed: hoist}
  span: {section: line, model: ancf, route: [left, right], elements: 8, length: 4.1 m, initial: catenary}
  tail: {section: line, model: np-fem, route: [right, [6 m, 0, 2 m]], elements: 6}
solve: {until: 1 s, step: 5 ms}
)";

SceneFile scene(std::vector<std::string> sets = {}) {
  sets.emplace_back("hand=true");
  return read_scene_text(yard, "yard.yaml", sets);
}

PullOrder pull_load(const Vec3& target) {
  PullOrder out;
  out.body = "load";
  out.at = {0.5, 0, 0};
  out.target = target;
  return out;
}

PullOrder pull_cable(const char* cable, double s, const Vec3& target) {
  PullOrder out;
  out.cable = cable;
  out.s = s;
  out.target = target;
  return out;
}

/// What a person might do.
void play(LiveRun& live, int steps) {
  for (int i = 0; i < steps; ++i) {
    if (i == 5) live.set("hoist", 0.4);
    if (i >= 20 && i < 60 && i % 3 == 0) live.pull(pull_load({1 + 0.01 * i, 0.5, 5}));
    if (i == 60) live.release();
    if (i == 70) live.pull(pull_cable("span", 1.3, {3, 1, 4}));
    if (i == 90) live.release();
    if (i == 95) live.cut("span", 2.9);
    if (i == 100) live.set("hoist", -0.2), live.cut("tail", 1.2), live.pull(pull_load({0, 1, 5}));
    if (i == 130) live.cut("rope", 2);
    ASSERT_TRUE(live.step()) << live.failure() << " in step " << i;
  }
}

TEST(LiveRun, ReplaysToTheSameBits) {
  const std::vector<std::vector<std::string>> methods = {
      {}, {"solve.method=linearized"}, {"solve.method=newton"}, {"solve.method=mixed3"}};
  for (const auto& sets : methods) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(sets, " ")));
    const TemporaryFolder folder;
    LiveRun live(scene(sets), folder / "live");
    EXPECT_EQ(live.log(), "");  // nothing was done
    play(live, 160);
    live.flush();
    EXPECT_EQ(live.log(), folder / "live/inputs.csv");
    RunOptions options;
    options.replay = read_settings(folder / "live");
    EXPECT_TRUE(uses_hand(options.replay));
    options.directory = folder / "again";
    bool compared = false;
    options.remesh = [&](const Model&, const State& state) {
      if (state.steps == live.state().steps) {
        compared = true;
        EXPECT_EQ(state.t, live.state().t);
        EXPECT_EQ(state.q, live.state().q);
        EXPECT_EQ(state.v, live.state().v);
        EXPECT_EQ(state.multipliers, live.state().multipliers);
        EXPECT_EQ(state.orientation, live.state().orientation);
      }
      return std::optional<Mesh>();
    };
    const RunReport report = run(scene(sets), options);
    ASSERT_EQ(report.end, RunEnd::finished) << report.failure;
    EXPECT_TRUE(compared);
    EXPECT_EQ(read_text(folder / "live/inputs.csv"), read_text(folder / "again/inputs.csv"));
  }
}

/// A replay that is interrupted goes on to the same results, log and cuts included.
TEST(LiveRun, AReplayGoesOnAfterACut) {
  const TemporaryFolder folder;
  LiveRun live(scene(), folder / "live");
  play(live, 160);
  live.flush();
  RunOptions whole, parts;
  whole.replay = parts.replay = read_settings(folder / "live");
  whole.directory = folder / "whole";
  parts.directory = folder / "parts";
  whole.hdf5 = parts.hdf5 = false;
  ASSERT_EQ(run(scene(), whole).end, RunEnd::finished);
  int steps = 0;
  parts.progress_every = 0;
  parts.progress = [&](const Progress&) { return ++steps < 120; };
  ASSERT_EQ(run(scene(), parts).end, RunEnd::stopped);
  parts.progress = nullptr;
  const RunReport report = resume(parts);
  ASSERT_EQ(report.end, RunEnd::finished) << report.failure;
  for (const char* file : {"channels.csv", "inputs.csv"})
    EXPECT_EQ(read_text(folder / (std::string("whole/") + file)),
              read_text(folder / (std::string("parts/") + file)));
}

TEST(LiveRun, APullBringsABodyToTheHand) {
  LiveRun live(
      read_scene_text("gravity: [0, 0, 0]\n"
                      "bodies: {puck: {mass: 2 kg, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
                      "solve: {step: 10 ms}",
                      "puck.yaml", {"hand=true"}),
      "");
  PullOrder order;
  order.body = "puck";
  order.target = {1, -2, 3};
  live.pull(order);
  ASSERT_TRUE(live.pull_now());
  EXPECT_GT(live.pull_now()->force.norm(), 1);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(live.step()) << live.failure();
  EXPECT_NEAR((live.pull_now()->point - order.target).norm(), 0, 1e-6);
  EXPECT_NEAR(live.pull_now()->force.norm(), 0, 1e-5);
  const Energy e = energy(live.model(), live.state());
  EXPECT_NEAR(e.balance(), 0, 0.02 * 20);  // the work of the hand is accounted for
  live.release();
  EXPECT_FALSE(live.pull_now());
}

TEST(LiveRun, ACutSpanFallsOnBothSides) {
  LiveRun live(scene(), "");
  const double mass = 4.1 * 0.5;
  const FrameMaker whole(live);
  live.cut("span", 2);
  const double before = energy(live.model(), live.state()).potential;
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(live.step()) << live.failure();
  const FrameMaker frames(live);
  const Shape& shape = frames.shapes().cables()[1];
  const std::vector<int> breaks = breaks_of(shape.s);
  ASSERT_EQ(breaks.size(), 1U);
  const auto point = [&](int i) {
    return Vec3(Vec3::Map(&shape.position[3 * static_cast<size_t>(i)]));
  };
  EXPECT_GT((point(breaks[0] + 1) - point(breaks[0])).norm(), 0.05);
  EXPECT_LT(point(breaks[0]).z(), 4.8);
  EXPECT_LT(point(breaks[0] + 1).z(), 4.8);
  EXPECT_LT(energy(live.model(), live.state()).potential, before - 0.1 * mass);
  EXPECT_LT(std::abs(shape.tension[static_cast<size_t>(breaks[0])]),
            0.2 * whole.shapes().cables()[1].tension[0]);
}

TEST(LiveRun, ALoadFallsFromACutMasslessCable) {
  LiveRun live(scene(), "");
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(live.step()) << live.failure();
  live.cut("rope", 1);
  const double z = live.state().position(live.model().data().mechanism.bodies[0].node).z();
  const double from = live.state().t;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(live.step()) << live.failure();
  const double t = live.state().t - from;
  EXPECT_NEAR(live.state().position(live.model().data().mechanism.bodies[0].node).z(),
              z - 9.81 * t * t / 2,
              9.81 * t * 0.005 + 1e-3);  // the force before the cut lasts for a part of a step
  EXPECT_EQ(run_tensions(live.model(), live.state(), "rope")[0], 0);
}

TEST(LiveRun, RefusesWhatCannotBeDone) {
  LiveRun live(scene(), "");
  EXPECT_THROW(live.set("hand.on", 1), Error);
  EXPECT_THROW(live.set("speed", 1), Error);
  EXPECT_THROW(live.set("hoist", std::nan("")), Error);
  EXPECT_THROW(live.pull(pull_cable("rope", 1, {0, 0, 0})), Error);
  EXPECT_THROW(live.pull(pull_cable("no", 1, {0, 0, 0})), Error);
  EXPECT_THROW(live.pull(pull_load({1e9, 0, 0})), Error);
  EXPECT_THROW(live.cut("span", -1), Error);
  EXPECT_THROW(live.cut("span", 5), Error);
  EXPECT_THROW(live.cut("no", 1), Error);
  live.cut("span", 2);
  EXPECT_THROW(live.cut("span", 2), Error);
  live.cut("rope", 2);
  EXPECT_THROW(live.cut("rope", 1), Error);
  EXPECT_TRUE(live.step());
  EXPECT_THROW(LiveRun(scene({"solve.method=newton", "solve.error_control=true"}), ""), Error);
}

TEST(Mesh, ACutLeavesNoSlivers) {
  const Model model(scene().scene);
  const auto cut = [&](double s) {
    return with_cut(model.scene(), model.mesh(), 1, s).cuts[1].front();
  };
  const double l = 4.1 / 8;
  EXPECT_DOUBLE_EQ(cut(2.5 * l), 2.5 * l);
  EXPECT_NEAR(cut(2.1 * l), 2 * l, 1e-12);
  EXPECT_NEAR(cut(2.9 * l), 3 * l, 1e-12);
  EXPECT_NEAR(cut(0), 0.2 * l, 1e-12);
  EXPECT_NEAR(cut(4.1), 7.8 * l, 1e-12);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

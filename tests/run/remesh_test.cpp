// Runs that change their mesh: what is recorded, watched, expected and resumed goes on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hawser/error.h"
#include "hawser/run.h"
#include "record/results.h"
#include "run/checkpoint.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

/// A pendulum with damping, and a cable that hangs between two supports beside a massless one.
constexpr const char* text = R"(
title: Cables with a changing mesh
sections:
  cord: {EA: 7854 N, EI: 0.1 N m^2, mass: 0.3927 kg/m, breaking_load: 100 N,
         damping: {axial: {viscosity: 0.1 ms}}}
  thread: {EA: 7854 N, mass: 0.1 kg/m}
supports:
  hook: {position: [0, 0, 0]}
  left: {position: [2, 0, 0]}
  right: {position: [3, 0, 0]}
bodies:
  load: {mass: 1 kg, shape: {sphere: 0.1 m}, position: [0, 2, -1.1], frames: {eye: [0, 0, 0.1]}}
cables:
  tether: {section: cord, route: [hook, [1, 0, 0]], elements: 8}
  span: {section: thread, model: np-fem, route: [left, right], length: 1.05 m, elements: 10,
         initial: catenary}
  rope: {section: thread, model: massless, route: [hook, load.eye]}
solve: {until: 0.3 s, step: 1 ms}
record:
  every: 3 ms
  shapes: 20 ms
  channels: [tether.position@end, tether.tension@start, tether.tension@0.37, tether.length, span.tension@max,
             span.position.z@0.5, rope.tension@start, hook.force, energy, momentum.linear]
expect:
  tip: {channel: tether.position.z@end, at: 250 ms, value: VALUE, within: 3 mm}
)";

SceneFile scene(const char* value = "-0.29 m", const std::vector<std::string>& sets = {}) {
  std::string filled = text;
  filled.replace(filled.find("VALUE"), 5, value);
  return read_scene_text(filled, "changing.yaml", sets);
}

/// Divides elements 2 and 3 of both cables at 0.1 s and merges them at 0.2 s, with those after.
std::optional<Mesh> changes(const Model& model, const State& state) {
  const long step = std::lround(state.t / 1e-3);
  Mesh mesh = default_mesh(model.scene());
  for (const size_t cable : {0U, 1U}) {
    std::vector<double>& s = mesh.s[cable];
    if (step == 100) {
      s.insert(s.begin() + 4, (s[3] + s[4]) / 2);
      s.insert(s.begin() + 3, (s[2] + s[3]) / 2);
    }
    if (step == 200) s.erase(s.begin() + 5);
  }
  if (step != 100 && step != 200) return std::nullopt;
  return mesh;
}

RunOptions into(const std::string& directory) {
  RunOptions o;
  o.directory = directory;
  o.vtk = true;
  o.remesh = changes;
  return o;
}

double tip_without_changes() {
  RunOptions options;
  return run(scene(), options).expectations.at(0).measured;
}

TEST(Remesh, WatchersSurvive) {
  const TemporaryFolder folder;
  const double tip = tip_without_changes();
  RunOptions options = into(folder / "out");
  double read = 0;
  options.control = [&](Control& control) {
    const double z = control.read("tether.position.z@end");
    if (std::lround(control.t() / 1e-3) == 250) read = z;
  };
  const RunReport report = run(scene(fmt::format("{} m", tip).c_str()), options);
  ASSERT_EQ(report.end, RunEnd::finished) << report.failure;
  EXPECT_EQ(report.expectations[0].measured, read);
  EXPECT_EQ(report.counters.mesh_changes, 2);
  EXPECT_TRUE(report.expectations_met()) << report.expectations[0].measured << " for " << tip;
  const ResultsReader file(folder / "out/results.h5");
  const Dataset time = file.read("shapes/time"), s = file.read("shapes/tether/s"),
                other = file.read("shapes/rope/s"), r = file.read("shapes/span/position");
  const size_t frames = time.values.size(), width = s.shape.at(1);
  ASSERT_EQ(s.shape[0], frames);
  for (size_t i = 0; i < frames; ++i) {
    size_t points = 0;
    while (points < width && std::isfinite(s.values[i * width + points])) ++points;
    const double t = time.values[i];
    // Ten points an element; what is recorded at a change is of the mesh before it.
    EXPECT_EQ(points, t < 0.1005 ? 81U : t < 0.2005 ? 101U : 71U) << t;
    EXPECT_EQ(s.values[i * width], 0);
    EXPECT_NEAR(s.values[i * width + points - 1], 1, 1e-14);
  }
  EXPECT_EQ(r.shape, (std::vector<hsize_t>{frames, 16, 3}));  // half as wide again as 11
  for (const double x : other.values) EXPECT_TRUE(std::isfinite(x));
  for (const auto& [name, set] : file.all()) {
    if (!name.starts_with("channels/")) continue;
    for (const double x : set.values) ASSERT_TRUE(std::isfinite(x)) << name;
  }
  // Tension extremes of the whole run, at places of the cable.
  EXPECT_GT(report.cables[0].largest.tension, 1);
  EXPECT_GE(report.cables[0].largest.s, 0);
  EXPECT_LE(report.cables[0].largest.s, 1);
  EXPECT_EQ(report.damping.at_mesh_changes != 0, true);
  EXPECT_NEAR(report.damping.taken,
              report.damping.by_steps + report.damping.by_fallbacks + report.damping.at_switches +
                  report.damping.at_mesh_changes,
              1e-12);
}

/// A checkpoint holds the mesh: whenever a run stops, it goes on to the same bits.
TEST(Remesh, ResumesToTheSameBits) {
  const TemporaryFolder folder;
  for (const char* method : {"mixed", "newton", "linearized"}) {
    const std::vector<std::string> sets = {fmt::format("solve.method={}", method)};
    const std::string whole = folder / fmt::format("{}", method);
    ASSERT_EQ(run(scene("-0.29 m", sets), into(whole)).end, RunEnd::finished);
    for (const long steps : {50L, 100L, 101L, 150L, 200L, 250L}) {
      SCOPED_TRACE(fmt::format("{}, {} steps", method, steps));
      const std::string part = folder / fmt::format("{}-{}", method, steps);
      RunOptions options = into(part);
      options.progress_every = 0;
      options.progress = [left = steps](const Progress&) mutable { return --left > 0; };
      ASSERT_EQ(run(scene("-0.29 m", sets), options).end, RunEnd::stopped);
      const Checkpoint checkpoint = read_checkpoint(part + "/checkpoint.bin");
      EXPECT_EQ(checkpoint.snapshot.mesh.s[0].size(), steps < 100 ? 9U : steps < 200 ? 11U : 8U);
      const RunReport report = resume(into(part));
      ASSERT_EQ(report.end, RunEnd::finished) << report.failure;
      EXPECT_EQ(report.counters.mesh_changes, 2);
      EXPECT_EQ(read_text(part + "/channels.csv"), read_text(whole + "/channels.csv"));
      EXPECT_EQ(ResultsReader(part + "/results.h5").all(),
                ResultsReader(whole + "/results.h5").all());
      EXPECT_EQ(ResultsReader(part + "/results.vtkhdf").all(),
                ResultsReader(whole + "/results.vtkhdf").all());
    }
  }
}

TEST(Remesh, BadMeshEndsTheRun) {
  RunOptions options;
  options.remesh = [](const Model& model, const State&) {
    Mesh mesh = model.mesh();
    mesh.s[0].pop_back();
    return std::optional(mesh);
  };
  const RunReport report = run(scene(), options);
  EXPECT_EQ(report.end, RunEnd::failed);
  EXPECT_NE(report.failure.find("cable 'tether', mesh"), std::string::npos) << report.failure;
}

/// A rope whose end runs out of a ring at 0.4516 s.
SceneFile running_out(const char* model) {
  return read_scene_text(fmt::format(R"(
sections: {{rope: {{EA: 1 MN, EI: 1e-3 N m^2, mass: 1 kg/m, damping: {{axial: {{viscosity: 1 ms}}}}}}}}
supports: {{ring: {{position: [0, 0, 0]}}}}
cables:
  rope: {{section: rope, model: {}, elements: 12,
         route: [[0, 0, -0.5 m], {{through: ring}}, [1 mm, 0, -1.2 m]]}}
solve: {{until: 0.6 s, step: 1 ms}}
record: {{every: 5 ms, channels: [rope.position@end, rope.tension@0.2 m after ring, ring.force, energy]}}
)",
                                     model),
                         "out.yaml");
}

RunOptions plain(const std::string& directory) {
  RunOptions o;
  o.directory = directory;
  return o;
}

TEST(Remesh, ReportsEndsThatRunOutAndResumes) {
  const TemporaryFolder folder;
  for (const char* model : {"ancf", "np-fem"}) {
    const std::string whole = folder / model;
    const RunReport report = run(running_out(model), plain(whole));
    ASSERT_EQ(report.end, RunEnd::finished) << report.failure;
    ASSERT_EQ(report.run_outs.size(), 1u);
    const RunOutReport& out = report.run_outs[0];
    EXPECT_NEAR(out.t, 0.4515, 1e-3);
    EXPECT_EQ(out.cable, "rope");
    EXPECT_EQ(out.stop, "ring");
    EXPECT_TRUE(out.start);
    EXPECT_NEAR(out.energy, -0.01, 0.01);
    EXPECT_LE(out.energy, -report.damping.at_mesh_changes + 1e-3);
    EXPECT_NE(read_text(whole + "/summary.json").find("\"run_outs\""), std::string::npos);
    const auto off = [](const std::string& warning) {
      return warning.starts_with("channel 'rope.tension@0.2 m after ring': its place is off");
    };
    EXPECT_EQ(std::count_if(report.warnings.begin(), report.warnings.end(), off), 1);
    for (const long steps : {400L, 455L, 462L, 500L}) {  // some are shorter beside the ring
      const std::string part = folder / fmt::format("{}-{}", model, steps);
      RunOptions options = plain(part);
      options.progress_every = 0;
      options.progress = [left = steps](const Progress&) mutable { return --left > 0; };
      ASSERT_EQ(run(running_out(model), options).end, RunEnd::stopped);
      const RunReport rest = resume(plain(part));
      ASSERT_EQ(rest.end, RunEnd::finished) << rest.failure;
      ASSERT_EQ(rest.run_outs.size(), 1u);
      EXPECT_EQ(rest.run_outs[0].t, out.t);
      EXPECT_EQ(read_text(part + "/channels.csv"), read_text(whole + "/channels.csv"));
    }
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

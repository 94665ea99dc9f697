// Runs from scene to files: what is recorded, reported, stopped, resumed and extended.
#include "hawser/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

#include "hawser/error.h"
#include "record/mechanisms.h"
#include "record/results.h"
#include "run/checkpoint.h"
#include "scenes.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

namespace fs = std::filesystem;

/// A pendulum beside a cable that is shaken by a support whose speed jumps.
constexpr const char* text = R"(
title: A pendulum and a shaken cable
sections:
  cord: {EA: 7854 N, EI: 1 N m^2, mass: 0.3927 kg/m}
supports:
  hook: {position: [0, 0, 0]}
  hand: {position: [2, 0, 0]}
cables:
  tether:
    section: cord
    route: [hook, [1, 0, 0]]
    elements: 6
  shaken:
    section: cord
    route: [hand, [2, 0, -1]]
    elements: 5
motions:
  shake:
    of: hand
    x: {ramp: [0 m, 0.05 m], from: 0.05 s, to: 0.1 s}
solve: {until: 0.2 s, step: 1 ms}
record: {every: 3 ms, shapes: 20 ms}
expect:
  tip:
    channel: tether.position.z@end
    at: 40.4 ms
    value: -8 mm
    within: 1 mm
)";

SceneFile scene(const std::vector<std::string>& sets = {}) {
  return read_scene_text(text, "pendulum.yaml", sets);
}

RunOptions into(const std::string& directory) {
  RunOptions o;
  o.directory = directory;
  return o;
}

/// Stops a run after so many steps.
RunOptions stopping(RunOptions o, long steps) {
  o.progress_every = 0;
  o.progress = [left = steps](const Progress&) mutable { return --left > 0; };
  return o;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::istringstream in(read_text(path));
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(Run, WritesAllItsFilesAndReportsThem) {
  const TemporaryFolder folder;
  RunOptions options = into(folder / "out");
  options.vtk = true;
  const RunReport report = run(scene(), options);
  EXPECT_EQ(report.end, RunEnd::finished);
  EXPECT_EQ(report.files,
            (std::vector<std::string>{"channels.csv", "results.h5", "results.vtkhdf", "scene.yaml",
                                      "checkpoint.bin", "summary.json"}));
  for (const std::string& name : report.files) EXPECT_TRUE(fs::exists(folder / ("out/" + name)));
  EXPECT_EQ(read_text(folder / "out/scene.yaml"), scene().resolved);
  const auto summary = nlohmann::json::parse(read_text(folder / "out/summary.json"));
  EXPECT_EQ(summary["end"], "finished");
  EXPECT_EQ(summary["counters"]["steps"], 200);
  EXPECT_EQ(summary["files"].size(), report.files.size());
  // Rows at 0, 3, ..., 198 ms and the end.
  EXPECT_EQ(lines_of(folder / "out/channels.csv").size(), 1U + 67 + 1);
}

TEST(Run, ReportsBodiesAndMasslessCables) {
  const TemporaryFolder folder;
  SceneFile file;
  file.scene = hoist();
  file.until = 0.1;
  const RunReport report = run(file, into(folder / "out"));
  EXPECT_EQ(report.end, RunEnd::finished) << report.failure;
  ASSERT_EQ(report.cables.size(), 1U);
  EXPECT_NEAR(report.cables[0].largest.tension, hoist_weight, 1e-3);
  EXPECT_NEAR(report.cables[0].utilisation, hoist_weight / 1000, 1e-6);
  ASSERT_EQ(report.bodies.size(), 1U);
  EXPECT_EQ(report.bodies[0].body, "load");
  EXPECT_LT((report.bodies[0].pose.position - Vec3(0.2, 0, -0.5)).norm(), 1e-6);
  const auto summary = nlohmann::json::parse(read_text(folder / "out/summary.json"));
  const auto& body = summary["bodies"][0];
  EXPECT_EQ(body["body"], "load");
  EXPECT_EQ(body["position"][2], report.bodies[0].pose.position.z());
  EXPECT_EQ(body["orientation"][0], report.bodies[0].pose.orientation.w());
  EXPECT_TRUE(summary["energy_end"].contains("twist"));
  const ResultsReader results(folder / "out/results.h5");
  EXPECT_EQ(results.read("bodies/load/position").shape, (std::vector<hsize_t>{4, 3}));
}

TEST(Run, ReportsTheMotion) {
  const RunReport report = run(scene(), {});
  EXPECT_EQ(report.title, "A pendulum and a shaken cable");
  EXPECT_NEAR(report.t, 0.2, 1e-9);
  EXPECT_EQ(report.counters.steps, 200);
  EXPECT_EQ(report.linear_solver, "block-tridiagonal");
  EXPECT_TRUE(report.files.empty());
  ASSERT_EQ(report.cables.size(), 2U);
  EXPECT_EQ(report.cables[1].cable, "shaken");
  // The same steps by hand.
  const SceneFile file = scene();
  Integrator integrator(Model(file.scene), file.solve);
  State state = integrator.start();
  double largest = 0;
  for (int i = 0; i <= 200; ++i) {
    if (i > 0) {
      ASSERT_EQ(integrator.step(state), Status::ok);
    }
    for (const CablePoint& p : profile(integrator.model(), state, 1))
      largest = std::max(largest, p.tension);
  }
  EXPECT_NEAR(report.cables[1].largest.tension, largest, 1e-9 * largest);
  EXPECT_EQ(report.energy_end.kinetic, energy(integrator.model(), state).kinetic);
  EXPECT_GT(report.cpu, 0);
  EXPECT_GT(report.wall, 0);
}

TEST(Run, EndsWhenItShould) {
  // 0.2 s: whole steps. 0.2003 s: two of 0.65 ms at the end. 0.2007 s: one of 0.7 ms.
  for (const auto& [until, steps] :
       {std::pair(0.2, 200), std::pair(0.2003, 201), std::pair(0.2007, 201)}) {
    SceneFile file = scene();
    file.until = until;
    const TemporaryFolder folder;
    const RunReport report = run(file, into(folder / "out"));
    EXPECT_EQ(report.end, RunEnd::finished);
    EXPECT_DOUBLE_EQ(report.t, until);
    EXPECT_EQ(report.counters.steps, steps);
    EXPECT_DOUBLE_EQ(std::stod(lines_of(folder / "out/channels.csv").back()), until);
  }
  SceneFile file = scene();
  file.until = 1e-4;  // less than half a step
  const RunReport shortest = run(file, {});
  EXPECT_DOUBLE_EQ(shortest.t, 1e-4);
  EXPECT_EQ(shortest.counters.steps, 1);
}

TEST(Run, TakesNoStepOfTheSizeOfRounding) {
  SceneFile file = scene();
  for (const double step : {0.01 / 3, 0.00333333333, 0.1 / 7}) {
    file.until = 0.1;
    file.solve.step = step;
    EXPECT_EQ(run(file, {}).counters.steps, std::lround(0.1 / step));
  }
}

TEST(Run, ShortensTheLastStepsOfEveryMethodWithoutAJolt) {
  const char* hanging = R"(
title: A weight at rest on a rope, another beside it on a massless one
initial: static
sections: {rope: {EA: 100 kN, EI: 1 N m^2, mass: 0.5 kg/m}}
supports: {a: {position: [0, 0, 0]}, b: {position: [1 m, 0, 0]}}
bodies:
  v: {mass: 20 kg, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 0, -3 m]}
  w: {mass: 20 kg, shape: {box: [0.2, 0.2, 0.2]}, position: [1 m, 0, -3 m]}
cables:
  rope: {section: rope, model: ancf, elements: 4, route: [a, v], length: 3 m}
  line: {section: rope, model: massless, route: [b, w], length: 3 m}
solve: {until: 0.0503 s, step: 1 ms}
expect:
  rope: {channel: rope.tension@end, value: 196.2 N, within: 1e-3 N, source: weight}
  line: {channel: line.tension@end, value: 196.2 N, within: 1e-3 N, source: weight}
  still: {channel: w.acceleration.z, value: 0 m/s^2, within: 1e-6 m/s^2, source: balance}
)";
  for (const char* solve : {"linearized", "mixed", "mixed3", "newton"})
    for (const char* until : {"50.3 ms", "50.7 ms"}) {
      const RunReport report = run(read_scene_text(hanging, "hanging.yaml",
                                                   {std::string("solve.method=") + solve,
                                                    std::string("solve.until=") + until}),
                                   {});
      EXPECT_EQ(report.end, RunEnd::finished) << report.failure;
      for (const ExpectationReport& e : report.expectations)
        EXPECT_TRUE(e.met) << solve << ", " << until << ": " << e.expected.name << " "
                           << e.measured;
    }
  const RunReport report =
      run(read_scene_text(hanging, "hanging.yaml", {"solve.until=5 s", "solve.step=0.3 s"}), {});
  EXPECT_EQ(report.t, 5);
  EXPECT_EQ(report.counters.steps, 17);
}

TEST(Run, BalancesItsEnergyFromZero) {
  const RunReport report = run(scene(), {});
  EXPECT_EQ(report.energy_start.balance(), 0);
  EXPECT_EQ(report.energy_start.start, report.energy_start.total());
  EXPECT_LT(report.energy_end.balance(), 0) << "the scheme damps";
  EXPECT_NEAR(report.energy_end.balance(), 0, 0.02 * report.energy_end.kinetic);
  EXPECT_GT(report.energy_end.work, 0);
}

TEST(Run, MeasuresExpectations) {
  RunReport report = run(scene(), {});
  ASSERT_EQ(report.expectations.size(), 1U);
  const ExpectationReport& tip = report.expectations[0];
  EXPECT_TRUE(tip.reached && tip.met);
  EXPECT_EQ(tip.unit, "m");
  // By hand, at the nearest step. The tip falls nearly freely at first: g t^2/2 = 7.85 mm.
  Integrator integrator(Model(scene().scene), scene().solve);
  State state = integrator.start();
  for (int i = 0; i < 40; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
  EXPECT_EQ(tip.measured, state.position(6).z());
  EXPECT_TRUE(report.expectations_met());
  report = run(scene({"expect.tip.value=0.5 m"}), {});
  EXPECT_TRUE(report.expectations[0].reached && !report.expectations[0].met);
  EXPECT_FALSE(report.expectations_met());
  SceneFile short_run = scene();
  short_run.until = 0.03;
  report = run(short_run, {});
  EXPECT_FALSE(report.expectations[0].reached);
  EXPECT_TRUE(report.expectations_met());
}

TEST(Run, MeasuresAnExpectationOfTheEndAtTheEnd) {
  SceneFile file = scene();
  file.expect[0].time = -1;
  const RunReport report = run(file, {});
  EXPECT_TRUE(report.expectations[0].reached);
  Integrator integrator(Model(file.scene), file.solve);
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 0.2), Status::ok);
  EXPECT_EQ(report.expectations[0].measured, state.position(6).z());
}

TEST(Run, RefusesExpectationsOfSeveralColumns) {
  SceneFile file = scene();
  file.expect[0].channel = "tether.position@end";
  const std::string error = error_of([&] { run(file, {}); });
  EXPECT_NE(error.find("3 columns"), std::string::npos) << error;
  EXPECT_NE(error.find("pendulum.yaml:"), std::string::npos) << error;
}

TEST(Run, PutsThePlaceInTheFileToLateErrors) {
  SceneFile file = scene();
  file.record.channels = {"energy", "tether.colour@end"};
  file.sources["record.channels[1]"] = {"pendulum.yaml", 7, 3, "  - tether.colour@end"};
  const std::string error = error_of([&] { run(file, {}); });
  EXPECT_NE(error.find("pendulum.yaml:7:3"), std::string::npos) << error;
  file = scene();
  file.scene.cables[1].sections[0].mass = -1;
  EXPECT_NE(error_of([&] { run(file, {}); }).find("pendulum.yaml:"), std::string::npos);
}

TEST(Run, NeverOverwritesUnasked) {
  const TemporaryFolder folder;
  run(scene(), into(folder / "out"));
  const std::string before = read_text(folder / "out/channels.csv");
  EXPECT_NE(error_of([&] {
              run(scene({"solve.until=50 ms"}), into(folder / "out"));
            }).find("--overwrite"),
            std::string::npos);
  EXPECT_EQ(read_text(folder / "out/channels.csv"), before);
  RunOptions options = into(folder / "out");
  options.overwrite = true;
  run(scene({"solve.until=50 ms"}), options);
  EXPECT_EQ(lines_of(folder / "out/channels.csv").size(), 1U + 17 + 1);
}

TEST(Run, WarnsOnceOfAnOverload) {
  std::vector<std::string> said;
  RunOptions options;
  options.warn = [&](const std::string& warning) { said.push_back(warning); };
  const RunReport report = run(scene({"sections.cord.breaking_load=3 N"}), options);
  EXPECT_EQ(said, report.warnings);
  ASSERT_EQ(std::count_if(said.begin(), said.end(),
                          [](const std::string& w) {
                            return w.find("'shaken'") != std::string::npos &&
                                   w.find("breaking load") != std::string::npos;
                          }),
            1)
      << fmt::format("{}", fmt::join(said, "\n"));
  EXPECT_GT(report.cables[1].utilisation, 1);
  EXPECT_NEAR(report.cables[1].utilisation, report.cables[1].largest.tension / 3, 1e-12);
}

TEST(Run, WarnsOfAStartThatIsStressed) {
  // The fold of this rope lies within an element, and cubics do not fold.
  const char* folded = R"(
title: A load on a slack rope
sections: {line: {library: wire-rope-6x19, diameter: 12 mm}}
supports: {top: {position: [0, 0, 0]}}
bodies: {w: {mass: 200 kg, shape: {box: [0.5, 0.5, 0.5]}, position: [0, 0, -9.5 m]}}
cables: {line: {section: line, route: [top, w], length: 10 m, elements: 10, initial: catenary}}
solve: {until: 1 ms, step: 0.1 ms}
)";
  const auto warned = [&](const char* model) {
    const RunReport report = run(
        read_scene_text(folded, "folded.yaml", {std::string("cables.line.model=") + model}), {});
    EXPECT_LT(report.energy_start.axial, 1) << "230 kJ with nodes on the curve";
    return std::count_if(report.warnings.begin(), report.warnings.end(), [](const std::string& w) {
      return w.find("strain energy") != std::string::npos;
    });
  };
  EXPECT_EQ(warned("ancf"), 1);
  EXPECT_EQ(warned("np-fem"), 0);
}

TEST(Run, ThatFailsKeepsWhatThereIs) {
  const TemporaryFolder folder;
  SceneFile file = scene({"solve.method=linearized", "solve.scheme=newmark", "solve.step=20 ms",
                          "solve.constraints=baumgarte", "solve.until=20 s", "record.every=0.1 s"});
  const RunReport report = run(file, into(folder / "out"));
  ASSERT_EQ(report.end, RunEnd::failed) << "an unstable step";
  EXPECT_LT(report.t, 20);
  EXPECT_NE(report.failure.find("stopped at t = "), std::string::npos);
  const std::vector<std::string> lines = lines_of(folder / "out/channels.csv");
  EXPECT_GE(lines.size(), 3U);
  EXPECT_NEAR(std::stod(lines.back()), report.t, 1e-12) << "the last sound state";
  EXPECT_FALSE(fs::exists(folder / "out/checkpoint.bin"));
  const auto summary = nlohmann::json::parse(read_text(folder / "out/summary.json"));
  EXPECT_EQ(summary["end"], "failed");
  EXPECT_EQ(summary["failure"], report.failure);
}

TEST(Run, TellsItsProgress) {
  std::vector<double> times;
  RunOptions options;
  options.progress_every = 0;
  options.progress = [&](const Progress& p) {
    times.push_back(p.t);
    EXPECT_EQ(p.until, 0.2);
    EXPECT_GE(p.seconds_left, 0);
    return true;
  };
  EXPECT_EQ(run(scene(), options).end, RunEnd::finished);
  EXPECT_EQ(times.size(), 200U);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
}

// --- stopping and going on ---

class ResumedMethods : public testing::TestWithParam<int> {
 protected:
  static std::vector<std::string> sets() {
    static const std::vector<SolveOptions> methods = all_methods(1e-3);
    if (GetParam() == static_cast<int>(methods.size()))
      return {"solve.method=newton", "solve.error_control=true", "solve.tolerance=1e-5 m"};
    const SolveOptions& o = methods[static_cast<size_t>(GetParam())];
    std::string scheme = name_of(o.scheme);
    std::replace(scheme.begin(), scheme.end(), '_', '-');
    return {"solve.method=" + name_of(o.method), "solve.scheme=" + scheme};
  }
};

TEST_P(ResumedMethods, EndWithTheSameFileAsIfNeverStopped) {
  const TemporaryFolder folder;
  const SceneFile file = scene(sets());
  const RunReport whole = run(file, into(folder / "whole"));
  ASSERT_EQ(whole.end, RunEnd::finished) << whole.failure;
  const std::string expected = read_text(folder / "whole/channels.csv");
  for (const long stop : {1L, 37L, 50L, 51L, 123L}) {
    const std::string part = folder / ("part" + std::to_string(stop));
    RunReport report = run(file, stopping(into(part), stop));
    ASSERT_EQ(report.end, RunEnd::stopped);
    EXPECT_EQ(report.counters.steps, stop);
    report = resume(stopping(into(part), 11));  // twice
    ASSERT_EQ(report.end, RunEnd::stopped);
    report = resume(into(part));
    ASSERT_EQ(report.end, RunEnd::finished);
    EXPECT_EQ(read_text(part + "/channels.csv"), expected) << "stopped after " << stop;
    EXPECT_EQ(report.counters.steps, whole.counters.steps);
    EXPECT_EQ(report.counters.factorizations, whole.counters.factorizations);
    EXPECT_EQ(report.cables[1].largest.tension, whole.cables[1].largest.tension);
    EXPECT_EQ(report.cables[0].smallest.t, whole.cables[0].smallest.t);
    EXPECT_EQ(report.expectations[0].measured, whole.expectations[0].measured);
    EXPECT_EQ(report.energy_start.potential, whole.energy_start.potential);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ResumedMethods, testing::Range(0, 17));

TEST(Resume, ExtendsAFinishedRun) {
  const TemporaryFolder folder;
  run(scene({"solve.until=0.1 s"}),
      into(folder / "part"));  // ends on no row: 0.1 s is off the grid
  const RunReport part = resume(into(folder / "part"), 0.2);
  EXPECT_EQ(part.until, 0.2);
  const RunReport whole = run(scene(), into(folder / "whole"));
  EXPECT_EQ(read_text(folder / "part/channels.csv"), read_text(folder / "whole/channels.csv"));
  EXPECT_EQ(part.expectations[0].measured, whole.expectations[0].measured);
  // Extended once, it is extended for good.
  run(scene({"solve.until=0.05 s"}), into(folder / "again"));
  resume(stopping(into(folder / "again"), 20), 0.2);
  resume(into(folder / "again"));
  EXPECT_EQ(read_text(folder / "again/channels.csv"), read_text(folder / "whole/channels.csv"));
}

TEST(Resume, ExtendsARunThatEndedOffItsSteps) {
  // Shortened steps are those of the end alone: the run that goes on takes whole ones instead.
  const TemporaryFolder folder;
  const RunReport whole = run(scene(), into(folder / "whole"));
  for (const char* until : {"solve.until=0.1003 s", "solve.until=0.1007 s"}) {
    const std::string part = folder / until;
    run(scene({until}), into(part));
    const RunReport report = resume(into(part), 0.2);
    EXPECT_EQ(read_text(part + "/channels.csv"), read_text(folder / "whole/channels.csv"));
    EXPECT_EQ(report.counters.steps, whole.counters.steps);
    EXPECT_EQ(report.cables[1].largest.tension, whole.cables[1].largest.tension);
  }
  run(scene({"solve.until=0.1 s"}), into(folder / "odd"));  // and one resumed to an odd end
  EXPECT_DOUBLE_EQ(resume(into(folder / "odd"), 0.1503).t, 0.1503);
}

TEST(Resume, KeepsTheIntervalOfTheRunWhenExtended) {
  const TemporaryFolder folder;
  // Rows a thousandth of the run apart, 0.1 ms: one for each step. Of 0.2 s it would be the same;
  // of 2 s every second step.
  std::string plain = text;
  const std::string record = "record: {every: 3 ms, shapes: 20 ms}";
  plain.erase(plain.find(record), record.size());
  const SceneFile file = read_scene_text(plain, "pendulum.yaml", {"solve.until=0.1 s"});
  run(file, into(folder / "part"));
  resume(into(folder / "part"), 2);
  EXPECT_EQ(lines_of(folder / "part/channels.csv").size(), 1U + 2001);
}

TEST(Resume, AfterAKillGoesOnFromTheLastCheckpoint) {
  const TemporaryFolder folder;
  run(scene(), into(folder / "whole"));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    RunOptions options = into(folder / "part");
    options.checkpoint_every = 0.02;
    options.progress_every = 0;
    options.progress = [](const Progress& p) {
      if (p.t > 0.1301) kill(getpid(), SIGKILL);
      return true;
    };
    run(scene(), options);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_NEAR(read_checkpoint(folder / "part/checkpoint.bin").snapshot.state.t, 0.12, 1e-9);
  const RunReport report = resume(into(folder / "part"));
  EXPECT_EQ(report.end, RunEnd::finished);
  EXPECT_EQ(report.counters.steps, 200);
  EXPECT_EQ(read_text(folder / "part/channels.csv"), read_text(folder / "whole/channels.csv"));
}

TEST(Resume, ContinuesShapesToo) {
  const TemporaryFolder folder;
  RunOptions options = into(folder / "whole");
  options.vtk = true;
  run(scene(), options);
  options.directory = folder / "part";
  run(scene(), stopping(options, 77));
  resume(into(folder / "part"));
  const ResultsReader whole(folder / "whole/results.h5"), part(folder / "part/results.h5");
  const std::map<std::string, Dataset> expected = whole.all(), found = part.all();
  EXPECT_GT(expected.size(), 20U);
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [name, dataset] : expected) EXPECT_EQ(found.at(name), dataset) << name;
  EXPECT_EQ(part.read("shapes/time").values.size(), 11U);  // 0, 20, ..., 200 ms
  const ResultsReader film(folder / "part/results.vtkhdf");
  EXPECT_EQ(film.all(), ResultsReader(folder / "whole/results.vtkhdf").all());
  EXPECT_EQ(film.read("VTKHDF/Steps/Values").values.size(), 11U);
}

TEST(Run, WithErrorControlSamplesAtTheVeryTimes) {
  const TemporaryFolder folder;
  const RunReport report = run(scene({"solve.method=newton", "solve.error_control=true",
                                      "solve.step=2 ms", "expect.tip.at=40.4 ms"}),
                               into(folder / "out"));
  ASSERT_EQ(report.end, RunEnd::finished);
  EXPECT_EQ(report.t, 0.2);
  const std::vector<std::string> lines = lines_of(folder / "out/channels.csv");
  ASSERT_EQ(lines.size(), 1U + 67 + 1);
  for (size_t row = 0; row < 67; ++row)
    EXPECT_EQ(std::stod(lines[row + 1]), static_cast<double>(row) * 0.003);
  EXPECT_TRUE(report.expectations[0].met);
}

TEST(Resume, OfNothingIsAnError) {
  const TemporaryFolder folder;
  EXPECT_NE(error_of([&] { resume(into(folder / "none")); }).find("no checkpoint"),
            std::string::npos);
}

TEST(Resume, ToAnEarlierTimeIsAnError) {
  const TemporaryFolder folder;
  run(scene(), into(folder / "out"));
  const std::string before = read_text(folder / "out/channels.csv");
  EXPECT_NE(error_of([&] { resume(into(folder / "out"), 0.1); }).find("a time after 0.2 s"),
            std::string::npos);
  EXPECT_EQ(read_text(folder / "out/channels.csv"), before);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

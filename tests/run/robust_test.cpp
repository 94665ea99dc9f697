// Methods that do not give up: steps that once failed, and error control at odd times and places.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hawser/run.h"
#include "hawser/scene_file.h"

namespace hawser::HAWSER_FILE {
namespace {

RunReport run_text(const std::string& text, const std::vector<std::string>& sets = {}) {
  return run(read_scene_text(text, "scene.yaml", sets), {});
}

void expect_finished(const RunReport& report, const std::string& what) {
  EXPECT_EQ(report.end, RunEnd::finished) << what << ": " << report.failure;
}

/// 3 m of rope let go level, 10 MN stiff: newton failed after two steps of 10 ms.
const char* rope = R"(
sections: {s: {EA: 10 MN, mass: 1, EI: 1}}
supports: {a: {position: [0, 0, 0]}}
cables: {c: {section: s, route: [a, [3, 0, 0]], elements: 10}}
solve: {until: 1 s, step: 10 ms, method: newton}
)";

TEST(Robust, NewtonRunsAStiffRopeAtAnyStep) {
  double z[2];
  for (const char* step : {"20 ms", "10 ms", "5 ms", "1 ms"}) {
    const RunReport report = run_text(rope, {fmt::format("solve.step={}", step)});
    expect_finished(report, step);
    EXPECT_LT(std::abs(report.energy_end.balance()), 1.5) << step << ", of 44 J";
    if (std::string(step) == "5 ms") z[0] = report.cables[0].to[1].z();
    if (std::string(step) == "1 ms") z[1] = report.cables[0].to[1].z();
  }
  EXPECT_NEAR(z[0], z[1], 0.05);
}

/// A weight that a slack line of tension-only elements catches: newton failed at every step above
/// 0.1 ms, at 0.38 s.
TEST(Robust, NewtonRunsASnappingLine) {
  const char* text = R"(
sections: {line: {library: wire-rope-6x19, diameter: 12 mm}}
supports: {top: {position: [0, 0, 0]}}
bodies: {w: {mass: 200 kg, shape: {box: [0.5, 0.5, 0.5]}, position: [0, 0, -9.5 m]}}
cables:
  line: {section: line, model: np-fem, route: [top, w], length: 10 m, elements: 10,
         initial: catenary, tension_only: true}
solve: {until: 0.8 s, step: 1 ms, method: newton}
)";
  for (const char* set : {"solve.step=1 ms", "solve.step=5 ms", "solve.scheme=bdf2",
                          "solve.scheme=backward-euler", "solve.scheme=generalized-alpha"}) {
    const RunReport report = run_text(text, {set});
    expect_finished(report, set);
    EXPECT_LT(report.energy_end.balance(), 10) << set << ": gained, of 1000 J";
  }
  EXPECT_GT(run_text(text).counters.fallbacks, 0) << "parts are counted";
}

/// What linearized cannot do at this step the mixed solve does, and the run says so.
TEST(Robust, LinearizedFallsBackAndSaysSo) {
  const RunReport report = run_text(rope, {"solve.method=linearized", "solve.scheme=newmark"});
  expect_finished(report, "linearized");
  EXPECT_GT(report.counters.fallbacks, 0);
  long said = 0;
  for (const std::string& w : report.warnings)
    said += w.starts_with("method linearized is not stable");
  EXPECT_EQ(said, 1);
  const RunReport fine =
      run_text(rope, {"solve.method=linearized", "solve.step=0.1 ms", "solve.until=0.2 s"});
  for (const std::string& w : fine.warnings)
    EXPECT_FALSE(w.starts_with("method linearized is not stable")) << w;
}

/// 3 * 0.3 s is 0.8999999999999999 s and no time before 0.9 s: the step of 1e-16 s between them had
/// a force of 5.9e16 N.
TEST(Robust, ErrorControlTakesNoStepOfRounding) {
  const RunReport report = run_text(R"(
supports: {a: {position: [0, 0, 0]}}
bodies: {w: {mass: 1 kg, shape: {sphere: 0.1}, position: [1, 0, 0], frames: {f: [-1, 0, 0]}}}
joints: {j: {kind: pin, between: [a, w.f]}}
solve: {until: 0.9 s, method: newton, error_control: true}
expect:
  near: {channel: energy.balance, at: 3 * 0.3 s, value: 0 J, within: 0.01 J}
  balance: {channel: energy.balance, value: 0 J, within: 0.01 J}
)");
  expect_finished(report, "pendulum");
  EXPECT_EQ(report.t, 0.9);
  for (const ExpectationReport& e : report.expectations)
    EXPECT_TRUE(e.met) << e.expected.name << ": " << e.measured;
}

/// The tolerance is a length, wherever the origin is: 3.8 of 9.8 J were lost at 100 km.
TEST(Robust, ErrorControlDoesNotKnowTheOrigin) {
  const char* text = R"(
variables: {X: 0 m}
sections: {s: {EA: 100 kN, mass: 0.1}}
supports: {a: {position: [X, X, X]}}
bodies: {w: {mass: 1 kg, shape: {sphere: 0.1}, position: [X + 1 m, X, X]}}
cables: {c: {section: s, model: massless, route: [a, w], pushes: true}}
solve: {until: 1 s, step: 1 ms, method: newton, error_control: true, tolerance: 1e-6}
)";
  const RunReport here = run_text(text), there = run_text(text, {"variables.X=100 km"});
  expect_finished(here, "at the origin");
  expect_finished(there, "at 100 km");
  EXPECT_NEAR(static_cast<double>(there.counters.steps), static_cast<double>(here.counters.steps),
              0.02 * static_cast<double>(here.counters.steps));
  EXPECT_NEAR(there.energy_end.kinetic, here.energy_end.kinetic, 1e-3);
  EXPECT_LT(std::abs(there.energy_end.balance()), 0.01);
}

/// The same machine, ten micrometres in size: lengths go with L, times with its root, forces with
/// its cube, and nothing else changes. Scenes of 1e-5 m once failed where a body hung on elements.
TEST(Robust, SizeDoesNotMatter) {
  const std::string machine = R"(
sections: {rope: {EA: 100 kN / (1 m^3) * L^3, EI: 1 N m^2 / (1 m^5) * L^5, mass: 0.1 kg/m^3 * L^2}}
supports: {top: {position: [0, 0, 0]}}
bodies:
  load: {shape: {sphere: 0.1 * L}, mass: 2 kg/m^3 * L^3, position: [0.5 * L, 0, -0.9 * L], frames: {eye: [0, 0, 0.1 * L]}}
cables: {rope: {section: rope, route: [top, load.eye], elements: 4}}
solve: {until: 1 s * sqrt(L / (1 m)), step: 2 ms * sqrt(L / (1 m))}
)";
  for (const char* method : {"mixed", "newton", "linearized", "mixed3"}) {
    const auto end = [&](double L) {
      const RunReport report = run_text(fmt::format("variables: {{L: {} m}}", L) + machine,
                                        {fmt::format("solve.method={}", method)});
      expect_finished(report, method);
      return Vec3(report.bodies[0].pose.position / L);
    };
    const Vec3 one = end(1);
    EXPECT_NEAR((end(1e-5) - one).norm(), 0, 1e-6) << method;
    EXPECT_NEAR((end(1e3) - one).norm(), 0, 1e-6) << method;
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

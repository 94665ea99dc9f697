// Peaks that axial waves carry: told of where the step does not resolve them, converged where the
// section damps them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hawser/run.h"
#include "hawser/scene_file.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

/// 20 kg on 6 m of slack wire rope, thrown away from where it is tied.
std::string thrown(const std::string& damping, const std::string& model, const std::string& step) {
  return fmt::format(R"(
title: A thrown weight
sections: {{rope: {{library: wire-rope-6x19, diameter: 12 mm{}}}}}
supports: {{a: {{position: [0, 0, 0]}}}}
bodies:
  w: {{mass: 20 kg, shape: {{box: [0.2, 0.2, 0.2]}}, position: [5 m, 0, 0], velocity: [5 m/s, 0, 0]}}
cables:
  line: {{section: rope, route: [a, w], length: 6 m, initial: catenary, model: {}}}
solve: {{until: 0.4 s, step: {}}}
)",
                     damping, model, step);
}

std::vector<std::string> warnings_of_waves(const RunReport& report) {
  std::vector<std::string> out;
  for (const std::string& w : report.warnings)
    if (w.find("axial waves") != std::string::npos) out.push_back(w);
  return out;
}

TEST(Waves, AreToldOfOnceWhereTheStepDoesNotResolveThem) {
  // ancf: 16.0 kN at 1 ms, 25.5 kN at 0.1 ms.
  for (const char* model : {"ancf", "np-fem"}) {
    const RunReport report = run(read_scene_text(thrown("", model, "1 ms"), "thrown.yaml"), {});
    const std::vector<std::string> said = warnings_of_waves(report);
    ASSERT_EQ(said.size(), 1U) << fmt::format("{}", fmt::join(report.warnings, "\n"));
    EXPECT_NE(said[0].find("cable 'line', largest tension: "), std::string::npos) << said[0];
    EXPECT_NE(said[0].find("`damping` in the section"), std::string::npos) << said[0];
    const size_t at = said[0].find("A step of ");
    ASSERT_NE(at, std::string::npos);
    const double named = std::stod(said[0].substr(at + 10));
    EXPECT_GT(named, 5e-6);
    EXPECT_LT(named, 5e-5);
    const SceneFile finer =
        read_scene_text(thrown("", model, fmt::format("{} s", named)), "thrown.yaml");
    EXPECT_EQ(warnings_of_waves(run(finer, {})).size(), 0U) << "the step it names";
  }
  // A weight that bounces on nylon, 60 steps a period, for 30 periods: nothing to say.
  const char* bouncing = R"(
title: A weight on nylon
sections: {rope: {EA: 200 kN, EI: 1 N m^2, mass: 0.2 kg/m}}
supports: {a: {position: [0, 0, 0]}}
bodies: {w: {mass: 500 kg, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 0, -30 m]}}
cables: {line: {section: rope, route: [a, w], length: 30 m, elements: 10}}
solve: {until: 52 s, step: 29 ms}
)";
  EXPECT_EQ(warnings_of_waves(run(read_scene_text(bouncing, "bouncing.yaml"), {})).size(), 0U);
}

TEST(Waves, AreToldOfTheSameWhenResumed) {
  const TemporaryFolder folder;
  RunOptions options;
  options.directory = folder / "part";
  const SceneFile file = read_scene_text(thrown("", "ancf", "1 ms"), "thrown.yaml");
  const RunReport whole = run(file, {});
  SceneFile part = file;
  part.until = 0.1;
  run(part, options);
  EXPECT_EQ(resume(options, 0.4).warnings, whole.warnings);
}

TEST(Waves, PeaksConvergeWhereTheSectionDamps) {
  // Undamped: the thrown weight 16, 23, 36 kN at 1, 0.25, 0.0625 ms; this one, on a support that
  // starts at 10 m/s, 123, 162, 229 kN. With a viscosity of 2 ms it had 20.7 MN at 1 ms.
  const char* jerked = R"yaml(
title: A jerked weight
initial: static
sections: {{rope: {{library: wire-rope-6x19, diameter: 12 mm, damping: {{axial: {{viscosity: {}}}}}}}}}
supports: {{a: {{position: [0, 0, 0]}}}}
bodies: {{w: {{mass: 500 kg, shape: {{box: [0.2, 0.2, 0.2]}}, position: [0, 0, -10 m]}}}}
cables: {{line: {{section: rope, route: [a, w], length: 10 m, elements: 10, model: {}}}}}
motions: {{m: {{of: a, z: "0.2 m * ramp(t, 0.1 s, 0.12 s)"}}}}
solve: {{until: 0.2 s, step: {}}}
)yaml";
  const auto largest = [](const std::string& yaml) {
    return run(read_scene_text(yaml, "damped.yaml"), {}).cables[0].largest.tension;
  };
  for (const char* model : {"ancf", "np-fem"}) {
    const std::string damped = ", damping: {axial: {viscosity: 0.1 ms}}";
    const double finest = largest(thrown(damped, model, "0.0625 ms"));
    EXPECT_NEAR(largest(thrown(damped, model, "0.25 ms")), finest, 0.2 * finest) << model;
    for (const char* viscosity : {"0.2 ms", "2 ms"}) {
      const auto at = [&](const char* step) {
        return largest(fmt::format(fmt::runtime(jerked), viscosity, model, step));
      };
      const double exact = at("0.0625 ms");
      EXPECT_NEAR(at("1 ms"), exact, 0.03 * exact) << model << ", " << viscosity;
      EXPECT_NEAR(at("0.25 ms"), exact, 0.01 * exact) << model << ", " << viscosity;
    }
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

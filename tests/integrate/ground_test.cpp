// Kinks of forces within a step: a cable that falls on the ground with steps that do not resolve
// the impact.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hawser/integrator.h"
#include "hawser/scene_file.h"

namespace hawser::HAWSER_FILE {
namespace {

/// 200 m of chain, level and free, falls 30 m onto the ground: 2.4 m in the step before it touches.
SceneFile falling(const char* model, const char* ground, const char* solve) {
  return read_scene_text(
      fmt::format("ground: {{{}}}\n"
                  "sections: {{chain: {{EA: 204 MN, mass: 50 kg/m, diameter: 50 mm}}}}\n"
                  "cables:\n"
                  "  line: {{section: chain, model: {}, route: [[0, 0, 30 m], [200 m, 0, 30 m]], "
                  "elements: 80}}\n"
                  "solve: {{until: 40 s, step: 100 ms{}}}\n",
                  ground, model, solve),
      "falling.yaml");
}

/// The steps in which it touches or leaves the ground made more energy than the fall has: forces
/// counted as the mean of both ends, also where one end is clear of the ground.
TEST(Ground, StepsThatTouchItMakeNoEnergy) {
  constexpr double weight = 50 * 9.81;
  for (const char* model : {"np-fem", "ancf"})
    for (const double stiffness : {1e4, 5e4, 1e6})
      for (const char* damping : {"0 s", "50 ms"})
        for (const char* solve : {"", ", scheme: newmark", ", scheme: backward-euler"}) {
          const std::string ground =
              fmt::format("stiffness: {} N/m^2, damping: {}", stiffness, damping);
          SCOPED_TRACE(fmt::format("{}, {}{}", model, ground, solve));
          const SceneFile file = falling(model, ground.c_str(), solve);
          Integrator integrator(compile(file), file.solve);
          State state = integrator.start();
          double gained = 0;
          while (state.t < 15) {
            ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
            gained = std::max(gained, state.books.balance);
          }
          EXPECT_LT(gained, 0.02 * weight * 200 * 30);
        }
}

TEST(Ground, AFallEndsAtRestAtItsDepth) {
  const SceneFile file = falling("np-fem", "stiffness: 50 kN/m^2, damping: 50 ms", "");
  Integrator integrator(compile(file), file.solve);
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 40), Status::ok) << integrator.failure().message();
  for (size_t node = 0; node <= 80; ++node)
    EXPECT_NEAR(state.q[6 * node + 2], -50 * 9.81 / 5e4, 1e-6);
  EXPECT_GT(integrator.counters().divided, 0);
}

/// A mooring line whose touchdown point travels: one solve a step.
TEST(Ground, SmoothMotionOnItTakesOneSolveAStep) {
  const SceneFile file = read_scene_text(
      "initial: static\n"
      "ground: {stiffness: 50 kN/m^2, damping: 50 ms}\n"
      "fluid: {density: 1025 kg/m^3}\n"
      "sections:\n  chain: {library: chain-studless-r3, diameter: 50 mm}\n"
      "supports:\n"
      "  anchor: {position: [0, 0, 0]}\n"
      "  fairlead: {position: [187 m, 0, 48 m]}\n"
      "motions:\n  surge: {of: fairlead, x: \"0.5 m * (1 - cos(2 * pi * t / 10 s))\"}\n"
      "cables:\n  line: {section: chain, model: np-fem, route: [anchor, fairlead], length: 200 m, "
      "elements: 80}\n"
      "solve: {until: 5 s, step: 5 ms}\n",
      "mooring.yaml");
  Integrator integrator(compile(file), file.solve);
  State state = integrator.start();
  const long before = integrator.counters().factorizations;
  ASSERT_EQ(integrator.advance(state, 5), Status::ok) << integrator.failure().message();
  EXPECT_EQ(integrator.counters().factorizations - before, integrator.counters().steps);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

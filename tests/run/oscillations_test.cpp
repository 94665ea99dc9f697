// Oscillations that the steps shift in time or do not show at all: said at the end of a run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hawser/run.h"
#include "hawser/scene_file.h"

namespace hawser::HAWSER_FILE {
namespace {

/// A hook and a load on two stiff ropes, paid out by a jerking winch: the ropes ring for 1.3 s, and
/// at 1.34 ms the largest tension of the leg is some per cent off.
constexpr const char* ringing = R"(
title: Two ropes that ring
initial: straight
sections: {{hoist: {{EA: 1.96114 MN, mass: 1 kg/m}}, leg: {{EA: 1.71449 MN, mass: 1 kg/m{}}}}}
supports: {{top: {{position: [0, 0, 0]}}}}
bodies:
  hook: {{shape: {{sphere: 0.1 m}}, mass: 92.2592 kg, position: [0, 0, -5.948094921 m]}}
  load: {{shape: {{box: [2 m, 2 m, 1 m]}}, mass: 692.518 kg, position: [0, 0, -8.451270189 m], frames: {{eye: [0, 0, 0.5 m]}}}}
cables:
  hoist: {{section: hoist, model: massless, route: [top, hook], length: 5.9480949 m, payout: {{table: [[0, 0], [0.0974894, 0.0556806], [0.56533, 0.268545]]}}}}
  leg: {{section: leg, model: massless, route: [hook, load.eye], length: 1.993029 m}}
solve: {{until: 1.3065 s, step: {}}}
)";

/// A winch that stops drops a light hook into its legs, one of them damped. The dashpot's first
/// force is the largest, 67.14 kN, and over in some microseconds.
constexpr const char* light_hook = R"(
title: A light hook
sections:
  hoist: {{EA: 6.05723 MN, mass: 1 kg/m}}
  leg0: {{EA: 3.26036 MN, mass: 1 kg/m, damping: {{axial: {{viscosity: 8.68 ms}}}}}}
  leg1: {{EA: 1.97589 MN, mass: 1 kg/m}}
supports: {{top: {{position: [0, 0, 0]}}}}
bodies:
  hook: {{shape: {{sphere: 0.1 m}}, mass: 0.0400719 kg, position: [0, 0, -9.238862694 m]}}
  load: {{shape: {{box: [2 m, 2 m, 1 m]}}, mass: 224.077 kg, position: [0, 0, -11.40546365 m], frames: {{e0: [0, 0.5400371023 m, 0.5 m], e1: [0, -0.5400371023 m, 0.5 m]}}}}
cables:
  hoist: {{section: hoist, model: massless, route: [top, hook], length: 9.2401293 m, payout: {{table: [[0, 0], [0.0790604, 0.24858]]}}}}
  leg0: {{section: leg0, model: massless, route: [hook, load.e0], length: 1.7542185 m}}
  leg1: {{section: leg1, model: massless, route: [hook, load.e1]}}
solve: {{until: 0.26 s, step: {}}}
)";

/// A load let go on an unstretched rope of elements: the higher axial modes, of 15 steps a period
/// and less, carry 7 % of the peak away at 1.47 ms (28.35 N for 30.43 N).
constexpr const char* let_go = R"(
title: A load let go
sections: {{rope: {{EA: 22.988 kN, EI: 0.0261 N m^2, mass: 0.1574 kg/m}}}}
supports: {{top: {{position: [0, 0, 0]}}}}
bodies: {{load: {{shape: {{sphere: 0.2 m}}, mass: 0.827175 kg, position: [0, 0, -4.870341141 m]}}}}
cables: {{rope: {{section: rope, model: ancf, route: [top, load], elements: 12}}}}
solve: {{until: 0.5439 s, step: {}}}
)";

RunReport run_text(const std::string& text) { return run(read_scene_text(text, "ring.yaml"), {}); }

int said(const RunReport& report, const char* part) {
  int count = 0;
  for (const std::string& w : report.warnings) count += w.find(part) != std::string::npos ? 1 : 0;
  return count;
}

double largest(const RunReport& report, size_t cable) {
  return report.cables[cable].largest.tension;
}

TEST(Oscillations, AreToldOfWhereTheStepsShiftThem) {
  const RunReport coarse = run_text(fmt::format(fmt::runtime(ringing), "", "1.34 ms"));
  EXPECT_EQ(said(coarse, "oscillates with a period of"), 1);
  const RunReport fine = run_text(fmt::format(fmt::runtime(ringing), "", "0.08375 ms"));
  EXPECT_EQ(said(fine, "oscillates with a period of"), 0);
  EXPECT_GT(std::abs(largest(coarse, 1) / largest(fine, 1) - 1), 0.02) << "what is told of";
  // Damped away before they are shifted.
  const RunReport damped = run_text(
      fmt::format(fmt::runtime(ringing), ", damping: {axial: {viscosity: 5 ms}}", "1.34 ms"));
  const RunReport damped_fine = run_text(
      fmt::format(fmt::runtime(ringing), ", damping: {axial: {viscosity: 5 ms}}", "0.08375 ms"));
  EXPECT_NEAR(largest(damped, 1), largest(damped_fine, 1), 0.05 * largest(damped_fine, 1));
}

TEST(Oscillations, TheFirstForceOfADashpotIsKnownAtAnyStep) {
  const RunReport coarse = run_text(fmt::format(fmt::runtime(light_hook), "2.3 ms"));
  EXPECT_NEAR(largest(coarse, 1), 67.14e3, 0.02 * 67.14e3);
  EXPECT_GT(said(coarse, "cable 'leg0' came taut"), 0);
  const RunReport fine = run_text(fmt::format(fmt::runtime(light_hook), "0.575 ms"));
  EXPECT_NEAR(largest(fine, 1), 67.14e3, 0.02 * 67.14e3);
}

TEST(Oscillations, HigherModesOfElementsAreToldOf) {
  EXPECT_EQ(said(run_text(fmt::format(fmt::runtime(let_go), "1.47 ms")), "axial waves"), 1);
  EXPECT_EQ(said(run_text(fmt::format(fmt::runtime(let_go), "0.09 ms")), "axial waves"), 0);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

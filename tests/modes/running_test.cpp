// Modes of cable that runs through its elements.
#include <gtest/gtest.h>

#include "../bench/flow_scenes.h"
#include "hawser/error.h"
#include "hawser/modes.h"
#include "hawser/statics.h"

namespace hawser::HAWSER_FILE {
namespace {

using namespace flowing;

/// omega_n = n (pi/L) c (1 - v^2/c^2); eight elements are within 3e-6 of it.
TEST(RunningModes, OfAString) {
  for (const double share : {0.0, 0.25, 0.5, 0.75}) {
    const RunningString string(share);
    const Model model(string.scene());
    State state = Integrator(model, by(1e-2)).start();
    ASSERT_TRUE(equilibrium(model, state).converged);
    ModeOptions options;
    options.count = 8;
    const ModesReport report = modes(model, state, options);
    ASSERT_FALSE(report.modes.empty()) << report.message;
    std::vector<double> omega;
    for (const Mode& mode : report.modes) omega.push_back(mode.omega);
    const auto nearest = [&](double to) {
      double best = 0;
      for (const double w : omega)
        if (std::abs(w - to) < std::abs(best - to)) best = w;
      return best;
    };
    EXPECT_NEAR(nearest(string.omega()), string.omega(), 1e-5 * string.omega()) << share;
    EXPECT_NEAR(nearest(2 * string.omega()), 2 * string.omega(), 1e-3 * string.omega()) << share;
    for (const Mode& mode : report.modes) EXPECT_EQ(mode.kind, ModeKind::oscillates) << mode.omega;
  }
}

TEST(RunningModes, NotOnTheMeshOfTheMaterial) {
  const Model model(RunningString(0.25).scene(FlowMesh::material));
  Integrator integrator(model, by(1e-2));
  EXPECT_THROW(modes(model, integrator.start()), Error);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

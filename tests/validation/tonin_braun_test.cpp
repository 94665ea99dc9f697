// Two cases of Tonin & Braun, "Numerical modeling of cable-rigid-body structural systems using the
// NP-FEM method": the free fall of a cable (4.1) and the conical pendulum (4.2).
//
// The paper prints curves, no numbers. Those here were computed apart from this program: the fall
// to 1e-3 m; the pendulum by a Runge-Kutta method of fourth order for a mass on a massless spring,
// to all digits.
#include <gtest/gtest.h>

#include <cmath>

#include "bench/cases.h"
#include "model/model_data.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

// --- 4.1: free fall ---

TEST(ToninBraun, HangingCableIsTheCatenary) {
  double H = 0, sag = 0;
  for (const Vec3& node : tonin_braun_chain(96, H)) sag = std::max(sag, -node.z());
  EXPECT_NEAR(H, 0.396736, 1e-5);    // 1 m = 2 (H/w) asinh(w L/(2 H))
  EXPECT_NEAR(sag, 0.632077, 1e-4);  // (H/w) (cosh(w/(2 H)) - 1)
  EXPECT_EQ(Model(tonin_braun_fall(24)).data().fields.size(), 1U) << "links of one length";
}

/// The scene's printed nodes are those of the chain.
TEST(ToninBraun, SceneStartsOnTheChain) {
  double H = 0;
  const std::vector<Vec3> chain = tonin_braun_chain(24, H);
  const Model model(tonin_braun_fall(24));
  const State state = Integrator(model, {}).start();
  for (int node = 0; node <= 24; ++node)
    EXPECT_NEAR((state.position(node) - chain[static_cast<size_t>(node)]).norm(), 0, 1e-11) << node;
}

/// Distances of the tip from where it should be at 0.1 to 0.5 s [m].
std::vector<double> tip_errors(int elements, const SolveOptions& options) {
  constexpr double truth[5][2] = {{0.9984, -0.0542},
                                  {0.9921, -0.2213},
                                  {0.9753, -0.5180},
                                  {0.9240, -0.9982},
                                  {0.3258, -1.5832}};
  const Model model(tonin_braun_fall(elements));
  Integrator integrator(model, options);
  State state = integrator.start();
  std::vector<double> errors;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(integrator.advance(state, 0.1 * (i + 1)), Status::ok)
        << name_of(options) << ": " << integrator.failure().message();
    const Vec3 tip = state.position(elements);
    EXPECT_EQ(tip.y(), 0);
    errors.push_back(std::hypot(tip.x() - truth[i][0], tip.z() - truth[i][1]));
  }
  return errors;
}

/// The paper's 24 elements with a thousand times its step of 2e-6 s: what is left is the error of
/// so few elements where the tip snaps.
TEST(ToninBraun, FreeFallWithTheirElements) {
  for (const Scheme scheme : {Scheme::bdf2, Scheme::hht, Scheme::generalized_alpha}) {
    const std::vector<double> errors = tip_errors(24, solve_options(Method::mixed, 2e-3, scheme));
    for (const size_t i : {0, 1, 2}) EXPECT_LT(errors[i], 1e-3) << i;
    EXPECT_LT(errors[3], 3e-3);
    EXPECT_LT(errors[4], 1.2e-2);
  }
}

/// Newton's method does not find the longer steps of so stiff a cable.
TEST(ToninBraun, FreeFallWithMoreElements) {
  for (const SolveOptions& options : {solve_options(Method::mixed, 2e-3),
                                      solve_options(Method::mixed, 2e-3, Scheme::generalized_alpha),
                                      solve_options(Method::newton, 2e-4)})
    for (const double error : tip_errors(96, options)) EXPECT_LT(error, 1e-3) << name_of(options);
}

// --- 4.2: conical pendulum ---

/// Unstretched at the start, V0 = 5.42218 m/s: that of a rigid cone of r = sqrt(3) m, where the
/// paper prints sqrt(3)/2. The rod goes slack once a swing, and Newton's method does not find a way
/// for hinges without mass between struts: it gets one element.
TEST(ToninBraun, ConicalPendulumFromTheUnstretchedRod) {
  for (const Method method : {Method::mixed, Method::mixed3, Method::newton}) {
    const int tip = method == Method::newton ? 1 : 10;
    const Model model(tonin_braun_cone(2, 5.42218, tip));
    Integrator integrator(model, solve_options(method, 5e-4));
    State state = integrator.start();
    EXPECT_NEAR((state.velocity(tip) - Vec3(5.42218, 0, 0)).norm(), 0, 1e-12);
    ASSERT_EQ(integrator.advance(state, 1), Status::ok) << integrator.failure().message();
    EXPECT_NEAR((state.position(tip) - Vec3(0.337645, -1.620272, -1.167329)).norm(), 0, 1e-3)
        << name_of(method);
    ASSERT_EQ(integrator.advance(state, 2), Status::ok) << integrator.failure().message();
    EXPECT_NEAR((state.position(tip) - Vec3(-0.846303, 1.501879, -1.093452)).norm(), 0, 1e-3)
        << name_of(method);
  }
}

/// The steady cone of 60 degrees: N = m g/cos 60, so that the rod is 2.150769 m long.
TEST(ToninBraun, SteadyCone) {
  constexpr double L = 2.150769, r = 1.862621, velocity = 5.622838, period = 2.081367;
  const Model model(tonin_braun_cone(L, velocity));
  Integrator integrator(model, solve_options(Method::mixed, period / 4000));
  State state = integrator.start();
  for (int quarter = 1; quarter <= 8; ++quarter) {
    ASSERT_EQ(integrator.advance(state, quarter * period / 4), Status::ok);
    const double angle = quarter * std::acos(0.0);
    const Vec3 expected(r * std::sin(angle), r * std::cos(angle), -L / 2);
    EXPECT_NEAR((state.position(10) - expected).norm(), 0, 5e-4);
    for (const CablePoint& p : profile(model, state, 0)) EXPECT_NEAR(p.tension, 5.88, 5e-3);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

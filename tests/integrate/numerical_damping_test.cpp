// What the steps take of the energy where nothing physical takes any.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/scene_file.h"

namespace hawser::HAWSER_FILE {
namespace {

using Texts = std::vector<std::string>;

/// A bob of 10 kg on 2 m of wire rope, released at 30 degrees: 26.3 J swing in. It falls into a
/// rope that starts without tension, and light elements dance under it.
const std::string bob = R"(
variables: {L: 2 m, a: 30 deg}
sections: {rope: {library: wire-rope-6x19, diameter: 8 mm}}
supports: {top: {position: [0, 0, 0]}}
loads: {w: {at: rope@end, mass: 10 kg}}
cables:
  rope: {section: rope, model: np-fem, elements: 10, route: [top, [L * sin(a), 0, -L * cos(a)]]}
solve: {until: 100 s, step: 10 ms}
)";

struct Swing {
  double amplitude = 0;  ///< in the last 10 s [deg]
  double balance = 0;    ///< at the end [J]
  Counters work;
};

Swing swing(const Texts& sets) {
  const SceneFile file = read_scene_text(bob, "bob.yaml", sets);
  const Model model(file.scene);
  Integrator integrator(model, file.solve);
  State state = integrator.start();
  Swing out;
  while (state.t < file.until - file.solve.step / 2) {
    EXPECT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
    if (integrator.failure().status != Status::ok) break;
    const Eigen::Vector3d tip = state.position(model.nodes() - 1);
    if (state.t > file.until - 10)
      out.amplitude =
          std::max(out.amplitude, std::atan2(std::abs(tip.x()), -tip.z()) * 180 / std::numbers::pi);
  }
  out.balance = energy(model, state).balance();
  out.work = integrator.counters();
  return out;
}

/// Undamped, the rope dances on: the steps are divided. Backward Euler took 4 J of the 26 in 100 s.
TEST(NumericalDamping, NewmarkKeepsAPendulumSwinging) {
  const Swing got = swing({"solve.scheme=newmark"});
  EXPECT_NEAR(got.amplitude, 30, 0.1);
  EXPECT_NEAR(got.balance, 0, 0.1);
  EXPECT_GT(got.work.divided, 0);
  EXPECT_LE(got.work.fallbacks, got.work.steps / 1000);
}

/// Schemes that damp what a step does not resolve let the rope come to rest: one factorization a
/// step from then on. What they take goes with the fourth power of omega h: 13 mJ by HHT at 10 ms.
TEST(NumericalDamping, HhtAndGeneralizedAlphaLetTheRopeComeToRest) {
  for (const std::string model : {"np-fem", "ancf"})
    for (const std::string scheme : {"hht", "generalized-alpha"}) {
      SCOPED_TRACE(model + ", " + scheme);
      const Swing got = swing({"solve.scheme=" + scheme, "cables.rope.model=" + model});
      EXPECT_NEAR(got.amplitude, 30, 0.01);
      EXPECT_LE(got.balance, 0);
      EXPECT_GE(got.balance, -0.03);
      EXPECT_EQ(got.work.fallbacks, 0);
    }
  const Swing hht = swing({});
  EXPECT_LE(hht.work.factorizations, hht.work.steps + hht.work.steps / 100);
}

/// A slack net catches 20 kg: 398 J. Elements of it go slack and taut in most of the steps, which
/// costs a scheme without damping little. HHT damps the waves that the step does not resolve. The
/// motion is chaotic: gravity that differs in the ninth digit leads to another one, and now and
/// then to a substep of Backward Euler that takes 60 J at once. The median of five is looked at.
TEST(NumericalDamping, ElementsThatGoSlackTakeNothing) {
  const std::string net = R"(
sections: {cord: {library: nylon, diameter: 8 mm}}
supports:
  a: {position: [0, 0, 0]}
  b: {position: [3 m, 0, 0]}
  c: {position: [3 m, 3 m, 0]}
  d: {position: [0, 3 m, 0]}
nets: {net: {section: cord, corners: [a, b, c, d], meshes: [6, 6], slack: 0.1, tension_only: true}}
loads: {weight: {at: net-row-3@0.5, mass: 20 kg}}
solve: {until: 1 s, step: 2 ms}
)";
  for (const auto& [scheme, most] :
       {std::pair<std::string, double>{"newmark", 0.06 * 398}, {"hht", 0.25 * 398}}) {
    SCOPED_TRACE(scheme);
    for (int i = 0; i < 3; ++i) {
      SceneFile file = read_scene_text(net, "net.yaml", {"solve.scheme=" + scheme});
      file.scene.gravity *= 1 + 1e-9 * i;
      const Model model(file.scene);
      Integrator integrator(model, file.solve);
      State state = integrator.start();
      ASSERT_EQ(integrator.advance(state, 1), Status::ok) << integrator.failure().message();
      const double balance = energy(model, state).balance(), fallen = state.books.by_fallbacks;
      EXPECT_GE(balance - fallen, -most);
      EXPECT_GE(fallen, -0.2 * 398);
      EXPECT_LE(balance, 0.01 * 398);
      EXPECT_EQ(fallen<0, integrator.counters().fallbacks> 0);
      EXPECT_LE(integrator.counters().fallbacks, integrator.counters().steps / 20);
    }
  }
}

/// A car of 200 J runs onto compliant stops. Spook let a stop pull before it pushed, and pay that
/// back: 14 % of the energy gained in an impact at 20 ms.
TEST(NumericalDamping, SpookReturnsFromACompliantStopAsItCame) {
  const std::string buffer = R"(
gravity: [0, 0, 0]
supports: {rail: {position: [0, 0, 0]}}
bodies: {car: {mass: 100 kg, shape: {box: [1, 1, 1]}, position: [0, 0, 0], velocity: [2 m/s, 0, 0]}}
joints:
  track:
    kind: slider
    between: [rail, car]
    axis: x
    travel_limits: [-1 m, 0.5 m]
    compliance: 1e-4 m/N
solve: {until: 4 s, step: 20 ms, method: spook}
)";
  for (const std::string step : {"20 ms", "17 ms", "10 ms", "5 ms"}) {
    SCOPED_TRACE(step);
    const SceneFile file = read_scene_text(buffer, "buffer.yaml", {"solve.step=" + step});
    const Model model(file.scene);
    Integrator integrator(model, file.solve);
    State state = integrator.start();
    double fastest = 0, slowest_free = 2;
    while (state.t < 4) {
      ASSERT_EQ(integrator.step(state), Status::ok) << integrator.failure().message();
      const double v = std::abs(state.velocity(0).x()), x = state.position(0).x();
      fastest = std::max(fastest, v);
      if (x > -0.9 && x < 0.4) slowest_free = std::min(slowest_free, v);
    }
    EXPECT_LT(fastest, 2.05);
    EXPECT_GT(slowest_free, 1.97);
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

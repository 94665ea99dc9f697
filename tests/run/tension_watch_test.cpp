// The watch on the tension, against profile() over every step and against closed forms.
#include "run/tension_watch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "allocations.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/statics.h"
#include "record/mechanisms.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

/// Extremes by the plain way: every point of every step.
struct PlainWatch {
  TensionExtreme largest{-1e300, 0, 0}, smallest{1e300, 0, 0};
  void look(const Model& model, const State& state, int cable) {
    for (const CablePoint& p : profile(model, state, cable)) {
      if (p.tension > largest.tension) largest = {p.tension, p.s, state.t};
      if (p.tension < smallest.tension) smallest = {p.tension, p.s, state.t};
    }
  }
};

class WatchedMethods : public testing::TestWithParam<SolveOptions> {};

TEST_P(WatchedMethods, SeeWhatTheProfileOfEveryStepShows) {
  Scene scene = pendulum(1e7);
  scene.cables[0].elements = 7;  // not a multiple of four
  Cable second = scene.cables[0];
  second.name = "stiff";
  second.route.front() = {0, 1, 0};
  second.route.back() = {0.5, 1, 0.5};
  second.elements = 8;
  second.strain = StrainMeasure::engineering;
  scene.cables.push_back(second);
  hold(scene, "stiff", 0);
  const Model model(scene);
  Integrator integrator(model, GetParam());
  State state = integrator.start();
  TensionWatch watch(model);
  PlainWatch plain[2];
  std::vector<double> past[2][4];  // axial forces of the last four looks
  double unevenness[2] = {0, 0};
  for (int i = 0; i <= 400; ++i) {
    watch.look(state);
    for (int c : {0, 1}) {
      plain[c].look(model, state, c);
      std::vector<double> force;
      for (const CablePoint& p : profile(model, state, c))
        force.push_back(p.strain * scene.cables[static_cast<size_t>(c)].sections[0].EA);
      auto& [n1, n2, n3, n4] = past[c];
      double sum = 0;
      for (size_t k = 0; i > 3 && k < force.size(); ++k)
        sum += std::pow(force[k] - 4 * n1[k] + 6 * n2[k] - 4 * n3[k] + n4[k], 2);
      unevenness[c] =
          (1 - 2e-4) * unevenness[c] + std::sqrt(sum / static_cast<double>(force.size()));
      n4 = n3;
      n3 = n2;
      n2 = n1;
      n1 = force;
    }
    if (i < 400) {
      ASSERT_EQ(integrator.step(state), Status::ok);
    }
  }
  for (size_t c : {0, 1}) {
    const TensionSeen& seen = watch.seen()[c];
    EXPECT_GT(seen.largest.tension, 1) << "the cable has swung";
    EXPECT_NEAR(seen.unevenness, unevenness[c], 1e-6 * unevenness[c]);
    EXPECT_NEAR(seen.largest.tension, plain[c].largest.tension, 1e-12 * seen.largest.tension);
    EXPECT_DOUBLE_EQ(seen.largest.t, plain[c].largest.t);
    EXPECT_NEAR(seen.largest.s, plain[c].largest.s, 1e-12);
    EXPECT_NEAR(seen.smallest.tension, plain[c].smallest.tension, 1e-9);
    EXPECT_DOUBLE_EQ(seen.smallest.t, plain[c].smallest.t);
    EXPECT_NEAR(seen.smallest.s, plain[c].smallest.s, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, WatchedMethods,
                         testing::Values(solve_options(Method::mixed, 1e-3),
                                         solve_options(Method::mixed3, 1e-3),
                                         solve_options(Method::linearized, 1e-3),
                                         solve_options(Method::newton, 1e-3)),
                         [](const auto& param) { return name_of(param.param.method); });

Scene hanging() {
  Scene scene = pendulum(1e9);
  scene.cables[0].route.back() = {0, 0,
                                  -1.0001};  // a little stretched: slack, it could swing freely
  scene.cables[0].length = 1;
  scene.cables[0].strain = StrainMeasure::engineering;
  scene.cables[0].curvature = CurvatureMeasure::material;  // |r''| would see the strain's gradient
  return scene;
}

TEST(TensionWatch, FindsTheTopOfAHangingCable) {
  const Model model(hanging());
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  TensionWatch watch(model);
  watch.look(state);
  const TensionSeen& seen = watch.seen()[0];
  const double weight = model.scene().cables[0].sections[0].mass * 9.81;  // [N/m]
  EXPECT_NEAR(seen.largest.tension, weight * (1 - seen.largest.s), 1e-8);
  EXPECT_LT(seen.largest.s, 0.1 / 10);
  EXPECT_NEAR(seen.smallest.tension, weight * (1 - seen.smallest.s), 1e-8);
  EXPECT_GT(seen.smallest.s, 1 - 0.1 / 10);
  EXPECT_EQ(seen.largest.t, 0);
}

TEST(TensionWatch, TellsOfAnOverloadOnce) {
  Scene scene = hanging();
  const double weight = scene.cables[0].sections[0].mass * 9.81;
  scene.cables[0].sections[0].breaking_load = weight;  // at rest it holds just below
  const Model model(scene);
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  TensionWatch watch(model);
  EXPECT_FALSE(watch.look(state));
  EXPECT_FALSE(watch.seen()[0].overloaded());
  state.t = 2;
  for (int e = 0; e < 10; ++e) state.q[6 * static_cast<size_t>(e + 1) + 2] *= 1.01;
  state.axial_force_valid = false;
  EXPECT_TRUE(watch.look(state));
  EXPECT_EQ(watch.seen()[0].overload.t, 2);
  EXPECT_GT(watch.seen()[0].overload.tension, weight);
  state.t = 3;
  for (int e = 0; e < 10; ++e) state.q[6 * static_cast<size_t>(e + 1) + 2] *= 1.01;
  EXPECT_FALSE(watch.look(state)) << "said already";
  EXPECT_EQ(watch.seen()[0].overload.t, 2);
  EXPECT_EQ(watch.seen()[0].largest.t, 3);
}

TEST(TensionWatch, GoesOnFromWhatWasSeen) {
  const Model model(hanging());
  const State state = Integrator(model, {}).start();
  TensionWatch first(model), second(model);
  first.look(state);
  TensionSeen seen = first.seen()[0];
  seen.largest = {1e9, 0.5, 7};
  seen.largest_force = 1e9;
  second.restore({seen});
  second.look(state);
  EXPECT_EQ(second.seen()[0].largest.t, 7);
}

TEST(TensionWatch, SeesTheRunsOfMasslessCables) {
  Scene scene = hoist(0.2);
  scene.cables[0].payout = Signal::ramp(0, -0.05, 0, 0.1);
  scene.cables[0].sections[0].breaking_load = 1.1 * hoist_weight;
  const Model model(scene);
  Integrator integrator(model, {});
  State state = integrator.start();
  TensionWatch watch(model);
  double largest = 0, smallest = 1e300, when = -1;
  bool told = false;
  for (int i = 0; i < 150; ++i) {
    told |= watch.look(state);
    for (const double T : run_tensions(model, state, "rope")) {
      if (T > largest) largest = T, when = state.t;
      smallest = std::min(smallest, T);
    }
    ASSERT_EQ(integrator.step(state), Status::ok);
  }
  const TensionSeen& seen = watch.seen()[0];
  EXPECT_GT(largest, 1.2 * hoist_weight);
  SolveOptions fine;
  fine.step = SolveOptions().step / 16;
  Integrator slow(model, fine);
  State detail = slow.start();
  double peak = 0;
  while (detail.t < state.t) {
    ASSERT_EQ(slow.step(detail), Status::ok);
    for (const double T : run_tensions(model, detail, "rope")) peak = std::max(peak, T);
  }
  EXPECT_GE(seen.largest.tension, largest);  // it lies within a step, between its ends
  EXPECT_LE(seen.largest.tension, peak);
  EXPECT_EQ(seen.largest.t, when);
  EXPECT_EQ(seen.largest.s, 0);
  EXPECT_EQ(seen.smallest.tension, smallest);
  EXPECT_TRUE(told);
  EXPECT_TRUE(seen.overloaded());
}

#ifdef COUNTS_ALLOCATIONS
TEST(TensionWatch, TakesNoMemory) {
  const Model model(hanging());
  Integrator integrator(model, {});
  State state = integrator.start();
  TensionWatch watch(model);
  const long before = allocations;
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(integrator.step(state), Status::ok);
    watch.look(state);
  }
  EXPECT_EQ(allocations - before, 0);
}
#endif

}  // namespace
}  // namespace hawser::HAWSER_FILE

// What is reported of a state, against closed forms.
#include "hawser/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../bench/routes.h"
#include "hawser/error.h"
#include "hawser/integrator.h"
#include "hawser/statics.h"

namespace hawser::HAWSER_FILE {
namespace {

Scene straight(const Vec3& end, int elements = 10) {
  Cable rope;
  rope.name = "rope";
  rope.sections = {Section{1e4, 0.5, 0.4}};
  rope.route.back() = end;
  rope.elements = elements;
  Scene scene;
  scene.cables = {rope};
  return scene;
}

TEST(Profile, HangingCableCarriesWhatHangsBelow) {
  Scene scene = straight({0, 0, -2.001});  // a little stretched: slack, it could swing freely
  scene.cables[0].length = 2;
  scene.cables[0].strain = StrainMeasure::engineering;
  scene.cables[0].curvature = CurvatureMeasure::material;  // |r''| would see the strain's gradient
  hold(scene, "rope", 0);
  const Model model(scene);
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  const std::vector<CablePoint> points = profile(model, state, 0);
  ASSERT_EQ(points.size(), 50U);
  for (const CablePoint& p : points) {
    EXPECT_NEAR(p.tension, 0.4 * 9.81 * (2 - p.s), 1e-9) << "s = " << p.s;
    EXPECT_NEAR(p.curvature, 0, 1e-9);
    EXPECT_NEAR(p.tension, 1e4 * p.strain, 1e-9);
  }
  EXPECT_NEAR(reaction(model, state, Place::start("rope")).force.z(), 0.8 * 9.81, 1e-9);
}

TEST(Profile, TensionWithGreenStrainIsTheForceAlongTheTangent) {
  Scene scene = straight({1.2, 0, 0}, 4);
  scene.cables[0].length = 1;
  scene.cables[0].strain = StrainMeasure::green;
  const Model model(scene);
  const State state = Integrator(model, {}).start();
  for (const CablePoint& p : profile(model, state, 0)) {
    EXPECT_NEAR(p.strain, (1.2 * 1.2 - 1) / 2, 1e-12);
    EXPECT_NEAR(p.tension, 1e4 * p.strain * 1.2, 1e-8);  // EA eps |r'|
  }
}

TEST(Profile, PointsLieOnTheCableInOrder) {
  const Model model(straight({3, 4, 0}, 4));
  const State state = Integrator(model, {}).start();
  double before = 0;
  for (const CablePoint& p : profile(model, state, 0)) {
    EXPECT_GT(p.s, before);
    before = p.s;
    EXPECT_LT((p.position - p.s / 5 * Vec3(3, 4, 0)).norm(), 1e-12);
  }
}

TEST(Profile, CantileverBendsByItsTipForce) {
  // Small deflection: M = F (L - s), moment at the clamp F L.
  Scene scene = straight({1, 0, 0}, 16);
  scene.gravity = Vec3::Zero();
  clamp(scene, "rope", 0);
  PointForce force;
  force.at = Place::end("rope");
  force.force = {0, 0, 1e-3};
  scene.point_forces.push_back(force);
  const Model model(scene);
  State state = Integrator(model, {}).start();
  ASSERT_TRUE(equilibrium(model, state).converged);
  for (const CablePoint& p : profile(model, state, 0))
    EXPECT_NEAR(p.moment, 1e-3 * (1 - p.s), 1e-6 * 1e-3 + 1e-9) << "s = " << p.s;
  EXPECT_NEAR(state.position(model.node(Place::end("rope"))).z(), 1e-3 / (3 * 0.5), 1e-9);
  const Reaction hold = reaction(model, state, Place::start("rope"));
  EXPECT_NEAR(hold.force.z(), -1e-3, 1e-12);
  EXPECT_NEAR(hold.moment.y(), 1e-3, 1e-9);  // F along z at x = 1 turns about -y; the clamp resists
}

TEST(Momentum, OfASpinningFreeCableIsThatOfARodAndIsKept) {
  Scene scene = straight({1, 0, 0});
  scene.gravity = Vec3::Zero();
  scene.cables[0].velocity = {0.5, -1, 2};
  scene.cables[0].angular_velocity = {0, 0, 3};
  const Model model(scene);
  for (const Method solve : {Method::newton, Method::mixed}) {
    SolveOptions o;
    o.method = solve;
    o.scheme = Scheme::newmark;
    Integrator integrator(model, o);
    State state = integrator.start();
    const Momentum start = momentum(model, state);
    // m v + m omega x (L/2); about the origin m omega L^2/3 + m (L/2) x v.
    EXPECT_LT((start.linear - 0.4 * Vec3(0.5, -1 + 1.5, 2)).norm(), 1e-12);
    EXPECT_LT((start.angular - (Vec3(0, 0, 0.4 * 3 / 3.0) + 0.4 * Vec3(0, -1, -0.5))).norm(),
              1e-12);
    ASSERT_EQ(integrator.advance(state, 1), Status::ok);
    const Momentum end = momentum(model, state);
    EXPECT_LT((end.linear - start.linear).norm(), 1e-9);
    EXPECT_LT((end.angular - start.angular).norm(), 1e-4);  // second order in h
  }
}

TEST(Energy, OfFreeFallTurnsWeightIntoMotion) {
  const Model model(straight({1, 0, 0}));
  Integrator integrator(model, {});
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 0.5), Status::ok);
  const Energy e = energy(model, state);
  EXPECT_NEAR(e.kinetic, 0.4 * 9.81 * 9.81 * 0.25 / 2, 1e-9);
  EXPECT_NEAR(e.kinetic + e.potential, 0, 1e-9);
  EXPECT_NEAR(e.axial + e.bending, 0, 1e-12);
}

TEST(Reaction, OfASupportCarriesWhatIsTiedToItsNode) {
  Scene scene = straight({0, 0, -1});
  scene.cables.push_back(scene.cables[0]);
  scene.cables[1].name = "second";
  hold(scene, "rope", 0);
  scene.junctions.push_back({Place::start("rope"), Place::start("second")});
  const Model model(scene);
  SolveOptions settle;
  settle.scheme = Scheme::backward_euler;
  settle.step = 1e-2;
  Integrator integrator(model, settle);
  State state = integrator.start();
  ASSERT_EQ(integrator.advance(state, 5), Status::ok);
  EXPECT_NEAR(reaction(model, state, Place::start("rope")).force.z(), 2 * 0.4 * 9.81, 1e-6);
  EXPECT_NEAR(reaction(model, state, Place::start("second")).force.z(), 0, 1e-12);
}

TEST(Reaction, OfAPlaceThatDoesNotExistIsAnError) {
  const Model model(straight({1, 0, 0}));
  const State state = Integrator(model, {}).start();
  EXPECT_THROW(reaction(model, state, Place::at("rope", 1.1)), Error);
  EXPECT_THROW(reaction(model, state, Place::start("cord")), Error);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

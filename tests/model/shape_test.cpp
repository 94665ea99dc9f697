// The shapes in which cables start: nodes on the catenary or the curve, held ends, refusals.
#include "model/shape.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numeric>

#include "hawser/error.h"
#include "hawser/integrator.h"
#include "hawser/statics.h"
#include "math/catenary.h"
#include "math/curve.h"
#include "model/model_data.h"
#include "model/route.h"

namespace hawser {
namespace {

Scene hanging(double length = 12, int elements = 8) {
  Scene scene;
  Cable c;
  c.name = "line";
  c.section = {1e4, 0, 2};
  c.start = {1, 0, 3};
  c.end = {11, 0, 4};
  c.length = length;
  c.elements = elements;
  c.initial = Initial::catenary;
  scene.cables = {c};
  return scene;
}

std::vector<NodeStart> lay(const Scene& scene) { return lay_cable(scene, scene.cables[0]); }

std::string refused(const Scene& scene) {
  try {
    (void)Model(scene);
    return "nothing";
  } catch (const Error& error) {
    return error.what();
  }
}

CatenaryProblem problem_of(const Scene& scene) {
  const Cable& c = scene.cables[0];
  CatenaryProblem p;
  p.from = c.start;
  p.to = c.end;
  p.length = c.length;
  p.weight = c.section.mass * scene.gravity;
  p.law = {c.section.EA, c.strain};
  return p;
}

TEST(Shape, NodesLieOnTheCatenary) {
  for (const StrainMeasure strain : {StrainMeasure::green, StrainMeasure::engineering}) {
    Scene scene = hanging();
    scene.cables[0].strain = strain;
    const Catenary catenary = solve_catenary(problem_of(scene));
    const Model model(scene);
    const State state = Integrator(model, {}).start();
    for (int n = 0; n <= 8; ++n) {
      EXPECT_LT((state.position(n) - catenary.position(1.5 * n)).norm(), 1e-13);
      EXPECT_LT((state.slope(n) - catenary.slope(1.5 * n)).norm(), 1e-13);
    }
  }
}

TEST(Shape, OfPositionElementsHasTheirStrain) {
  Scene scene = hanging();
  scene.cables[0].model = CableModel::np_fem;
  scene.cables[0].section.EA = 300;
  CatenaryProblem p = problem_of(scene);
  p.law.strain = StrainMeasure::engineering;
  const Catenary catenary = solve_catenary(p);
  const Model model(scene);
  for (int n = 0; n <= 8; ++n) {
    const Vec3 r = Eigen::Map<const Vec3>(model.data().q0.data() + 6 * n);
    EXPECT_LT((r - catenary.position(1.5 * n)).norm(), 1e-13);
    EXPECT_EQ(model.data().q0[static_cast<size_t>(6 * n + 3)], 0) << "slopes are idle";
  }
}

TEST(Shape, EverySpanHangsByItself) {
  Scene scene = hanging(22, 10);
  Cable& c = scene.cables[0];
  c.via = {{6, 2, 3.5}};
  const std::vector<RouteSpan> route = route_of(scene, c);
  const std::vector<NodeStart> nodes = lay(scene);
  ASSERT_EQ(nodes.size(), 11U);
  CatenaryProblem p = problem_of(scene);
  Vec3 slopes[2];
  int node = 0;
  for (size_t k = 0; k < 2; ++k) {
    p.from = route[k].from;
    p.to = route[k].to;
    p.length = route[k].length;
    const Catenary catenary = solve_catenary(p);
    for (int n = 1; n < route[k].elements; ++n)
      EXPECT_LT((nodes[static_cast<size_t>(node + n)].position -
                 catenary.position(route[k].element_length() * n))
                    .norm(),
                1e-13);
    slopes[k] = catenary.slope(k == 0 ? p.length : 0);
    node += route[k].elements;
  }
  const NodeStart& via = nodes[static_cast<size_t>(route[0].elements)];
  EXPECT_EQ(via.position, c.via[0]);
  EXPECT_NEAR(via.slope.normalized().dot(slopes[0].normalized()),
              via.slope.normalized().dot(slopes[1].normalized()), 1e-13)
      << "halfway";
  EXPECT_GT(via.slope.dot(c.end - c.start), 0) << "onwards";
  EXPECT_NEAR(via.slope.norm(), (slopes[0].norm() + slopes[1].norm()) / 2, 1e-14);
}

TEST(Shape, StartsInBalance) {
  // The exact shape is not one of cubics: what is unbalanced falls with the elements.
  const auto acceleration = [](int elements) {
    Scene scene = hanging(12, elements);
    scene.pins = {{{"line", 0}}, {{"line", -1}}};
    const Model model(scene);
    State state = Integrator(model, {}).start();
    const State start = state;
    EXPECT_TRUE(equilibrium(model, state).converged);
    double most = 0;
    for (int n = 0; n <= elements; ++n)
      most = std::max(most, (state.position(n) - start.position(n)).norm());
    return most;
  };
  const double coarse = acceleration(4), fine = acceleration(16);
  EXPECT_LT(fine, 1e-5);
  EXPECT_LT(fine, coarse / 64);
}

TEST(Shape, TheCableGoesBeforeTheScene) {
  Scene scene = hanging();
  scene.initial = Initial::straight;
  EXPECT_LT(lay(scene)[4].position.z(), 3);
  scene.initial = Initial::catenary;
  scene.cables[0].initial = Initial::straight;
  EXPECT_DOUBLE_EQ(lay(scene)[4].position.z(), 3.5);
  scene.cables[0].initial.reset();
  EXPECT_LT(lay(scene)[4].position.z(), 3);
}

TEST(Shape, RestHangsWhereNothingIsTied) {
  Scene scene = hanging();
  scene.initial = Initial::rest;
  scene.cables[0].initial.reset();
  EXPECT_LT(lay(scene)[4].position.z(), 3);
  Frame frame;
  frame.name = "ring";
  frame.position = {6, 0, 3.5};
  scene.frames = {frame};
  scene.attachments = {{{"line", 4}, "ring"}};
  EXPECT_DOUBLE_EQ(lay(scene)[4].position.z(), 3.5);
  EXPECT_NO_THROW(Model{scene});
}

// --- held directions ---

TEST(Shape, AClampHoldsTheDirectionOfTheRoute) {
  Scene scene = hanging();
  const Vec3 chord = (scene.cables[0].end - scene.cables[0].start).normalized();
  scene.clamps = {{{"line", 0}}};
  Frame frame;
  frame.name = "wall";
  frame.position = scene.cables[0].end;
  scene.frames = {frame};
  scene.attachments = {{{"line", -1}, "wall", true}};
  const std::vector<NodeStart> nodes = lay(scene);
  EXPECT_LT((nodes.front().slope - chord).norm(), 1e-14) << "slack: not stretched";
  EXPECT_LT((nodes.back().slope - chord).norm(), 1e-14);
  EXPECT_NO_THROW(Model{scene});
  scene.cables[0].length = 9;
  EXPECT_NEAR(lay(scene).front().slope.norm(), std::sqrt(101) / 9, 1e-14);
}

// --- points ---

Scene drawn() {
  Scene scene = hanging(0, 30);
  scene.cables[0].initial = Initial::points;
  scene.cables[0].via = {{3, 2, 3}, {6, -1, 5}, {9, 0, 4}};
  return scene;
}

TEST(Shape, PointsMakeASmoothCurve) {
  const Scene scene = drawn();
  const Cable& c = scene.cables[0];
  const SmoothCurve curve({c.start, c.via[0], c.via[1], c.via[2], c.end});
  const Model model(scene);
  EXPECT_NEAR(model.data().total_length, curve.length(), 1e-12);
  const std::vector<NodeStart> nodes = lay(scene);
  const std::vector<int> elements = span_elements(c);
  size_t node = 0;
  for (size_t k = 0; k < 4; ++k)
    for (int n = 0; n < elements[k]; ++n, ++node) {
      const SmoothCurve::Spot spot = curve.at(k, double(n) / elements[k]);
      EXPECT_LT((nodes[node].position - spot.position).norm(), 1e-13);
      EXPECT_LT((nodes[node].slope - spot.tangent).norm(), 1e-13) << "not stretched";
    }
  for (size_t k = 0; k < 3; ++k)
    EXPECT_LT((nodes[static_cast<size_t>(std::accumulate(
                         elements.begin(), elements.begin() + static_cast<long>(k) + 1, 0))]
                   .position -
               c.via[k])
                  .norm(),
              1e-14);
}

TEST(Shape, AGivenLengthStretchesTheCurveEvenly) {
  Scene scene = drawn();
  const double length = Model(scene).data().total_length;
  scene.cables[0].length = length / 1.25;
  EXPECT_NEAR(Model(scene).data().total_length, length / 1.25, 1e-12);
  for (const NodeStart& node : lay(scene)) EXPECT_NEAR(node.slope.norm(), 1.25, 1e-12);
}

// --- ground and fluid ---

TEST(Shape, LiesOnTheGround) {
  Scene scene = hanging(14, 28);
  scene.ground = Ground{};
  scene.ground->height = 2;
  scene.ground->stiffness = 1e3;
  const double sunk = 2 - 2 * 9.81 / 1e3;
  const std::vector<NodeStart> nodes = lay(scene);
  int lying = 0;
  for (const NodeStart& node : nodes) {
    EXPECT_GE(node.position.z(), sunk - 1e-12);
    if (node.position.z() < sunk + 1e-12) {
      EXPECT_NEAR(node.slope.z(), 0, 1e-12);
      ++lying;
    }
  }
  EXPECT_GT(lying, 10);
}

TEST(Shape, GroundMustBeLevelAndBelow) {
  Scene scene = hanging();
  scene.ground = Ground{};
  scene.ground->height = 3.5;
  EXPECT_EQ(refused(scene),
            "cable 'line', initial: found the point [1, 0, 3] of its route 0.5 m below the ground; "
            "expected points on or above it. A cable that hangs lies on the ground.");
  scene.cables[0].initial = Initial::straight;
  EXPECT_EQ(refused(scene), "nothing");
  scene = hanging();
  scene.ground = Ground{};
  scene.ground->normal = {0.6, 0, 0.8};
  EXPECT_EQ(
      refused(scene),
      "cable 'line', initial: found a catenary over ground that is not level; expected ground "
      "whose normal is against gravity. Lead it along the ground by points, or let the whole "
      "scene start at rest.");
  scene.cables[0].initial.reset();
  scene.initial = Initial::rest;
  EXPECT_EQ(refused(scene), "nothing");
}

TEST(Shape, FloatsInWhatIsHeavier) {
  Scene scene = hanging();
  scene.cables[0].section.diameter = 0.1;
  scene.fluid = Fluid{};
  scene.fluid->density = 2 / (std::acos(-1) / 4 * 0.01) / 2;  // half its weight
  CatenaryProblem p = problem_of(scene);
  p.weight /= 2;
  EXPECT_LT((lay(scene)[3].position - solve_catenary(p).position(4.5)).norm(), 1e-12);
  scene.fluid->density *= 4;
  EXPECT_GT(lay(scene)[4].position.z(), 4);
}

// --- refusals ---

TEST(Shape, RestIsOfTheScene) {
  Scene scene = hanging();
  scene.cables[0].initial = Initial::rest;
  EXPECT_EQ(refused(scene),
            "cable 'line', initial: found rest, which is of the whole scene; expected straight, "
            "catenary or points. Set it for the scene: everything balances together.");
}

TEST(Shape, MasslessCablesHaveNone) {
  Scene scene = hanging();
  scene.cables[0].model = CableModel::massless;
  EXPECT_EQ(refused(scene),
            "cable 'line', initial: found a shape of a massless cable; expected none. It goes "
            "straight from contact to contact, always.");
}

}  // namespace
}  // namespace hawser

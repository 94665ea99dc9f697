// The shapes in which cables start: nodes on the catenary or the curve, held ends, refusals.
#include "model/shape.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numeric>

#include "hawser/error.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/statics.h"
#include "machines.h"
#include "math/catenary.h"
#include "math/chain.h"
#include "math/curve.h"
#include "model/model_data.h"
#include "model/route.h"
#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

Scene hanging(double length = 12, int elements = 8) {
  Scene scene;
  Cable c;
  c.name = "line";
  c.sections = {Section{1e4, 0, 2}};
  c.route.front() = {1, 0, 3};
  c.route.back() = {11, 0, 4};
  c.length = length;
  c.elements = elements;
  c.initial = Initial::catenary;
  scene.cables = {c};
  return scene;
}

std::vector<NodeStart> lay(const Scene& scene) {
  return lay_cable(scene, scene.cables[0], routes_of(scene)[0]);
}

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
  p.from = c.route.front().point;
  p.to = c.route.back().point;
  p.length = c.length;
  p.weight = c.sections[0].mass * scene.gravity;
  p.law = {c.sections[0].EA, c.strain};
  return p;
}

TEST(Shape, NodesComeToTheCatenary) {
  for (const StrainMeasure strain : {StrainMeasure::green, StrainMeasure::engineering}) {
    const auto furthest = [&](int elements) {
      Scene scene = hanging(12, elements);
      scene.cables[0].strain = strain;
      const Catenary catenary = solve_catenary(problem_of(scene));
      const Model model(scene);
      const State state = Integrator(model, {}).start();
      double most = 0;
      for (int n = 0; n <= elements; ++n)
        most = std::max(most, (state.position(n) - catenary.position(12.0 / elements * n)).norm());
      return most;
    };
    EXPECT_LT(furthest(8), 2e-3);
    EXPECT_LT(furthest(32), furthest(8) / 100) << "of order 4";
  }
}

TEST(Shape, OfPositionElementsIsTheirChain) {
  Scene scene = hanging();
  scene.cables[0].model = CableModel::np_fem;
  scene.cables[0].sections[0].EA = 300;
  CatenaryProblem p = problem_of(scene);
  p.law.strain = StrainMeasure::engineering;
  const std::vector<Vec3> chain = solve_chain(p, 8);
  const Model model(scene);
  for (int n = 0; n <= 8; ++n) {
    const Vec3 r = Eigen::Map<const Vec3>(model.data().q0.data() + 6 * n);
    EXPECT_LT((r - chain[static_cast<size_t>(n)]).norm(), 1e-13);
    EXPECT_EQ(model.data().q0[static_cast<size_t>(6 * n + 3)], 0) << "slopes are idle";
  }
}

/// Smallest and largest tension at the start [N].
std::pair<double, double> tensions(const Scene& scene) {
  const Model model(scene);
  const State state = Integrator(model, {}).start();
  std::pair<double, double> out{HUGE_VAL, -HUGE_VAL};
  for (const CablePoint& p : profile(model, state, 0)) {
    out.first = std::min(out.first, p.tension);
    out.second = std::max(out.second, p.tension);
  }
  return out;
}

TEST(Shape, OfAStiffSlackRopeHasNoFalseStress) {
  // 12 m of wire rope over 10 m: 27 to 43 N. Elements on the curve start with -15 kN (np-fem) and
  // -1.2 to 1.1 kN (ancf).
  for (const CableModel kind : {CableModel::np_fem, CableModel::ancf}) {
    Scene scene = hanging(12, 10);
    Cable& c = scene.cables[0];
    c.model = kind;
    c.sections = {Section{5.8e6, 0, 0.518}};
    c.route.back() = c.route.front().point + Vec3(10, 0, 0);
    hold(scene, "line", 0);
    hold(scene, "line", -1);
    const auto [smallest, largest] = tensions(scene);
    EXPECT_GT(smallest, 5);
    EXPECT_LT(largest, 45);
  }
}

TEST(Shape, OfAFoldedRopeHasNoFalseStress) {
  // 10 m hang down to a place 9.5 m below: the fold lies within an element, which starts crushed to
  // half its length, with up to 3 MN, where its nodes are put on the curve.
  for (const CableModel kind : {CableModel::np_fem, CableModel::ancf}) {
    Scene scene = hanging(10, 10);
    Cable& c = scene.cables[0];
    c.model = kind;
    c.sections = {Section{5.8e6, 0, 0.518}};
    c.route.back() = c.route.front().point + Vec3(0, 0, -9.5);
    hold(scene, "line", 0);
    hold(scene, "line", -1);
    const auto [smallest, largest] = tensions(scene);
    EXPECT_GT(smallest, kind == CableModel::np_fem ? -1 : -2000);
    EXPECT_LT(largest, kind == CableModel::np_fem ? 52 : 2000) << "cubics do not fold";
  }
}

TEST(Shape, EverySpanOfPositionElementsIsAChain) {
  Scene scene = hanging(22, 10);
  Cable& c = scene.cables[0];
  c.model = CableModel::np_fem;
  lead_through(c, {{6, 2, 3.5}});
  const Route route = route_of(scene, c);
  const std::vector<NodeStart> nodes = lay(scene);
  ASSERT_EQ(nodes.size(), 11U);
  CatenaryProblem p = problem_of(scene);
  size_t node = 0;
  for (const RouteSpan& span : route) {
    p.from = span.from;
    p.to = span.to;
    p.length = span.length;
    const std::vector<Vec3> chain = solve_chain(p, span.elements);
    for (size_t n = 0; n < chain.size(); ++n)
      EXPECT_LT((nodes[node + n].position - chain[n]).norm(), 1e-13);
    node += static_cast<size_t>(span.elements);
  }
  EXPECT_EQ(nodes[static_cast<size_t>(route[0].elements)].position, c.route[1].point);
}

TEST(Shape, EverySpanHangsByItself) {
  Scene scene = hanging(22, 80);  // coarser, cubics do not follow the bends
  Cable& c = scene.cables[0];
  lead_through(c, {{6, 2, 3.5}});
  const Route route = route_of(scene, c);
  const std::vector<NodeStart> nodes = lay(scene);
  ASSERT_EQ(nodes.size(), 81U);
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
                 catenary.position(route[k].pieces[0].element_length() * n))
                    .norm(),
                route[k].pieces[0].element_length() / 2)
          << "it rounds the corner";
    slopes[k] = catenary.slope(k == 0 ? p.length : 0);
    node += route[k].elements;
  }
  const NodeStart& via = nodes[static_cast<size_t>(route[0].elements)];
  EXPECT_EQ(via.position, c.route[1].point);
  EXPECT_NEAR(via.slope.normalized().dot(slopes[0].normalized()),
              via.slope.normalized().dot(slopes[1].normalized()), 0.2)
      << "about halfway";
  EXPECT_GT(via.slope.dot(c.route.back().point - c.route.front().point), 0) << "onwards";
}

TEST(Shape, StartsInBalance) {
  for (const CableModel kind : {CableModel::np_fem, CableModel::ancf})
    for (const int elements : {4, 16}) {
      Scene scene = hanging(12, elements);
      scene.cables[0].model = kind;
      hold(scene, "line", 0);
      hold(scene, "line", -1);
      const Model model(scene);
      State state = Integrator(model, {}).start();
      const State start = state;
      EXPECT_TRUE(equilibrium(model, state).converged);
      for (int n = 0; n <= elements; ++n)
        EXPECT_LT((state.position(n) - start.position(n)).norm(), 1e-7) << elements;
    }
}

TEST(Shape, StartsInBalanceWithNodesAtPlaces) {
  for (const CableModel kind : {CableModel::np_fem, CableModel::ancf}) {
    Scene scene = hanging(12, 16);
    scene.cables[0].model = kind;
    hold(scene, "line", 0);
    hold(scene, "line", -1);
    add_force(scene, Place::at("line", 3.3), Vec3::Zero());
    const Model model(scene);
    ASSERT_EQ(model.data().fields.size(), 2U);
    State state = Integrator(model, {}).start();
    const State start = state;
    EXPECT_TRUE(equilibrium(model, state).converged);
    for (int n = 0; n <= 16; ++n)
      EXPECT_LT((state.position(n) - start.position(n)).norm(), 1e-7) << n;
  }
}

// --- several sections ---

/// Chain, rope and chain over 10 m.
Scene hanging_sections(CableModel kind, int elements) {
  Scene scene = hanging(12, elements);
  Cable& c = scene.cables[0];
  c.model = kind;
  c.sections = {{Section{3e5, 0, 9}, 3}, {Section{2e4, 0, 1.5}, 7}, {Section{3e5, 0, 6}, 2}};
  hold(scene, "line", 0);
  hold(scene, "line", -1);
  return scene;
}

/// The largest distance of nodes to where static equilibrium puts them [m].
double moved_by_statics(const Scene& scene) {
  const Model model(scene);
  State state = Integrator(model, {}).start();
  const State start = state;
  const StaticReport report = equilibrium(model, state);
  EXPECT_TRUE(report.converged) << report.message;
  double most = 0;
  for (int n = 0; n < model.nodes(); ++n)
    most = std::max(most, (state.position(n) - start.position(n)).norm());
  return most;
}

TEST(Shape, OfSectionsStartsInBalance) {
  for (const CableModel kind : {CableModel::np_fem, CableModel::ancf})
    for (const int elements : {12, 24, 48})
      EXPECT_LT(moved_by_statics(hanging_sections(kind, elements)), 1e-7) << elements;
}

/// np-fem as its chain, and with more elements towards the elastic catenary of the sections with
/// the error of chords, order 2.
TEST(Shape, OfSectionsComesToTheirCatenary) {
  const auto furthest = [&](CableModel kind, int elements) {
    const Scene scene = hanging_sections(kind, elements);
    const Cable& c = scene.cables[0];
    CatenaryProblem p;
    p.from = c.route.front().point;
    p.to = c.route.back().point;
    if (!c.route.front().on.empty()) {
      p.from = scene.supports[0].position;
      p.to = scene.supports[1].position;
    }
    p.length = 12;
    p.weight = scene.gravity;
    for (const SectionPart& s : c.sections)
      p.sections.push_back(
          {s.length, s.mass * scene.gravity.norm(), {s.EA, StrainMeasure::engineering}});
    const Catenary catenary = solve_catenary(p);
    const Model model(scene);
    double most = 0;
    for (size_t n = 0; n < model.mesh().s[0].size(); ++n) {
      const Vec3 r = Eigen::Map<const Vec3>(model.data().q0.data() + 6 * n);
      most = std::max(most, (r - catenary.position(model.mesh().s[0][n])).norm());
    }
    return most;
  };
  EXPECT_LT(furthest(CableModel::np_fem, 48), 3e-3);
  EXPECT_NEAR(std::log2(furthest(CableModel::np_fem, 48) / furthest(CableModel::np_fem, 96)), 2,
              0.1);
  EXPECT_LT(furthest(CableModel::ancf, 48), 2e-4);
}

/// Sections of other weights sink into the ground by depths of their own.
TEST(Shape, OfSectionsLiesOnTheGroundInBalance) {
  for (const CableModel kind : {CableModel::np_fem, CableModel::ancf}) {
    Scene scene = hanging_sections(kind, 48);
    scene.ground.emplace();
    scene.ground->height = 1.5;
    scene.ground->stiffness = 2e3;
    const Model model(scene);
    double lowest = 9;
    for (int n = 0; n < model.nodes(); ++n)
      lowest = std::min(lowest, model.data().q0[static_cast<size_t>(6 * n + 2)]);
    EXPECT_LT(lowest, 1.5) << "it lies";
    EXPECT_LT(moved_by_statics(scene), 1e-5) << static_cast<int>(kind);
  }
}

TEST(Shape, OfSectionsThatFloatIsRefusedOnTheGroundAlone) {
  Scene scene = hanging_sections(CableModel::np_fem, 24);
  scene.fluid.emplace();
  scene.fluid->density = 1000;
  for (Section& s : scene.cables[0].sections) s.diameter = 0.03;
  scene.cables[0].sections[1].diameter = 0.06;  // 2.8 kg/m of water for 1.5 kg/m of rope
  EXPECT_LT(moved_by_statics(scene), 1e-7);
  scene.ground.emplace();
  scene.ground->height = -20;
  EXPECT_LT(moved_by_statics(scene), 1e-7) << "clear of it";
  scene.ground->height = 2;
  EXPECT_EQ(refused(scene),
            "cable 'line', initial: found a catenary of sections that float beside others, on the "
            "ground; expected sections that all sink, or a cable clear of the ground. Start the "
            "whole scene in static equilibrium, or give its shape by points.");
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
  add_condition(scene, "ring", {{nth("line", 4, 8), Coordinate::z, 1.0}}, 3.5);
  EXPECT_DOUBLE_EQ(lay(scene)[4].position.z(), 3.5);
  EXPECT_NO_THROW(Model{scene});
}

// --- held directions ---

TEST(Shape, AClampHoldsTheDirectionOfTheRoute) {
  Scene scene = hanging();
  const Vec3 chord =
      (scene.cables[0].route.back().point - scene.cables[0].route.front().point).normalized();
  clamp(scene, "line", 0);
  scene.bodies = {ball("wall", 1, scene.cables[0].route.back().point)};
  attach(scene.cables[0], -1, "wall", true);
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
  lead_through(scene.cables[0], {{3, 2, 3}, {6, -1, 5}, {9, 0, 4}});
  return scene;
}

TEST(Shape, PointsMakeASmoothCurve) {
  const Scene scene = drawn();
  const Cable& c = scene.cables[0];
  const SmoothCurve curve(
      {c.route[0].point, c.route[1].point, c.route[2].point, c.route[3].point, c.route[4].point});
  const Model model(scene);
  EXPECT_NEAR(model.data().total_length, curve.length(), 1e-12);
  const std::vector<NodeStart> nodes = lay(scene);
  const std::vector<int> elements = span_elements(scene, c);
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
               c.route[k + 1].point)
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
    EXPECT_GE(node.position.z(), sunk - 0.02);
    lying += node.position.z() < sunk + 1e-3 ? 1 : 0;
  }
  EXPECT_GT(lying, 10);
  EXPECT_NEAR(nodes[14].position.z(), sunk, 1e-3);
  EXPECT_NEAR(nodes[14].slope.z(), 0, 1e-3);

  scene.cables[0].model = CableModel::np_fem;
  lying = 0;
  for (const NodeStart& node : lay(scene)) {
    EXPECT_GE(node.position.z(), sunk - 1e-12);
    lying += node.position.z() < sunk + 1e-12 ? 1 : 0;
  }
  EXPECT_GT(lying, 10);
}

TEST(Shape, GroundMustBeLevelAndBelow) {
  Scene scene = hanging();
  scene.ground = Ground{};
  scene.ground->height = 3.5;
  EXPECT_EQ(refused(scene),
            "cable 'line', initial: found the point [1, 0, 3] of its route 0.5 m below the ground; "
            "expected points on or above it. A hanging cable lies on the ground.");
  scene.cables[0].initial = Initial::straight;
  EXPECT_EQ(refused(scene), "nothing");
  scene = hanging();
  scene.ground = Ground{};
  scene.ground->normal = {0.6, 0, 0.8};
  EXPECT_EQ(refused(scene),
            "cable 'line', initial: found a catenary over ground that is not level; expected "
            "ground with its normal opposite to gravity. Give its shape by points, or start the "
            "whole scene in static equilibrium.");
  scene.cables[0].initial.reset();
  scene.initial = Initial::rest;
  EXPECT_EQ(refused(scene), "nothing");
}

TEST(Shape, FloatsInWhatIsHeavier) {
  Scene scene = hanging();
  scene.cables[0].sections[0].diameter = 0.1;
  scene.fluid = Fluid{};
  scene.fluid->density = 2 / (std::acos(-1) / 4 * 0.01) / 2;  // half its weight
  CatenaryProblem p = problem_of(scene);
  p.weight /= 2;
  EXPECT_LT((lay(scene)[3].position - solve_catenary(p).position(4.5)).norm(), 2e-3);
  scene.cables[0].model = CableModel::np_fem;
  EXPECT_LT((lay(scene)[3].position - solve_chain(p, 8)[3]).norm(), 1e-12);
  scene.cables[0].model = CableModel::ancf;
  scene.fluid->density *= 4;
  EXPECT_GT(lay(scene)[4].position.z(), 4);
}

// --- refusals ---

TEST(Shape, RestIsOfTheScene) {
  Scene scene = hanging();
  scene.cables[0].initial = Initial::rest;
  EXPECT_EQ(
      refused(scene),
      "cable 'line', initial: found rest, which applies to the whole scene; expected straight, "
      "catenary or points. Set it for the scene.");
}

TEST(Shape, MasslessCablesHaveNone) {
  Scene scene = hanging();
  scene.cables[0].model = CableModel::massless;
  EXPECT_EQ(refused(scene),
            "cable 'line', initial: found an initial shape of a massless cable; expected none. It "
            "is always straight between its stops.");
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

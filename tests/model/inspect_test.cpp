// What is said of a model before it runs, against closed forms and small eigenproblems.
#include "hawser/inspect.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <numbers>

#include "scenes.h"

namespace hawser::HAWSER_FILE {
namespace {

using Polynomial = Eigen::Vector4d;  ///< by power

Polynomial derivative(const Polynomial& p) { return {p[1], 2 * p[2], 3 * p[3], 0}; }

double integral(const Polynomial& a, const Polynomial& b, double l) {
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) sum += a[i] * b[j] * std::pow(l, i + j + 1) / (i + j + 1);
  return sum;
}

/// Shortest period of an element over (r1, r1', r2, r2') in one direction: the integral of the
/// `order`th derivative squared times `stiffness` against that of the motion times `mass`.
double shortest_period(double l, double stiffness, double mass, int order) {
  const Polynomial shape[4] = {{1, 0, -3 / (l * l), 2 / (l * l * l)},
                               {0, 1, -2 / l, 1 / (l * l)},
                               {0, 0, 3 / (l * l), -2 / (l * l * l)},
                               {0, 0, -1 / l, 1 / (l * l)}};
  Eigen::Matrix4d M, K;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      Polynomial a = shape[i], b = shape[j];
      M(i, j) = mass * integral(a, b, l);
      for (int k = 0; k < order; ++k) a = derivative(a), b = derivative(b);
      K(i, j) = stiffness * integral(a, b, l);
    }
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix4d> eigen(K, M,
                                                                        Eigen::EigenvaluesOnly);
  return 2 * std::numbers::pi / std::sqrt(eigen.eigenvalues().maxCoeff());
}

Scene rope_scene() {
  Cable rope;
  rope.name = "rope";
  rope.sections = {Section{3e5, 7, 0.8}};
  rope.route.back() = {6, 0, 0};
  rope.elements = 4;
  Scene scene;
  scene.cables = {rope};
  return scene;
}

TEST(Inspect, WavesAndPeriodsOfAStraightCable) {
  const Inspection out = inspect(Model(rope_scene()));
  ASSERT_EQ(out.cables.size(), 1U);
  const CableInspection& rope = out.cables[0];
  const double c = std::sqrt(3e5 / 0.8);
  EXPECT_EQ(rope.cable, "rope");
  EXPECT_EQ(rope.elements, 4);
  EXPECT_DOUBLE_EQ(rope.length, 6);
  EXPECT_DOUBLE_EQ(rope.shortest_element, 1.5);
  EXPECT_DOUBLE_EQ(rope.longest_element, 1.5);
  EXPECT_DOUBLE_EQ(rope.axial_wave_speed, c);
  EXPECT_DOUBLE_EQ(rope.element_wave_time, 1.5 / c);
  EXPECT_DOUBLE_EQ(rope.cable_wave_time, 6 / c);
  const double axial = shortest_period(1.5, 3e5, 0.8, 1), bending = shortest_period(1.5, 7, 0.8, 2);
  EXPECT_NEAR(rope.axial_period, axial, 1e-12 * axial);
  EXPECT_NEAR(rope.bending_period, bending, 1e-12 * bending);
}

TEST(Inspect, AChainHasNoBendingPeriod) {
  Scene scene = rope_scene();
  scene.cables[0].sections[0].EI = 0;
  EXPECT_EQ(inspect(Model(scene)).cables[0].bending_period,
            std::numeric_limits<double>::infinity());
}

TEST(Inspect, TheShortestElementOfARouteIsTheQuickest) {
  Scene scene = rope_scene();
  lead_through(scene.cables[0], {{0.4, 0, 0}});  // 1 element of 0.4 m, 3 of 5.6/3 m
  scene.cables[0].length = 5.4;                  // nine tenths of the route
  const CableInspection rope = inspect(Model(scene)).cables[0];
  EXPECT_NEAR(rope.length, 5.4, 1e-14);
  EXPECT_NEAR(rope.shortest_element, 0.36, 1e-15);
  EXPECT_NEAR(rope.longest_element, 0.9 * 5.6 / 3, 1e-15);
  const double axial = shortest_period(0.36, 3e5, 0.8, 1);
  const double bending = shortest_period(0.36, 7, 0.8, 2);
  EXPECT_NEAR(rope.axial_period, axial, 1e-12 * axial);
  EXPECT_NEAR(rope.bending_period, bending, 1e-12 * bending);
  EXPECT_NEAR(rope.cable_wave_time, 5.4 / rope.axial_wave_speed, 1e-15);
}

TEST(Inspect, CountsWhatIsHeld) {
  Scene scene = rope_scene();
  scene.cables.push_back(scene.cables[0]);
  scene.cables[1].name = "line";
  scene.cables[1].elements = 2;
  scene.cables[1].route.back() = {1, 2, 3};
  clamp(scene, "rope", 0);                        // along x: 5 coordinates
  clamp(scene, "line", -1);                       // aslant: 3 coordinates, 2 conditions
  hold(scene, "line", 0).slides = Vec3::UnitY();  // 2 coordinates
  add_condition(
      scene, "tie",
      {{Place::end("rope"), Coordinate::z, 1.0}, {nth("line", 1, 2), Coordinate::slope_z, 1.0}},
      3 / std::sqrt(14.0));
  const Inspection out = inspect(Model(scene));
  EXPECT_EQ(out.coordinates, 30 + 18);
  EXPECT_EQ(out.fixed_coordinates, 5 + 5);
  EXPECT_EQ(out.conditions, 3);
  EXPECT_EQ(out.cables[0].coordinates, 30);
  EXPECT_EQ(out.cables[0].fixed_coordinates, 5);
  EXPECT_EQ(out.cables[1].coordinates, 18);
  EXPECT_EQ(out.cables[1].fixed_coordinates, 5);
  ASSERT_EQ(out.supports.size(), 3U);
  EXPECT_EQ(out.supports[1].support, "line.end");
  EXPECT_EQ(out.supports[1].nodes, 1);
  EXPECT_TRUE(out.supports[1].clamps);
  EXPECT_FALSE(out.supports[2].clamps);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

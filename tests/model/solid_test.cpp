// Volume and inertia of solids, against integrals over small cubes and closed relations.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "hawser/scene.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double pi = std::numbers::pi;

Solid solid(Solid::Kind kind, const Vec3& size) { return {kind, size}; }

/// Volume and inertia of unit mass by the midpoint rule over the cells of a box around the origin.
struct Counted {
  double volume = 0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
};
Counted count(const Vec3& box, const std::function<bool(const Vec3&)>& inside) {
  constexpr int n = 120;
  const Vec3 cell = box / n;
  Counted out;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3 r = Vec3(i + 0.5, j + 0.5, k + 0.5).cwiseProduct(cell) - box / 2;
        if (!inside(r)) continue;
        out.volume += cell.prod();
        out.inertia +=
            cell.prod() * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
      }
  out.inertia /= out.volume;
  return out;
}

void expect_close(const Solid& s, const Counted& counted, double part) {
  EXPECT_NEAR(s.volume(), counted.volume, part * counted.volume);
  EXPECT_LT((s.inertia(3.0) - 3 * counted.inertia).norm(), part * 3 * counted.inertia.norm())
      << s.inertia(3.0) << "\n\n"
      << 3 * counted.inertia;
}

TEST(Solid, BoxIsTheSumOfItsParts) {
  const Vec3 edges(2, 3, 0.5);
  expect_close(solid(Solid::Kind::box, edges), count(edges, [](const Vec3&) { return true; }),
               1e-4);
}

TEST(Solid, SphereIsTheSumOfItsParts) {
  expect_close(solid(Solid::Kind::sphere, {0.7, 0, 0}),
               count(Vec3::Constant(1.4), [](const Vec3& r) { return r.norm() < 0.7; }), 2e-3);
}

TEST(Solid, CylinderIsTheSumOfItsPartsAlongZ) {
  const auto inside = [](const Vec3& r) { return std::hypot(r.x(), r.y()) < 0.4; };
  expect_close(solid(Solid::Kind::cylinder, {0.4, 3, 0}), count({0.8, 0.8, 3}, inside), 2e-3);
}

TEST(Solid, PlateIsABoxWithoutThickness) {
  const Solid plate = solid(Solid::Kind::plate, {2, 3, 0});
  const Eigen::Matrix3d thin = solid(Solid::Kind::box, {2, 3, 1e-9}).inertia(5);
  EXPECT_DOUBLE_EQ(plate.volume(), 6);
  EXPECT_LT((plate.inertia(5) - thin).norm(), 1e-12);
  const Eigen::Matrix3d inertia = plate.inertia(5);  // perpendicular axes: Izz = Ixx + Iyy
  EXPECT_DOUBLE_EQ(inertia(2, 2), inertia(0, 0) + inertia(1, 1));
}

TEST(Solid, HasTheClosedForms) {
  EXPECT_DOUBLE_EQ(solid(Solid::Kind::sphere, {2, 0, 0}).volume(), 32 * pi / 3);
  EXPECT_DOUBLE_EQ(solid(Solid::Kind::sphere, {2, 0, 0}).inertia(10)(1, 1), 16);
  EXPECT_DOUBLE_EQ(solid(Solid::Kind::cylinder, {1, 6, 0}).volume(), 6 * pi);
  EXPECT_DOUBLE_EQ(solid(Solid::Kind::cylinder, {1, 6, 0}).inertia(4)(0, 0), 13);
  EXPECT_DOUBLE_EQ(solid(Solid::Kind::cylinder, {1, 6, 0}).inertia(4)(2, 2), 2);
  EXPECT_EQ(solid(Solid::Kind::none, {1, 1, 1}).volume(), 0);
  EXPECT_EQ(solid(Solid::Kind::none, {1, 1, 1}).inertia(4), Eigen::Matrix3d::Zero());
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

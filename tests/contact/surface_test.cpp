#include "contact/surface.h"

#include <gtest/gtest.h>

#include <random>

namespace hawser {
namespace {

using Eigen::Vector3d;

const std::vector<Surface> surfaces = {{Surface::Kind::plane, Vector3d::Zero()},
                                       {Surface::Kind::sphere, {0.3, 0, 0}},
                                       {Surface::Kind::cylinder, {0.3, 0.8, 0}},
                                       {Surface::Kind::capsule, {0.3, 0.8, 0}},
                                       {Surface::Kind::box, {0.4, 0.6, 0.8}}};

TEST(Surface, NormalIsTheGradientOfTheDistance) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> in(-0.9, 0.9);
  for (const Surface& surface : surfaces)
    for (int i = 0; i < 200; ++i) {
      const Vector3d y(in(random), in(random), in(random));
      const Nearest at = nearest(surface, y, 0);
      EXPECT_NEAR(at.normal.norm(), 1, 1e-12);
      constexpr double step = 1e-6;
      Vector3d gradient;
      for (int k = 0; k < 3; ++k)
        gradient[k] = (nearest(surface, y + step * Vector3d::Unit(k), 0).distance -
                       nearest(surface, y - step * Vector3d::Unit(k), 0).distance) /
                      (2 * step);
      EXPECT_LT((gradient - at.normal).norm(), 1e-5);
      const Vector3d foot = y - at.distance * at.normal;
      EXPECT_NEAR(nearest(surface, foot, at.face).distance, 0, 1e-9);
    }
}

TEST(Surface, AFaceIsKeptInside) {
  const Surface box{Surface::Kind::box, {0.4, 0.6, 0.8}};
  const Vector3d near_x(0.19, 0.28, 0);
  const Nearest free = nearest(box, near_x, 0);
  EXPECT_EQ(free.normal, Vector3d::UnitX());
  const Nearest kept = nearest(box, near_x, 2);
  EXPECT_EQ(kept.normal, Vector3d::UnitY());
  EXPECT_NEAR(kept.distance, -0.02, 1e-15);
}

TEST(Surface, APlateHasNone) {
  EXPECT_FALSE(surface_of({Solid::Kind::plate, {1, 1, 0}}));
  EXPECT_FALSE(surface_of({}));
  EXPECT_TRUE(surface_of({Solid::Kind::capsule, {1, 1, 0}}));
}

}  // namespace
}  // namespace hawser

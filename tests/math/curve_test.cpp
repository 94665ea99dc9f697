// Smooth curves through points.
#include "math/curve.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace hawser::HAWSER_FILE {
namespace {

using Eigen::Vector3d;

TEST(SmoothCurve, OfTwoPointsIsStraight) {
  const SmoothCurve c({{1, 2, 3}, {3, 4, 4}});
  EXPECT_NEAR(c.length(), 3, 1e-14);
  const SmoothCurve::Spot spot = c.at(0, 0.25);
  EXPECT_LT((spot.position - Vector3d(1.5, 2.5, 3.25)).norm(), 1e-14);
  EXPECT_LT((spot.tangent - Vector3d(2, 2, 1) / 3).norm(), 1e-14);
}

TEST(SmoothCurve, GoesThroughItsPointsWithOneTangent) {
  const std::vector<Vector3d> points{{0, 0, 0}, {1, 0.2, 0}, {1.5, 2, 1}, {4, 2, -1}};
  const SmoothCurve c(points);
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_LT((c.at(k, 0).position - points[k]).norm(), 1e-14);
    EXPECT_LT((c.at(k, 1).position - points[k + 1]).norm(), 1e-14);
  }
  for (size_t k = 1; k < 3; ++k)
    EXPECT_LT((c.at(k, 0).tangent - c.at(k - 1, 1).tangent).norm(), 1e-14);
}

TEST(SmoothCurve, IsNotCurvedAtItsEnds) {
  const SmoothCurve c({{0, 0, 0}, {1, 1, 0}, {2, 0, 0}});
  const double step = 1e-4;
  const auto turned = [&](size_t span, double share, double to) {
    return (c.at(span, to).tangent - c.at(span, share).tangent).norm() / step;
  };
  EXPECT_LT(turned(0, 0, step), 1e-3);
  EXPECT_LT(turned(1, 1, 1 - step), 1e-3);
  EXPECT_GT(turned(0, 1, 1 - step), 1) << "it is at the point between";
}

TEST(SmoothCurve, SpotsAreEvenlySpaced) {
  const SmoothCurve c({{0, 0, 0}, {1, 2, 0}, {2, -1, 1}, {2.2, -1, 1.5}});
  for (size_t k = 0; k < 3; ++k) {
    double sum = 0;
    constexpr int parts = 200;
    for (int i = 0; i < parts; ++i) {
      const auto a = c.at(k, double(i) / parts), b = c.at(k, double(i + 1) / parts);
      const double chord = (b.position - a.position).norm();
      EXPECT_NEAR(chord, c.length(k) / parts, 1e-3 * c.length(k) / parts);
      sum += chord;
    }
    EXPECT_NEAR(sum, c.length(k), 1e-4 * c.length(k));
  }
}

TEST(SmoothCurve, OfACircleNearsItAtOrderFour) {
  // Away from the ends, where no curvature is asked for: the middle of half a turn.
  const auto error = [](int spans) {
    std::vector<Vector3d> points;
    for (int i = 0; i <= spans; ++i) {
      const double a = std::numbers::pi * i / spans;
      points.emplace_back(std::cos(a), std::sin(a), 0);
    }
    const SmoothCurve c(points);
    double most = 0;
    for (const double share : {0.25, 0.5, 0.75})
      most =
          std::max(most, std::abs(c.at(static_cast<size_t>(spans / 2), share).position.norm() - 1));
    return most;
  };
  EXPECT_NEAR(std::log2(error(16) / error(32)), 4, 0.3);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

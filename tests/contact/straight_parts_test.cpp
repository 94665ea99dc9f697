#include "contact/straight_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "contact/close_grid.h"

namespace hawser {
namespace {

using Eigen::Vector3d;

constexpr double rho = 1e-6;

TEST(StraightParts, PointsThatFaceEachOther) {
  const StraightPart a{{Vector3d(-1, 0, 0.2), Vector3d(1, 0, 0.2)}},
      b{{Vector3d(0.5, -1, 0), Vector3d(0.5, 3, 0)}};
  const FacingPoints crossing = facing(a, b, 0);
  EXPECT_NEAR(crossing.s, 0.75, 1e-12);
  EXPECT_NEAR(crossing.t, 0.25, 1e-12);
  EXPECT_LT((crossing.apart - Vector3d(0, 0, 0.2)).norm(), 1e-12);
  // Side by side, overlapping from 0 to 1: the middle of the overlap.
  const StraightPart c{{Vector3d(0, 0, 0), Vector3d(2, 0, 0)}};
  const FacingPoints parallel = facing(a, c, rho);
  EXPECT_NEAR(a.at(parallel.s).x(), 0.5, 1e-3);
  EXPECT_NEAR(c.at(parallel.t).x(), 0.5, 1e-3);
  // Beyond an end.
  const StraightPart d{{Vector3d(2, 1, 0.2), Vector3d(2, 5, 0.2)}};
  const FacingPoints ends = facing(a, d, 0);
  EXPECT_EQ(ends.s, 1);
  EXPECT_EQ(ends.t, 0);
  EXPECT_FALSE(ends.s_free || ends.t_free);
}

/// The distance has the gradient that the forces go by.
TEST(StraightParts, DistanceIsSmooth) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-1, 1);
  const auto any = [&] { return Vector3d(u(random), u(random), u(random)); };
  for (int i = 0; i < 200; ++i) {
    StraightPart a{{any(), any()}};
    const StraightPart b{{any(), any()}};
    const FacingPoints at = facing(a, b, 0.01);
    const Vector3d step = 1e-6 * any();
    StraightPart there = a, back = a;
    there.end[1] += step;
    back.end[1] -= step;
    const double change = (facing(there, b, 0.01).distance - facing(back, b, 0.01).distance) / 2;
    EXPECT_NEAR(change, at.s * at.apart.dot(step) / at.distance, 1e-11) << i;
  }
}

/// A part thrown across another one passes through it where their centre lines cross.
TEST(StraightParts, PassageIsFound) {
  const StraightPart b{{Vector3d(-1, 0, 0), Vector3d(1, 0, 0)}};
  const auto thrown = [&](const Vector3d& from, const Vector3d& to) {
    const StraightPart a0{{from - Vector3d(0, 1, 0), from + Vector3d(0, 1, 0)}},
        a1{{to - Vector3d(0, 1, 0), to + Vector3d(0, 1, 0)}};
    return passage(a0, b, a1, b, 0.005, 1e-6);
  };
  const auto through = thrown({0.3, 0, 0.1}, {0.3, 0, -0.1});
  ASSERT_TRUE(through);
  EXPECT_GT(through->normal.z(), 0.99);
  EXPECT_NEAR(through->t, 0.65, 1e-3);
  EXPECT_FALSE(thrown({0.3, 0, 0.1}, {0.3, 0, 0.004})) << "it comes near on its own side";
  EXPECT_FALSE(thrown({1.2, 0, 0.1}, {1.2, 0, -0.1})) << "it passes by the end";
  EXPECT_TRUE(thrown({1.2, 0, 0.1}, {0, 0, -0.1})) << "aslant, beside the end at first";
  // Side by side.
  const StraightPart c0{{Vector3d(-0.5, 0, 0.1), Vector3d(0.8, 0, 0.1)}},
      c1{{Vector3d(-0.5, 0, -0.1), Vector3d(0.8, 0, -0.1)}};
  EXPECT_TRUE(passage(c0, b, c1, b, 0.005, 1e-6));
}

TEST(CloseGrid, FindsTheBoxesThatOverlap) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> u(0, 1);
  CloseSearch search;
  for (int i = 0; i < 400; ++i) {
    const Vector3d low(u(random) - 0.5, u(random) - 0.5, u(random) - 0.5);
    search.boxes.emplace_back(low, low + 0.1 * Vector3d(u(random), u(random), 3 * u(random)));
  }
  find_overlaps(search, [](int, int) { return true; });
  std::sort(search.pairs.begin(), search.pairs.end());
  std::vector<std::pair<int, int>> all;
  for (int i = 0; i < 400; ++i)
    for (int j = i + 1; j < 400; ++j)
      if (search.boxes[static_cast<size_t>(i)].intersects(search.boxes[static_cast<size_t>(j)]))
        all.emplace_back(i, j);
  EXPECT_GT(all.size(), 100);
  EXPECT_EQ(search.pairs, all);
}

}  // namespace
}  // namespace hawser

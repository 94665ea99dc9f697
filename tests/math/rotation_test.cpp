#include "math/rotation.h"

#include <gtest/gtest.h>

#include <vector>

namespace hawser {
namespace HAWSER_FILE {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

TEST(TurnBetween, TakesOneDirectionToTheOtherTheShortestWay) {
  const std::vector<Vector3d> directions = {
      Vector3d::UnitX(),
      -Vector3d::UnitX(),
      Vector3d::UnitZ(),
      -Vector3d::UnitZ(),
      Vector3d(1, 2, -3).normalized(),
      Vector3d(-1, -2, 3.001).normalized(),  // nearly opposite to the one before
      Vector3d(-1, -2, 3).normalized(),
  };
  for (const Vector3d& a : directions)
    for (const Vector3d& b : directions) {
      const Quaterniond turn = turn_between(a, b);
      EXPECT_NEAR(turn.norm(), 1, 1e-14);
      EXPECT_LT((turn * a - b).norm(), 1e-12) << a.transpose() << " to " << b.transpose();
      EXPECT_NEAR(rotation_vector(turn).norm(), std::atan2(a.cross(b).norm(), a.dot(b)), 1e-12);
    }
}

}  // namespace
}  // namespace HAWSER_FILE
}  // namespace hawser

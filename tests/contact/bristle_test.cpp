#include "contact/bristle.h"

#include <gtest/gtest.h>

#include <random>

namespace hawser {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

const Surface ground;
const ContactLaw law{{1e5, 1e-3}, 0.5, 0.4};

Bristle resting() {
  Bristle out;
  out.at = {0.1, 0.2, -1e-3};
  out.traction = {5, -3, 0};
  out.push = 100;
  out.grip = Grip::sticks;
  return out;
}

TEST(Bristle, SticksUpToTheLimitAndSlipsBeyond) {
  const Bristle before = resting();
  ContactMotion now{before.at, Vector3d::Zero()};
  Contact3 c = touch(ground, 0, law, now, &before, {});
  EXPECT_EQ(c.grip, Grip::sticks);
  EXPECT_EQ(c.traction, before.traction) << "what does not move keeps its force";
  EXPECT_DOUBLE_EQ(c.push, 100);
  now.y.x() -= 1e-3;  // 100 N/m more than the limit allows
  c = touch(ground, 0, law, now, &before, {});
  EXPECT_EQ(c.grip, Grip::slips);
  EXPECT_NEAR(c.traction.norm(), 0.5 * 100, 1e-12) << "stuck before: the static coefficient";
  Bristle slid = before;
  slid.grip = Grip::slips;
  EXPECT_NEAR(touch(ground, 0, law, now, &slid, {}).traction.norm(), 0.5 * 100, 1e-12)
      << "it has not broken away";
  slid.slid = 3 * 100 / law.normal.stiffness;
  EXPECT_NEAR(touch(ground, 0, law, now, &slid, {}).traction.norm(), 0.4 * 100, 1e-12);
  EXPECT_NEAR(touch(ground, 0, law, now, &slid, {false, 50}).traction.norm(), 0.4 * 50, 1e-12);
}

/// What sticks is damped, and never beyond the limit.
TEST(Bristle, DampsWhatSticks) {
  ContactLaw damped = law;
  damped.grip_damping = 1e-3;
  Bristle before = resting();
  before.calm = true;
  const auto moving = [&](const Vector3d& rate) {
    return touch(ground, 0, damped, {before.at, rate}, &before, {}).traction;
  };
  const Vector3d slow(0.05, 0.02, 0);
  EXPECT_LT((moving(slow) - before.traction + 1e5 * 1e-3 * slow).norm(), 1e-12);
  EXPECT_NEAR(moving({1, 0, 0}).norm(), 50, 1e-12);
  before.calm = false;
  EXPECT_EQ(moving(slow), before.traction);
}

TEST(Bristle, NeverPullsAndIsBounded) {
  const Bristle before = resting();
  const auto push = [&](double sinking) {
    return touch(ground, 0, law, {before.at, {0, 0, -sinking}}, &before, {}).push;
  };
  EXPECT_DOUBLE_EQ(push(0.5), 150);
  EXPECT_DOUBLE_EQ(push(1e3), 200);
  EXPECT_DOUBLE_EQ(push(-1e3), 0);
  EXPECT_EQ(touch(ground, 0, law, {{0, 0, 1e-9}, {0, 0, -1}}, &before, {}).grip, Grip::open);
}

TEST(Bristle, TangentIsTheDerivativeWithAFrozenLimit) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> in(-1, 1);
  int stuck = 0, slid = 0;
  for (int i = 0; i < 200; ++i) {
    const Bristle before = resting();
    const double far = i % 2 ? 2e-4 : 3e-3;
    const ContactMotion now{before.at + far * Vector3d(in(random), in(random), 0.1 * in(random)),
                            {0, 0, 0.1 * in(random)}};
    const FrictionLimit frozen{false, 90};
    const Contact3 at = touch(ground, 0, law, now, &before, frozen);
    (at.grip == Grip::sticks ? stuck : slid) += 1;
    constexpr double step = 1e-9;
    Matrix3d K;
    for (int k = 0; k < 3; ++k) {
      ContactMotion plus = now, minus = now;
      plus.y[k] += step;
      minus.y[k] -= step;
      K.col(k) = -(touch(ground, 0, law, plus, &before, frozen).force() -
                   touch(ground, 0, law, minus, &before, frozen).force()) /
                 (2 * step);
    }
    EXPECT_LT((K - at.stiffness).norm(), 1e-4 * law.normal.stiffness);
    EXPECT_EQ(at.stiffness, at.stiffness.transpose());
  }
  EXPECT_GT(stuck, 20);
  EXPECT_GT(slid, 20);
}

TEST(Bristle, SurvivesItsNumbers) {
  Bristle one = resting();
  one.face = 3;
  one.grip = Grip::slips;
  double numbers[Bristle::size];
  one.write(numbers);
  const Bristle two = Bristle::read(numbers);
  EXPECT_EQ(two.traction, one.traction);
  EXPECT_EQ(two.at, one.at);
  EXPECT_EQ(two.push, one.push);
  EXPECT_EQ(two.grip, one.grip);
  EXPECT_EQ(two.face, one.face);
}

}  // namespace
}  // namespace hawser

// The turn between two bodies against differences of its values over small turns R <- R exp(phi).
#include "constraints/turn_rows.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

namespace hawser::HAWSER_FILE {
namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;

/// Eigen's angle and axis: not the code that the engine turns bodies with.
Matrix3 turn(const Vec3& phi) {
  return Eigen::AngleAxisd(phi.norm(), phi.stableNormalized()).toRotationMatrix();
}

Vec3 vector_of(const Matrix3& D) {
  const Eigen::AngleAxisd a(D);
  return a.angle() * a.axis();
}

/// From none to nearly half a turn, on both sides of the change from series to closed forms.
std::vector<Vec3> vectors() {
  std::mt19937 engine(11);
  std::normal_distribution<double> number;
  std::vector<Vec3> out;
  for (const double angle : {0.0, 1e-6, 1e-3, 0.099, 0.101, 0.7, 1.5, 2.5, 3.0})
    out.push_back(angle * Vec3(number(engine), number(engine), number(engine)).normalized());
  return out;
}

/// lambda . theta after turns of both.
double moved(const Vec3& theta, const Vec3& lambda, const Vec6& by) {
  const Vec3 a = by.head<3>(), b = by.tail<3>();
  return lambda.dot(vector_of(turn(a).transpose() * turn(theta) * turn(b)));
}

TEST(RelativeTurn, IsTheRotationVector) {
  for (const Vec3& theta : vectors())
    EXPECT_LT((RelativeTurn(turn(theta)).theta - theta).norm(), 1e-14) << theta.norm();
}

TEST(RelativeTurn, HasTheSlopesOfItsValue) {
  const Vec3 lambda(0.6, -1.1, 0.4);
  for (const Vec3& theta : vectors()) {
    const RelativeTurn at(turn(theta));
    Vec6 gradient, slopes;
    gradient << -at.J.transpose() * lambda, at.J * lambda;
    for (int i = 0; i < 6; ++i) {
      const auto difference = [&](double h) {
        const Vec6 by = h * Vec6::Unit(i);
        return (moved(theta, lambda, by) - moved(theta, lambda, -by)) / (2 * h);
      };
      slopes[i] = (4 * difference(1e-3) - difference(2e-3)) / 3;
    }
    EXPECT_LT((gradient - slopes).norm(), 1e-10) << theta.norm();
  }
}

TEST(RelativeTurn, HasTheSecondDerivativesOfItsValue) {
  const Vec3 lambda(0.6, -1.1, 0.4);
  for (const Vec3& theta : vectors()) {
    const RelativeTurn::Curvature of = RelativeTurn(turn(theta)).curvature(lambda);
    Mat6 whole, differences;
    whole << of.aa, of.ab, of.ab.transpose(), of.bb;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        const auto difference = [&](double h) {
          const Vec6 both = h * (Vec6::Unit(i) + Vec6::Unit(j)),
                     one = h * (Vec6::Unit(i) - Vec6::Unit(j));
          return (moved(theta, lambda, both) + moved(theta, lambda, -both) -
                  moved(theta, lambda, one) - moved(theta, lambda, -one)) /
                 (4 * h * h);
        };
        differences(i, j) = (4 * difference(2e-3) - difference(4e-3)) / 3;
      }
    EXPECT_LT((whole - differences).norm(), 1e-7) << theta.norm();
    EXPECT_LT((whole - whole.transpose()).norm(), 1e-15);
  }
}

/// The multipliers -theta/eps give moments of |theta|/eps about the axis of the turn, which it does
/// not change.
TEST(RelativeTurn, MomentIsLinearInTheAngle) {
  for (const Vec3& theta : vectors()) {
    const RelativeTurn at(turn(theta));
    EXPECT_LT((at.J * theta - theta).norm(), 1e-14) << theta.norm();
    EXPECT_LT((at.J.transpose() * theta - theta).norm(), 1e-14) << theta.norm();
  }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

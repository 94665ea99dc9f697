// The elastic catenary: that it is one (ends, balance, law), and closed forms.
#include "math/catenary.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "math/quadrature.h"

namespace hawser {
namespace {

using Eigen::Vector3d;

constexpr StrainMeasure measures[] = {StrainMeasure::engineering, StrainMeasure::green};

CatenaryProblem problem(const Vector3d& to, double length, double weight, double EA,
                        StrainMeasure strain) {
  CatenaryProblem p;
  p.from = {0.3, -0.2, 0.5};
  p.to = p.from + to;
  p.length = length;
  p.weight = {0, 0, -weight};
  p.law = {EA, strain};
  return p;
}

/// What rounding is measured by: span and length, stretched where it hangs by thousands of times
/// its stiffness, and for tiny ones the digits of coordinates [m].
double scale_of(const CatenaryProblem& p, const Catenary& c) {
  const double stretch = std::max(c.slope(0).norm(), c.slope(p.length).norm());
  return (p.to - p.from).norm() + p.length * std::max(1.0, stretch / 100) + 5e-3 * p.from.norm();
}

void expect_ends(const CatenaryProblem& p, const Catenary& c) {
  EXPECT_LE((c.position(0) - p.from).norm(), 1e-14 * scale_of(p, c));
  EXPECT_LE((c.position(p.length) - p.to).norm(), 1e-12 * scale_of(p, c));
}

/// The tension along the slope changes by the weight alone, and stretches as the law says.
void expect_balance(const CatenaryProblem& p, const Catenary& c) {
  const auto force = [&](double s) { return Vector3d(c.tension(s) * c.slope(s).normalized()); };
  const double most = std::max(c.tension(0), c.tension(p.length));
  for (int k = 0; k <= 10; ++k) {
    const double s = p.length * k / 10;
    EXPECT_LE((force(s) - force(0) + s * p.weight).norm(), 1e-12 * most) << "s = " << s;
    const double l = c.slope(s).norm(), t = c.tension(s);
    const double law = p.law.strain == StrainMeasure::engineering ? p.law.EA * (l - 1)
                                                                  : p.law.EA * l * (l * l - 1) / 2;
    EXPECT_NEAR(law, t, 1e-13 * t + 1e-15 * p.law.EA * l * l * l) << "s = " << s;
  }
}

/// Position is the integral of the slope: Gauss on panels that shrink towards the lowest point,
/// where the tension has its kink.
void expect_integral(const CatenaryProblem& p, const Catenary& c) {
  const std::vector<GaussPoint> rule = gauss_rule(20);
  double low = 0;
  for (int i = 0; i <= 400; ++i)
    if (const double s = p.length * i / 400; c.tension(s) < c.tension(low)) low = s;
  double step = p.length / 400;
  for (int i = 0; i < 60; ++i, step *= 0.7)
    for (const double s : {low - step, low + step})
      if (s > 0 && s < p.length && c.tension(s) < c.tension(low)) low = s;
  std::vector<double> marks{0, low, p.length};
  for (double d = p.length; d > 1e-12 * p.length; d /= 2)
    for (const double s : {low - d, low + d})
      if (s > 0 && s < p.length) marks.push_back(s);
  std::sort(marks.begin(), marks.end());
  Vector3d r = p.from;
  for (size_t i = 1; i < marks.size(); ++i) {
    const double a = marks[i - 1], h = marks[i] - a;
    for (const GaussPoint& g : rule) r += g.w * h * c.slope(a + g.x * h);
    EXPECT_LE((r - c.position(marks[i])).norm(), 3e-12 * scale_of(p, c)) << "s = " << marks[i];
  }
}

void expect_catenary(const CatenaryProblem& p) {
  SCOPED_TRACE(fmt::format("to ({}, {}, {}), L {}, w {}, EA {}, {}", p.to.x(), p.to.y(), p.to.z(),
                           p.length, p.weight.norm(), p.law.EA,
                           p.law.strain == StrainMeasure::green ? "green" : "engineering"));
  const Catenary c = solve_catenary(p);
  expect_ends(p, c);
  expect_balance(p, c);
  expect_integral(p, c);
}

TEST(Catenary, IsOneForAnyEndsLengthAndStiffness) {
  const Vector3d level(3, 4, 0), up(6, 0, 5), steep(1e-3, 0, -8), tiny(1e-7, 2e-7, 1e-7);
  for (const StrainMeasure strain : measures)
    for (const Vector3d& to : {level, up, steep, tiny})
      for (const double share :
           {1e4, 30.0, 1.5, 1 + 1e-3, 1 + 1e-9, 1.0, 1 - 1e-9, 0.99, 0.4, 0.02})
        for (const double EA : {1e15, 1e7, 300.0, 5.0})
          expect_catenary(problem(to, share * to.norm(), 12, EA, strain));
}

TEST(Catenary, HangsStraightDown) {
  for (const StrainMeasure strain : measures)
    for (const double EA : {1e15, 1e4, 20.0})
      for (const Vector3d& to : {Vector3d(0, 0, 0), Vector3d(0, 0, 2), Vector3d(0, 0, -2)})
        for (const double length : {0.5, 2.0, 2 + 1e-9, 3.0, 50.0})
          expect_catenary(problem(to, length, 9, EA, strain));
}

TEST(Catenary, TakesAnyWeight) {
  for (const StrainMeasure strain : measures)
    for (const double weight : {1e-12, 1e-6, 1.0, 1e6, 1e12})
      for (const double length : {0.8, 1.0, 1.2, 40.0})
        expect_catenary(problem({0.6, 0, 0.8}, length, weight, 1e5, strain));
}

TEST(Catenary, TurnsWithTheWeight) {
  const CatenaryProblem p = problem({3, 1, 2}, 7, 20, 500, StrainMeasure::green);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1.1, Vector3d(1, 2, -0.5).normalized()));
  CatenaryProblem turned = p;
  turned.from = turn * p.from;
  turned.to = turn * p.to;
  turned.weight = turn * p.weight;
  const Catenary a = solve_catenary(p), b = solve_catenary(turned);
  for (const double s : {0.0, 1.3, 4.0, 7.0}) {
    EXPECT_LT((turn * a.position(s) - b.position(s)).norm(), 1e-13);
    EXPECT_LT((turn * a.slope(s) - b.slope(s)).norm(), 1e-12);
  }
}

TEST(Catenary, InextensibleAsTheHyperbolicCosine) {
  // z = a cosh(x/a) through x = -5 and 7: everything in closed form.
  const double a = 4, left = -5, right = 7, weight = 3;
  const double length = a * (std::sinh(right / a) - std::sinh(left / a));
  const double rise = a * (std::cosh(right / a) - std::cosh(left / a));
  CatenaryProblem p =
      problem({right - left, 0, rise}, length, weight, 1e18, StrainMeasure::engineering);
  const Catenary c = solve_catenary(p);
  for (int k = 0; k <= 8; ++k) {
    const double x = left + (right - left) * k / 8;
    const double s = a * (std::sinh(x / a) - std::sinh(left / a));
    const Vector3d expected =
        p.from + Vector3d(x - left, 0, a * (std::cosh(x / a) - std::cosh(left / a)));
    EXPECT_LT((c.position(s) - expected).norm(), 1e-12) << "x = " << x;
    EXPECT_NEAR(c.tension(s), weight * a * std::cosh(x / a), 1e-10) << "x = " << x;
  }
}

TEST(Catenary, ElasticByIrvinesFormulas) {
  // Level force and start's rise given; the ends follow (Irvine 1981, eqs. 2.24 to 2.26).
  const double H = 40, V = -55, w = 10, EA = 900, L = 12;
  const auto x = [&](double s) {
    return H * s / EA + H / w * (std::asinh((V + w * s) / H) - std::asinh(V / H));
  };
  const auto z = [&](double s) {
    return s / EA * (V + w * s / 2) + (std::hypot(H, V + w * s) - std::hypot(H, V)) / w;
  };
  const CatenaryProblem p = problem({x(L), 0, z(L)}, L, w, EA, StrainMeasure::engineering);
  const Catenary c = solve_catenary(p);
  for (const double s : {0.0, 2.0, 5.5, 9.0, 12.0}) {
    EXPECT_LT((c.position(s) - p.from - Vector3d(x(s), 0, z(s))).norm(), 1e-13);
    EXPECT_NEAR(c.tension(s), std::hypot(H, V + w * s), 1e-11);
  }
}

TEST(Catenary, StretchesUnderItsOwnWeight) {
  // Hung up at one end, its foot just held: the tension at the foot is the unknown.
  const double w = 20, EA = 1000, L = 5, pull = 30;
  const double stretched = L + (pull * L + w * L * L / 2) / EA;
  const CatenaryProblem p = problem({0, 0, -stretched}, L, w, EA, StrainMeasure::engineering);
  const Catenary c = solve_catenary(p);
  EXPECT_NEAR(c.tension(L), pull, 1e-11);
  EXPECT_NEAR(c.tension(0), pull + w * L, 1e-11);
}

TEST(Catenary, WithoutWeightIsALineOrAnArc) {
  CatenaryProblem p = problem({3, 0, 4}, 4, 0, 100, StrainMeasure::engineering);
  const Catenary line = solve_catenary(p);
  expect_ends(p, line);
  EXPECT_NEAR(line.tension(1), 25, 1e-12);
  EXPECT_LT((line.slope(3) - Vector3d(0.75, 0, 1)).norm(), 1e-14);

  p.length = 5 * std::numbers::pi / 2;  // half a circle of radius 2.5
  p.side = {1, 0, -1};
  const Catenary arc = solve_catenary(p);
  expect_ends(p, arc);
  const Vector3d centre = (p.from + p.to) / 2;
  for (const double s : {0.0, 1.0, 4.0, 7.0}) {
    EXPECT_NEAR((arc.position(s) - centre).norm(), 2.5, 1e-13);
    EXPECT_NEAR(arc.slope(s).norm(), 1, 1e-15);
    EXPECT_EQ(arc.tension(s), 0);
  }
  EXPECT_LT((arc.position(p.length / 2) - centre - Vector3d(2, 0, -1.5)).norm(), 1e-13);

  for (const double length : {5.0, 5 + 1e-9, 5 - 1e-9, 1e5}) {
    p.length = length;
    expect_ends(p, solve_catenary(p));
  }
  p.to = p.from;
  p.length = 2;
  const Catenary ring = solve_catenary(p);
  expect_ends(p, ring);
  EXPECT_NEAR((ring.position(1) - p.from).norm(), 2 / std::numbers::pi, 1e-14);
}

// --- on a floor ---

/// A mooring line from (0, 0, 20) to an anchor on the floor.
TEST(Catenary, LiesOnTheFloorAsAMooringLine) {
  // Inextensible: lifted length l = sqrt(h^2 + 2 h a), reach a acosh(1 + h/a), a = H/w.
  const double h = 20, w = 50, a = 30, lying = 25;
  const double lifted = std::sqrt(h * h + 2 * h * a), reach = a * std::acosh(1 + h / a);
  CatenaryProblem p;
  p.from = {0, 0, h};
  p.to = {0, reach + lying, 0};
  p.length = lifted + lying;
  p.weight = {0, 0, -w};
  p.law = {1e17, StrainMeasure::green};
  p.floor = 0;
  const Catenary c = solve_catenary(p);
  expect_ends(p, c);
  EXPECT_NEAR(c.lying(), lying, 1e-10);
  EXPECT_NEAR(c.tension(0), w * (a + h), 1e-8);
  EXPECT_NEAR(c.tension(lifted + 1), w * a, 1e-8);
  EXPECT_NEAR(c.position(lifted).z(), 0, 1e-11);
  EXPECT_NEAR(c.position(lifted).y(), reach, 1e-10);
  EXPECT_NEAR(c.position(lifted + 10).z(), 0, 1e-11);
}

TEST(Catenary, LiesBetweenTwoEnds) {
  for (const StrainMeasure strain : measures)
    for (const double EA : {1e15, 1e4, 50.0}) {
      CatenaryProblem p;
      p.from = {0, 0, 3};
      p.to = {10, 0, 2};
      p.length = 12;
      p.weight = {0, 0, -5};
      p.law = {EA, strain};
      p.floor = 1;
      const Catenary c = solve_catenary(p);
      expect_ends(p, c);
      ASSERT_GT(c.lying(), 1);
      double lowest = 9;
      Vector3d r = p.from;
      const std::vector<GaussPoint> rule = gauss_rule(8);
      for (int k = 0; k < 4000; ++k) {
        const double s = p.length * k / 4000, step = p.length / 4000;
        lowest = std::min(lowest, c.position(s).z());
        for (const GaussPoint& g : rule) r += g.w * step * c.slope(s + g.x * step);
        EXPECT_LT((r - c.position(s + step)).norm(), 1e-6);
      }
      EXPECT_NEAR(lowest, 1, 1e-12);
    }
}

TEST(Catenary, FreeWhereItDoesNotReachTheFloor) {
  CatenaryProblem p = problem({8, 0, 1}, 9, 5, 1e4, StrainMeasure::green);
  const Catenary free = solve_catenary(p);
  double lowest = 9;
  for (int k = 0; k <= 1000; ++k) lowest = std::min(lowest, free.position(0.009 * k).z());
  p.floor = lowest - 1e-6;
  EXPECT_EQ(solve_catenary(p).lying(), 0);
  p.floor = lowest + 1e-6;
  const Catenary touching = solve_catenary(p);
  EXPECT_GT(touching.lying(), 0);
  EXPECT_LT(touching.lying(), 0.05);
  for (int k = 0; k <= 90; ++k)
    EXPECT_LT((free.position(0.1 * k) - touching.position(0.1 * k)).norm(), 1e-5);
}

TEST(Catenary, LaysSpareLengthAsAnArcOnTheFloor) {
  for (const double span : {4.0, 0.0}) {
    CatenaryProblem p;
    p.from = {0, 0, 2};
    p.to = {0, span, 3};
    p.length = 17;
    p.weight = {0, 0, -5};
    p.law = {50, StrainMeasure::engineering};
    p.floor = 0;
    const Catenary c = solve_catenary(p);
    expect_ends(p, c);
    // l + w l^2/(2 EA) = h: what hangs straight down from 2 m and from 3 m.
    const auto hangs = [](double h) { return (std::sqrt(1 + 2 * 0.1 * h) - 1) / 0.1; };
    EXPECT_NEAR(c.lying(), 17 - hangs(2) - hangs(3), 1e-13);
    EXPECT_NEAR(c.tension(0), 5 * hangs(2), 1e-13);
    const double middle = hangs(2) + c.lying() / 2;
    EXPECT_EQ(c.tension(middle), 0);
    EXPECT_NEAR(c.position(middle).z(), 0, 1e-13);
    EXPECT_NEAR(c.slope(middle).norm(), 1, 1e-14);
    EXPECT_LT((c.position(hangs(2)) - Vector3d(0, 0, 0)).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace hawser

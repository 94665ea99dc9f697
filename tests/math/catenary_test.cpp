// The elastic catenary: that it is one (ends, balance, law), and closed forms.
#include "math/catenary.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <optional>

#include "math/quadrature.h"

namespace hawser::HAWSER_FILE {
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

// --- of several sections ---

/// Irvine's formulas section by section: with the level force H and V at the start, the rest
/// follows. x = H l/EA + H/w (asinh(V1/H) - asinh(V0/H)), z = (T1 - T0)/w + (V0 + V1) l/(2 EA).
struct Built {
  CatenaryProblem problem;
  std::vector<double> x, z, T;  ///< at the ends of the sections
};
Built built(double H, double V, const std::vector<CatenarySection>& sections) {
  Built out;
  CatenaryProblem& p = out.problem;
  p.from = {2, 3, -1};
  p.weight = {0, 0, -1};
  p.sections = sections;
  out.x = out.z = {0};
  out.T = {std::hypot(H, V)};
  for (const CatenarySection& s : sections) {
    const double V1 = V + s.weight * s.length, T1 = std::hypot(H, V1);
    out.x.push_back(out.x.back() + H * s.length / s.law.EA +
                    H / s.weight * (std::asinh(V1 / H) - std::asinh(V / H)));
    out.z.push_back(out.z.back() + (T1 - out.T.back()) / s.weight +
                    (V + V1) / 2 * s.length / s.law.EA);
    out.T.push_back(T1);
    p.length += s.length;
    V = V1;
  }
  p.to = p.from + Vector3d(0.6 * out.x.back(), 0.8 * out.x.back(), out.z.back());
  return out;
}

TEST(Catenary, OfSectionsGoesOnFromOneToTheNext) {
  constexpr auto plain = StrainMeasure::engineering;
  for (const double H : {3.0, 40.0, 900.0})
    for (const double V : {-200.0, -15.0, 30.0})
      for (const double middle : {1.5, 80.0, -6.0}) {  // light, heavy, floating
        const Built b = built(H, V,
                              {{4, 20, {1e5, plain}},
                               {9, middle, {3e3, plain}},
                               {2, 20, {1e5, plain}},
                               {1, 5, {1e7, plain}}});
        SCOPED_TRACE(fmt::format("H {}, V {}, middle {}", H, V, middle));
        const Catenary c = solve_catenary(b.problem);
        expect_ends(b.problem, c);
        double s = 0;
        for (size_t k = 0; k < b.x.size(); ++k) {
          const Vector3d at = b.problem.from + Vector3d(0.6 * b.x[k], 0.8 * b.x[k], b.z[k]);
          EXPECT_LT((c.position(s) - at).norm(), 1e-9 * b.problem.length) << k;
          EXPECT_NEAR(c.tension(s), b.T[k], 1e-8 * b.T[k]) << k;
          if (k < b.problem.sections.size()) s += b.problem.sections[k].length;
        }
        const double inside = 4 + 0.37 * 9;
        const double t = c.tension(inside);
        EXPECT_NEAR(c.stretch(inside), 1 + t / 3e3, 1e-13);
        EXPECT_NEAR(c.energy(inside), t * t / (2 * 3e3), 1e-9 * t * t / 3e3);
      }
}

TEST(Catenary, OfEqualSectionsIsThatOfOne) {
  for (const StrainMeasure strain : measures)
    for (const std::optional<double> floor : {std::optional<double>(), std::optional(-1.0)}) {
      CatenaryProblem one = problem({8, 0, 1}, 12, 5, 1e3, strain);
      one.floor = floor;
      CatenaryProblem three = one;
      three.sections = {{2, 5, one.law}, {7, 5, one.law}, {3, 5, one.law}};
      const Catenary a = solve_catenary(one), b = solve_catenary(three);
      EXPECT_EQ(reaches_floor(one), reaches_floor(three));
      EXPECT_NEAR(a.lying(), b.lying(), 1e-11);
      for (int k = 0; k <= 24; ++k) {
        EXPECT_LT((a.position(0.5 * k) - b.position(0.5 * k)).norm(), 1e-11) << k;
        EXPECT_LT((a.slope(0.5 * k) - b.slope(0.5 * k)).norm(), 1e-9) << k;
      }
    }
}

/// Hanging straight down, and stretched without weight: lengths add up.
TEST(Catenary, OfSectionsAddsUpItsParts) {
  const AxialLaw chain{3e6, StrainMeasure::engineering}, rope{2e3, StrainMeasure::engineering};
  CatenaryProblem p;
  p.weight = {0, 0, -1};
  p.length = 8;
  p.sections = {{2, 90, chain}, {5, 15, rope}, {1, 90, chain}};
  const double load = 400;
  double below = load, down = 0;
  for (size_t k = 3; k-- > 0;) {
    const CatenarySection& s = p.sections[k];
    down += s.length * (1 + (below + s.weight * s.length / 2) / s.law.EA);
    below += s.weight * s.length;
  }
  p.to = {0, 0, -down};
  const Catenary hangs = solve_catenary(p);
  expect_ends(p, hangs);
  EXPECT_NEAR(hangs.tension(8), load, 1e-8);
  EXPECT_NEAR(hangs.tension(0), below, 1e-8);

  p.weight.setZero();
  for (CatenarySection& s : p.sections) s.weight = 0;
  const double T = 300;
  p.to = {0, 2 * (1 + T / 3e6) + 5 * (1 + T / 2e3) + 1 + T / 3e6, 0};
  const Catenary line = solve_catenary(p);
  expect_ends(p, line);
  for (const double s : {0.5, 3.0, 7.5}) EXPECT_NEAR(line.tension(s), T, 1e-7);
  EXPECT_NEAR(line.position(2).y(), 2 * (1 + T / 3e6), 1e-12);
  p.to = {0, 6, 0};  // slack: an arc
  EXPECT_EQ(solve_catenary(p).tension(4), 0);
  expect_ends(p, solve_catenary(p));
}

/// A mooring line of rope and chain: the rope hangs clear, some of the chain lies. From the
/// touchdown up: Irvine's formulas with V = 0 there.
TEST(Catenary, OfSectionsLiesOnTheFloor) {
  const AxialLaw chain{3e5, StrainMeasure::engineering}, rope{2e4, StrainMeasure::engineering};
  constexpr double H = 700, lying = 12;
  const Built lifted = built(H, 0, {{20, 60, chain}, {50, 8, rope}});
  for (const bool reversed : {false, true}) {
    CatenaryProblem p = lifted.problem;
    p.floor = p.from.z();
    p.length += lying;
    p.sections[0].length += lying;
    const Vector3d along(0.6, 0.8, 0);
    p.from -= lying * (1 + H / chain.EA) * along;
    if (reversed) {
      std::swap(p.from, p.to);
      std::swap(p.sections[0], p.sections[1]);
    }
    ASSERT_TRUE(reaches_floor(p));
    const Catenary c = solve_catenary(p);
    expect_ends(p, c);
    const auto at = [&](double s) { return reversed ? p.length - s : s; };
    EXPECT_NEAR(c.lying(), lying, 1e-8);
    EXPECT_NEAR(c.tension(at(5)), H, 1e-7);
    EXPECT_NEAR(c.tension(at(p.length)), lifted.T.back(), 1e-7);
    EXPECT_NEAR(c.position(at(lying + 20)).z() - *p.floor, lifted.z[1], 1e-9);
    EXPECT_NEAR(c.position(at(7)).z(), *p.floor, 1e-12);
  }
}

/// The touchdown may be in any section, sections may lie whole, and spare length makes an arc.
TEST(Catenary, OfSectionsIsContinuousOnTheFloor) {
  for (const double length : {12.0, 13.0, 16.0, 30.0})
    for (const double EA : {60.0, 1e4}) {
      CatenaryProblem p;
      p.from = {0, 0, 3};
      p.to = {10, 0, 2};
      p.length = length;
      p.weight = {0, 0, -1};
      p.floor = 1;
      const AxialLaw soft{EA, StrainMeasure::engineering}, stiff{20 * EA, StrainMeasure::green};
      p.sections = {{2, 4, soft}, {length / 2, 9, stiff}, {length / 2 - 3, 3, soft}, {1, 8, stiff}};
      const Catenary c = solve_catenary(p);
      expect_ends(p, c);
      ASSERT_GT(c.lying(), 0);
      Vector3d r = p.from;
      const std::vector<GaussPoint> rule = gauss_rule(8);
      constexpr double step = 0.002;  // sections end on steps, a corner at a heap need not
      const bool heap = c.tension(length / 2) == 0;
      for (int k = 0; k < std::lround(length / step); ++k) {
        const double s = k * step;
        EXPECT_GT(c.position(s).z(), 1 - 1e-9);
        for (const GaussPoint& g : rule) r += g.w * step * c.slope(s + g.x * step);
        EXPECT_LT((r - c.position(s + step)).norm(), heap ? 2 * step : 1e-6) << s;
        if (c.lying() > 0 && c.tension(s) > 0 && c.tension(s + step) > 0) {
          const Vector3d pull = c.tension(s + step) * c.slope(s + step).normalized() -
                                c.tension(s) * c.slope(s).normalized();
          EXPECT_LT(std::hypot(pull.x(), pull.y()), 1e-9) << s << " level force is constant";
        }
      }
    }
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
}  // namespace hawser::HAWSER_FILE

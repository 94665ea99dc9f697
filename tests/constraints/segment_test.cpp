// Segments of a massless cable: tangents, lengths, and their derivatives, against closed forms, an
// independent search for the tangents, and differences.
#include "constraints/segment.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <ostream>
#include <random>
#include <string>

#include "allocations.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double pi = std::numbers::pi;
using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;
using Mat3 = Eigen::Matrix3d;

Vec3 unit(const Vec3& v) { return v.normalized(); }

/// A groove about `axis`; e1 is where the mark of angle 0 is.
Groove pulley(const Vec3& center, const Vec3& axis, double radius, const Vec3& mark) {
  Groove g;
  g.center = center;
  g.axis = unit(axis);
  g.e1 = unit(mark - g.axis.dot(mark) * g.axis);
  g.e2 = g.axis.cross(g.e1);
  g.radius = radius;
  return g;
}

Groove point(const Vec3& center) {
  Groove g;
  g.center = center;
  return g;
}

/// The groove after its body has moved by x and turned by the rotation vector phi about its centre.
Groove moved(const Groove& g, const Vec3& x, const Vec3& phi) {
  Mat3 turn = Mat3::Identity();
  if (phi.norm() > 0) turn = Eigen::AngleAxisd(phi.norm(), phi.normalized());
  Groove m = g;
  m.arm = turn * g.arm;
  m.center = g.center - g.arm + x + m.arm;
  m.e1 = turn * g.e1;
  m.e2 = turn * g.e2;
  m.axis = turn * g.axis;
  return m;
}

Segment span(const Groove& a, const Groove& b, double leave = 0, double reach = 0) {
  Segment s;
  EXPECT_EQ(span_segment(a, b, leave, reach, s), SegmentStatus::ok);
  return s;
}

Vec12 gradient(const Segment& s) {
  Vec12 g;
  g << s.force_a, s.torque_a, s.force_b, s.torque_b;
  return g;
}

Segment span_moved(const Groove& a, const Groove& b, const Vec12& by, const Segment& near) {
  return span(moved(a, by.segment<3>(0), by.segment<3>(3)),
              moved(b, by.segment<3>(6), by.segment<3>(9)), near.leave, near.reach);
}

/// Central difference of f(step) at 0, of fourth order: its error at this step is below 1e-10.
template <class F>
auto slope_at_zero(const F& f) {
  const double h = 1e-3;
  return ((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)).eval();
}

class Random {
 public:
  double in(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec3 direction() {
    std::normal_distribution<double> normal;
    return unit(Vec3(normal(engine_), normal(engine_), normal(engine_)));
  }
  Vec3 vector(double size) { return size * in(0, 1) * direction(); }
  /// A direction at most that far from another [rad].
  Vec3 near(const Vec3& v, double angle) {
    return Eigen::AngleAxisd(in(-angle, angle), unit(v.cross(direction()))) * v;
  }

 private:
  std::mt19937 engine_{1};
};

/// What a random pair of stops is made of.
struct Kind {
  std::string name;
  bool pulley_a = false, pulley_b = false;
  double tilt = 0;    ///< of the planes, at most [rad]
  double offset = 0;  ///< of b across the plane of a level cable, at most [m]
  double arm = 0;     ///< at most [m]

  friend std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }
};

const double degree = pi / 180;
const Kind without_fleet_angle[] = {{"points", false, false},
                                    {"points_with_arms", false, false, 0, 0, 2},
                                    {"level_point_to_pulley", false, true, 0, 0, 1},
                                    {"level_pulleys", true, true},
                                    {"level_pulleys_with_arms", true, true, 0, 0, 1}};
const Kind with_fleet_angle[] = {{"point_to_pulley", false, true, 20 * degree},
                                 {"pulley_to_point", true, false, 20 * degree, 0, 1},
                                 {"parallel_pulleys_side_by_side", true, true, 0, 0.5},
                                 {"tilted_pulleys", true, true, 20 * degree},
                                 {"tilted_pulleys_with_arms", true, true, 20 * degree, 0.3, 1}};

struct Pair {
  Groove a, b;
};

/// Stops 1.5 to 4 m apart, pulleys of 0.1 to 0.6 m whose planes are tilted from that of the cable.
Pair random_pair(const Kind& kind, Random& random) {
  const Vec3 way = random.direction();
  const Vec3 normal = unit(way.cross(random.direction()));
  const auto stop = [&](bool is_pulley, const Vec3& center) {
    Groove g = point(center);
    if (is_pulley) {
      const Vec3 axis = random.in(0, 1) < 0.5 ? Vec3(-normal) : normal;
      g = pulley(center, random.near(axis, kind.tilt), random.in(0.1, 0.6), random.direction());
    }
    g.arm = random.vector(kind.arm);
    return g;
  };
  const Vec3 start = random.vector(5);
  const Vec3 end = start + random.in(1.5, 4) * way + kind.offset * random.in(-1, 1) * normal;
  return {stop(kind.pulley_a, start), stop(kind.pulley_b, end)};
}

class SegmentOf : public testing::TestWithParam<Kind> {
 protected:
  template <class Check>
  void for_random_pairs(const Check& check) {
    Random random;
    for (int trial = 0; trial < 100; ++trial) {
      SCOPED_TRACE(trial);
      const Pair pair = random_pair(GetParam(), random);
      check(pair.a, pair.b, random);
      if (HasFailure()) return;
    }
  }
};

class SegmentWithoutFleetAngle : public SegmentOf {};

const auto name_of = [](const auto& kind) { return kind.param.name; };
INSTANTIATE_TEST_SUITE_P(Level, SegmentOf, testing::ValuesIn(without_fleet_angle), name_of);
INSTANTIATE_TEST_SUITE_P(Fleet, SegmentOf, testing::ValuesIn(with_fleet_angle), name_of);
INSTANTIATE_TEST_SUITE_P(Level, SegmentWithoutFleetAngle, testing::ValuesIn(without_fleet_angle),
                         name_of);

/// Tangent point of a groove for a point, by the angles of the triangle centre, tangent, point.
Vec3 tangent_point(const Groove& g, const Vec3& p, bool leaving) {
  if (g.radius == 0) return g.center;
  const double x = g.e1.dot(p - g.center), y = g.e2.dot(p - g.center);
  const double open = std::acos(g.radius / std::hypot(x, y));
  const double angle = std::atan2(y, x) + (leaving ? -open : open);
  return g.center + g.radius * (std::cos(angle) * g.e1 + std::sin(angle) * g.e2);
}

TEST_P(SegmentOf, EndsWhereTangentsTakenInTurnSettle) {
  for_random_pairs([](const Groove& a, const Groove& b, Random&) {
    Vec3 from = a.center, to = b.center;
    for (int round = 0; round < 60; ++round) {
      from = tangent_point(a, to, true);
      to = tangent_point(b, from, false);
    }
    const Segment s = span(a, b);
    EXPECT_LT((s.from - from).norm(), 1e-13);
    EXPECT_LT((s.to - to).norm(), 1e-13);
    EXPECT_NEAR(s.straight, (to - from).norm(), 1e-13);
    EXPECT_LT((s.tangent - unit(to - from)).norm(), 1e-13);
  });
}

TEST_P(SegmentOf, HasTheAnglesOfItsEnds) {
  for_random_pairs([](const Groove& a, const Groove& b, Random& random) {
    const double leave_hint = random.in(-50, 50), reach_hint = random.in(-50, 50);
    const Segment s = span(a, b, leave_hint, reach_hint);
    const auto expect_at = [](const Groove& g, double angle, double hint, const Vec3& end) {
      if (g.radius == 0) {
        EXPECT_EQ(angle, 0);
        return;
      }
      const Vec3 radial = std::cos(angle) * g.e1 + std::sin(angle) * g.e2;
      EXPECT_LT((g.center + g.radius * radial - end).norm(), 1e-13);
      EXPECT_LE(std::abs(angle - hint), pi);
    };
    expect_at(a, s.leave, leave_hint, s.from);
    expect_at(b, s.reach, reach_hint, s.to);
    EXPECT_NEAR(s.length, s.straight + a.radius * s.leave - b.radius * s.reach, 1e-13);
  });
}

TEST_P(SegmentOf, ForcesAreTheDerivativeOfTheLength) {
  for_random_pairs([](const Groove& a, const Groove& b, Random&) {
    const Segment s = span(a, b);
    Vec12 numeric;
    for (int i = 0; i < 12; ++i)
      numeric[i] = slope_at_zero([&](double step) {
        return Eigen::Matrix<double, 1, 1>(span_moved(a, b, step * Vec12::Unit(i), s).length);
      })[0];
    EXPECT_LT((gradient(s) - numeric).norm(), 1e-9);
  });
}

TEST_P(SegmentOf, IsTheSameAfterARigidMotion) {
  for_random_pairs([](const Groove& a, const Groove& b, Random& random) {
    const Segment s = span(a, b);
    const Vec3 x = random.vector(10), phi = random.vector(3), x_a = a.center - a.arm;
    const Mat3 turn(Eigen::AngleAxisd(phi.norm(), phi.normalized()));
    const auto carried = [&](const Groove& g) {
      const Vec3 from = g.center - g.arm;
      return moved(g, x_a + turn * (from - x_a) + x - from, phi);
    };
    const Segment m = span(carried(a), carried(b), s.leave, s.reach);
    EXPECT_NEAR(m.length, s.length, 1e-13);
    EXPECT_NEAR(m.leave, s.leave, 1e-13);
    EXPECT_NEAR(m.reach, s.reach, 1e-13);
    EXPECT_LT((m.force_b - turn * s.force_b).norm(), 1e-13);
    EXPECT_LT((m.torque_a - turn * s.torque_a).norm(), 1e-13);
  });
}

TEST_P(SegmentOf, ForcesAndMomentsBalance) {
  for_random_pairs([](const Groove& a, const Groove& b, Random&) {
    const Segment s = span(a, b);
    EXPECT_EQ(s.force_a, -s.force_b);
    const Vec3 moment = (a.center - a.arm).cross(s.force_a) + s.torque_a +
                        (b.center - b.arm).cross(s.force_b) + s.torque_b;
    EXPECT_LT(moment.norm(), 1e-13);
  });
}

TEST_P(SegmentOf, ChangesByTheArcWhenABodyTurnsAboutAPulleysAxis) {
  for_random_pairs([](const Groove& a, const Groove& b, Random&) {
    Groove hub_a = a, hub_b = b;  // centre of mass on the axis
    hub_a.arm = hub_b.arm = Vec3::Zero();
    const Segment s = span(hub_a, hub_b);
    Segment turned = s;
    const double step = 0.7;  // [rad]
    for (int i = 1; i <= 100; ++i)
      turned = span(moved(hub_a, Vec3::Zero(), i * step * a.axis),
                    moved(hub_b, Vec3::Zero(), i * step * b.axis), turned.leave, turned.reach);
    const double angle = 100 * step;
    EXPECT_NEAR(turned.length - s.length, (b.radius - a.radius) * angle, 1e-12);
    EXPECT_NEAR(turned.leave - s.leave, a.radius > 0 ? -angle : 0, 1e-12);
    EXPECT_NEAR(turned.reach - s.reach, b.radius > 0 ? -angle : 0, 1e-12);
  });
}

/// The second derivative of the length from differences of the forces. Over rotation vectors
/// d length/d phi = torque - phi x torque/2 + ..., which leaves the symmetric part of them.
Mat12 numeric_curvature(const Groove& a, const Groove& b) {
  const Segment s = span(a, b);
  Mat12 slopes;
  for (int i = 0; i < 12; ++i)
    slopes.col(i) = slope_at_zero(
        [&](double step) { return gradient(span_moved(a, b, step * Vec12::Unit(i), s)); });
  return (slopes + slopes.transpose()) / 2;
}

/// With the axes of the world for both bodies.
Mat12 curvature(const Groove& a, const Groove& b) {
  const Matrix3 world = Matrix3::Identity();
  PartCurvature k;
  segment_curvature(a, b, span(a, b), 1, &world, &world, k);
  Mat12 result;
  result << k.aa, k.ab, k.ab.transpose(), k.bb;
  return result;
}

/// Turns in other axes turn the blocks; of an end that does not move there is none.
TEST_P(SegmentOf, CurvatureInTheAxesOfBodies) {
  for_random_pairs([](const Groove& a, const Groove& b, Random& random) {
    const auto axes = [&] {
      return Matrix3(Eigen::AngleAxisd(random.in(0, 3), random.direction()));
    };
    const Matrix3 A = axes(), B = axes();
    Mat12 T = Mat12::Identity();
    T.block<3, 3>(3, 3) = A;
    T.block<3, 3>(9, 9) = B;
    const Mat12 expected = 2.5 * (T.transpose() * curvature(a, b) * T);
    PartCurvature k;
    segment_curvature(a, b, span(a, b), 2.5, &A, &B, k);
    Mat12 found;
    found << k.aa, k.ab, k.ab.transpose(), k.bb;
    EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm());
    PartCurvature one;
    segment_curvature(a, b, span(a, b), 2.5, nullptr, &B, one);
    EXPECT_TRUE(one.aa.isZero() && one.ab.isZero());
    EXPECT_EQ(one.bb, k.bb);
  });
}

TEST_P(SegmentWithoutFleetAngle, CurvatureIsTheDerivativeOfTheForces) {
  for_random_pairs([](const Groove& a, const Groove& b, Random&) {
    EXPECT_LT((curvature(a, b) - numeric_curvature(a, b)).norm(), 1e-9);
  });
}

TEST_P(SegmentOf, CurvatureIsSymmetric) {
  for_random_pairs([](const Groove& a, const Groove& b, Random&) {
    const Mat12 c = curvature(a, b);
    EXPECT_LT((c - c.transpose()).norm(), 1e-14);
  });
}

/// The error of the curvature of a point 3 m before a pulley, seen at that fleet angle.
double curvature_error(double fleet) {
  const Groove a = point({0, 0, 0});
  const Groove b = pulley({3, 0.5, 3 * std::tan(fleet)}, Vec3::UnitZ(), 0.5, Vec3::UnitX());
  return (curvature(a, b) - numeric_curvature(a, b)).norm();
}

TEST(Segment, CurvatureIsOffByTheOrderOfTheFleetAngle) {
  const double error = curvature_error(0.02);
  EXPECT_LT(error, 0.02);
  EXPECT_NEAR(curvature_error(0.01) / error, 0.5, 0.02);
}

TEST(Segment, ReachesAPulleyAtTheRootOfDSquaredMinusRSquared) {
  for (const double z : {0.0, 0.3, 50.0}) {  // off the plane: that changes the length alone
    const Groove a = point({-2, 0, z});
    const Groove b = pulley({0, 0, 0}, Vec3::UnitZ(), 0.5, Vec3::UnitX());
    const Segment s = span(a, b);
    EXPECT_NEAR(s.straight, std::sqrt(4 - 0.25 + z * z), 1e-15 * (1 + z));
    // Counter-clockwise from the left: it passes below the centre.
    EXPECT_NEAR(s.reach, -pi + std::acos(0.25), 1e-15);
    EXPECT_NEAR(span(b, a).leave, pi - std::acos(0.25), 1e-15);
  }
}

/// Length of a belt around two pulleys; their marks lie along x.
double belt_length(const Groove& a, const Groove& b) {
  return span(a, b, 1.5 * pi, -pi / 2).length + span(b, a, pi / 2, pi / 2).length;
}

TEST(Segment, OpenAndCrossedBeltsHaveTheirLengths) {
  // Shigley's Mechanical Engineering Design, "Flexible mechanical elements".
  const double d = 2, ra = 0.4, rb = 0.7;
  const Groove a = pulley({0, 0, 0}, Vec3::UnitZ(), ra, Vec3::UnitX());
  const Groove open = pulley({d, 0, 0}, Vec3::UnitZ(), rb, Vec3::UnitX());
  const Groove crossed = pulley({d, 0, 0}, -Vec3::UnitZ(), rb, Vec3::UnitX());

  const double straight = std::sqrt(d * d - (rb - ra) * (rb - ra));
  const double slant = std::asin((rb - ra) / d);
  EXPECT_NEAR(span(a, open).straight, straight, 1e-15);
  EXPECT_NEAR(belt_length(a, open), 2 * straight + ra * (pi - 2 * slant) + rb * (pi + 2 * slant),
              1e-14);

  const double diagonal = std::sqrt(d * d - (rb + ra) * (rb + ra));
  const double steep = std::asin((rb + ra) / d);
  EXPECT_NEAR(span(a, crossed).straight, diagonal, 1e-15);
  EXPECT_NEAR(belt_length(a, crossed), 2 * diagonal + (ra + rb) * (pi + 2 * steep), 1e-14);
}

TEST(Segment, RunsAlongTheLineInWhichThePlanesOfTwoPulleysMeet) {
  // The cable lies on the x axis from 0 to 2; the planes are turned about it, to any angle.
  const Vec3 x = Vec3::UnitX();
  for (int step = -12; step <= 12; ++step) {
    const double turn = 0.25 * step;  // [rad]
    const Vec3 axis_b = Eigen::AngleAxisd(turn, x) * Vec3::UnitZ();
    const Groove a = pulley(-0.3 * x.cross(Vec3::UnitZ()), Vec3::UnitZ(), 0.3, x);
    const Groove b = pulley(2 * x - 0.8 * x.cross(axis_b), axis_b, 0.8, x);
    const Segment s = span(a, b);
    EXPECT_LT(s.from.norm(), 1e-14) << turn;
    EXPECT_LT((s.to - 2 * x).norm(), 1e-14) << turn;
    EXPECT_LT((s.force_b - x).norm(), 1e-14) << turn;
  }
}

TEST(Segment, TurningAPulleyUnderTheCableLeavesTheSumOfBothSides) {
  Random random;
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3 axis = random.direction();
    Groove sheave = pulley(random.vector(1), axis, random.in(0.2, 0.6), random.direction());
    const Vec3 before = sheave.center + 2 * sheave.e1 + 0.3 * random.in(-1, 1) * axis;
    const Groove first = point(before);
    const Groove last = pulley(before + 0.5 * sheave.e1 - 3 * sheave.e2, random.near(axis, 0.3),
                               0.3, random.direction());
    const Segment in = span(first, sheave), out = span(sheave, last, in.leave, 0);
    EXPECT_NEAR((in.torque_b + out.torque_a).dot(axis), 0, 1e-14);

    const Groove turned = moved(sheave, Vec3::Zero(), 40 * axis);
    const Segment in2 = span(first, turned, 0, in.reach - 40);
    const Segment out2 = span(turned, last, out.leave - 40, out.reach);
    EXPECT_NEAR(in2.length + out2.length, in.length + out.length, 1e-13);
    EXPECT_NEAR(in2.length - in.length, 40 * sheave.radius, 1e-13);
  }
}

TEST(Segment, TouchesStronglyTiltedPulleysCloseTogether) {
  Random random;
  int found = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Groove a =
        pulley(Vec3::Zero(), random.direction(), random.in(0.1, 1), random.direction());
    const Groove b = pulley(random.in(1, 4) * random.direction(), random.direction(),
                            random.in(0.1, 1), random.direction());
    Segment s;
    if (span_segment(a, b, 0, 0, s) != SegmentStatus::ok) continue;
    ++found;
    const Vec3 ra = (s.from - a.center) / a.radius, rb = (s.to - b.center) / b.radius;
    EXPECT_NEAR(ra.norm(), 1, 1e-13);
    EXPECT_NEAR(rb.norm(), 1, 1e-13);
    EXPECT_NEAR(ra.dot(a.axis), 0, 1e-13);
    EXPECT_NEAR(rb.dot(b.axis), 0, 1e-13);
    EXPECT_NEAR(ra.dot(s.tangent), 0, 1e-13);
    EXPECT_NEAR(rb.dot(s.tangent), 0, 1e-13);
    EXPECT_GT(a.axis.cross(ra).dot(s.tangent), 0);
    EXPECT_GT(b.axis.cross(rb).dot(s.tangent), 0);
  }
  EXPECT_GT(found, 1500);
}

SegmentStatus status(const Groove& a, const Groove& b) {
  Segment s;
  s.length = 7;
  const SegmentStatus found = span_segment(a, b, 0, 0, s);
  EXPECT_EQ(s.length == 7, found != SegmentStatus::ok) << "a failure leaves the segment alone";
  return found;
}

TEST(Segment, SaysWhyThereIsNone) {
  using enum SegmentStatus;
  const Groove p = point({1, 2, 3});
  EXPECT_EQ(status(p, p), coincident);
  EXPECT_EQ(status(p, point({1, 2, 3.000001})), ok);

  const Groove wheel = pulley({0, 0, 0}, Vec3::UnitZ(), 0.5, Vec3::UnitX());
  for (const Vec3& in : {Vec3(0, 0, 0), Vec3(0.3, 0.39, 0), Vec3(0, 0, 2), Vec3(0.49, 0, -3)}) {
    EXPECT_EQ(status(point(in), wheel), inside) << in;
    EXPECT_EQ(status(wheel, point(in)), inside) << in;
  }
  EXPECT_EQ(status(point({0.3, 0.41, 0}), wheel), ok);
  EXPECT_EQ(status(point({0.3, 0.41, 30}), wheel), ok);

  const auto other = [](double x, double z, double r) {
    return pulley({x, 0, 0}, {0, 0, z}, r, Vec3::UnitX());
  };
  EXPECT_EQ(status(wheel, wheel), inside);
  EXPECT_EQ(status(wheel, other(0.79, -1, 0.3)), inside) << "crossed";
  EXPECT_EQ(status(wheel, other(0.81, -1, 0.3)), ok);
  EXPECT_EQ(status(wheel, other(0.19, 1, 0.3)), inside) << "open";
  EXPECT_EQ(status(wheel, other(0.21, 1, 0.3)), ok);
}

#ifdef COUNTS_ALLOCATIONS
TEST(Segment, DoesNotAllocate) {
  Random random;
  const Pair pair = random_pair(with_fleet_angle[4], random);
  Segment s;
  const Matrix3 world = Matrix3::Identity();
  PartCurvature second;
  const long before = allocations;
  const SegmentStatus found = span_segment(pair.a, pair.b, 0, 0, s);
  segment_curvature(pair.a, pair.b, s, 1, &world, &world, second);
  const long after = allocations;
  EXPECT_EQ(found, SegmentStatus::ok);
  EXPECT_EQ(after, before);
}
#endif

}  // namespace
}  // namespace hawser::HAWSER_FILE

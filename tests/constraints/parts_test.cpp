// The parts of joints against differences of their values over small motions: x += dx,
// R <- R exp(phi), in the coordinates that parts.h documents.
#include "constraints/parts.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <functional>
#include <random>

#include "math/rotation.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double weight = -1.7;  // of the curvatures

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

class Random {
 public:
  double number() { return std::normal_distribution<double>()(engine_); }
  Vec3 vector() { return {number(), number(), number()}; }
  Matrix3 rotation() {
    return Eigen::AngleAxisd(3 * number(), vector().normalized()).toRotationMatrix();
  }

 private:
  std::mt19937 engine_{7};
};

/// What carries an end of a part: six coordinates that a small motion changes, or none.
struct Carrier {
  enum class Kind { body, node, ground } kind = Kind::ground;
  Vec3 x = Vec3::Zero();      ///< of the body's centre or the node [m]
  Vec3 slope = Vec3::Zero();  ///< of a node
  Matrix3 R = Matrix3::Identity();

  [[nodiscard]] Carrier moved(const Vec6& by) const {
    Carrier out = *this;
    if (kind == Kind::ground) return out;
    out.x += by.head<3>();
    out.slope += by.tail<3>();
    // Eigen's angle and axis: not the code that the engine turns bodies with.
    const Vec3 phi = by.tail<3>();
    if (kind == Kind::body && phi.norm() > 0)
      out.R = R * Eigen::AngleAxisd(phi.norm(), phi.normalized()).toRotationMatrix();
    return out;
  }

  /// A point at s in body axes, the node, or s away from x on the ground.
  [[nodiscard]] Operand point(const Vec3& s) const {
    Operand out;
    out.value = kind == Kind::ground ? Vec3(x + s) : x;
    if (kind == Kind::ground) return out;
    out.moves = true;
    if (kind == Kind::body) turn_with(s, out);
    return out;
  }

  /// A direction u in body axes, the node's slope, or u itself in the world.
  [[nodiscard]] Operand direction(const Vec3& u) const {
    Operand out;
    if (kind == Kind::body) {
      turn_with(u, out);
    } else if (kind == Kind::node) {
      out.value = slope;
      out.slope = true;
    } else {
      out.value = u;
    }
    return out;
  }

 private:
  void turn_with(const Vec3& s, Operand& out) const {
    out.value += R * s;
    out.arm = s;
    out.rotation = &R;
  }
};

Carrier random_carrier(Carrier::Kind kind, Random& random) {
  Carrier c;
  c.kind = kind;
  c.x = random.vector();
  c.slope = random.vector();
  c.R = random.rotation();
  return c;
}

/// A part between two carriers: its value and gradient, and its second derivative.
struct Part {
  std::string name;
  std::function<PartResult(const Carrier&, const Carrier&)> result;
  std::function<void(const Carrier&, const Carrier&, double, PartCurvature&)> curvature;
};

std::vector<Part> parts(Random& random) {
  const Vec3 s = random.vector(), r = random.vector(), u = random.vector(), w = random.vector();
  const Carrier world;
  return {
      {"along a direction of the first body",
       [=](const Carrier& a, const Carrier& b) {
         return along(a.direction(u), a.point(s), b.point(r));
       },
       [=](const Carrier& a, const Carrier& b, double factor, PartCurvature& out) {
         add_along(a.direction(u), a.point(s), b.point(r), factor, out);
       }},
      {"along a direction of the world",
       [=](const Carrier& a, const Carrier& b) {
         return along(world.direction(u), a.point(s), b.point(r));
       },
       [=](const Carrier& a, const Carrier& b, double factor, PartCurvature& out) {
         add_along(world.direction(u), a.point(s), b.point(r), factor, out);
       }},
      {"dot",
       [=](const Carrier& a, const Carrier& b) { return dot(a.direction(u), b.direction(w)); },
       [=](const Carrier& a, const Carrier& b, double factor, PartCurvature& out) {
         add_dot(a.direction(u), b.direction(w), factor, out);
       }},
      {"distance",
       [=](const Carrier& a, const Carrier& b) { return distance(a.point(s), b.point(r)); },
       [=](const Carrier& a, const Carrier& b, double factor, PartCurvature& out) {
         add_distance(a.point(s), b.point(r), factor, out);
       }},
  };
}

using enum Carrier::Kind;
struct Ends {
  Carrier::Kind a, b;
  const char* name;
};
constexpr Ends all_ends[] = {{body, body, "body to body"},     {ground, body, "ground to body"},
                             {body, ground, "body to ground"}, {body, node, "body to node"},
                             {ground, node, "ground to node"}, {node, body, "node to body"}};

double value(const Part& part, const Carrier& a, const Carrier& b, const Vec12& by) {
  return part.result(a.moved(by.head<6>()), b.moved(by.tail<6>())).value;
}

/// Central differences at two steps, so combined that errors of second order cancel: what is left
/// is of the order of step^4 = 1e-12.
Vec12 slopes(const Part& part, const Carrier& a, const Carrier& b) {
  Vec12 out;
  for (int i = 0; i < 12; ++i) {
    const auto difference = [&](double h) {
      const Vec12 by = h * Vec12::Unit(i);
      return (value(part, a, b, by) - value(part, a, b, -by)) / (2 * h);
    };
    out[i] = (4 * difference(1e-3) - difference(2e-3)) / 3;
  }
  return out;
}

/// The same for second derivatives; rounding leaves 1e-15/h^2 = 1e-9.
Mat12 curvatures(const Part& part, const Carrier& a, const Carrier& b) {
  Mat12 out;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) {
      const auto difference = [&](double h) {
        const Vec12 both = h * (Vec12::Unit(i) + Vec12::Unit(j)),
                    one = h * (Vec12::Unit(i) - Vec12::Unit(j));
        return (value(part, a, b, both) + value(part, a, b, -both) - value(part, a, b, one) -
                value(part, a, b, -one)) /
               (4 * h * h);
      };
      out(i, j) = (4 * difference(2e-3) - difference(4e-3)) / 3;
    }
  return out;
}

template <class Check>
void for_all(const Check& check) {
  Random random;
  for (const Ends& ends : all_ends)
    for (int trial = 0; trial < 10; ++trial) {
      const Carrier a = random_carrier(ends.a, random);
      Carrier b = random_carrier(ends.b, random);
      b.x.x() += 8;  // apart: differences of a short distance are rough
      for (const Part& part : parts(random)) {
        // A direction of a node is a slope; a joint along one does not exist.
        if (ends.a == node && part.name == "along a direction of the first body") continue;
        SCOPED_TRACE(part.name + ", " + ends.name);
        check(part, a, b);
        if (testing::Test::HasFailure()) return;
      }
    }
}

TEST(Parts, GradientsAreTheSlopesOfTheirValues) {
  for_all([](const Part& part, const Carrier& a, const Carrier& b) {
    const PartResult r = part.result(a, b);
    Vec12 gradient;
    gradient << r.a, r.b;
    EXPECT_LT((gradient - slopes(part, a, b)).norm(), 1e-9);
    EXPECT_GT(gradient.norm(), 0);
  });
}

TEST(Parts, CurvaturesAreTheSecondDerivatives) {
  for_all([](const Part& part, const Carrier& a, const Carrier& b) {
    PartCurvature k;
    part.curvature(a, b, weight, k);
    Mat12 whole;
    whole << k.aa, k.ab, k.ab.transpose(), k.bb;
    EXPECT_LT((whole - weight * curvatures(part, a, b)).norm(), 1e-7);
  });
}

TEST(Parts, CurvaturesAddAndAreSymmetric) {
  for_all([](const Part& part, const Carrier& a, const Carrier& b) {
    PartCurvature once, twice;
    part.curvature(a, b, 1, once);
    part.curvature(a, b, 0.25, twice);
    part.curvature(a, b, 0.75, twice);
    EXPECT_LT(
        (once.aa - twice.aa).norm() + (once.ab - twice.ab).norm() + (once.bb - twice.bb).norm(),
        1e-13);
    EXPECT_LT((once.aa - once.aa.transpose()).norm(), 1e-13);
    EXPECT_LT((once.bb - once.bb.transpose()).norm(), 1e-13);
  });
}

/// A row that depends only on how two bodies lie to each other gives them forces and moments that
/// cancel.
TEST(Parts, ForcesAndMomentsOnTwoBodiesCancel) {
  Random random;
  for (int trial = 0; trial < 20; ++trial) {
    const Carrier a = random_carrier(body, random), b = random_carrier(body, random);
    for (const Part& part : parts(random)) {
      if (part.name == "along a direction of the world") continue;
      SCOPED_TRACE(part.name);
      const PartResult r = part.result(a, b);
      const Vec3 fa = r.a.head<3>(), fb = r.b.head<3>();
      EXPECT_LT((fa + fb).norm(), 1e-14);
      const Vec3 moment = a.x.cross(fa) + a.R * r.a.tail<3>() + b.x.cross(fb) + b.R * r.b.tail<3>();
      EXPECT_LT(moment.norm(), 1e-13);
    }
  }
}

/// Two points that have come together have no direction between them; the row stays finite.
TEST(Parts, ADistanceOfZeroIsFinite) {
  Random random;
  const Carrier a = random_carrier(body, random);
  const Operand p = a.point(Vec3(0.3, 0.2, 0.1));
  const PartResult r = distance(p, p);
  EXPECT_EQ(r.value, 0);
  EXPECT_NEAR(r.b.head<3>().norm(), 1, 1e-15);
  PartCurvature k;
  add_distance(p, p, 1, k);
  EXPECT_EQ(k.aa.norm() + k.ab.norm() + k.bb.norm(), 0);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

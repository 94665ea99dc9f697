#include "constraints/bend.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace hawser {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

Vec3 turned_about(const Vec3& axis, double angle, const Vec3& v) {
  return Eigen::AngleAxisd(angle, axis) * v;
}

bool over_sphere(double R, const Vec3& a, const Vec3& b, const Vec3& middle, Bend& out) {
  const double A = a.norm(), B = b.norm();
  if (!(A > R) || !(B > R)) return false;
  const Vec3 across = a.cross(b);
  const double size = across.norm();
  out.normal = size > 1e-12 * A * B ? Vec3(across / size) : a.unitOrthogonal();
  const double alpha = std::acos(R / A), beta = std::acos(R / B);
  double phi = std::atan2(size, a.dot(b));
  const double half = (phi + alpha - beta) / 2;  // to the middle of what touches
  if (turned_about(out.normal, half, a).dot(middle) < 0) {
    out.normal = -out.normal;
    phi = whole_turn - phi;
  }
  out.angle = phi - alpha - beta;
  out.in = turned_about(out.normal, alpha, R / A * a);
  out.out = turned_about(out.normal, -beta, R / B * b);
  out.length = R * out.angle;
  return true;
}

bool over_bar(const BendData& on, const Vec3& a, const Vec3& b, double before, Bend& out) {
  const double R = on.radius;
  const double za = on.axis.dot(a), zb = on.axis.dot(b);
  const Vec3 fa = a - za * on.axis, fb = b - zb * on.axis;  // from the axis
  const double A = fa.norm(), B = fb.norm();
  if (!(A > R) || !(B > R)) return false;
  const double alpha = std::acos(R / A), beta = std::acos(R / B);
  const double angle = std::atan2(on.axis.dot(fa.cross(fb)), fa.dot(fb)) - alpha - beta;
  out.normal = on.axis;
  out.angle = angle + whole_turn * std::round((before - angle) / whole_turn);
  const double la = std::sqrt(A * A - R * R), lb = std::sqrt(B * B - R * R);
  const double flat = la + R * out.angle + lb, k = flat > 0 ? (zb - za) / flat : 0;
  out.in = turned_about(on.axis, alpha, R / A * fa) + (za + k * la) * on.axis;
  out.out = turned_about(on.axis, -beta, R / B * fb) + (zb - k * lb) * on.axis;
  out.length = R * out.angle * std::sqrt(1 + k * k);
  return true;
}

}  // namespace

Vec3 Bend::point(double share) const {
  const double z = normal.dot(in), climb = normal.dot(out) - z;
  return turned_about(normal, share * angle, in - z * normal) + (z + share * climb) * normal;
}

bool bend_between(const BendData& on, const Vec3& a, const Vec3& b, const double* remembered,
                  Bend& out) {
  if (on.kind == BendData::Kind::sphere)
    return over_sphere(on.radius, a, b, Eigen::Map<const Vec3>(remembered), out);
  return over_bar(on, a, b, remembered[3], out);
}

double beyond_end(const BendData& on, const Bend& bend) {
  if (on.kind == BendData::Kind::sphere)
    return std::max(-on.axis.dot(bend.in), -on.axis.dot(bend.out));
  return std::max(std::abs(on.axis.dot(bend.in)), std::abs(on.axis.dot(bend.out))) - on.half;
}

}  // namespace hawser

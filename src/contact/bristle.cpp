#include "contact/bristle.h"

#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// A traction laid into another tangent plane, its length kept.
Vector3d laid(const Vector3d& traction, const Vector3d& normal) {
  const Vector3d flat = traction - normal.dot(traction) * normal;
  const double was = traction.norm(), is = flat.norm();
  return is > 0 ? Vector3d(flat * (was / is)) : Vector3d(Vector3d::Zero());
}

/// mu(w)/w.
double friction_by_speed(const ContactLaw& law, double speed) {
  const double w = speed / law.transition_speed;
  const double more = 2 * (law.static_friction - law.kinetic_friction) / (1 + w * w);
  return (law.kinetic_friction + more) / std::max(speed, law.transition_speed);
}

/// By the depth to which the normal force presses: what has slid less since it touched or stuck has
/// not broken away.
constexpr double breakaway = 2;

/// The largest share b of `less`, at most 1, with |force - b less| <= most; |force| is not above
/// that.
double share_within(const Vector3d& force, const Vector3d& less, double most) {
  const double a = less.squaredNorm(), b = force.dot(less),
               c = std::max(0.0, most * most - force.squaredNorm());
  return a - 2 * b <= c ? 1 : (b + std::sqrt(b * b + a * c)) / a;
}

void add_friction(const ContactLaw& law, const PressedPoint& now, const Bristle& before,
                  FrictionLimit limit, Contact3& out) {
  const double k = law.normal.stiffness;
  const Vector3d& n = out.normal;
  const Matrix3d P = Matrix3d::Identity() - n * n.transpose();
  out.slide = P * now.slide;
  const double f = limit.of_last_step ? before.push : limit.push >= 0 ? limit.push : out.push;
  if (law.transition_speed > 0) {
    if (!std::isfinite(f)) return;  // all that touches sticks: by speed nothing does
    const Vector3d rate = P * now.rate;
    out.speed = rate.norm();
    out.drag = f * friction_by_speed(law, limit.speed >= 0 ? limit.speed : out.speed);
    out.by_speed = true;
    out.traction = -out.drag * rate;
    return;
  }
  const Vector3d trial = laid(before.traction, n) - k * out.slide;
  const bool stuck =
      before.grip == Grip::sticks || limit.at_rest || k * before.slid < breakaway * f;
  const double most = (stuck ? law.static_friction : law.kinetic_friction) * f;
  const bool holds = trial.norm() <= most;
  if (holds) {
    out.grip = Grip::sticks;
    out.elastic = trial;
    out.stiffness += k * P;
  } else {
    const Vector3d s = trial / trial.norm();
    out.grip = Grip::slips;
    out.slid = before.slid + (trial.norm() - most) / k;
    out.elastic = most * s;
    out.stiffness += (most * k / trial.norm()) * (P - s * s.transpose());
  }
  const Vector3d viscous = k * law.grip_damping * (P * now.rate);
  const double share = share_within(out.elastic, viscous, most);
  out.calm = holds && share == 1;
  out.drag = before.calm ? share * k * law.grip_damping : 0;
  out.traction = before.calm ? Vector3d(out.elastic - share * viscous) : out.elastic;
}

}  // namespace

Bristle Bristle::read(const double* from) {
  Bristle out;
  out.traction = {from[0], from[1], from[2]};
  out.at = {from[3], from[4], from[5]};
  out.push = from[6];
  out.slid = from[8];
  const int code = static_cast<int>(from[7]);
  out.grip = static_cast<Grip>(code % 4);
  out.calm = code / 4 % 2 == 1;
  out.face = code / 8;
  return out;
}

void Bristle::write(double* to) const {
  for (int i = 0; i < 3; ++i) {
    to[i] = traction[i];
    to[3 + i] = at[i];
  }
  to[6] = push;
  to[8] = slid;
  to[7] = static_cast<double>(static_cast<int>(grip) + (calm ? 4 : 0) + 8 * face);
}

void Bristle::hold() {
  if (grip == Grip::open) return;
  grip = Grip::sticks;
  calm = true;
  push = HUGE_VAL;
}

Contact3 press(const ContactLaw& law, const PressedPoint& now, const Bristle* before,
               FrictionLimit limit) {
  Contact3 out;
  out.depth = now.depth;
  if (!(out.depth > 0)) return out;
  out.normal = now.normal;
  const double sinking = -now.normal.dot(now.rate);
  const Footing<double> on = footing(law.normal, out.depth, sinking);
  out.push = on.push(out.depth, sinking);
  if (!(out.push > 0)) return out;
  out.stiffness = on.stiffness * now.normal * now.normal.transpose();
  out.viscosity = on.viscosity;
  out.grip = Grip::slips;
  if (before != nullptr && law.static_friction > 0) add_friction(law, now, *before, limit, out);
  return out;
}

Contact3 touch(const Surface& surface, double radius, const ContactLaw& law,
               const ContactMotion& now, const Bristle* before, FrictionLimit limit) {
  const bool touched = before != nullptr && before->grip != Grip::open;
  Nearest near = nearest(surface, now.y, touched ? before->face : 0);
  const Vector3d way = before != nullptr ? Vector3d(now.y - before->at) : Vector3d::Zero();
  bool passed = false;
  if (before != nullptr && near.distance < way.norm() + radius)
    if (const auto entered =
            passed_through(surface, before->at, now.y, near, before->face, radius / 2)) {
      near = *entered;
      passed = true;
    }
  Contact3 out = press(law, {near.normal, radius - near.distance, now.rate, way + now.run_past},
                       before, limit);
  out.face = near.face;
  out.passed = passed;
  return out;
}

}  // namespace hawser

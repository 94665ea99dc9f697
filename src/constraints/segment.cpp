#include "constraints/segment.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

namespace hawser {
namespace {

/// Where the cable touches a groove. Of a point `radial` is zero, which drops it from (1).
struct Touch {
  Vec3 radial;  ///< r
  Vec3 along;   ///< tau
};

/// How the point of a drum at a given angle moves with W [m]; of other grooves not at all.
Vec3 moved_by_winding(const Groove& groove, const Touch& at) {
  if (!groove.wound) return Vec3::Zero();
  return groove.wound->shift_slope * groove.axis + groove.wound->radius_slope * at.radial;
}

/// Both ends of the straight part and how (1) changes with the angles there.
struct Tangency {
  Touch a, b;
  Vec3 span;              ///< D [m]
  Eigen::Matrix2d slope;  ///< d(r_a . D, r_b . D)/d(leave, reach) [m]

  /// The slope with what W changes by with the angles.
  [[nodiscard]] Eigen::Matrix2d whole_slope(const Groove& ga, const Groove& gb) const {
    const Vec3 move_a = moved_by_winding(ga, a), move_b = moved_by_winding(gb, b);
    Eigen::Matrix2d out = slope;
    out(0, 0) -= a.radial.dot(move_a);
    out(0, 1) -= a.radial.dot(move_b);
    out(1, 0) -= b.radial.dot(move_a);
    out(1, 1) -= b.radial.dot(move_b);
    return out;
  }

  void measure(const Groove& ga, const Groove& gb) {
    span = (gb.center - ga.center) + gb.radius * b.radial - ga.radius * a.radial;
    slope << a.along.dot(span), gb.radius * a.radial.dot(b.along),
        -ga.radius * b.radial.dot(a.along), b.along.dot(span);
  }
};

/// The point of a groove at which a cable of that direction touches it.
Touch touch(const Groove& groove, const Vec3& direction) {
  if (groove.radius == 0) return {Vec3::Zero(), direction};
  const Vec3 radial = direction.cross(groove.axis).normalized();
  return {radial, groove.axis.cross(radial)};
}

/// Moves the touch by atan(angle): to first order by the angle, and never past a quarter turn.
void advance(Touch& at, double angle) {
  const double scale = 1 / std::sqrt(1 + angle * angle);
  const Vec3 radial = scale * (at.radial + angle * at.along);
  at.along = scale * (at.along - angle * at.radial);
  at.radial = radial;
}

/// The direction t of a cable that lies in the planes of both its grooves, from
///
///     d = L t + w x t,   d = c_b - c_a,   w = R_b axis_b - R_a axis_a,   w . d = 0
///     L^2 = d.d - w.w,   t = (L d - w x d)/d.d
///
/// Where it does not, w . d is not zero. A point and a pulley or two pulleys on parallel axes are
/// seen along the axis, which stays exact; for others w loses its part along d. False: no tangent.
bool start_direction(const Groove& a, const Groove& b, Vec3& direction) {
  constexpr double parallel = 1e-12;  // square of the angle between the axes [rad^2]
  Vec3 d = b.center - a.center;
  Vec3 w = Vec3::Zero();
  if (a.radius > 0) w -= a.radius * a.axis;
  if (b.radius > 0) w += b.radius * b.axis;
  if (a.radius == 0 || b.radius == 0 || a.axis.cross(b.axis).squaredNorm() < parallel) {
    const Vec3& axis = a.radius > 0 ? a.axis : b.axis;
    d -= axis.dot(d) * axis;
    w = axis.dot(w) * axis;
  } else {
    w -= w.dot(d) / d.squaredNorm() * d;
  }
  const double distance2 = d.squaredNorm();
  const double straight2 = distance2 - w.squaredNorm();
  if (!(straight2 > 0)) return false;
  direction = (std::sqrt(straight2) * d - w.cross(d)) / distance2;
  return true;
}

/// Solves (1) by Newton's method. False when it does not settle or the cable would run backwards.
bool settle(const Groove& a, const Groove& b, Tangency& at) {
  constexpr int most_rounds = 30;      // 2 to 5 are usual
  constexpr double small_turn = 1e-9;  // its square is below round-off [rad]
  constexpr double no_turn = 1e-15;    // round-off: the start was exact
  at.measure(a, b);
  for (int round = 0; round < most_rounds; ++round) {
    const Eigen::Vector2d error(at.a.radial.dot(at.span), at.b.radial.dot(at.span));
    const Eigen::Vector2d turn = -(at.slope.inverse() * error);
    const double size = turn.lpNorm<1>();
    if (!(size < no_turn)) {
      advance(at.a, turn[0]);
      advance(at.b, turn[1]);
      at.measure(a, b);
    }
    if (size < small_turn)
      return at.slope(0, 0) > 0 && at.slope(1, 1) > 0 && at.slope.determinant() > 0;
  }
  return false;
}

/// The angle of a touch, measured in the body, nearest to the hint [rad].
double angle_near(const Groove& groove, const Touch& at, double hint) {
  constexpr double turn = 2 * std::numbers::pi;
  if (groove.radius == 0) return 0;
  const double angle = std::atan2(groove.e2.dot(at.radial), groove.e1.dot(at.radial));
  return angle + turn * std::round((hint - angle) / turn);
}

SegmentStatus span_points(const Groove& a, const Groove& b, Segment& out) {
  const Vec3 span = b.center - a.center;
  const double straight = span.norm();
  if (!(straight > 0)) return SegmentStatus::coincident;
  out.from = a.center;
  out.to = b.center;
  out.tangent = span / straight;
  out.straight = out.length = straight;
  out.leave = out.reach = out.turn_a = out.turn_b = 0;
  out.force_a = -out.tangent;
  out.torque_a = out.tangent.cross(a.arm);
  out.force_b = out.tangent;
  out.torque_b = b.arm.cross(out.tangent);
  return SegmentStatus::ok;
}

/// The derivative of the length. With u the velocities of the bodies at the tangent points
///
///     length' = t . (u_b - u_a) + g . (leave', reach'),
///     g = (R_a (1 - t . tau_a), -R_b (1 - t . tau_b))
///     slope (leave', reach')^T = -(h_a, h_b)^T        (1), differentiated
///     h = r . (u_b - u_a) + omega . (r x D)           for a and for b
///
/// so with slope^T y = g the angles' part is -y . h. On a drum, with m = z' axis + R' r the motion
/// of the tangent point by W, which is leave - theta or -reach - theta:
///
///     g_a = s' - t . (R tau + m),   g_b = t . (R tau - m) - s'
///     d length/d theta = t . m - s' - y . (r_a . m, r_b . m) at a,
///                       -t . m - s' + y . (r_a . m, r_b . m) at b
///
/// and the slope has what m changes D by.
void differentiate(const Groove& a, const Groove& b, const Tangency& at, Segment& out) {
  const Vec3& t = out.tangent;
  Eigen::Vector2d g(a.radius * (1 - t.dot(at.a.along)), -b.radius * (1 - t.dot(at.b.along)));
  const bool drums = a.wound || b.wound;
  const Vec3 move_a = moved_by_winding(a, at.a), move_b = moved_by_winding(b, at.b);
  if (a.wound) g[0] += a.wound->rate - a.radius - t.dot(move_a);
  if (b.wound) g[1] -= b.wound->rate - b.radius + t.dot(move_b);
  const Eigen::Matrix2d slope = drums ? at.whole_slope(a, b) : at.slope;
  const Eigen::Vector2d y = slope.transpose().inverse() * g;
  const auto on_equations = [&](const Vec3& move) {
    return y[0] * at.a.radial.dot(move) + y[1] * at.b.radial.dot(move);
  };
  out.turn_a = a.wound ? t.dot(move_a) - a.wound->rate - on_equations(move_a) : 0;
  out.turn_b = b.wound ? -t.dot(move_b) - b.wound->rate + on_equations(move_b) : 0;
  const Vec3 side_a = y[0] * at.a.radial, side_b = y[1] * at.b.radial;
  out.force_b = t - side_a - side_b;
  out.force_a = -out.force_b;
  out.torque_a = out.force_b.cross(a.arm + a.radius * at.a.radial) - side_a.cross(at.span);
  out.torque_b = (b.arm + b.radius * at.b.radial).cross(out.force_b) - side_b.cross(at.span);
}

/// One end of a segment whose curvature is looked for, with the lever s from the centre of mass.
struct TurningEnd {
  /// [lever]x R less its part along t: what of D a turn in body axes moves across the segment.
  Matrix3 across;
  Vec3 along, arm, sideways;  ///< body axes: t, s and t x s

  TurningEnd(const Vec3& t, const Vec3& lever, const Matrix3& R)
      : along(R.transpose() * t), arm(R.transpose() * lever), sideways(along.cross(arm)) {
    for (Eigen::Index k = 0; k < 3; ++k) across.col(k) = lever.cross(R.col(k)) - sideways[k] * t;
  }

  /// Adds c across^T across = c (s.s 1 - s s^T - (t x s)(t x s)^T) and `weight` times the second
  /// derivative over phi of t . exp(phi) s, exp(phi) s = s + phi x s + phi x (phi x s)/2.
  void add_turns(double c, double weight, Block66& out) const {
    const double diagonal = c * arm.squaredNorm() - weight * along.dot(arm), half = weight / 2;
    for (int j = 0; j < 3; ++j)
      for (int i = j; i < 3; ++i) {
        const double entry = half * (along[i] * arm[j] + arm[i] * along[j]) -
                             c * (arm[i] * arm[j] + sideways[i] * sideways[j]);
        out(3 + i, 3 + j) += i == j ? entry + diagonal : entry;
        if (i != j) out(3 + j, 3 + i) += entry;
      }
  }
};

}  // namespace

SegmentStatus span_segment(const Groove& a, const Groove& b, double leave_hint, double reach_hint,
                           Segment& out) {
  if (a.radius == 0 && b.radius == 0) return span_points(a, b, out);
  Vec3 direction;
  if (!start_direction(a, b, direction)) return SegmentStatus::inside;
  Tangency at;
  at.a = touch(a, direction);
  at.b = touch(b, direction);
  if (!settle(a, b, at)) return SegmentStatus::inside;

  out.from = a.center + a.radius * at.a.radial;
  out.to = b.center + b.radius * at.b.radial;
  out.straight = at.span.norm();
  out.tangent = at.span / out.straight;
  out.leave = angle_near(a, at.a, leave_hint);
  out.reach = angle_near(b, at.b, reach_hint);
  out.length = out.straight + (a.wound ? a.wound->arc : a.radius * out.leave) +
               (b.wound ? b.wound->arc : -b.radius * out.reach);
  differentiate(a, b, at, out);
  return SegmentStatus::ok;
}

void segment_curvature(const Groove& a, const Groove& b, const Segment& s, double weight,
                       const Matrix3* axes_a, const Matrix3* axes_b, PartCurvature& out) {
  // D moves by dx_b + phi_b x lever_b - dx_a - phi_a x lever_a. What of that lies across the
  // segment lengthens it by its square over 2 |D|; what turning adds to second order, by its part
  // along t.
  const double c = weight / s.straight;
  Matrix3 xx = -c * s.tangent * s.tangent.transpose(), across_a, xa, xb;
  xx.diagonal().array() += c;
  if (axes_a) {
    const TurningEnd end_a(s.tangent, a.arm + (s.from - a.center), *axes_a);
    across_a = end_a.across;
    xa = c * across_a;
    out.aa.topLeftCorner<3, 3>() += xx;
    out.aa.topRightCorner<3, 3>() -= xa;
    out.aa.bottomLeftCorner<3, 3>() -= xa.transpose();
    end_a.add_turns(c, -weight, out.aa);
  }
  if (axes_b) {
    const TurningEnd end_b(s.tangent, b.arm + (s.to - b.center), *axes_b);
    xb = c * end_b.across;
    out.bb.topLeftCorner<3, 3>() += xx;
    out.bb.topRightCorner<3, 3>() -= xb;
    out.bb.bottomLeftCorner<3, 3>() -= xb.transpose();
    end_b.add_turns(c, weight, out.bb);
  }
  if (!axes_a || !axes_b) return;
  out.ab.topLeftCorner<3, 3>() -= xx;
  out.ab.topRightCorner<3, 3>() += xb;
  out.ab.bottomLeftCorner<3, 3>() += xa.transpose();
  out.ab.bottomRightCorner<3, 3>() -= across_a.transpose() * xb;
}

}  // namespace hawser

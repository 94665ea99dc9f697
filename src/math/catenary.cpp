#include "math/catenary.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/quadrature.h"
#include "math/root.h"

namespace hawser {

using Eigen::Vector2d;
using Eigen::Vector3d;

// --- the axial law ---

/// Green: T = EA lambda (lambda^2 - 1)/2, Cardano's root of lambda^3 - lambda = 2 T/EA.
double AxialLaw::stretch(double tension) const {
  if (strain == StrainMeasure::engineering) return 1 + tension / EA;
  const double y = 3 * std::numbers::sqrt3 * (tension / EA);
  const double third = y < 1 ? std::cos(std::acos(y) / 3) : std::cosh(std::acosh(y) / 3);
  return 2 * std::numbers::inv_sqrt3 * third;
}

double AxialLaw::tension(double stretch) const {
  if (strain == StrainMeasure::engineering) return EA * (stretch - 1);
  return EA * stretch * (stretch + 1) * (stretch - 1) / 2;
}

double AxialLaw::energy(double tension) const {
  const double l = stretch(tension);
  const double eps = strain == StrainMeasure::engineering ? l - 1 : (l + 1) * (l - 1) / 2;
  return EA * eps * eps / 2;
}

double AxialLaw::give(double tension) const {
  if (strain == StrainMeasure::engineering) return 1 / EA;
  const double l = stretch(tension);
  return 2 / (EA * l * (l + 1));
}

/// The integral of lambda dT over T, a polynomial of lambda for Green: its difference quotient.
double AxialLaw::mean_stretch(double first, double second) const {
  if (strain == StrainMeasure::engineering) return 1 + (first + second) / (2 * EA);
  const double a = stretch(first), b = stretch(second);
  return (a + b) * (0.75 * (a * a + b * b) - 0.5) / (a * a + a * b + b * b - 1);
}

namespace {

/// The mean of give(T) along a part with Green strain, on which the rise of the tension goes evenly
/// from `first` up to `second` [1/N]: Gauss on panels that grow by three from the lowest point,
/// near which T = hypot(level, rise) is sharp. A level force below 1e-7 of EA leaves no more of
/// that than rounding.
double mean_give(const AxialLaw& law, double level, double first, double second) {
  if (law.strain == StrainMeasure::engineering || first == second)
    return law.give(std::hypot(level, first));
  static const std::vector<GaussPoint> rule = gauss_rule(12);
  const double smallest = level < 1e-7 * law.EA ? law.EA / 10 : std::min(level, law.EA);
  double sum = 0;
  const auto add = [&](double low, double high) {  // 0 <= low <= high
    for (double a = low; a < high;) {
      const double b = std::min(high, std::max(smallest, 3 * a)),
                   share = (b - a) / (second - first);
      for (const GaussPoint& p : rule)
        sum += share * p.w * law.give(std::hypot(level, a + (b - a) * p.x));
      a = b;
    }
  };
  if (second > 0) add(std::max(first, 0.0), second);
  if (first < 0) add(std::max(-second, 0.0), -first);
  return sum;
}

}  // namespace

// --- a part ---

/// With T0 and T1 the tensions at its ends and L its unstretched length
///
///     up = (T1 - T0)/w mean stretch,  T1 - T0 = w L (rise0 + rise1)/(T0 + T1)
///     along = level (int ds/T + int give ds),  int ds/T = log(1 + 2 w L/gap)/w,
///
/// gap = T0 + T1 - w L: Irvine 1981, eqs. 2.24 to 2.26, written so that nothing cancels, whether
/// the cable is nearly straight or hangs nearly straight down.
Vector2d CatenaryPart::reach(double s) const {
  if (arc) {  // a chord of the arc: its length, turned from the whole chord
    const double turn = length > 0 ? half_angle * s / length : 0, towards = half_angle - turn;
    const double chord = turn > 0 ? s * std::sin(turn) / turn : s;
    return {chord * std::cos(towards), chord * std::sin(towards)};
  }
  const double end = rise + weight * s;
  const double t0 = std::hypot(level, rise), t1 = std::hypot(level, end), sum = t0 + t1;
  if (sum == 0 || s == 0) return {0, 0};
  const double high = s * ((rise + end) / sum) * law.mean_stretch(t0, t1);
  if (level == 0) return {0, high};
  const double gap = (end > 0 ? level * (level / (t1 + end)) : t1 - end) +
                     (rise < 0 ? level * (level / (t0 - rise)) : t0 + rise);
  const double y = 2 * weight * s / gap;
  const double free = 2 * s / gap * (y > 0 ? std::log1p(y) / y : 1);
  return {level * (free + s * mean_give(law, level, rise, end)), high};
}

Vector2d CatenaryPart::slope(double s) const {
  if (arc) {
    const double angle = length > 0 ? half_angle * (1 - 2 * s / length) : half_angle;
    return {std::cos(angle), std::sin(angle)};
  }
  const double t = tension(s);
  if (t == 0) return {1, 0};  // the turn of a cable that hangs straight down from one point
  return law.stretch(t) / t * Vector2d(level, rise + weight * s);
}

double CatenaryPart::tension(double s) const {
  return arc ? 0 : std::hypot(level, rise + weight * s);
}

// --- the whole ---

const CatenaryPart& Catenary::part_at(double s) const {
  size_t k = parts_.size() - 1;
  while (k > 0 && s < parts_[k].start) --k;
  return parts_[k];
}

Vector3d Catenary::position(double s) const {
  const CatenaryPart& p = part_at(s);
  const Vector2d r = p.reach(s - p.start);
  return p.origin + r.x() * p.along + r.y() * p.up;
}

Vector3d Catenary::slope(double s) const {
  const CatenaryPart& p = part_at(s);
  const Vector2d r = p.slope(s - p.start);
  return r.x() * p.along + r.y() * p.up;
}

double Catenary::tension(double s) const {
  const CatenaryPart& p = part_at(s);
  return p.tension(s - p.start);
}

double Catenary::lying() const {
  double sum = 0;
  for (const CatenaryPart& p : parts_) sum += p.lies ? p.length : 0;
  return sum;
}

namespace {

Vector3d across(const Vector3d& v, const Vector3d& normal) { return v - normal * normal.dot(v); }

/// An arc of that length on that chord, which is not longer, bowing to `side`: sin(a)/a is the
/// chord over the length, a half the angle.
CatenaryPart arc_on(const Vector3d& chord, double length, const Vector3d& side) {
  CatenaryPart part;
  part.arc = true;
  part.length = length;
  part.up = side;
  const double share = chord.norm() / length;
  const Vector3d level = across(chord, side);
  part.along = level.norm() > 0 ? level.normalized() : side.unitOrthogonal();
  part.half_angle = root_between([&](double a) { return share - (a > 0 ? std::sin(a) / a : 1); }, 0,
                                 std::numbers::pi);
  return part;
}

/// Without weight: a straight line, or an arc.
CatenaryPart weightless(const CatenaryProblem& p) {
  const Vector3d chord = p.to - p.from;
  const double span = chord.norm();
  CatenaryPart part;
  if (span > p.length) {
    part.along = chord / span;
    part.up = part.along.unitOrthogonal();
    part.level = p.law.tension(span / p.length);
    part.length = p.length;
  }
  if (part.level == 0) {  // also a stretch that rounding leaves without tension
    const Vector3d bow = span > 0 ? across(p.side, chord / span) : p.side;
    const Vector3d side =
        bow.norm() > 1e-9 ? bow.normalized() : Vector3d((chord / span).unitOrthogonal());
    part = arc_on(chord, p.length, side);
  }
  part.law = p.law;
  part.origin = p.from;
  return part;
}

}  // namespace

CatenaryPlane::CatenaryPlane(const CatenaryProblem& p) : up(-p.weight.normalized()) {
  const Vector3d chord = p.to - p.from, level = across(chord, up);
  height = chord.dot(up);
  span = level.norm();
  // Nearer than rounding: one above the other.
  if (span < 1e-15 * (p.length + chord.norm())) span = 0;
  along = span > 0 ? level.normalized() : up.unitOrthogonal();
  taut = p.law.EA * std::max(0.0, chord.norm() / p.length - 1) + p.weight.norm() * p.length;
}

namespace {

/// The problem in its plane.
class Hanging {
 public:
  explicit Hanging(const CatenaryProblem& p)
      : p_(p), weight_(p.weight.norm()), plane_(p), height_(plane_.height), span_(plane_.span) {}

  /// Between the ends alone.
  [[nodiscard]] CatenaryPart free() const {
    if (span_ == 0) return free(0);
    return free(positive_root(
        [&](double level) { return free(level).reach(p_.length).x() - span_; }, plane_.taut));
  }

  [[nodiscard]] bool below_floor(const CatenaryPart& free) const {
    if (!p_.floor || free.rise >= 0 || free.rise + weight_ * p_.length <= 0) return false;
    return p_.from.dot(plane_.up) + free.reach(-free.rise / weight_).y() < *p_.floor;
  }

  [[nodiscard]] std::vector<CatenaryPart> on_floor() const;

 private:
  [[nodiscard]] CatenaryPart part(double level, double rise, double length) const {
    CatenaryPart out;
    out.law = p_.law;
    out.length = length;
    out.origin = p_.from;
    out.along = plane_.along;
    out.up = plane_.up;
    out.level = level;
    out.rise = rise;
    out.weight = weight_;
    return out;
  }

  /// With that level force it reaches the height; what it reaches along grows with the force.
  [[nodiscard]] CatenaryPart free(double level) const {
    const double half = weight_ * p_.length / 2;
    const auto with = [&](double mean) { return part(level, mean - half, p_.length); };
    if (height_ == 0) return with(0);
    const double sign = height_ > 0 ? 1 : -1;
    return with(
        sign *
        positive_root([&](double mean) { return with(mean).reach(p_.length).y() - sign * height_; },
                      plane_.taut + level));
  }

  /// From the floor to that height above it.
  [[nodiscard]] CatenaryPart lifted(double level, double height) const {
    CatenaryPart out = part(level, 0, 0);
    if (height > 0)
      out.length = positive_root([&](double s) { return out.reach(s).y() - height; }, height);
    return out;
  }

  CatenaryProblem p_;
  double weight_;  // [N/m]
  CatenaryPlane plane_;
  double height_, span_;  // [m]
};

/// Hanging from either end to the floor and lying straight between, or, where that leaves length
/// over, hanging straight down and lying as an arc without tension.
std::vector<CatenaryPart> Hanging::on_floor() const {
  const double first = std::max(0.0, p_.from.dot(plane_.up) - *p_.floor);
  const double last = std::max(0.0, p_.to.dot(plane_.up) - *p_.floor);
  const auto lying = [&](double level) {
    return p_.length - lifted(level, first).length - lifted(level, last).length;
  };
  double level = 0;
  if (lying(0) < span_)
    level = positive_root(
        [&](double h) {
          const CatenaryPart a = lifted(h, first), b = lifted(h, last);
          return a.reach(a.length).x() + b.reach(b.length).x() +
                 (p_.length - a.length - b.length) * p_.law.stretch(h) - span_;
        },
        plane_.taut);
  std::vector<CatenaryPart> parts{lifted(level, first), {}, lifted(level, last)};
  const Vector2d down = parts[0].reach(parts[0].length), rise = parts[2].reach(parts[2].length);
  parts[0].rise = -weight_ * parts[0].length;
  const double rest = std::max(0.0, p_.length - parts[0].length - parts[2].length);
  if (level > 0) {
    parts[1] = part(level, 0, rest);
    parts[1].weight = 0;
  } else {
    parts[1] = arc_on(span_ * plane_.along, rest, plane_.up.cross(plane_.along));
  }
  parts[1].lies = true;
  parts[1].start = parts[0].length;
  parts[2].start = p_.length - parts[2].length;
  parts[1].origin = p_.from + down.x() * plane_.along - down.y() * plane_.up;
  parts[2].origin = p_.to - rise.x() * plane_.along - rise.y() * plane_.up;
  return parts;
}

}  // namespace

Catenary solve_catenary(const CatenaryProblem& problem) {
  if (problem.weight.norm() == 0) return Catenary({weightless(problem)});
  const Hanging hanging(problem);
  const CatenaryPart free = hanging.free();
  if (hanging.below_floor(free)) return Catenary(hanging.on_floor());
  return Catenary({free});
}

}  // namespace hawser

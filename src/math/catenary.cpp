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

double Catenary::stretch(double s) const {
  const CatenaryPart& p = part_at(s);
  return p.slope(s - p.start).norm();
}

double Catenary::energy(double s) const {
  const CatenaryPart& p = part_at(s);
  return p.law.energy(p.tension(s - p.start));
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

/// The tension at which it is as long as its chord, which is longer than it [N].
double tension_between(const CatenaryProblem& p, double span) {
  if (p.sections.empty()) return p.law.tension(span / p.length);
  double EA = 0;
  for (const CatenarySection& s : p.sections) EA = std::max(EA, s.law.EA);
  return positive_root(
      [&](double T) {
        double sum = -span;
        for (const CatenarySection& s : p.sections) sum += s.length * s.law.stretch(T);
        return sum;
      },
      EA * (span / p.length - 1));
}

/// Without weight: a straight line, or an arc.
std::vector<CatenaryPart> weightless(const CatenaryProblem& p) {
  const Vector3d chord = p.to - p.from;
  const double span = chord.norm(), level = span > p.length ? tension_between(p, span) : 0;
  if (level == 0) {  // also a stretch that rounding leaves without tension
    const Vector3d bow = span > 0 ? across(p.side, chord / span) : p.side;
    const Vector3d side =
        bow.norm() > 1e-9 ? bow.normalized() : Vector3d((chord / span).unitOrthogonal());
    CatenaryPart arc = arc_on(chord, p.length, side);
    arc.law = p.all_sections().front().law;
    arc.origin = p.from;
    return {arc};
  }
  std::vector<CatenaryPart> out;
  CatenaryPart part;
  part.along = chord / span;
  part.up = part.along.unitOrthogonal();
  part.level = level;
  part.origin = p.from;
  for (const CatenarySection& s : p.all_sections()) {
    part.law = s.law;
    part.length = s.length;
    out.push_back(part);
    part.origin += part.reach(s.length).x() * part.along;
    part.start += s.length;
  }
  return out;
}

}  // namespace

std::vector<CatenarySection> CatenaryProblem::all_sections() const {
  if (sections.empty()) return {{length, weight.norm(), law}};
  return sections;
}

CatenaryPlane::CatenaryPlane(const CatenaryProblem& p) : up(-p.weight.normalized()) {
  const Vector3d chord = p.to - p.from, level = across(chord, up);
  height = chord.dot(up);
  span = level.norm();
  // Nearer than rounding: one above the other.
  if (span < 1e-15 * (p.length + chord.norm())) span = 0;
  along = span > 0 ? level.normalized() : up.unitOrthogonal();
  double EA = 0, weight = 0;
  for (const CatenarySection& s : p.all_sections()) {
    EA = std::max(EA, s.law.EA);
    weight += std::abs(s.weight) * s.length;
  }
  taut = EA * std::max(0.0, chord.norm() / p.length - 1) + weight;
}

namespace {

/// The problem in its plane.
class Hanging {
 public:
  explicit Hanging(const CatenaryProblem& p)
      : p_(p), sections_(p.all_sections()), plane_(p), height_(plane_.height), span_(plane_.span) {
    double below = 0;
    for (const CatenarySection& s : sections_) {
      before_.push_back(below);
      below += s.weight * s.length;
    }
    half_ = below / 2;
  }

  /// Between the ends alone.
  [[nodiscard]] std::vector<CatenaryPart> free() const {
    if (span_ == 0) return laid(0, mean(0));
    const double level =
        positive_root([&](double h) { return reach(h, mean(h)).x() - span_; }, plane_.taut);
    return laid(level, mean(level));
  }

  /// Where the tension is level it is lowest, or highest where it floats.
  [[nodiscard]] bool below_floor(const std::vector<CatenaryPart>& free) const {
    if (!p_.floor) return false;
    const auto under = [&](const Vector3d& r) { return r.dot(plane_.up) < *p_.floor; };
    for (size_t k = 0; k < free.size(); ++k) {
      const CatenaryPart& part = free[k];
      if (k > 0 && under(part.origin)) return true;
      if (sections_[k].weight <= 0) continue;
      if (part.rise >= 0 || part.rise + part.weight * part.length <= 0) continue;
      if (p_.from.dot(plane_.up) + part.reach(-part.rise / part.weight).y() +
              (part.origin - p_.from).dot(plane_.up) <
          *p_.floor)
        return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<CatenaryPart> on_floor() const;

 private:
  /// A part of a section that starts with that tension. One that floats hangs upwards.
  [[nodiscard]] CatenaryPart part(size_t section, double level, double rise, double length) const {
    const CatenarySection& s = sections_[section];
    const double sign = s.weight < 0 ? -1 : 1;
    CatenaryPart out;
    out.law = s.law;
    out.length = length;
    out.origin = p_.from;
    out.along = plane_.along;
    out.up = sign * plane_.up;
    out.level = level;
    out.rise = sign * rise;
    out.weight = std::abs(s.weight);
    return out;
  }
  /// Along and up in the plane.
  [[nodiscard]] Vector2d reach_of(const CatenaryPart& part) const {
    const Vector2d r = part.reach(part.length);
    return {r.x(), part.up.dot(plane_.up) < 0 ? -r.y() : r.y()};
  }

  // --- between the ends alone, by the level tension and the mean of what it rises at both ends ---

  [[nodiscard]] CatenaryPart free(size_t k, double level, double mean) const {
    return part(k, level, mean - half_ + before_[k], sections_[k].length);
  }
  [[nodiscard]] Vector2d reach(double level, double mean) const {
    Vector2d sum = Vector2d::Zero();
    for (size_t k = 0; k < sections_.size(); ++k) sum += reach_of(free(k, level, mean));
    return sum;
  }
  /// With that level tension it reaches the height; what it reaches along grows with the tension.
  [[nodiscard]] double mean(double level) const {
    if (sections_.size() > 1) {
      const auto beyond = [&](double m) { return reach(level, m).y() - height_; };
      double far = plane_.taut + level;
      while (beyond(far) < 0 || beyond(-far) > 0) far *= 2;
      return root_between(beyond, -far, far);
    }
    if (height_ == 0) return 0;
    const double sign = height_ > 0 ? 1 : -1;
    return sign * positive_root([&](double m) { return reach(level, m).y() - sign * height_; },
                                plane_.taut + level);
  }
  [[nodiscard]] std::vector<CatenaryPart> laid(double level, double mean) const {
    std::vector<CatenaryPart> out;
    double start = 0;
    Vector2d at = Vector2d::Zero();
    for (size_t k = 0; k < sections_.size(); ++k) {
      out.push_back(free(k, level, mean));
      out.back().start = start;
      out.back().origin = p_.from + at.x() * plane_.along + at.y() * plane_.up;
      at += reach_of(out.back());
      start += sections_[k].length;
    }
    return out;
  }

  // --- on the floor ---

  enum class End { first, last };
  /// Sections counted from an end.
  [[nodiscard]] size_t from(End end, size_t i) const {
    return end == End::first ? i : sections_.size() - 1 - i;
  }
  /// What hangs from an end to the floor with that length, outermost first: each part as it rises
  /// from the floor. The innermost section goes on as long as it is asked to.
  [[nodiscard]] std::vector<CatenaryPart> lifted(End end, double level, double length) const {
    std::vector<CatenaryPart> out;
    for (size_t i = 0; i < sections_.size(); ++i) {
      const size_t k = from(end, i);
      const bool last = i + 1 == sections_.size() || length <= sections_[k].length;
      out.push_back(part(k, level, 0, last ? length : sections_[k].length));
      if (last) break;
      length -= sections_[k].length;
    }
    for (size_t i = out.size(); i-- > 1;)
      out[i - 1].rise = out[i].rise + out[i].weight * out[i].length;
    return out;
  }
  [[nodiscard]] static Vector2d reach(const std::vector<CatenaryPart>& parts) {
    Vector2d sum = Vector2d::Zero();
    for (const CatenaryPart& part : parts) sum += part.reach(part.length);
    return sum;
  }
  /// The length that it takes to that height.
  [[nodiscard]] double lifted_length(End end, double level, double height) const {
    if (!(height > 0)) return 0;
    return positive_root(
        [&](double length) { return reach(lifted(end, level, length)).y() - height; }, height);
  }
  /// What lies between two arc lengths, by section; straight where the tension is not zero.
  [[nodiscard]] std::vector<CatenaryPart> lying(double level, double start, double end) const {
    std::vector<CatenaryPart> out;
    double s = 0;
    for (size_t k = 0; k < sections_.size(); ++k) {
      const double a = std::max(s, start), b = std::min(s += sections_[k].length, end);
      if (b <= a && sections_.size() > 1) continue;
      out.push_back(part(k, level, 0, b - a));
      out.back().weight = 0;
      out.back().start = a;
    }
    return out;
  }
  [[nodiscard]] double spanned(double level, double first, double last) const {
    const double a = lifted_length(End::first, level, first),
                 b = lifted_length(End::last, level, last);
    double sum = reach(lifted(End::first, level, a)).x() + reach(lifted(End::last, level, b)).x();
    if (sections_.size() == 1) return sum + (p_.length - a - b) * p_.law.stretch(level);
    // Where both overlap they do so with the stretch of the section there.
    const double from = std::min(a, p_.length - b), to = std::max(a, p_.length - b);
    const double sign = a <= p_.length - b ? 1 : -1;
    for (const CatenaryPart& part : lying(level, from, to))
      sum += sign * part.length * part.law.stretch(level);
    return sum;
  }

  CatenaryProblem p_;
  std::vector<CatenarySection> sections_;
  CatenaryPlane plane_;
  std::vector<double> before_;  // by section: weight of those before it [N]
  double half_ = 0;             // of the whole weight [N]
  double height_, span_;        // [m]
};

/// Hanging from either end to the floor and lying straight between, or, where that leaves length
/// over, hanging straight down and lying as an arc without tension.
std::vector<CatenaryPart> Hanging::on_floor() const {
  const double first = std::max(0.0, p_.from.dot(plane_.up) - *p_.floor);
  const double last = std::max(0.0, p_.to.dot(plane_.up) - *p_.floor);
  double level = 0;
  if (p_.length - lifted_length(End::first, 0, first) - lifted_length(End::last, 0, last) < span_)
    level = positive_root([&](double h) { return spanned(h, first, last) - span_; }, plane_.taut);
  const double start = lifted_length(End::first, level, first),
               end = p_.length - lifted_length(End::last, level, last);
  std::vector<CatenaryPart> out = lifted(End::first, level, start);
  Vector3d at = p_.from;
  double s = 0;
  for (CatenaryPart& part : out) {  // down to the floor
    const Vector2d r = part.reach(part.length);
    part.rise = -part.rise - part.weight * part.length;
    part.origin = at;
    part.start = s;
    at += r.x() * plane_.along - r.y() * plane_.up;
    s += part.length;
  }
  std::vector<CatenaryPart> between;
  if (level > 0)
    between = lying(level, start, std::max(start, end));
  else
    between = {
        arc_on(span_ * plane_.along, std::max(0.0, end - start), plane_.up.cross(plane_.along))};
  if (level == 0) {
    between[0].start = start;
    between[0].law = sections_[0].law;
  }
  for (CatenaryPart& part : between) {
    part.lies = true;
    part.origin = at;
    if (!part.arc) at += part.reach(part.length).x() * plane_.along;
    out.push_back(part);
  }
  std::vector<CatenaryPart> risen = lifted(End::last, level, p_.length - end);
  at = p_.to;
  s = p_.length;
  for (CatenaryPart& part : risen) {
    const Vector2d r = part.reach(part.length);
    part.origin = at -= r.x() * plane_.along + r.y() * plane_.up;
    part.start = s -= part.length;
  }
  out.insert(out.end(), risen.rbegin(), risen.rend());
  return out;
}

}  // namespace

Catenary solve_catenary(const CatenaryProblem& problem) {
  if (problem.weight.norm() == 0) return Catenary(weightless(problem));
  const Hanging hanging(problem);
  std::vector<CatenaryPart> free = hanging.free();
  return Catenary(hanging.below_floor(free) ? hanging.on_floor() : std::move(free));
}

bool reaches_floor(const CatenaryProblem& problem) {
  if (problem.weight.norm() == 0) return false;
  const Hanging hanging(problem);
  return hanging.below_floor(hanging.free());
}

}  // namespace hawser

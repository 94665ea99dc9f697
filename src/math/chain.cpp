#include "math/chain.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/root.h"

namespace hawser {

using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

Vector2d turned(const Vector2d& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v.x() - s * v.y(), s * v.x() + c * v.y()};
}

/// Straight bars one after the other that span `chord`, as an arc to its left: each turned from
/// the one before by an angle in proportion to their lengths. Straight where they are not longer.
std::vector<Vector2d> bent(const std::vector<double>& bars, const Vector2d& chord) {
  double whole = 0;
  for (const double bar : bars) whole += bar;
  const auto laid = [&](double half_angle) {
    std::vector<Vector2d> out;
    double at = 0;
    for (const double bar : bars) {
      out.push_back(turned({bar, 0}, half_angle * (1 - (2 * at + bar) / whole)));
      at += bar;
    }
    return out;
  };
  const auto sum = [](const std::vector<Vector2d>& vectors) {
    Vector2d out = Vector2d::Zero();
    for (const Vector2d& v : vectors) out += v;
    return out;
  };
  const double half_angle = root_between(
      [&](double a) { return chord.norm() - sum(laid(a)).norm(); }, 0, std::numbers::pi);
  std::vector<Vector2d> out = laid(half_angle);
  const Vector2d reach = sum(out);
  if (chord.norm() == 0 || reach.norm() == 0) return out;
  const double turn = std::atan2(chord.y(), chord.x()) - std::atan2(reach.y(), reach.x());
  for (Vector2d& v : out) v = turned(v, turn) * (chord.norm() / reach.norm());
  return out;
}

/// The chain in the plane of its catenary. Element j carries the force (level, V_j); its weight,
/// half at each node, makes V_j grow by w l from each element to the next (Tonin & Braun 2015,
/// section 4.1, with elements that stretch).
class Chain {
 public:
  Chain(const CatenaryProblem& p, int elements)
      : p_(p), plane_(p), n_(elements), l_(p.length / elements), wl_(p.weight.norm() * l_) {}

  [[nodiscard]] std::vector<Vector3d> nodes() const {
    std::vector<Vector3d> out = placed(free());
    if (!p_.floor) return out;
    const bool below = std::any_of(out.begin(), out.end(), [&](const Vector3d& r) {
      return r.dot(plane_.up) < *p_.floor - 1e-12 * p_.length;
    });
    return below ? on_floor() : out;
  }

 private:
  [[nodiscard]] Vector2d element(double level, double rise) const {
    const double T = std::hypot(level, rise);
    return T > 0 ? Vector2d(l_ * p_.law.stretch(T) / T * Vector2d(level, rise)) : Vector2d::Zero();
  }

  // --- between the ends alone ---

  [[nodiscard]] std::vector<Vector2d> free(double level, double mean) const {
    std::vector<Vector2d> out;
    for (int j = 0; j < n_; ++j) out.push_back(element(level, mean + wl_ * (j - (n_ - 1) / 2.0)));
    return out;
  }
  [[nodiscard]] Vector2d reach(double level, double mean) const {
    Vector2d sum = Vector2d::Zero();
    for (int j = 0; j < n_; ++j) sum += element(level, mean + wl_ * (j - (n_ - 1) / 2.0));
    return sum;
  }
  /// The mean of the rises with which it reaches the height.
  [[nodiscard]] double mean(double level) const {
    if (plane_.height == 0) return 0;
    const double sign = plane_.height > 0 ? 1 : -1;
    return sign *
           positive_root([&](double m) { return reach(level, m).y() - std::abs(plane_.height); },
                         plane_.taut + level);
  }
  [[nodiscard]] std::vector<Vector2d> free() const {
    const double hanging = mean(0);
    std::vector<Vector2d> out = free(0, hanging);
    if (fold(hanging, out) || plane_.span == 0) return out;
    const double level =
        positive_root([&](double h) { return reach(h, mean(h)).x() - plane_.span; }, plane_.taut);
    return free(level, mean(level));
  }
  /// Without a level force all elements hang straight up or down but one, which carries nothing.
  /// If that is longer than what is left for it, it makes a bend with the next one.
  bool fold(double mean, std::vector<Vector2d>& out) const {
    const double at = (n_ - 1) / 2.0 - mean / wl_;
    const int slack = static_cast<int>(std::lround(std::clamp(at, 0.0, n_ - 1.0)));
    if (std::abs(at - slack) > 1e-9 * n_) return false;
    Vector2d left(plane_.span, plane_.height);
    for (int j = 0; j < n_; ++j)
      if (j != slack) left -= out[static_cast<size_t>(j)];
    if (left.norm() > l_) return false;
    out[static_cast<size_t>(slack)] = left;
    if (n_ == 1) return true;
    const int first = std::min(slack, n_ - 2);
    Vector2d* pair = &out[static_cast<size_t>(first)];
    const double beside = pair[first == slack ? 1 : 0].norm();
    const std::vector<Vector2d> bend =
        bent(first == slack ? std::vector{l_, beside} : std::vector{beside, l_}, pair[0] + pair[1]);
    std::copy(bend.begin(), bend.end(), pair);
    return true;
  }

  // --- on the floor ---

  /// What the elements of one end rise, outermost first: hanging ones w l (x - j), those on the
  /// floor nothing. At x the nodes come to that height above the floor.
  [[nodiscard]] double lifted(double level, double height) const {
    const auto climb = [&](double x) {
      double sum = 0;
      for (int j = 0; j < x; ++j) sum += element(level, wl_ * (x - j)).y();
      return sum - height;
    };
    return height > 0 ? root_between(climb, 0, n_) : 0;
  }
  [[nodiscard]] std::vector<Vector2d> lying(double level, double first, double last) const {
    const double x = lifted(level, first), y = lifted(level, last);
    std::vector<Vector2d> out;
    for (int j = 0; j < n_; ++j)
      out.push_back(element(level, wl_ * (std::max(0.0, y - (n_ - 1 - j)) - std::max(0.0, x - j))));
    return out;
  }
  [[nodiscard]] std::vector<Vector3d> on_floor() const {
    const double first = std::max(0.0, p_.from.dot(plane_.up) - *p_.floor);
    const double last = std::max(0.0, p_.to.dot(plane_.up) - *p_.floor);
    const std::vector<Vector3d> heap = heaped(first, last);
    if (!heap.empty()) return heap;
    const double level = positive_root(
        [&](double h) {
          double sum = -plane_.span;
          for (const Vector2d& e : lying(h, first, last)) sum += e.x();
          return sum;
        },
        plane_.taut);
    return placed(lying(level, first, last));
  }

  /// The elements that hang straight down from that height, and the rest of it above the floor.
  struct Leg {
    int hanging = 0;
    double rest = 0;
    std::vector<double> lengths;  ///< outermost first
  };
  [[nodiscard]] Leg leg(double height) const {
    Leg out;
    out.rest = height;
    for (int k = 1; k < n_; ++k) {
      double sum = 0;
      std::vector<double> lengths;
      for (int j = 0; j < k; ++j) {
        lengths.push_back(element(0, wl_ * (k - j)).y());
        sum += lengths.back();
      }
      if (sum > height) break;
      out = {k, height - sum, lengths};
    }
    return out;
  }
  /// With length to spare: straight down from both ends, an element that leans on the floor, and
  /// the others in a bend on it. Empty where the length does not suffice.
  [[nodiscard]] std::vector<Vector3d> heaped(double first, double last) const {
    const Leg a = leg(first), b = leg(last);
    const int flat = n_ - a.hanging - b.hanging - 2;
    if (flat < 0 || a.rest > l_ || b.rest > l_) return {};
    std::vector<double> bars(static_cast<size_t>(flat) + 2, l_);
    bars.front() = std::sqrt(l_ * l_ - a.rest * a.rest);
    bars.back() = std::sqrt(l_ * l_ - b.rest * b.rest);
    double whole = 0;
    for (const double bar : bars) whole += bar;
    if (whole < plane_.span) return {};
    const std::vector<Vector2d> bend = bent(bars, {plane_.span, 0});
    const Vector3d side = plane_.up.cross(plane_.along);
    std::vector<Vector3d> out{p_.from};
    for (const double down : a.lengths) out.push_back(out.back() - down * plane_.up);
    for (size_t i = 0; i < bend.size(); ++i) {
      const double up = (i == 0 ? -a.rest : 0) + (i + 1 == bend.size() ? b.rest : 0);
      out.push_back(out.back() + bend[i].x() * plane_.along + bend[i].y() * side + up * plane_.up);
    }
    for (auto up = b.lengths.rbegin(); up != b.lengths.rend(); ++up)
      out.push_back(out.back() + *up * plane_.up);
    out.back() = p_.to;
    return out;
  }

  [[nodiscard]] std::vector<Vector3d> placed(const std::vector<Vector2d>& elements) const {
    std::vector<Vector3d> out{p_.from};
    for (const Vector2d& e : elements)
      out.push_back(out.back() + e.x() * plane_.along + e.y() * plane_.up);
    out.back() = p_.to;
    return out;
  }

  CatenaryProblem p_;
  CatenaryPlane plane_;
  int n_;
  double l_, wl_;  // unstretched length [m] and weight [N] of an element
};

/// Without weight: straight, or bent to the side as an arc.
std::vector<Vector3d> weightless(const CatenaryProblem& p, int elements) {
  const Vector3d chord = p.to - p.from;
  std::vector<Vector3d> out{p.from};
  if (chord.norm() >= p.length) {
    for (int k = 1; k <= elements; ++k) out.push_back(p.from + chord * k / elements);
    return out;
  }
  const Vector3d along = chord.norm() > 0 ? chord.normalized() : Vector3d(p.side.unitOrthogonal());
  const Vector3d bow = p.side - along * along.dot(p.side);
  const Vector3d side = bow.norm() > 1e-9 ? bow.normalized() : Vector3d(along.unitOrthogonal());
  const std::vector<double> bars(static_cast<size_t>(elements), p.length / elements);
  for (const Vector2d& bar : bent(bars, {chord.norm(), 0}))
    out.push_back(out.back() + bar.x() * along + bar.y() * side);
  out.back() = p.to;
  return out;
}

}  // namespace

std::vector<Vector3d> solve_chain(const CatenaryProblem& problem, int elements) {
  if (problem.weight.norm() == 0) return weightless(problem, elements);
  return Chain(problem, elements).nodes();
}

}  // namespace hawser

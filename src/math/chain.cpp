#include "math/chain.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
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

/// The sections of elements of these lengths: where their middles are.
std::vector<CatenarySection> sections_by_element(const CatenaryProblem& p,
                                                 const std::vector<double>& lengths) {
  const std::vector<CatenarySection> sections = p.all_sections();
  std::vector<CatenarySection> out;
  size_t k = 0;
  double start = 0, end = sections[0].length;
  for (const double l : lengths) {
    while (k + 1 < sections.size() && start + l / 2 > end) end += sections[++k].length;
    out.push_back(sections[k]);
    out.back().length = l;
    start += l;
  }
  return out;
}

/// The chain in the plane of its catenary. Element j carries the force (level, V_j); its weight,
/// half at each node, makes V_j grow by (w_j l_j + w_j+1 l_j+1)/2 from each element to the next
/// (Tonin & Braun 2015, section 4.1, with elements that stretch). Loads are counted in weights of a
/// mean element.
class Chain {
 public:
  Chain(const CatenaryProblem& p, const std::vector<double>& lengths)
      : p_(p),
        plane_(p),
        n_(static_cast<int>(lengths.size())),
        l_(lengths),
        elements_(sections_by_element(p, lengths)),
        wl_(p.weight.norm() * (p.length / n_)) {
    equal_ = p.sections.empty() &&
             std::adjacent_find(l_.begin(), l_.end(), std::not_equal_to<>()) == l_.end();
    if (!p.sections.empty()) {
      wl_ = 0;
      for (const CatenarySection& e : elements_) wl_ += std::abs(e.weight) * e.length / n_;
    }
    const auto load = [&](int j) {  // of an element
      const CatenarySection& e = elements_[static_cast<size_t>(j)];
      return p.sections.empty() ? e.length / (p.length / n_) : e.weight * e.length / wl_;
    };
    double whole = 0;
    for (int j = 0; j < n_; ++j) {
      middle_.push_back(equal_ ? j : whole + (load(j) - load(0)) / 2);
      whole += load(j);
    }
    centre_ = equal_ ? (n_ - 1) / 2.0 : (whole - load(0)) / 2;
  }

  [[nodiscard]] std::vector<Vector3d> nodes() const {
    std::vector<Vector3d> out = placed(free());
    if (!p_.floor || floats()) return out;
    const bool below = std::any_of(out.begin(), out.end(), [&](const Vector3d& r) {
      return r.dot(plane_.up) < *p_.floor - 1e-12 * p_.length;
    });
    return below ? on_floor() : out;
  }

 private:
  [[nodiscard]] double length(int j) const { return l_[static_cast<size_t>(j)]; }
  [[nodiscard]] bool floats() const {
    return std::any_of(elements_.begin(), elements_.end(),
                       [](const CatenarySection& e) { return !(e.weight > 0); });
  }
  [[nodiscard]] Vector2d element(int j, double level, double rise) const {
    const double T = std::hypot(level, rise);
    const AxialLaw& law = elements_[static_cast<size_t>(j)].law;
    return T > 0 ? Vector2d(length(j) * law.stretch(T) / T * Vector2d(level, rise))
                 : Vector2d::Zero();
  }
  /// From the middle of the chain to that of an element, in mean elements.
  [[nodiscard]] double off_centre(int j) const { return middle_[static_cast<size_t>(j)] - centre_; }

  /// The elements counted from one of the ends.
  enum class End { first, last };
  [[nodiscard]] int from(End end, int j) const { return end == End::first ? j : n_ - 1 - j; }
  /// From the middle of the first of them to that of the j-th, in mean elements.
  [[nodiscard]] double away(End end, int j) const {
    const double middle = middle_[static_cast<size_t>(from(end, j))];
    return end == End::first ? middle : middle_.back() - middle;
  }

  // --- between the ends alone ---

  [[nodiscard]] std::vector<Vector2d> free(double level, double mean) const {
    std::vector<Vector2d> out;
    for (int j = 0; j < n_; ++j) out.push_back(element(j, level, mean + wl_ * off_centre(j)));
    return out;
  }
  [[nodiscard]] Vector2d reach(double level, double mean) const {
    Vector2d sum = Vector2d::Zero();
    for (int j = 0; j < n_; ++j) sum += element(j, level, mean + wl_ * off_centre(j));
    return sum;
  }
  /// The mean of the rises with which it reaches the height.
  [[nodiscard]] double mean(double level) const {
    if (!equal_) {
      const auto beyond = [&](double m) { return reach(level, m).y() - plane_.height; };
      double far = plane_.taut + level + wl_ * n_;
      while (beyond(far) < 0 || beyond(-far) > 0) far *= 2;
      return root_between(beyond, -far, far);
    }
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
    int slack = 0;
    const auto carried = [&](int j) { return std::abs(off_centre(j) + mean / wl_); };
    for (int j = 1; j < n_; ++j)
      if (carried(j) < carried(slack)) slack = j;
    if (carried(slack) > 1e-9 * n_) return false;
    Vector2d left(plane_.span, plane_.height);
    for (int j = 0; j < n_; ++j)
      if (j != slack) left -= out[static_cast<size_t>(j)];
    const double l = length(slack);
    if (left.norm() > l) return false;
    out[static_cast<size_t>(slack)] = left;
    if (n_ == 1) return true;
    const int first = std::min(slack, n_ - 2);
    Vector2d* pair = &out[static_cast<size_t>(first)];
    const double beside = pair[first == slack ? 1 : 0].norm();
    const std::vector<Vector2d> bend =
        bent(first == slack ? std::vector{l, beside} : std::vector{beside, l}, pair[0] + pair[1]);
    std::copy(bend.begin(), bend.end(), pair);
    return true;
  }

  // --- on the floor ---

  /// What the elements of one end rise, outermost first: hanging ones w l (x - away(j)), those on
  /// the floor nothing. At x the nodes come to that height above the floor.
  [[nodiscard]] double lifted(End end, double level, double height) const {
    const auto climb = [&](double x) {
      double sum = 0;
      for (int j = 0; j < n_ && away(end, j) < x; ++j)
        sum += element(from(end, j), level, wl_ * (x - away(end, j))).y();
      return sum - height;
    };
    return height > 0 ? root_between(climb, 0, n_) : 0;
  }
  [[nodiscard]] std::vector<Vector2d> lying(double level, double first, double last) const {
    const double x = lifted(End::first, level, first), y = lifted(End::last, level, last);
    std::vector<Vector2d> out;
    for (int j = 0; j < n_; ++j)
      out.push_back(element(j, level,
                            wl_ * (std::max(0.0, y - away(End::last, n_ - 1 - j)) -
                                   std::max(0.0, x - away(End::first, j)))));
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
  [[nodiscard]] Leg leg(End end, double height) const {
    Leg out;
    out.rest = height;
    for (int k = 1; k < n_; ++k) {
      double sum = 0;
      std::vector<double> lengths;
      for (int j = 0; j < k; ++j) {
        lengths.push_back(element(from(end, j), 0, wl_ * (away(end, k) - away(end, j))).y());
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
    const Leg a = leg(End::first, first), b = leg(End::last, last);
    if (n_ < a.hanging + b.hanging + 2) return {};
    std::vector<double> bars(l_.begin() + a.hanging, l_.end() - b.hanging);
    if (a.rest > bars.front() || b.rest > bars.back()) return {};
    bars.front() = std::sqrt(bars.front() * bars.front() - a.rest * a.rest);
    bars.back() = std::sqrt(bars.back() * bars.back() - b.rest * b.rest);
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
  std::vector<double> l_;                  // unstretched lengths [m]
  std::vector<CatenarySection> elements_;  // each with its section
  double wl_;                              // mean weight of an element [N]
  std::vector<double> middle_;  // load from the middle of the first element, in mean elements
  double centre_ = 0;           // of the chain, likewise
  bool equal_ = true;           // all elements: symmetric about the centre
};

/// Without weight: straight, or bent to the side as an arc.
std::vector<Vector3d> weightless(const CatenaryProblem& p, const std::vector<double>& lengths) {
  const Vector3d chord = p.to - p.from;
  std::vector<Vector3d> out{p.from};
  if (chord.norm() >= p.length) {
    const Catenary line = solve_catenary(p);
    double s = 0;
    for (const double l : lengths) out.push_back(line.position(s += l));
    out.back() = p.to;
    return out;
  }
  const Vector3d along = chord.norm() > 0 ? chord.normalized() : Vector3d(p.side.unitOrthogonal());
  const Vector3d bow = p.side - along * along.dot(p.side);
  const Vector3d side = bow.norm() > 1e-9 ? bow.normalized() : Vector3d(along.unitOrthogonal());
  for (const Vector2d& bar : bent(lengths, {chord.norm(), 0}))
    out.push_back(out.back() + bar.x() * along + bar.y() * side);
  out.back() = p.to;
  return out;
}

}  // namespace

std::vector<Vector3d> solve_chain(const CatenaryProblem& problem,
                                  const std::vector<double>& lengths) {
  if (problem.weight.norm() == 0) return weightless(problem, lengths);
  return Chain(problem, lengths).nodes();
}

std::vector<Vector3d> solve_chain(const CatenaryProblem& problem, int elements) {
  return solve_chain(problem,
                     std::vector<double>(static_cast<size_t>(elements), problem.length / elements));
}

}  // namespace hawser

#include "contact/straight_parts.h"

#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

using Eigen::Vector3d;

StraightPart part_on_the_way(const StraightPart& from, const StraightPart& to, double share) {
  return {{from.end[0] + share * (to.end[0] - from.end[0]),
           from.end[1] + share * (to.end[1] - from.end[1])}};
}

/// No two points of the parts approach each other by more than this.
double largest_approach(const StraightPart& a0, const StraightPart& b0, const StraightPart& a1,
                        const StraightPart& b1) {
  const Vector3d way[4] = {a1.end[0] - a0.end[0], a1.end[1] - a0.end[1], b1.end[0] - b0.end[0],
                           b1.end[1] - b0.end[1]};
  const Vector3d mean = (way[0] + way[1] + way[2] + way[3]) / 4;
  return std::max((way[0] - mean).norm(), (way[1] - mean).norm()) +
         std::max((way[2] - mean).norm(), (way[3] - mean).norm());
}

}  // namespace

/// A convex function of two variables in a square: its minimum is the free one, or on an edge next
/// to where that lies outside (Ericson 2005, section 5.1.9).
FacingPoints facing(const StraightPart& a, const StraightPart& b, double rho) {
  const Vector3d u = a.along(), w = b.along(), d = a.end[0] - b.end[0];
  const double uu = u.squaredNorm() + rho, ww = w.squaredNorm() + rho, uw = u.dot(w);
  const double p = rho / 2 - u.dot(d), r = rho / 2 + w.dot(d);  // uu s - uw t = p, ww t - uw s = r
  const double determinant = uu * ww - uw * uw;
  FacingPoints out;
  double s = determinant > 0 ? (p * ww + r * uw) / determinant : 0.5;
  s = std::clamp(s, 0.0, 1.0);
  double t = ww > 0 ? (r + uw * s) / ww : 0.5;
  if (t < 0 || t > 1) {
    t = std::clamp(t, 0.0, 1.0);
    s = uu > 0 ? std::clamp((p + uw * t) / uu, 0.0, 1.0) : 0.5;
  }
  out.s = s;
  out.t = t;
  out.s_free = s > 0 && s < 1;
  out.t_free = t > 0 && t < 1;
  out.apart = d + s * u - t * w;
  out.distance =
      std::sqrt(out.apart.squaredNorm() + rho * ((s - 0.5) * (s - 0.5) + (t - 0.5) * (t - 0.5)));
  return out;
}

std::optional<Passage> passage(const StraightPart& a0, const StraightPart& b0,
                               const StraightPart& a1, const StraightPart& b1, double least,
                               double rho) {
  constexpr int most_advances = 64;
  constexpr double closely = 0.05;  // of `least`
  const double way = largest_approach(a0, b0, a1, b1);
  FacingPoints now = facing(a0, b0, rho);
  double nearest = std::min(least, now.apart.norm() / 2), share = 0;
  if (way <= now.apart.norm() - nearest) return std::nullopt;
  for (int i = 0;; ++i) {
    const double left = now.apart.norm() - nearest;
    if (left <= closely * nearest || i == most_advances) break;
    share += left / way;
    if (share >= 1) return std::nullopt;
    now = facing(part_on_the_way(a0, a1, share), part_on_the_way(b0, b1, share), rho);
  }
  const double size = now.apart.norm();
  if (!(size > 0)) return std::nullopt;
  const Passage out{now.s, now.t, now.apart / size};
  const Vector3d end = a1.at(out.s) - b1.at(out.t);
  const FacingPoints last = facing(a1, b1, rho);
  if (out.normal.dot(last.apart) > 0 && out.normal.dot(end) > 0) return std::nullopt;
  return out;
}

}  // namespace hawser

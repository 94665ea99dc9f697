// Straight parts of cables: how near two of them are, and whether they pass through each other.
//
// The points of two parts a and b that face each other minimize
//
//     D^2 = |e|^2 + rho ((s - 1/2)^2 + (t - 1/2)^2),    e = a(s) - b(t),   0 <= s, t <= 1
//
// With rho = 0 these are the nearest points, which jump from end to end where the parts are
// parallel. A small rho keeps them in the middle of what lies side by side, and D remains a smooth
// function of the ends: its gradient is e/D at the two points.
#pragma once

#include <Eigen/Core>

#include <array>
#include <optional>

namespace hawser {

struct StraightPart {
  std::array<Eigen::Vector3d, 2> end;

  [[nodiscard]] Eigen::Vector3d along() const { return end[1] - end[0]; }
  [[nodiscard]] Eigen::Vector3d at(double s) const { return end[0] + s * along(); }
};

struct FacingPoints {
  double s = 0.5, t = 0.5;
  bool s_free = true, t_free = true;                ///< within the part, not at one of its ends
  Eigen::Vector3d apart = Eigen::Vector3d::Zero();  ///< e [m]
  double distance = 0;                              ///< D [m]
};
FacingPoints facing(const StraightPart& a, const StraightPart& b, double rho);

/// How two parts went through each other.
struct Passage {
  double s, t;             ///< the points that met first
  Eigen::Vector3d normal;  ///< from b to a, as they met
};

/// Two parts on their way from (a0, b0) to (a1, b1), their ends on straight lines. None where they
/// keep a distance of `least`, or are on the same side of each other after all. The time at which
/// they meet is found by conservative advancement: the distance shrinks no faster than the ends of
/// the parts move, their common motion left out (Mirtich 1996).
std::optional<Passage> passage(const StraightPart& a0, const StraightPart& b0,
                               const StraightPart& a1, const StraightPart& b1, double least,
                               double rho);

}  // namespace hawser

// A smooth curve through points.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace hawser {

/// The cubic spline through points, each apart from the one before it, by the lengths of the chords
/// between them; not curved at its ends.
class SmoothCurve {
 public:
  explicit SmoothCurve(std::vector<Eigen::Vector3d> points);

  struct Spot {
    Eigen::Vector3d position;  ///< [m]
    Eigen::Vector3d tangent;   ///< of unit length
  };
  /// On the way from points[span] to the next: `share` of that way's length, 0 to 1.
  [[nodiscard]] Spot at(size_t span, double share) const;

  /// Length of the way from points[span] to the next [m].
  [[nodiscard]] double length(size_t span) const { return lengths_[span]; }
  [[nodiscard]] double length() const;

 private:
  /// By the part t of a chord, 0 to 1: the curve's rate there, and its length up to there [m].
  [[nodiscard]] Eigen::Vector3d rate(size_t span, double t) const;
  [[nodiscard]] double length_to(size_t span, double t) const;

  std::vector<Eigen::Vector3d> points_, rates_;  // [m]; by chord length [-]
  std::vector<double> chords_, lengths_;         // of the ways between [m]
};

}  // namespace hawser

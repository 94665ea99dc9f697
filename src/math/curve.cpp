#include "math/curve.h"

#include <Eigen/Geometry>
#include <numeric>

#include "math/quadrature.h"
#include "math/root.h"

namespace hawser {

using Eigen::Vector3d;

namespace {

/// Rates at the points of the natural cubic spline (de Boor 1978, ch. IV): the second rate is
/// continuous at point i where, with h and d the chord and the mean rate before and after it,
///
///     r[i-1]/h_b + 2 (1/h_b + 1/h_a) r[i] + r[i+1]/h_a = 3 (d_b/h_b + d_a/h_a),
///
/// and zero at an end where the same holds with nothing beyond it. Diagonally dominant:
/// elimination without pivoting is stable.
std::vector<Vector3d> spline_rates(const std::vector<Vector3d>& points,
                                   const std::vector<double>& chords) {
  const size_t n = points.size();
  std::vector<Vector3d> rates(n, Vector3d::Zero());
  std::vector<double> upper(n, 0);
  for (size_t i = 0; i < n; ++i) {
    const double before = i > 0 ? 1 / chords[i - 1] : 0, after = i + 1 < n ? 1 / chords[i] : 0;
    Vector3d right = Vector3d::Zero();
    if (i > 0) right += 3 * before * before * (points[i] - points[i - 1]) - before * rates[i - 1];
    if (i + 1 < n) right += 3 * after * after * (points[i + 1] - points[i]);
    const double pivot = 2 * (before + after) - (i > 0 ? before * upper[i - 1] : 0);
    upper[i] = after / pivot;
    rates[i] = right / pivot;
  }
  for (size_t i = n - 1; i-- > 0;) rates[i] -= upper[i] * rates[i + 1];
  return rates;
}

}  // namespace

SmoothCurve::SmoothCurve(std::vector<Vector3d> points) : points_(std::move(points)) {
  for (size_t i = 1; i < points_.size(); ++i)
    chords_.push_back((points_[i] - points_[i - 1]).norm());
  rates_ = spline_rates(points_, chords_);
  for (size_t k = 0; k < chords_.size(); ++k) lengths_.push_back(length_to(k, 1));
}

double SmoothCurve::length() const {
  return std::accumulate(lengths_.begin(), lengths_.end(), 0.0);
}

Vector3d SmoothCurve::rate(size_t k, double t) const {
  const Vector3d chord = (points_[k + 1] - points_[k]) / chords_[k];
  return 6 * t * (1 - t) * chord + (1 - t) * (1 - 3 * t) * rates_[k] +
         t * (3 * t - 2) * rates_[k + 1];
}

/// Gauss on eight panels: the speed of a cubic is smooth unless the curve all but stops.
double SmoothCurve::length_to(size_t k, double t) const {
  static const std::vector<GaussPoint> rule = gauss_rule(8);
  constexpr int panels = 8;
  double sum = 0;
  for (int i = 0; i < panels; ++i)
    for (const GaussPoint& p : rule) sum += p.w * rate(k, t * (i + p.x) / panels).norm();
  return sum * t / panels * chords_[k];
}

SmoothCurve::Spot SmoothCurve::at(size_t k, double share) const {
  const double t =
      root_between([&](double x) { return length_to(k, x) - share * lengths_[k]; }, 0, 1);
  const Vector3d way = points_[k + 1] - points_[k];
  const double h = chords_[k], u = 1 - t;
  const Vector3d r = points_[k] + t * t * (3 - 2 * t) * way + h * t * u * u * rates_[k] -
                     h * t * t * u * rates_[k + 1];
  const Vector3d direction = rate(k, t);
  return {r, direction.norm() > 0 ? direction.normalized() : way.normalized()};
}

}  // namespace hawser

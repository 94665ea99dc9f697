#include "constraints/cable_curve.h"

#include <algorithm>

#include "linear/structure.h"

namespace hawser {
namespace {

/// Values, first and second derivatives by s of the cubic shape functions of
/// (r1, r1', r2, r2') over a length l.
struct CubicShapes {
  double n[4], n1[4], n2[4];
};

CubicShapes cubic_shapes(double x, double l) {
  return {{1 - 3 * x * x + 2 * x * x * x, l * (x - 2 * x * x + x * x * x),
           3 * x * x - 2 * x * x * x, l * (x * x * x - x * x)},
          {6 * x * (x - 1) / l, 1 - 4 * x + 3 * x * x, 6 * x * (1 - x) / l, 3 * x * x - 2 * x},
          {(12 * x - 6) / (l * l), (6 * x - 4) / l, (6 - 12 * x) / (l * l), (6 * x - 2) / l}};
}

}  // namespace

CableCurve::Weights CableCurve::weights(double at) const {
  const auto after = std::upper_bound(s.begin() + 1, s.end() - 1, at);
  size_t i = static_cast<size_t>(after - s.begin()) - 1;  // of the node before
  const auto coordinate = [&](size_t node) {
    return node_size * (first_node + static_cast<int>(node));
  };
  if (curved) {
    const double l = s[i + 1] - s[i];
    const CubicShapes c = cubic_shapes((at - s[i]) / l, l);
    Weights out;
    for (size_t k = 0; k < 4; ++k)
      out[k] = {coordinate(i) + 3 * static_cast<int>(k), c.n[k], c.n1[k], c.n2[k]};
    return out;
  }
  const auto middle = [&](size_t element) { return (s[element] + s[element + 1]) / 2; };
  const size_t last = s.size() - 2;  // element
  if ((i == 0 && at <= middle(0)) || (i == last && at >= middle(last))) {
    const double l = s[i + 1] - s[i], x = (at - s[i]) / l;
    return {Weight{coordinate(i), 1 - x, -1 / l, 0}, Weight{coordinate(i + 1), x, 1 / l, 0},
            Weight{coordinate(i), 0, 0, 0}, Weight{coordinate(i), 0, 0, 0}};
  }
  if (at > middle(i)) ++i;  // now the node whose corner is rounded
  const double from = middle(i - 1), l = middle(i) - from, before = s[i] - s[i - 1],
               next = s[i + 1] - s[i];
  const CubicShapes c = cubic_shapes((at - from) / l, l);
  const auto of = [&](const double* n) {
    return std::array{n[0] / 2 - n[1] / before, n[0] / 2 + n[1] / before + n[2] / 2 - n[3] / next,
                      n[2] / 2 + n[3] / next};
  };
  const auto n = of(c.n), n1 = of(c.n1), n2 = of(c.n2);
  Weights out;
  for (size_t k = 0; k < 3; ++k) out[k] = {coordinate(i - 1 + k), n[k], n1[k], n2[k]};
  out[3] = {coordinate(i), 0, 0, 0};
  return out;
}

CableCurve::Point CableCurve::point(const Weights& weights, const double* q) {
  Point out{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  for (const Weight& w : weights) {
    const Eigen::Map<const Vec3> c(q + w.coordinate);
    out.r += w.n * c;
    out.r1 += w.n1 * c;
    out.r2 += w.n2 * c;
  }
  return out;
}

}  // namespace hawser

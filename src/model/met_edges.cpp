// Lines and edges beside shapes: what massless cables that meet them need of geometry.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "model/meetings.h"

namespace hawser {

/// The distance is convex along the line, so that the golden section finds its least.
NearestOnLine nearest_on_line(const Surface& surface, const Vec3& a, const Vec3& b) {
  constexpr double golden = 0.6180339887498949, closely = 1e-12;
  const auto at = [&](double u) { return nearest(surface, a + u * (b - a), 0); };
  double low = 0, high = 1, u = high - golden * (high - low), w = low + golden * (high - low);
  double fu = at(u).distance, fw = at(w).distance;
  while (high - low > closely) {
    if (fu < fw) {
      high = w, w = u, fw = fu;
      u = high - golden * (high - low);
      fu = at(u).distance;
    } else {
      low = u, u = w, fu = fw;
      w = low + golden * (high - low);
      fw = at(w).distance;
    }
  }
  double best = (low + high) / 2;
  for (const double end : {0.0, 1.0})
    if (at(end).distance < at(best).distance) best = end;
  const Nearest found = at(best);
  return {found.distance, a + best * (b - a), found.normal};
}

std::vector<EdgeCrossing> edges_between(const std::vector<std::array<Vec3, 2>>& edges,
                                        const Vec3& a, const Vec3& b, const Vec3& normal,
                                        double reach) {
  const double length = (b - a).norm();
  const Vec3 along = (b - a) / length, up = (normal - normal.dot(along) * along).normalized(),
             across = along.cross(up);
  struct Corner {
    double along, up;
    int edge;
    Vec3 at;
  };
  std::vector<Corner> cut;
  for (size_t i = 0; i < edges.size(); ++i) {
    const Vec3 from = edges[i][0] - a, to = edges[i][1] - a;
    const double p = across.dot(from), q = across.dot(to);
    if ((p > 0) == (q > 0)) continue;
    const Vec3 at = from + p / (p - q) * (to - from) + reach * up;
    const Corner corner{along.dot(at), up.dot(at), static_cast<int>(i), a + at};
    if (corner.up > 0 && corner.along > 0 && corner.along < length) cut.push_back(corner);
  }
  std::sort(cut.begin(), cut.end(), [](const Corner& c, const Corner& d) {
    return c.along != d.along ? c.along < d.along : c.up > d.up;
  });
  std::vector<Corner> hull{{0, 0, -1, a}};  // from a to b, above all of them
  cut.push_back({length, 0, -1, b});
  for (const Corner& c : cut) {
    const auto below = [&] {
      const Corner &d = hull.back(), &e = hull[hull.size() - 2];
      return (d.up - e.up) * (c.along - e.along) <= (c.up - e.up) * (d.along - e.along);
    };
    while (hull.size() > 1 && below()) hull.pop_back();
    hull.push_back(c);
  }
  std::vector<EdgeCrossing> out;
  for (size_t i = 1; i + 1 < hull.size(); ++i) {
    const auto& edge = edges[static_cast<size_t>(hull[i].edge)];
    // Around the outside: against the turn from a to b about the edge on the inside.
    const double inside = (edge[1] - edge[0]).dot((a - hull[i].at).cross(b - hull[i].at));
    out.push_back({hull[i].edge, inside > 0 ? -1.0 : 1.0, hull[i].at});
  }
  return out;
}

}  // namespace hawser

// The route of a cable at the start: spans from point to point.
#pragma once

#include <string>
#include <vector>

#include "hawser/scene.h"

namespace hawser {

/// The way between two neighbouring points of a route.
struct RouteSpan {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  ///< [m]
  double length = 0;                            ///< unstretched [m]
  int elements = 0;

  /// r' along it when it is straight.
  [[nodiscard]] Vec3 slope() const { return (to - from) / length; }
  [[nodiscard]] double element_length() const { return length / elements; }
};

/// What an error calls the points between start and end: "via[0]" as Cable::via, or "route[1]" as a
/// scene file.
enum class PointNames { via, route };

/// Throws Error when the points make no route or the elements do not suffice for it.
void validate_route(const Cable& cable, PointNames names = PointNames::via);

/// Start, via and end of a cable [m].
std::vector<Vec3> route_points(const Cable& cable);

/// The spans of a sound cable, from start to end. They share out its length as those of its route,
/// of `points` as those of the curve.
std::vector<RouteSpan> route_of(const Scene& scene, const Cable& cable);

}  // namespace hawser

#include "model/route.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hawser/error.h"
#include "math/curve.h"
#include "model/model_data.h"

namespace hawser {
namespace {

/// Below this the sum of two unit vectors is rounding: it has no direction.
constexpr double reversal = 1e-9;

std::string point_name(const Cable& cable, size_t point, PointNames names) {
  if (point == 0) return "start";
  if (point > cable.via.size()) return "end";
  return names == PointNames::via ? fmt::format("via[{}]", point - 1)
                                  : fmt::format("route[{}]", point);
}

std::vector<double> chords_of(const std::vector<Vec3>& points) {
  std::vector<double> chords;
  for (size_t i = 1; i < points.size(); ++i) chords.push_back((points[i] - points[i - 1]).norm());
  return chords;
}

}  // namespace

std::vector<Vec3> route_points(const Cable& cable) {
  std::vector<Vec3> points = {cable.start};
  points.insert(points.end(), cable.via.begin(), cable.via.end());
  points.push_back(cable.end);
  return points;
}

void validate_route(const Cable& cable, PointNames names) {
  const ErrorObject who("cable", cable.name);
  const std::vector<Vec3> points = route_points(cable);
  for (size_t i = 0; i < points.size(); ++i)
    require_finite(who.at(point_name(cable, i, names)), points[i]);
  for (size_t i = 1; i < points.size(); ++i)
    if (!((points[i] - points[i - 1]).norm() > 0))
      throw Error(who.at(point_name(cable, i - 1, names) + " and " + point_name(cable, i, names)),
                  "the same point", "two different points",
                  "Points of a route define the initial direction of the cable.");
  for (size_t i = 1; i + 1 < points.size(); ++i) {
    const Vec3 before = (points[i] - points[i - 1]).normalized();
    const Vec3 after = (points[i + 1] - points[i]).normalized();
    if (!((before + after).norm() > reversal))
      throw Error(who.at(point_name(cable, i, names)), "a route that reverses its direction",
                  "a turn of less than 180 degrees",
                  "Route it through a point to the side, or use two cables.");
  }
  const int spans = static_cast<int>(cable.via.size()) + 1;
  if (cable.elements < spans)
    throw Error(
        who.at("elements"), std::to_string(cable.elements),
        spans == 1 ? "1 or more" : fmt::format("{} or more, one for each span of the route", spans),
        spans == 1 ? "" : "Use more elements or fewer points.");
}

/// Largest remainder, then one from the best served for every span that would have none. Ties go
/// to the span nearest the start.
std::vector<int> span_elements(const Cable& cable) {
  validate_route(cable);
  const std::vector<double> chords = chords_of(route_points(cable));
  const double total = std::accumulate(chords.begin(), chords.end(), 0.0);
  std::vector<double> owed;  // by span: its share of the elements less those it has
  std::vector<int> elements;
  for (const double chord : chords) {
    const double share = cable.elements * (chord / total);
    elements.push_back(std::max(1, static_cast<int>(share)));
    owed.push_back(share - elements.back());
  }
  int left = cable.elements - std::accumulate(elements.begin(), elements.end(), 0);
  for (; left > 0; --left) {
    const auto at = std::max_element(owed.begin(), owed.end()) - owed.begin();
    ++elements[static_cast<size_t>(at)];
    --owed[static_cast<size_t>(at)];
  }
  for (; left < 0; ++left) {
    size_t at = elements.size();
    for (size_t k = 0; k < elements.size(); ++k)
      if (elements[k] > 1 && (at == elements.size() || owed[k] < owed[at])) at = k;
    --elements[at];
    ++owed[at];
  }
  return elements;
}

std::vector<RouteSpan> route_of(const Scene& scene, const Cable& cable) {
  const std::vector<Vec3> points = route_points(cable);
  std::vector<double> lengths = chords_of(points);
  if (cable.initial.value_or(scene.initial) == Initial::points) {
    const SmoothCurve curve(points);
    for (size_t k = 0; k < lengths.size(); ++k) lengths[k] = curve.length(k);
  }
  const double total = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  const std::vector<int> elements = span_elements(cable);
  std::vector<RouteSpan> route;
  for (size_t k = 0; k < lengths.size(); ++k)
    route.push_back({points[k], points[k + 1],
                     cable.length > 0 ? cable.length * (lengths[k] / total) : lengths[k],
                     elements[k]});
  return route;
}

}  // namespace hawser

#include "scene/loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

/// Unstretched arc length of every node.
std::vector<double> node_lengths(const Cable& cable) {
  std::vector<Vec3> points{cable.start};
  points.insert(points.end(), cable.via.begin(), cable.via.end());
  points.push_back(cable.end);
  double route = 0;
  for (size_t k = 1; k < points.size(); ++k) route += (points[k] - points[k - 1]).norm();
  const double scale = cable.length > 0 ? cable.length / route : 1;
  const std::vector<int> spans = span_elements(cable);
  std::vector<double> s{0};
  for (size_t k = 0; k < spans.size(); ++k) {
    const double before = s.back(), span = scale * (points[k + 1] - points[k]).norm();
    for (int e = 1; e <= spans[k]; ++e) s.push_back(before + span * e / spans[k]);
  }
  return s;
}

/// The node a place means; -1, with a problem, when it lies between nodes.
int node_of(ReadContext& c, const Scene& scene, const Given<PlaceOn>& place,
            const std::string& path) {
  const auto cable = std::find_if(scene.cables.begin(), scene.cables.end(),
                                  [&](const Cable& x) { return x.name == place->cable; });
  if (cable == scene.cables.end()) return -1;  // its own problem has been told
  const std::vector<double> s = node_lengths(*cable);
  const double wanted = place->length >= 0 ? place->length : place->fraction * s.back();
  size_t best = 0;
  for (size_t n = 0; n < s.size(); ++n)
    if (std::abs(s[n] - wanted) < std::abs(s[best] - wanted)) best = n;
  if (std::abs(s[best] - wanted) <= 1e-6 * s.back()) return static_cast<int>(best);
  c.problems.add(place.at, path,
                 fmt::format("'{}', which is {:g} m along, between nodes", place->text, wanted),
                 "a node",
                 fmt::format("The nearest is at {:g} m ({}@{:.6g}); or choose `elements` so that a "
                             "node falls there.",
                             s[best], place->cable, s[best] / s.back()));
  return -1;
}

/// Constant components together, each other one with its function of time.
template <class Add>
void for_components(const std::array<TimeFunction, 3>& parts, const Add& add) {
  Vec3 constant = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Signal& s = parts[static_cast<size_t>(k)].signal;
    if (s.is_constant())
      constant[k] = s.at(0).value;
    else
      add(Vec3::Unit(k), s);
  }
  if (constant != Vec3::Zero()) add(constant, Signal(1.0));
}

void add_load(ReadContext& c, const Named<LoadText>::Entry& entry, Scene& scene) {
  const LoadText& l = entry.value;
  const std::string path = "loads." + entry.name;
  const int kinds = l.force.given + l.force_per_length.given + l.moment.given + l.mass.given;
  if (kinds != 1) {
    c.problems.add(entry.at, path, kinds == 0 ? "no load" : "more than one load",
                   "exactly one of force, force_per_length, moment, mass");
    return;
  }
  const bool whole = l.force_per_length.given;
  if (l.at.given == whole || l.on.given != whole) {
    c.problems.add(entry.at, path, whole ? "no `on`, or an `at`" : "no `at`, or an `on`",
                   whole ? "`on: CABLE` with force_per_length"
                         : "`at: CABLE@PLACE` with force, moment or mass");
    return;
  }
  if (whole) {
    for_components(*l.force_per_length, [&](const Vec3& f, const Signal& strength) {
      scene.distributed_forces.push_back({*l.on, f, strength});
    });
    return;
  }
  const int node = node_of(c, scene, l.at, path + ".at");
  if (node < 0) return;
  const Place place{l.at->cable, node};
  if (l.mass.given) scene.point_masses.push_back({place, *l.mass});
  if (l.force.given)
    for_components(*l.force, [&](const Vec3& f, const Signal& strength) {
      scene.point_forces.push_back({place, f, strength});
    });
  if (l.moment.given)
    for_components(*l.moment, [&](const Vec3& m, const Signal& strength) {
      scene.moments.push_back({place, m, strength, *l.stiffness});
    });
}

void add_condition(ReadContext& c, const Named<ConditionText>::Entry& entry, Scene& scene) {
  LinearCondition condition;
  condition.name = entry.name;
  condition.value = entry.value.value->signal;
  for (size_t i = 0; i < entry.value.terms.size(); ++i) {
    const TermText& t = entry.value.terms[i];
    const int node =
        node_of(c, scene, t.at, fmt::format("conditions.{}.terms[{}].at", entry.name, i));
    if (node < 0) return;
    condition.terms.push_back({{t.at->cable, node}, *t.coordinate, *t.factor});
  }
  scene.conditions.push_back(std::move(condition));
}

}  // namespace

void add_loads(ReadContext& c, const SceneText& text, Scene& scene) {
  for (const auto& entry : text.loads.entries) add_load(c, entry, scene);
  for (const auto& entry : text.conditions.entries) add_condition(c, entry, scene);
}

}  // namespace hawser

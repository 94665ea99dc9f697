#include "scene/loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "math/curve.h"

namespace hawser {
namespace {

/// The spans of a cable's route with what has gone before each.
class Nodes {
 public:
  Nodes(const Scene& scene, const Cable& cable) : elements_(span_elements(cable)) {
    std::vector<Vec3> points{cable.start};
    points.insert(points.end(), cable.via.begin(), cable.via.end());
    points.push_back(cable.end);
    const bool smooth = cable.initial.value_or(scene.initial) == Initial::points;
    const SmoothCurve curve(points);
    for (size_t k = 1; k < points.size(); ++k)
      starts_.push_back(starts_.back() +
                        (smooth ? curve.length(k - 1) : (points[k] - points[k - 1]).norm()));
    if (cable.length > 0)
      for (double& s : starts_) s *= cable.length / starts_.back();
  }

  [[nodiscard]] double length() const { return starts_.back(); }

  struct Node {
    int number;
    double s;  ///< unstretched arc length [m]
  };
  [[nodiscard]] Node nearest(double s) const {
    Node best{0, 0};
    int before = 0;
    for (size_t k = 0; k < elements_.size(); ++k) {
      const double span = starts_[k + 1] - starts_[k];
      const double along = std::clamp((s - starts_[k]) / span, 0.0, 1.0);
      const int inside = static_cast<int>(std::lround(along * elements_[k]));
      const Node here{before + inside, starts_[k] + span * inside / elements_[k]};
      if (std::abs(here.s - s) < std::abs(best.s - s)) best = here;
      before += elements_[k];
    }
    return best;
  }

 private:
  std::vector<int> elements_;
  std::vector<double> starts_{0};  // of the spans, and the end [m]
};

class LoadBuilder {
 public:
  LoadBuilder(ReadContext& context, Scene& scene) : c_(context), scene_(scene) {
    for (const Cable& cable : scene.cables)
      if (cable.model == CableModel::massless)
        massless_.insert(cable.name);
      else
        nodes_.emplace(cable.name, Nodes(scene, cable));
  }
  void add_load(const Named<LoadText>::Entry& entry);
  void add_condition(const Named<ConditionText>::Entry& entry);
  void add_junction(const Named<JunctionText>::Entry& entry);

 private:
  void add_on_cable(const LoadText& load, const std::string& path);
  void add_on_body(const LoadText& load, const std::string& path);
  /// The node a place means; -1, with a problem, when it lies between nodes.
  int node_of(const PlaceOn& place, const Mark& at, const std::string& path) const;

  ReadContext& c_;
  Scene& scene_;
  std::map<std::string, Nodes> nodes_;  // by cable
  std::set<std::string> massless_;
};

int LoadBuilder::node_of(const PlaceOn& place, const Mark& at, const std::string& path) const {
  if (massless_.contains(place.cable))
    c_.problems.add(at, path, fmt::format("{}, on a massless cable", in_quotes(place.text)),
                    "a point on a cable of another model: massless cables have no nodes",
                    "Apply it to the body that the cable holds.");
  const auto cable = nodes_.find(place.cable);
  if (cable == nodes_.end()) return -1;  // its own problem has been told
  const double length = cable->second.length();
  const double wanted = place.length >= 0 ? place.length : place.fraction * length;
  const Nodes::Node best = cable->second.nearest(wanted);
  if (std::abs(best.s - wanted) <= 1e-6 * length) return best.number;
  if (wanted > length)
    c_.problems.add(at, path, fmt::format("{}, beyond the end", in_quotes(place.text)),
                    fmt::format("at most {:g} m, the cable's length", length));
  else
    c_.problems.add(
        at, path,
        fmt::format("{}, which is at {:g} m, between nodes", in_quotes(place.text), wanted),
        "a node",
        fmt::format("The nearest node is at {:g} m ({}@{:.6g}). Or choose `elements` so "
                    "that there is a node at this point.",
                    best.s, place.cable, best.s / length));
  return -1;
}

/// Constant components together, each other one with its function of time.
template <class Add>
void for_components(const std::array<TimeFunction, 3>& parts, const Add& add) {
  Vec3 constant = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Signal& s = parts[static_cast<size_t>(k)].signal;
    if (s.is_constant())
      constant[k] = s.at({0, {}}).value;
    else
      add(Vec3::Unit(k), s);
  }
  if (constant != Vec3::Zero()) add(constant, Signal(1.0));
}

void LoadBuilder::add_load(const Named<LoadText>::Entry& entry) {
  const LoadText& l = entry.value;
  const std::string path = "loads." + entry.name;
  const int kinds = l.force.given + l.force_per_length.given + l.moment.given + l.mass.given;
  if (kinds != 1) {
    c_.problems.add(entry.at, path,
                    kinds == 0 ? "no load" : fmt::format("{} loads in one entry", kinds),
                    "exactly one of force, force_per_length, moment, mass");
    return;
  }
  const bool whole = l.force_per_length.given;
  if (l.at.given == whole || l.on.given != whole) {
    const std::string one = whole ? "on" : "at", other = whole ? "at" : "on";
    c_.problems.add(entry.at, path,
                    (whole ? l.at.given : l.on.given) ? fmt::format("`{}`", other)
                                                      : fmt::format("no `{}`", one),
                    whole ? "`on: CABLE` with force_per_length"
                          : "`at: CABLE@PLACE` with force, moment or mass, or `at: BODY` with "
                            "force or moment");
    return;
  }
  if (whole && massless_.contains(*l.on)) {
    c_.problems.add(l.on.at, path + ".on", fmt::format("the massless cable '{}'", *l.on),
                    "a cable of another model: distributed loads do not act on massless cables");
    return;
  }
  if (whole)
    for_components(*l.force_per_length, [&](const Vec3& f, const Signal& strength) {
      scene_.distributed_forces.push_back({*l.on, f, strength});
    });
  else if (l.at->cable.empty())
    add_on_body(l, path);
  else
    add_on_cable(l, path);
}

void LoadBuilder::add_on_cable(const LoadText& l, const std::string& path) {
  const int node = node_of(*l.at, l.at.at, path + ".at");
  if (node < 0) return;
  const Place place{l.at->cable, node};
  if (l.mass.given) scene_.point_masses.push_back({place, *l.mass});
  if (l.force.given)
    for_components(*l.force, [&](const Vec3& f, const Signal& strength) {
      scene_.point_forces.push_back({place, f, strength});
    });
  if (l.moment.given)
    for_components(*l.moment, [&](const Vec3& m, const Signal& strength) {
      scene_.moments.push_back({place, m, strength, *l.stiffness});
    });
}

void LoadBuilder::add_on_body(const LoadText& l, const std::string& path) {
  const std::string& frame = l.at->frame;
  if (l.mass.given)
    c_.problems.add(l.mass.at, path + ".mass", "a mass on a body", "force or moment",
                    "Increase the mass of the body, or weld another body to it.");
  if (l.force.given)
    for_components(*l.force, [&](const Vec3& f, const Signal& strength) {
      scene_.body_forces.push_back({frame, f, Vec3::Zero(), strength});
    });
  if (l.moment.given)
    for_components(*l.moment, [&](const Vec3& m, const Signal& strength) {
      scene_.body_forces.push_back({frame, Vec3::Zero(), m, strength});
    });
}

void LoadBuilder::add_condition(const Named<ConditionText>::Entry& entry) {
  LinearCondition condition;
  condition.name = entry.name;
  condition.value = entry.value.value->signal;
  for (size_t i = 0; i < entry.value.terms.size(); ++i) {
    const TermText& t = entry.value.terms[i];
    const int node =
        node_of(*t.at, t.at.at, fmt::format("conditions.{}.terms[{}].at", entry.name, i));
    if (node < 0) return;
    condition.terms.push_back({{t.at->cable, node}, *t.coordinate, *t.factor});
  }
  scene_.conditions.push_back(std::move(condition));
}

void LoadBuilder::add_junction(const Named<JunctionText>::Entry& entry) {
  std::array<Place, 2> places;
  for (size_t k = 0; k < 2; ++k) {
    const PlaceOn& at = (*entry.value.of)[k];
    const std::string path = fmt::format("junctions.{}.of[{}]", entry.name, k);
    places[k] = {at.cable, node_of(at, c_.places.at(path), path)};
    if (places[k].node < 0) return;
  }
  scene_.junctions.push_back({places[0], places[1]});
}

}  // namespace

void add_loads(ReadContext& c, const SceneText& text, Scene& scene) {
  LoadBuilder builder(c, scene);
  for (const auto& entry : text.loads.entries) builder.add_load(entry);
  for (const auto& entry : text.conditions.entries) builder.add_condition(entry);
  for (const auto& entry : text.junctions.entries) builder.add_junction(entry);
}

}  // namespace hawser

#include "scene/loads.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

#include "model/route.h"

namespace hawser {
namespace {

class LoadBuilder {
 public:
  LoadBuilder(ReadContext& context, Scene& scene) : c_(context), scene_(scene) {
    for (const Cable& cable : scene.cables)
      if (cable.model == CableModel::massless)
        massless_.insert(cable.name);
      else if (!c_.problems.any())
        lengths_[cable.name] = route_length(scene, cable);
  }
  void add_load(const Named<LoadText>::Entry& entry);
  void add_condition(const Named<ConditionText>::Entry& entry);
  void add_junction(const Named<JunctionText>::Entry& entry);

 private:
  void add_along(const LoadText& load, const std::string& path);
  void add_on_cable(const LoadText& load, const std::string& path);
  void add_on_body(const LoadText& load, const std::string& path);
  /// The place that the text means; nothing, with a problem, when it is not on a cable with
  /// elements.
  std::optional<Place> place_of(const PlaceOn& text, const Mark& at, const std::string& path) const;

  ReadContext& c_;
  Scene& scene_;
  std::map<std::string, double> lengths_;  // by cable [m]
  std::set<std::string> massless_;
};

std::optional<Place> LoadBuilder::place_of(const PlaceOn& text, const Mark& at,
                                           const std::string& path) const {
  if (massless_.contains(text.cable))
    c_.problems.add(at, path, fmt::format("{}, on a massless cable", in_quotes(text.text)),
                    "a point on a cable of another model: massless cables have no nodes",
                    "Apply it to the body that the cable holds.");
  const auto cable = lengths_.find(text.cable);
  if (cable == lengths_.end()) return {};  // its own problem has been told
  const Place place = text.length >= 0 ? Place::at(text.cable, text.length)
                                       : Place::fraction(text.cable, text.fraction);
  const double length = cable->second;
  if (arc_of(place, length) <= (1 + same_place) * length) return place;
  c_.problems.add(at, path, fmt::format("{}, beyond the end", in_quotes(text.text)),
                  fmt::format("at most {:g} m, the cable's length", length));
  return {};
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
  if (!whole && (l.from.given || l.to.given)) {
    c_.problems.add(l.from.given ? l.from.at : l.to.at, path,
                    fmt::format("`{}` without `force_per_length`", l.from.given ? "from" : "to"),
                    "`from` and `to` with force_per_length");
    return;
  }
  if (whole && massless_.contains(*l.on)) {
    c_.problems.add(l.on.at, path + ".on", fmt::format("the massless cable '{}'", *l.on),
                    "a cable of another model: distributed loads do not act on massless cables");
    return;
  }
  if (whole)
    add_along(l, path);
  else if (l.at->cable.empty())
    add_on_body(l, path);
  else
    add_on_cable(l, path);
}

void LoadBuilder::add_along(const LoadText& l, const std::string& path) {
  DistributedForce load;
  load.cable = *l.on;
  load.from = *l.from;
  if (l.to.given) load.to = *l.to;
  const auto known = lengths_.find(*l.on);
  if (known == lengths_.end()) return;  // its own problem has been told
  const double length = known->second, end = l.to.given ? load.to : length;
  if (!(load.from < end) || !(end <= (1 + same_place) * length)) {
    c_.problems.add(l.to.given ? l.to.at : l.from.at, path,
                    fmt::format("a part from {:g} m to {:g} m", load.from, end),
                    fmt::format("a part of the cable, from 0 to {:g} m", length));
    return;
  }
  std::array<TimeFunction, 3> rest = *l.force_per_length;
  for (int k = 0; k < 3; ++k) {
    TimeFunction& part = rest[static_cast<size_t>(k)];
    if (!part.along) continue;
    DistributedForce one = load;
    one.force = Vec3::Unit(k);
    one.along = part.along;
    scene_.distributed_forces.push_back(std::move(one));
    part = {};
  }
  for_components(rest, [&](const Vec3& f, const Signal& strength) {
    load.force = f;
    load.strength = strength;
    scene_.distributed_forces.push_back(load);
  });
}

void LoadBuilder::add_on_cable(const LoadText& l, const std::string& path) {
  const std::optional<Place> found = place_of(*l.at, l.at.at, path + ".at");
  if (!found) return;
  const Place& place = *found;
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
    const std::optional<Place> place =
        place_of(*t.at, t.at.at, fmt::format("conditions.{}.terms[{}].at", entry.name, i));
    if (!place) return;
    condition.terms.push_back({*place, *t.coordinate, *t.factor});
  }
  scene_.conditions.push_back(std::move(condition));
}

void LoadBuilder::add_junction(const Named<JunctionText>::Entry& entry) {
  std::array<std::optional<Place>, 2> places;
  for (size_t k = 0; k < 2; ++k) {
    const PlaceOn& at = (*entry.value.of)[k];
    const std::string path = fmt::format("junctions.{}.of[{}]", entry.name, k);
    places[k] = place_of(at, c_.places.at(path), path);
    if (!places[k]) return;
  }
  scene_.junctions.push_back({*places[0], *places[1]});
}

}  // namespace

void add_loads(ReadContext& c, const SceneText& text, Scene& scene) {
  LoadBuilder builder(c, scene);
  for (const auto& entry : text.loads.entries) builder.add_load(entry);
  for (const auto& entry : text.conditions.entries) builder.add_condition(entry);
  for (const auto& entry : text.junctions.entries) builder.add_junction(entry);
}

}  // namespace hawser

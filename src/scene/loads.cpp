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
  void add_along(const LoadText& load, const LoadKind& kind, const std::string& path);
  void add_on_body(const LoadText& load, const LoadKind& kind, const std::string& path);
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

/// The keys of the loads that act somewhere: "force, moment or mass".
template <class Acts>
std::string keys_of(const Acts& acts, const char* last) {
  std::vector<std::string> keys;
  for (const LoadKind& kind : load_kinds)
    if (acts(kind)) keys.emplace_back(kind.key);
  std::string out = keys.front();
  for (size_t i = 1; i < keys.size(); ++i) out += (i + 1 < keys.size() ? ", " : last) + keys[i];
  return out;
}
std::string on_bodies() {
  return keys_of([](const LoadKind& kind) { return kind.at_body != nullptr; }, " or ");
}

void LoadBuilder::add_load(const Named<LoadText>::Entry& entry) {
  const LoadText& l = entry.value;
  const std::string path = "loads." + entry.name;
  const LoadKind* kind = nullptr;
  int kinds = 0;
  for (const LoadKind& one : load_kinds)
    if (one.given(l)) kind = &one, ++kinds;
  if (kinds != 1) {
    c_.problems.add(entry.at, path,
                    kinds == 0 ? "no load" : fmt::format("{} loads in one entry", kinds),
                    "exactly one of " + keys_of([](const LoadKind&) { return true; }, ", "));
    return;
  }
  const bool whole = kind->along != nullptr;
  if (l.at.given == whole || l.on.given != whole) {
    const std::string one = whole ? "on" : "at", other = whole ? "at" : "on";
    const auto at_cable = [](const LoadKind& k) { return k.at_cable != nullptr; };
    c_.problems.add(entry.at, path,
                    (whole ? l.at.given : l.on.given) ? fmt::format("`{}`", other)
                                                      : fmt::format("no `{}`", one),
                    whole ? fmt::format("`on: CABLE` with {}", kind->key)
                          : fmt::format("`at: CABLE@PLACE` with {}, or `at: BODY` with {}",
                                        keys_of(at_cable, " or "), on_bodies()));
    return;
  }
  if (!whole && (l.from.given || l.to.given)) {
    c_.problems.add(l.from.given ? l.from.at : l.to.at, path,
                    fmt::format("`{}` without `force_per_length`", l.from.given ? "from" : "to"),
                    "`from` and `to` with force_per_length");
    return;
  }
  if (whole)
    add_along(l, *kind, path);
  else if (l.at->cable.empty())
    add_on_body(l, *kind, path);
  else if (const std::optional<Place> place = place_of(*l.at, l.at.at, path + ".at"))
    kind->at_cable(l, *place, scene_);
}

void LoadBuilder::add_along(const LoadText& l, const LoadKind& kind, const std::string& path) {
  if (massless_.contains(*l.on)) {
    c_.problems.add(l.on.at, path + ".on", fmt::format("the massless cable '{}'", *l.on),
                    "a cable of another model: distributed loads do not act on massless cables");
    return;
  }
  DistributedForce part;
  part.cable = *l.on;
  if (l.from.given) part.from = *l.from;
  if (l.to.given) part.to = *l.to;
  const auto known = lengths_.find(*l.on);
  if (known == lengths_.end()) return;  // its own problem has been told
  const double length = known->second, end = l.to.given ? part.to : length;
  if (!(part.from < end) || !(end <= (1 + same_place) * length)) {
    c_.problems.add(l.to.given ? l.to.at : l.from.at, path,
                    fmt::format("a part from {:g} m to {:g} m", part.from, end),
                    fmt::format("a part of the cable, from 0 to {:g} m", length));
    return;
  }
  for (size_t k = 0; k < 3; ++k)
    for (const double s : (*l.force_per_length)[k].along.kinks()) {
      if (s >= 0 && s <= (1 + same_place) * length) continue;
      c_.problems.add(l.force_per_length.at, fmt::format("{}.force_per_length[{}]", path, k),
                      fmt::format("a row at s = {:g} m", s),
                      fmt::format("rows on the cable, from 0 to {:g} m", length));
      return;
    }
  kind.along(l, part, scene_);
}

void LoadBuilder::add_on_body(const LoadText& l, const LoadKind& kind, const std::string& path) {
  if (kind.at_body) return kind.at_body(l, l.at->frame, scene_);
  c_.problems.add(*kind.given(l), fmt::format("{}.{}", path, kind.key),
                  fmt::format("a {} on a body", kind.key), on_bodies(), kind.instead_on_body);
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

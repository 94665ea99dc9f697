// Values that say where: frames, routes, named places.
#include <algorithm>

#include "scene/object_reader.h"

namespace hawser {
namespace {

/// Two values of one kind; nothing when one of them has a problem.
template <class T, class Kind>
void read_two(ReadContext& c, Found f, Given<std::array<T, 2>>& out, const Kind& kind,
              const std::string& expected) {
  if (f.node.kind != Node::Kind::list || f.node.items.size() != 2) {
    const bool list = f.node.kind == Node::Kind::list;
    c.problems.add(f.node.at, f.path,
                   list ? fmt::format("a list of {}", f.node.items.size()) : f.node.described(),
                   expected);
    return;
  }
  std::array<T, 2> both;
  bool good = true;
  for (size_t k = 0; k < 2; ++k) {
    Given<T> one;
    const std::string path = fmt::format("{}[{}]", f.path, k);
    c.places[path] = f.node.items[k].at;
    read_value(c, {f.node.items[k], path}, one, kind);
    if (one.given) both[k] = *one;
    good = good && one.given;
  }
  if (good) set(out, f.node, std::move(both));
}

/// `{clamp: NAME}`, `{over: NAME, ...}` or `{through: NAME, ...}`; false when there is a problem.
bool read_stop_map(ReadContext& c, Found f, Stop& stop) {
  const size_t before = c.problems.count();
  if (f.node.find("clamp")) {
    ClampText text;
    read_object(c, f, text);
    stop.kind = Stop::Kind::clamp;
    if (text.clamp.given) stop.on = *text.clamp;
  } else if (f.node.find("over")) {
    OverText text;
    read_object(c, f, text);
    stop.kind = Stop::Kind::over;
    if (text.over.given) stop.on = *text.over;
    stop.radius = *text.radius;
    if (text.axis.given) stop.axis = *text.axis;
    if (stop.axis.norm() > 0 && !(stop.radius > 0))
      c.problems.add(text.axis.at, f.path + ".axis", "the axis of a point", "a `radius` with it");
    stop.friction = *text.friction;
    stop.inertia = *text.inertia;
    stop.bearing_torque = *text.bearing_torque;
    stop.grip = *text.grip;
  } else if (f.node.find("through")) {
    ThroughText text;
    read_object(c, f, text);
    stop.kind = Stop::Kind::over;
    if (text.through.given) stop.on = *text.through;
    stop.friction = *text.friction;
  } else {
    c.problems.add(f.node.at, f.path, f.node.described(),
                   "[x, y, z], a name, {clamp: NAME}, {over: NAME}, {through: NAME} or {along: "
                   "NAME}");
  }
  return c.problems.count() == before;
}

/// `{along: NAME, ...}`: what the cable lies on after the last of the stops.
bool read_along(ReadContext& c, Found f, std::vector<Stop>& stops) {
  const size_t before = c.problems.count();
  c.places[f.path] = f.node.at;
  AlongText text;
  read_object(c, f, text);
  if (stops.empty())
    c.problems.add(f.node.at, f.path, "`along` at the start of a route", "a point before it",
                   "The cable lies on the plane between the points before and after it.");
  else if (stops.back().along)
    c.problems.add(f.node.at, f.path, "`along` after another", "a point between them");
  if (c.problems.count() != before) return false;
  stops.back().along = {text.along.given ? *text.along : "", *text.friction, *text.regularization};
  return true;
}

bool read_stop(ReadContext& c, Found f, Stop& stop) {
  c.places[f.path] = f.node.at;
  if (f.node.kind == Node::Kind::list) {
    Given<Eigen::Vector3d> point;
    read_value(c, f, point, VectorKind{quantity::length});
    if (point.given) stop.point = *point;
    return point.given;
  }
  if (f.node.kind == Node::Kind::scalar) {
    stop.kind = Stop::Kind::hold;  // or wind: CableBuilder
    stop.on = f.node.text;
    c.references.push_back({"stops", stop.on, f.path, f.node.at});
    return true;
  }
  return read_stop_map(c, f, stop);
}

}  // namespace

void read_value(ReadContext& c, Found f, Given<std::string>& out, const FrameKind&) {
  if (f.node.kind != Node::Kind::scalar) {
    c.problems.add(f.node.at, f.path, f.node.described(), "SUPPORT, BODY or BODY.FRAME");
    return;
  }
  set(out, f.node, f.node.text);
  c.references.push_back({"frames", f.node.text, f.path, f.node.at});
}

void read_value(ReadContext& c, Found f, Given<std::array<std::string, 2>>& out,
                const FramePairKind&) {
  read_two(c, f, out, FrameKind{}, "two names, each SUPPORT, BODY or BODY.FRAME");
}

void read_value(ReadContext& c, Found f, Given<std::array<PlaceOn, 2>>& out, const PlacePairKind&) {
  read_two(c, f, out, PlaceKind{}, "two points on cables, such as [a@0.5, b@start]");
}

void read_value(ReadContext& c, Found f, Given<std::vector<NamedPoint>>& out, const PointsKind&) {
  if (f.node.kind != Node::Kind::map) {
    c.problems.add(f.node.at, f.path, f.node.described(),
                   "named points, such as {hook: [0, 0, 1 m]}");
    return;
  }
  std::vector<NamedPoint> points;
  for (const auto& [key, value] : f.node.entries) {
    const std::string path = f.path + "." + key.text;
    c.places[path] = key.at;
    Given<Eigen::Vector3d> point;
    if (!check_name(c, key, f.path)) continue;
    read_value(c, {value, path}, point, VectorKind{quantity::length});
    points.push_back({key.text, point.value.value_or(Eigen::Vector3d::Zero())});
  }
  set(out, f.node, std::move(points));  // known by name even where a place is wrong
}

void read_value(ReadContext& c, Found f, Given<std::vector<SectionUse>>& out, const SectionsKind&) {
  const std::string expected = "a section, or a list such as [[chain, 20 m], [rope, rest]]";
  std::vector<SectionUse> uses;
  if (f.node.kind == Node::Kind::scalar) {
    Given<std::string> name;
    read_value(c, f, name, NameKind{"sections"});
    if (name.given) set(out, f.node, {{*name, 0}});
    return;
  }
  if (f.node.kind != Node::Kind::list || f.node.items.empty()) {
    c.problems.add(f.node.at, f.path, f.node.described(), expected);
    return;
  }
  bool good = true;
  for (size_t k = 0; k < f.node.items.size(); ++k) {
    const Node& item = f.node.items[k];
    const std::string path = fmt::format("{}[{}]", f.path, k);
    Given<std::string> name;
    Given<double> length;
    if (item.kind != Node::Kind::list || item.items.size() != 2) {
      c.problems.add(item.at, path, item.described(), "a section and its length, [rope, 20 m]");
      good = false;
      continue;
    }
    const Node& long_as = item.items[1];
    read_value(c, {item.items[0], path}, name, NameKind{"sections"});
    if (long_as.kind == Node::Kind::scalar && long_as.text == "rest")
      set(length, long_as, 0.0);
    else
      read_value(c, {long_as, path}, length, QuantityKind{quantity::length, Sign::positive});
    good = good && name.given && length.given;
    if (name.given && length.given) uses.push_back({*name, *length});
  }
  if (good) set(out, f.node, std::move(uses));
}

void read_value(ReadContext& c, Found f, Given<std::vector<Stop>>& out, const RouteKind& kind) {
  const bool list = f.node.kind == Node::Kind::list;
  const size_t count = list ? f.node.items.size() : 0;
  if (kind.exactly ? count != kind.exactly : count < 2) {
    c.problems.add(
        f.node.at, f.path, list ? fmt::format("a list of {}", count) : f.node.described(),
        kind.exactly ? fmt::format("{} points: coordinates [x, y, z] or names of supports, "
                                   "bodies or their frames",
                                   kind.exactly)
                     : "two or more points: coordinates [x, y, z], names of supports, "
                       "bodies or their frames, {clamp: NAME}, {over: NAME} or {through: NAME}");
    return;
  }
  std::vector<Stop> stops;
  bool good = true;
  for (const Node& item : f.node.items) {  // places are by stop
    const std::string path = fmt::format("{}[{}]", f.path, stops.size());
    if (!kind.exactly && item.kind == Node::Kind::map && item.find("along"))
      good = read_along(c, {item, path + ".along"}, stops) && good;
    else
      good = read_stop(c, {item, path}, stops.emplace_back()) && good;
  }
  if (good && stops.size() < 2) {
    c.problems.add(f.node.at, f.path, fmt::format("{} points", stops.size()), "two or more");
    good = false;
  }
  if (good && stops.back().along) {
    c.problems.add(f.node.at, f.path, "`along` at the end of a route", "a point after it",
                   "The cable lies on the plane between the points before and after it.");
    good = false;
  }
  if (good) set(out, f.node, std::move(stops));
}

}  // namespace hawser

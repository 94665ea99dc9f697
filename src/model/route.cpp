#include "model/route.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "math/curve.h"
#include "model/flows.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/sections.h"
#include "model/tangents.h"
#include "model/validate.h"

namespace hawser {
namespace {

/// Below this the sum of two unit vectors is rounding: it has no direction.
constexpr double reversal = 1e-9;

std::string point_name(const Cable& cable, size_t point) {
  if (point == 0) return "start";
  if (point + 1 == cable.route.size()) return "end";
  return fmt::format("route[{}]", point);
}

/// The way of a cable at the start: straight from stop to stop, and around pulleys.
struct Way {
  std::vector<Vec3> from, to;        ///< by span
  std::vector<double> chords, arcs;  ///< by span: its length, that of the pulley at its end [m]
};

Way way_of(const Scene& scene, const Cable& cable) {
  Way out;
  for (const TangentSpan& span : tangent_spans(scene, cable)) {
    out.from.push_back(span.from);
    out.to.push_back(span.to);
    out.chords.push_back((span.to - span.from).norm());
    out.arcs.push_back(span.arc);
  }
  return out;
}

/// Largest remainder, then one from the best served for every part that would have none. Ties go
/// to the part nearest the start.
std::vector<int> share_out(int count, const std::vector<double>& lengths) {
  const double total = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  std::vector<double> owed;  // by part: its share of the elements less those it has
  std::vector<int> elements;
  for (const double length : lengths) {
    const double share = count * (length / total);
    elements.push_back(std::max(1, static_cast<int>(share)));
    owed.push_back(share - elements.back());
  }
  int left = count - std::accumulate(elements.begin(), elements.end(), 0);
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

/// A cable with elements starts on a winch: its material coordinate grows from there.
void validate_wind(const Scene& scene, const Cable& cable, size_t i) {
  const Stop& stop = cable.route[i];
  if (stop.kind != Stop::Kind::wind) return;
  const ErrorObject who = ErrorObject("cable", cable.name).at(point_name(cable, i));
  find_winch(scene, stop.on, who);
  if (i > 0)
    throw Error(who, fmt::format("winch '{}' after the start of a cable with mass", stop.on),
                "a route that starts at its winch", "Reverse the route.");
}

/// What slides over a point must be able to, and must not end there.
void validate_slide(const Scene& scene, const Cable& cable, size_t i) {
  const Stop& stop = cable.route[i];
  if (stop.kind != Stop::Kind::over) return;
  const ErrorObject who = ErrorObject("cable", cable.name).at(point_name(cable, i));
  if (i == 0 || i + 1 == cable.route.size())
    throw Error(who, "an end that slides", "a support, a body or a frame, which holds the end",
                "A cable slides over points between its ends.");
  require_not_negative(who.at("friction"), stop.friction, "");
  if (stop.grip && !(stop.radius > 0))
    throw Error(who.at("grip"), "`grip` at a point", "a pulley with a radius",
                "A cable that does not slip at all is held: use a stop without `through`.");
  if (stop.radius > 0 && !(stop.axis.norm() > 0))
    throw Error(who, "a pulley without an axis",
                "the axis about which the cable wraps by the right-hand rule",
                "The opposite axis routes the cable over the other side.");
  if (stop.radius > 0) require_fixed(scene, mount_of(scene, stop, who), who);
  if (stop.inertia > 0 && !(stop.radius > 0))
    throw Error(who.at("inertia"), fmt::format("{:g} kg m^2 of a point", stop.inertia),
                "a pulley with a radius");
  require_not_negative(who.at("inertia"), stop.inertia, "kg m^2");
  require_not_negative(who.at("bearing torque"), stop.bearing_torque, "N m");
  if (stop.bearing_torque > 0 && !(stop.inertia > 0))
    throw Error(who.at("bearing torque"),
                fmt::format("{:g} N m of a pulley without an `inertia`", stop.bearing_torque),
                "the `inertia` of a pulley that turns");
}

/// The unstretched lengths of the spans [m].
std::vector<double> span_lengths(const Scene& scene, const Cable& cable, Way& way) {
  std::vector<double> lengths = way.chords;
  if (cable.initial.value_or(scene.initial) == Initial::points) {
    const SmoothCurve curve(route_points(scene, cable));
    for (size_t k = 0; k < lengths.size(); ++k) lengths[k] = curve.length(k);
  }
  const double stated = stated_length(cable);
  if (!(stated > 0)) return lengths;
  const double total = std::accumulate(lengths.begin(), lengths.end(), 0.0) +
                       std::accumulate(way.arcs.begin(), way.arcs.end(), 0.0);
  for (double& length : lengths) length = stated * (length / total);
  for (double& arc : way.arcs) arc = stated * (arc / total);
  return lengths;
}

/// Where a cable has to have nodes [m].
struct Cuts {
  std::vector<double> places;    ///< increasing
  std::vector<double> sections;  ///< their ends
  std::vector<double> kinks;     ///< where a force kinks it, among the places
  double tolerance = 0;

  /// The section at an arc length.
  [[nodiscard]] int section_at(double s) const {
    const auto end = std::lower_bound(sections.begin(), sections.end() - 1, s);
    return static_cast<int>(end - sections.begin());
  }
  /// Where sections change or it kinks.
  [[nodiscard]] std::vector<double> breaks() const {
    std::vector<double> out = sections;
    out.insert(out.end(), kinks.begin(), kinks.end());
    return out;
  }
  [[nodiscard]] bool kinks_at(double s) const {
    return std::any_of(kinks.begin(), kinks.end(),
                       [&](double kink) { return std::abs(kink - s) <= 2 * tolerance; });
  }
  /// Those strictly between two arc lengths, from the first of these, once each.
  [[nodiscard]] static std::vector<double> between(std::vector<double> all, double from, double to,
                                                   double tolerance) {
    std::sort(all.begin(), all.end());
    std::vector<double> out;
    double before = from;
    for (const double s : all) {
      if (!(s > before + tolerance) || !(s < to - tolerance)) continue;
      out.push_back(s - from);
      before = s;
    }
    return out;
  }
};

/// Equal elements, in one piece for every section, from kink to kink.
std::vector<RoutePiece> even_pieces(const RouteSpan& span, double start, const Cuts& cuts) {
  const double element = span.length / span.elements;
  std::vector<RoutePiece> out;
  int before = 0;
  std::vector<double> changes =
      Cuts::between(cuts.breaks(), start, start + span.length, cuts.tolerance);
  changes.push_back(span.length);
  for (const double s : changes) {
    const int node = static_cast<int>(std::lround(s / element));
    const double middle = start + element * (before + node) / 2;
    out.push_back({element * (node - before), node - before, cuts.section_at(middle)});
    before = node;
  }
  if (out.size() == 1) out[0].length = span.length;
  return out;
}

/// Divides a span that starts at an arc length where it has to have nodes.
void divide(const Cable& cable, double start, const Cuts& cuts, RouteSpan& span) {
  std::vector<double> all = cuts.places;
  all.insert(all.end(), cuts.sections.begin(), cuts.sections.end());
  std::vector<double> inside = Cuts::between(all, start, start + span.length, cuts.tolerance);
  const double element = span.length / span.elements;
  const bool even = std::all_of(inside.begin(), inside.end(), [&](double s) {
    return std::abs(s - element * std::round(s / element)) <= cuts.tolerance;
  });
  if (even) {
    span.pieces = even_pieces(span, start, cuts);
    return;
  }
  if (inside.size() + 1 > static_cast<size_t>(span.elements))
    throw Error(ErrorObject("cable", cable.name).at("elements"), std::to_string(cable.elements),
                fmt::format("at least {} between two stops: the places named between them need "
                            "nodes",
                            inside.size() + 1),
                "Use more elements, or places at the nodes of equal elements.");
  inside.push_back(span.length);
  std::vector<double> lengths;
  double before = 0;
  for (const double s : inside) lengths.push_back(s - before), before = s;
  const std::vector<int> elements = share_out(span.elements, lengths);
  for (size_t i = 0; i < lengths.size(); ++i)
    span.pieces.push_back(
        {lengths[i], elements[i], cuts.section_at(start + inside[i] - lengths[i] / 2)});
}

/// Where a force acts between sections without bending stiffness; at the ends nothing kinks.
std::vector<double> kinks_of(const Cable& cable, const Cuts& cuts, const std::vector<Place>& pulled,
                             double length) {
  std::vector<double> out;
  const auto bends = [&](double s) {
    return cable.sections[static_cast<size_t>(cuts.section_at(s))].EI > 0;
  };
  for (const Place& place : pulled) {
    const double s = arc_of(place, length), aside = 2 * cuts.tolerance;
    if (!bends(s - aside) && !bends(s + aside)) out.push_back(s);
  }
  return out;
}

/// Two nodes where the cable is handed over. Where nodes have slopes, also where EA changes, since
/// the tension goes on, and where the cable kinks, at `kinks` and where it is held between its
/// ends.
void split_where_slope_jumps(const Cable& cable, const Cuts& cuts, Route& route) {
  const bool has_slopes = cable.model == CableModel::ancf;
  const Section* before = nullptr;
  double s = 0;
  for (size_t k = 0; k < route.size(); ++k)
    for (RoutePiece& piece : route[k].pieces) {
      const Section& section = cable.sections[static_cast<size_t>(piece.section)];
      const bool held =
          &piece == &route[k].pieces.front() && cable.route[k].kind == Stop::Kind::hold;
      if (before != nullptr)
        piece.split =
            piece.flow[0] >= 0 ||
            (has_slopes && (before->EA != section.EA ||
                            ((held || cuts.kinks_at(s)) && before->EI == 0 && section.EI == 0)));
      before = &section;
      s += piece.length + piece.arc;
    }
}

/// Friction that no tension overcomes is a grip; e^(mu theta) loses its digits. An eyelet turns a
/// cable by up to half a turn.
void validate_friction(const Cable& cable, const std::vector<TangentSpan>& way) {
  constexpr double most = 20;  // of mu theta
  for (size_t k = 1; k + 1 < cable.route.size(); ++k) {
    const Stop& stop = cable.route[k];
    const double angle = stop.radius > 0 ? way[k - 1].arc / stop.radius : std::numbers::pi;
    if (stop.kind != Stop::Kind::over || !(stop.friction * angle > most)) continue;
    throw Error(ErrorObject("cable", cable.name).at(point_name(cable, k)).at("friction"),
                fmt::format("{:g} over {:.3g} rad: a ratio of tensions of e^{:.3g}", stop.friction,
                            angle, stop.friction * angle),
                fmt::format("a product of at most {:g}", most),
                stop.radius > 0 ? "Use `grip`: the cable does not slip."
                                : "Hold the cable there: use a stop without `through`.");
  }
}

}  // namespace

std::vector<double> RouteSpan::arcs() const {
  std::vector<double> out{0};
  double before = 0;
  for (const RoutePiece& piece : pieces) {
    if (piece.split && &piece != &pieces.front()) out.push_back(before);
    for (int n = 1; n <= piece.elements; ++n) out.push_back(before + piece.element_length() * n);
    out.back() = before += piece.length;
  }
  out.back() = length;
  return out;
}

std::vector<double> RouteSpan::fractions() const {
  if (pieces.size() > 1) {
    std::vector<double> out = arcs();
    for (double& s : out) s /= length;
    return out;
  }
  std::vector<double> out;
  for (int n = 0; n <= elements; ++n) out.push_back(static_cast<double>(n) / elements);
  return out;
}

std::vector<Vec3> route_points(const Scene& scene, const Cable& cable) {
  std::vector<Vec3> points;
  const ErrorObject who("cable", cable.name);
  for (size_t k = 0; k < cable.route.size(); ++k)
    points.push_back(
        frame_start(scene, find_stop(scene, cable.route[k], who.at(point_name(cable, k)))));
  return points;
}

void validate_route(const Scene& scene, const Cable& cable) {
  const ErrorObject who("cable", cable.name);
  if (cable.route.size() < 2)
    throw Error(who.at("route"), fmt::format("{} stops", cable.route.size()),
                "two or more, including the ends");
  for (size_t i = 0; i < cable.route.size(); ++i) {
    validate_wind(scene, cable, i);
    validate_slide(scene, cable, i);
  }
  const std::vector<Vec3> points = route_points(scene, cable);
  for (size_t i = 0; i < points.size(); ++i)
    require_finite(who.at(point_name(cable, i)), points[i]);
  for (size_t i = 1; i < points.size(); ++i)
    if (!((points[i] - points[i - 1]).norm() > 0))
      throw Error(who.at(point_name(cable, i - 1) + " and " + point_name(cable, i)),
                  "the same point", "two different points",
                  "Points of a route define the initial direction of the cable.");
  for (size_t i = 1; i + 1 < points.size(); ++i) {
    if (cable.route[i].kind == Stop::Kind::over) continue;  // it bends there as it likes
    const Vec3 before = (points[i] - points[i - 1]).normalized();
    const Vec3 after = (points[i + 1] - points[i]).normalized();
    if (!((before + after).norm() > reversal))
      throw Error(who.at(point_name(cable, i)), "a route that reverses its direction",
                  "a turn of less than 180 degrees",
                  "Route it through a point to the side, or use two cables.");
  }
  validate_friction(cable, tangent_spans(scene, cable));  // throws where there is no way
  const int spans = static_cast<int>(points.size()) - 1;
  if (cable.elements < spans)
    throw Error(
        who.at("elements"), std::to_string(cable.elements),
        spans == 1 ? "1 or more" : fmt::format("{} or more, one for each span of the route", spans),
        spans == 1 ? "" : "Use more elements or fewer points.");
}

std::vector<int> span_elements(const Scene& scene, const Cable& cable) {
  return share_out(cable.elements, way_of(scene, cable).chords);
}

double route_length(const Scene& scene, const Cable& cable) {
  Way way = way_of(scene, cable);
  const std::vector<double> lengths = span_lengths(scene, cable, way);
  return std::accumulate(lengths.begin(), lengths.end(), 0.0) +
         std::accumulate(way.arcs.begin(), way.arcs.end(), 0.0);
}

Route route_of(const Scene& scene, const Cable& cable, const NamedPlaces& places) {
  Way way = way_of(scene, cable);
  const std::vector<double> lengths = span_lengths(scene, cable, way);
  const std::vector<int> elements = share_out(cable.elements, way.chords);
  const double total = std::accumulate(lengths.begin(), lengths.end(), 0.0) +
                       std::accumulate(way.arcs.begin(), way.arcs.end(), 0.0);
  const bool has_slopes = cable.model == CableModel::ancf;
  Cuts cuts{{}, section_ends(cable, total), {}, same_place * total};
  for (const Place& place : places.all) cuts.places.push_back(arc_of(place, total));
  if (has_slopes) cuts.kinks = kinks_of(cable, cuts, places.pulled, total);
  Route route;
  double start = 0;
  for (size_t k = 0; k < lengths.size(); ++k) {
    RouteSpan span{way.from[k], way.to[k], lengths[k], elements[k], {}};
    divide(cable, start, cuts, span);
    span.pieces.front().flow[0] = flow_after(cable, k);
    span.pieces.front().arc = k > 0 ? way.arcs[k - 1] : 0;
    span.pieces.back().flow[1] = flow_before(cable, k + 1);
    route.push_back(std::move(span));
    start += lengths[k] + way.arcs[k];
  }
  split_where_slope_jumps(cable, cuts, route);
  return route;
}

std::unordered_map<std::string, NamedPlaces> named_places(const Scene& scene) {
  std::unordered_map<std::string, NamedPlaces> out;
  const auto name = [&](const Place& place) { out[place.cable].all.push_back(place); };
  const auto pull = [&](const Place& place) {
    name(place);
    out[place.cable].pulled.push_back(place);
  };
  for (const Junction& j : scene.junctions) pull(j.first), pull(j.second);
  for (const LinearCondition& c : scene.conditions)
    for (const auto& term : c.terms) name(term.at);
  for (const PointForce& f : scene.point_forces) pull(f.at);
  for (const DistributedForce& f : scene.distributed_forces) {
    const auto flowing = [&](const Cable& c) { return c.name == f.cable && flows(c); };
    if (std::any_of(scene.cables.begin(), scene.cables.end(), flowing)) continue;
    name(Place::at(f.cable, f.from));
    if (std::isfinite(f.to)) name(Place::at(f.cable, f.to));
  }
  for (const Moment& m : scene.moments) name(m.at);
  for (const PointMass& m : scene.point_masses) pull(m.at);
  return out;
}

std::vector<Route> routes_of(const Scene& scene) {
  const auto places = named_places(scene);
  std::vector<Route> out;
  for (const Cable& cable : scene.cables) {
    const auto named = places.find(cable.name);
    out.push_back(cable.model == CableModel::massless ? Route()
                  : named == places.end()             ? route_of(scene, cable)
                                                      : route_of(scene, cable, named->second));
  }
  return out;
}

std::vector<double> node_arcs(const Route& route) {
  std::vector<double> out{0};
  double before = 0;
  for (const RouteSpan& span : route) {
    const std::vector<double> arcs = span.arcs();
    before += span.pieces.front().arc;
    for (size_t n = span.pieces.front().split ? 0 : 1; n < arcs.size(); ++n)
      out.push_back(before + arcs[n]);
    before += span.length;
  }
  return out;
}

std::vector<int> stop_nodes(const Route& route) {
  std::vector<int> out{0};
  for (const RouteSpan& span : route) {
    const auto splits = std::count_if(span.pieces.begin(), span.pieces.end(),
                                      [](const RoutePiece& piece) { return piece.split; });
    out.push_back(out.back() + span.elements + static_cast<int>(splits));
  }
  return out;
}

double arc_of(const Place& place, double length) {
  return place.is_fraction ? place.s * length : place.s;
}

int node_at(const std::vector<double>& arcs, const Place& place) {
  const double length = arcs.back(), s = arc_of(place, length);
  auto best = std::lower_bound(arcs.begin(), arcs.end() - 1, s);
  if (best != arcs.begin() && s - *(best - 1) <= std::abs(*best - s)) --best;
  if (!(std::abs(*best - s) <= 2 * same_place * length)) return -1;  // rounding
  return static_cast<int>(std::lower_bound(arcs.begin(), best, *best) - arcs.begin());
}

std::string Place::text() const {
  if (is_fraction && s == 0) return fmt::format("the start of cable '{}'", cable);
  if (is_fraction && s == 1) return fmt::format("the end of cable '{}'", cable);
  if (is_fraction) return fmt::format("{:g} of the length of cable '{}'", s, cable);
  return fmt::format("{:g} m of cable '{}'", s, cable);
}

}  // namespace hawser

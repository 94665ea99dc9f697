#include "model/shape.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>
#include <optional>
#include <set>

#include "hawser/error.h"
#include "math/catenary.h"
#include "math/chain.h"
#include "math/curve.h"
#include "math/quadrature.h"
#include "model/route.h"
#include "model/sections.h"
#include "model/settle.h"

namespace hawser {
namespace {

/// Weight less buoyancy, per unstretched metre [N/m].
Vec3 weight_of(const Scene& scene, const Section& section) {
  const double displaced = scene.fluid ? scene.fluid->density * std::numbers::pi / 4 *
                                             section.diameter * section.diameter
                                       : 0;
  return (section.mass - displaced) * scene.gravity;
}

bool is_level(const Ground& ground, const Vec3& weight) {
  return ground.normal.cross(weight).norm() <= 1e-9 * ground.normal.norm() * weight.norm();
}

/// Whether there is ground that is not level under a cable.
bool ground_slopes(const Scene& scene, const Cable& cable) {
  return scene.ground &&
         std::any_of(cable.sections.begin(), cable.sections.end(), [&](const Section& section) {
           return !is_level(*scene.ground, weight_of(scene, section));
         });
}

/// Height of the ground on which a cable of that weight lies, sunk in by it, if it is drawn there
/// and the ground is level.
std::optional<double> floor_of(const Scene& scene, const Vec3& weight) {
  if (!scene.ground || !(weight.dot(scene.ground->normal) < 0)) return {};
  if (!is_level(*scene.ground, weight)) return {};
  return scene.ground->height - weight.norm() / scene.ground->stiffness;
}

/// Halfway between two directions, stretched as both on average; `route`: the direction where they
/// are opposite.
Vec3 slope_between(const Vec3& before, const Vec3& after, const Vec3& route) {
  const Vec3 sum = before.normalized() + after.normalized();
  return (sum.norm() > 1e-9 ? sum.normalized() : route) * ((before.norm() + after.norm()) / 2);
}

/// More than a cubic follows without being stretched or compressed by much.
bool turns_sharply(const Vec3& before, const Vec3& after) {
  return before.normalized().dot(after.normalized()) < std::cos(1.0);
}

/// Slopes halfway between the elements on both sides.
std::vector<NodeStart> chain_nodes(const std::vector<Vec3>& positions) {
  std::vector<NodeStart> nodes;
  for (size_t n = 0; n < positions.size(); ++n) {
    const Vec3 after = positions[std::min(n + 1, positions.size() - 1)] - positions[n];
    const Vec3 before = positions[n] - positions[n > 0 ? n - 1 : 0];
    const Vec3 sum = before.normalized() + after.normalized();
    nodes.push_back({positions[n], (sum.norm() > 1e-9 ? sum : after).normalized()});
  }
  return nodes;
}

/// The unstretched lengths of the elements of a span [m].
std::vector<double> element_lengths(const RouteSpan& span) {
  std::vector<double> out;
  for (const RoutePiece& piece : span.pieces)
    out.insert(out.end(), static_cast<size_t>(piece.elements), piece.element_length());
  return out;
}

/// Nodes of elements, with two where r' jumps.
std::vector<NodeStart> with_splits(const RouteSpan& span, std::vector<NodeStart> nodes) {
  auto at = nodes.begin();
  for (const RoutePiece& piece : span.pieces) {
    if (piece.split && at != nodes.begin()) at = nodes.insert(at, NodeStart(*at)) + 1;
    at += piece.elements;
  }
  return nodes;
}

/// np-fem knows one strain measure.
StrainMeasure strain_of(const Cable& cable) {
  return cable.model == CableModel::np_fem ? StrainMeasure::engineering : cable.strain;
}

/// The sections of a span, each once where it goes on; weights along gravity.
std::vector<CatenarySection> sections_of(const Scene& scene, const Cable& cable,
                                         const RouteSpan& span) {
  std::vector<CatenarySection> out;
  int before = -1;
  const Vec3 down = scene.gravity.normalized();
  for (const RoutePiece& piece : span.pieces) {
    const Section& section = cable.sections[static_cast<size_t>(piece.section)];
    if (piece.section == before)
      out.back().length += piece.length;
    else
      out.push_back(
          {piece.length, weight_of(scene, section).dot(down), {section.EA, strain_of(cable)}});
    before = piece.section;
  }
  return out;
}

/// How a span hangs. The floor under several sections is that of their mean weight.
CatenaryProblem catenary_of(const Scene& scene, const Cable& cable, const RouteSpan& span) {
  CatenaryProblem p;
  p.from = span.from;
  p.to = span.to;
  p.length = span.length;
  p.sections = sections_of(scene, cable, span);
  Vec3 mean = Vec3::Zero();
  bool weighs = false;
  for (const CatenarySection& s : p.sections) {
    mean += s.weight * s.length / span.length * scene.gravity.normalized();
    weighs = weighs || s.weight != 0;
  }
  if (weighs) p.weight = scene.gravity;
  if (mean.dot(scene.gravity) < 0) {  // on the whole it is drawn up
    p.weight = -scene.gravity;
    for (CatenarySection& s : p.sections) s.weight = -s.weight;
  }
  if (p.sections.size() == 1) {
    p.weight = weight_of(scene, cable.sections[static_cast<size_t>(span.pieces[0].section)]);
    mean = p.weight;
    p.law = p.sections[0].law;
    p.sections.clear();
  }
  p.floor = floor_of(scene, mean);
  if (scene.ground)
    p.side = scene.ground->normal;
  else if (scene.gravity.norm() > 0)
    p.side = scene.gravity;
  return p;
}

/// Whether a section is not drawn down by its weight.
bool floats(const CatenaryProblem& p) {
  return std::any_of(p.sections.begin(), p.sections.end(),
                     [](const CatenarySection& s) { return !(s.weight > 0); });
}

/// Lays the spans of one cable.
class Layer {
 public:
  Layer(const Scene& scene, const Cable& cable, const Route& route)
      : scene_(scene),
        cable_(cable),
        shape_(cable.initial.value_or(scene.initial)),
        route_(route),
        stops_(stop_nodes(route)) {
    if (shape_ == Initial::points) curve_.emplace(route_points(scene, cable));
    find_held();
  }

  std::vector<NodeStart> run() {
    for (size_t k = 0; k < route_.size(); ++k) {
      std::vector<NodeStart> span = lay(k);
      if (k > 0 && !is_split(k)) {
        span.front().slope =
            slope_between(nodes_.back().slope, span.front().slope, direction_at(k));
        nodes_.pop_back();
      }
      nodes_.insert(nodes_.end(), span.begin(), span.end());
    }
    align_splits();
    if (hangs()) turn_held();
    if (shape_ == Initial::catenary && settles()) {
      settle_elements();
      align_splits();
    }
    return std::move(nodes_);
  }

  /// Of the catenaries themselves [J].
  [[nodiscard]] double energy() const {
    static const std::vector<GaussPoint> rule = gauss_rule(12);
    constexpr int panels = 16;
    double sum = 0;
    for (const RouteSpan& span : route_) {
      const Catenary catenary = solve_catenary(catenary_of(scene_, cable_, span));
      double start = 0;
      for (const CatenarySection& s : sections_of(scene_, cable_, span)) {
        for (int k = 0; k < panels; ++k)
          for (const GaussPoint& g : rule)
            sum += s.length / panels * g.w * catenary.energy(start + s.length * (k + g.x) / panels);
        start += s.length;
      }
    }
    return sum;
  }

 private:
  [[nodiscard]] bool hangs() const {
    return shape_ == Initial::catenary || (shape_ == Initial::rest && !meets_cables());
  }
  /// It may touch other cables. Which lies over which is known of the route alone: hanging by
  /// itself, a slack one may be below a taut one that is to carry it.
  [[nodiscard]] bool meets_cables() const {
    return std::any_of(scene_.contacts.begin(), scene_.contacts.end(),
                       [this](const Contact& contact) {
                         const std::vector<std::string>& names = contact.cables;
                         const auto own = std::count(names.begin(), names.end(), cable_.name);
                         return contact.shapes.empty() && contact.pulleys.empty() && own > 0 &&
                                own < static_cast<long>(names.size());
                       });
  }
  [[nodiscard]] bool settles() const {
    if (wraps()) return false;
    return cable_.model == CableModel::ancf || (scene_.ground && cable_.sections.size() > 1);
  }

  /// Whether it lies on pulleys, to which it is tangent at the start.
  [[nodiscard]] bool wraps() const {
    return std::any_of(route_.begin(), route_.end(),
                       [](const RouteSpan& span) { return span.pieces.front().arc > 0; });
  }

  /// Whether r' jumps at point k of the route.
  [[nodiscard]] bool is_split(size_t k) const {
    return k < route_.size() && route_[k].pieces.front().split;
  }
  [[nodiscard]] bool bends(const RoutePiece& piece) const {
    return cable_.sections[static_cast<size_t>(piece.section)].EI > 0;
  }

  /// Nodes whose direction is held: where there are two, of those that resist bending or, if none
  /// does, the first. Nodes tied to what is elsewhere.
  void find_held() {
    for (size_t k = 0; k < cable_.route.size(); ++k) {
      if (cable_.route[k].kind != Stop::Kind::clamp) continue;
      const bool second = is_split(k) && bends(route_[k].pieces.front());
      if (!second || bends(route_[k - 1].pieces.back())) held_.insert(stops_[k]);
      if (second) held_.insert(stops_[k] + 1);
    }
    const std::vector<double> arcs = node_arcs(route_);
    const auto tie = [&](const Place& place) {
      if (place.cable == cable_.name) tied_.insert(node_at(arcs, place));
    };
    for (const Junction& j : scene_.junctions) tie(j.first), tie(j.second);
    for (const LinearCondition& c : scene_.conditions)
      for (const auto& term : c.terms) tie(term.at);
    tied_.erase(-1);
  }

  [[nodiscard]] bool is_tied(size_t k) const {
    const auto next = tied_.upper_bound(stops_[k]);
    return next != tied_.end() && *next < stops_[k + 1];
  }

  /// The route's direction at its point k.
  [[nodiscard]] Vec3 direction_at(size_t k) const {
    Vec3 sum = Vec3::Zero();
    if (k > 0) sum += route_[k - 1].slope().normalized();
    if (k < route_.size()) sum += route_[k].slope().normalized();
    return sum.normalized();
  }

  [[nodiscard]] std::vector<NodeStart> lay(size_t k) const {
    if (shape_ == Initial::points) return lay_curve(k);
    if (wraps() || cable_.route[k].along) return lay_straight(route_[k]);
    const bool sloping = ground_slopes(scene_, cable_);
    if (!hangs() || (shape_ == Initial::rest && (sloping || is_tied(k) || sinks(k))))
      return lay_straight(route_[k]);
    return lay_catenary(route_[k]);
  }

  /// Sections that float over others that reach the ground.
  [[nodiscard]] bool sinks(size_t k) const {
    const CatenaryProblem p = catenary_of(scene_, cable_, route_[k]);
    return floats(p) && reaches_floor(p);
  }

  [[nodiscard]] static std::vector<NodeStart> lay_straight(const RouteSpan& span) {
    std::vector<NodeStart> nodes;
    for (const double part : span.fractions())
      nodes.push_back({span.from + (span.to - span.from) * part, span.slope()});
    return nodes;
  }

  [[nodiscard]] std::vector<NodeStart> lay_catenary(const RouteSpan& span) const {
    const CatenaryProblem p = catenary_of(scene_, cable_, span);
    const Catenary catenary = solve_catenary(p);
    std::vector<NodeStart> nodes;
    bool sharp = cable_.model == CableModel::np_fem;
    for (const double s : span.arcs()) {
      nodes.push_back({catenary.position(s), catenary.slope(s)});
      sharp = sharp || (s > 0 && turns_sharply(nodes[nodes.size() - 2].slope, nodes.back().slope));
    }
    if (sharp) return with_splits(span, chain_nodes(solve_chain(p, element_lengths(span))));
    nodes.front().position = span.from;
    nodes.back().position = span.to;
    stretch_splits(span, catenary, nodes);
    return nodes;
  }

  /// Where r' jumps both sides have one tension.
  void stretch_splits(const RouteSpan& span, const Catenary& catenary,
                      std::vector<NodeStart>& nodes) const {
    size_t node = 0;
    double s = 0;
    const RoutePiece* before = nullptr;
    for (const RoutePiece& piece : span.pieces) {
      if (piece.split && before != nullptr) {
        for (const RoutePiece* side : {before, &piece}) {
          const Section& section = cable_.sections[static_cast<size_t>(side->section)];
          nodes[node + (side == &piece ? 1 : 0)].slope =
              AxialLaw{section.EA, strain_of(cable_)}.stretch(catenary.tension(s)) *
              catenary.slope(s).normalized();
        }
        ++node;
      }
      node += static_cast<size_t>(piece.elements);
      s += piece.length;
      before = &piece;
    }
  }

  /// One direction, halfway, where r' jumps and both sides resist bending and none is held. Through
  /// an eyelet no moment is handed on.
  void align_splits() {
    size_t node = 0;
    const RoutePiece* before = nullptr;
    for (const RouteSpan& span : route_)
      for (const RoutePiece& piece : span.pieces) {
        if (piece.split) {
          Vec3 &a = nodes_[node].slope, &b = nodes_[node + 1].slope;
          const bool joined = bends(*before) && bends(piece) && piece.flow[0] < 0;
          if (joined && !held_.contains(static_cast<int>(node))) {
            const Vec3 t = slope_between(a.normalized(), b.normalized(), b.normalized());
            a = a.norm() * t;
            b = b.norm() * t;
          }
          ++node;
        }
        node += static_cast<size_t>(piece.elements);
        before = &piece;
      }
  }

  [[nodiscard]] std::vector<NodeStart> lay_curve(size_t k) const {
    const RouteSpan& span = route_[k];
    const double stretch = curve_->length(k) / span.length;
    std::vector<NodeStart> nodes;
    for (const double part : span.fractions()) {
      const SmoothCurve::Spot spot = curve_->at(k, part);
      nodes.push_back({spot.position, stretch * spot.tangent});
    }
    return nodes;
  }

  [[nodiscard]] HangingElements::Part hanging_part(const RoutePiece& piece) const {
    const double l = piece.element_length();
    const Section& section = cable_.sections[static_cast<size_t>(piece.section)];
    const bool straight = cable_.model == CableModel::np_fem;
    HangingElements::Part part;
    part.parameters = straight ? np_fem_parameters(l, section.EA, 0, false, false)
                               : ancf_parameters(l, {section.EA, 0}, 0, cable_.axial_points,
                                                 cable_.bending_points);
    part.weight = weight_of(scene_, section);
    part.elements = piece.elements;
    part.split = piece.split;
    if (!scene_.ground) return part;
    part.ground.emplace(l, !straight);
    part.ground->set_ground(*scene_.ground);
    return part;
  }

  /// Held where the route's points are and where something else holds it.
  void settle_elements() {
    HangingElements hanging;
    const bool straight = cable_.model == CableModel::np_fem;
    hanging.strain = strain_of(cable_);
    hanging.fixed.assign(nodes_.size(), {false, straight});
    hanging.fixed.front()[0] = true;
    for (const RouteSpan& span : route_)
      for (const RoutePiece& piece : span.pieces) hanging.parts.push_back(hanging_part(piece));
    for (const int n : stops_) hanging.fixed[static_cast<size_t>(n)][0] = true;
    for (const int n : tied_) hanging.fixed[static_cast<size_t>(n)][0] = true;
    for (const int n : held_) hanging.fixed[static_cast<size_t>(n)][1] = true;
    settle(hanging, nodes_);
  }

  /// Where the direction is held it is the route's: what holds it was there before the cable hung.
  void turn_held() {
    for (size_t k = 0; k <= route_.size(); ++k)
      for (int node = stops_[k]; node <= stops_[k] + (is_split(k) ? 1 : 0); ++node)
        if (held_.contains(node)) {
          const RouteSpan& beside = route_[k < route_.size() ? k : k - 1];
          nodes_[static_cast<size_t>(node)].slope =
              direction_at(k) * std::max(1.0, beside.slope().norm());
        }
  }

  const Scene& scene_;
  const Cable& cable_;
  Initial shape_;
  const Route& route_;
  std::vector<int> stops_;            // nodes at the points of the route, of two the first
  std::optional<SmoothCurve> curve_;  // of `points`
  std::set<int> held_, tied_;
  std::vector<NodeStart> nodes_;
};

}  // namespace

void validate_shape(const Scene& scene, const Cable& cable) {
  const Initial shape = cable.initial.value_or(scene.initial);
  const ErrorObject who = ErrorObject("cable", cable.name).at("initial");
  if (!scene.ground || (shape != Initial::catenary && shape != Initial::rest)) return;
  if (shape == Initial::catenary && ground_slopes(scene, cable))
    throw Error(who, "a catenary over ground that is not level",
                "ground with its normal opposite to gravity",
                "Give its shape by points, or start the whole scene in static equilibrium.");
  if (shape == Initial::catenary && cable.sections.size() > 1)
    for (const RouteSpan& span : route_of(scene, cable)) {
      const CatenaryProblem p = catenary_of(scene, cable, span);
      if (floats(p) && reaches_floor(p))
        throw Error(who, "a catenary of sections that float beside others, on the ground",
                    "sections that all sink, or a cable clear of the ground",
                    "Start the whole scene in static equilibrium, or give its shape by points.");
    }
  const std::optional<double> floor =
      floor_of(scene, weight_of(scene, mean_section(cable, route_length(scene, cable))));
  if (!floor) return;
  for (const Vec3& point : route_points(scene, cable)) {
    const double height = point.dot(scene.ground->normal.normalized());
    if (height < *floor)
      throw Error(who,
                  fmt::format("the point [{:g}, {:g}, {:g}] of its route {:.4g} m below the ground",
                              point.x(), point.y(), point.z(), scene.ground->height - height),
                  "points on or above it", "A hanging cable lies on the ground.");
  }
}

std::vector<NodeStart> lay_cable(const Scene& scene, const Cable& cable, const Route& route) {
  return Layer(scene, cable, route).run();
}

double catenary_energy(const Scene& scene, const Cable& cable, const Route& route) {
  return Layer(scene, cable, route).energy();
}

}  // namespace hawser

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

/// Lays the spans of one cable.
class Layer {
 public:
  Layer(const Scene& scene, const Cable& cable, const Route& route)
      : scene_(scene),
        cable_(cable),
        shape_(cable.initial.value_or(scene.initial)),
        route_(route),
        section_(mean_section(cable, node_arcs(route).back())) {
    if (shape_ == Initial::points) curve_.emplace(route_points(scene, cable));
    find_held();
  }

  std::vector<NodeStart> run() {
    for (size_t k = 0; k < route_.size(); ++k) {
      std::vector<NodeStart> span = lay(k);
      if (k > 0) {
        span.front().slope =
            slope_between(nodes_.back().slope, span.front().slope, direction_at(k));
        nodes_.pop_back();
      }
      nodes_.insert(nodes_.end(), span.begin(), span.end());
    }
    if (hangs()) turn_held();
    if (shape_ == Initial::catenary && cable_.model == CableModel::ancf) settle_elements();
    return std::move(nodes_);
  }

  /// Of the catenaries themselves [J].
  [[nodiscard]] double energy() const {
    static const std::vector<GaussPoint> rule = gauss_rule(12);
    constexpr int panels = 16;
    double sum = 0;
    for (const RouteSpan& span : route_) {
      const CatenaryProblem p = catenary_of(span, weight_of(scene_, section_));
      const Catenary catenary = solve_catenary(p);
      for (int k = 0; k < panels; ++k)
        for (const GaussPoint& g : rule)
          sum += span.length / panels * g.w *
                 p.law.energy(catenary.tension(span.length * (k + g.x) / panels));
    }
    return sum;
  }

 private:
  [[nodiscard]] bool hangs() const {
    return shape_ == Initial::catenary || shape_ == Initial::rest;
  }

  /// Nodes whose direction is held; nodes tied to what is elsewhere.
  void find_held() {
    int node = 0;
    for (size_t k = 0; k < cable_.route.size(); ++k) {
      if (cable_.route[k].kind == Stop::Kind::clamp) held_.insert(node);
      if (k < route_.size()) node += route_[k].elements;
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
    int first = 0;
    for (size_t i = 0; i < k; ++i) first += route_[i].elements;
    const auto next = tied_.upper_bound(first);
    return next != tied_.end() && *next < first + route_[k].elements;
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
    const Vec3 weight = weight_of(scene_, section_);
    const bool sloping = scene_.ground && !is_level(*scene_.ground, weight);
    if (!hangs() || (shape_ == Initial::rest && (sloping || is_tied(k))))
      return lay_straight(route_[k]);
    return lay_catenary(route_[k], weight);
  }

  [[nodiscard]] static std::vector<NodeStart> lay_straight(const RouteSpan& span) {
    std::vector<NodeStart> nodes;
    for (const double part : span.fractions())
      nodes.push_back({span.from + (span.to - span.from) * part, span.slope()});
    return nodes;
  }

  [[nodiscard]] CatenaryProblem catenary_of(const RouteSpan& span, const Vec3& weight) const {
    CatenaryProblem p;
    p.from = span.from;
    p.to = span.to;
    p.length = span.length;
    p.weight = weight;
    // np-fem knows one strain measure.
    p.law = {section_.EA,
             cable_.model == CableModel::np_fem ? StrainMeasure::engineering : cable_.strain};
    p.floor = floor_of(scene_, weight);
    if (scene_.ground)
      p.side = scene_.ground->normal;
    else if (scene_.gravity.norm() > 0)
      p.side = scene_.gravity;
    return p;
  }

  [[nodiscard]] std::vector<NodeStart> lay_catenary(const RouteSpan& span,
                                                    const Vec3& weight) const {
    const CatenaryProblem p = catenary_of(span, weight);
    const Catenary catenary = solve_catenary(p);
    std::vector<NodeStart> nodes;
    bool sharp = cable_.model == CableModel::np_fem;
    for (const double s : span.arcs()) {
      nodes.push_back({catenary.position(s), catenary.slope(s)});
      sharp = sharp || (s > 0 && turns_sharply(nodes[nodes.size() - 2].slope, nodes.back().slope));
    }
    if (sharp) return chain_nodes(solve_chain(p, element_lengths(span)));
    nodes.front().position = span.from;
    nodes.back().position = span.to;
    return nodes;
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
    HangingElements::Part part{
        ancf_parameters(l, {section_.EA, 0}, 0, cable_.axial_points, cable_.bending_points),
        {},
        piece.elements};
    if (!scene_.ground) return part;
    part.ground.emplace();
    part.ground->points = shape_points(l, true);
    part.ground->normal = scene_.ground->normal.normalized();
    part.ground->height = scene_.ground->height;
    part.ground->ground.stiffness = scene_.ground->stiffness;
    return part;
  }

  /// Held where the route's points are and where something else holds it.
  void settle_elements() {
    HangingElements hanging;
    hanging.strain = cable_.strain;
    hanging.weight = weight_of(scene_, section_);
    hanging.fixed.assign(nodes_.size(), {false, false});
    hanging.fixed.front()[0] = true;
    size_t node = 0;
    for (const RouteSpan& span : route_) {
      for (const RoutePiece& piece : span.pieces) hanging.parts.push_back(hanging_part(piece));
      node += static_cast<size_t>(span.elements);
      hanging.fixed[node][0] = true;
    }
    for (const int n : tied_) hanging.fixed[static_cast<size_t>(n)][0] = true;
    for (const int n : held_) hanging.fixed[static_cast<size_t>(n)][1] = true;
    settle(hanging, nodes_);
  }

  /// Where the direction is held it is the route's: what holds it was there before the cable hung.
  void turn_held() {
    int node = 0;
    for (size_t k = 0; k <= route_.size(); ++k) {
      if (held_.contains(node)) {
        const RouteSpan& beside = route_[k < route_.size() ? k : k - 1];
        nodes_[static_cast<size_t>(node)].slope =
            direction_at(k) * std::max(1.0, beside.slope().norm());
      }
      if (k < route_.size()) node += route_[k].elements;
    }
  }

  const Scene& scene_;
  const Cable& cable_;
  Initial shape_;
  const Route& route_;
  Section section_;  // as a whole: several hang as one only to start the search for the rest
  std::optional<SmoothCurve> curve_;  // of `points`
  std::set<int> held_, tied_;
  std::vector<NodeStart> nodes_;
};

}  // namespace

void validate_shape(const Scene& scene, const Cable& cable) {
  const Initial shape = cable.initial.value_or(scene.initial);
  const ErrorObject who = ErrorObject("cable", cable.name).at("initial");
  if (shape == Initial::catenary && cable.sections.size() > 1)
    throw Error(who, fmt::format("a catenary of {} sections", cable.sections.size()), "one section",
                "Start the whole scene in static equilibrium, or give its shape by points.");
  if (!scene.ground || (shape != Initial::catenary && shape != Initial::rest)) return;
  const Vec3 weight = weight_of(scene, mean_section(cable, route_length(scene, cable)));
  if (shape == Initial::catenary && !is_level(*scene.ground, weight))
    throw Error(who, "a catenary over ground that is not level",
                "ground with its normal opposite to gravity",
                "Give its shape by points, or start the whole scene in static equilibrium.");
  const std::optional<double> floor = floor_of(scene, weight);
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

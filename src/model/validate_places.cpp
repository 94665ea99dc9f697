#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "hawser/error.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/route.h"
#include "model/validate.h"

namespace hawser {
namespace {

std::string text_of(const Place& p) {
  return fmt::format("node {} of cable '{}'", p.node, p.cable);
}

/// The nodes of cables at the start. Places that do not exist are left to find_node.
class Nodes {
 public:
  explicit Nodes(const Scene& scene) {
    for (const Cable& c : scene.cables)
      if (c.model == CableModel::massless)
        routes_[c.name];
      else
        routes_[c.name] = route_of(c);
  }

  void require(const Place& place, const std::string& who) const {
    const auto found = routes_.find(place.cable);
    if (found != routes_.end() && found->second.empty())
      throw Error(who, fmt::format("a node of the massless cable '{}'", place.cable),
                  "a cable with nodes: ancf or np-fem", "A massless cable acts on frames only.");
  }

  /// The same node counted from the start.
  [[nodiscard]] Place counted(const Place& place) const {
    const auto found = routes_.find(place.cable);
    if (found == routes_.end() || place.node >= 0) return place;
    int elements = 0;
    for (const RouteSpan& span : found->second) elements += span.elements;
    return {place.cable, elements + 1 + place.node};
  }

  [[nodiscard]] std::optional<Vec3> start(const Place& place) const {
    const auto found = routes_.find(place.cable);
    if (found == routes_.end()) return {};
    int node = counted(place).node;
    for (const RouteSpan& span : found->second) {
      if (node >= 0 && node <= span.elements)
        return span.from + (span.to - span.from) * (static_cast<double>(node) / span.elements);
      node -= span.elements;
    }
    return {};
  }

 private:
  std::unordered_map<std::string, std::vector<RouteSpan>> routes_;  // massless: empty
};

bool meet(const Vec3& a, const Vec3& b) {
  return (a - b).norm() <= 1e-9 * (a.norm() + b.norm()) + 1e-12;  // the rest: at the origin
}

void validate_attachments(const Scene& scene, const Nodes& nodes) {
  std::set<std::pair<std::string, int>> held;
  const auto hold = [&](const Place& at) {
    const Place p = nodes.counted(at);
    return held.emplace(p.cable, p.node).second;
  };
  for (const Pin& p : scene.pins) hold(p.at);
  for (const Clamp& c : scene.clamps)
    if (c.position) hold(c.at);
  for (const Motion& m : scene.motions)
    if (m.coordinate <= Coordinate::z) hold(m.at);
  for (const Attachment& a : scene.attachments) {
    const std::string who = fmt::format("attachment of {} to '{}'", text_of(a.at), a.frame);
    nodes.require(a.at, who);
    const Vec3 frame = frame_start(scene, find_frame(scene, a.frame, who));
    if (!hold(a.at))
      throw Error(who, "a node that is held already", "one that is free",
                  "Remove the pin, clamp, motion or other attachment there.");
    const std::optional<Vec3> node = nodes.start(a.at);
    if (node && !meet(*node, frame))
      throw Error(who, fmt::format("the node {:.4g} m from the frame", (*node - frame).norm()),
                  "both at the same place at the start",
                  fmt::format("Lead the cable through [{:.6g}, {:.6g}, {:.6g}] m.", frame.x(),
                              frame.y(), frame.z()));
  }
}

void validate_junctions(const Scene& scene, const Nodes& nodes) {
  for (const Junction& j : scene.junctions) {
    const std::string who =
        fmt::format("junction of {} and {}", text_of(j.first), text_of(j.second));
    nodes.require(j.first, who);
    nodes.require(j.second, who);
    const Place a = nodes.counted(j.first), b = nodes.counted(j.second);
    if (a.cable == b.cable && a.node == b.node)
      throw Error(who, "the same node twice", "two nodes");
    const std::optional<Vec3> start = nodes.start(a), other = nodes.start(b);
    if (start && other && !meet(*start, *other))
      throw Error(
          who, fmt::format("nodes {:.4g} m apart", (*start - *other).norm()),
          "nodes that meet at the start",
          fmt::format("They are at [{:.6g}, {:.6g}, {:.6g}] m and [{:.6g}, {:.6g}, {:.6g}] "
                      "m.",
                      start->x(), start->y(), start->z(), other->x(), other->y(), other->z()));
  }
}

}  // namespace

void validate_places(const Scene& scene) {
  const Nodes nodes(scene);
  for (const Pin& p : scene.pins) nodes.require(p.at, "pin");
  for (const Clamp& c : scene.clamps) nodes.require(c.at, "clamp");
  for (const Motion& m : scene.motions) nodes.require(m.at, "motion");
  for (const LinearCondition& c : scene.conditions)
    for (const auto& term : c.terms) nodes.require(term.at, "condition '" + c.name + "'");
  for (const PointForce& f : scene.point_forces) nodes.require(f.at, "point force");
  for (const DistributedForce& f : scene.distributed_forces)
    nodes.require({f.cable, 0}, "distributed force");
  for (const Moment& m : scene.moments) nodes.require(m.at, "moment");
  for (const PointMass& m : scene.point_masses) nodes.require(m.at, "point mass");
  validate_attachments(scene, nodes);
  validate_junctions(scene, nodes);
}

}  // namespace hawser

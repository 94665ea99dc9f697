#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "hawser/error.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/shape.h"
#include "model/signals.h"
#include "model/validate.h"

namespace hawser {
namespace {

std::string text_of(const Place& p) {
  return fmt::format("node {} of cable '{}'", p.node, p.cable);
}

/// The nodes of cables at the start. Places that do not exist are left to find_node.
class Nodes {
 public:
  explicit Nodes(const Scene& scene) : scene_(scene) {
    for (const Cable& c : scene.cables) cables_[c.name] = &c;
  }

  void require(const Place& place, const ErrorObject& who) const {
    const Cable* cable = find(place);
    if (cable && cable->model == CableModel::massless)
      throw Error(ErrorObject("cable", place.cable, who.text),
                  fmt::format("a node of the massless cable '{}'", place.cable),
                  "a cable with nodes: ancf or np-fem",
                  "A massless cable has no nodes; attach it to frames.");
  }

  /// The same node counted from the start.
  [[nodiscard]] Place counted(const Place& place) const {
    const Cable* cable = find(place);
    if (!cable || place.node >= 0) return place;
    return {place.cable, cable->elements + 1 + place.node};
  }

  [[nodiscard]] std::optional<Vec3> start(const Place& place) {
    const Cable* cable = find(place);
    const int node = counted(place).node;
    if (!cable || node < 0 || node > cable->elements) return {};
    const auto [laid, fresh] = laid_.try_emplace(place.cable);
    if (fresh) laid->second = lay_cable(scene_, *cable);
    return laid->second[static_cast<size_t>(node)].position;
  }

 private:
  [[nodiscard]] const Cable* find(const Place& place) const {
    const auto found = cables_.find(place.cable);
    return found == cables_.end() ? nullptr : found->second;
  }

  const Scene& scene_;
  std::unordered_map<std::string, const Cable*> cables_;
  std::unordered_map<std::string, std::vector<NodeStart>> laid_;  // as they are asked for
};

bool meet(const Vec3& a, const Vec3& b) {
  return (a - b).norm() <= 1e-9 * (a.norm() + b.norm()) + 1e-12;  // the rest: at the origin
}

void validate_attachments(const Scene& scene, Nodes& nodes) {
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
    const ErrorObject who("cable", a.at.cable,
                          fmt::format("attachment of {} to '{}'", text_of(a.at), a.frame));
    nodes.require(a.at, who);
    const Vec3 frame = frame_start(scene, find_frame(scene, a.frame, who));
    if (!hold(a.at))
      throw Error(who, "a node that is already held", "a free node",
                  "Remove the pin, clamp, motion or other attachment there.");
    const std::optional<Vec3> node = nodes.start(a.at);
    if (node && !meet(*node, frame))
      throw Error(who, fmt::format("the node {:.4g} m from the frame", (*node - frame).norm()),
                  "both at the same initial position",
                  fmt::format("Route the cable through [{:.6g}, {:.6g}, {:.6g}] m.", frame.x(),
                              frame.y(), frame.z()));
  }
}

void validate_junctions(const Scene& scene, Nodes& nodes) {
  for (const Junction& j : scene.junctions) {
    const ErrorObject who(
        "cable", j.first.cable,
        fmt::format("junction of {} and {}", text_of(j.first), text_of(j.second)));
    nodes.require(j.first, who);
    nodes.require(j.second, who);
    const Place a = nodes.counted(j.first), b = nodes.counted(j.second);
    if (a.cable == b.cable && a.node == b.node)
      throw Error(who, "the same node twice", "two nodes");
    const std::optional<Vec3> start = nodes.start(a), other = nodes.start(b);
    if (start && other && !meet(*start, *other))
      throw Error(
          who, fmt::format("nodes {:.4g} m apart", (*start - *other).norm()),
          "nodes that coincide at the start",
          fmt::format("They are at [{:.6g}, {:.6g}, {:.6g}] m and [{:.6g}, {:.6g}, {:.6g}] "
                      "m.",
                      start->x(), start->y(), start->z(), other->x(), other->y(), other->z()));
  }
}

}  // namespace

/// A clamp that turns is the only one that holds the direction there.
static void validate_turns(const Scene& scene, const Nodes& nodes) {
  for (const Clamp& c : scene.clamps) {
    const ErrorObject who("cable", c.at.cable, fmt::format("clamp of {}", text_of(c.at)));
    require_sound(who, c.turn);
    require_finite(who.at("axis"), c.axis);
    if (c.axis.isZero())
      throw Error(who.at("axis"), "[0, 0, 0]", "a direction, the axis of rotation");
    if (const double angle = start_value(scene, c.turn); std::abs(angle) > 1e-9)
      throw Error(who.at("turn"), fmt::format("{:g} rad at t = 0", angle), "0 at the start",
                  "The angle is measured from the initial direction of the cable.");
    if (!turns(c)) continue;
    const Place at = nodes.counted(c.at);
    const auto there = [&](const Place& place) {
      const Place p = nodes.counted(place);
      return p.cable == at.cable && p.node == at.node;
    };
    const bool twice =
        std::count_if(scene.clamps.begin(), scene.clamps.end(),
                      [&](const Clamp& other) { return there(other.at); }) > 1 ||
        std::any_of(scene.motions.begin(), scene.motions.end(), [&](const Motion& m) {
          return m.coordinate >= Coordinate::slope_x && there(m.at);
        });
    if (twice)
      throw Error(who, "a turning clamp where the direction is already held", "one of them",
                  "Remove the other clamp or motion.");
  }
}

void validate_places(const Scene& scene) {
  Nodes nodes(scene);
  for (const Pin& p : scene.pins) nodes.require(p.at, "pin");
  for (const Clamp& c : scene.clamps) nodes.require(c.at, "clamp");
  for (const Motion& m : scene.motions) nodes.require(m.at, "motion");
  for (const LinearCondition& c : scene.conditions)
    for (const auto& term : c.terms) nodes.require(term.at, ErrorObject("condition", c.name));
  for (const PointForce& f : scene.point_forces) nodes.require(f.at, "point force");
  for (const DistributedForce& f : scene.distributed_forces)
    nodes.require({f.cable, 0}, "distributed force");
  for (const Moment& m : scene.moments) nodes.require(m.at, "moment");
  for (const PointMass& m : scene.point_masses) nodes.require(m.at, "point mass");
  validate_turns(scene, nodes);
  validate_attachments(scene, nodes);
  validate_junctions(scene, nodes);
}

}  // namespace hawser

#include <fmt/format.h>

#include <limits>
#include <unordered_map>

#include "hawser/error.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/shape.h"
#include "model/signals.h"
#include "model/validate.h"

namespace hawser {
namespace {

/// The nodes of cables at the start.
class Nodes {
 public:
  explicit Nodes(const Scene& scene) : scene_(scene), routes_(routes_of(scene)) {
    for (size_t i = 0; i < scene.cables.size(); ++i) cables_[scene.cables[i].name] = i;
    for (const Route& route : routes_) arcs_.push_back(node_arcs(route));
  }

  [[nodiscard]] int number(const Place& place) const {
    return node_at(arcs_[cables_.at(place.cable)], place);
  }

  [[nodiscard]] Vec3 start(const Place& place) {
    const size_t cable = cables_.at(place.cable);
    const auto [laid, fresh] = laid_.try_emplace(cable);
    if (fresh) laid->second = lay_cable(scene_, scene_.cables[cable], routes_[cable]);
    return laid->second[static_cast<size_t>(number(place))].position;
  }

 private:
  const Scene& scene_;
  std::vector<Route> routes_;
  std::vector<std::vector<double>> arcs_;
  std::unordered_map<std::string, size_t> cables_;
  std::unordered_map<size_t, std::vector<NodeStart>> laid_;  // as they are asked for
};

bool meet(const Vec3& a, const Vec3& b) {
  return (a - b).norm() <= 1e-9 * (a.norm() + b.norm()) + 1e-12;  // the rest: at the origin
}

void validate_junctions(const Scene& scene) {
  if (scene.junctions.empty()) return;
  Nodes nodes(scene);
  for (const Junction& j : scene.junctions) {
    const auto who = [&] {
      return ErrorObject("cable", j.first.cable,
                         fmt::format("junction of {} and {}", j.first.text(), j.second.text()));
    };
    if (j.first.cable == j.second.cable && nodes.number(j.first) == nodes.number(j.second))
      throw Error(who(), "the same place twice", "two places");
    const Vec3 start = nodes.start(j.first), other = nodes.start(j.second);
    if (!meet(start, other))
      throw Error(who(), fmt::format("places {:.4g} m apart", (start - other).norm()),
                  "places that coincide at the start",
                  fmt::format("They are at [{:.6g}, {:.6g}, {:.6g}] m and [{:.6g}, {:.6g}, {:.6g}] "
                              "m.",
                              start.x(), start.y(), start.z(), other.x(), other.y(), other.z()));
  }
}

}  // namespace

void require_fixed(const Scene& scene, const std::string& name, const ErrorObject& who) {
  for (const Support& s : scene.supports)
    if (s.name == name && s.slides)
      throw Error(who, fmt::format("'{}', which slides freely", name),
                  "a support that is fixed in every direction",
                  "Use a body on a slider joint instead.");
}

void require_still(const Scene& scene, const std::string& name, const ErrorObject& who) {
  require_fixed(scene, name, who);
  for (const Support& s : scene.supports)
    if (s.name == name && s.turn)
      throw Error(who, fmt::format("'{}', which turns", name), "a support without a turn",
                  "It acts on clamped ancf cables only. Use a hinge to rotate bodies.");
}

void validate_holds(const Scene& scene, const Cable& cable) {
  const ErrorObject who("cable", cable.name);
  for (const Stop& stop : cable.route) {
    if (stop.kind == Stop::Kind::free) continue;
    const FrameRef frame = find_stop(scene, stop, who);
    if (frame.support < 0) continue;
    const bool clamped = stop.kind == Stop::Kind::clamp && cable.model == CableModel::ancf;
    if (scene.supports[static_cast<size_t>(frame.support)].turn && !clamped)
      throw Error(who.at("route"), fmt::format("a cable that is free to rotate at '{}'", stop.on),
                  "a clamp of an ancf cable, on which the turn of the support can act");
  }
}

void validate_places(const Scene& scene) {
  std::unordered_map<std::string, double> lengths;  // of cables with elements
  for (const Cable& c : scene.cables)
    if (c.model != CableModel::massless) lengths[c.name] = route_length(scene, c);
  const auto require = [&](const Place& place, const ErrorObject& who) {
    const ErrorObject object("cable", place.cable, who.text);
    const auto found = lengths.find(place.cable);
    if (found == lengths.end() && find_cable(scene, place.cable, who) >= 0)
      throw Error(object, fmt::format("a place on the massless cable '{}'", place.cable),
                  "a cable with elements: ancf or np-fem",
                  "A massless cable has no nodes; attach it to frames.");
    const double length = found->second, s = arc_of(place, length);
    if (!(s >= -same_place * length) || !(s <= (1 + same_place) * length))
      throw Error(object, place.text(), fmt::format("0 to {:g} m, the cable's length", length));
  };
  for (const LinearCondition& c : scene.conditions)
    for (const auto& term : c.terms) require(term.at, ErrorObject("condition", c.name));
  for (const PointForce& f : scene.point_forces) require(f.at, "point force");
  for (const DistributedForce& f : scene.distributed_forces) {
    require(Place::at(f.cable, f.from), "distributed force");
    if (f.to != std::numeric_limits<double>::infinity())
      require(Place::at(f.cable, f.to), "distributed force");
    if (!(f.from < f.to))
      throw Error(ErrorObject("cable", f.cable, "distributed force"),
                  fmt::format("a part from {:g} m to {:g} m", f.from, f.to),
                  "a part that starts before its end");
    for (const double s : f.along.kinks()) require(Place::at(f.cable, s), "distributed force");
  }
  for (const Moment& m : scene.moments) require(m.at, "moment");
  for (const PointMass& m : scene.point_masses) require(m.at, "point mass");
  for (const Junction& j : scene.junctions)
    for (const Place& place : {j.first, j.second}) require(place, "junction");
  validate_junctions(scene);
}

}  // namespace hawser

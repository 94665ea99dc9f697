#include "model/along.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "elements/cable_elements.h"
#include "hawser/error.h"
#include "model/flows.h"
#include "model/frames.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "model/route.h"
#include "model/tangents.h"
#include "model/validate.h"

namespace hawser {
namespace {

const Support& plane_of(const Scene& scene, const Along& along, const ErrorObject& who) {
  const FrameRef frame = find_frame(scene, along.on, who);
  if (frame.support >= 0 && scene.supports[static_cast<size_t>(frame.support)].normal)
    return scene.supports[static_cast<size_t>(frame.support)];
  throw Error(who.at("along"), fmt::format("'{}', which has no plane", along.on),
              "a support with a `normal`", "Give the support a normal, away from the surface.");
}

void validate_plane(const Scene& scene, const Cable& cable, const Along& along,
                    const Support& plane, const ErrorObject& who) {
  require_not_negative(who.at("friction"), along.friction, "");
  require_positive(who.at("regularization"), along.regularization, "m/s");
  require_fixed(scene, plane.name, who.at("along"));
  require_finite(who.at("normal"), *plane.normal);
  if (!(plane.normal->norm() > 0))
    throw Error(who.at("along"), fmt::format("'{}' with a normal of zero length", plane.name),
                "a direction");
  if (moves(plane))
    throw Error(who.at("along"), fmt::format("'{}', which moves", plane.name),
                "a support that does not move");
  for (const Section& section : cable.sections) {
    const double across = flow_gravity(scene, section).dot(*plane.normal);
    if (across > 0 || (across == 0 && along.friction > 0))
      throw Error(who.at("along"),
                  fmt::format("'{}', against which no weight presses the cable", plane.name),
                  "a normal away from the surface, against gravity",
                  across > 0 ? "Turn the normal round." : "Remove its `friction`.");
  }
}

/// Nodes from the stop to the next.
struct NodeRange {
  int first = 0, last = 0;
};

/// The end of the part of a cable that is before or after a hand-over that it has run out of; -1:
/// it is on the other side.
int end_node(const ModelData& model, const HandOver& gone, bool before) {
  const auto c = static_cast<size_t>(gone.cable);
  for (const Mesh::RunOut& run_out : run_outs_of(model.mesh, c))
    if (run_out.stop == gone.stop && run_out.after == before) return -1;
  const CableSpan& span = model.cables[c];
  int first = span.first_node, last = span.first_node + span.nodes - 1;  // between hand-overs
  for (const HandOver& h : model.hand_overs) {
    if (h.cable != gone.cable || !h.here()) continue;
    if (h.stop < gone.stop) first = std::max(first, h.node);
    if (h.stop > gone.stop) last = std::min(last, h.node);
  }
  int end = before ? last : first;
  for (const SplitNode& cut : model.cuts)
    if (cut.node > first && cut.node < last)
      end = before ? std::min(end, cut.node) : std::max(end, cut.node + 1);
  return end;
}

/// The node at which a cable leaves a stop, or, before it, reaches it; where it has run out of
/// that, the end of what lies there, and -1: nothing does.
int stop_node(const ModelData& model, int cable, size_t stop, double s, bool before) {
  const auto c = static_cast<size_t>(cable);
  const Cable& owner = model.scene.cables[c];
  const ErrorObject who("cable", owner.name);
  for (const HandOver& h : model.hand_overs) {
    if (h.cable != cable || h.stop != static_cast<int>(stop)) continue;
    if (h.kind == HandOver::Kind::off)
      throw Error(who, fmt::format("a cable that has come off '{}'", owner.route[stop].text()),
                  "a cable that stays on it where it goes on along a plane");
    if (h.kind == HandOver::Kind::out) return end_node(model, h, before);
    return h.kind == HandOver::Kind::supply || before ? h.node : h.node + 1;
  }
  return node_at(model, cable, s, who);
}

NodeRange nodes_along(const ModelData& model, int cable, size_t stop) {
  const Route& route = model.routes[static_cast<size_t>(cable)];
  double s = 0;
  for (size_t k = 0; k <= stop; ++k) {
    s += k > 0 ? route[k].pieces.front().arc : 0;
    if (k < stop) s += route[k].length;
  }
  const NodeRange out{stop_node(model, cable, stop, s, false),
                      stop_node(model, cable, stop + 1, s + route[stop].length, true)};
  return out.first < 0 || out.last < 0 ? NodeRange{} : out;
}

/// The elements of a run between two nodes, as flowing ones; none: there are none.
FlowBatch part_of(const ModelData& model, size_t run, const NodeRange& nodes) {
  const ElementRun& all = model.fields[run]->run;
  FlowBatch out;
  if (all.flows) {
    out = std::static_pointer_cast<const FlowElements>(model.terms[run])->batch();
  } else {
    const Section& section = model.section_of(all);
    out.ancf = std::static_pointer_cast<const CableElements>(model.terms[run])->batch();
    out.parameters = flow_parameters({section.EA, section.EI}, section.mass,
                                     flow_gravity(model.scene, section).data(), all.axial_points,
                                     all.bending_points);
    out.first_scalar_at = model.structure.scalar(0);
    for (int i = 0; i <= all.elements; ++i)
      out.nodes.emplace_back().base = all.arc_start + i * all.length;
  }
  out.stores = false;
  const int from = std::max(all.first_node, nodes.first),
            to = std::min(all.first_node + all.elements, nodes.last);
  out.ancf.elements = std::max(0, to - from);
  out.ancf.first_node = from;
  out.ancf.first_element += from - all.first_node;
  if (out.ancf.elements > 0)
    out.nodes = {out.nodes.begin() + (from - all.first_node),
                 out.nodes.begin() + (to - all.first_node) + 1};
  return out;
}

/// Calls `call(along, plane, batch)` for all elements that lie on planes.
template <class Call>
void for_lying(const ModelData& model, const Call& call) {
  for (size_t c = 0; c < model.cables.size(); ++c) {
    const Cable& cable = model.scene.cables[c];
    for (size_t k = 0; k < cable.route.size(); ++k) {
      if (!cable.route[k].along) continue;
      const Along& along = *cable.route[k].along;
      const Support& plane = plane_of(model.scene, along, ErrorObject("cable", cable.name));
      const NodeRange nodes = nodes_along(model, static_cast<int>(c), k);
      const CableSpan& span = model.cables[c];
      for (int i = 0; i < span.runs; ++i) {
        FlowBatch batch = part_of(model, static_cast<size_t>(span.first_run + i), nodes);
        if (batch.ancf.elements > 0) call(c, along, plane, std::move(batch));
      }
    }
  }
}

/// Distributed forces on a cable, as those that press it on a plane.
std::vector<PressingLoad> pressing_loads(const ModelData& model, size_t cable, const Vec3& normal) {
  std::vector<PressingLoad> out;
  for (const DistributedForce& f : model.scene.distributed_forces) {
    const double across = -f.force.dot(normal);
    if (find_cable(model.scene, f.cable, "distributed force") != static_cast<int>(cable) ||
        across == 0)
      continue;
    out.push_back({across, f.strength, f.along, f.from > 0 ? f.from : -HUGE_VAL, f.to});
  }
  return out;
}

/// A node of a run with friction.
struct RunNode {
  SlidingRun* run;
  int element, end;

  PressedNode& pressed() const {
    for (PressedNode& node : run->nodes)
      if (node.element == element && node.end == end) return node;
    return run->nodes.emplace_back(PressedNode{element, end, 0, {}});
  }
};

/// Where two runs meet, of the second one; none: the node lies on no plane with friction.
std::optional<RunNode> find_in(std::vector<SlidingRun>& runs, int node) {
  for (const int end : {0, 1})
    for (SlidingRun& run : runs) {
      const AncfBatch& batch = run.elements->batch().ancf;
      const int element = node - batch.first_node - end;
      if (element >= 0 && element < batch.elements) return RunNode{&run, element, end};
    }
  return {};
}

/// Masses and forces at nodes that lie on planes.
void press_nodes(const ModelData& model, std::vector<SlidingRun>& runs) {
  for (const PointMass& m : model.scene.point_masses)
    if (const auto at = find_in(runs, find_node(model, m.at, "point mass")))
      at->pressed().weight -= m.mass * model.scene.gravity.dot(at->run->normal);
  for (const PointForce& f : model.scene.point_forces) {
    const auto at = find_in(runs, find_node(model, f.at, "point force"));
    if (!at) continue;
    const double across = -f.force.dot(at->run->normal);
    if (across != 0) at->pressed().forces.emplace_back(across, f.strength);
  }
}

}  // namespace

void validate_along(const Scene& scene, const Cable& cable) {
  constexpr double off = 1e-6;  // of the length
  const ErrorObject who("cable", cable.name);
  for (size_t k = 0; k < cable.route.size(); ++k) {
    if (!cable.route[k].along) continue;
    const Along& along = *cable.route[k].along;
    if (cable.model != CableModel::ancf)
      throw Error(who.at("along"), "a cable without bending that lies on a plane",
                  "the model ancf");
    if (k + 1 == cable.route.size())
      throw Error(who.at("along"), "a plane after the last point of the route",
                  "a plane between two points");
    const Support& plane = plane_of(scene, along, who);
    validate_plane(scene, cable, along, plane, who);
    const Initial shape = cable.initial.value_or(scene.initial);
    if (shape == Initial::catenary || shape == Initial::points)
      throw Error(who.at("initial"), "a curve of a cable that lies on a plane",
                  "straight, or the whole scene in static equilibrium");
    const TangentSpan span = tangent_spans(scene, cable)[k];
    const double length = (span.to - span.from).norm();
    for (const Vec3& point : {span.from, span.to}) {
      const double height = plane.normal->normalized().dot(point - plane.position);
      if (std::abs(height) > off * length)
        throw Error(who.at("along"),
                    fmt::format("the point [{:g}, {:g}, {:g}] {:.4g} m {} the plane of '{}'",
                                point.x(), point.y(), point.z(), std::abs(height),
                                height > 0 ? "above" : "below", plane.name),
                    "points on the plane at both ends of the part that lies on it");
    }
  }
}

std::vector<SupportedRun> supported_runs(const ModelData& model) {
  std::vector<SupportedRun> out;
  for_lying(model, [&](size_t cable, const Along&, const Support& plane, FlowBatch batch) {
    SupportedRun run;
    run.normal = plane.normal->normalized();
    run.height = run.normal.dot(plane.position);
    const FlowParameters& par = batch.parameters;
    run.weight = -par.mass * run.normal.dot(Eigen::Map<const Vec3>(par.gravity));
    // As stiff as the elements are along themselves: no motion is faster than theirs.
    const double l = element_length(model, cable);
    run.stiffness = par.unit.law.EA / (l * l);
    run.batch = std::move(batch);
    out.push_back(std::move(run));
  });
  return out;
}

std::vector<SlidingRun> sliding_runs(const ModelData& model) {
  std::vector<SlidingRun> out;
  for_lying(model, [&](size_t cable, const Along& along, const Support& plane, FlowBatch batch) {
    if (!(along.friction > 0)) return;
    const Vec3 normal = plane.normal->normalized();
    SlidingRun run{std::make_shared<FlowElements>(std::move(batch)),
                   normal,
                   along.friction,
                   along.regularization,
                   pressing_loads(model, cable, normal),
                   {}};
    out.push_back(std::move(run));
  });
  if (!out.empty()) press_nodes(model, out);
  return out;
}

}  // namespace hawser

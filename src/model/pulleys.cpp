#include "model/pulleys.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "constraints/poses.h"
#include "hawser/state.h"
#include "model/frames.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "model/section_joints.h"
#include "model/sections.h"

namespace hawser {

/// What joints change of an arc, which begins with one section and ends with another.
static void join_sections(const ModelData& model, const HandOver& h, PulleyArc& arc) {
  const auto c = static_cast<size_t>(h.cable);
  const Cable& cable = model.scene.cables[c];
  const SectionsBeside beside = sections_beside(model, h);
  if (beside.before >= beside.after || !(arc.radius > 0)) return;
  const std::vector<double> ends = section_ends(cable, model.mesh.s[c].back());
  for (int k = beside.before; k < beside.after; ++k) {
    const auto i = static_cast<size_t>(k);
    const Section &before = cable.sections[i], &after = cable.sections[i + 1];
    arc.joints.push_back({ends[i], before.mass - after.mass,
                          before.mass * flow_gravity(model.scene, before) -
                              after.mass * flow_gravity(model.scene, after)});
  }
}

std::vector<PulleyArc> pulley_arcs(ModelData& model) {
  std::vector<PulleyArc> out;
  const Scene& scene = model.scene;
  for (const HandOver& h : model.hand_overs) {
    if (h.leaving == h.scalar && h.here()) continue;
    const Cable& cable = scene.cables[static_cast<size_t>(h.cable)];
    const Section& section = cable.sections[static_cast<size_t>(sections_beside(model, h).after)];
    PulleyArc& arc = out.emplace_back();
    arc.scalars[0] = h.scalar;
    arc.scalars[1] = h.leaving;
    if (!h.here()) continue;
    arc.node = h.node;
    const Stop& stop = cable.route[static_cast<size_t>(h.stop)];
    const FrameRef frame = find_stop(scene, stop, ErrorObject("cable", cable.name));
    arc.moves = frame.body >= 0 ||
                (frame.support >= 0 && moves(scene.supports[static_cast<size_t>(frame.support)]));
    arc.radius = stop.radius;
    if (cable.model == CableModel::np_fem) arc.beside[0] = h.node - 1, arc.beside[1] = h.node + 2;
    arc.element = static_cast<int>(model.structure.elements.size());
    model.structure.elements.emplace_back(h.node, h.node + 1);
    arc.parameters = flow_parameters({section.EA, section.EI}, section.mass,
                                     flow_gravity(scene, section).data(), 1, 1);
    join_sections(model, h, arc);
  }
  return out;
}

namespace {

constexpr double landing_depth = 1e-3;  ///< by the radius
/// By the radius: a cable further from the plane of the groove passes beside the pulley.
constexpr double groove_reach = 0.1;
constexpr double ends_apart = 0.1;  ///< of a pulley and the next hand-over, by an element
constexpr int looks = 8;            ///< at an element

/// Whether the angle on a pulley falls, and has shrunk to zero or would in the middle of the next
/// step: a cable that is held too long, or let go too early, is by half a step at most.
bool comes_off(const ArcData& arc, const State& state) {
  if (arc.off() || !(arc.radius > 0)) return false;
  const double theta = arc.theta(state.wrap), *q = state.q.data();
  constexpr double small = 0.5;  // [rad]
  if (theta > small) return false;
  const Vec3 along =
      (arc.direction(0, q).normalized() + arc.direction(1, q).normalized()).normalized();
  const double rate =
      along.dot(state.velocity(arc.nodes[1]) - state.velocity(arc.nodes[0])) / arc.radius;
  return rate < 0 && theta + rate * state.h_before / 2 <= 0;
}

/// A point of a cable, as a pulley that it is off sees it.
struct Near {
  double s = 0;                ///< material coordinate [m]
  double distance = HUGE_VAL;  ///< from the axis [m]
  double rate = 0;             ///< of the distance [m/s]
  bool fits = false;           ///< in the groove, and running around the axis as the route does
};

class Approach {
 public:
  Approach(const ModelData& model, const State& state, const Poses& poses, const ArcData& arc)
      : model_(model), state_(state), poses_(poses), arc_(arc) {
    centre_ = poses.point(arc.centre, state.q.data());
    axis_ = poses.direction(arc.axis, state.q.data()).value;
  }

  /// The nearest point between material coordinates.
  [[nodiscard]] Near nearest(double from, double to) {
    Near best;
    for (const Fields* part : model_.fields_of(arc_.cable))
      for (int e = 0; e < part->run.elements; ++e)
        for (int k = 0; k <= looks; ++k) {
          const Near at = look(*part, e, static_cast<double>(k) / looks);
          if (at.s > from && at.s < to && at.distance < best.distance)
            best = at, part_ = part, element_ = e, xi_ = static_cast<double>(k) / looks;
        }
    return part_ ? refined(best) : best;
  }

 private:
  [[nodiscard]] Near look(const Fields& part, int element, double xi) const {
    const double* q = state_.q.data();
    const Vec3 from = part.position(q, element, xi) - centre_.value;
    const double aside = axis_.dot(from);
    const Vec3 across = from - aside * axis_, n = across.normalized();
    Near out;
    out.s = part.arc(q, element, xi);
    out.distance = across.norm();
    out.fits = std::abs(aside) < groove_reach * arc_.radius &&
               part.slope(q, element, xi).dot(axis_.cross(n)) > 0;
    out.rate = n.dot(part.velocity(q, state_.v.data(), element, xi)) - centre_rate(n);
    return out;
  }

  /// How fast the centre moves along n.
  [[nodiscard]] double centre_rate(const Vec3& n) const {
    if (arc_.centre.node < 0) return n.dot(poses_.velocity(arc_.centre));
    using Six = Eigen::Map<const Vec6>;
    return centre_.gradient(n).dot(Six(state_.v.data() + node_size * arc_.centre.node));
  }

  /// By halving around the nearest of the points looked at, within its element.
  [[nodiscard]] Near refined(Near best) {
    for (double width = 1.0 / looks; width > 1e-6; width /= 2)
      for (const double xi : {std::max(0.0, xi_ - width / 2), std::min(1.0, xi_ + width / 2)})
        if (const Near at = look(*part_, element_, xi); at.distance < best.distance)
          best = at, xi_ = xi;
    return best;
  }

  const ModelData& model_;
  const State& state_;
  const Poses& poses_;
  const ArcData& arc_;
  Operand centre_;
  Vec3 axis_;
  const Fields* part_ = nullptr;  ///< where the nearest point found is
  int element_ = 0;
  double xi_ = 0;
};

/// Where a cable lands on the pulley that it is off; nothing: nowhere.
std::optional<double> lands(const ModelData& model, const State& state, const Poses& poses,
                            const ArcData& arc) {
  const auto& nodes = model.mesh.s[static_cast<size_t>(arc.cable)];
  double from = nodes.front(), to = nodes.back();  // what is between the hand-overs beside it
  for (const HandOver& h : model.hand_overs) {
    if (h.cable != arc.cable || !h.here()) continue;
    if (h.stop < arc.stop) from = state.q[static_cast<size_t>(model.structure.scalar(h.leaving))];
    if (h.stop > arc.stop)
      to = std::min(to, state.q[static_cast<size_t>(model.structure.scalar(h.scalar))]);
  }
  const double margin = ends_apart * element_length(model, static_cast<size_t>(arc.cable));
  Near at = Approach(model, state, poses, arc).nearest(from + margin, to - margin);
  // The step that goes into the circle ends as far inside as the one before it was outside, or
  // less.
  const double ahead = at.distance + std::min(0.0, at.rate) * state.h_before / 2;
  if (!at.fits || !(at.rate < 0) || !(ahead < (1 - landing_depth) * arc.radius))
    return std::nullopt;
  const double apart = 2 * shortest_element * nodes.back();
  for (const double s : nodes)  // not on a node: fields go over to both nodes of the pulley
    if (std::abs(at.s - s) < apart) at.s = s + apart;
  return at.s;
}

/// One node more or less before those of other pulleys.
void shift(std::vector<int>& wraps, int from, int by) {
  for (int& node : wraps)
    if (node >= from) node += by;
}

}  // namespace

std::optional<Mesh> mesh_off_pulleys(const ModelData& model, const State& state) {
  const Mechanism& m = model.mechanism;
  std::optional<Mesh> out;
  std::optional<Poses> poses;
  for (const ArcData& arc : m.arcs) {
    std::optional<double> landing;
    if (arc.off() && !arc.out) {
      if (!poses) {
        poses.emplace(m.bodies, m.motions, m.turns);
        poses->update(state.q.data(), state.now(), 0, state.orientation);
      }
      landing = lands(model, state, *poses, arc);
    }
    if (!landing && !comes_off(arc, state)) continue;
    if (!out) out = mesh_at(model, state.q.data());
    const auto c = static_cast<size_t>(arc.cable);
    const std::vector<size_t> stops = pulley_stops(model.scene.cables[c]);
    const auto pulley = static_cast<size_t>(
        std::find(stops.begin(), stops.end(), static_cast<size_t>(arc.stop)) - stops.begin());
    std::vector<double>& s = out->s[c];
    std::vector<int>& wraps = out->wraps[c];
    if (landing) {
      const auto at = std::lower_bound(s.begin(), s.end(), *landing);
      const int node = static_cast<int>(at - s.begin());
      s.insert(at, 2, *landing);
      shift(wraps, node, 2);
      wraps[pulley] = node;
    } else {
      const int node = wraps[pulley];
      const auto first = s.begin() + node;
      *first = (*first + *(first + 1)) / 2;
      s.erase(first + 1);
      wraps[pulley] = -1;
      shift(wraps, node, -1);
    }
  }
  return out;
}

}  // namespace hawser

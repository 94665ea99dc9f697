#include "model/section_joints.h"

#include <algorithm>
#include <cmath>

#include "model/flows.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "model/route.h"
#include "model/sections.h"

namespace hawser {
namespace {

/// By the length of an element: nearer to a hand-over a joint goes without a node. And by that
/// reach: further beyond it with one again. Shorter elements have next to no inertia and stiffness.
constexpr double joint_near = 0.02, joint_beyond = 1.5;
/// The same at pulleys, of curved elements: short ones beside the point where cable touches a
/// pulley swing, most on bodies. It is less where cable counts as a heavier section than it is: it
/// has a negative mass at that point, less than what half of the arc has and than m l/16, which is
/// the least effective mass of an element there.
constexpr double near_pulley = 0.5, least_near_pulley = 0.04;
constexpr double arc_share = 0.8, element_share = 0.05;
constexpr double near_node = 0.1;  ///< nodes that nothing needs go where a joint is put in

/// The nodes of a cable with joints taken out and put in.
class JointNodes {
 public:
  JointNodes(const ModelData& model, size_t cable, Mesh& mesh)
      : cable_(model.scene.cables[cable]),
        s_(mesh.s[cable]),
        wraps_(mesh.wraps[cable]),
        joints_(section_joints(model.scene.cables[cable], model.own_mesh.s[cable])),
        kept_(kept_places(model, cable, false)),
        l_(element_length(model, cable)),
        curved_(model.scene.cables[cable].model == CableModel::ancf),
        reach_(s_.size(), 0),
        dropped_(s_.size(), 0) {}

  /// Cable is handed over at this node, before it or after it; `arc`: on a pulley [m], else 0.
  void hand_over(size_t node, double soon, bool before, double arc) {
    reach_[node] = std::max(joint_near * l_, soon);
    if (arc > 0 && curved_) pulleys_.push_back({node, before, arc});
  }
  /// The same where joints stay as they are.
  void leave(size_t node) { reach_[node] = HUGE_VAL; }
  /// Marks the joint beside a hand-over, in this direction.
  void take_out(size_t end, int direction) {
    const auto at = [&](long node) { return s_[static_cast<size_t>(node)]; };
    const long from = static_cast<long>(end), last = static_cast<long>(s_.size()) - 1;
    long node = from + direction;
    if (node < 0 || node > last) return;
    const SectionJoint* joint = joint_at(at(node));
    const double place = at(node), left = std::abs(place - at(from));
    if (!joint || !(left < reach(end, *joint)) || is_kept(place)) return;
    long beyond = node;
    for (int k = 0; k < joint->nodes; ++k) beyond += direction;
    // A cut has one node more. Of an element between two hand-overs the longer part counts.
    if (beyond < 0 || beyond > last || at(beyond) == place) return;
    if (reach_[static_cast<size_t>(beyond)] > 0 && !(std::abs(at(beyond) - place) > left)) return;
    for (; node != beyond; node += direction) dropped_[static_cast<size_t>(node)] = 1;
    changed_ = true;
  }
  /// The joints that have no node, where they are in an element and no longer at a hand-over, and
  /// with them those that are further beyond it.
  void put_in() {
    std::vector<std::pair<size_t, SectionJoint>> hidden;  // with the node after them
    for (const SectionJoint& joint : joints_) {
      if (joint.s <= s_.front() || has_node(joint.s)) continue;
      const auto after = std::upper_bound(s_.begin() + 1, s_.end() - 1, joint.s);
      const auto end = static_cast<size_t>(after - s_.begin());
      if (std::find(wraps_.begin(), wraps_.end(), static_cast<int>(end) - 1) == wraps_.end())
        hidden.emplace_back(end, joint);
    }
    for (const auto& [end, joint] : hidden) {
      const auto leaves = [&, end = end](const auto& other) {
        return other.first == end &&
               is_beyond(end - 1, other.second.s - s_[end - 1], other.second) &&
               is_beyond(end, s_[end] - other.second.s, other.second);
      };
      const bool own = leaves(std::pair(end, joint));
      const bool with =
          std::any_of(hidden.begin(), hidden.end(), [&, &joint = joint](const auto& other) {
            return leaves(other) &&
                   (reach_[end - 1] > 0 ? other.second.s < joint.s : other.second.s > joint.s);
          });
      if (!own && !with) continue;
      give_way(end - 1, joint.s - s_[end - 1]);
      give_way(end, s_[end] - joint.s);
      added_.emplace_back(end, joint);
      changed_ = true;
    }
  }
  /// False where nothing has changed.
  bool finish() {
    if (!changed_) return false;
    std::vector<double> next;
    std::vector<int> number(s_.size(), -1);  // of a node that stays
    for (size_t i = 0; i < s_.size(); ++i) {
      for (const auto& [before, joint] : added_)
        if (before == i) next.insert(next.end(), static_cast<size_t>(joint.nodes), joint.s);
      if (dropped_[i]) continue;
      number[i] = static_cast<int>(next.size());
      next.push_back(s_[i]);
    }
    for (int& wrap : wraps_)
      if (wrap >= 0) wrap = number[static_cast<size_t>(wrap)];
    s_ = std::move(next);
    return true;
  }

 private:
  struct AtPulley {
    size_t node;
    bool before;
    double arc;
  };
  /// How near a joint goes without a node.
  [[nodiscard]] double reach(size_t node, const SectionJoint& joint) const {
    double out = reach_[node];
    for (const AtPulley& at : pulleys_) {
      if (at.node != node) continue;
      const double first = mass(joint.before), second = mass(joint.before + 1),
                   far = at.before ? first : second, near = at.before ? second : first;
      const double least = (arc_share * near * at.arc / 2 + element_share * far * l_) /
                           (joint_beyond * std::max(far - near, 1e-3 * far));
      out = std::max(out, std::clamp(least, least_near_pulley * l_, near_pulley * l_));
    }
    return out;
  }
  [[nodiscard]] double mass(int section) const {
    return cable_.sections[static_cast<size_t>(section)].mass;
  }
  [[nodiscard]] bool same(double a, double b) const {
    return std::abs(a - b) <= 2 * same_place * s_.back();
  }
  [[nodiscard]] const SectionJoint* joint_at(double place) const {
    for (const SectionJoint& joint : joints_)
      if (same(joint.s, place)) return &joint;
    return nullptr;
  }
  [[nodiscard]] bool is_kept(double place) const {
    return std::any_of(kept_.begin(), kept_.end(), [&](double s) { return same(s, place); });
  }
  /// The node of a joint: nodes of hand-overs, which may be there for a moment, are none.
  [[nodiscard]] bool has_node(double place) const {
    for (size_t i = 0; i < s_.size(); ++i)
      if (reach_[i] == 0 && same(s_[i], place)) return true;
    return false;
  }
  /// Whether a joint so far from a node of its element may have a node.
  [[nodiscard]] bool is_beyond(size_t node, double away, const SectionJoint& joint) const {
    return !(reach_[node] > 0) || away > joint_beyond * reach(node, joint);
  }
  /// A node that nothing needs goes where a joint is too near.
  void give_way(size_t node, double away) {
    const bool inner = reach_[node] == 0 && node > 0 && node + 1 < s_.size() &&
                       s_[node - 1] != s_[node] && s_[node + 1] != s_[node];
    if (away < near_node * l_ && inner && !is_kept(s_[node]) && !joint_at(s_[node]))
      dropped_[node] = 1;
  }

  const Cable& cable_;
  std::vector<double>& s_;
  std::vector<int>& wraps_;
  std::vector<SectionJoint> joints_;
  std::vector<double> kept_;       ///< what else needs a node [m]
  double l_;                       ///< of an element [m]
  bool curved_;                    ///< ancf
  std::vector<double> reach_;      ///< by node: within it joints have none [m]; 0: no hand-over
  std::vector<AtPulley> pulleys_;  ///< nodes of curved elements there
  std::vector<char> dropped_;
  std::vector<std::pair<size_t, SectionJoint>> added_;  ///< before this node
  bool changed_ = false;
};

}  // namespace

std::vector<SectionJoint> section_joints(const Cable& cable, const std::vector<double>& own) {
  std::vector<SectionJoint> out;
  if (cable.sections.size() < 2 || own.empty()) return out;
  const std::vector<double> ends = section_ends(cable, own.back());
  for (size_t k = 0; k + 1 < ends.size(); ++k)
    for (size_t i = 0; i < own.size(); ++i) {
      if (std::abs(own[i] - ends[k]) > 2 * same_place * own.back()) continue;
      out.push_back(
          {own[i], i + 1 < own.size() && own[i + 1] == own[i] ? 2 : 1, static_cast<int>(k)});
      break;
    }
  return out;
}

int section_along(const Cable& cable, double length, double s) {
  const std::vector<double> ends = section_ends(cable, length);
  const auto at = std::upper_bound(ends.begin(), ends.end() - 1, s);
  return static_cast<int>(at - ends.begin());
}

int section_of_element(const Cable& cable, double length, double a, double b, bool at_a,
                       bool at_b) {
  constexpr double inside = 1e-3;
  const double xi = at_a == at_b ? 0.5 : (at_a ? 1 - inside : inside);
  return section_along(cable, length, a + xi * (b - a));
}

SectionsBeside sections_beside(const ModelData& model, const HandOver& h) {
  SectionsBeside out;
  if (h.node < 0) return out;
  const CableSpan& span = model.cables[static_cast<size_t>(h.cable)];
  const int next = h.kind == HandOver::Kind::supply ? h.node : h.node + 1;
  for (int i = span.first_run; i < span.first_run + span.runs; ++i) {
    const ElementRun& run = model.fields[static_cast<size_t>(i)]->run;
    if (run.first_node + run.elements == h.node) out.before = run.section;
    if (run.first_node == next) out.after = run.section;
  }
  if (h.kind == HandOver::Kind::supply) out.before = out.after;
  return out;
}

bool pass_joints(const ModelData& model, const std::vector<std::array<double, 2>>& soon,
                 Mesh& out) {
  bool changed = false;
  for (size_t c = 0; c < model.cables.size(); ++c) {
    if (model.scene.cables[c].sections.size() < 2 || !flows(model.scene.cables[c])) continue;
    JointNodes nodes(model, c, out);
    struct End {
      size_t node;
      int direction;
    };
    std::vector<End> ends;
    for (size_t i = 0; i < model.hand_overs.size(); ++i) {
      const HandOver& h = model.hand_overs[i];
      if (h.cable != static_cast<int>(c) || !h.here()) continue;
      const auto node = static_cast<size_t>(h.node - model.cables[c].first_node);
      const bool supply = h.kind == HandOver::Kind::supply;
      const double arc = h.kind == HandOver::Kind::pulley
                             ? std::max(out.s[c][node + 1] - out.s[c][node], 1e-9)
                             : 0;
      if (!supply) ends.push_back({node, -1}), nodes.hand_over(node, soon[i][0], true, arc);
      const size_t next = supply ? node : node + 1;
      ends.push_back({next, 1}), nodes.hand_over(next, soon[i][1], false, arc);
    }
    for (const End& end : ends) nodes.take_out(end.node, end.direction);
    nodes.put_in();
    changed |= nodes.finish();
  }
  return changed;
}

void restore_joints(const ModelData& model, Mesh& out) {
  for (size_t c = 0; c < model.cables.size(); ++c) {
    const Cable& cable = model.scene.cables[c];
    if (cable.sections.size() < 2 || !flows(cable)) continue;
    JointNodes nodes(model, c, out);
    const std::vector<double>&s = out.s[c], &cuts = cuts_of(out, c);
    const std::vector<SectionJoint> joints = section_joints(cable, model.own_mesh.s[c]);
    if (is_supplied(cable)) nodes.leave(0);
    for (size_t i = 0; i + 1 < s.size(); ++i) {
      const bool wraps = std::find(out.wraps[c].begin(), out.wraps[c].end(), static_cast<int>(i)) !=
                         out.wraps[c].end();
      const bool joint = std::any_of(joints.begin(), joints.end(),
                                     [&](const SectionJoint& at) { return at.s == s[i]; });
      if (!wraps &&
          (s[i] != s[i + 1] || joint || std::binary_search(cuts.begin(), cuts.end(), s[i])))
        continue;
      nodes.leave(i);
      nodes.leave(i + 1);
    }
    nodes.put_in();
    nodes.finish();
  }
}

}  // namespace hawser

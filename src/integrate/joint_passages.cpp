#include "integrate/joint_passages.h"

#include <algorithm>
#include <cmath>

#include "hawser/state.h"
#include "model/flows.h"
#include "model/section_joints.h"

namespace hawser {
namespace {

/// The node of a hand-over on one side of it, among those of its cable.
int node_beside(const ModelData& model, const HandOver& h, bool after) {
  const int node = h.node - model.cables[static_cast<size_t>(h.cable)].first_node;
  return after && h.kind != HandOver::Kind::supply ? node + 1 : node;
}

/// The joint at a node, which has none in another mesh; null: none.
const SectionJoint* joint_only_at(const std::vector<SectionJoint>& joints,
                                  const std::vector<double>& s, int node,
                                  const std::vector<double>& other) {
  if (node < 0 || node >= static_cast<int>(s.size())) return nullptr;
  const auto at = std::find_if(joints.begin(), joints.end(), [&](const SectionJoint& joint) {
    return joint.s == s[static_cast<size_t>(node)] &&
           std::find(other.begin(), other.end(), joint.s) == other.end();
  });
  return at == joints.end() ? nullptr : &*at;
}

}  // namespace

JointPassages::JointPassages(const ModelData& from, const ModelData& to) {
  for (size_t i = 0; i < to.hand_overs.size(); ++i) {
    const HandOver &was = from.hand_overs[i], &is = to.hand_overs[i];
    const auto c = static_cast<size_t>(is.cable);
    const Cable& cable = to.scene.cables[c];
    if (cable.sections.size() < 2 || !was.here() || !is.here()) continue;
    const std::vector<SectionJoint> joints = section_joints(cable, to.own_mesh.s[c]);
    for (const bool after : {false, true}) {
      if (!after && is.kind == HandOver::Kind::supply) continue;
      const int direction = after ? 1 : -1;
      const int before = node_beside(from, was, after), now = node_beside(to, is, after);
      const std::vector<double>&old = from.mesh.s[c], &next = to.mesh.s[c];
      const SectionJoint* had = joint_only_at(joints, old, before + direction, next);
      const SectionJoint* has = joint_only_at(joints, next, now + direction, old);
      if ((had == nullptr) == (has == nullptr)) continue;
      const bool in = has != nullptr;
      const SectionJoint& joint = in ? *has : *had;
      const std::vector<double>& s = in ? next : old;
      const int end = in ? now : before, beyond = end + direction * (1 + joint.nodes);
      if (beyond < 0 || beyond >= static_cast<int>(s.size())) continue;
      const double places[3] = {s[static_cast<size_t>(end)], joint.s,
                                s[static_cast<size_t>(beyond)]};
      Passage out{to.cables[c].first_node + now,    direction, in, {}, {},
                  cable.model == CableModel::np_fem};
      if (is.kind == HandOver::Kind::pulley) {
        out.flow = to.structure.scalar(after ? is.leaving : is.scalar);
        for (const ArcData& arc : to.mechanism.arcs)
          if (arc.cable == is.cable && arc.stop == is.stop && arc.rub >= 0) out.run = arc.run;
      }
      for (const size_t k : {0u, 1u}) {
        out.length[k] = std::abs(places[k + 1] - places[k]);
        const int section = section_along(cable, s.back(), (places[k] + places[k + 1]) / 2);
        out.EA[k] = cable.sections[static_cast<size_t>(section)].EA;
      }
      if (out.EA[0] != out.EA[1]) passages_.push_back(out);
    }
  }
}

/// `strain`: of the part up to the joint.
void JointPassages::move_flow(const Passage& p, double strain, State& state) {
  const double T = p.EA[0] * strain,
               by = p.length[0] * T * (1 / p.EA[0] - 1 / p.EA[1]) * (p.put_in ? 1 : -1);
  // The part up to the joint is that much shorter when it counts as one of the other section.
  const double moved = -p.direction * by;
  state.q[static_cast<size_t>(p.flow)] -= moved;
  if (p.run < 0) return;
  state.run_length[static_cast<size_t>(p.run)] -= moved / 2;
  state.run_length[static_cast<size_t>(p.run) + 1] += moved / 2;
}

void JointPassages::place(State& state) const {
  using Vector = Eigen::Map<Vec3>;
  for (const Passage& p : passages_) {
    const auto at = [&](int steps) {
      return state.q.data() + node_size * (p.end + p.direction * steps);
    };
    const double l = p.length[0] + p.length[1], ratio = p.EA[0] / p.EA[1];
    const bool pulley = p.flow >= 0;
    if (!p.put_in) {
      double strain = 0;
      if (p.straight) {
        const double stretch = (Vector(at(1)) - Vector(at(0))).norm() / l - 1;  // of both parts
        strain = stretch * l / (p.length[0] + p.length[1] * ratio);
        if (!(strain > 0)) continue;
      } else {
        Vector g(at(0) + 3);
        strain = g.norm() - 1;
        const double beyond = strain * ratio;
        g *= (1 + (pulley ? beyond : (p.length[0] * strain + p.length[1] * beyond) / l)) /
             (1 + strain);
      }
      if (pulley) move_flow(p, strain, state);
      continue;
    }
    // The joint of straight elements is one node.
    const Vec3 chord = Vector(at(p.straight ? 2 : 3)) - Vector(at(0));
    const double e = (p.straight ? chord.norm() / l : Vector(at(0) + 3).norm()) - 1;
    if (p.straight && !(e > 0)) continue;
    const double T = pulley ? e * p.EA[1] : e * l / (p.length[0] / p.EA[0] + p.length[1] / p.EA[1]);
    const double stretch[2] = {1 + T / p.EA[0], 1 + T / p.EA[1]};
    // Of an element at a pulley, which is as long as what is in it stretched, by its own stretch.
    const double first = pulley ? l - p.length[1] : p.length[0] * stretch[0],
                 whole = pulley ? l : first + p.length[1] * stretch[1];
    const double share = first / whole - p.length[0] / l;
    if (pulley) move_flow(p, T / p.EA[0], state);
    if (p.straight) {
      Vector{at(1)} += share * chord;
      continue;
    }
    const Vec3 moved = p.direction * share * l * Vector(at(1) + 3);
    for (const int k : {1, 2}) {
      Vector{at(k)} += moved;
      Vector{at(k) + 3} *= stretch[k - 1] / (1 + e);
    }
    Vector{at(0) + 3} *= stretch[0] / (1 + e);
  }
}

}  // namespace hawser

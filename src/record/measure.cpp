#include "hawser/measure.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "assembly/energy.h"
#include "hawser/error.h"
#include "math/orientation.h"
#include "record/channel_name.h"
#include "record/measure_parts.h"
#include "record/mechanism_now.h"
#include "record/mechanism_probes.h"

namespace hawser {

std::vector<CablePoint> profile(const Model& model, const State& state, int cable) {
  std::vector<CablePoint> points;
  AxialPack axial;
  for (const Fields* part : model.data().fields_of(cable)) {
    const ElementRun& run = part->run;
    for (int e = 0; e < run.elements; ++e) {
      if (e % 4 == 0) part->axial(state, e / 4, axial);
      for (int g = 0; g < run.axial_points; ++g) {
        const double xi = run.place[g];
        CablePoint& out = points.emplace_back();
        out.s = part->arc(state.q.data(), e, xi);
        out.position = part->position(state.q.data(), e, xi);
        out.velocity = part->velocity(state.q.data(), state.v.data(), e, xi);
        out.strain = axial.strain[g][e % 4];
        out.tension = axial.tension[g][e % 4];
        out.curvature = part->curvature(state.q.data(), e / 4, xi)[e % 4];
        out.moment = run.EI * out.curvature;
      }
    }
  }
  return points;
}

Energy energy(const Model& model, const State& state) {
  const EnergyParts parts = energy_of(model.data(), state);
  return {parts.kinetic, parts.axial,   parts.bending,    parts.twist,
          parts.joints,  parts.gravity, state.books.work, state.books.start};
}

Momentum momentum(const Model& model, const State& state) {
  Assembler assembler(model.data());
  return momentum_of(model.data(), assembler, state);
}

NodeReaction::NodeReaction(const ModelData& model, int node)
    : node_(node), slope_node_(slope_node(model, node)) {
  const std::vector<int>& fixed = model.structure.fixed;
  for (size_t k = 0; k < fixed.size(); ++k)
    if (fixed[k] / node_size == (fixed[k] % node_size < 3 ? node : slope_node_))
      fixed_.emplace_back(k, fixed[k] % node_size);
  for (size_t r = 0; r < model.rows.size(); ++r) {
    const std::vector<int>& at = model.rows[r].coordinates;
    if (model.rows[r].support && std::any_of(at.begin(), at.end(), [&](int c) {
          return c / node_size == (c % node_size < 3 ? node : slope_node_);
        }))
      rows_.push_back(static_cast<int>(r));
  }
}

Reaction NodeReaction::at(const MechanismNow& now) const {
  Vec6 force = Vec6::Zero(), turning = Vec6::Zero();
  for (const auto& [index, coordinate] : fixed_)
    (coordinate < 3 ? force : turning)[coordinate] += now.state().fixed_reaction[index];
  for (const int row : rows_) {
    now.add_force(node_, row, force);
    now.add_force(slope_node_, row, turning);
  }
  return {force.head<3>(), now.state().slope(slope_node_).cross(Vec3(turning.tail<3>()))};
}

Reaction reaction(const Model& handle, const State& state, const Place& at) {
  const ModelData& model = handle.data();
  const int node = find_node(model, at, "reaction");
  MechanismNow now(model);
  now.look(state);
  Reaction out = NodeReaction(model, node).at(now);
  for (size_t i = 0; i < model.holds.size(); ++i) {
    if (model.holds[i].node != node) continue;
    const RowRange& rows = model.mechanism.attachments[i];
    const int slope = model.holds[i].slope;
    out.force += now.force_on(node, rows).head<3>();
    out.moment += state.slope(slope).cross(Vec3(now.force_on(slope, rows).tail<3>()));
  }
  return out;
}

Wrench joint_force(const Model& model, const State& state, const std::string& joint) {
  const std::vector<Joint>& joints = model.scene().joints;
  std::vector<std::string> known;
  for (size_t j = 0; j < joints.size(); ++j) {
    known.push_back(joints[j].name);
    if (joints[j].name != joint) continue;
    MechanismNow now(model.data());
    now.look(state);
    return now.joint(j);
  }
  const std::string meant = nearest_name(joint, known);
  throw Error("force of a joint", fmt::format("unknown joint '{}'", joint),
              fmt::format("one of {}", fmt::join(known, ", ")),
              meant.empty() ? "" : fmt::format("Did you mean '{}'?", meant));
}

Vec3 contact_force(const Model& model, const State& state, const std::string& contact,
                   const std::string& shape) {
  const ChannelName name = read_channel(model, contact + ".force@" + shape);
  return ContactProbe(model.data(), name.index, shape, {}).force(state);
}

std::vector<double> run_tensions(const Model& model, const State& state, const std::string& cable) {
  const RouteData* route = route_of_cable(model.data(), model.cable(cable));
  if (!route)
    throw Error("tensions of a massless cable",
                fmt::format("cable '{}', which is not massless", cable), "a massless cable",
                "Use profile() for other cables.");
  std::vector<double> out;
  for (const RunData& run : route->runs)
    out.push_back(state.multipliers[static_cast<size_t>(run.row)]);
  return out;
}

}  // namespace hawser

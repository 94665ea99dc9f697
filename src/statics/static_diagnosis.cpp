#include "statics/static_diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/orientation.h"

namespace hawser {
namespace {

/// "(0, 0, -1)": a direction to two digits, of which small parts are none.
std::string direction(const Vec3& vector) {
  const Vec3 unit = vector.normalized();
  const auto part = [&](int i) {
    const double rounded = std::round(100 * unit[i]) / 100;
    return rounded == 0 ? 0.0 : rounded;
  };
  return fmt::format("({:g}, {:g}, {:g})", part(0), part(1), part(2));
}

Eigen::Map<const Vec3> part_of(const std::vector<double>& motion, int node, int offset) {
  return Eigen::Map<const Vec3>(motion.data() + node_size * node + offset);
}

struct Share {
  double inertia = 0;
  std::string words;
};

Share share_of_body(const ModelData& model, const State& state, size_t i,
                    const std::vector<double>& motion) {
  const BodyData& body = model.mechanism.bodies[i];
  const std::string& name = model.scene.bodies[i].name;
  const Vec3 moves = part_of(motion, body.node, 0), turns = part_of(motion, body.node, 3);
  const double along = body.mass * moves.squaredNorm(), about = turns.dot(body.inertia * turns);
  if (along >= about)
    return {along, fmt::format("body '{}' moves along {}", name, direction(moves))};
  return {about, fmt::format("body '{}' rotates about {}", name,
                             direction(orientation_at(state.orientation.data() + 4 * i) * turns))};
}

Share share_of_cable(const ModelData& model, size_t i, const std::vector<double>& motion) {
  const CableSpan& span = model.cables[i];
  double inertia = 0;
  int most = span.first_node;
  for (const Fields* part : model.fields_of(static_cast<int>(i)))
    for (int e = 0; e <= part->run.elements; ++e) {
      const int node = part->run.first_node + e;
      inertia += part->run.node_mass[0] * part_of(motion, node, 0).squaredNorm();
      if (part_of(motion, node, 0).norm() > part_of(motion, most, 0).norm()) most = node;
    }
  return {inertia,
          fmt::format("cable '{}' moves along {}, most at node {}", model.scene.cables[i].name,
                      direction(part_of(motion, most, 0)), most - span.first_node)};
}

/// The conditions that are missed most, if they cannot be met together: as little motion as meets
/// the most of them leaves some missed.
std::string contradictions(StaticSearch& search) {
  StaticSystem& system = search.system;
  const ModelData& model = system.model;
  const State here = system.state;
  const double small = 1e-6 * search.size();
  if (system.residual().gap <= small) return {};
  search.meet_rows();
  const StaticResidual residual = system.residual();
  if (!std::isfinite(residual.gap) || residual.gap <= small) {
    system.state = here;
    return {};
  }
  std::vector<std::string> owners;
  const auto add = [&](double missed, const std::string& owner) {
    if (std::abs(missed) > 0.1 * residual.gap &&
        std::find(owners.begin(), owners.end(), owner) == owners.end())
      owners.push_back(owner);
  };
  for (size_t r = 0; r < system.rows.size(); ++r)
    if (system.rows.plan[r].on) add(system.rows.plan[r].c, model.rows[r].owner);
  std::string names;
  for (const std::string& owner : owners) names += (names.empty() ? "" : ", ") + owner;
  return fmt::format(
      "these constraints cannot all be satisfied, their violation is up to {:.3g} m (or rad): {}",
      residual.gap, names);
}

}  // namespace

std::string describe_motion(const ModelData& model, const State& state,
                            const std::vector<double>& motion) {
  Share most;
  const auto take = [&](const Share& share) {
    if (share.inertia > most.inertia) most = share;
  };
  for (size_t i = 0; i < model.mechanism.bodies.size(); ++i)
    take(share_of_body(model, state, i, motion));
  for (size_t i = 0; i < model.cables.size(); ++i)
    if (model.cables[i].elements > 0) take(share_of_cable(model, i, motion));
  return most.words;
}

std::string diagnose(StaticSearch& search) {
  StaticSystem& system = search.system;
  if (!search.away.empty())
    return "nothing constrains this motion: " +
           describe_motion(system.model, system.state, search.away);
  std::string contradiction = contradictions(search);
  if (!contradiction.empty()) return contradiction;
  std::string out = fmt::format("forces of {:.3g} N remain unbalanced", system.residual().force);
  if (!search.outcome.empty()) out += "; " + search.outcome;
  return out;
}

}  // namespace hawser

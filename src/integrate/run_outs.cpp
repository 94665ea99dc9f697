#include "integrate/run_outs.h"

#include "hawser/state.h"
#include "model/flows.h"
#include "model/mesh.h"

namespace hawser {

RunOuts::RunOuts(const ModelData& from, const ModelData& to) : from_(from), to_(to) {
  for (size_t i = 0; i < from.hand_overs.size(); ++i) {
    const HandOver &was = from.hand_overs[i], &is = to.hand_overs[i];
    if (!was.here() || is.kind != HandOver::Kind::out) continue;
    const auto c = static_cast<size_t>(was.cable);
    for (const Mesh::RunOut& gone : run_outs_of(to.mesh, c)) {
      if (gone.stop != was.stop) continue;
      const auto rest = rest_beside(from, was, !gone.after);
      if (!rest) continue;
      const int node = gone.after ? was.node + 1 : was.node;
      changes_.push_back({&was, *rest, node, gone.after ? node + 1 : node - 1,
                          from.scene.cables[c].model == CableModel::np_fem});
    }
  }
}

double RunOuts::material(const Change& change, int node, const double* q) const {
  const auto c = static_cast<size_t>(change.was->cable);
  return material_coordinate(from_, c, node - from_.cables[c].first_node, q);
}

Vec3 RunOuts::slope(const Change& change, const double* q, const double* field) const {
  using Vector = Eigen::Map<const Vec3>;
  const double *here = field + node_size * change.goes_on, *next = field + node_size * change.next;
  if (!change.straight) return Vector(here + 3);
  return (Vector(next) - Vector(here)) /
         (material(change, change.next, q) - material(change, change.goes_on, q));
}

std::vector<double> RunOuts::straight(std::vector<double> q) const {
  using Vector = Eigen::Map<Vec3>;
  const std::vector<double> was = q;
  for (const Change& change : changes_) {
    const Vec3 g = slope(change, was.data(), was.data());
    const Eigen::Map<const Vec3> r(was.data() + node_size * change.goes_on);
    const double p = material(change, change.goes_on, was.data());
    for (int node = change.rest.first; node <= change.rest.last; ++node) {
      Vector(q.data() + node_size * node) = r + (material(change, node, was.data()) - p) * g;
      if (!change.straight) Vector(q.data() + node_size * node + 3) = g;
    }
  }
  return q;
}

void RunOuts::lead(const std::vector<double>& q, std::vector<double>& material_rates) const {
  using Vector = Eigen::Map<Vec3>;
  for (const Change& change : changes_) {
    if (change.was->kind != HandOver::Kind::pulley) continue;
    double* rates = material_rates.data();
    const Vec3 g = slope(change, q.data(), rates), w = Vector(rates + node_size * change.goes_on);
    const double p = material(change, change.goes_on, q.data());
    for (int node = change.rest.first; node <= change.rest.last; ++node) {
      Vector(rates + node_size * node) = w + (material(change, node, q.data()) - p) * g;
      if (!change.straight) Vector(rates + node_size * node + 3) = g;
    }
  }
}

void RunOuts::stop_flows(std::vector<double>& rates) const {
  for (const Change& change : changes_)
    for (const int scalar : {change.was->scalar, change.was->leaving})
      rates[static_cast<size_t>(to_.structure.scalar(scalar))] = 0;
}

void RunOuts::finish(State& state) const {
  if (!any()) return;
  for (const int row : to_.mechanism.idle_rows) {
    const auto r = static_cast<size_t>(row);
    state.multipliers[r] = state.row_rates[r] = state.row_largest[r] = state.row_omega[r] = 0;
    state.activity[r] = 0;
    state.impacts[r] = {};
    state.oscillations[r] = {};
  }
  state.rates_jumped = true;
}

}  // namespace hawser

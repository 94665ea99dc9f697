#include "assembly/energy.h"

#include "assembly/kernels.h"

namespace hawser {
namespace {

/// a . b in six sums, one for each coordinate of a node: one sum would wait for itself.
double product(const double* a, const double* b, int n) {
  double sum[node_size] = {};
  for (int i = 0; i < n; i += node_size)
    for (int k = 0; k < node_size; ++k) sum[k] += a[i + k] * b[i + k];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + (sum[4] + sum[5]);
}

}  // namespace

EnergyParts energy_of(const ModelData& model, const double* q, const double* v,
                      const double* axial_force, const double* viscous_force,
                      const double* multipliers, double t) {
  EnergyParts out;
  for (const AncfBatch& batch : model.batches) {
    BatchEnergy part{};
    kernels().energy(batch, {q, v, axial_force, viscous_force}, part);
    out.kinetic += part.kinetic;
    out.axial += part.axial;
    out.bending += part.bending;
  }
  for (const LumpedMass& m : model.masses)
    for (int k = 0; k < 3; ++k) {
      const double u = v[node_size * m.node + k];
      out.kinetic += m.mass * u * u / 2;
    }
  for (const BodyData& b : model.mechanism.bodies) {
    const Eigen::Map<const Vec3> u(v + node_size * b.node), omega(v + node_size * b.node + 3);
    out.kinetic += (b.mass * u.squaredNorm() + omega.dot(b.inertia * omega)) / 2;
  }
  const double* lambda = multipliers + model.conditions.size();
  for (size_t r = 0; r < model.mechanism.rows.size(); ++r) {
    const RowInfo& row = model.mechanism.rows[r];
    if (row.velocity) continue;
    const double elastic =
        viscous_force ? lambda[r] - viscous_force[static_cast<size_t>(model.point_size) + r]
                      : lambda[r];
    const double stored = compliance_at(model.mechanism, r, t) * elastic * elastic / 2;
    (row.role == RowInfo::Role::stretch ? out.axial
     : row.role == RowInfo::Role::twist ? out.twist
                                        : out.joints) += stored;
  }
  out.gravity = -product(model.gravity_load.data(), q, model.structure.coordinates());
  if (!model.scene.ground) return out;
  for (size_t i = 0; i < model.surroundings.size(); ++i)
    for (int e = 0; e < model.batches[i].elements; ++e)
      out.gravity +=
          ground_energy(model.surroundings[i], q + node_size * (model.batches[i].first_node + e));
  return out;
}

EnergyParts energy_of(const ModelData& model, const State& state) {
  EnergyParts out = energy_of(model, state.q.data(), state.v.data(),
                              state.axial_force_valid ? state.axial_force.data() : nullptr,
                              state.viscous_force.empty() ? nullptr : state.viscous_force.data(),
                              state.multipliers.data(), state.t);
  if (state.viscous.empty()) return out;
  out.axial += state.viscous[held_axial];
  out.bending += state.viscous[held_bending];
  return out;
}

int most_energetic_element(const ModelData& model, const double* q, const double* v) {
  int worst = 0;
  double most = -1;
  for (const AncfBatch& batch : model.batches)
    for (int e = 0; e < batch.elements; ++e) {
      AncfBatch one = batch;
      one.first_node += e;
      one.elements = 1;
      BatchEnergy part{};
      kernels().energy(one, {q, v, nullptr, nullptr}, part);
      const double sum = part.kinetic + part.axial + part.bending;
      if (!(sum <= most)) most = sum, worst = batch.first_element + e;
    }
  return worst;
}

}  // namespace hawser

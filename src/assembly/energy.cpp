#include "assembly/energy.h"

#include "assembly/kernels.h"

namespace hawser {

EnergyParts energy_of(const ModelData& model, const double* q, const double* v,
                      const double* axial_force) {
  EnergyParts out;
  for (const AncfBatch& batch : model.batches) {
    BatchEnergy part{};
    kernels().energy(batch, {q, v, axial_force}, part);
    out.kinetic += part.kinetic;
    out.axial += part.axial;
    out.bending += part.bending;
  }
  for (const LumpedMass& m : model.masses)
    for (int k = 0; k < 3; ++k) {
      const double u = v[node_size * m.node + k];
      out.kinetic += m.mass * u * u / 2;
    }
  for (int i = 0; i < model.structure.coordinates(); ++i)
    out.gravity -= model.gravity_load[static_cast<size_t>(i)] * q[i];
  return out;
}

EnergyParts energy_of(const ModelData& model, const State& state) {
  return energy_of(model, state.q.data(), state.v.data(),
                   state.axial_force_valid ? state.axial_force.data() : nullptr);
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
      kernels().energy(one, {q, v, nullptr}, part);
      const double sum = part.kinetic + part.axial + part.bending;
      if (!(sum <= most)) most = sum, worst = batch.first_element + e;
    }
  return worst;
}

}  // namespace hawser

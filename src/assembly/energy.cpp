#include "assembly/energy.h"

namespace hawser {

EnergyParts energy_of(const ModelData& model, const EnergyState& at, const double* multipliers) {
  EnergyParts out;
  for (const auto& term : model.terms) term->add_energy(at, out);
  const double* lambda = multipliers;
  for (const int elastic_row : model.elastic) {
    const auto r = static_cast<size_t>(elastic_row);
    const RowInfo& row = model.rows[r];
    const double elastic =
        at.viscous_force ? lambda[r] - at.viscous_force[static_cast<size_t>(model.point_size) + r]
                         : lambda[r];
    const double stored = row.compliance_at(at, row.off_drums(at.q)) * elastic * elastic / 2;
    (row.role == RowInfo::Role::stretch ? out.axial
     : row.role == RowInfo::Role::twist ? out.twist
                                        : out.joints) += stored;
  }
  return out;
}

EnergyParts energy_of(const ModelData& model, const State& state) {
  // A state that no step has begun from lists no parts of cables that are close.
  const bool meets =
      model.facts.meets && state.contacts.size() > static_cast<size_t>(model.contacts);
  EnergyParts out = energy_of(model,
                              {state.now(), state.q.data(), state.v.data(),
                               state.axial_force_valid ? state.axial_force.data() : nullptr,
                               state.viscous_force.empty() ? nullptr : state.viscous_force.data(),
                               state.orientation.data(), meets ? state.contacts.data() : nullptr},
                              state.multipliers.data());
  if (state.viscous.empty()) return out;
  out.axial += state.viscous[held_axial];
  out.bending += state.viscous[held_bending];
  return out;
}

int most_energetic_element(const ModelData& model, const double* q, const double* v) {
  int worst = 0;
  double most = -1;
  for (const Fields* part : model.fields)
    for (int e = 0; e < part->run.elements; ++e) {
      const double sum = part->energy(q, v, e);
      if (!(sum <= most)) most = sum, worst = part->run.first_element + e;
    }
  return worst;
}

}  // namespace hawser

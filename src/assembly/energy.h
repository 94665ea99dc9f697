// Energy of a model.
#pragma once

#include "hawser/state.h"
#include "model/model_data.h"

namespace hawser {

struct EnergyParts {
  double kinetic = 0, axial = 0, bending = 0, twist = 0;  ///< [J]
  double gravity = 0;  ///< of weight, buoyancy and what the ground has taken up [J]
  double joints = 0;   ///< of compliant joints [J]
  [[nodiscard]] double elastic() const { return axial + bending + twist + joints; }
  [[nodiscard]] double total() const { return kinetic + elastic() + gravity; }
};

/// `axial_force` by point: the state of a mixed solve, or null to take it from q; `viscous_force`:
/// State::viscous_force, or null. `multipliers` by row, t [s]: for what stretches without elements.
EnergyParts energy_of(const ModelData& model, const double* q, const double* v,
                      const double* axial_force, const double* viscous_force,
                      const double* multipliers, double t);

/// Of State::viscous: elastic energy of what damping adds to the stiffness, axial and bending [J].
inline constexpr size_t held_axial = 2, held_bending = 3;

/// Shorthand for a state, whose axial force is used where it is one.
EnergyParts energy_of(const ModelData& model, const State& state);

/// The element that holds most elastic and kinetic energy.
int most_energetic_element(const ModelData& model, const double* q, const double* v);

}  // namespace hawser

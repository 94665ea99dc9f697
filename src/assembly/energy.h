// Energy of a model.
#pragma once

#include "hawser/state.h"
#include "model/model_data.h"

namespace hawser {

/// `multipliers` by row: for what stretches without elements.
EnergyParts energy_of(const ModelData& model, const EnergyState& at, const double* multipliers);

/// Of State::viscous: elastic energy of what damping adds to the stiffness, axial and bending [J].
inline constexpr size_t held_axial = 2, held_bending = 3;

/// Shorthand for a state, whose axial force is used where it is one.
EnergyParts energy_of(const ModelData& model, const State& state);

/// The element that holds most elastic and kinetic energy.
int most_energetic_element(const ModelData& model, const double* q, const double* v);

}  // namespace hawser

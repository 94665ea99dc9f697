// Settings of inputs.
#pragma once

#include <string_view>

#include "hawser/state.h"
#include "model/model_data.h"

namespace hawser {

/// Index of an input. Throws Error if there is none of that name.
size_t find_input(const Scene& scene, std::string_view name);

/// Sets an input, whoever sets it; returns the value applied.
double change_input(const ModelData& model, State& state, size_t input, double value);

/// Throws Error where the scene sets the input itself.
void require_free(const Input& input);

}  // namespace hawser

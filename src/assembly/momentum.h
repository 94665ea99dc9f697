// Momentum of a model.
#pragma once

#include "assembly/assembler.h"
#include "hawser/measure.h"

namespace hawser {

/// `assembler` is scratch.
Momentum momentum_of(const ModelData& model, Assembler& assembler, const State& state);

}  // namespace hawser

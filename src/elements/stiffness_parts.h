// What the material of a cable resists a small motion with (terms/fields.h).
#pragma once

#include "elements/batch.h"
#include "terms/fields.h"

namespace hawser {

/// Of a batch at q along x, both by coordinate.
StiffnessParts stiffness_parts(const AncfBatch& batch, const double* q, const double* x);

}  // namespace hawser

// What the material of a cable resists a small motion with: its part of x^T K x, without what
// tension adds.
#pragma once

#include "elements/batch.h"

namespace hawser {

struct StiffnessParts {
  double axial = 0;    ///< sum of w EA (eps_r' . x')^2; nothing where the cable is slack
  double bending = 0;  ///< second variation of the bending energy
};

/// Of a batch at q along x, both by coordinate.
StiffnessParts stiffness_parts(const AncfBatch& batch, const double* q, const double* x);

}  // namespace hawser

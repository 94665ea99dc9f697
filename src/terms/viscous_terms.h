// What damping makes of the sections in a step: every law of damping comes to
//
//     N = EA (factor eps + ...),   M = EI (factor k + ...)
//
// with numbers that the past gives before the step begins. Elements and rows see no more of it.
#pragma once

#include <vector>

namespace hawser {

struct ViscousTerms {
  std::vector<double> axial_factor, bending_factor;  ///< by run of elements
  std::vector<double> force;                         ///< by axial point [N]
  std::vector<double> moment;                        ///< by component and bending point [N m]
  /// By row of joints and massless cables: factor * Phi + offset + compliance * lambda = 0 [m].
  std::vector<double> row_factor, row_offset;
};

}  // namespace hawser

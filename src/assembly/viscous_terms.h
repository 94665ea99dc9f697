// What damping makes of the sections in a step: every law of damping comes to
//
//     N = EA (factor eps + ...),   M = EI (factor k + ...)
//
// with numbers that the past gives before the step begins. Elements and rows see no more of it.
#pragma once

#include <cstddef>
#include <vector>

#include "assembly/kernels.h"

namespace hawser {

struct ViscousTerms {
  std::vector<double> axial_factor, bending_factor;  ///< by batch
  std::vector<double> force;                         ///< by axial point [N]
  std::vector<double> moment;                        ///< by component and bending point [N m]
  /// By row of joints and massless cables: factor * Phi + offset + compliance * lambda = 0 [m].
  std::vector<double> row_factor, row_offset;

  void hand_over(size_t batch, AssemblyIo& io) const {
    io.axial_factor = axial_factor[batch];
    io.bending_factor = bending_factor[batch];
    io.viscous_force = force.data();
    io.viscous_moment = moment.empty() ? nullptr : moment.data();
  }
};

}  // namespace hawser

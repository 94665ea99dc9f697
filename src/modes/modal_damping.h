// How fast a mode dies away, by its shape without damping:
//
//     lambda^2 + sum_c alpha_c m_c lambda + k_rest + sum_c k_c f_c(lambda) = 0
//
// over the laws c: m_c = x^T M_c x and k_c = x^T K_c x are what a section has of the mode's mass
// (one in all) and material stiffness, f_c the dynamic modulus of its damping over the static one,
// k_rest what is left of omega^2: tension, weight and what is not damped.
#pragma once

#include <complex>
#include <vector>

#include "hawser/section.h"

namespace hawser {

/// A stiffness with its law.
struct DampedStiffness {
  double stiffness = 0;  ///< k_c [1/s^2]
  const Damping* damping = nullptr;
};

struct ModalDamping {
  double omega_squared = 0;  ///< without damping [1/s^2], > 0
  double mass_damping = 0;   ///< sum of alpha_c m_c [1/s]
  std::vector<DampedStiffness> laws;
};

struct DampedRoot {
  std::complex<double> lambda;  ///< [1/s]; Im >= 0
  bool found = false;
  bool overdamped = false;  ///< lambda is real: of the two, the one that dies away later
};

/// The root into which i omega goes as the damping grows from nothing.
DampedRoot damped_root(const ModalDamping& mode);

}  // namespace hawser

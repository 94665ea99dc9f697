// Finds eigenpairs of K x = omega^2 M x by shift and invert: Lanczos's method in the inner product
// of M with the operator (K - sigma M)^-1 M on the motions that the rows allow, whose largest
// eigenvalues 1/(omega^2 - sigma) belong to the modes nearest to sigma (Ericsson & Ruhe 1980).
//
// Lanczos's method from one vector sees one of several modes of the same frequency, and rounding
// alone brings in the others. So what was found is counted: the number of modes below a frequency
// is the number of negative pivots of K - sigma M (Sylvester), and what is missing is looked for
// with the modes already found taken out.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <vector>

#include "modes/modal_system.h"

namespace hawser {

struct FoundMode {
  double omega_squared = 0;
  Eigen::VectorXd shape;            ///< x^T M x = 1
  std::vector<double> multipliers;  ///< mu of the rows: K x + G^T mu = omega^2 M x
  std::optional<std::complex<double>>
      lambda;  ///< about cable that runs: the motion is e^(lambda t)
};

struct ModeSearch {
  std::vector<FoundMode> modes;  ///< by omega_squared
  double shift = 0;              ///< sigma
  bool complete = false;         ///< counted: none is missing in their range
  bool solved = true;            ///< false: the linear solver failed
};

/// The `count` lowest, or those nearest to `near` [rad^2/s^2]; count <= the number of motions.
ModeSearch search_modes(ModalSystem& system, int count, std::optional<double> near);

}  // namespace hawser

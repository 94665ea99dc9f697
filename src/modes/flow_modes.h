// Small motions about cable that runs steadily through its elements (`mesh: running`):
//
//     lambda^2 M x + lambda C x + (K + Kc) x + G^T mu = 0,     G x = 0
//
// where C and Kc are what velocities add: -dQ/dv and the part of -dQ/dq that is theirs, at the
// velocities of the flow. Both are unsymmetric. C is found by differences of the forces, which are
// exact: what convection adds is of the second degree in velocities. Eigenvalues nearest to zero
// are found in a Krylov space of the inverse,
//
//     (x, y = lambda x) -> (-(K + Kc)^-1 (C x + M y), x) = (x, y)/lambda
//
// in which (K + Kc)^-1 is iterated with the factors of K: it converges while the flow is slower
// than waves, by v^2/c^2.
//
// Steady flow: material runs along the cable with the rate p. of its winch everywhere. Where the
// length of a span changes, the modes are those of its present length.
#pragma once

#include <vector>

#include "modes/mode_search.h"

namespace hawser {

/// The velocities of the flow by coordinate; empty: no cable runs.
std::vector<double> steady_flow(const ModelData& model, const State& at);

/// The `count` lowest modes about `at` with these velocities.
ModeSearch search_running_modes(ModalSystem& system, const ModelData& model, const State& at,
                                const std::vector<double>& velocities, int count);

}  // namespace hawser

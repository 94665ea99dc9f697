// Derivatives of fractional order as sums over the past:
//
//     D^order eps(t) = 1/Gamma(1 - order) int_0^t (t - u)^-order eps'(u) du
//
// (Caputo: the value at the start does not matter). Both rules weigh eps_j - eps_0. The sum grows
// with the run; viscosity.h has the form of constant cost.
#pragma once

#include <span>

namespace hawser {

/// Grunwald's weights for even steps h: D^order eps_n = h^-order sum over j of weights[j]
/// (eps_{n-j} - eps_0). A_1 = 1, A_{j+1} = (j - order - 1)/j A_j (Gu et al. 2023, eq. 18); of order
/// 1 in h.
void grunwald_weights(double order, std::span<double> weights);

/// Weights for times t_0 < ... < t_n of any distances, of a strain that is straight between them:
/// D^order eps(t_n) = sum over j of weights[j] (eps_j - eps_0). The L1 rule (Oldham & Spanier 1974,
/// sec. 8.2); of order 2 - order in the distances, exact for a straight line.
void straight_weights(double order, std::span<const double> times, std::span<double> weights);

}  // namespace hawser

// A scheme is a handful of affine weights. With the new acceleration a1,
//
//     q1 = q~ + cq a1        q~ = q + q_back (q - q_before) + q_v v + q_v_back (v - v_before) + q_a a
//     v1 = v~ + cv a1        v~ = v + v_back (v - v_before) + v_a a
//     cM M a1 + cMa M a = F1 + cF F      F: total generalized force, constraints included
//
// | scheme              | source                                                        |
// | Backward Euler, BDF2| Westin & Irani Table 1                                        |
// | Newmark             | Newmark 1959; beta = 1/4, gamma = 1/2 unless given            |
// | HHT                 | Hilber, Hughes & Taylor 1977; Negrut et al. 2005; W&I (27) is  |
// |                     | misprinted: the weights are (1+alpha) on F1 and -alpha on F    |
// | generalized-alpha   | Chung & Hulbert 1993; Arnold & Brüls 2007 for constraints      |
#pragma once

#include "hawser/options.h"

namespace hawser {

struct SchemeWeights {
  double h = 0;
  double q_back = 0, q_v = 0, q_v_back = 0, q_a = 0;
  double v_back = 0, v_a = 0;
  double cq = 0, cv = 0;
  double cr = 0;  ///< constraints of the velocity hold for v~ + cr a1
  double cg = 0;  ///< forces that depend on the velocity are taken at v~ + cg a1
  double cM = 1, cMa = 0, cF = 0;
  double predictor_a = 1;   ///< a* = predictor_a * a, and q* = q~ + cq a*
  double error_factor = 0;  ///< local error of q over |q1 - q*|
  int order = 2;
};

/// Weights of a step of length h after one of length h_before (0: the first step). In the first
/// step, and after one that is much shorter, BDF2 looks back on what the acceleration predicts.
SchemeWeights scheme_weights(const SolveOptions& options, Scheme scheme, double h, double h_before);

/// The acceleration at which the scheme must see one that is prescribed, cM a1 + cMa a = b''(t1)
/// + cF b''(t): HHT and generalized-alpha lag the true one, and one coordinate that did not would
/// cost the others their second order.
double scheme_acceleration(const SchemeWeights& w, double wanted, double wanted_before, double a);

/// What Baumgarte's feedback makes of a prescribed acceleration (Westin & Irani eq. 24), by the
/// error of the position and of the rate at the start of a step of h.
double baumgarte(const SolveOptions& options, double h, double acceleration, double error,
                 double error_rate);

/// What a step leaves of a disturbance of a rigid position row: the spectral radius of the scheme
/// with q1 = 0 asked, rho_infinity of generalized-alpha, (1 + alpha)/(1 - alpha) of HHT, 1 of the
/// trapezoidal rule.
double rigid_amplification(const SolveOptions& options);

/// The same of a row that Baumgarte's feedback keeps; above 1 its error grows.
double feedback_amplification(const SolveOptions& options);

/// Phase shift and damping that the scheme adds to a free oscillation, for each radian, as a
/// multiple of (omega h)^order: 0.0833 for the second-order trapezoidal rule, 0.5 for Backward
/// Euler.
double oscillation_error(const SolveOptions& options);

}  // namespace hawser

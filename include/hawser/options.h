// Solver options: integration scheme and solution method. The defaults suit most scenes.
#pragma once

#include <optional>

namespace hawser {

/// Relation between (q, v) and the acceleration at the end of a step.
enum class Scheme {
  backward_euler,    ///< first order, strong numerical damping
  bdf2,              ///< second order
  newmark,           ///< trapezoidal rule unless newmark_beta and newmark_gamma are set:
                     ///< second order, no numerical damping
  hht,               ///< second order, damps motions the step does not resolve (default)
  generalized_alpha  ///< second order, damping set by rho_infinity
};

/// How the acceleration is computed.
enum class Method {
  linearized,  ///< one linear solve at the current state (Westin & Irani's semi-implicit method)
  mixed,       ///< one linear solve at the predictor, axial force as a state (default)
  mixed3,      ///< three solves with one factorization; third-order stages, more accurate
  newton,      ///< iterates to a tolerance; constant or error-controlled step
  spook        ///< one linear solve for the velocity half a step ahead, constraints regularized
               ///< (Lacoursiere); a scheme of its own, for bodies and massless cables
};

/// How constraints are enforced.
enum class ConstraintLevel {
  position,  ///< satisfied at the end of every step (default)
  baumgarte  ///< enforced on acceleration level with feedback, as Westin & Irani do
};

/// Linear solver. `automatic`: block-tridiagonal for chains, sparse otherwise.
enum class LinearBackend { automatic, chain, sparse };

struct SolveOptions {
  Scheme scheme = Scheme::hht;  ///< ignored by mixed3 and spook, which are schemes of their own
  Method method = Method::mixed;
  double step = 1e-3;         ///< [s]; with error control: the first step
  double hht_alpha = -0.2;    ///< in [-1/3, 0]; 0 is Newmark, Westin & Irani use -0.05
  double rho_infinity = 0.8;  ///< generalized-alpha: spectral radius at h -> infinity
  /// newmark: 1/4 and 1/2 are the trapezoidal rule; gamma in [1/2, 1], beta in [gamma/2, 1].
  double newmark_beta = 0.25, newmark_gamma = 0.5;
  ConstraintLevel constraints = ConstraintLevel::position;
  /// Baumgarte stabilization C'' + 2 a1 C' + a2^2 C = 0 (Westin & Irani eq. 24): a2 h, and a1 h. If
  /// the latter is not set, a1 = a2. Stable below 0.76 for every scheme.
  double baumgarte_gain = 0.4;
  std::optional<double> baumgarte_rate_gain;

  /// spook: relaxation time of constraint violations [s]. Negative: chosen per constraint, zero if
  /// the step resolves its oscillation, two steps otherwise.
  double damping_time = -1;

  bool error_control = false;      ///< newton only: the step is adapted to `tolerance`
  double tolerance = 1e-6;         ///< local error of the coordinates per step [m]
  double newton_tolerance = 1e-9;  ///< last correction: slopes, and positions over element length
  int newton_iterations = 25;      ///< maximum per step

  int factorization_cap = 0;   ///< mixed: maximum per step, 0: no limit; see Counters
  double energy_guard = 0.25;  ///< largest spurious energy gain, as a fraction of the energy in
                               ///< motion, before the run is stopped; 0: off
  LinearBackend backend = LinearBackend::automatic;
  /// Of large scenes; results do not depend on it. 0: one per core, at most 8, where a
  /// factorization takes more than 4 million multiplications, otherwise one.
  int threads = 0;
};

}  // namespace hawser

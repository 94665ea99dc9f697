// How a scene is solved: scheme x solve. The defaults are right for most people.
#pragma once

#include <optional>

namespace hawser {

/// How (q, v) at the end of a step depend on the acceleration there.
enum class Scheme {
  backward_euler,    ///< first order, strong damping
  bdf2,              ///< second order
  newmark,           ///< trapezoidal rule unless newmark_beta and newmark_gamma say otherwise:
                     ///< second order, no damping
  hht,               ///< second order, damps what the step cannot resolve (default)
  generalized_alpha  ///< second order, damping set by rho_infinity
};

/// How the acceleration is found.
enum class Method {
  linearized,  ///< one linear solve at the current state (Westin & Irani's semi-implicit method)
  mixed,       ///< one linear solve at the predictor, axial force carried as a state (default)
  mixed3,      ///< three solves with one factorization; third-order stages, for accuracy
  newton,      ///< iterated to a tolerance; constant or error-controlled step
  spook        ///< one linear solve for the velocity half a step ahead, constraints regularized
               ///< (Lacoursiere); a scheme of its own, for bodies and massless cables
};

/// How constraints are kept.
enum class ConstraintLevel {
  position,  ///< satisfied at the end of every step (default)
  baumgarte  ///< satisfied by their second rate with feedback: the form of Westin & Irani
};

/// Which linear solver. `automatic`: block-tridiagonal for chains, sparse for everything else.
enum class LinearBackend { automatic, chain, sparse };

struct SolveOptions {
  Scheme scheme = Scheme::hht;  ///< ignored by mixed3 and spook, which are schemes of their own
  Method method = Method::mixed;
  double step = 1e-3;         ///< [s]; with error control the first step
  double hht_alpha = -0.2;    ///< in [-1/3, 0]; 0 is Newmark, Westin & Irani use -0.05
  double rho_infinity = 0.8;  ///< generalized-alpha: amplitude kept a step at h -> infinity
  /// newmark: 1/4 and 1/2 are the trapezoidal rule; gamma in [1/2, 1], beta in [gamma/2, 1].
  double newmark_beta = 0.25, newmark_gamma = 0.5;
  ConstraintLevel constraints = ConstraintLevel::position;
  /// Baumgarte's C'' + 2 a1 C' + a2^2 C = 0 (Westin & Irani eq. 24): a2 h, and a1 h; without the
  /// second a1 = a2, stable below 0.76 for every scheme.
  double baumgarte_gain = 0.4;
  std::optional<double> baumgarte_rate_gain;

  /// spook: time in which a disturbed constraint settles [s]. Negative: by the constraint itself,
  /// none where the step resolves its oscillation, two steps where it does not.
  double damping_time = -1;

  bool error_control = false;      ///< newton only: the step follows `tolerance`
  double tolerance = 1e-6;         ///< local error of the coordinates a step [m]
  double newton_tolerance = 1e-9;  ///< last correction: slopes, and positions by element length
  int newton_iterations = 25;      ///< at most, a step

  int factorization_cap = 0;   ///< mixed: at most this many a step, 0 is no cap; see Counters
  double energy_guard = 0.25;  ///< largest false gain of energy, as a share of the energy in
                               ///< motion, before the run is stopped; 0 switches it off
  LinearBackend backend = LinearBackend::automatic;
};

}  // namespace hawser

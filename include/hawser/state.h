// The complete state of a simulation. Plain arrays: from a copy any integrator with the same model
// and options continues bit-identically.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hawser/input.h"
#include "hawser/mesh.h"

namespace hawser {

/// The arguments of an assembled matrix cM M + cq K(q, N, t), so that it can be recomputed
/// bit-identically.
struct Linearization {
  std::vector<double> q;      ///< coordinates
  std::vector<double> axial;  ///< per Gauss point: axial force N of the geometric stiffness [N]
  double t = 0;               ///< time of the loads [s]
  double cM = 0;              ///< coefficient of the mass [-]
  double cq = 0;              ///< coefficient of the stiffness [s^2]; 0: no matrix
  bool by_lu = false;         ///< the symmetric factorization failed and LU was used
};

/// An impact on a constraint row of a joint or massless cable that the steps did not resolve. Its
/// peak is computed separately.
struct Impact {
  double time = -1;   ///< when the row came taut [s]; negative: no impact
  double speed = 0;   ///< at which the row came taut [m/s]
  double peak = 0;    ///< of its force, computed separately [N]
  double shown = 0;   ///< largest force in the steps until `until` [N]
  double energy = 0;  ///< removed by the step in which the row came taut [J]
  double omega = 0;   ///< of the oscillation [rad/s]
  double until = 0;   ///< end of the impact [s]
};

/// The oscillation of a constraint row of a joint or massless cable, and the error of the steps in
/// its phase and amplitude.
struct RowOscillation {
  double amplitude = 0;      ///< of the force [N]
  double error = 0;          ///< current error of the force [N]
  double largest_error = 0;  ///< so far [N]
};

/// Energy balance of the run. An account is a force that does work and has no potential: of a
/// moving support, of a constraint row, of drag and damping on a
/// coordinate. How its work follows from the scheme: accounts/ledger.cpp.
struct Books {
  std::vector<double> force;    ///< per account, current [N]
  std::vector<double> share;    ///< per account: its part of M a [N]
  std::vector<double> impulse;  ///< per account: its part of M (v - v_before), last step [N s]
  std::vector<double> drift;    ///< per constraint row: current Phi_t [m/s]

  double work = 0;           ///< done since the start by all forces except gravity [J]
  double start = 0;          ///< total energy at the start [J]
  double elastic_start = 0;  ///< strain energy at the start [J]
  double scale = 0;          ///< largest energy in motion so far: kinetic energy plus the change of
                             ///< strain energy since the start [J]
  double balance = 0;        ///< energy minus initial energy minus work, last value computed [J]
  double lowest = 0;         ///< lowest balance so far [J]
  double largest_gain = 0;   ///< of the balance above its lowest value [J]
  double by_steps = 0;       ///< part of the balance: steps of the scheme [J]
  double by_fallbacks = 0;   ///< Backward Euler steps used instead [J]
  double by_switches = 0;    ///< switching rows and rate jumps [J]
  double by_mesh = 0;        ///< changes of the mesh [J]
  double by_fidelity = 0;    ///< cables that went slack or came taut (Cable::when_slack) [J]
  double largest_fidelity = 0;  ///< of these changes, the largest in size [J]
  double gain_since = -1;  ///< start of the energy gain that the guard sees [s]; negative: none
  long gain_steps = 0;     ///< steps since then
};

/// Arrays per coordinate have 6 entries per node (model.h) and padding at the end, so that kernels
/// can read whole vectors. A body is a node: position of its centre in world axes, then the
/// rotation vector since the beginning of the step in body axes, which is zero between steps. Its
/// rates are the velocity in world axes and the angular velocity in body axes.
struct State {
  double t = 0;    ///< time [s]
  long steps = 0;  ///< taken since the start

  std::vector<InputMotion> inputs;  ///< per input of the scene: how it moves since it was set
  bool rates_jumped = false;        ///< an input that prescribes a rate was set without smoothing:
                                    ///< the next step begins with a projection of the velocities
  double feedback_time = -1;        ///< when the feedback of the scene was last applied [s]

  std::vector<double> q, v, a;         ///< coordinates and their rates
  std::vector<double> a_true;          ///< acceleration that balances the forces, M a_true = Q +
                                       ///< G^T lambda; `a` lags it in HHT and generalized-alpha
  std::vector<double> axial_force;     ///< per Gauss point: state of the mixed methods [N]
  std::vector<double> multipliers;     ///< per row, generalized force G^T lambda: linear
                                       ///< conditions, then joints and massless cables
  std::vector<double> fixed_reaction;  ///< generalized force on each eliminated coordinate [N]

  std::vector<double> orientation;  ///< of bodies, unit quaternions w x y z: body to world
  std::vector<double> twist;        ///< per massless cable: twist angle between its ends [rad]
  std::vector<double> run_length;   ///< unstretched length of massless cables between places
                                    ///< where held or with friction [m]; of others: arc_rows.h
  std::vector<double> wrap;         ///< angles that count full turns [rad]: of joints that rotate
                                    ///< about an axis, and per pulley the angles at which the
                                    ///< cable arrives and leaves
  std::vector<double> bends;        ///< where massless cables may meet shapes: when the last step
                                    ///< began, position and orientation of each body then, and per
                                    ///< place where a cable lies on a shape (Mesh) the middle of
                                    ///< what lies on it, in axes of the shape [m], and its angle
                                    ///< [rad], and per crossing of two such cables its place [m]
                                    ///< and the direction from the second to the first; else empty
  std::vector<int> activity;        ///< per row: status of unilateral and friction rows

  std::vector<double> row_rates;  ///< per row that yields, switches or is driven: rate of Phi [m/s]
  std::vector<double> row_largest;  ///< per such row: largest force within the last step, including
                                    ///< the interior of substeps [N]
  std::vector<double> row_omega;    ///< per row: its own natural frequency, last estimate [rad/s]
  double largest_force = 0;         ///< of all elastic rows, so far [N]
  double fastest_omega = 0;         ///< of all active rows together, last estimate [rad/s]
  double follow_omega = 0;          ///< of an impact for which steps are divided [rad/s]
  double follow_until = 0;          ///< end of that impact [s]
  std::vector<Impact> impacts;      ///< per row: the last impact that the steps did not resolve
  std::vector<RowOscillation> oscillations;  ///< per row

  std::vector<double> viscous_force;   ///< inelastic part of the axial force per Gauss point, then
                                       ///< of the tension of massless cables per row [N]; empty if
                                       ///< no section has damping
  std::vector<double> viscous_moment;  ///< the same for bending: vectors per bending point [N m]
  std::vector<double> viscous_couple;  ///< viscous_moment in axes fixed in the material [N m]
  std::vector<double> viscous;         ///< strains of this step and the previous one, and states of
                                       ///< the Maxwell arms, damping by damping
  std::vector<double> material_axes;   ///< per cable: a direction across it at its first bending
                                       ///< point, which rotates with the material
  std::vector<double> memory, memory_times;  ///< strain history of direct fractional sums, row by
                                             ///< row, and its times [s]

  std::vector<double> contacts;  ///< what points of cables remember of the surfaces they touch
                                 ///< (docs/theory/contact.md); empty if nothing may touch

  std::vector<double> q_before, v_before;  ///< of the previous step (BDF2, mixed3)
  double h_before = 0;                     ///< length of the last step [s]; 0 at the start
  bool axial_force_valid = false;          ///< false: stale, use EA eps(q)

  double h_next = 0;       ///< error control: length of the next step [s], set by every step;
                           ///< 0: the step of the options
  Linearization factored;  ///< newton: the matrix in use, set by every newton step; none at the
                           ///< start and after velocities were projected at a jump

  Books books;  ///< energy balance

  /// The time of the state, and another one, with its inputs.
  [[nodiscard]] Instant now() const { return {t, inputs}; }
  [[nodiscard]] Instant at(double time) const { return {time, inputs}; }

  [[nodiscard]] Eigen::Vector3d position(int node) const { return vec(q, 6 * node); }
  [[nodiscard]] Eigen::Vector3d slope(int node) const { return vec(q, 6 * node + 3); }
  [[nodiscard]] Eigen::Vector3d velocity(int node) const { return vec(v, 6 * node); }

 private:
  static Eigen::Vector3d vec(const std::vector<double>& a, int i) {
    const auto k = static_cast<size_t>(i);
    return {a[k], a[k + 1], a[k + 2]};
  }
};

/// Everything from which a simulation of a scene continues bit-identically:
/// Integrator(Model(scene, mesh), options).resume(state).
struct Snapshot {
  Mesh mesh;
  State state;
};

}  // namespace hawser

// Everything a step changes, and all that the future depends on. Plain arrays: a copy is a
// snapshot, from which any integrator of the same model and options goes on to the same bits.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace hawser {

/// Where a matrix cM M + cq K(q, N, t) was assembled; with it the matrix can be had again, to the
/// bit.
struct Linearization {
  std::vector<double> q;      ///< coordinates
  std::vector<double> axial;  ///< by Gauss point: axial force N of the geometric stiffness [N]
  double t = 0;               ///< time of the loads [s]
  double cM = 0;              ///< weight of the mass [-]
  double cq = 0;              ///< weight of the stiffness [s^2]; 0: there is no such matrix
  bool by_lu = false;         ///< the symmetric factorization did not serve: an LU took over
};

/// A blow on a row of a joint or massless cable that the steps did not resolve: its peak is
/// computed beside them.
struct Blow {
  double time = -1;   ///< of the take-up [s]; below zero: there was none
  double speed = 0;   ///< at which the row came to pull [m/s]
  double peak = 0;    ///< of its force, computed beside the steps [N]
  double shown = 0;   ///< largest force of the steps until `until` [N]
  double energy = 0;  ///< that the step with the take-up took away [J]
  double omega = 0;   ///< of the oscillation [rad/s]
  double until = 0;   ///< the blow is over [s]
};

/// The oscillation of a row of a joint or massless cable, and what the steps have done to it by
/// shifting its phase and damping it.
struct RowOscillation {
  double amplitude = 0;      ///< of the force [N]
  double error = 0;          ///< of the force by now [N]
  double largest_error = 0;  ///< so far [N]
};

/// Work and energy so far. An account is a force that does work and has no potential: that of a
/// support or condition that moves, of a row of joints and massless cables, of drag and damping on
/// a coordinate. How its work follows from the scheme: integrate/books.cpp.
struct Books {
  std::vector<double> force;    ///< by account, now [N]
  std::vector<double> share;    ///< by account: its part of M a [N]
  std::vector<double> impulse;  ///< by account: its part of M (v - v_before) of the last step [N s]
  std::vector<double> drift;    ///< by row of joints and massless cables: Phi_t now [m/s]

  double work = 0;           ///< done since the start by all but dead weight [J]
  double start = 0;          ///< total energy at the start [J]
  double elastic_start = 0;  ///< strain energy at the start [J]
  double scale = 0;    ///< largest energy in motion so far: kinetic, and by how much the strain
                       ///< energy differs from that of the start [J]
  double balance = 0;  ///< energy less that of the start less the work, as last looked at [J]
  double lowest = 0;   ///< balance so far [J]
  double largest_gain = 0;  ///< of the balance over its lowest so far [J]
  double by_steps = 0;      ///< of the balance: by steps of the scheme [J]
  double by_fallbacks = 0;  ///< by steps of Backward Euler in its place [J]
  double by_switches = 0;   ///< where rows switch or rates jump [J]
  double gain_since = -1;   ///< when the guard saw a gain first that it sees still [s]; below zero:
                            ///< it sees none
  long gain_steps = 0;      ///< steps since then
};

/// Arrays by coordinate hold 6 numbers a node (model.h) and some padding at the end, so that
/// kernels can read whole vectors. A body is a node: position of its centre in world axes, then
/// the rotation vector since the step began in body axes, which is zero between steps; its rates
/// are the velocity in world axes and the angular velocity in body axes.
struct State {
  double t = 0;    ///< time [s]
  long steps = 0;  ///< taken since the start

  std::vector<double> q, v, a;         ///< coordinates and their rates
  std::vector<double> force;           ///< total generalized force, constraints included [N, N m]
  std::vector<double> axial_force;     ///< by Gauss point: a state of the mixed solves [N]
  std::vector<double> multipliers;     ///< by row, generalized force G^T lambda: the general
                                       ///< conditions, then joints and massless cables
  std::vector<double> fixed_reaction;  ///< generalized force on every eliminated coordinate [N]

  std::vector<double> orientation;  ///< of the bodies, unit quaternions w x y z: body to world
  std::vector<double> twist;        ///< by massless cable: turned between its ends [rad]
  std::vector<double> run_length;   ///< unstretched length of massless cables between the places
                                    ///< where they are held or rub [m]
  std::vector<double> wrap;         ///< angles that count whole turns [rad]: of joints that turn
                                    ///< about an axis, and by pulley those at which cables reach
                                    ///< and leave it
  std::vector<int> activity;        ///< by row: what one-sided and rubbing rows do now

  std::vector<double> row_rates;    ///< by row of joints and massless cables: rate of Phi [m/s]
  std::vector<double> row_largest;  ///< by row: largest force within the last step, between the
                                    ///< ends of its parts too [N]
  std::vector<double> row_omega;    ///< by row: oscillation of its own, as last found [rad/s]
  double largest_force = 0;         ///< of all rows that stretch, so far [N]
  double fastest_omega = 0;         ///< of all rows that act together, as last found [rad/s]
  double follow_omega = 0;          ///< of a blow that steps are divided for [rad/s]
  double follow_until = 0;          ///< until when [s]
  std::vector<Blow> blows;          ///< by row: the last one that the steps did not resolve
  std::vector<RowOscillation> oscillations;  ///< by row

  std::vector<double> viscous_force;   ///< part of the axial force, by Gauss point, then of the
                                       ///< tension of massless cables by row, that is not elastic
                                       ///< [N]; empty where no section damps
  std::vector<double> viscous_moment;  ///< the same of bending: vectors by bending point [N m]
  std::vector<double> viscous_couple;  ///< viscous_moment in axes that turn with the material [N m]
  std::vector<double> viscous;         ///< strains of this step and the one before, and what
                                       ///< Maxwell arms hold of them, damping after damping
  std::vector<double> material_axes;   ///< by cable: a direction across it at its first bending
                                       ///< point, which turns with the material
  std::vector<double> memory, memory_times;  ///< strains that direct fractional sums remember, row
                                             ///< after row, and when [s]

  std::vector<double> q_before, v_before;  ///< one step back (BDF2, mixed3)
  double h_before = 0;                     ///< length of the last step [s]; 0 at the start
  bool axial_force_valid = false;          ///< false: stale, EA eps(q) is meant

  double h_next = 0;       ///< error control: length to try next [s], set by every controlled step;
                           ///< 0: the options' step
  Linearization factored;  ///< newton: the matrix it goes on with, set by every newton step; none
                           ///< at the start and where velocities were projected at a jump

  Books books;  ///< of work and energy

  [[nodiscard]] Eigen::Vector3d position(int node) const { return vec(q, 6 * node); }
  [[nodiscard]] Eigen::Vector3d slope(int node) const { return vec(q, 6 * node + 3); }
  [[nodiscard]] Eigen::Vector3d velocity(int node) const { return vec(v, 6 * node); }

 private:
  static Eigen::Vector3d vec(const std::vector<double>& a, int i) {
    const auto k = static_cast<size_t>(i);
    return {a[k], a[k + 1], a[k + 2]};
  }
};

}  // namespace hawser

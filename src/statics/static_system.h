// The equations of static equilibrium and their linearization,
//
//     F(q) + G^T lambda = 0        elastic forces and loads; constraints
//     Phi(q) + eps lambda = 0      eps: what yields; lambda >= 0 of one-sided rows
//
//     [ K + s M   G^T  ] [  d  ]   [ F + G^T lambda       ]
//     [    G     -eps  ] [ -dl ] = [ -(Phi + eps lambda)  ]
//
// with K = -dF/dq - sum lambda Phi_qq. The shift s > 0 keeps in place what nothing holds.
//
// The axial force of cables is carried along as in the mixed solve (step_mixed.cpp): the geometric
// stiffness sees N = N* + EA eps_q d of the step before and not EA eps(q), in which the rotations
// of a step show as false stretch (mixed integration points: Magisano, Leonetti & Garcea 2017).
// Tamed, it sees no compression either: that keeps K definite, but for constraints.
#pragma once

#include <memory>
#include <vector>

#include "assembly/assembler.h"
#include "complementarity/rows.h"
#include "contact/close_grid.h"
#include "linear/linear_solver.h"

namespace hawser {

enum class StaticTangent {
  exact,    ///< the derivative of the forces
  carried,  ///< with the axial force carried along
  tamed     ///< and raised to zero where it compresses an element
};

/// The largest unbalanced force [N] (that on a slope or a turn by its own length) and the largest
/// amount by which a condition or a row is missed [m, rad].
struct StaticResidual {
  double force = 0, gap = 0;
};

class StaticSystem {
 public:
  StaticSystem(const ModelData& model, const State& from);

  const ModelData& model;
  Rows rows;
  State state;                ///< where the search is
  std::vector<double> axial;  ///< carried along with it, by axial point [N]
  double load = 1;            ///< share of the loads that acts
  int factorizations = 0;

  // --- at the state ---
  /// Of the forces as they are; not finite where the route of a cable has no tangent.
  StaticResidual residual();
  /// What rounding the coordinates does to that force [N].
  double noise();
  /// The largest of the forces that act [N].
  [[nodiscard]] double force_scale() const;
  void add_loads(std::vector<double>& to) const;

  /// The axial forces carried along become those of the state.
  void find_axial();

  /// The matrix, factored; false when it is singular.
  bool linearize(StaticTangent tangent, double shift);
  [[nodiscard]] int negative_pivots() const { return solver_->report().negative_pivots; }
  /// The correction, by the matrix of the state; one-sided rows are switched until they agree.
  bool solve();
  [[nodiscard]] const std::vector<double>& correction() const { return d_; }

  // --- a step from the state ---
  /// Goes a share of the correction; may be called again with another share.
  void move(double share);
  /// After move(): the correction that the same matrix asks for next, by the size of the first.
  /// What the shift resists counts as balanced. Infinite where there is no such place.
  double remainder(double share);
  /// To where the last move() began.
  void back();
  /// After move(): how far it led through surfaces that cables touch; at most 1 where none was
  /// passed (Term::leap).
  [[nodiscard]] double leap() const { return leap_from(before_); }
  [[nodiscard]] double leap_from(const State& start) const;

  // --- motions ---
  /// The largest angle by which a motion turns a body or a part of a cable, or stretches that
  /// [rad].
  [[nodiscard]] double turn(const std::vector<double>& motion) const;
  double mass_norm(const std::vector<double>& motion);
  /// motion <- (K + s M)^-1 M motion, of mass norm 1, with the matrix of the last linearization.
  /// Returns x^T K x/x^T M x as far as known by that [1/s^2].
  double inverse_iteration(std::vector<double>& motion);
  /// motion -= what it has of `other`, which has mass norm 1.
  void remove(const std::vector<double>& other, std::vector<double>& motion);
  /// Moves the state, whatever the forces.
  void displace(const std::vector<double>& motion, double share);

  /// Parts of cables that are close at the state may touch from now on, where cables meet.
  void find_pairs();
  /// From now on what touches sticks: small motions do not reach the limit of friction.
  void hold_contacts();
  void let_go_contacts() { held_contacts_.clear(); }
  /// What touches at the state is remembered, and goes on sticking while it is held.
  void remember_contacts();

  /// The state for dynamics: at rest, forces and reactions filled in.
  void finish();

 private:
  [[nodiscard]] Configuration at_rest() const;
  bool assemble(const double* taut, Tangent tangent);
  void tame();
  void fill();
  void carry();
  void finish_contacts();
  [[nodiscard]] bool bodies_or_rows() const;

  Assembler assembler_;
  std::unique_ptr<LinearSolver> solver_;
  double shift_ = 0;
  std::vector<double> zero_;            ///< by coordinate
  std::vector<double> held_;            ///< by row: Phi at the start of rows with a given rate
  std::vector<double> carried_;         ///< by row: its force
  std::vector<double> multipliers_;     ///< by row: those that go with the correction
  std::vector<double> x_, right_side_;  ///< by unknown
  std::vector<double> d_;               ///< by coordinate, padded: the correction
  std::vector<double> part_;            ///< a share of it
  std::vector<double> taut_;            ///< by point: axial force that the matrix has seen
  std::vector<double> arm_;             ///< by coordinate: length that makes a force of it [m]
  std::vector<double> held_contacts_;   ///< what is remembered where contacts are held
  std::vector<double> held_q_;          ///< by coordinate, where cables meet: where that was
  CloseSearch search_;
  CoupledNodes coupled_;  ///< in the solver's matrix
  State before_;
  std::vector<double> axial_before_;
};

}  // namespace hawser

// What all solves share: the scratch of a step and its common pieces. A solve (step_*.cpp) reads
// as its method and is made of these.
#pragma once

#include <memory>
#include <vector>

#include "assembly/assembler.h"
#include "assembly/energy.h"
#include "hawser/integrator.h"
#include "integrate/rows.h"
#include "integrate/scheme.h"
#include "integrate/viscous.h"
#include "linear/linear_solver.h"

namespace hawser {

class Engine {
 public:
  Engine(const Model& model, const SolveOptions& options);

  State start();
  void resume(const State& state, const Counters& from);
  /// One step; with error control it ends at `until` at the latest.
  Status step(State& state, double until);

  const Model model_handle;
  const ModelData& model;
  const SolveOptions options;
  Assembler assembler;
  std::unique_ptr<LinearSolver> solver;
  Rows rows;        ///< of joints and massless cables
  Viscous viscous;  ///< damping of the sections
  Counters counters;
  Failure failure;

  // --- scratch of a step; arrays by coordinate are padded ---
  std::vector<double> q_tilde, v_tilde;  ///< scheme.h
  std::vector<double> q_base, a_base;    ///< where forces are evaluated, and the acceleration there
  std::vector<double> inertia_of;        ///< cM a_base + cMa a: what the mass matrix multiplies
  std::vector<double> x;  ///< right-hand side, then correction of a; then multipliers
  std::vector<double> q_new, v_new, a_new, force_new;
  std::vector<double> correction;                                          ///< cq x
  std::vector<double> axial_geo, axial_new;                                ///< by axial point
  std::vector<double> known, fixed_residual, fixed_product, reaction_new;  ///< by fixed coordinate
  std::vector<Signal::Sample> fixed_target, condition_target;
  std::vector<double> v_base;  ///< velocity of constraints that goes with a_base
  std::vector<double> v_end;   ///< velocity at the end of the step that goes with a_base
  /// Base at the current state: the end of the step as foretold, for drag and ground.
  std::vector<double> q_ahead, v_ahead;
  std::vector<double> v_force;     ///< velocity at which the forces of bodies are taken
  std::vector<double> multiplier;  ///< by row, as solved (minus the force's)
  std::vector<double> lambda_geo;  ///< by row of `rows`: force of the constraints' curvature
  std::vector<double> predicted;   ///< newton: q*, for the error estimate
  Linearization factored;          ///< newton: the matrix the solver holds factored
  /// Of mixed3's stages.
  struct Stages {
    std::vector<double> A[3], V[3], v_back, q_factored;
    std::vector<double> multipliers;
    std::vector<double> turns;  ///< 1 for nodes whose rotation keeps the constraints, else 0
  } stages;
  State trial;  ///< for steps that may be discarded

  // --- pieces ---
  /// q~ and v~.
  void extrapolate(const State& state, const SchemeWeights& w);
  /// Prescribed values and rates at t; at a kink the rates of the side asked for.
  enum class Side { before, after };
  void evaluate_targets(double t, Side side = Side::before);
  /// Base at the predictor (mixed, newton), prescribed coordinates at their new values.
  void base_at_prediction(const State& state, const SchemeWeights& w);
  /// Base at the current state (linearized).
  void base_at_current(const State& state, const SchemeWeights& w);

  /// The multipliers as a step begins: none, and the curvature of constraints with the state's.
  void begin_rows(const State& state);
  /// The coordinates of `earlier`, as a body's turn since then is seen from `state`.
  void look_back(State& state, State& earlier) const;

  struct Assembly {
    double t = 0;
    Tangent tangent = Tangent::own;
    const double* axial = nullptr;  ///< force of the geometric stiffness (Tangent::mixed)
    bool keep_points = false;
    bool renew_non_stiff = true;
  };
  /// Into force_new: the force of cables and loads on the state, as it is. Where forces know the
  /// past or velocities, an assembly of the step does not have it.
  void find_force_now(const State& state);
  /// Assembles at the base; x becomes the residual F1 + cF history - inertia.
  void assemble(const State& state, const SchemeWeights& w, const Assembly& how,
                const std::vector<double>& history);
  /// False when the matrix is singular or not finite.
  bool factor();
  /// Makes the solver hold the matrix of `where`, anew if need be; false when it is singular. Not
  /// counted: it is work done before.
  bool hold(const Linearization& where);
  /// The matrix at the base, factored by now, is what the solver holds.
  void note_factored(const SchemeWeights& w, double t);
  /// x: residual in, correction and multipliers out. One-sided rows are switched until they agree;
  /// false when the matrix becomes singular by that.
  bool solve(const State& state, const SchemeWeights& w);
  /// A row that the step cannot resolve has come to push in this step: an impact.
  [[nodiscard]] bool impact(const State& state, double h) const;
  /// q_new, v_new, a_new from the base and x; reactions. Returns how far the correction turns
  /// slopes and bodies (NaN when anything is not finite).
  double correct(const SchemeWeights& w);
  /// The axial force of a state that another solve has left: EA eps(q).
  void find_axial(State& state);
  /// axial_new from force_star and the correction. Returns the most Kernels::axial_update does.
  double update_axial();
  /// force_new = cM M a_new + cMa M a - cF force.
  void update_force(const State& state, const SchemeWeights& w);
  /// Work [J] of supports and loads other than weight over the step from `state` to the new values.
  double step_work(const State& state, double h);
  /// The new values become the state's.
  void accept(State& state, double h, bool force_known, bool axial_known);
  /// Velocities and accelerations that agree with the constraints and balance the forces. Rows
  /// whose oscillation a step of `unresolved` [s] does not resolve count as rigid for velocities: 0
  /// leaves the velocities of all that stretches alone.
  bool restart(State& state, double rate_time, double unresolved);

  Status fail(Status status, const State& state, const std::string& cause);

 private:
  [[nodiscard]] State start_shape() const;
  [[nodiscard]] SystemStructure system() const;
  void evaluate_rows(const State& state, const SchemeWeights& w, double t);
  void plan_rows(const State& state, const SchemeWeights& w);
  void find_reactions(std::vector<double>& out) const;
  double change_of_torques(const SchemeWeights& w);
  double change_of_turns(const SchemeWeights& w);
  void correct_bodies(const SchemeWeights& w);
  void fill_conditions(const State& state, const SchemeWeights& w);
  void second_rates(const State& state, std::vector<double>& out);
  bool restart_velocities(State& state, double unresolved);
  bool restart_accelerations(State& state);
  void turn_bodies(State& state) const;
  void prepare_stages();
  Status take_step(State& state, double h);
  Status controlled_step(State& state, double until);
  Status check_energy(State& state);
  [[nodiscard]] double kink_window() const;
  [[nodiscard]] bool kink_near(double t, double& kink) const;

  bool at_current_ = false;   ///< the base is the state itself, not a prediction
  bool planned_ = false;      ///< the rows' plan is that of the base
  std::vector<double> load_;  ///< for the work of loads
  struct HeldTerm {
    size_t fixed, row;
    double factor;
  };
  std::vector<HeldTerm> held_terms_;  ///< of the general conditions, on fixed coordinates
  std::vector<double> gyroscopic_;    ///< change of the solution by what the matrix leaves out
  std::vector<double> turned_;        ///< by coordinate: (T - I) d of the bodies
  std::vector<double> turned_rows_;   ///< by row: G (T - I) d, as far as put right
  std::vector<double> residual_;      ///< of the step, while rows are switched
  std::vector<double> carried_;       ///< by row of `rows`: force that the right-hand side holds
  std::vector<double> second_;        ///< by row of `rows`: second rates
  std::vector<Matrix3> rotation_;
  bool loads_work_ = false;  ///< any load beside gravity
};

/// What no slope changes by in one step; NaN is no better.
inline constexpr double absurd_slope = 1e6;

/// The solves. Each takes the state from t to t + h, or leaves it alone and returns a failure.
Status step_linearized(Engine& engine, State& state, double h);
Status step_mixed(Engine& engine, State& state, double h);
Status step_mixed3(Engine& engine, State& state, double h);
/// `error`: estimate of the local error [m] when not null; the state is then not advanced if it
/// exceeds `tolerance`.
Status step_newton(Engine& engine, State& state, double h, double* error, double tolerance);
Status step_spook(Engine& engine, State& state, double h);
/// A step in which something that the step cannot resolve comes to push: taken by Backward Euler,
/// then velocities that agree with it and accelerations in balance.
Status step_impact(Engine& engine, State& state, double h);
/// h as mixed Backward Euler substeps: what a mixed solve falls back on.
Status step_fallback(Engine& engine, State& state, double h);

}  // namespace hawser

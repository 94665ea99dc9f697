// What all solves share: the scratch of a step and its common pieces. A solve (step_*.cpp) reads
// as its method and is made of these.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "accounts/ledger.h"
#include "assembly/assembler.h"
#include "assembly/energy.h"
#include "complementarity/rows.h"
#include "contact/close_grid.h"
#include "damping/viscous.h"
#include "hawser/integrator.h"
#include "impacts/impacts.h"
#include "linear/linear_solver.h"
#include "schemes/scheme.h"

namespace hawser {

/// How an attempt at a step ended.
enum class StepEnd {
  taken,
  switched,  ///< a one-sided row begins or ceases to push: not taken, the state is as it was
  failed     ///< Engine::failure says why
};

class Engine {
 public:
  Engine(const Model& model, const SolveOptions& options);

  State start(bool search = true);
  void resume(const State& state, const Counters& from);
  /// The state of an engine of the same scene with another mesh, on this one's.
  State take_over(Engine& from, const State& state, MeshChange& change);
  /// One step; with error control it ends at `until` at the latest.
  Status step(State& state, double until);

  const Model model_handle;
  const ModelData& model;
  const SolveOptions options;
  Assembler assembler;
  std::unique_ptr<LinearSolver> solver;
  Workers workers;  ///< of large scenes
  Rows rows;        ///< of the constraints
  Viscous viscous;  ///< damping of the sections
  Ledger ledger;    ///< work and energy
  Impacts impacts;
  Counters counters;
  Failure failure;
  const double unresolved_kept;  ///< by the scheme: rigid_amplification()
  /// A scheme that keeps that much of what a step cannot resolve keeps what a step gets wrong, too:
  /// it is divided rather than linearized again.
  const bool lasting;

  // --- scratch of a step; arrays by coordinate are padded ---
  std::vector<double> q_tilde, v_tilde;  ///< scheme.h
  std::vector<double> q_base, a_base;    ///< where forces are evaluated, and the acceleration there
  std::vector<double> inertia_of;        ///< what the mass matrix multiplies
  std::vector<double> x;  ///< right-hand side, then correction of a; then multipliers
  std::vector<double> q_new, v_new, a_new, a_true_new;
  std::vector<double> force_now;                                           ///< find_force_now()
  std::vector<double> correction;                                          ///< cq x
  std::vector<double> axial_geo, axial_new;                                ///< by axial point
  std::vector<double> known, fixed_residual, fixed_product, reaction_new;  ///< by fixed coordinate
  std::vector<Signal::Sample> fixed_target;  ///< of the prescribed coordinates
  std::vector<double> v_base;                ///< velocity of constraints that goes with a_base
  std::vector<double> v_end;  ///< velocity at the end of the step that goes with a_base
  /// Base at the current state: the end of the step as predicted, for drag and ground.
  std::vector<double> q_ahead, v_ahead;
  std::vector<double> v_force;           ///< velocity at which the forces of bodies are taken
  std::vector<double> multiplier;        ///< by row, as solved (minus the force's)
  std::vector<double> lambda_geo;        ///< by row: force of the constraints' curvature
  std::vector<double> correction_scale;  ///< by coordinate: 1 over what a correction is measured by
  std::vector<double> predicted;         ///< newton: q*, for the error estimate
  Linearization factored;                ///< newton: the matrix the solver holds factored
  /// Of mixed3's stages.
  struct Stages {
    std::vector<double> A[3], V[3], v_back, q_factored;
    std::vector<double> multipliers;
    std::vector<double> turns;     ///< 1 for nodes whose rotation keeps the constraints, else 0
    std::vector<double> rotation;  ///< of every node, in a stage (TurnIo)
  } stages;
  State trial;  ///< for steps that may be discarded
  std::vector<double> axial_kept,
      a_true_kept;  ///< linearized: of a state that mixed tries to take on

  // --- pieces ---
  /// q~ and v~.
  void extrapolate(const State& state, const SchemeWeights& w);
  /// Prescribed values and rates; at a kink the rates of the side asked for.
  enum class Side { before, after };
  void evaluate_targets(const Instant& now, Side side = Side::before);
  /// Base at the predictor (mixed, newton), prescribed coordinates at their new values.
  void base_at_prediction(const State& state, const SchemeWeights& w);
  /// Base at the current state (linearized).
  void base_at_current(const State& state, const SchemeWeights& w);

  /// After the base is set: joined nodes agree, and the multipliers are as a step begins, none, and
  /// the curvature of constraints with the state's.
  void begin_rows(const State& state);
  /// The coordinates of `earlier`, as a body's turn since then is seen from `state`.
  void look_back(State& state, State& earlier) const;

  struct Assembly {
    double t = 0;
    Tangent tangent = Tangent::own;
    const double* axial = nullptr;  ///< force of the geometric stiffness (Tangent::mixed)
    bool keep_points = false;
    bool renew_non_stiff = true;
    bool predicted = true;  ///< the base is a prediction, not the result of a solve
  };
  /// Into force_now: the force of cables and loads on the state, as it is. Where forces know the
  /// past or velocities, an assembly of the step does not have it.
  void find_force_now(const State& state);
  /// Assembles at the state itself, with its accelerations.
  void assemble_now(const State& state, Wanted wanted);
  /// Assembles at the base; x becomes the residual F1 - M (cM a1 + cMa a - cF a_true).
  void assemble(const State& state, const SchemeWeights& w, const Assembly& how);
  /// False when the matrix is singular or not finite.
  bool factor();
  /// Makes the solver hold the matrix of `where`, which lies behind the state, anew if need be;
  /// false when it is singular. Not counted: it is work done before.
  bool hold(const Linearization& where, const State& state);
  /// The matrix at the base, factored by now, is what the solver holds.
  void note_factored(const SchemeWeights& w, const Assembly& how);
  /// x: residual in, correction and multipliers out. One-sided rows are switched until they agree;
  /// false when the matrix becomes singular by that.
  bool solve(const State& state, const SchemeWeights& w);
  /// A one-sided row has begun or ceased to push in this step, which is to stop there.
  [[nodiscard]] bool switched(const State& state) const;
  /// True where a step from `before` to `after` has made energy that nothing supplied, or is not
  /// finite.
  [[nodiscard]] bool makes_energy(const State& before, const State& after) const;
  /// True where parts of a step of h may stand for it: rows that it does not resolve must not go on
  /// from accelerations of shorter ones, and Baumgarte's gains and the damping as Gu et al. print
  /// it change with the length of the step.
  [[nodiscard]] bool divisible(const State& state, double h) const {
    return options.constraints == ConstraintLevel::position && !viscous.follows_step() &&
           resolves(state, h);
  }
  /// True where a step from `before` to `after` has made energy: it is not what the scheme means. A
  /// scheme that damps may take energy and return it; one that is lasting must not lose any.
  [[nodiscard]] bool breaks_balance(const State& before, const State& after) const;
  /// Weights of the step under way. Parts that follow an oscillation and resolve it damp less.
  [[nodiscard]] SchemeWeights weights(const State& state, double h) const {
    return scheme_weights(follows(state, h) ? following_ : options, scheme_, h, state.h_before);
  }
  /// q_new, v_new, a_new from the base and x; reactions. Returns how far the correction turns
  /// slopes and bodies (NaN when anything is not finite).
  double correct(const SchemeWeights& w);
  /// The axial force of a state that another solve has left: EA eps(q).
  void find_axial(State& state);
  /// axial_new from axial_star and the correction.
  AxialUpdate update_axial();
  /// The largest of all terms (Term::left_out).
  [[nodiscard]] double left_out(const Configuration& at) const;
  /// a_true_new = cM a_new + cMa a - cF a_true.
  void update_true(const State& state, const SchemeWeights& w);
  /// The new values as the ledger sees them.
  [[nodiscard]] StepResult result(const State& state, double t) const;
  /// What may touch in a step of h (Term::find_pairs), and a solver whose matrix holds it.
  void find_pairs(State& state, double h);
  void couple_pairs(const State& state);
  /// What terms remember of a state as it is (Term::remember), from nothing.
  void begin_contacts(State& state);
  /// Work [J] over the step from `state` to the new values; accept() writes it into the books.
  double step_work(const State& state, const SchemeWeights& w);
  /// The new values become the state's; `work` is that of step_work().
  void accept(State& state, const SchemeWeights& w, double work, bool a_true_known,
              bool axial_known);
  /// Velocities that agree with what is rigid, and accelerations that balance the forces; what
  /// stretches has the force of its stretch. `slipping`: by row, force with which rows that slip
  /// start, or null. Finds the oscillations of the rows that act.
  bool restart(State& state, double rate_time, const double* slipping = nullptr);

  Status fail(Status status, const State& state, const std::string& cause);
  StepEnd failed(const State& state, const std::string& cause) {
    fail(Status::diverged, state, cause);
    return StepEnd::failed;
  }

 private:
  [[nodiscard]] State start_shape() const;
  [[nodiscard]] SystemStructure system() const;
  [[nodiscard]] Configuration as_it_is(const State& state) const;
  void recall(const State& state, Configuration& at) const;
  Configuration base(const State& state, const SchemeWeights& w, double t);
  void evaluate_rows(const State& state, const SchemeWeights& w, double t);
  void plan_rows(const State& state, const SchemeWeights& w);
  void find_reactions(std::vector<double>& out) const;
  void find_spinning();
  bool change_of_torques(const SchemeWeights& w, bool first);
  bool change_of_turns(const SchemeWeights& w);
  void correct_bodies(const SchemeWeights& w);
  [[nodiscard]] double held_acceleration(const State& state, const SchemeWeights& w,
                                         size_t k) const;
  void prescribe(bool keep_residual);
  void join_velocities(State& state);
  bool restart_velocities(State& state, const double* slipping);
  bool restart_accelerations(State& state, double rate_time);
  void turn_bodies(State& state) const;
  void prepare_stages();
  void take_contacts(const Engine& from, const State& old, State& state);
  State move_to_mesh(Engine& from, const State& old, MeshChange& change);
  State change_fidelity(Engine& from, const State& old);
  void lay_slack(const Engine& from, const State& old, const StateNumbers& numbers, State& state);
  void begin_routes(const StateNumbers& numbers, State& state);
  /// What a step has exchanged.
  struct Exchange {
    double gain;           ///< of energy beside the work [J]
    double kinetic, work;  ///< sizes of their changes [J]
    double balance;        ///< after it (Books) [J]
  };
  [[nodiscard]] Exchange exchange(const State& before, const State& after) const;
  Status check_energy(State& state);
  Status check_rigid_rows(State& state);

  // --- what a step is made of (march.cpp) ---
  void require_feedback(const State& state) const;
  StepEnd take_step(State& state, double h, bool euler);
  [[nodiscard]] double end_of_step(const State& state) const;
  StepEnd march(State& state, double end);
  StepEnd step_in_parts(State& state, double end);
  StepEnd step_at_once(State& state, double end);
  StepEnd split(State& state, double h);
  StepEnd go_to_switch(State& state, double h, double& first);
  StepEnd cut(State& state, double h);
  bool leave_kink(State& state);
  bool pass_kink(State& state, double kink);
  StepEnd controlled_step(State& state, double until);
  [[nodiscard]] bool deadline() const { return options.factorization_cap > 0; }
  [[nodiscard]] bool dashpots_jumped(const State& state) const;
  [[nodiscard]] bool must_damp(const State& state, double h) const;
  [[nodiscard]] double part_of(const State& state, double left) const;
  [[nodiscard]] double next_kink(const State& state, double after, double end) const;

  Scheme scheme_ = Scheme::hht;   ///< of the step under way
  const SolveOptions following_;  ///< of parts that follow an oscillation
  bool stops_at_switch_ = false;  ///< the step under way is not taken where a row switches
  double horizon_ = HUGE_VAL;     ///< a kink at which the step ends: functions of time count as
                                  ///< they are before it [s]
  CloseSearch search_;
  CoupledNodes coupled_;     ///< in the solver's matrix
  State origin_;             ///< of a step that is taken in parts
  State split_origin_;       ///< of a part up to where a row switches
  bool at_current_ = false;  ///< the base is the state itself, not a prediction
  bool predicted_ = true;    ///< the base is a prediction (Assembly)
  bool planned_ = false;     ///< the rows' plan is that of the base
  struct HeldTerm {
    size_t fixed, row, entry;  ///< of G
  };
  std::vector<size_t> moving_;        ///< prescribed coordinates, of ConstraintSet::held, that move
  std::vector<char> moves_;           ///< by prescribed coordinate: whether it does
  std::vector<HeldTerm> held_terms_;  ///< of rows, on prescribed coordinates
  std::vector<double> gyroscopic_;    ///< change of the solution by what the matrix leaves out
  /// What a body asks of a step by its spin: kept apart from all else that is known of it.
  struct Spinning {
    size_t at;        ///< its first coordinate of rotation
    Matrix3 inertia;  ///< [kg m^2]
    Vec3 torque;      ///< gyroscopic, at v_force [N m]
    double least;     ///< a change of this times the spin is none [kg m^2]
  };
  std::vector<Spinning> spinning_;
  std::vector<double> turned_;       ///< by coordinate: (T - I) d of the bodies
  std::vector<double> turned_rows_;  ///< by row: G (T - I) d, as far as put right
  bool turned_before_ = false;       ///< these are not all zero
  std::vector<double> residual_;     ///< of the step, while rows are switched
  std::vector<double> carried_;      ///< by row: force that the right-hand side holds
  std::vector<double> mean_;         ///< by row: mean force over the step [N]
  double least_energy_ = 0;  ///< of a strain of 1e-6 and of a fall that lasts one step: below it
                             ///< there is no motion to speak of [J]
};

/// What makes a step steadier and is not in use yet, as advice.
std::string steadier(const SolveOptions& options);

/// Kinks nearer to each other than this share of a step are one.
inline constexpr double kink_reach = 1e-9;

/// What no slope changes by in one step; NaN is no better.
inline constexpr double absurd_slope = 1e6;

/// The solves. Each takes the state from t to t + h by the engine's scheme of the moment, or leaves
/// it alone.
StepEnd step_linearized(Engine& engine, State& state, double h);
StepEnd step_mixed(Engine& engine, State& state, double h);
StepEnd step_mixed3(Engine& engine, State& state, double h);
/// `error`: estimate of the local error [m] when not null; the state is then not advanced if it
/// exceeds `tolerance`.
StepEnd step_newton(Engine& engine, State& state, double h, double* error, double tolerance);
StepEnd step_spook(Engine& engine, State& state, double h);
/// The engine's trial becomes the state, to be advanced by parts of a step.
void begin_parts(Engine& engine, const State& state);
/// The state, advanced by parts of h in the engine's trial, becomes the state after one step.
void finish_parts(Engine& engine, State& state, double h);
/// A step of h in 4, 16 or 64 parts: `part(trial, length)` takes one,
/// `sound(trial)` judges all of them. False, the state as it was, where none of that holds.
template <class Part, class Sound>
bool step_in_parts_of(Engine& engine, State& state, double h, const Part& part,
                      const Sound& sound) {
  for (const int parts : {4, 16, 64}) {
    begin_parts(engine, state);
    bool settled = true;
    for (int i = 0; i < parts && settled; ++i) settled = part(engine.trial, h / parts);
    if (!settled || !sound(engine.trial)) continue;
    finish_parts(engine, state, h);
    return true;
  }
  return false;
}
/// h as mixed Backward Euler substeps: the last resort of a mixed solve.
StepEnd step_fallback(Engine& engine, State& state, double h);

}  // namespace hawser

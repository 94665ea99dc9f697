// Time integration of a model.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "hawser/model.h"
#include "hawser/options.h"
#include "hawser/state.h"

namespace hawser {

enum class Status {
  ok,
  diverged,     ///< the iteration or the linear solve failed, or a value is not finite
  energy_gain,  ///< spurious energy gain: the integration is unstable
  step_too_small
};

/// Why a run stopped. The state is the last valid one.
struct Failure {
  Status status = Status::ok;
  double time = 0;    ///< [s]
  std::string cable;  ///< the cable with the worst values
  int element = -1;   ///< of that cable
  std::string cause;  ///< what happened, and what to try

  [[nodiscard]] std::string message() const;
};

/// Operation counts since construction, added to those passed to resume().
struct Counters {
  long steps = 0;
  long assemblies = 0;
  long factorizations = 0;
  long solves = 0;
  long relinearized = 0;  ///< mixed: steps with more than one factorization
  long divided = 0;       ///< mixed: steps divided into 4, 16 or 64 substeps of the same scheme
  /// mixed: steps replaced by Backward Euler substeps; mixed3: steps replaced by mixed ones
  long fallbacks = 0;
  long capped = 0;        ///< mixed: steps limited by factorization_cap
  long rejected = 0;      ///< error control: steps repeated with a shorter length
  long restarts = 0;      ///< velocity projections at jumps of a prescribed rate and at impacts
  long switched = 0;      ///< factorizations due to a unilateral constraint switching on or off
  long mesh_changes = 0;  ///< Integrator::change_mesh()
  long fidelity_changes =
      0;  ///< of them, with cables that went slack or came taut (Cable::when_slack)
};

/// What a change of mesh has changed in the state. Divided elements represent the same motion: only
/// rounding errors, and of lumped masses the kinetic energy. Where elements are merged, the linear
/// momentum is preserved, the rest is not.
struct MeshChange {
  double energy = 0;                     ///< total energy [J]
  double kinetic = 0;                    ///< its kinetic part [J]
  Vec3 momentum = Vec3::Zero();          ///< linear [kg m/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< about the origin [kg m^2/s]
  double axial_force = 0;                ///< largest jump of an elastic axial force [N]
};

class Engine;  // src/integrate/engine.h

class Integrator {
 public:
  Integrator(const Model& model, const SolveOptions& options);
  ~Integrator();
  Integrator(Integrator&&) noexcept;
  Integrator& operator=(Integrator&&) noexcept;

  /// The state at t = 0. Velocities are projected onto the constraints (momentum is otherwise
  /// preserved); accelerations are consistent with the forces. `search`: for the equilibrium of
  /// scenes that start at rest; false: the shape from which equilibrium() searches for it.
  [[nodiscard]] State start(bool search = true);

  /// Continues from a state of this or another integrator with the same model and options. The
  /// following steps are bit-identical to those of an uninterrupted run. `counters`: initial values
  /// of the counters. Throws Error if the sizes of the state's arrays do not match the model.
  void resume(const State& state, const Counters& counters = {});

  /// Continues on another mesh: `next` is Model(model().scene(), mesh). Transfers the state to it
  /// (docs/theory/mesh.md) and replaces model(). Books::by_mesh, or Books::by_fidelity where cables
  /// go slack or come taut, accounts for the change of energy. Throws Error, and changes nothing,
  /// if `next` is a model of another scene or the options do not suit it.
  MeshChange change_mesh(const Model& next, State& state);

  /// Takes one step of the length set in the options (with error control: of the controlled
  /// length), ending no later than `until`. On failure, failure() gives the cause and the state is
  /// the last valid one: unchanged, except for `energy_gain`, which is detected after the step, and
  /// for velocities already projected at a jump. Does not allocate, unless the linear solver falls
  /// back to LU (stiff moments, singular matrices). Throws Error if the scene has feedback that was
  /// not applied to the state (hawser/control.h).
  Status step(State& state, double until = std::numeric_limits<double>::infinity());

  /// Steps until t >= until - step/2 (with error control: until exactly).
  Status advance(State& state, double until);

  [[nodiscard]] const Counters& counters() const;
  [[nodiscard]] const Failure& failure() const;
  [[nodiscard]] const Model& model() const;
  [[nodiscard]] const SolveOptions& options() const;
  /// "block-tridiagonal" or "sparse".
  [[nodiscard]] const char* linear_solver() const;

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace hawser

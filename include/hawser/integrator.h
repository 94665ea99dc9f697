// Steps a model through time.
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
  diverged,     ///< the iteration or the linear solve failed, or a number is not finite
  energy_gain,  ///< the run gains energy from nowhere: the step is unstable
  step_too_small
};

/// Why a run stopped. The state is the last sound one.
struct Failure {
  Status status = Status::ok;
  double time = 0;    ///< [s]
  std::string cable;  ///< the one that looks worst
  int element = -1;   ///< of that cable
  std::string cause;  ///< what happened, and what to try

  [[nodiscard]] std::string message() const;
};

/// Work done since the integrator was made, on top of what resume() was given.
struct Counters {
  long steps = 0;
  long assemblies = 0;
  long factorizations = 0;
  long solves = 0;
  long relinearized = 0;  ///< mixed: steps that took more than one factorization
  long divided = 0;       ///< mixed: steps taken in 4, 16 or 64 parts by their own scheme
  /// mixed: steps taken as Backward Euler substeps; mixed3: steps taken as mixed ones instead
  long fallbacks = 0;
  long capped = 0;    ///< mixed: steps cut short by factorization_cap
  long rejected = 0;  ///< error control: steps taken again with a shorter length
  long restarts = 0;  ///< velocities projected where a prescribed rate jumps, or at an impact
  long switched = 0;  ///< factorizations because a one-sided row was switched on or off
};

class Engine;  // src/integrate/engine.h

class Integrator {
 public:
  Integrator(const Model& model, const SolveOptions& options);
  ~Integrator();
  Integrator(Integrator&&) noexcept;
  Integrator& operator=(Integrator&&) noexcept;

  /// The state at t = 0: velocities made to agree with the constraints (momentum is kept
  /// otherwise), accelerations in balance with the forces.
  [[nodiscard]] State start();

  /// Goes on from a state that this or another integrator of the same model and options has left:
  /// the steps that follow give the same bits as if they had never been apart. `counters`: what to
  /// count on from. Throws Error when the state's arrays do not fit the model.
  void resume(const State& state, const Counters& counters = {});

  /// One step of the options' length (with error control: of the controlled length), ending at
  /// `until` at the latest. On failure failure() says why and the state is the last sound one:
  /// unchanged, but for `energy_gain`, which is found after the step, and for velocities already
  /// projected at a jump. Does not allocate, unless the linear solver needs its LU (stiff moments,
  /// singular matrices).
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

// Runs a scene file and writes its results: what `hawser run` does.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/scene_file.h"

namespace hawser {

/// How far a run is.
struct Progress {
  double t = 0, until = 0;      ///< [s] simulated
  double wall = 0;              ///< [s] since this call began
  double real_time_factor = 0;  ///< simulated seconds a second
  double seconds_left = 0;      ///< estimate
  Energy energy;
};

struct RunOptions {
  std::string directory;   ///< where results go; empty: nothing is written
  bool overwrite = false;  ///< the files of an earlier run there are replaced
  bool csv = true, hdf5 = true, vtk = true;
  double checkpoint_every = 0;  ///< [s] simulated; 0: only at the end and when stopped
  /// Called with what is done before the first step, as it begins: it takes minutes for large nets.
  std::function<void(const std::string&)> stage;
  /// Called after the first step, then every now and then; false stops the run after the step.
  std::function<bool(const Progress&)> progress;
  double progress_every = 0.1;  ///< wall time between two calls [s]; 0: after every step
  /// Called with each warning as it arises; they are in the report too.
  std::function<void(const std::string&)> warn;
};

/// An extreme of the tension, looked for at every step.
struct TensionExtreme {
  double tension = 0;  ///< [N]
  double s = 0;        ///< unstretched arc length from the start [m]; 0 of a massless cable
  double t = 0;        ///< [s]
  /// The peak of a blow that the steps do not resolve, computed beside them (State::blows).
  bool computed = false;
};

struct CableReport {
  std::string cable;
  TensionExtreme largest, smallest;
  double breaking_load = 0;          ///< [N]; 0: not known
  double utilisation = 0;            ///< largest tension by breaking load; 0: not known
  std::array<Vec3, 2> from{}, to{};  ///< its start and its end, as the run began and ended [m]
};

/// A body at the end.
struct BodyReport {
  std::string body;
  BodyPose pose;
  Vec3 from = Vec3::Zero();  ///< where it was as the run began [m]
};

struct ExpectationReport {
  Expectation expected;
  std::string unit;  ///< of its column
  double measured = 0;
  bool met = false;
  bool reached = false;  ///< false: the run ended before its time
};

/// Energy that the steps have taken, below zero added, beside all work that is booked
/// (Energy::work): the numerical damping of the scheme [J].
struct NumericalDamping {
  double taken = 0;
  double by_steps = 0;      ///< by steps of the scheme
  double by_fallbacks = 0;  ///< by steps of Backward Euler in its place
  double at_switches = 0;   ///< where cables come taut, limits are met or speeds jump
  double scale = 0;         ///< the largest energy in motion
  [[nodiscard]] double share() const { return scale > 0 ? taken / scale : 0; }
};

enum class RunEnd { finished, stopped, failed };

/// All of a run, the parts before it was resumed included.
struct RunReport {
  std::string title;
  RunEnd end = RunEnd::finished;
  std::string failure;      ///< why, when it failed
  double t = 0, until = 0;  ///< [s] reached, asked for
  std::vector<CableReport> cables;
  std::vector<BodyReport> bodies;
  Energy energy_start, energy_end;
  NumericalDamping damping;
  Counters counters;
  std::string linear_solver;
  double cpu = 0, wall = 0;  ///< [s]
  std::vector<ExpectationReport> expectations;
  std::vector<std::string> warnings;
  std::vector<std::string> files;  ///< written, relative to the directory

  /// False when an expectation was reached and not met.
  [[nodiscard]] bool expectations_met() const;
};

/// Runs a scene from its start. Throws Error on bad input or when the directory holds results.
RunReport run(const SceneFile& file, const RunOptions& options);

/// Goes on from the checkpoint in options.directory, to `until` [s] if given; the results continue
/// as if the run had never stopped. What is written, and how often, is as the run was begun.
RunReport resume(const RunOptions& options, std::optional<double> until = std::nullopt);

}  // namespace hawser

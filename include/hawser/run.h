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
  double wall = 0;              ///< [s] since the start of this run
  double real_time_factor = 0;  ///< simulated seconds a second
  double seconds_left = 0;      ///< estimate
  Energy energy;
};

struct RunOptions {
  std::string directory;   ///< where results go; empty: nothing is written
  bool overwrite = false;  ///< results that are there already are replaced
  bool csv = true, hdf5 = true, vtk = true;
  double checkpoint_every = 0;  ///< [s] simulated; 0: only at the end and when stopped
  /// Called after about every tenth of a second of wall time; false stops the run after the step.
  std::function<bool(const Progress&)> progress;
};

/// An extreme of the tension, looked for at every step.
struct TensionExtreme {
  double tension = 0;  ///< [N]
  double s = 0;        ///< unstretched arc length from the start of the cable [m]
  double t = 0;        ///< [s]
};

struct CableReport {
  std::string cable;
  TensionExtreme largest, smallest;
  double breaking_load = 0;  ///< [N]; 0: not known
  double utilisation = 0;    ///< largest tension by breaking load
};

struct ExpectationReport {
  Expectation expected;
  double measured = 0;
  bool met = false;
  bool reached = false;  ///< false: the run ended before its time
};

enum class RunEnd { finished, stopped, failed };

struct RunReport {
  RunEnd end = RunEnd::finished;
  std::string failure;  ///< why, when it failed
  double t = 0;         ///< [s] reached
  std::vector<CableReport> cables;
  Energy energy_start, energy_end;
  Counters counters;
  std::string linear_solver;
  double cpu = 0, wall = 0;  ///< [s] of this process
  std::vector<ExpectationReport> expectations;
  std::vector<std::string> warnings;
  std::vector<std::string> files;  ///< written, relative to the directory
};

/// Runs a scene from its start. Throws Error on bad input or when the directory holds results.
RunReport run(const SceneFile& file, const RunOptions& options);

/// Goes on from the last checkpoint in options.directory, to `until` if given; the results
/// continue as if the run had never stopped.
RunReport resume(const RunOptions& options, std::optional<double> until = std::nullopt);

}  // namespace hawser

// Faults that once gave wrong numbers without a word, each held to a closed form or a converged
// value at three step sizes or more.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "bench/report.h"
#include "hawser/integrator.h"
#include "hawser/run.h"

namespace hawser {

using enum Tolerance;

/// A run as a user has it, and what its report does not hold.
struct TruthRun {
  RunReport report;
  double gain = 0;  ///< largest rise of the energy balance over the start [J]
};

/// One scene at several steps; each of its rows is added once a step.
struct TruthScene {
  std::string name;           ///< begins with the number of the fault
  const char* text;           ///< the scene file
  std::vector<double> steps;  ///< [s]
  std::vector<std::string> sets = {};
};
struct TruthRow {
  std::string quantity, unit;
  double reference, tolerance;
  Tolerance kind;
  std::string source;
  std::function<double(const TruthRun&)> value;
};
void add_truth(BenchReport& report, const TruthScene& scene, const std::vector<TruthRow>& rows);

/// Reads the scene at a step; `sets` as the command line takes them.
SceneFile truth_file(const TruthScene& scene, double step);

/// A row of a value that is measured otherwise.
void add_truth_row(BenchReport& report, const std::string& name, double step, const TruthRow& row,
                   std::optional<double> value);

// What rows read. The two of cables are over the whole run.
std::function<double(const TruthRun&)> largest(const std::string& cable);
std::function<double(const TruthRun&)> smallest(const std::string& cable);
std::function<double(const TruthRun&)> measured(const std::string& expectation);

void add_impacts(BenchReport& report);        ///< fault 1
void add_starts(BenchReport& report);         ///< faults 2 and 14
void add_kinks(BenchReport& report);          ///< faults 3 and 10
void add_kinked_starts(BenchReport& report);  ///< fault 4
void add_mass_ratios(BenchReport& report);    ///< fault 4
void add_elements(BenchReport& report);       ///< faults 5, 6, 12, 13 and 15
void add_methods(BenchReport& report);        ///< faults 7, 8, 9 and 11

/// A hook off the line between its rope and its sling.
struct KinkedStart {
  double EA, rope, sling;         ///< [MN], [m], [m]
  double rope_peak, sling_peak;   ///< [N]
  std::array<double, 30> height;  ///< of the load at 0.04 s, 0.08 s ... 1.2 s [m]
};
const std::array<KinkedStart, 36>& kinked_starts();

}  // namespace hawser

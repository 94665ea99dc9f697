// A campaign of random machines, each run at its step and at a sixteenth of it.
#pragma once

#include <string>
#include <vector>

namespace hawser {

/// How the run of a machine at its step compares with that at a sixteenth of it.
enum class Agreement {
  agrees,
  warned,           ///< it does not, and the run has said so
  failed,           ///< one of them did not reach its end, and has said why
  silent,           ///< it does not, without a word
  ill_conditioned,  ///< nothing to compare: a change of 1 % of stiffness changes all
};

struct MachineResult {
  int number = 0;
  std::string family;
  std::string method;  ///< and scheme
  double step = 0;     ///< [s]
  Agreement agreement = Agreement::agrees;
  double difference = 0;       ///< the worst, as a share of what it is compared with [-]
  std::string quantity, unit;  ///< that differs the most
  double coarse = 0, fine = 0;
  double until = 0;        ///< how long the two were compared [s]
  bool shortened = false;  ///< less than the run, the rest of which is ill-conditioned
  std::string said;        ///< warning or failure
};

/// Runs machine `number` of the seed.
MachineResult judge_machine(unsigned seed, int number);

struct MachineOptions {
  int count = 1000;
  unsigned seed = 1;
  int only = -1;       ///< only the machine of this number; below zero: all
  std::string folder;  ///< where the scenes of those that do not agree are written; empty: nowhere
};
std::vector<MachineResult> run_machines(const MachineOptions& options);

}  // namespace hawser

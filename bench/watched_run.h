// A run as a user has it, and what its energy did at every step.
#pragma once

#include "hawser/run.h"

namespace hawser {

struct WatchedRun {
  RunReport report;
  double gain = 0;      ///< largest, of the balance of energy since the start [J]
  double loss = 0;      ///< the same of its fall [J]
  double exchange = 0;  ///< largest of what one form of energy has changed by [J]
  double weight = 0;    ///< times the size of the scene [J]
  bool finite = true;   ///< the energy was a number at every step
};

WatchedRun watch_run(const SceneFile& file);

/// Whether a warning gives an amount of energy.
bool about_energy(const std::string& warning);

/// The first warning of a coarse run that depends on its step: one that the fine run does not give
/// as well. Empty: there is none.
std::string warning_of_step(const RunReport& coarse, const RunReport& fine);

}  // namespace hawser

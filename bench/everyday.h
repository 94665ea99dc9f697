// The everyday campaign of `hawser bench robustness`: scenes as people write them, at h and h/10.
// Do they get to the end, are the peaks right, and does the energy stay.
#pragma once

#include <string>
#include <vector>

#include "bench/campaign.h"
#include "bench/report.h"

namespace hawser {

struct EverydayResult {
  int number = 0;
  std::string family;
  double step = 0;                               ///< [s]
  bool refused = false;                          ///< no scene that runs: a fault of the campaign
  bool finished = false, fine_finished = false;  ///< at h, at h/10
  double peak_ratio = 1;  ///< the worst of the largest tensions, larger by smaller of the two runs
  std::string cable;      ///< whose
  double coarse_peak = 0, fine_peak = 0;  ///< [N]
  double gain = 0, loss = 0;              ///< of energy at h, as a share of what is exchanged [-]
  std::string said;                       ///< the failure, or the warning that depends on the step
  std::string said_energy;                ///< the first warning about energy
  /// The run stops, or cannot begin.
  [[nodiscard]] bool stops() const { return refused || !finished; }
  /// Peaks off by more than a factor of two without a warning.
  [[nodiscard]] bool false_peak() const;
  /// More than 5 % of the energy comes from nowhere or goes nowhere, without a warning.
  [[nodiscard]] bool false_energy() const;
  [[nodiscard]] bool bad() const { return stops() || false_peak() || false_energy(); }
};

/// Runs scene `number` of the seed.
EverydayResult judge_everyday_scene(unsigned seed, int number);

std::vector<EverydayResult> run_everyday_scenes(const CampaignOptions& options);

/// Adds the counts, then the scenes that show a fault.
void add_everyday_campaign(BenchReport& report, const CampaignOptions& options);

}  // namespace hawser

// The random campaign of `hawser bench robustness`: does every method get to the end, and does the
// energy stay.
#pragma once

#include <string>
#include <vector>

#include "bench/campaign.h"
#include "bench/report.h"

namespace hawser {

struct RandomResult {
  int number = 0;
  std::string family, method, scheme;
  double step = 0;       ///< [s]
  bool refused = false;  ///< no scene that runs: a fault of the campaign
  bool finished = false;
  bool mixed_runs = true;  ///< it failed, but method = mixed at a tenth of the step does not
  std::string said;        ///< the failure, or the first warning about energy
  double gain = 0;         ///< of energy, as a share of what is exchanged [-]
  double loss = 0;         ///< the same lost that nothing takes [-]
  bool tells = true;       ///< false: a failure without a cause
  [[nodiscard]] bool silent_gain() const;
  [[nodiscard]] bool silent_loss() const;
  /// What a robust method does not do.
  [[nodiscard]] bool bad() const;
};

/// Runs scene `number` of the seed.
RandomResult judge_random_scene(unsigned seed, int number);

std::vector<RandomResult> run_random_scenes(const CampaignOptions& options);

/// Adds the counts by method, then the scenes that show a fault.
void add_random_campaign(BenchReport& report, const CampaignOptions& options);

}  // namespace hawser

// Whether runs get to their end, by campaign.
#include <fmt/format.h>

#include "bench/benches.h"

namespace hawser {

BenchReport bench_robustness(const RobustnessOptions& options) {
  BenchReport report(
      "robustness", "hawser bench robustness",
      fmt::format("Random scenes (seed {}) of cables of every model, with bodies, lumps, moved "
                  "supports, loads, damping, ground and fluid, run for 150 to 600 steps of 0.5 to "
                  "20 ms by every pair of scheme and method. A failure counts where method = mixed "
                  "at a tenth of the step gets to the end; energy where more than 5 % of what is "
                  "exchanged comes from nowhere or goes nowhere, and the run does not say so. "
                  "Scenes that show a fault are listed.",
                  options.seed));
  add_random_campaign(report, options);
  return report;
}

}  // namespace hawser

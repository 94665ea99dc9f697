// Whether runs get to their end, by campaign.
#include <fmt/format.h>

#include "bench/benches.h"
#include "bench/everyday.h"
#include "bench/robustness_random.h"

namespace hawser {

BenchReport bench_robustness(const RobustnessOptions& options) {
  BenchReport report(
      "robustness", "hawser bench robustness",
      fmt::format(
          "Random scenes (seed {}) of cables of every model, with bodies, lumps, moved "
          "supports, loads, damping, ground and fluid, run for 150 to 600 steps of 0.5 to "
          "20 ms by every pair of scheme and method. A failure counts where method = mixed "
          "at a tenth of the step gets to the end; energy where more than 5 % of what is "
          "exchanged comes from nowhere or goes nowhere, and the run does not say so. "
          "Everyday scenes (hoists, slings, spans, winches, drops, tows, booms, "
          "pretension, pulleys) are run by the default method for 1 to 4 s at steps of 1 to "
          "10 ms and at a tenth of them: they stop, their largest tensions differ by more "
          "than a factor of two, or energy is gained or lost, and the run does not say so. "
          "Scenes that show a fault are listed.",
          options.seed));
  const bool both = options.campaign.empty() && options.only < 0;
  if (both || options.campaign != "everyday")
    add_random_campaign(report, {options.random, options.seed, options.only, options.folder});
  if (both || options.campaign == "everyday")
    add_everyday_campaign(report, {options.everyday, options.seed, options.only, options.folder});
  return report;
}

}  // namespace hawser

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
          "Random scenes (seed {}) of cables of each model, with bodies, point masses, moving "
          "supports, loads, damping, ground and fluid, run for 150 to 600 steps of 0.5 to "
          "20 ms with every combination of scheme and method. A failure counts if method = "
          "mixed at a tenth of the step finishes; an energy error counts if it exceeds 5 % of "
          "the energy exchanged and the run gives no warning. "
          "Everyday scenes (hoists, slings, spans, winches, drops, tows, booms, "
          "pretension, pulleys) are run with the default method for 1 to 4 s at steps of 1 to "
          "10 ms and at a tenth of them. Faults are failures, largest tensions that differ by "
          "more than a factor of two, and energy gained or lost, without a warning. Scenes "
          "with a fault are listed.",
          options.seed));
  const bool both = options.campaign.empty() && options.only < 0;
  if (both || options.campaign != "everyday")
    add_random_campaign(report, {options.random, options.seed, options.only, options.folder});
  if (both || options.campaign == "everyday")
    add_everyday_campaign(report, {options.everyday, options.seed, options.only, options.folder});
  return report;
}

}  // namespace hawser

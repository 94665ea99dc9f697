// No silent wrong answer: random machines at h and h/16. `hawser bench validation` runs the faults
// that once were (`hawser bench truth`).
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/benches.h"
#include "bench/random_machines.h"

namespace hawser::HAWSER_FILE {
namespace {

/// The first of those that `hawser bench random-machines` runs.
TEST(Truth, RandomMachinesAgreeOrSaySo) {
  MachineOptions options;
  options.count = 250;
  const std::vector<MachineResult> results = run_machines(options);
  const auto share = [&](Agreement which) {
    return static_cast<double>(
               std::count_if(results.begin(), results.end(),
                             [&](const MachineResult& r) { return r.agreement == which; })) /
           static_cast<double>(results.size());
  };
  for (const MachineResult& r : results)
    EXPECT_NE(r.agreement, Agreement::silent)
        << "machine " << r.number << " (" << r.family << ", " << r.method << ", " << 1e3 * r.step
        << " ms): " << r.quantity << " is " << r.coarse << " " << r.unit << " at h and " << r.fine
        << " at h/16; `hawser bench random-machines --only " << r.number
        << " --write FOLDER` writes it";
  EXPECT_LE(share(Agreement::warned), 0.1);
  EXPECT_LE(share(Agreement::failed), 0.02);
  EXPECT_LE(share(Agreement::ill_conditioned), 0.01);
}

/// A machine is the same wherever it is drawn, and others are others.
TEST(Truth, MachinesRepeat) {
  const MachineResult a = judge_machine(1, 3), b = judge_machine(1, 3), c = judge_machine(2, 3);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.coarse, b.coarse);
  EXPECT_EQ(a.fine, b.fine);
  EXPECT_NE(a.step, c.step);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

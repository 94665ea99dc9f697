#include <gtest/gtest.h>

#include "bench/benches.h"

namespace hawser {
namespace {

/// `hawser bench flow`, with all of its random machines.
TEST(FlowBench, EveryRowIsWithinItsTolerance) {
  const BenchReport report = bench_flow(120, 1);
  for (const BenchRow& row : report.rows()) EXPECT_TRUE(row.ok) << row.name << ", " << row.quantity;
  EXPECT_GT(report.rows().size(), 200u);
}

}  // namespace
}  // namespace hawser

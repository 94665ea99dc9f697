// The benchmarks of time, where they can be right or wrong: the systems that solvers are compared
// on, and the machines that are timed.
#include <gtest/gtest.h>

#include "bench/benches.h"
#include "bench/cases.h"
#include "bench/linear_peers.h"
#include "bench/linear_system.h"

namespace hawser::HAWSER_FILE {
namespace {

class LinearSystems : public ::testing::TestWithParam<const char*> {};

/// What is recorded is the system that our solver solves, and that others solve alike.
TEST_P(LinearSystems, AreSolvedByAll) {
  const LinearSystem system = linear_system_of(shipped(GetParam()), 3);
  ASSERT_GT(system.matrix.rows(), 0);
  EXPECT_GT(system.ours.entries, 0);
  EXPECT_LT(system.residual(system.ours.x), 1e-12);
  const LinearCost eigen = eigen_cost(system);
  EXPECT_EQ(eigen.failure, "");
  EXPECT_LT(system.residual(eigen.x), 1e-6);
  EXPECT_LT((eigen.x - system.ours.x).norm(), 1e-4 * system.ours.x.norm());
}

/// A chain, a border of a body, joints and a massless rope, a net.
INSTANTIATE_TEST_SUITE_P(Scenes, LinearSystems,
                         ::testing::Values("pendulum-westin-irani", "towed-body", "tower-crane",
                                           "net-drawn-in"));

TEST(TimedMachines, AreMeasuredByEachMethod) {
  TimingOptions options;
  options.cases = {"reeving", "mooring"};
  const BenchReport report = bench_machines(options);
  int steps = 0, comparisons = 0;
  for (const BenchRow& row : report.rows()) {
    EXPECT_TRUE(row.ours.has_value()) << row.name << ": " << row.source;
    steps += row.has_extra("us_per_step");
    comparisons += !row.has_extra("us_per_step");
  }
  EXPECT_EQ(steps, 4) << "reeving by mixed and spook, a mooring line in air and in water";
  EXPECT_EQ(comparisons, 2) << "mixed over spook, share of the fluid";
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

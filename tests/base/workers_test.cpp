#include "base/workers.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "base/flags.h"

namespace hawser::HAWSER_FILE {
namespace {

TEST(Workers, OneTakesThePartsInOrder) {
  std::vector<int> parts;
  one_worker().share(5, [&](int part) { parts.push_back(part); });
  EXPECT_EQ(parts, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(one_worker().count(), 1);
}

TEST(Workers, EveryPartIsTakenOnce) {
  for (const int count : {1, 2, 3, 7}) {
    Workers workers(count);
    EXPECT_EQ(workers.count(), count);
    std::vector<int> taken(100);
    for (int round = 0; round < 300; ++round) {
      const int parts = round % 101;
      workers.share(parts, [&](int part) { ++taken[static_cast<size_t>(part)]; });
    }
    // What the threads have written is visible after share().
    for (int part = 0; part < 100; ++part) {
      int expected = 0;
      for (int round = 0; round < 300; ++round) expected += part < round % 101;
      EXPECT_EQ(taken[static_cast<size_t>(part)], expected) << part << " of " << count;
    }
  }
}

/// Each part waits for the one before it, and adds to what that has left.
TEST(Workers, PartsWaitForThoseBefore) {
  constexpr size_t parts = 50;
  for (const int count : {1, 2, 4}) {
    Workers workers(count);
    std::array<unsigned, parts> flags{};
    std::array<long, parts> sums{};
    for (unsigned turn = 1; turn <= 200; ++turn) {
      workers.share(parts, [&](int number) {
        const auto part = static_cast<size_t>(number);
        if (part > 0) await_flag(flags[part - 1], turn);
        sums[part] = number + (part > 0 ? sums[part - 1] : 0);
        raise_flag(flags[part], turn);
      });
      EXPECT_EQ(sums.back(), 49 * 50 / 2);
    }
  }
}

TEST(Workers, AutomaticNumber) {
  EXPECT_GE(automatic_threads(), 1);
  EXPECT_LE(automatic_threads(), 8);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

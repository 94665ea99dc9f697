// The kernel that follows the axial force from look to look, against its words.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "elements/kernel_io.h"

namespace hawser::HAWSER_FILE {
namespace {

TEST(WatchForce, FindsExtremesAndFourthDifferences) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> force(-5, 5);
  for (const int elements : {1, 3, 4, 6, 8, 13})
    for (const int points : {1, 5}) {
      const int packs = (elements + 3) / 4, size = 4 * points * packs;
      const auto held = [&](int i) { return i / (4 * points) * 4 + i % 4 < elements; };
      std::vector<double> past(4 * static_cast<size_t>(size), 0);
      std::vector<std::vector<double>> looks(5, std::vector<double>(static_cast<size_t>(size)));
      for (int look = 0; look < 8; ++look) {
        std::rotate(looks.begin(), looks.begin() + 1, looks.end());
        for (int i = 0; i < size; ++i)  // lanes past the last element mean nothing
          looks[4][static_cast<size_t>(i)] = held(i) ? force(random) : std::nan("");
        double low = HUGE_VAL, high = -HUGE_VAL, squares = 0;
        for (int i = 0; i < size; ++i) {
          const auto at = [&](size_t k) { return looks[k][static_cast<size_t>(i)]; };
          if (!held(i)) continue;
          low = std::min(low, at(4));
          high = std::max(high, at(4));
          const double d4 = at(4) - 4 * at(3) + 6 * at(2) - 4 * at(1) + at(0);
          squares += d4 * d4;
        }
        const ForceSeen seen =
            kernels().elements->watch_force({elements, points, looks[4].data(), past.data()});
        EXPECT_EQ(seen.smallest, low);
        EXPECT_EQ(seen.largest, high);
        EXPECT_NEAR(seen.squares, squares, 1e-12 * squares) << elements << " elements";
      }
    }
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

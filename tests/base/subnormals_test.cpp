#include "base/subnormals.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "base/workers.h"

namespace hawser::HAWSER_FILE {
namespace {

constexpr double smallest = std::numeric_limits<double>::min();

/// Not known to the compiler.
double half_of(double x) {
  volatile double out = x;
  out = out * 0.5;
  return out;
}

#if defined(__SSE2__)
constexpr bool flushes = true;
#else
constexpr bool flushes = false;
#endif

TEST(Subnormals, AreZeroInAScopeAndNotAfterIt) {
  {
    const FlushSubnormals flush;
    EXPECT_EQ(half_of(smallest) == 0, flushes);
    {
      const FlushSubnormals inner;
      EXPECT_EQ(half_of(smallest) == 0, flushes);
    }
    EXPECT_EQ(half_of(smallest) == 0, flushes) << "of the outer scope";
    volatile double zero = 0, next = std::nextafter(0.0, 1.0);
    EXPECT_LT(zero, next) << "those that are there count";
  }
  EXPECT_GT(half_of(smallest), 0);
}

TEST(Subnormals, AllWorkersComputeAsTheCallerDoes) {
  Workers workers(3);
  const auto flushed = [&] {
    std::atomic<int> count = 0;
    workers.share(3, [&](int) {
      count += half_of(smallest) == 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));  // so that others take parts
    });
    return count.load();
  };
  EXPECT_EQ(flushed(), 0);
  {
    const FlushSubnormals flush;
    EXPECT_EQ(flushed(), flushes ? 3 : 0);
  }
  EXPECT_EQ(flushed(), 0);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

#include "base/clock.h"

#include <ctime>

namespace hawser {
namespace {

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

double cpu_seconds() { return seconds(CLOCK_PROCESS_CPUTIME_ID); }
double wall_seconds() { return seconds(CLOCK_MONOTONIC); }

}  // namespace hawser

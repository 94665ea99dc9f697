// Flags by which threads tell each other how far they are: plain numbers, which the kernels of
// every instruction set can read.
#pragma once

#include "base/inline.h"

namespace hawser {

/// What was written before is seen by whoever finds the flag raised to this value.
HAWSER_INLINE void raise_flag(unsigned& flag, unsigned value) {
  __atomic_store_n(&flag, value, __ATOMIC_RELEASE);
}
HAWSER_INLINE bool is_raised(const unsigned& flag, unsigned value) {
  return __atomic_load_n(&flag, __ATOMIC_ACQUIRE) == value;
}
/// Returns when the flag is raised: looks again for some microseconds, then leaves the core to
/// others in between.
void await_flag(const unsigned& flag, unsigned value);

}  // namespace hawser

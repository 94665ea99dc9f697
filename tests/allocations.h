// Counts allocations of a test program; every one is linked with the counter.
#pragma once

#include <cstdlib>  // defines __GLIBC__

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAWSER_OWN_MALLOC 0
#endif
#endif
#if !defined(HAWSER_OWN_MALLOC) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS 1

#include <atomic>

namespace hawser {
extern std::atomic<long> allocations;
}
#endif

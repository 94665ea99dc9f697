// Counts allocations, for one test program: include it in one source file.
//
// Eigen takes memory from malloc, not operator new: count there. The sanitizers have their own.
#pragma once

#include <cstddef>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS 1

#include <atomic>

namespace hawser {
inline std::atomic<long> allocations{0};
}

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void* malloc(size_t size) { return ++hawser::allocations, __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
  return ++hawser::allocations, __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) { return ++hawser::allocations, __libc_realloc(old, size); }
void* aligned_alloc(size_t alignment, size_t size) {
  return ++hawser::allocations, __libc_memalign(alignment, size);
}
}
#endif

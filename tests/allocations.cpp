// Eigen takes memory from malloc, not operator new: count there. The sanitizers have their own.
#include <cstdlib>

#include "allocations.h"

#ifdef COUNTS_ALLOCATIONS

namespace hawser {
std::atomic<long> allocations{0};
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

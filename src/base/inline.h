// Inlining of kernels, which are written as many small functions.
#pragma once

#ifdef HAWSER_KEEP_CALLS
// With sanitizers: checks make functions so large that inlined ones take four times as long to
// compile, and unrolled loops longer still.
#define HAWSER_ALWAYS_INLINE
#else
#define HAWSER_ALWAYS_INLINE __attribute__((always_inline))
#endif
#define HAWSER_INLINE inline HAWSER_ALWAYS_INLINE

/// Before a loop of n passes: writes them out. Kernels keep small arrays in registers, which takes
/// indices that are known; clang takes a count as a part of the passes and leaves a loop.
#define HAWSER_PRAGMA(text) _Pragma(#text)
#ifdef HAWSER_KEEP_CALLS
#define HAWSER_UNROLL(n)
#elif defined(__clang__)
#define HAWSER_UNROLL(n) HAWSER_PRAGMA(clang loop unroll(full))
#else
#define HAWSER_UNROLL(n) HAWSER_PRAGMA(GCC unroll n)
#endif

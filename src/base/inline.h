// Inlining of kernels, which are written as many small functions.
#pragma once

#ifdef HAWSER_KEEP_CALLS
// With sanitizers: checks make functions so large that inlined ones take four times as long to
// compile.
#define HAWSER_ALWAYS_INLINE
#else
#define HAWSER_ALWAYS_INLINE __attribute__((always_inline))
#endif
#define HAWSER_INLINE inline HAWSER_ALWAYS_INLINE

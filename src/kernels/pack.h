// Four doubles side by side: the scalar type of the batched kernels.
//
// A file that includes this is compiled once for each instruction set, with HAWSER_ISA naming the
// namespace it lives in, so that no function compiled for one set can be linked in for another.
#pragma once

#ifndef HAWSER_ISA
#error "compile with HAWSER_ISA=<namespace of the instruction set>"
#endif

#include "base/inline.h"

/// Before a loop that is to remain one: written out, its passes would share what they load, and
/// that would be spilled.
#ifdef __clang__
#define HAWSER_KEEP_LOOP HAWSER_PRAGMA(clang loop unroll(disable))
#else
#define HAWSER_KEEP_LOOP HAWSER_PRAGMA(GCC unroll 1)
#endif

namespace hawser::HAWSER_ISA {

// Typedefs below: clang drops the alignment of an alias declaration.

/// Two doubles. Arrays by node are read and written in pairs: a load that spans two recent stores
/// has to wait for both, and pairs never do, whoever wrote them.
using V2 = double __attribute__((vector_size(16)));
typedef double V2Unaligned  // NOLINT(modernize-use-using)
    __attribute__((vector_size(16), aligned(8), may_alias));
HAWSER_INLINE V2 load_pair(const double* p) { return V2(*reinterpret_cast<const V2Unaligned*>(p)); }
HAWSER_INLINE void store_pair(V2 v, double* p) { *reinterpret_cast<V2Unaligned*>(p) = v; }

#ifdef __AVX__

using V4 = double __attribute__((vector_size(32)));
typedef double V4Unaligned  // NOLINT(modernize-use-using)
    __attribute__((vector_size(32), aligned(8), may_alias));

struct Pack {
  V4 v;

  Pack() = default;
  HAWSER_INLINE Pack(V4 x) : v(x) {}                   // NOLINT(google-explicit-constructor)
  HAWSER_INLINE Pack(double x) : v(V4{x, x, x, x}) {}  // NOLINT(google-explicit-constructor)
  HAWSER_INLINE Pack(double a, double b, double c, double d) : v(V4{a, b, c, d}) {}
  HAWSER_INLINE Pack(V2 first, V2 last) : v(__builtin_shufflevector(first, last, 0, 1, 2, 3)) {}

  static HAWSER_INLINE Pack load(const double* p) {
    return V4(*reinterpret_cast<const V4Unaligned*>(p));
  }
  HAWSER_INLINE void store(double* p) const { *reinterpret_cast<V4Unaligned*>(p) = v; }

  HAWSER_INLINE double operator[](int lane) const { return v[lane]; }
  [[nodiscard]] HAWSER_INLINE V2 first() const { return __builtin_shufflevector(v, v, 0, 1); }
  [[nodiscard]] HAWSER_INLINE V2 last() const { return __builtin_shufflevector(v, v, 2, 3); }
};

HAWSER_INLINE Pack operator+(Pack a, Pack b) { return a.v + b.v; }
HAWSER_INLINE Pack operator-(Pack a, Pack b) { return a.v - b.v; }
HAWSER_INLINE Pack operator*(Pack a, Pack b) { return a.v * b.v; }
HAWSER_INLINE Pack operator/(Pack a, Pack b) { return a.v / b.v; }
HAWSER_INLINE Pack operator-(Pack a) { return -a.v; }

/// Lanes of `a` where `which` is not zero, else zero.
HAWSER_INLINE Pack select(Pack which, Pack a) { return which.v != 0 ? a.v : V4{0, 0, 0, 0}; }

/// See sections/linear_elastic.h.
HAWSER_INLINE Pack unless_slack(Pack which, Pack a) { return which.v <= 0 ? V4{0, 0, 0, 0} : a.v; }

/// The larger of both, lane by lane.
HAWSER_INLINE Pack larger(Pack a, Pack b) { return a.v > b.v ? a.v : b.v; }

/// `x` where `a` is larger than `b`, else `y`.
HAWSER_INLINE Pack choose(Pack a, Pack b, Pack x, Pack y) { return a.v > b.v ? x.v : y.v; }

/// Four of the eight lanes of `a` and `b`, by number.
template <int i, int j, int k, int l>
HAWSER_INLINE Pack shuffle(Pack a, Pack b) {
  return __builtin_shufflevector(a.v, b.v, i, j, k, l);
}

#else

/// Where registers hold but two doubles. gcc takes a vector of 32 bytes here too, but puts every
/// shuffled one together in memory, lane by lane: twice as slow, and far slower to compile.
struct Pack {
  V2 lo, hi;

  Pack() = default;
  HAWSER_INLINE Pack(double x) : lo{x, x}, hi{x, x} {}  // NOLINT(google-explicit-constructor)
  HAWSER_INLINE Pack(double a, double b, double c, double d) : lo{a, b}, hi{c, d} {}
  HAWSER_INLINE Pack(V2 first, V2 last) : lo(first), hi(last) {}

  static HAWSER_INLINE Pack load(const double* p) { return {load_pair(p), load_pair(p + 2)}; }
  HAWSER_INLINE void store(double* p) const {
    store_pair(lo, p);
    store_pair(hi, p + 2);
  }

  HAWSER_INLINE double operator[](int lane) const { return lane < 2 ? lo[lane] : hi[lane - 2]; }
  [[nodiscard]] HAWSER_INLINE V2 first() const { return lo; }
  [[nodiscard]] HAWSER_INLINE V2 last() const { return hi; }
};

HAWSER_INLINE Pack operator+(Pack a, Pack b) { return {a.lo + b.lo, a.hi + b.hi}; }
HAWSER_INLINE Pack operator-(Pack a, Pack b) { return {a.lo - b.lo, a.hi - b.hi}; }
HAWSER_INLINE Pack operator*(Pack a, Pack b) { return {a.lo * b.lo, a.hi * b.hi}; }
HAWSER_INLINE Pack operator/(Pack a, Pack b) { return {a.lo / b.lo, a.hi / b.hi}; }
HAWSER_INLINE Pack operator-(Pack a) { return {-a.lo, -a.hi}; }

HAWSER_INLINE Pack select(Pack which, Pack a) {
  return {which.lo != 0 ? a.lo : V2{0, 0}, which.hi != 0 ? a.hi : V2{0, 0}};
}
HAWSER_INLINE Pack unless_slack(Pack which, Pack a) {
  return {which.lo <= 0 ? V2{0, 0} : a.lo, which.hi <= 0 ? V2{0, 0} : a.hi};
}
HAWSER_INLINE Pack larger(Pack a, Pack b) {
  return {a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
HAWSER_INLINE Pack choose(Pack a, Pack b, Pack x, Pack y) {
  return {a.lo > b.lo ? x.lo : y.lo, a.hi > b.hi ? x.hi : y.hi};
}

template <int i, int j, int k, int l>
HAWSER_INLINE Pack shuffle(Pack a, Pack b) {
  const V2 pairs[4] = {a.lo, a.hi, b.lo, b.hi};
  return {__builtin_shufflevector(pairs[i / 2], pairs[j / 2], i % 2, 2 + j % 2),
          __builtin_shufflevector(pairs[k / 2], pairs[l / 2], k % 2, 2 + l % 2)};
}

#endif

HAWSER_INLINE Pack& operator+=(Pack& a, Pack b) { return a = a + b; }
HAWSER_INLINE Pack& operator-=(Pack& a, Pack b) { return a = a - b; }
HAWSER_INLINE Pack& operator*=(Pack& a, Pack b) { return a = a * b; }

HAWSER_INLINE Pack sqrt(Pack a) {
  return {__builtin_sqrt(a[0]), __builtin_sqrt(a[1]), __builtin_sqrt(a[2]), __builtin_sqrt(a[3])};
}

HAWSER_INLINE bool any_positive(Pack a) { return a[0] > 0 || a[1] > 0 || a[2] > 0 || a[3] > 0; }

/// (last lane of `before`, first three of `a`): what lane i hands to lane i+1.
HAWSER_INLINE Pack shift_in(Pack before, Pack a) { return shuffle<3, 4, 5, 6>(before, a); }

/// (last three lanes of `a`, `after`).
HAWSER_INLINE Pack shift_out(Pack a, double after) { return shuffle<1, 2, 3, 4>(a, after); }

/// (last two lanes of `a`, first two of `b`).
HAWSER_INLINE Pack straddle(Pack a, Pack b) { return shuffle<2, 3, 4, 5>(a, b); }

/// In place: rows become columns.
HAWSER_INLINE void transpose(Pack& a, Pack& b, Pack& c, Pack& d) {
  const Pack ab0 = shuffle<0, 4, 2, 6>(a, b), ab1 = shuffle<1, 5, 3, 7>(a, b);
  const Pack cd0 = shuffle<0, 4, 2, 6>(c, d), cd1 = shuffle<1, 5, 3, 7>(c, d);
  a = shuffle<0, 1, 4, 5>(ab0, cd0);
  b = shuffle<0, 1, 4, 5>(ab1, cd1);
  c = shuffle<2, 3, 6, 7>(ab0, cd0);
  d = shuffle<2, 3, 6, 7>(ab1, cd1);
}

/// Two components, side by side at p and every `stride` further, of four nodes.
HAWSER_INLINE void load_two(const double* p, int stride, Pack& first, Pack& second) {
  const Pack even(load_pair(p), load_pair(p + 2 * stride));
  const Pack odd(load_pair(p + stride), load_pair(p + 3 * stride));
  first = shuffle<0, 4, 2, 6>(even, odd);
  second = shuffle<1, 5, 3, 7>(even, odd);
}
HAWSER_INLINE void store_two(Pack first, Pack second, int stride, double* p) {
  const Pack even = shuffle<0, 4, 2, 6>(first, second), odd = shuffle<1, 5, 3, 7>(first, second);
  store_pair(even.first(), p);
  store_pair(odd.first(), p + stride);
  store_pair(even.last(), p + 2 * stride);
  store_pair(odd.last(), p + 3 * stride);
}

}  // namespace hawser::HAWSER_ISA

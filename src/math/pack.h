// Four doubles side by side: the scalar type of the batched kernels.
//
// A file that includes this is compiled once for each instruction set, with HAWSER_ISA naming the
// namespace it lives in, so that no function compiled for one set can be linked in for another.
#pragma once

#ifndef HAWSER_ISA
#error "compile with HAWSER_ISA=<namespace of the instruction set>"
#endif

#define HAWSER_INLINE inline __attribute__((always_inline))

namespace hawser::HAWSER_ISA {

using V4 = double __attribute__((vector_size(32)));
// A typedef: clang drops the alignment of an alias declaration.
typedef double V4Unaligned  // NOLINT(modernize-use-using)
    __attribute__((vector_size(32), aligned(8), may_alias));

struct Pack {
  V4 v;

  Pack() = default;
  HAWSER_INLINE Pack(V4 x) : v(x) {}                   // NOLINT(google-explicit-constructor)
  HAWSER_INLINE Pack(double x) : v(V4{x, x, x, x}) {}  // NOLINT(google-explicit-constructor)

  static HAWSER_INLINE Pack load(const double* p) {
    return V4(*reinterpret_cast<const V4Unaligned*>(p));
  }
  HAWSER_INLINE void store(double* p) const { *reinterpret_cast<V4Unaligned*>(p) = v; }

  HAWSER_INLINE Pack& operator+=(Pack o) {
    v += o.v;
    return *this;
  }
  HAWSER_INLINE Pack& operator-=(Pack o) {
    v -= o.v;
    return *this;
  }
};

HAWSER_INLINE Pack operator+(Pack a, Pack b) { return a.v + b.v; }
HAWSER_INLINE Pack operator-(Pack a, Pack b) { return a.v - b.v; }
HAWSER_INLINE Pack operator*(Pack a, Pack b) { return a.v * b.v; }
HAWSER_INLINE Pack operator/(Pack a, Pack b) { return a.v / b.v; }
HAWSER_INLINE Pack operator-(Pack a) { return -a.v; }
HAWSER_INLINE Pack sqrt(Pack a) {
  return V4{__builtin_sqrt(a.v[0]), __builtin_sqrt(a.v[1]), __builtin_sqrt(a.v[2]),
            __builtin_sqrt(a.v[3])};
}

/// Lanes of `a` where `which` is not zero, else zero.
HAWSER_INLINE Pack select(Pack which, Pack a) { return which.v != 0 ? a.v : V4{0, 0, 0, 0}; }

/// See sections/linear_elastic.h.
HAWSER_INLINE Pack unless_slack(Pack which, Pack a) { return which.v <= 0 ? V4{0, 0, 0, 0} : a.v; }

/// (last lane of `before`, first three of `a`): what lane i hands to lane i+1.
HAWSER_INLINE Pack shift_in(Pack before, Pack a) {
  return __builtin_shufflevector(before.v, a.v, 3, 4, 5, 6);
}

/// (last three lanes of `a`, `after`).
HAWSER_INLINE Pack shift_out(Pack a, double after) {
  return __builtin_shufflevector(a.v, Pack(after).v, 1, 2, 3, 4);
}

/// In place: rows become columns.
HAWSER_INLINE void transpose(Pack& a, Pack& b, Pack& c, Pack& d) {
  const V4 ab0 = __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6);
  const V4 ab1 = __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7);
  const V4 cd0 = __builtin_shufflevector(c.v, d.v, 0, 4, 2, 6);
  const V4 cd1 = __builtin_shufflevector(c.v, d.v, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

/// Two doubles. Arrays by node are read and written in pairs: a load that spans two recent stores
/// has to wait for both, and pairs never do, whoever wrote them.
using V2 = double __attribute__((vector_size(16)));
typedef double V2Unaligned  // NOLINT(modernize-use-using)
    __attribute__((vector_size(16), aligned(8), may_alias));
HAWSER_INLINE V2 load_pair(const double* p) { return V2(*reinterpret_cast<const V2Unaligned*>(p)); }
HAWSER_INLINE void store_pair(V2 v, double* p) { *reinterpret_cast<V2Unaligned*>(p) = v; }

/// Two components, side by side at p and every `stride` further, of four nodes.
HAWSER_INLINE void load_two(const double* p, int stride, Pack& first, Pack& second) {
  const V4 even = __builtin_shufflevector(load_pair(p), load_pair(p + 2 * stride), 0, 1, 2, 3);
  const V4 odd =
      __builtin_shufflevector(load_pair(p + stride), load_pair(p + 3 * stride), 0, 1, 2, 3);
  first = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
  second = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
}
HAWSER_INLINE void store_two(Pack first, Pack second, int stride, double* p) {
  const V4 even = __builtin_shufflevector(first.v, second.v, 0, 4, 2, 6);
  const V4 odd = __builtin_shufflevector(first.v, second.v, 1, 5, 3, 7);
  store_pair(__builtin_shufflevector(even, even, 0, 1), p);
  store_pair(__builtin_shufflevector(odd, odd, 0, 1), p + stride);
  store_pair(__builtin_shufflevector(even, even, 2, 3), p + 2 * stride);
  store_pair(__builtin_shufflevector(odd, odd, 2, 3), p + 3 * stride);
}

}  // namespace hawser::HAWSER_ISA

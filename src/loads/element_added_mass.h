// The added mass of an element (added_mass.h). Templates over the scalar: double, or a Pack of four
// elements; `slopes`: Surroundings::slopes.
//
//     (M_a b)_k = sum_g w_g n_k m_a P_g b(g),     M_a,ij = sum_g w_g n_i n_j m_a P_g
#pragma once

#include "base/inline.h"
#include "loads/element_surroundings.h"

namespace hawser {

namespace detail {

template <bool slopes, class T>
HAWSER_INLINE Course<T> course_at(const ShapePoint& p, const NodeEnds<T>& q) {
  T slope[3];
  for (int i = 0; i < 3; ++i) slope[i] = combined<slopes>(p.dn, q, i);
  return course_of(slope);
}

}  // namespace detail

/// Adds M_a(q) b; the matrix, unless null, is written: weight M_a(q).
template <bool slopes, class T>
HAWSER_INLINE void add_mass_of_element(const Surroundings& s, const NodeEnds<T>& q,
                                       const NodeEnds<T>& b, double weight, T product[12],
                                       SurroundedBlock<T>* block) {
  const T m(s.added_mass);
  if (block)
    for (Sym3<T>& pair : block->pair)
      for (T& x : pair.m) x = T(0.0);
  Course<T> course;
  for (int g = 0; g < Surroundings::point_count; ++g) {
    const ShapePoint& p = s.points[g];
    if (slopes || g == 0) course = detail::course_at<slopes>(p, q);
    T f[3];
    for (int i = 0; i < 3; ++i) f[i] = m * detail::combined<slopes>(p.n, b, i);
    const T along = dot3(course.t, f);
    for (int i = 0; i < 3; ++i) f[i] -= along * course.t[i];
    detail::spread_force<slopes>(p, f, product);
    if (!block) continue;
    for (int pair = 0; pair < SurroundedBlock<T>::count; ++pair) {
      if (!SurroundedBlock<T>::used(slopes, pair)) continue;
      const T share = T(weight * p.pair[pair]) * m;
      for (int i = 0, k = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j, ++k)
          block->pair[pair].m[k] +=
              share * ((i == j ? T(1.0) : T(0.0)) - course.t[i] * course.t[j]);
    }
  }
}

}  // namespace hawser

// The forces of ground and fluid on an element, and their derivatives. Templates over the scalar:
// double, or a Pack of four elements; `slopes`: Surroundings::slopes.
//
//     f_k = sum_g w_g n_k f(g),   K_ij = sum_g w_g n_i n_j (-df/dr(g)),   g: points
//
// The ground's K is a number times the normal's dyad; drag's is a symmetric 3 x 3 matrix a point,
// and an unsymmetric one, with dn_j in place of n_j, for the slope.
#pragma once

#include "base/inline.h"
#include "loads/surroundings.h"

namespace hawser {

/// A field at the two nodes of an element, six numbers each.
template <class T>
struct NodeEnds {
  const T *left, *right;
};

/// ElementMotion over the scalar.
template <class T>
struct SurroundedMotion {
  NodeEnds<T> q, v, q_ahead, v_ahead;
};

/// Matrix of an element by the block pairs i >= j of (r1, r1', r2, r2'), lower triangle by rows.
/// Pairs with a slope are left alone where there are none.
template <class T>
struct SurroundedBlock {
  static constexpr int count = 10;
  Sym3<T> pair[count];

  static constexpr bool used(bool slopes, int pair) {
    return slopes || pair == 0 || pair == 3 || pair == 5;
  }
};

namespace detail {

/// Sum of c_k x_k over the four vectors of an element, component i.
template <bool slopes, class T>
HAWSER_INLINE T combined(const double c[4], const NodeEnds<T>& x, int i) {
  T sum = T(c[0]) * x.left[i] + T(c[2]) * x.right[i];
  if constexpr (slopes) sum += T(c[1]) * x.left[3 + i] + T(c[3]) * x.right[3 + i];
  return sum;
}

/// force_k += load_k f.
template <bool slopes, class T>
HAWSER_INLINE void spread_force(const ShapePoint& p, const T f[3], T force[12]) {
  for (int k = 0; k < 4; k += slopes ? 1 : 2)
    for (int i = 0; i < 3; ++i) force[3 * k + i] += T(p.load[k]) * f[i];
}

/// Components along the normal of the four vectors of an element.
template <bool slopes, class T>
struct Upward {
  T x[4];

  HAWSER_INLINE Upward(const Surroundings& s, const NodeEnds<T>& of) {
    const T n[3] = {T(s.normal[0]), T(s.normal[1]), T(s.normal[2])};
    x[0] = dot3(n, of.left);
    x[2] = dot3(n, of.right);
    if constexpr (slopes) {
      x[1] = dot3(n, of.left + 3);
      x[3] = dot3(n, of.right + 3);
    }
  }
  [[nodiscard]] HAWSER_INLINE T at(const ShapePoint& p) const {
    T sum = T(p.n[0]) * x[0] + T(p.n[2]) * x[2];
    if constexpr (slopes) sum += T(p.n[1]) * x[1] + T(p.n[3]) * x[3];
    return sum;
  }
};

}  // namespace detail

/// Depth of the points of an element in the ground [m].
template <bool slopes, class T>
HAWSER_INLINE void ground_depths(const Surroundings& s, const NodeEnds<T>& q, T depth[]) {
  const detail::Upward<slopes, T> position(s, q);
  for (int g = 0; g < Surroundings::point_count; ++g)
    depth[g] = T(s.height) - position.at(s.points[g]);
}

/// True where one of the points is in the ground, in any lane.
template <class T>
HAWSER_INLINE bool any_in_ground(const T depth[]) {
  T deepest = depth[0];
  for (int g = 1; g < Surroundings::point_count; ++g) deepest = larger(deepest, depth[g]);
  return any_positive(deepest);
}

/// Adds the push of the ground, or the part of it that has no potential; the matrix is written, or
/// added to. `depth`: ground_depths() of q_ahead.
template <bool slopes, bool lossy, class T>
HAWSER_INLINE void add_ground(const Surroundings& s, const SurroundedMotion<T>& at, const T depth[],
                              const SurroundingsWeights& weights, T force[12],
                              SurroundedBlock<T>* block, bool add_to_block) {
  const detail::Upward<slopes, T> position(s, at.q), velocity(s, at.v), ahead(s, at.v_ahead);
  T sum[4] = {T(0.0), T(0.0), T(0.0), T(0.0)}, resistance[Surroundings::point_count];
  for (int g = 0; g < Surroundings::point_count; ++g) {
    const ShapePoint& p = s.points[g];
    const Footing<T> on = footing(s.ground, depth[g], -ahead.at(p));
    const T now = T(s.height) - position.at(p);
    T push = on.push(now, -velocity.at(p));
    if constexpr (lossy) push -= choose(depth[g], T(0.0), T(s.ground.stiffness) * now, T(0.0));
    for (int k = 0; k < 4; k += slopes ? 1 : 2) sum[k] += T(p.load[k]) * push;
    resistance[g] = T(weights.position) * on.stiffness + T(weights.velocity) * on.viscosity;
  }
  for (int k = 0; k < 4; k += slopes ? 1 : 2)
    for (int i = 0; i < 3; ++i) force[3 * k + i] += T(s.normal[i]) * sum[k];
  if (!block) return;
  for (int pair = 0; pair < SurroundedBlock<T>::count; ++pair) {
    if (!SurroundedBlock<T>::used(slopes, pair)) continue;
    T all(0.0);
    for (int g = 0; g < Surroundings::point_count; ++g)
      all += T(s.points[g].pair[pair]) * resistance[g];
    for (int i = 0, k = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j, ++k) {
        const T entry = T(s.normal[i] * s.normal[j]) * all;
        T& out = block->pair[pair].m[k];
        out = add_to_block ? out + entry : entry;
      }
  }
}

/// add_drag() of bent elements.
template <bool moved, class T>
HAWSER_INLINE void add_bent_drag(const Surroundings& s, const SurroundedMotion<T>& at,
                                 const SurroundingsWeights& weights, T force[12],
                                 SurroundedBlock<T>* block) {
  const DragLaw law{weights.drag * s.drag.across, weights.drag * s.drag.along};
  Sym3<T> D[Surroundings::point_count];
  HAWSER_UNROLL(5)
  for (int g = 0; g < Surroundings::point_count; ++g) {
    const ShapePoint& p = s.points[g];
    T now[3], u[3], slope[3], f[3];
    for (int i = 0; i < 3; ++i) {
      now[i] = detail::combined<true>(p.n, at.v_ahead, i);
      u[i] = T(s.flow[i]) - now[i];
      slope[i] = detail::combined<true>(p.dn, at.q_ahead, i);
    }
    const Course<T> course = course_of(slope);
    const Stream<T> stream = stream_past(course, u);
    if constexpr (moved) {
      T d[3];
      for (int i = 0; i < 3; ++i) d[i] = detail::combined<true>(p.n, at.v, i) - now[i];
      linear_drag(law, course, stream, d, f);
    } else {
      drag_force(law, course, stream, f);
    }
    if (block) drag_by_velocity(law, course, stream, D[g]);
    detail::spread_force<true>(p, f, force);
  }
  if (!block) return;
  HAWSER_UNROLL(10)
  for (int pair = 0; pair < SurroundedBlock<T>::count; ++pair) {
    T* sum = block->pair[pair].m;
    HAWSER_UNROLL(5)
    for (int g = 0; g < Surroundings::point_count; ++g) {
      const T share(weights.velocity * s.points[g].pair[pair]);
      for (int k = 0; k < 6; ++k) sum[k] = g > 0 ? sum[k] + share * D[g].m[k] : share * D[g].m[k];
    }
  }
}

/// What a straight element sums up over its points, by pairs of nodes: 11, 21, 22.
template <class T>
struct StraightSums {
  static constexpr int pairs[3] = {0, 3, 5};  ///< among those of SurroundedBlock

  T A[3], B[3], across[3], along[2];
  T C[5];  ///< times n_1^(4-k) n_2^k

  struct Point {
    const T &A, &B, &C, &across, &along;
  };
  HAWSER_INLINE void add(const ShapePoint& p, bool first, const Point& x) {
    const auto sum = [first](T& all, double share, const T& one) {
      all = first ? T(share) * one : all + T(share) * one;
    };
    for (int k = 0; k < 3; ++k) {
      const double share = p.pair[pairs[k]];
      sum(A[k], share, x.A);
      sum(B[k], share, x.B);
      sum(across[k], share, x.across);
    }
    sum(along[0], p.load[0], x.along);
    sum(along[1], p.load[2], x.along);
    for (int k = 0; k < 5; ++k) sum(C[k], p.quartic[k], x.C);
  }
};

/// add_drag() of straight elements. They have one tangent t, and what meets them is linear: u_n =
/// n_1 a + n_2 b. So forces and matrix are sums of numbers over the points, times vectors and dyads
/// of the element.
template <bool moved, class T>
HAWSER_INLINE void add_straight_drag(const Surroundings& s, const SurroundedMotion<T>& at,
                                     const SurroundingsWeights& weights, T force[12],
                                     SurroundedBlock<T>* block) {
  const DragLaw law{weights.drag * s.drag.across, weights.drag * s.drag.along};
  const ShapePoint& any = s.straight[0];
  T slope[3], left[3], right[3];
  for (int i = 0; i < 3; ++i) {
    slope[i] = T(any.dn[0]) * at.q_ahead.left[i] + T(any.dn[2]) * at.q_ahead.right[i];
    left[i] = T(s.flow[i]) - at.v_ahead.left[i];
    right[i] = T(s.flow[i]) - at.v_ahead.right[i];
  }
  const Course<T> course = course_of(slope);
  const T* t = course.t;
  const T along[2] = {dot3(t, left), dot3(t, right)};
  T a[3], b[3], da[3], db[3], t_da(0.0), t_db(0.0);
  T by_aa(0.0), by_ab(0.0), by_bb(0.0);  // du . u_n = n_1^2 by_aa + n_1 n_2 by_ab + n_2^2 by_bb
  for (int i = 0; i < 3; ++i) {
    a[i] = left[i] - along[0] * t[i];
    b[i] = right[i] - along[1] * t[i];
  }
  if constexpr (moved) {
    for (int i = 0; i < 3; ++i) {
      da[i] = at.v.left[i] - at.v_ahead.left[i];
      db[i] = at.v.right[i] - at.v_ahead.right[i];
    }
    t_da = dot3(t, da), t_db = dot3(t, db);
    by_aa = dot3(a, da), by_ab = dot3(a, db) + dot3(b, da), by_bb = dot3(b, db);
  }
  StraightSums<T> sum;
  HAWSER_UNROLL(3)
  for (int g = 0; g < Surroundings::straight_count; ++g) {
    const ShapePoint& p = s.straight[g];
    const T n1(p.n[0]), n2(p.n[2]);
    T u_n[3];
    for (int i = 0; i < 3; ++i) u_n[i] = n1 * a[i] + n2 * b[i];
    const T u_t = n1 * along[0] + n2 * along[1], speed = sqrt(dot3(u_n, u_n));
    const T A = T(law.across) * speed, B = T(law.along) * larger(u_t, -u_t);
    const T C = T(law.across) * inverse_if_any(speed);
    T by_across = A, by_along = B * u_t;
    if constexpr (moved) {
      const T td = n1 * t_da + n2 * t_db;
      by_across -= C * (n1 * (n1 * by_aa + n2 * by_ab) + n2 * n2 * by_bb);
      by_along += A * td - B * (td + td);
    }
    sum.add(p, g == 0, {A, B + B, C, by_across, by_along});
  }
  for (int i = 0; i < 3; ++i) {
    T left_force = sum.across[0] * a[i] + sum.across[1] * b[i] + sum.along[0] * t[i];
    T right_force = sum.across[1] * a[i] + sum.across[2] * b[i] + sum.along[1] * t[i];
    if constexpr (moved) {
      left_force -= sum.A[0] * da[i] + sum.A[1] * db[i];
      right_force -= sum.A[1] * da[i] + sum.A[2] * db[i];
    }
    force[i] += left_force;
    force[6 + i] += right_force;
  }
  if (!block) return;
  const T w(weights.velocity);
  for (T& x : sum.A) x *= w;
  for (T& x : sum.B) x *= w;
  for (T& x : sum.C) x *= w;
  for (int i = 0, k = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j, ++k) {
      const T tt = t[i] * t[j], aa = a[i] * a[j], ab = a[i] * b[j] + b[i] * a[j], bb = b[i] * b[j];
      for (int pair = 0; pair < 3; ++pair) {
        T entry = (sum.B[pair] - sum.A[pair]) * tt + sum.C[pair] * aa + sum.C[pair + 1] * ab +
                  sum.C[pair + 2] * bb;
        if (i == j) entry += sum.A[pair];
        block->pair[StraightSums<T>::pairs[pair]].m[k] = entry;
      }
    }
}

/// Adds the drag; the matrix is written. `moved`: (q, v) is not (q_ahead, v_ahead).
template <bool slopes, bool moved, class T>
HAWSER_INLINE void add_drag(const Surroundings& s, const SurroundedMotion<T>& at,
                            const SurroundingsWeights& weights, T force[12],
                            SurroundedBlock<T>* block) {
  if constexpr (slopes)
    add_bent_drag<moved>(s, at, weights, force, block);
  else
    add_straight_drag<moved>(s, at, weights, force, block);
}

/// Where an entry of a 3 x 3 matrix is among those of Sym3.
inline constexpr int sym3_at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

/// The whole 12 x 12 matrix, columns first.
template <class T>
void write_whole(const Surroundings& s, const SurroundedBlock<T>& block, T out[144]) {
  for (int i = 0, pair = 0; i < 4; ++i)
    for (int j = 0; j <= i; ++j, ++pair)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          const T entry =
              SurroundedBlock<T>::used(s.slopes, pair) ? block.pair[pair].m[sym3_at[a][b]] : T(0.0);
          out[12 * (3 * j + b) + 3 * i + a] = entry;
          out[12 * (3 * i + a) + 3 * j + b] = entry;
        }
}

/// Adds to it what drag changes by with the slope, which is unsymmetric.
template <class T>
void add_by_slope(const Surroundings& s, const SurroundedMotion<T>& at,
                  const SurroundingsWeights& weights, T out[144]) {
  const double factor = weights.position * weights.drag;
  const DragLaw law{factor * s.drag.across, factor * s.drag.along};
  const int count = s.slopes ? Surroundings::point_count : Surroundings::straight_count;
  for (int g = 0; g < count; ++g) {
    const ShapePoint& p = s.slopes ? s.points[g] : s.straight[g];
    T slope[3], u[3], by_slope[9];
    for (int i = 0; i < 3; ++i) {
      slope[i] = detail::combined<true>(p.dn, at.q_ahead, i);
      u[i] = T(s.flow[i]) - detail::combined<true>(p.n, at.v_ahead, i);
    }
    const Course<T> course = course_of(slope);
    drag_by_slope(law, course, stream_past(course, u), by_slope);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            out[12 * (3 * j + b) + 3 * i + a] -= T(p.load[i] * p.dn[j]) * by_slope[3 * a + b];
  }
}

}  // namespace hawser

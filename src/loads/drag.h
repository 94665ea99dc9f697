// Drag of a fluid on a cable, per unstretched metre: the drag term of Morison et al. (1950), split
// along and across the cable ("independence principle"; Hoerner, Fluid-Dynamic Drag, 1965, ch. 3).
//
//     f = A |u_n| u_n + B |u_t| u_t t,   A = 1/2 rho d C,   B = 1/2 rho pi d C_t
//     t = r'/|r'|,  u_t = t . u,  u_n = u - u_t t,  u: the fluid's velocity less the cable's
//
// By the metre of unstretched cable: a strain of 1 % would change it by 1 %, less than is known of
// C.
#pragma once

#include <cmath>

#include "base/inline.h"
#include "elements/measures.h"
#include "math/choose.h"

namespace hawser {

struct DragLaw {
  double across = 0;  ///< A [kg/m^2]
  double along = 0;   ///< B [kg/m^2]

  [[nodiscard]] HAWSER_INLINE bool any() const { return across > 0 || along > 0; }
};

/// The direction of the cable at a point.
template <class T>
struct Course {
  T t[3];        ///< tangent; 0 where the point has none, and all is across
  T per_length;  ///< 1/|r'| [-]
};

/// The fluid as a point of the cable meets it.
template <class T>
struct Stream {
  T n[3];                ///< u_n [m/s]
  T along, speed_along;  ///< u_t and |u_t| [m/s]
  T across, per_across;  ///< |u_n| [m/s] and 1/|u_n|, 0 where there is none
};

/// 1/x, and 0 unless x > 0.
template <class T>
HAWSER_INLINE T inverse_if_any(const T& x) {
  return choose(x, T(0.0), T(1.0) / x, T(0.0));
}

/// Of the slope r' [-].
template <class T>
HAWSER_INLINE Course<T> course_of(const T slope[3]) {
  using std::sqrt;
  Course<T> c;
  c.per_length = inverse_if_any(T(sqrt(dot3(slope, slope))));
  for (int i = 0; i < 3; ++i) c.t[i] = c.per_length * slope[i];
  return c;
}

/// At the relative velocity u [m/s].
template <class T>
HAWSER_INLINE Stream<T> stream_past(const Course<T>& c, const T u[3]) {
  using std::sqrt;
  Stream<T> s;
  s.along = dot3(c.t, u);
  s.speed_along = larger(s.along, -s.along);
  for (int i = 0; i < 3; ++i) s.n[i] = u[i] - s.along * c.t[i];
  s.across = sqrt(dot3(s.n, s.n));
  s.per_across = inverse_if_any(s.across);
  return s;
}

/// f [N/m].
template <class T>
HAWSER_INLINE void drag_force(const DragLaw& law, const Course<T>& c, const Stream<T>& s, T f[3]) {
  const T A = T(law.across) * s.across, B = T(law.along) * s.speed_along * s.along;
  for (int i = 0; i < 3; ++i) f[i] = A * s.n[i] + B * c.t[i];
}

/// f + df/dv d: with its change with the velocity, linearly, by d [m/s].
template <class T>
HAWSER_INLINE void linear_drag(const DragLaw& law, const Course<T>& c, const Stream<T>& s,
                               const T d[3], T f[3]) {
  const T A = T(law.across) * s.across, B = T(law.along) * s.speed_along, td = dot3(c.t, d);
  const T along = B * (s.along - (td + td)) + A * td;
  const T across = A - T(law.across) * s.per_across * dot3(s.n, d);
  for (int i = 0; i < 3; ++i) f[i] = across * s.n[i] + along * c.t[i] - A * d[i];
}

/// -df/dv = df/du = A (|u_n| P + u_n u_n^T/|u_n|) + 2 B |u_t| t t^T with P = I - t t^T: symmetric
/// and not negative [N s/m^2].
template <class T>
HAWSER_INLINE void drag_by_velocity(const DragLaw& law, const Course<T>& c, const Stream<T>& s,
                                    Sym3<T>& out) {
  const T A = T(law.across) * s.across, B = T(2 * law.along) * s.speed_along - A;
  const T C = T(law.across) * s.per_across;
  for (int i = 0, k = 0; i < 3; ++i) {
    const T Bt = B * c.t[i], Cn = C * s.n[i];
    for (int j = i; j < 3; ++j, ++k) out.m[k] = Bt * c.t[j] + Cn * s.n[j];
  }
  for (const int k : {0, 3, 5}) out.m[k] += A;
}

/// df/dr' = [ -A (|u_n| (t u_n^T + u_t P) + u_t u_n u_n^T/|u_n|) + B |u_t| (2 t u_n^T + u_t P) ] /
/// |r'|, unsymmetric, by rows [N/m].
template <class T>
HAWSER_INLINE void drag_by_slope(const DragLaw& law, const Course<T>& c, const Stream<T>& s,
                                 T out[9]) {
  const T A = T(law.across) * s.across, B = T(law.along) * s.speed_along;
  const T C = T(law.across) * s.along * s.per_across, P = (B - A) * s.along;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[3 * i + j] = c.per_length * ((T(2.0) * B - A) * c.t[i] * s.n[j] - C * s.n[i] * s.n[j] -
                                       P * c.t[i] * c.t[j] + (i == j ? P : T(0.0)));
}

}  // namespace hawser

// Drag of a fluid on a cable, per unstretched metre: the drag term of Morison et al. (1950), split
// along and across the cable ("independence principle"; Hoerner, Fluid-Dynamic Drag, 1965, ch. 3).
//
//     f = A |u_n| u_n + B |u_t| u_t t,   A = 1/2 rho d C,   B = 1/2 rho pi d C_t
//     t = r'/|r'|,  u_t = t . u,  u_n = u - u_t t,  u: the fluid's velocity less the cable's
//
// By the metre of unstretched cable: a strain of 1 % would change it by 1 %, less than is known of
// C.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace hawser {

struct DragLaw {
  double across = 0;  ///< A [kg/m^2]
  double along = 0;   ///< B [kg/m^2]

  [[nodiscard]] bool any() const { return across > 0 || along > 0; }
};

/// The fluid as a point of the cable meets it.
struct Stream {
  Eigen::Vector3d t;     ///< tangent; 0 where the point has none, and all is across
  Eigen::Vector3d n;     ///< u_n [m/s]
  double along, across;  ///< u_t and |u_n| [m/s]
  double per_length;     ///< 1/|r'| [-]
};

/// Slope r' [-] and relative velocity u [m/s].
inline Stream stream_past(const Eigen::Vector3d& slope, const Eigen::Vector3d& u) {
  Stream s;
  const double length = slope.norm();
  s.per_length = length > 0 ? 1 / length : 0;
  s.t = s.per_length * slope;
  s.along = s.t.dot(u);
  s.n = u - s.along * s.t;
  s.across = s.n.norm();
  return s;
}

/// f [N/m].
inline Eigen::Vector3d drag_force(const DragLaw& law, const Stream& s) {
  return law.across * s.across * s.n + law.along * std::abs(s.along) * s.along * s.t;
}

/// -df/dv = df/du = A (|u_n| P + u_n u_n^T/|u_n|) + 2 B |u_t| t t^T with P = I - t t^T: symmetric
/// and not negative [N s/m^2].
inline Eigen::Matrix3d drag_by_velocity(const DragLaw& law, const Stream& s) {
  const double A = law.across * s.across, B = 2 * law.along * std::abs(s.along) - A;
  const double C = s.across > 0 ? law.across / s.across : 0;
  Eigen::Matrix3d out = B * s.t * s.t.transpose() + C * s.n * s.n.transpose();
  out.diagonal().array() += A;
  return out;
}

/// df/dr' = [ -A (|u_n| (t u_n^T + u_t P) + u_t u_n u_n^T/|u_n|) + B |u_t| (2 t u_n^T + u_t P) ] /
/// |r'|, unsymmetric [N/m].
inline Eigen::Matrix3d drag_by_slope(const DragLaw& law, const Stream& s) {
  const double A = law.across * s.across, B = law.along * std::abs(s.along);
  const double C = s.across > 0 ? law.across * s.along / s.across : 0;
  Eigen::Matrix3d out = (2 * B - A) * s.t * s.n.transpose() - C * s.n * s.n.transpose() -
                        (B - A) * s.along * s.t * s.t.transpose();
  out.diagonal().array() += (B - A) * s.along;
  return s.per_length * out;
}

}  // namespace hawser

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

/// Force and derivatives at a point.
struct DragPoint {
  Eigen::Vector3d force;        ///< f [N/m]
  Eigen::Matrix3d by_velocity;  ///< -df/dv = df/du, symmetric and not negative [N s/m^2]
  Eigen::Matrix3d by_slope;     ///< df/dr', unsymmetric [N/m]
};

/// At slope r' [-] and relative velocity u [m/s]; a point without a direction, r' = 0, is all
/// across. With P = I - t t^T:
///     df/du  = A (|u_n| P + u_n u_n^T/|u_n|) + 2 B |u_t| t t^T
///     df/dr' = [ -A (|u_n| (t u_n^T + u_t P) + u_t u_n u_n^T/|u_n|)
///                + B |u_t| (2 t u_n^T + u_t P) ] / |r'|
inline DragPoint drag_point(const DragLaw& law, const Eigen::Vector3d& slope,
                            const Eigen::Vector3d& u) {
  const double length = slope.norm(), per_length = length > 0 ? 1 / length : 0;
  const Eigen::Vector3d t = per_length * slope;
  const double along = t.dot(u), size = std::abs(along);
  const Eigen::Vector3d n = u - along * t;
  const double across = n.norm();
  const Eigen::Matrix3d P = Eigen::Matrix3d::Identity() - t * t.transpose();
  const Eigen::Matrix3d nn = across > 0 ? Eigen::Matrix3d(n * (n / across).transpose())
                                        : Eigen::Matrix3d(Eigen::Matrix3d::Zero());
  const Eigen::Matrix3d tn = t * n.transpose();
  DragPoint out;
  out.force = law.across * across * n + law.along * size * along * t;
  out.by_velocity = law.across * (across * P + nn) + 2 * law.along * size * t * t.transpose();
  out.by_slope = per_length * (law.along * size * (2 * tn + along * P) -
                               law.across * (across * (tn + along * P) + along * nn));
  return out;
}

}  // namespace hawser

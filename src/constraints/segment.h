// One segment of a massless cable: straight between two stops, each a point or a pulley's groove.
//
// A groove is a circle of radius R about c. The cable travels from a to b and turns about a
// pulley's axis by the right-hand rule. It touches a groove at the angle theta, measured in the
// body:
//
//     p = c + R r,   r = cos(theta) e1 + sin(theta) e2   outwards,   tau = axis x r   along
//
// With D = p_b - p_a and t = D/|D| the angles `leave` at a and `reach` at b are those at which the
// straight part, seen along the axis, touches the circle and goes the way of the groove:
//
//     r_a . D = 0,  tau_a . D > 0        r_b . D = 0,  tau_b . D > 0                          (1)
//     length = |D| + R_a leave - R_b reach                                                    (2)
//
// Lengths of segments add up: a pulley between two contributes R (leave - reach), the arc it
// carries. Derivation: docs/theory/routes.md.
//
// At an end of the cable a groove may be the drum of a winch, on which the cable is wound over the
// angle W = W0 + leave - theta at a, W0 - reach - theta at b, theta being the turn of the drum that
// pays out. R and the place of the groove along the axis are then functions of W, and in (2) R
// leave or -R reach is s(W), the length on the drum: docs/theory/winches.md.
#pragma once

#include <Eigen/Core>

#include "constraints/parts.h"
#include "hawser/scene.h"

namespace hawser {

/// One end of a segment as it lies in the world: a point, or a pulley's groove.
struct Groove {
  Vec3 center = Vec3::Zero();  ///< [m]
  Vec3 arm = Vec3::Zero();     ///< centre from the body's centre of mass, world axes [m]
                               ///< (zero on the ground)
  Vec3 e1 = Vec3::Zero(), e2 = Vec3::Zero();  ///< in the groove's plane: unit vectors that turn
  Vec3 axis = Vec3::Zero();                   ///< with the body, e1 x e2 = axis (unused for points)
  double radius = 0;                          ///< [m]; 0: a point
  /// Of a drum, by W; else null. `center` and `radius` are those of W.
  struct Wound {
    double arc;           ///< s(W) - s(W0 - theta) [m]: what of it counts in Segment::length
    double rate;          ///< ds/dW [m]
    double radius_slope;  ///< dR/dW [m]
    double shift_slope;   ///< of the centre along `axis`, by W [m]
  };
  const Wound* wound = nullptr;
};

struct Segment {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  ///< ends of the straight part [m]
  Vec3 tangent = Vec3::Zero();                  ///< its direction, from a to b
  double straight = 0;                          ///< its length [m]
  double length = 0;            ///< straight + R_a leave - R_b reach [m]; on a drum Wound::arc
  double leave = 0, reach = 0;  ///< [rad], 0 for points
  /// d length/dt = force_a . v_a + torque_a . omega_a + force_b . v_b + torque_b . omega_b, with v
  /// the velocity of the body's centre of mass and omega in world axes [-], [m]. A tension acts on
  /// the bodies with minus itself times these.
  Vec3 force_a = Vec3::Zero(), torque_a = Vec3::Zero();
  Vec3 force_b = Vec3::Zero(), torque_b = Vec3::Zero();
  /// By the turn of a drum at a, at b, of the length with all that is wound [m]: about -ds/dW.
  double turn_a = 0, turn_b = 0;
};

enum class SegmentStatus {
  ok,
  coincident,  ///< two points are one: no direction
  inside       ///< an end lies inside the other's groove, seen along its axis: no tangent
};

/// The segment from a to b. Of the angles, which repeat every turn, those nearest to the hints
/// [rad]. Unless ok, `out` is left as it was. Does not allocate.
SegmentStatus span_segment(const Groove& a, const Groove& b, double leave_hint, double reach_hint,
                           Segment& out);

/// Second derivative of the length, times weight, over (x_a, phi_a) and (x_b, phi_b), rotations as
/// vectors about the current pose in the axes of the bodies; `axes` of an end that does not move:
/// null, and its blocks are left as they are. The tangent points are taken as fixed on the bodies:
/// exact for points and for pulleys without fleet angle, off by the order of the fleet angle
/// otherwise.
void segment_curvature(const Groove& a, const Groove& b, const Segment& s, double weight,
                       const Matrix3* axes_a, const Matrix3* axes_b, PartCurvature& out);

}  // namespace hawser

// The force between a point of a cable and a surface, per metre of cable.
//
//     normal     f = k (d - tau_c v_n), kept within [0, 2 k d],   d > 0: depth      (loads/ground.h)
//     friction   t* = t_n - k Du,   |t*| <= mu f_L:  t = t*                          sticks
//                                   otherwise        t = mu f_L t*/|t*|              slips
//
// t_n: traction as the step began, turned with the surface and laid into its tangent plane, its
// length kept; Du: how far the material at the point has moved over the surface in the step. The
// traction is a memory: a point that holds does not creep. mu is the static coefficient where the
// point stuck before, or has slid by less than 2 f/k since it stuck or touched, and the kinetic one
// elsewhere: what touches with little force slips at first. f_L is the normal force of the last
// pass, or in the first pass of the last step: with it the tangent is symmetric,
//
//     -df/dx = k n n^T + k P                              sticks
//              k n n^T + (mu f_L k/|t*|) (P - s s^T)      slips, s = t*/|t*|
//
// with P = I - n n^T.
//
// What sticks oscillates on k, and a load that comes on at once would break away at half of what
// holds it. So - k tau_t v is added where the point stuck in the last step, and with that within
// the limit: it damps the oscillation of the mass of the contact critically. It is not remembered.
//
// By speed instead (Hollars 1988), with the velocity v over the surface, the
// transition speed v_t, static and kinetic coefficients mu_s and mu_k,
//
//     t = -D v,   D = mu(w) f_L/w,   mu(w) = min(w/v_t, 1) (mu_k + 2 (mu_s - mu_k)/(1 + (w/v_t)^2))
//
// where w is |v| of the last pass: a secant, which is symmetric and positive. The derivative itself
// is not, and steps with it grow without limit.
//
// That the normal turns along a curved surface is left out: it is f/rho beside
// k, the depth over the radius.
#pragma once

#include <Eigen/Core>

#include "contact/surface.h"
#include "loads/ground.h"
#include "terms/configuration.h"

namespace hawser {

struct ContactLaw {
  GroundLaw normal;  ///< k [N/m^2], tau_c [s]
  double static_friction = 0, kinetic_friction = 0;
  double grip_damping = 0;      ///< tau_t [s]; 0 where both coefficients are one
  double transition_speed = 0;  ///< of friction by speed [m/s]; 0: with a memory
  double swing = 0;             ///< angular frequency of impacts that rebound [rad/s]; 0: none do
};

enum class Grip { open, sticks, slips };

/// What a point remembers of a surface from an accepted step to the next, in the surface's axes.
struct Bristle {
  Eigen::Vector3d traction = Eigen::Vector3d::Zero();  ///< on the cable [N/m]
  Eigen::Vector3d at = Eigen::Vector3d::Zero();        ///< where the point was [m]
  double push = 0;                                     ///< normal force [N/m]
  Grip grip = Grip::open;
  bool calm = false;  ///< it sticks, and with damping its friction is within the limit
  int face = 0;
  double slid = 0;  ///< since it touched or stuck [m]

  static constexpr int size = 9;  ///< numbers
  static Bristle read(const double* from);
  void write(double* to) const;
  /// Where it touches it sticks, whatever the limit of friction.
  void hold();
};

/// A point relative to the surface, in the surface's axes.
struct ContactMotion {
  Eigen::Vector3d y, rate;  ///< place [m], velocity over the surface [m/s]
  /// How far the cable has run past the point since the step began [m].
  Eigen::Vector3d run_past = Eigen::Vector3d::Zero();
};

struct Contact3 {
  Grip grip = Grip::open;
  double depth = 0;  ///< [m]
  double push = 0;   ///< f [N/m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
  Eigen::Vector3d traction = Eigen::Vector3d::Zero();   ///< [N/m]
  Eigen::Vector3d elastic = Eigen::Vector3d::Zero();    ///< of that what is remembered
  Eigen::Vector3d slide = Eigen::Vector3d::Zero();      ///< Du [m]
  Eigen::Matrix3d stiffness = Eigen::Matrix3d::Zero();  ///< -df/dx [N/m^2]
  double viscosity = 0;                                 ///< -df/dv along the normal [N s/m^2]
  double drag = 0;                                      ///< the same along the surface
  bool by_speed = false;                                ///< it is a secant
  double speed = 0;                                     ///< over the surface [m/s]
  int face = 0;
  bool calm = false;    ///< Bristle::calm
  double slid = 0;      ///< Bristle::slid
  bool passed = false;  ///< through the shape, since the step began: to be pushed back

  [[nodiscard]] Eigen::Vector3d force() const { return push * normal + traction; }
  /// -df/dv.
  [[nodiscard]] Eigen::Matrix3d damping() const {
    return drag * Eigen::Matrix3d::Identity() + (viscosity - drag) * normal * normal.transpose();
  }
};

/// Where the friction limit comes from.
struct FrictionLimit {
  bool of_last_step = false;  ///< Bristle::push
  double push = -1;           ///< this one, unless negative; else the normal force itself
  double speed = -1;          ///< of friction by speed; negative: that of the point itself
  bool at_rest = false;       ///< by static friction, whatever was remembered
};
/// Of the force as it is.
inline FrictionLimit own_limit(const Configuration& at) { return {false, -1, -1, at.at_rest}; }
/// Of a pass that is linear about (q_ahead, v_ahead).
inline FrictionLimit limit_of(const Configuration& at) {
  return {at.predicted, -1, -1, at.at_rest};
}

/// Two things that are pressed into each other, seen from the second.
struct PressedPoint {
  Eigen::Vector3d normal;  ///< of the second
  double depth;            ///< [m]
  Eigen::Vector3d rate;    ///< velocity of the first [m/s]
  Eigen::Vector3d slide;   ///< its way in the step, along the normal, too [m]
};
/// `before`: null where nothing is remembered; there is no friction then.
Contact3 press(const ContactLaw& law, const PressedPoint& now, const Bristle* before,
               FrictionLimit limit);

/// A point of a cable of this radius against a surface.
Contact3 touch(const Surface& surface, double radius, const ContactLaw& law,
               const ContactMotion& now, const Bristle* before, FrictionLimit limit);

}  // namespace hawser

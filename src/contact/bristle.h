// The force between a point of a cable and a surface, per metre of cable.
//
//     normal     f = k (d - tau_c v_n), kept within [0, 2 k d],   d > 0: depth      (loads/ground.h)
//     friction   t* = t_n - k Du,   |t*| <= mu f_L:  t = t*                          sticks
//                                   otherwise        t = mu f_L t*/|t*|              slips
//
// t_n: traction as the step began, turned with the surface and laid into its tangent plane, its
// length kept; Du: how far the point has moved over the surface in the step. The traction is a
// memory: a point that holds does not creep. mu is the static coefficient where the point stuck
// before, and the kinetic one elsewhere. f_L is the normal force of the last pass, or in the first
// pass of the last step: with it the tangent is symmetric,
//
//     -df/dx = k n n^T + k P                              sticks
//              k n n^T + (mu f_L k/|t*|) (P - s s^T)      slips, s = t*/|t*|
//
// with P = I - n n^T. That the normal turns along a curved surface is left out: it is f/rho beside
// k, the depth over the radius.
#pragma once

#include <Eigen/Core>

#include "contact/surface.h"
#include "loads/ground.h"

namespace hawser {

struct ContactLaw {
  GroundLaw normal;  ///< k [N/m^2], tau_c [s]
  double static_friction = 0, kinetic_friction = 0;
};

enum class Grip { open, sticks, slips };

/// What a point remembers of a surface from an accepted step to the next, in the surface's axes.
struct Bristle {
  Eigen::Vector3d traction = Eigen::Vector3d::Zero();  ///< on the cable [N/m]
  Eigen::Vector3d at = Eigen::Vector3d::Zero();        ///< where the point was [m]
  double push = 0;                                     ///< normal force [N/m]
  Grip grip = Grip::open;
  int face = 0;

  static constexpr int size = 8;  ///< numbers
  static Bristle read(const double* from);
  void write(double* to) const;
  /// Where it touches it sticks, whatever the limit of friction.
  void hold();
};

/// A point relative to the surface, in the surface's axes.
struct ContactMotion {
  Eigen::Vector3d y, rate;  ///< place [m], velocity over the surface [m/s]
};

struct Contact3 {
  Grip grip = Grip::open;
  double depth = 0;  ///< [m]
  double push = 0;   ///< f [N/m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
  Eigen::Vector3d traction = Eigen::Vector3d::Zero();   ///< [N/m]
  Eigen::Vector3d slide = Eigen::Vector3d::Zero();      ///< Du [m]
  Eigen::Matrix3d stiffness = Eigen::Matrix3d::Zero();  ///< -df/dx [N/m^2]
  double viscosity = 0;                                 ///< -df/dv along the normal [N s/m^2]
  int face = 0;
  bool passed = false;  ///< through the shape, since the step began: to be pushed back

  [[nodiscard]] Eigen::Vector3d force() const { return push * normal + traction; }
};

/// Where the friction limit comes from.
struct FrictionLimit {
  bool of_last_step = false;  ///< Bristle::push
  double push = -1;           ///< this one, unless negative; else the normal force itself
};

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

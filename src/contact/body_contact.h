// Contact of bodies with each other, with supports and with planes.
//
// A pair touches at up to four points (convex.h), by the law of bristle.h with forces [N] in place
// of forces per metre. The points are no fixed ones of a shape: a sphere rolls over all of its own.
// What friction resists is the way of the material over the other shape: with the pose (R, c) of A
// in the axes of B, and p = R^T (y - c) the place of a point in A,
//
//     Du = P (y - R_n p - c_n)          (R_n, c_n) as the step began
//
// In rolling it is nothing. A point of this step is the one of the last step that is nearest to it,
// in the axes of A or in those of B, and goes on with its traction.
//
// With J_A = [I, -R_A [p]x] and J_B = [I, -R_B [y]x] a force F on A adds J_A^T F to A and -J_B^T F
// to B; the matrix has [J_A, -J_B]^T K [J_A, -J_B] with the resistance K of the point.
//
// State::contacts holds by pair: the pose, the axis of least overlap, and four bristles with their
// places in A.
#pragma once

#include <string>
#include <vector>

#include "contact/cable_contact.h"
#include "contact/convex.h"

namespace hawser {

/// A shape that bodies touch.
struct SolidShape {
  TouchedShape placed;
  ConvexShape convex;
};

struct SolidPair {
  int a = 0, b = 0;  ///< shapes; a is the rounder one
  int pair = -1;     ///< of the matrix; -1: one of them is no body
  int contact = 0;   ///< of the scene
  ContactLaw law;    ///< [N/m] of a point
  int feet = 1;      ///< points for which its stiffness and damping are
  double mass = 0;   ///< that a contact moves [kg]
};

struct TouchingSolids {
  std::vector<SolidShape> shapes;
  std::vector<SolidPair> pairs;
};

class BodyContact final : public ContactTerm {
 public:
  /// `first`: of its numbers in State::contacts.
  BodyContact(TouchingSolids touching, int first);

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;
  [[nodiscard]] double left_out(const Configuration& at) const override;
  [[nodiscard]] int remembered() const override;
  void remember(const Configuration& at, double* contacts) const override;
  [[nodiscard]] double leap(const Configuration& from, const Configuration& to) const override;
  void hold(double* contacts) const override;
  void carry(const ContactTerm& from, const Remembering& old, const double* q,
             double* contacts) const override;
  [[nodiscard]] Eigen::Vector3d force_on(int contact, const std::string& shape,
                                         const Configuration& at) const override;

  [[nodiscard]] const TouchingSolids& touching() const { return touching_; }

 private:
  template <class Call>
  void for_pairs(const Configuration& at, const Call& call) const;

  TouchingSolids touching_;
  int first_;
};

}  // namespace hawser

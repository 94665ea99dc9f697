// Friction of cable that slides over a surface on which it lies: Coulomb's law, regularized, Westin
// & Irani eq. (29) (their "rho" is the mass per metre). Per unstretched metre,
//
//     f = -mu w v/max(|v|, eps)                     v = (I - n n^T) (velocity of the material)
//     w = max(0, m |g . n| - sum f_k . n)           f_k: forces per metre on the cable
//
// and at a node with a mass M or forces F the same with w = max(0, -(M g + sum F) . n) [N]. What
// tension and bending press is not counted: a straight part on a plane has none.
//
//     -df/dv = mu w/|v| (I - n n^T - v v^T/|v|^2)   |v| > eps,      mu w/eps (I - n n^T)   else
//
// Where a step that is linearized with it turns the cable back, its friction would drive: the step
// is linearized again (Term::left_out), then with |v| alone of the result before,
//
//     f = -mu w v/max(|v_ahead|, eps),     -df/dv = mu w/max(|v_ahead|, eps) (I - n n^T)
//
// which never drives, and converges from any velocity. The matrix is symmetric and not negative.
// Below eps the cable creeps: it never sticks.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <utility>
#include <vector>

#include "elements/flow_elements.h"
#include "hawser/profile.h"
#include "terms/term.h"

namespace hawser {

/// A force per metre that presses a part of the cable on the plane, or lifts it.
struct PressingLoad {
  double force = 0;  ///< -f . n [N/m]
  Signal strength = 1.0;
  Profile along;            ///< strength by material coordinate, in place of `strength`; or none
  double from = 0, to = 0;  ///< material coordinates [m]
};

/// What presses a node on the plane.
struct PressedNode {
  int element = 0, end = 0;                       ///< of the run
  double weight = 0;                              ///< of masses [N]
  std::vector<std::pair<double, Signal>> forces;  ///< -F . n [N], strength
};

/// A run of flowing elements that lies on a plane, wherever it is.
struct SlidingRun {
  std::shared_ptr<const FlowElements> elements;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< of the surface, unit
  double friction = 0;                                ///< mu [-]
  double regularization = 1e-3;                       ///< eps [m/s]
  std::vector<PressingLoad> loads{};
  std::vector<PressedNode> nodes{};
};

class SlidingFriction final : public Term {
 public:
  SlidingFriction(std::vector<SlidingRun> runs, bool stiff)
      : runs_(std::move(runs)), stiff_(stiff) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  [[nodiscard]] double left_out(const Configuration& at) const override;

 private:
  std::vector<SlidingRun> runs_;
  bool stiff_;
};

}  // namespace hawser

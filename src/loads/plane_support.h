// A plane on which cable lies, and which it does not leave: it carries the weight across it, and a
// spring holds what would move away from it. Per unstretched metre, at y = n . r - height,
//
//     phi(y) = -w y + k y^2/2        w = -m g . n: weight across the plane [N/m]
//     W(e, l) = l int phi dxi        r = N(xi, l) e, in which N of the slopes is proportional to l
//
// Force and matrix over (e, l) are its gradient and Hessian, for cable that flows as well: at an
// end on the plane phi is zero, so Lagrange's equation of a flow there is that of virtual work. In
// the plane the spring has no force: k only says how stiffly motion across it is held.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "elements/flow_elements.h"
#include "terms/term.h"

namespace hawser {

/// Elements that lie on a plane; those of the material have no flows.
struct SupportedRun {
  FlowBatch batch;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< of the plane, unit
  double height = 0;                                  ///< along the normal, from the origin [m]
  double weight = 0;                                  ///< w [N/m]
  double stiffness = 0;                               ///< k [N/m^2]
};

class PlaneSupports final : public Term {
 public:
  explicit PlaneSupports(std::vector<SupportedRun> runs);

  [[nodiscard]] Facts facts() const override { return {}; }
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;

 private:
  std::vector<SupportedRun> runs_;
};

}  // namespace hawser

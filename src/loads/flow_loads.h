// Forces per unstretched length on the elements through which cable flows. They belong to the
// material: a part of the cable from one material coordinate to another, which may begin and end
// within an element. Over e they are l int N^T f dxi, and on the flows by virtual work at fixed p,
// D1 e . f and D2 e . f (flow_state.h). They are taken where the step is predicted to end, and how
// they change with the length of an element is left out of the tangent: a load per length is soft
// against EA.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "elements/flow_elements.h"
#include "hawser/profile.h"

namespace hawser {

struct FlowLoad {
  std::shared_ptr<const FlowElements> elements;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< [N/m]
  Signal strength = 1.0;
  Profile along;            ///< strength by material coordinate, in place of `strength`; or none
  double from = 0, to = 0;  ///< [m]
};

class FlowLoads final : public Term {
 public:
  explicit FlowLoads(std::vector<FlowLoad> loads) : loads_(std::move(loads)) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;

 private:
  std::vector<FlowLoad> loads_;
};

}  // namespace hawser

// What measure.h reports, for those who ask often: all that can be prepared is.
#pragma once

#include <utility>
#include <vector>

#include "assembly/momentum.h"
#include "hawser/measure.h"
#include "model/model_data.h"
#include "record/mechanism_now.h"

namespace hawser {

/// The supports' force on one node, and their moment on the slope there (slope_node).
class NodeReaction {
 public:
  NodeReaction(const ModelData& model, int node);
  [[nodiscard]] Reaction at(const MechanismNow& now) const;

 private:
  int node_, slope_node_;
  std::vector<std::pair<size_t, int>> fixed_;  ///< in State::fixed_reaction; coordinate of the node
  std::vector<int> rows_;                      ///< of supports
};

}  // namespace hawser

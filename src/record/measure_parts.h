// What measure.h reports, for those who ask often: all that can be prepared is.
#pragma once

#include <vector>

#include "assembly/assembler.h"
#include "hawser/measure.h"
#include "model/model_data.h"

namespace hawser {

/// `assembler` is scratch.
Momentum momentum_of(const ModelData& model, Assembler& assembler, const State& state);

/// The supports' force on one node.
class NodeReaction {
 public:
  NodeReaction(const ModelData& model, int node);
  [[nodiscard]] Reaction at(const State& state) const;

 private:
  struct Term {
    size_t index;    ///< in State::fixed_reaction or State::multipliers
    int coordinate;  ///< of the node
    double factor;
  };
  const ModelData& model_;
  int node_;
  std::vector<Term> fixed_, conditions_;
  const TurningClamp* clamp_ = nullptr;
};

}  // namespace hawser

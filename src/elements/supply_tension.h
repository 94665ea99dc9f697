// Winches that hold a tension at the start of a cable: T |g| on the flow there, against what draws
// cable out, in an equation of virtual work. The elements have that of a drive, which stores the
// energy of the cable that enters (flow_elements.h); the difference comes from outside, too.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "elements/flow_elements.h"
#include "hawser/signal.h"

namespace hawser {

struct SupplyTension {
  Signal tension;                                ///< [N]
  std::shared_ptr<const FlowElements> elements;  ///< beside the winch
};

class SupplyTensions final : public Term {
 public:
  explicit SupplyTensions(std::vector<SupplyTension> winches) : winches_(std::move(winches)) {}

  [[nodiscard]] Facts facts() const override {
    Facts out;
    out.supplies = out.by_time = true;
    return out;
  }
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override {
    for (const SupplyTension& w : winches_) {
      const FlowBatch& batch = w.elements->batch();
      sums.force[batch.first_scalar_at + batch.nodes.front().scalar] +=
          wanted.load_factor * (w.tension.at(at).value * w.elements->stretch_at_start(at.q) +
                                w.elements->beside_drive(at.q, at.v, 1));
    }
  }

 private:
  std::vector<SupplyTension> winches_;
};

}  // namespace hawser

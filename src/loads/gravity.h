// Weight, less the buoyancy of a fluid: a constant generalized force with a potential.
#pragma once

#include <utility>
#include <vector>

#include "terms/term.h"

namespace hawser {

class Gravity final : public Term {
 public:
  /// By coordinate of the nodes [N].
  explicit Gravity(std::vector<double> force) : force_(std::move(force)) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;

 private:
  std::vector<double> force_;
};

}  // namespace hawser

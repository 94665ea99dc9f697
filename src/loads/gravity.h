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

  [[nodiscard]] Facts facts() const override {
    Facts out;
    out.load = true;
    return out;
  }
  void add(const Configuration&, const Wanted& wanted, const Sums& sums) const override {
    for (size_t i = 0; i < force_.size(); ++i) sums.force[i] += wanted.load_factor * force_[i];
  }
  void add_energy(const EnergyState& at, EnergyParts& out) const override {
    double sum[node_size] = {};  // one for each coordinate of a node: one sum would wait for itself
    for (size_t i = 0; i < force_.size(); i += node_size)
      for (size_t k = 0; k < node_size; ++k) sum[k] += force_[i + k] * at.q[i + k];
    out.gravity -= ((sum[0] + sum[1]) + (sum[2] + sum[3])) + (sum[4] + sum[5]);
  }

 private:
  std::vector<double> force_;
};

}  // namespace hawser

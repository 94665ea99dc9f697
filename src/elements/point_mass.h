// Masses at nodes of cables.
#pragma once

#include <utility>
#include <vector>

#include "terms/term.h"

namespace hawser {

struct LumpedMass {
  int node = 0;
  double mass = 0;  ///< [kg]
};

class PointMasses final : public Term {
 public:
  explicit PointMasses(std::vector<LumpedMass> masses) : masses_(std::move(masses)) {}

  [[nodiscard]] Facts facts() const override { return {}; }
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override {
    add_mass_times(at.q, wanted.b, sums.inertia);
    if (!wanted.matrix()) return;
    for (const LumpedMass& m : masses_) {
      double block[node_size * node_size] = {};
      for (int k = 0; k < 3; ++k) block[(node_size + 1) * k] = wanted.mass_weight * m.mass;
      add_node_block(sums.sink, m.node, block);
    }
  }
  void add_mass_times(const double*, const double* b, double* out) const override {
    for (const LumpedMass& m : masses_)
      for (int c = node_size * m.node; c < node_size * m.node + 3; ++c) out[c] += m.mass * b[c];
  }
  void add_energy(const EnergyState& at, EnergyParts& out) const override {
    for (const LumpedMass& m : masses_)
      for (int c = node_size * m.node; c < node_size * m.node + 3; ++c)
        out.kinetic += m.mass * at.v[c] * at.v[c] / 2;
  }

 private:
  std::vector<LumpedMass> masses_;
};

}  // namespace hawser

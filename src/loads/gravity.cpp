#include "loads/gravity.h"

namespace hawser {

Facts Gravity::facts() const {
  Facts out;
  out.load = true;
  return out;
}

void Gravity::add(const Configuration&, const Wanted& wanted, const Sums& sums) const {
  const double factor = wanted.load_factor, *weight = force_.data();
  double* out = sums.force;
  for (size_t i = 0, n = force_.size(); i < n; ++i) out[i] += factor * weight[i];
}

void Gravity::add_energy(const EnergyState& at, EnergyParts& out) const {
  double sum[node_size] = {};  // one for each coordinate of a node: one sum would wait for itself
  for (size_t i = 0; i < force_.size(); i += node_size)
    for (size_t k = 0; k < node_size; ++k) sum[k] += force_[i + k] * at.q[i + k];
  out.gravity -= ((sum[0] + sum[1]) + (sum[2] + sum[3])) + (sum[4] + sum[5]);
}

}  // namespace hawser

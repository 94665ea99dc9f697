#include "loads/flow_loads.h"

#include <algorithm>
#include <array>

#include "elements/hermite.h"
#include "loads/flow_state.h"
#include "math/quadrature.h"

namespace hawser {
namespace {

constexpr int load_points = 5;  ///< exact for a table, whose parts are cubic at most

const std::array<GaussPoint, load_points>& load_rule() {
  static const auto rule = [] {
    std::array<GaussPoint, load_points> out;
    std::copy_n(gauss_rule(load_points).begin(), load_points, out.begin());
    return out;
  }();
  return rule;
}

/// The generalized force over e of a load on a part of an element.
struct ElementLoad {
  const FlowLoad& load;
  const Instant& now;
  double start, length;  ///< material coordinate of its first node, unstretched length [m]
  bool slopes;
  double on_e[12] = {};

  /// From one material coordinate to another, over which the load is smooth.
  void add(double from, double to, double strength) {
    for (const GaussPoint& p : load_rule()) {
      const double s = from + (to - from) * p.x, xi = (s - start) / length;
      const double f =
          (to - from) * p.w * (load.along ? load.along(s).at(now).value : 1) * strength;
      const std::array<double, 4> n =
          slopes ? hermite_position(xi) : std::array<double, 4>{1 - xi, 0, xi, 0};
      for (int block = 0; block < 4; ++block) {
        const double weight = n[static_cast<size_t>(block)] * (block % 2 == 1 ? length : 1) * f;
        for (int k = 0; k < 3; ++k) on_e[3 * block + k] += weight * load.force[k];
      }
    }
  }
};

}  // namespace

Facts FlowLoads::facts() const {
  Facts out;
  out.load = out.supplies = out.ahead = true;
  out.by_time = std::any_of(loads_.begin(), loads_.end(), [](const FlowLoad& load) {
    return load.along || !load.strength.is_constant();
  });
  return out;
}

void FlowLoads::add(const Configuration& at, const Wanted& wanted, const Sums& sums) const {
  for (const FlowLoad& load : loads_) {
    const FlowBatch& batch = load.elements->batch();
    const double strength = wanted.load_factor * (load.along ? 1 : load.strength.at(at).value);
    for (int e = 0; e < batch.ancf.elements; ++e) {
      const FlowState here(batch, e, at.q_ahead, at.v_ahead);
      const double start = load.elements->material(at.q_ahead, e);
      const double end = std::min(start + here.length, load.to);
      double from = std::max(start, load.from);
      if (!(from < end)) continue;
      ElementLoad on{load, at, start, here.length, batch.parameters.unit.slopes};
      for (const double kink : load.along.kinks()) {
        if (!(kink > from) || !(kink < end)) continue;
        on.add(from, kink, strength);
        from = kink;
      }
      on.add(from, end, strength);
      spread_flow(batch, e, here, on.on_e, sums.force);
    }
  }
}

}  // namespace hawser

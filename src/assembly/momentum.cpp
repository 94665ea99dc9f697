#include "assembly/momentum.h"

#include <Eigen/Geometry>

#include "math/orientation.h"

namespace hawser {

Momentum momentum_of(const ModelData& model, Assembler& assembler, const State& state) {
  assembler.mass_times(state.q.data(), state.v.data());
  Momentum out;
  const auto vec = [](const std::vector<double>& a, int i) {
    return Vec3(Eigen::Map<const Vec3>(a.data() + i));
  };
  const std::vector<double>& inertia = assembler.inertia;
  const int bodies = static_cast<int>(model.mechanism.bodies.size());
  for (int n = 0; n < model.nodes; ++n) {
    if (is_drum(model, n)) continue;
    const int at = node_size * n;
    out.linear += vec(inertia, at);
    out.angular += vec(state.q, at).cross(vec(inertia, at));
    const int body = n - (model.nodes - bodies);
    if (body < 0) {  // translations move r alone, rotations turn r and r'
      out.angular += vec(state.q, at + 3).cross(vec(inertia, at + 3));
    } else {  // J omega in body axes
      out.angular += orientation_at(state.orientation.data() + 4 * body) * vec(inertia, at + 3);
    }
  }
  for (const auto* turning : {&model.mechanism.winches, &model.mechanism.wheels})
    for (const WinchData& winch : *turning)  // on a body it is among the body's
      if (winch.body_node < 0)
        out.angular += inertia[static_cast<size_t>(winch.coordinate())] * winch.axis;
  return out;
}

}  // namespace hawser

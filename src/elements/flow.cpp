#include "elements/flow.h"

#include <algorithm>

namespace hawser {
namespace {

FlowParameters flow_of(const AncfParameters& unit, double mass_per_metre, const double gravity[3]) {
  constexpr double as_it_is[6] = {1, 1, 1, 1, 1, 1};
  FlowParameters out;
  out.unit = unit;
  out.scale = BlockScale(out.unit, as_it_is);
  out.mass = mass_per_metre;
  std::copy_n(gravity, 3, out.gravity);
  return out;
}

}  // namespace

FlowParameters flow_parameters(const LinearElastic& law, double mass_per_metre,
                               const double gravity[3], int axial_points, int bending_points) {
  return flow_of(ancf_parameters(1, law, mass_per_metre, axial_points, bending_points),
                 mass_per_metre, gravity);
}

FlowParameters straight_flow_parameters(double EA, double mass_per_metre, const double gravity[3],
                                        bool lumped_mass, bool tension_only) {
  return flow_of(np_fem_parameters(1, EA, mass_per_metre, lumped_mass, tension_only),
                 mass_per_metre, gravity);
}

}  // namespace hawser

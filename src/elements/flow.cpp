#include "elements/flow.h"

#include <algorithm>

namespace hawser {

FlowParameters flow_parameters(const LinearElastic& law, double mass_per_metre,
                               const double gravity[3], int axial_points, int bending_points) {
  constexpr double as_it_is[6] = {1, 1, 1, 1, 1, 1};
  FlowParameters out;
  out.unit = ancf_parameters(1, law, mass_per_metre, axial_points, bending_points);
  out.scale = BlockScale(out.unit, as_it_is);
  out.mass = mass_per_metre;
  std::copy_n(gravity, 3, out.gravity);
  return out;
}

}  // namespace hawser

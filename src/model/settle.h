// From the nodes of a catenary to where the elements themselves hang still.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "elements/ancf.h"
#include "loads/surroundings.h"
#include "model/shape.h"

namespace hawser {

/// A cable with elements under its weight, with all that it needs to find its balance.
struct HangingElements {
  struct Part {  ///< equal elements one after the other
    AncfParameters parameters;
    Vec3 weight = Vec3::Zero();  ///< per unstretched metre [N/m]
    std::optional<Surroundings> ground;
    int elements = 0;
    bool split = false;  ///< its first node is another one than the last before it, at its place
  };
  std::vector<Part> parts;
  StrainMeasure strain = StrainMeasure::green;
  std::vector<std::array<bool, 2>> fixed;  ///< by node: position, slope
};

/// Moves the nodes to a minimum of the energy of stretch, weight and ground. Cubics through the
/// nodes of a stiff cable's catenary are longer here and shorter there, by little, but with stress
/// that has no place in a cable that hangs still. Bending is left out: the cable hangs as one that
/// does not bend.
void settle(const HangingElements& cable, std::vector<NodeStart>& nodes);

}  // namespace hawser

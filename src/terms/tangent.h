// Which matrix an assembly adds to.
#pragma once

namespace hawser {

enum class Tangent {
  none,  ///< forces only
  own,   ///< geometric stiffness from the axial force of this configuration
  mixed  ///< geometric stiffness from the axial force handed in (the state of the mixed solve)
};

}  // namespace hawser

// Numbers that scenes with known answers share.
#pragma once

namespace hawser::constants {

inline constexpr double g = 9.81;  ///< of the scenes, unless they say otherwise [m/s^2]

}  // namespace hawser::constants

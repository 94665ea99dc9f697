// Scenes as people write them on an ordinary day, for `hawser bench robustness`.
#pragma once

#include <string>

namespace hawser {

struct EverydayScene {
  std::string family;  ///< hoist, sling, span, winch, drop, tow, boom, pretension, pulley
  std::string text;    ///< the scene file
  double step = 0;     ///< [s]
};

/// The same scene from the same seed and number, wherever it is drawn.
EverydayScene draw_everyday_scene(unsigned seed, int number);

}  // namespace hawser

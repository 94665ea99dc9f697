// Random scenes of cables, each as the text of a scene file, for `hawser bench robustness`.
#pragma once

#include <array>
#include <string>

namespace hawser {

inline constexpr std::array random_scene_methods = {"linearized", "mixed", "mixed3", "newton",
                                                    "spook"};

struct RandomScene {
  std::string family;
  std::string method, scheme;
  std::string text;  ///< the scene file
  double step = 0;   ///< [s]
  long steps = 0;    ///< of the run
};

/// The same scene from the same seed and number, wherever it is drawn. Numbers go through all pairs
/// of scheme and method in turn.
RandomScene draw_random_scene(unsigned seed, int number);

}  // namespace hawser

// `hawser bench robustness`: seeded scenes of two kinds.
#pragma once

#include <string>

namespace hawser {

struct RobustnessOptions {
  int random = 2000, everyday = 400;  ///< scenes of each campaign
  unsigned seed = 1;
  int only = -1;         ///< only the scene of this number, of the random campaign if both run
  std::string folder;    ///< where scenes that show a fault are written; empty: nowhere
  std::string campaign;  ///< random or everyday; empty: both
};

}  // namespace hawser

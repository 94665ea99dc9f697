// Random scenes of cables and what hangs on them, for `hawser bench statics`.
#pragma once

#include <random>
#include <string>

#include "hawser/scene.h"

namespace hawser {

struct StaticCase {
  std::string family;
  Scene scene;
};

/// The same numbers from the same seed on every machine.
StaticCase draw_static_case(std::mt19937_64& random);

}  // namespace hawser

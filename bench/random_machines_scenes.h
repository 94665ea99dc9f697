// Random machines, each as the text of a scene file, for `hawser bench random-machines`.
#pragma once

#include <string>

namespace hawser {

struct Machine {
  std::string family;
  std::string method;  ///< and scheme
  std::string text;    ///< the scene file
  double step = 0;     ///< [s]
  long steps = 0;      ///< of the run
  [[nodiscard]] double until() const { return static_cast<double>(steps) * step; }  ///< [s]
};

/// The same machine from the same seed and number, wherever it is drawn.
Machine draw_machine(unsigned seed, int number);

}  // namespace hawser

// What the files of FlowElements read of an element.
#pragma once

#include "elements/flow_elements.h"

namespace hawser {

/// An element's part of q or v: e, and p of both ends or their rates.
struct FlowElements::Local {
  const double* e;
  double p[2];
  [[nodiscard]] double length() const { return p[1] - p[0]; }

  Local(const FlowElements& term, int element, const double* a, bool rates)
      : e(a + term.first(element)) {
    for (int i = 0; i < 2; ++i)
      p[i] = rates ? term.rate(a, element + i) : term.material(a, element + i);
  }
};

}  // namespace hawser

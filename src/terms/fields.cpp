#include "terms/fields.h"

#include <algorithm>

namespace hawser {

LinePack nearest_line(const ElementRun& run, const Lanes* values) {
  Lanes mean = Lanes::Zero(), moment = Lanes::Zero();  // of order 0 and 1 about the middle
  for (int g = 0; g < run.axial_points; ++g) {
    const double w = run.axial_weight[g] / run.length;
    mean += w * values[g];
    moment += w * (2 * run.place[g] - 1) * values[g];
  }
  moment *= 3;  // sum w (2 xi - 1)^2 = 1/3: the rules are exact for it
  return {mean - moment, mean + moment};
}

double start_of(CableFields cable, const double* q) { return cable.front()->arc(q, 0, 0); }

double length_of(CableFields cable, const double* q) {
  const bool flows =
      std::any_of(cable.begin(), cable.end(), [](const Fields* part) { return part->run.flows; });
  if (flows)  // on pulleys there are no elements
    return cable.back()->arc(q, cable.back()->run.elements - 1, 1) - start_of(cable, q);
  double sum = 0;
  for (const Fields* part : cable) sum += part->run.whole_length();
  return sum;
}

}  // namespace hawser

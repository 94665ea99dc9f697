#include "terms/fields.h"

#include <algorithm>

namespace hawser {

/// Moments of order 0 and 1 about the middle: sum w (2 xi - 1)^2 = 1/3, for which the rules are
/// exact.
void ElementRun::find_line() {
  for (int g = 0; g < axial_points; ++g) {
    const double w = axial_weight[g] / length, moment = 3 * (2 * place[g] - 1);
    line_start[g] = w * (1 - moment);
    line_end[g] = w * (1 + moment);
  }
}

LinePack nearest_line(const ElementRun& run, const Lanes* values) {
  LinePack out{run.line_start[0] * values[0], run.line_end[0] * values[0]};
  for (int g = 1; g < run.axial_points; ++g) {
    out.start += run.line_start[g] * values[g];
    out.end += run.line_end[g] * values[g];
  }
  return out;
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

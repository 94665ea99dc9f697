#include "hawser/profile.h"

#include <algorithm>
#include <cmath>

namespace hawser {

Profile Profile::table(std::vector<double> arcs, std::vector<double> values,
                       Interpolation between) {
  Profile out;
  const auto finite = [](const std::vector<double>& all) {
    return std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); });
  };
  if (arcs.size() != values.size())
    out.fault_ = "different numbers of arc lengths and values";
  else if (arcs.size() < 2)
    out.fault_ = "a table of fewer than two points";
  else if (!finite(arcs) || !finite(values))
    out.fault_ = "an entry that is not finite";
  else if (std::adjacent_find(arcs.begin(), arcs.end(), std::greater_equal<>()) != arcs.end())
    out.fault_ = "arc lengths that do not increase";
  out.kinks_ = arcs;
  // The interpolation of a table over time, taken at s.
  const Signal rows = Signal::table(std::move(arcs), std::move(values), between);
  out.f_ = [rows](double s) { return Signal(rows.at({s, {}}).value); };
  return out;
}

}  // namespace hawser

#include "constraints/flow_ends.h"

#include <fmt/format.h>

namespace hawser {

bool FlowEnds::evaluate(const RowsAt& at, RowValues& out) {
  for (const Rate& r : rates_) {
    const auto row = static_cast<size_t>(r.row);
    out.phi[row] = at.q[at.rows[row].coordinates[0]];
    out.rate[row] = at.poses.sample(r.speed, at).value;
    out.G[static_cast<size_t>(at.rows[row].first_entry)] = 1;
  }
  for (const int row : idle_) out.phi[static_cast<size_t>(row)] = 1;
  return true;
}

/// Its length, or the rate of that, without the base.
static double along(const FlowEnds::Border& b, const double* x) {
  double sum = 0;
  for (const int end : {0, 1})
    if (const int c = b.coordinate[end]; c >= 0) sum += (end == 0 ? -1 : 1) * x[c];
  return sum;
}

double FlowEnds::time_left(const State& state) const {
  double first = HUGE_VAL;
  for (const Border& b : borders_) {
    if (!b.free) continue;
    const double length = b.base[1] - b.base[0] + along(b, state.q.data()),
                 rate = along(b, state.v.data());
    if (length < b.least) return 0;
    if (rate < 0) first = std::min(first, (length - b.least / 2) / -rate);
  }
  return first;
}

std::string FlowEnds::ending(const double* q, const double* v, double h, const Poses&) const {
  constexpr double steps_left = 3;  // a shorter element changes too much in one of them
  for (const Border& b : borders_) {
    const double length = b.base[1] - b.base[0] + along(b, q), rate = along(b, v);
    if (b.free || !(length + steps_left * h * rate < b.least)) continue;
    if (b.goes_on)
      return fmt::format(
          "{} runs {:.3g} m in a step, and the element there is {:.3g} m long. Use shorter steps "
          "or "
          "longer elements",
          b.owner, -rate * h, length);
    return fmt::format(
        "{} is used up: {:.3g} m are left, and {:.3g} m/s run out. Reel in less, or use a longer "
        "cable",
        b.owner, length, -rate);
  }
  return {};
}

}  // namespace hawser

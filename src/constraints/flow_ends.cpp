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
  return true;
}

std::string FlowEnds::ending(const double* q, const double* v, double h, const Poses&) const {
  constexpr double steps_left = 3;  // a shorter element changes too much in one of them
  for (const Border& b : borders_) {
    double length = b.base[1] - b.base[0], rate = 0;
    for (const int end : {0, 1})
      if (const int c = b.coordinate[end]; c >= 0) {
        length += (end == 0 ? -1 : 1) * q[c];
        rate += (end == 0 ? -1 : 1) * v[c];
      }
    if (!(length + steps_left * h * rate < b.least)) continue;
    if (b.joint)
      return fmt::format(
          "{}: a joint of sections reaches it, {:.3g} m are left. Joints do not pass eyelets, "
          "pulleys and winches. Lengthen the section that is there",
          b.owner, length);
    return fmt::format(
        "{} is used up: {:.3g} m are left, and {:.3g} m/s run out. Reel in less, or use a longer "
        "cable",
        b.owner, length, -rate);
  }
  return {};
}

}  // namespace hawser

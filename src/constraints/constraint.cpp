#include "constraints/constraint.h"

#include <algorithm>

namespace hawser {

Constraint::Slipped Constraint::slip_between(const TakenStep& step, int before, int after,
                                             double arrived, int& slips, double* lengths) {
  if (slips == 0) return {0, 0};
  const auto row = static_cast<size_t>(before);
  const Yield y = yield_of(step.rows[row], row, step.now, step.values.off_drums[row], step.viscous);
  const double stretch = step.values.phi[row] + step.change(before);
  const double flow = arrived + stretch + y.offset + y.compliance * step.lambda[row];
  lengths[0] -= flow;
  lengths[1] += flow;
  if (flow * slips < 0) slips = 0;
  return {flow, -std::abs(flow * (step.mean[after] - step.mean[before]))};
}

int Constraint::pair_of(const NodePairs& pairs, int a, int b) {
  const auto at = std::find(pairs.begin(), pairs.end(), std::pair(std::min(a, b), std::max(a, b)));
  return at == pairs.end() ? -1 : static_cast<int>(at - pairs.begin());
}

void Constraint::add_blocks(int a, int b, int pair, const PartCurvature& k,
                            const MatrixSink& sink) {
  if (a >= 0) add_node_block(sink, a, k.aa.data());
  if (b >= 0) add_node_block(sink, b, k.bb.data());
  if (a < 0 || b < 0) return;
  if (a == b) {  // both ends on one body
    const Block66 both = k.ab + k.ab.transpose();
    add_node_block(sink, a, both.data());
    return;
  }
  if (pair < 0) return;
  const Block66 block = a < b ? Block66(k.ab.transpose()) : k.ab;  // rows of the larger node
  add_pair_block(sink, pair, block.data());
}

}  // namespace hawser

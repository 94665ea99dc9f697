#include "constraints/constraint.h"

#include <algorithm>

namespace hawser {

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

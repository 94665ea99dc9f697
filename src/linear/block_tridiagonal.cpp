#include "linear/block_tridiagonal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.h"

namespace hawser {

BlockTridiagonal::BlockTridiagonal(const SystemStructure& structure)
    : nodes_(structure.nodes),
      followers_(structure.shared),
      panels_(static_cast<size_t>(panel_size) * static_cast<size_t>(nodes_ + spare_panels)) {
  const std::vector<int>& fixed = structure.fixed;
  std::vector<int> held = fixed;
  for (const DofMap::Shared& s : followers_) held.push_back(s.follower);
  std::sort(held.begin(), held.end());
  if (structure.conditions > 0) rows_ = NodeRows(structure, held);
  held_ = HeldRows(held, nodes_);
  if (followers_.empty() && !rows_.any()) return;
  for (const int c : held) {
    const auto at = std::lower_bound(fixed.begin(), fixed.end(), structure.leader(c));
    const bool is_fixed = at != fixed.end() && *at == structure.leader(c);
    place_.push_back(is_fixed ? static_cast<int>(at - fixed.begin()) : -1);
  }
}

MatrixSink BlockTridiagonal::sink() {
  MatrixSink sink;
  sink.panel_nodes = nodes_;
  sink.panel_elements = nodes_;
  sink.panels = panels_.data();
  if (!rows_.any()) return sink;
  sink.rows = rows_.values();
  sink.compliance = rows_.compliance();
  return sink;
}

FactorStatus BlockTridiagonal::factor() {
  if (!assembled_) return report_.status;
  assembled_ = false;
  const bool independent = rows_.choose(held_);
  held_.take_out(panels_.data());
  rows_.transform(panels_.data(), held_);
  Kernels::Pivots pivots{};
  kernels().factor_chain(panels_.data(), nodes_, pivots);
  report_ = {};
  report_.residual = -1;
  report_.pivot_node = pivots.node;
  report_.negative_pivots = pivots.negative;
  report_.smallest_pivot = pivots.smallest / pivots.largest;
  // A pivot of zero makes all after it infinite, whatever the matrix was: that is singular too.
  const bool zero = pivots.smallest < std::numeric_limits<double>::min();
  if ((!independent && !rows_.finite()) ||
      (!zero && !(pivots.finite && std::isfinite(pivots.largest))))
    report_.status = FactorStatus::not_finite;
  else if (!independent || zero || !(report_.smallest_pivot > 1e-15))
    report_.status = FactorStatus::singular;
  return report_.status;
}

/// What follows a fixed coordinate is known, too.
void BlockTridiagonal::begin(std::span<double> b) {
  for (const auto& [follower, leader] : followers_) b[follower] = b[leader];
  held_.note(b.data());
  rows_.begin(b.data(), held_);
  held_.subtract(b.data());
  rows_.reduce(b.data());
}

/// Held coordinates are apart from all others: what they held did no harm.
void BlockTridiagonal::finish(std::span<double> x) const {
  held_.finish(x.data());
  rows_.finish(x.data(), held_);
}

const LinearReport& BlockTridiagonal::solve(std::span<double> b) {
  begin(b);
  kernels().solve_chain(panels_.data(), nodes_, b.data());
  finish(b);
  return report_;
}

/// Nodes are eliminated by pairs, one from each end: from the first one that is in the range on,
/// all of them are reached.
CoordinateRange BlockTridiagonal::reach(CoordinateRange of) const {
  const int last = nodes_ / 2 * 2;  // of the pair of node 0; see chain_kernels.h
  const auto pair = [&](int node) { return std::min(node, last - node); };
  const int from = std::min(pair(of.first / node_size), pair((of.last - 1) / node_size));
  return {node_size * from, node_size * std::min(last - from + 1, nodes_)};
}

void BlockTridiagonal::down(std::span<double> b, CoordinateRange reach) {
  begin(b);
  kernels().solve_chain_down(panels_.data(), nodes_, reach.first / node_size, b.data());
}

void BlockTridiagonal::down_column(std::span<double> b, CoordinateRange reach) {
  if (rows_.any()) rows_.reduce(b.data());
  kernels().solve_chain_down(panels_.data(), nodes_, reach.first / node_size, b.data());
}

const LinearReport& BlockTridiagonal::middle(std::span<double> b, CoordinateRange reach) {
  kernels().solve_chain_middle(panels_.data(), nodes_, reach.first / node_size, b.data());
  return report_;
}

void BlockTridiagonal::up(std::span<double> x) {
  kernels().solve_chain_up(panels_.data(), nodes_, x.data());
  finish(x);
}

void BlockTridiagonal::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  if (place_.empty()) return held_.times(x.data(), out.data());
  std::fill(out.begin(), out.end(), 0.0);
  for (size_t k = 0; k < place_.size(); ++k)
    if (place_[k] >= 0) out[static_cast<size_t>(place_[k])] += held_.times(k, x.data());
}

}  // namespace hawser

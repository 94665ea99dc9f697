#include "linear/block_tridiagonal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.h"

namespace hawser {

BlockTridiagonal::BlockTridiagonal(const SystemStructure& structure)
    : nodes_(structure.nodes),
      panels_(static_cast<size_t>(panel_size) * static_cast<size_t>(nodes_ + spare_panels)),
      inv_pivots_(static_cast<size_t>(structure.coordinates())) {
  for (const int c : structure.fixed) fixed_.push_back({c, {}});
  known_.resize(fixed_.size());
}

MatrixSink BlockTridiagonal::sink() {
  MatrixSink sink;
  sink.kind = MatrixSink::Kind::chain;
  sink.panels = panels_.data();
  return sink;
}

/// Saves the row and leaves but the size of its diagonal entry, in row and column: a pivot in the
/// units of the matrix, so that the smallest one still tells of singularity.
void BlockTridiagonal::take_out(Row& row) {
  const int node = row.coordinate / node_size, c = row.coordinate % node_size;
  double* own = panels_.data() + static_cast<ptrdiff_t>(panel_size) * node;
  double* before = own - panel_size;
  for (int i = 0; i < node_size; ++i) {
    if (node > 0) {
      double& e = before[panel_rows * i + node_size + c];
      row.entry[i] = e;
      e = 0;
    }
    double& d = i < c ? own[panel_rows * i + c] : own[panel_rows * c + i];
    row.entry[node_size + i] = d;
    d = i != c ? 0 : d == 0 ? 1 : std::abs(d);
    double& e = own[panel_rows * c + node_size + i];
    row.entry[2 * node_size + i] = e;
    e = 0;
  }
}

FactorStatus BlockTridiagonal::factor() {
  for (Row& row : fixed_) take_out(row);
  // An earlier row's column in a later row of the same or a neighbouring node is already zeroed;
  // between eliminated coordinates only prescribed motion meets there, so put the entry back.
  for (size_t i = 0; i < fixed_.size(); ++i)
    for (size_t j = i; j-- > 0;) {
      const int offset = fixed_[j].coordinate - (fixed_[i].coordinate / node_size - 1) * node_size;
      if (offset < 0) break;
      const int back = fixed_[i].coordinate - (fixed_[j].coordinate / node_size - 1) * node_size;
      fixed_[i].entry[offset] = fixed_[j].entry[back];
    }
  Kernels::Pivots pivots{};
  kernels().factor_chain(panels_.data(), inv_pivots_.data(), nodes_, pivots);
  report_ = {};
  report_.residual = -1;
  report_.pivot_node = pivots.node;
  report_.negative_pivots = pivots.negative;
  report_.smallest_pivot = pivots.smallest / pivots.largest;
  // A pivot of zero makes all after it infinite, whatever the matrix was: that is singular too.
  const bool zero = pivots.smallest < std::numeric_limits<double>::min();
  const bool finite = std::isfinite(inv_pivots_.back()) && std::isfinite(pivots.largest);
  if (!finite && !zero)
    report_.status = FactorStatus::not_finite;  // NaN travels to the last pivot
  else if (zero || !(report_.smallest_pivot > 1e-15))
    report_.status = FactorStatus::singular;
  return report_.status;
}

/// The part of a saved row that lies within the system: entries `from` to `to`, of which the first
/// stands for coordinate `first + from`.
BlockTridiagonal::Reach BlockTridiagonal::reach(const Row& row) const {
  const int first = (row.coordinate / node_size - 1) * node_size;
  return {first, std::max(0, -first), std::min(3 * node_size, node_size * nodes_ - first)};
}

const LinearReport& BlockTridiagonal::solve(std::span<double> b) {
  for (size_t k = 0; k < fixed_.size(); ++k)
    known_[k] = b[static_cast<size_t>(fixed_[k].coordinate)];
  for (size_t k = 0; k < fixed_.size(); ++k) {
    if (known_[k] == 0) continue;
    const auto [first, from, to] = reach(fixed_[k]);
    double* at = b.data() + first;
    for (int i = from; i < to; ++i) at[i] -= fixed_[k].entry[i] * known_[k];
  }
  kernels().solve_chain(panels_.data(), inv_pivots_.data(), nodes_, b.data());
  for (size_t k = 0; k < fixed_.size(); ++k)  // apart from all others: what it held did no harm
    b[static_cast<size_t>(fixed_[k].coordinate)] = known_[k];
  return report_;
}

void BlockTridiagonal::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  for (size_t k = 0; k < fixed_.size(); ++k) {
    const auto [first, from, to] = reach(fixed_[k]);
    const double* at = x.data() + first;
    out[k] = 0;
    for (int i = from; i < to; ++i) out[k] += fixed_[k].entry[i] * at[i];
  }
}

}  // namespace hawser

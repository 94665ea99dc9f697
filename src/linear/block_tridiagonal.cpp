#include "linear/block_tridiagonal.h"

#include <cmath>
#include <limits>

#include "kernels/kernels.h"

namespace hawser {

BlockTridiagonal::BlockTridiagonal(const SystemStructure& structure)
    : nodes_(structure.nodes),
      held_(structure.fixed, nodes_),
      panels_(static_cast<size_t>(panel_size) * static_cast<size_t>(nodes_ + spare_panels)) {}

MatrixSink BlockTridiagonal::sink() {
  MatrixSink sink;
  sink.panel_nodes = nodes_;
  sink.panel_elements = nodes_;
  sink.panels = panels_.data();
  return sink;
}

FactorStatus BlockTridiagonal::factor() {
  held_.take_out(panels_.data());
  Kernels::Pivots pivots{};
  kernels().factor_chain(panels_.data(), nodes_, pivots);
  report_ = {};
  report_.residual = -1;
  report_.pivot_node = pivots.node;
  report_.negative_pivots = pivots.negative;
  report_.smallest_pivot = pivots.smallest / pivots.largest;
  // A pivot of zero makes all after it infinite, whatever the matrix was: that is singular too.
  const bool zero = pivots.smallest < std::numeric_limits<double>::min();
  if (!zero && !(pivots.finite && std::isfinite(pivots.largest)))
    report_.status = FactorStatus::not_finite;
  else if (zero || !(report_.smallest_pivot > 1e-15))
    report_.status = FactorStatus::singular;
  return report_.status;
}

const LinearReport& BlockTridiagonal::solve(std::span<double> b) {
  held_.begin(b.data());
  kernels().solve_chain(panels_.data(), nodes_, b.data());
  held_.finish(b.data());  // apart from all others: what they held did no harm
  return report_;
}

void BlockTridiagonal::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  held_.times(x.data(), out.data());
}

}  // namespace hawser

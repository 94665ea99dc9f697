#include "linear/chain_lu.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/kernels.h"

namespace hawser {
namespace {

constexpr double smallest_pivot = 1e-15;  ///< of a node, relative to its largest
/// Of all, relative to the largest: with a smaller one rows are exchanged. Where a pivot is so much
/// smaller than what it divides that digits are lost, later ones are as much larger.
constexpr double smallest_unexchanged = 1e-10;
/// Relative to the largest of b and of what the diagonal blocks make of x.
constexpr double refined_residual = 1e-12, residual_limit = 1e-6;

/// a -> a^-1 in place, by Gauss and Jordan with row exchanges. Returns the smallest pivot over the
/// largest; 0: singular or not finite.
double invert(double* a) {
  const auto column = [&](int j) { return a + node_size * j; };
  double smallest = HUGE_VAL, largest = 0;
  int exchanges[node_size];
  for (int k = 0; k < node_size; ++k) {
    int best = k;
    for (int i = k + 1; i < node_size; ++i)
      if (std::abs(column(k)[i]) > std::abs(column(k)[best])) best = i;
    const double pivot = std::abs(column(k)[best]);
    if (!(pivot > 0 && std::isfinite(pivot))) return 0;
    smallest = std::min(smallest, pivot);
    largest = std::max(largest, pivot);
    exchanges[k] = best;
    if (best != k)
      for (int j = 0; j < node_size; ++j) std::swap(column(j)[k], column(j)[best]);
    const double inverse = 1 / column(k)[k];
    double rest[node_size];
    std::copy_n(column(k), node_size, rest);
    rest[k] = 0;
    for (int j = 0; j < node_size; ++j) {
      if (j == k) continue;
      double* __restrict to = column(j);
      const double entry = to[k] * inverse;
      for (int i = 0; i < node_size; ++i) to[i] -= rest[i] * entry;
      to[k] = entry;
    }
    for (int i = 0; i < node_size; ++i) column(k)[i] = -rest[i] * inverse;
    column(k)[k] = inverse;
  }
  for (int k = node_size - 1; k >= 0; --k)
    if (exchanges[k] != k) std::swap_ranges(column(k), column(k + 1), column(exchanges[k]));
  return smallest / largest;
}

/// ChainLuNumbers::invert.
double invert_both(double* pair) {
  double least = HUGE_VAL;
  for (const int half : {0, 2}) {
    double a[node_size * node_size];
    const auto each = [&](const auto& call) {
      for (int j = 0; j < node_size; ++j)
        for (int i = 0; i < node_size; ++i)
          call(a[node_size * j + i], pair[4 * (3 * j + i / 2) + half + i % 2]);
    };
    each([](double& own, double& kept) { own = kept; });
    least = std::min(least, invert(a));
    each([](double& own, double& kept) { kept = own; });
  }
  return least;
}

}  // namespace

ChainLu::ChainLu(const SystemStructure& s)
    : nodes_(s.nodes),
      panels_(static_cast<size_t>(panel_size) * static_cast<size_t>(nodes_ + spare_panels)),
      skew_(panels_.size()),
      factors_(static_cast<size_t>(chain_lu_pair) * static_cast<size_t>(nodes_ / 2 + 1)),
      right_(static_cast<size_t>(s.node_coordinates())),
      residual_(right_.size()) {
  for (size_t k = 0; k < s.fixed.size(); ++k)
    held_.push_back({s.fixed[k], s.fixed[k], k, 0, {}, {}});
  for (const auto& [follower, leader] : s.shared) {
    const auto at = std::lower_bound(s.fixed.begin(), s.fixed.end(), leader);
    held_.push_back({follower, leader, static_cast<size_t>(at - s.fixed.begin()), 0, {}, {}});
  }
}

MatrixSink ChainLu::sink() {
  MatrixSink sink;
  sink.panel_nodes = nodes_;
  sink.panel_elements = nodes_;
  sink.panels = panels_.data();
  sink.skew = skew_.data();
  return sink;
}

void ChainLu::clear() {
  std::fill(skew_.begin(), skew_.end(), 0.0);
  assembled_ = true;
}

void ChainLu::keep(Held& held) const {
  const int node = held.coordinate / node_size, c = held.coordinate % node_size;
  const double* own = panels_.data() + static_cast<ptrdiff_t>(panel_size) * node;
  const ptrdiff_t more = skew_.data() - panels_.data();  // A_ji = A_ij + skew, i > j
  const auto entry = [more](const double* at, double& below, double& above) {
    below = *at, above = at[more];
    above += below;
  };
  std::fill_n(held.row, node_size, 0.0);
  std::fill_n(held.column, node_size, 0.0);
  for (int i = 0; i < node_size && node > 0; ++i)
    entry(own - panel_size + panel_rows * i + node_size + c, held.row[i], held.column[i]);
  double *row = held.row + node_size, *column = held.column + node_size;
  for (int j = 0; j < c; ++j) entry(own + panel_rows * j + c, row[j], column[j]);
  row[c] = column[c] = own[panel_rows * c + c];
  const int end = node + 1 < nodes_ ? panel_rows : node_size;
  std::fill_n(row + end, panel_rows - end, 0.0);
  std::fill_n(column + end, panel_rows - end, 0.0);
  for (int i = c + 1; i < end; ++i) entry(own + panel_rows * c + i, column[i], row[i]);
}

/// The row and column of a given coordinate, but for the size of its diagonal entry: a pivot in the
/// units of the matrix.
void ChainLu::take_out(const Held& held) {
  const int node = held.coordinate / node_size, c = held.coordinate % node_size;
  for (AlignedVector* all : {&panels_, &skew_}) {
    double* own = all->data() + static_cast<ptrdiff_t>(panel_size) * node;
    std::fill_n(own + panel_rows * c, panel_rows, 0.0);
    for (int j = 0; j < c; ++j) own[panel_rows * j + c] = 0;
    if (node == 0) continue;
    for (int j = 0; j < node_size; ++j) own[panel_rows * j + node_size + c - panel_size] = 0;
  }
  const double d = std::abs(held.row[node_size + c]);
  panels_[static_cast<size_t>(panel_size * node + panel_rows * c + c)] = d == 0 ? 1 : d;
}

ChainLuNumbers ChainLu::numbers() {
  ChainLuNumbers out;
  out.nodes = nodes_;
  out.panels = panels_.data();
  out.skew = skew_.data();
  out.factors = factors_.data();
  out.least = smallest_unexchanged;
  return out;
}

FactorStatus ChainLu::factor() {
  if (!assembled_) return report_.status;
  assembled_ = false;
  for (Held& held : held_) keep(held);
  for (const Held& held : held_) take_out(held);
  report_ = {};
  report_.negative_pivots = -1;
  report_.residual = -1;
  ChainLuPivots pivots;
  kernels().factor_chain_lu(numbers(), pivots);
  report_.smallest_pivot = pivots.smallest;
  report_.pivot_node = pivots.node;
  return pivots.failed_node < 0 ? report_.status : factor_with_exchanges();
}

FactorStatus ChainLu::factor_with_exchanges() {
  ChainLuNumbers io = numbers();
  io.invert = invert_both;
  io.least = smallest_pivot;
  ChainLuPivots pivots;
  kernels().factor_chain_lu(io, pivots);
  report_.smallest_pivot = pivots.smallest;
  report_.pivot_node = pivots.node;
  if (pivots.failed_node < 0) return report_.status;
  const auto finite = [](const AlignedVector& all) {
    return std::all_of(all.begin(), all.end(), [](double value) { return std::isfinite(value); });
  };
  return report_.status =
             finite(panels_) && finite(skew_) ? FactorStatus::singular : FactorStatus::not_finite;
}

/// Refines the solution x for right_ once if need be. Returns what is left, relative to sizes.
double ChainLu::refine(double* x) {
  const ChainLuNumbers io = numbers();
  const auto left = [&] {
    const ChainLuResidual r = kernels().chain_lu_residual(io, right_.data(), x, residual_.data());
    return r.size > 0 ? r.largest / r.size : r.largest;
  };
  const double first = left();
  if (first <= refined_residual) return first;
  kernels().solve_chain_lu(io, residual_.data());
  for (size_t c = 0; c < residual_.size(); ++c) x[c] += residual_[c];
  return left();
}

/// What is known goes to the other side.
void ChainLu::begin(std::span<double> b) {
  for (Held& held : held_) held.known = b[static_cast<size_t>(held.leader)];
  for (const Held& held : held_) {
    if (held.known == 0) continue;
    const int first = (held.coordinate / node_size - 1) * node_size;
    const int from = std::max(0, -first), to = std::min(3 * node_size, node_size * nodes_ - first);
    for (int i = from; i < to; ++i)
      b[static_cast<size_t>(first + i)] -= held.known * held.column[i];
  }
  for (const Held& held : held_) b[static_cast<size_t>(held.coordinate)] = 0;
}

void ChainLu::finish(std::span<double> x) const {
  for (const Held& held : held_) x[static_cast<size_t>(held.coordinate)] = held.known;
}

const LinearReport& ChainLu::solve(std::span<double> b) {
  begin(b);
  std::copy_n(b.begin(), right_.size(), right_.begin());
  kernels().solve_chain_lu(numbers(), b.data());
  report_.residual = refine(b.data());
  finish(b);
  report_.status = report_.residual <= residual_limit ? FactorStatus::ok : FactorStatus::singular;
  return report_;
}

const LinearReport& ChainLu::middle_column(std::span<double> b, CoordinateRange /*reach*/) {
  begin(b);
  kernels().solve_chain_lu(numbers(), b.data());
  finish(b);
  return report_;
}

void ChainLu::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const Held& held : held_) {
    const int first = (held.coordinate / node_size - 1) * node_size;
    const int from = std::max(0, -first), to = std::min(3 * node_size, node_size * nodes_ - first);
    double sum = 0;
    for (int i = from; i < to; ++i) sum += held.row[i] * x[static_cast<size_t>(first + i)];
    out[held.place] += sum;
  }
}

}  // namespace hawser

#include "linear/chain_lu.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

namespace hawser {
namespace {

constexpr int block = node_size * node_size;
constexpr int at_L = block, at_U = 2 * block, node_values = 3 * block;
constexpr double smallest_pivot = 1e-15;  ///< of a node, relative to its largest
constexpr double refined_residual = 1e-12, residual_limit = 1e-6;  ///< relative to b

using Block = Eigen::Map<Eigen::Matrix<double, node_size, node_size>>;
using ConstBlock = Eigen::Map<const Eigen::Matrix<double, node_size, node_size>>;
using Vector = Eigen::Map<Eigen::Matrix<double, node_size, 1>>;
using ConstVector = Eigen::Map<const Eigen::Matrix<double, node_size, 1>>;

/// Where the entry of two neighbours, the first of them `node`, is among the values.
int position(int node, int row, int column) {
  const int own = node_values * node;
  if (row < node_size && column < node_size) return own + node_size * column + row;
  if (row < node_size) return own + at_U + node_size * (column - node_size) + row;
  if (column < node_size) return own + at_L + node_size * column + row - node_size;
  return own + node_values + node_size * (column - node_size) + row - node_size;
}

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

}  // namespace

ChainLu::ChainLu(const SystemStructure& s)
    : nodes_(s.nodes),
      is_held_(static_cast<size_t>(s.node_coordinates()), 0),
      values_(static_cast<size_t>(node_values) * static_cast<size_t>(s.nodes), 0),
      factors_(values_),
      right_(is_held_.size()),
      residual_(is_held_.size()) {
  for (size_t k = 0; k < s.fixed.size(); ++k) held_.push_back({s.fixed[k], s.fixed[k], k});
  for (const auto& [follower, leader] : s.shared) {
    const auto at = std::lower_bound(s.fixed.begin(), s.fixed.end(), leader);
    held_.push_back({follower, leader, static_cast<size_t>(at - s.fixed.begin())});
  }
  for (const Held& held : held_) is_held_[static_cast<size_t>(held.coordinate)] = 1;
  for (const auto& [left, right] : s.elements)
    for (const bool upper : {false, true})
      for (int j = 0; j < 2 * node_size; ++j)
        for (int i = upper ? j + 1 : j; i < 2 * node_size; ++i)
          element_positions_.push_back(upper ? position(left, j, i) : position(left, i, j));
  for (int n = 0; n < nodes_; ++n)
    for (int i = 0; i < block; ++i) node_positions_.push_back(node_values * n + i);
}

MatrixSink ChainLu::sink() {
  MatrixSink sink;
  sink.values = values_.data();
  sink.value_count = static_cast<long>(values_.size());
  sink.element_positions = element_positions_.data();
  sink.node_positions = node_positions_.data();
  return sink;
}

void ChainLu::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

/// The row and column of a given coordinate: x is the right-hand side there.
void ChainLu::take_out(const Held& held) {
  const int node = held.coordinate / node_size, c = held.coordinate % node_size;
  double* own = factors_.data() + static_cast<ptrdiff_t>(node_values) * node;
  Block D(own), L(own + at_L), U(own + at_U);
  D.row(c).setZero(), D.col(c).setZero(), D(c, c) = 1;
  U.row(c).setZero();
  L.col(c).setZero();
  if (node == 0) return;
  Block(own - node_values + at_L).row(c).setZero();
  Block(own - node_values + at_U).col(c).setZero();
}

FactorStatus ChainLu::factor() {
  factors_ = values_;
  for (const Held& held : held_) take_out(held);
  report_ = {};
  report_.negative_pivots = -1;
  report_.residual = -1;
  report_.smallest_pivot = HUGE_VAL;
  for (int k = 0; k < nodes_; ++k) {
    double* own = factors_.data() + static_cast<ptrdiff_t>(node_values) * k;
    const double pivot = invert(own);
    if (pivot < report_.smallest_pivot) report_.smallest_pivot = pivot, report_.pivot_node = k;
    if (!(pivot > smallest_pivot)) {
      const bool finite = std::all_of(values_.begin(), values_.end(),
                                      [](double value) { return std::isfinite(value); });
      return report_.status = finite ? FactorStatus::singular : FactorStatus::not_finite;
    }
    if (k + 1 == nodes_) break;
    const Eigen::Matrix<double, node_size, node_size> X = ConstBlock(own) * ConstBlock(own + at_U);
    Block(own + at_U) = X;
    Block(own + node_values).noalias() -= ConstBlock(own + at_L) * ConstBlock(own + at_U);
  }
  return report_.status;
}

/// x -> A^-1 x with the factors.
void ChainLu::eliminate(double* x) const {
  const auto own = [&](int k) { return factors_.data() + static_cast<ptrdiff_t>(node_values) * k; };
  for (int k = 0; k < nodes_; ++k) {
    double* y = x + node_size * k;
    const Eigen::Matrix<double, node_size, 1> solved = ConstBlock(own(k)) * ConstVector(y);
    std::copy_n(solved.data(), node_size, y);
    if (k + 1 < nodes_)
      Vector(y + node_size).noalias() -= ConstBlock(own(k) + at_L) * ConstVector(y);
  }
  for (int k = nodes_ - 2; k >= 0; --k)
    Vector(x + node_size * k).noalias() -=
        ConstBlock(own(k) + at_U) * ConstVector(x + node_size * (k + 1));
}

/// The largest of b - A x at free coordinates, which is in residual_; zero at the others.
double ChainLu::find_residual(const double* b, const double* x) {
  for (int k = 0; k < nodes_; ++k) {
    const double* own = values_.data() + static_cast<ptrdiff_t>(node_values) * k;
    const ConstVector at(x + node_size * k);
    Vector r(residual_.data() + static_cast<ptrdiff_t>(node_size) * k);
    r = ConstVector(b + node_size * k) - ConstBlock(own) * at;
    if (k + 1 < nodes_)
      r.noalias() -= ConstBlock(own + at_U) * ConstVector(x + node_size * (k + 1));
    if (k > 0)
      r.noalias() -= ConstBlock(own - node_values + at_L) * ConstVector(x + node_size * (k - 1));
  }
  double largest = 0;
  for (size_t c = 0; c < residual_.size(); ++c) {
    if (is_held_[c]) residual_[c] = 0;
    const double size = std::abs(residual_[c]);
    if (!(size <= largest)) largest = size;  // NaN stays
  }
  return largest;
}

const LinearReport& ChainLu::solve(std::span<double> b) {
  for (const Held& held : held_) b[held.coordinate] = b[held.leader];
  std::copy_n(b.begin(), right_.size(), right_.begin());
  double size = 0;
  for (size_t c = 0; c < right_.size(); ++c)
    if (!is_held_[c]) size = std::max(size, std::abs(right_[c]));
  for (const Held& held : held_) {  // what is known goes to the other side
    const double known = right_[static_cast<size_t>(held.coordinate)];
    if (known == 0) continue;
    const int node = held.coordinate / node_size, c = held.coordinate % node_size;
    const double* own = values_.data() + static_cast<ptrdiff_t>(node_values) * node;
    double* x = b.data() + static_cast<ptrdiff_t>(node_size) * node;
    Vector(x) -= known * ConstBlock(own).col(c);
    if (node + 1 < nodes_) Vector(x + node_size) -= known * ConstBlock(own + at_L).col(c);
    if (node > 0) Vector(x - node_size) -= known * ConstBlock(own - node_values + at_U).col(c);
  }
  for (const Held& held : held_) b[held.coordinate] = right_[static_cast<size_t>(held.coordinate)];
  for (size_t c = 0; c < right_.size(); ++c)
    if (!is_held_[c]) size = std::max(size, std::abs(b[c]));
  eliminate(b.data());
  double residual = find_residual(right_.data(), b.data());
  if (!(residual <= refined_residual * size)) {
    eliminate(residual_.data());
    for (size_t c = 0; c < residual_.size(); ++c) b[c] += residual_[c];
    residual = find_residual(right_.data(), b.data());
  }
  report_.residual = size > 0 ? residual / size : residual;
  report_.status = report_.residual <= residual_limit ? FactorStatus::ok : FactorStatus::singular;
  return report_;
}

double ChainLu::row_times(int coordinate, const double* x) const {
  const int node = coordinate / node_size, c = coordinate % node_size;
  const double* own = values_.data() + static_cast<ptrdiff_t>(node_values) * node;
  double sum = ConstBlock(own).row(c).dot(ConstVector(x + node_size * node));
  if (node + 1 < nodes_)
    sum += ConstBlock(own + at_U).row(c).dot(ConstVector(x + node_size * (node + 1)));
  if (node > 0)
    sum += ConstBlock(own - node_values + at_L).row(c).dot(ConstVector(x + node_size * (node - 1)));
  return sum;
}

void ChainLu::fixed_rows_times(std::span<const double> x, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const Held& held : held_) out[held.place] += row_times(held.coordinate, x.data());
}

}  // namespace hawser

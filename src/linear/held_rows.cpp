#include "linear/held_rows.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

namespace hawser {

HeldRows::HeldRows(const std::vector<int>& coordinates, int nodes) : known_(coordinates.size()) {
  for (const int c : coordinates) {
    const int node = c / node_size, first = (node - 1) * node_size;
    rows_.push_back({c,
                     node,
                     first,
                     std::max(0, -first),
                     std::min(3 * node_size, node_size * nodes - first),
                     {}});
  }
}

/// Saves the row and leaves but the size of its diagonal entry, in row and column: a pivot in the
/// units of the matrix, so that the smallest one still tells of singularity.
void HeldRows::take_out(double* panels, Row& row) {
  const int c = row.coordinate - node_size * row.node;
  double* own = panels + static_cast<ptrdiff_t>(panel_size) * row.node;
  double* column = own + panel_rows * c;
  const auto take = [](double& entry) { return std::exchange(entry, 0); };
  if (row.node > 0)
    for (int i = 0; i < node_size; ++i)
      row.entry[i] = take(own[panel_rows * i + node_size + c - panel_size]);
  std::copy_n(column, panel_rows, row.entry + node_size);  // nothing is above the diagonal
  std::fill_n(column, panel_rows, 0.0);
  for (int i = 0; i < c; ++i) row.entry[node_size + i] = take(own[panel_rows * i + c]);
  const double d = row.entry[node_size + c];
  column[c] = d == 0 ? 1 : std::abs(d);
}

void HeldRows::take_out(double* panels) {
  for (Row& row : rows_) take_out(panels, row);
  // An earlier row's column in a later row of the same or a neighbouring node is already zeroed;
  // between eliminated coordinates only prescribed motion meets there, so put the entry back.
  for (size_t i = 0; i < rows_.size(); ++i)
    for (size_t j = i; j-- > 0 && rows_[j].node + 1 >= rows_[i].node;)
      rows_[i].entry[rows_[j].coordinate - rows_[i].first] =
          rows_[j].entry[rows_[i].coordinate - rows_[j].first];
}

void HeldRows::subtract(double* b) const {
  if (!moved_) return;
  for (size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    if (known_[k] == 0) continue;
    const double known = known_[k], *__restrict entry = row.entry;
    double* __restrict to = b + row.first;
    for (int i = row.from; i < row.to; ++i) to[i] -= entry[i] * known;
  }
}

void HeldRows::finish(double* x) const {
  for (size_t k = 0; k < rows_.size(); ++k) x[rows_[k].coordinate] = known_[k];
}

double HeldRows::times(size_t k, const double* x) const {
  const Row& row = rows_[k];
  using All = Eigen::Matrix<double, 3 * node_size, 1>;
  if (row.to - row.from == 3 * node_size)
    return Eigen::Map<const All>(row.entry).dot(Eigen::Map<const All>(x + row.first));
  double sum[2] = {0, 0};  // of nodes, whose coordinates are even in number
  for (int i = row.from; i < row.to; i += 2) {
    sum[0] += row.entry[i] * x[row.first + i];
    sum[1] += row.entry[i + 1] * x[row.first + i + 1];
  }
  return sum[0] + sum[1];
}

}  // namespace hawser

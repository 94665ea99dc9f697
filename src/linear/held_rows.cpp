#include "linear/held_rows.h"

#include <algorithm>
#include <cmath>

namespace hawser {

HeldRows::HeldRows(const std::vector<int>& coordinates, int nodes)
    : nodes_(nodes), known_(coordinates.size()) {
  for (const int c : coordinates) rows_.push_back({c, {}});
}

/// Saves the row and leaves but the size of its diagonal entry, in row and column: a pivot in the
/// units of the matrix, so that the smallest one still tells of singularity.
void HeldRows::take_out(double* panels, Row& row) {
  const int node = row.coordinate / node_size, c = row.coordinate % node_size;
  double* own = panels + static_cast<ptrdiff_t>(panel_size) * node;
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

void HeldRows::take_out(double* panels) {
  for (Row& row : rows_) take_out(panels, row);
  // An earlier row's column in a later row of the same or a neighbouring node is already zeroed;
  // between eliminated coordinates only prescribed motion meets there, so put the entry back.
  for (size_t i = 0; i < rows_.size(); ++i)
    for (size_t j = i; j-- > 0;) {
      const int offset = rows_[j].coordinate - (rows_[i].coordinate / node_size - 1) * node_size;
      if (offset < 0) break;
      const int back = rows_[i].coordinate - (rows_[j].coordinate / node_size - 1) * node_size;
      rows_[i].entry[offset] = rows_[j].entry[back];
    }
}

/// The part of a saved row that lies within the system: entries `from` to `to`, of which the first
/// stands for coordinate `first + from`.
HeldRows::Reach HeldRows::reach(const Row& row) const {
  const int first = (row.coordinate / node_size - 1) * node_size;
  return {first, std::max(0, -first), std::min(3 * node_size, node_size * nodes_ - first)};
}

void HeldRows::subtract(double* b) const {
  for (size_t k = 0; k < rows_.size(); ++k) {
    if (known_[k] == 0) continue;
    const auto [first, from, to] = reach(rows_[k]);
    for (int i = from; i < to; ++i) b[first + i] -= rows_[k].entry[i] * known_[k];
  }
}

void HeldRows::finish(double* x) const {
  for (size_t k = 0; k < rows_.size(); ++k) x[rows_[k].coordinate] = known_[k];
}

double HeldRows::times(size_t k, const double* x) const {
  const auto [first, from, to] = reach(rows_[k]);
  double sum[2] = {0, 0};  // of nodes, whose coordinates are even in number
  for (int i = from; i < to; i += 2) {
    sum[0] += rows_[k].entry[i] * x[first + i];
    sum[1] += rows_[k].entry[i + 1] * x[first + i + 1];
  }
  return sum[0] + sum[1];
}

}  // namespace hawser

#include "linear/ldlt.h"

#include <algorithm>
#include <iterator>

#include "kernels/kernels.h"

namespace hawser {
namespace {

/// Columns that are to stand in one panel: `rows` are those below the last.
struct Columns {
  int first, width;
  std::vector<int> rows;
};

/// Neighbouring panels become one where the zeros this brings in are at most this part of it: a
/// wider panel is worth more than the work on zeros.
constexpr double most_zeros = 0.2;

/// The columns of L one by one. The rows of each are those of the matrix, and those that every
/// column hands on to the first below its own diagonal (its parent in the elimination tree).
std::vector<Columns> columns_of(const Eigen::SparseMatrix<double>& upper, int size) {
  std::vector<Columns> out;
  for (int j = 0; j < size; ++j) {
    out.push_back({j, 1, {}});
    for (int at = upper.outerIndexPtr()[j]; at < upper.outerIndexPtr()[j + 1]; ++at)
      if (const int i = upper.innerIndexPtr()[at]; i < j) out[i].rows.push_back(j);
  }
  std::vector<int> merged;
  for (const Columns& column : out) {
    if (column.rows.empty()) continue;
    std::vector<int>& parent = out[column.rows.front()].rows;
    merged.clear();
    std::set_union(column.rows.begin() + 1, column.rows.end(), parent.begin(), parent.end(),
                   std::back_inserter(merged));
    parent = merged;
  }
  return out;
}

double size_of(int width, size_t rows) {
  return 0.5 * width * (width + 1) + width * static_cast<double>(rows);
}

/// Joins neighbours of which `agree(before, next)` holds, from the right. The rows of the first
/// column below a panel hold all those of the panel, so that joined they are the latter's.
template <class Agree>
std::vector<Columns> join(std::vector<Columns>& columns, const Agree& agree) {
  std::vector<Columns> out;
  for (auto before = columns.rbegin(); before != columns.rend(); ++before) {
    const bool parent =
        !out.empty() && !before->rows.empty() && before->rows.front() == out.back().first;
    if (parent && agree(*before, out.back())) {
      out.back().first = before->first;
      out.back().width += before->width;
    } else {
      out.push_back(std::move(*before));
    }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

bool same_rows(const Columns& before, const Columns& next) {
  return before.rows.size() == next.rows.size() + static_cast<size_t>(next.width);
}

bool few_zeros(const Columns& before, const Columns& next) {
  const int width = before.width + next.width;
  const double apart =
      size_of(before.width, before.rows.size()) + size_of(next.width, next.rows.size());
  const double together = size_of(width, next.rows.size());
  return width <= panel_width && together - apart <= most_zeros * together;
}

}  // namespace

Ldlt::Ldlt(const Eigen::SparseMatrix<double>& upper, int size) {
  find_panels(upper, size);
  find_updates();
  find_positions(upper, size);
  floor_.resize(size);
  pivots_.resize(size);
  inverse_.resize(size);
}

/// Panels too wide for the kernels are cut into equal parts.
void Ldlt::find_panels(const Eigen::SparseMatrix<double>& upper, int size) {
  std::vector<Columns> columns = columns_of(upper, size);
  columns = join(columns, same_rows);
  size_t end = 0, largest = 0;
  for (const Columns& s : join(columns, few_zeros)) {
    const int parts = (s.width + panel_width - 1) / panel_width;
    for (int part = 0; part < parts; ++part) {
      const int from = s.width * part / parts, to = s.width * (part + 1) / parts;
      const int below = s.width - to + static_cast<int>(s.rows.size());
      const int width = to - from, stride = (width + below + 3) / 4 * 4;
      panels_.push_back({s.first + from,
                         width,
                         below,
                         stride,
                         static_cast<int>(end),
                         static_cast<int>(rows_.size()),
                         {0, 0}});
      for (int c = s.first + to; c < s.first + s.width; ++c) rows_.push_back(c);
      rows_.insert(rows_.end(), s.rows.begin(), s.rows.end());
      panel_of_.insert(panel_of_.end(), width, static_cast<int>(panels_.size()) - 1);
      const size_t values = static_cast<size_t>(width) * stride;
      end += values;
      largest = std::max(largest, values);
      entries_ += static_cast<size_t>(size_of(width, below));
    }
  }
  values_.resize(end + panel_padding);
  scratch_.resize(largest + panel_padding);
}

/// Which row of a panel, from its top on, is the given one of the matrix.
int Ldlt::place(const LdltShape::Panel& panel, int row) const {
  if (row < panel.first + panel.width) return row - panel.first;
  const auto first = rows_.begin() + panel.row_list;
  return panel.width + static_cast<int>(std::lower_bound(first, first + panel.rows, row) - first);
}

void Ldlt::find_updates() {
  for (LdltShape::Panel& s : panels_) {
    const int* row = rows_.data() + s.row_list;
    s.updates[0] = static_cast<int>(updates_.size());
    for (int i = 0; i < s.rows;) {
      const LdltShape::Panel& later = panels_[panel_of_[row[i]]];
      int columns = 1;
      while (i + columns < s.rows && row[i + columns] == row[i] + columns &&
             row[i + columns] < later.first + later.width)
        ++columns;
      const int first_run = static_cast<int>(runs_.size());
      for (int k = i; k < s.rows; ++k) {
        const int target = place(later, row[k]);
        if (k > i && runs_.back().target + runs_.back().length == target)
          ++runs_.back().length;
        else
          runs_.push_back({s.width + k, target, 1});
      }
      updates_.push_back({s.width + i,
                          columns,
                          later.panel + later.stride * (row[i] - later.first),
                          later.stride,
                          {first_run, static_cast<int>(runs_.size())}});
      i += columns;
    }
    s.updates[1] = static_cast<int>(updates_.size());
  }
}

void Ldlt::find_positions(const Eigen::SparseMatrix<double>& upper, int size) {
  const int* outer = upper.outerIndexPtr();
  for (int j = 0; j < size; ++j) {
    for (int at = outer[j]; at < outer[j + 1]; ++at) {
      const int i = upper.innerIndexPtr()[at];
      const LdltShape::Panel& panel = panels_[panel_of_[i]];
      positions_.push_back(panel.panel + panel.stride * (i - panel.first) + place(panel, j));
    }
  }
}

LdltShape Ldlt::shape() const {
  return {panels_.data(), static_cast<int>(panels_.size()), updates_.data(), runs_.data(),
          rows_.data()};
}

LdltNumbers Ldlt::numbers() {
  return {values_.data(), floor_.data(), pivots_.data(), inverse_.data(), scratch_.data()};
}

void Ldlt::load(const double* upper_values) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (size_t k = 0; k < positions_.size(); ++k) values_[positions_[k]] = upper_values[k];
}

void Ldlt::factor() { kernels().factor_ldlt(shape(), numbers()); }

void Ldlt::solve(double* b) { kernels().solve_ldlt(shape(), numbers(), b); }

}  // namespace hawser

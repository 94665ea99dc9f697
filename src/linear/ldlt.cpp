#include "linear/ldlt.h"

#include <algorithm>
#include <iterator>

#include "base/flags.h"
#include "kernels/kernels.h"

namespace hawser {
namespace {

/// Columns that are to stand in one panel: `rows` are those below the last.
struct PanelColumns {
  int first, width;
  std::vector<int> rows;
};

/// Neighbouring panels become one where the zeros this brings in are at most this part of it: a
/// wider panel is worth more than the work on zeros.
constexpr double most_zeros = 0.2;

/// The columns of L one by one. The rows of each are those of the matrix, and those that every
/// column hands on to the first below its own diagonal (its parent in the elimination tree).
std::vector<PanelColumns> columns_of(const Eigen::SparseMatrix<double>& upper, int size) {
  std::vector<PanelColumns> out;
  for (int j = 0; j < size; ++j) {
    out.push_back({j, 1, {}});
    for (int at = upper.outerIndexPtr()[j]; at < upper.outerIndexPtr()[j + 1]; ++at)
      if (const int i = upper.innerIndexPtr()[at]; i < j) out[i].rows.push_back(j);
  }
  std::vector<int> merged;
  for (const PanelColumns& column : out) {
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
std::vector<PanelColumns> join(std::vector<PanelColumns>& columns, const Agree& agree) {
  std::vector<PanelColumns> out;
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

bool same_rows(const PanelColumns& before, const PanelColumns& next) {
  return before.rows.size() == next.rows.size() + static_cast<size_t>(next.width);
}

bool few_zeros(const PanelColumns& before, const PanelColumns& next) {
  const int width = before.width + next.width;
  const double apart =
      size_of(before.width, before.rows.size()) + size_of(next.width, next.rows.size());
  const double together = size_of(width, next.rows.size());
  return width <= panel_width && together - apart <= most_zeros * together;
}

}  // namespace

Ldlt::Ldlt(const Eigen::SparseMatrix<double>& upper, int size, double least_work) {
  find_panels(upper, size);
  find_updates();
  find_entries(upper, size);
  branches_ = LdltBranches(panels_, updates_, rows_, panel_of_, least_work);
  floor_.resize(size);
  pivots_.resize(size);
  inverse_.resize(size);
  if (branches_.count() == 1) return;
  x_.resize(branches_.places());
  done_.resize(panels_.size());
  down_.resize(branches_.count());
  up_.resize(branches_.count());
}

/// Panels too wide for the kernels are cut into equal parts.
void Ldlt::find_panels(const Eigen::SparseMatrix<double>& upper, int size) {
  std::vector<PanelColumns> columns = columns_of(upper, size);
  columns = join(columns, same_rows);
  size_t end = 0;
  for (const PanelColumns& s : join(columns, few_zeros)) {
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
                         {0, 0},
                         {0, 0}});
      for (int c = s.first + to; c < s.first + s.width; ++c) rows_.push_back(c);
      rows_.insert(rows_.end(), s.rows.begin(), s.rows.end());
      panel_of_.insert(panel_of_.end(), width, static_cast<int>(panels_.size()) - 1);
      end += static_cast<size_t>(width) * stride + panel_padding;
      entries_ += static_cast<size_t>(size_of(width, below));
    }
  }
  values_.resize(end);
}

/// Which row of a panel, from its top on, is the given one of the matrix.
int Ldlt::place(const LdltShape::Panel& panel, int row) const {
  if (row < panel.first + panel.width) return row - panel.first;
  const auto first = rows_.begin() + panel.row_list;
  return panel.width + static_cast<int>(std::lower_bound(first, first + panel.rows, row) - first);
}

/// Found by panels that take, kept by panels that are taken from.
void Ldlt::find_updates() {
  std::vector<std::vector<std::pair<LdltShape::Update, std::vector<LdltShape::Run>>>> of(
      panels_.size());
  for (size_t p = 0; p < panels_.size(); ++p) {
    const LdltShape::Panel& s = panels_[p];
    const int* row = rows_.data() + s.row_list;
    for (int i = 0; i < s.rows;) {
      const int number = panel_of_[row[i]];
      const LdltShape::Panel& later = panels_[number];
      int columns = 1;
      while (i + columns < s.rows && row[i + columns] == row[i] + columns &&
             row[i + columns] < later.first + later.width)
        ++columns;
      std::vector<LdltShape::Run> runs;
      for (int k = i; k < s.rows; ++k) {
        const int target = place(later, row[k]);
        if (k > i && runs.back().target + runs.back().length == target)
          ++runs.back().length;
        else
          runs.push_back({s.width + k, target, 1});
      }
      of[number].push_back(
          {{static_cast<int>(p), s.width + i, columns, row[i] - later.first, {0, 0}}, runs});
      i += columns;
    }
  }
  for (size_t p = 0; p < panels_.size(); ++p) {
    panels_[p].updates[0] = static_cast<int>(updates_.size());
    for (auto& [update, runs] : of[p]) {
      update.runs[0] = static_cast<int>(runs_.size());
      runs_.insert(runs_.end(), runs.begin(), runs.end());
      update.runs[1] = static_cast<int>(runs_.size());
      updates_.push_back(update);
    }
    panels_[p].updates[1] = static_cast<int>(updates_.size());
  }
}

void Ldlt::find_entries(const Eigen::SparseMatrix<double>& upper, int size) {
  std::vector<std::vector<LdltShape::Entry>> of(panels_.size());
  const int* outer = upper.outerIndexPtr();
  for (int j = 0; j < size; ++j) {
    for (int at = outer[j]; at < outer[j + 1]; ++at) {
      const int i = upper.innerIndexPtr()[at];
      const LdltShape::Panel& panel = panels_[panel_of_[i]];
      of[panel_of_[i]].push_back(
          {at, panel.panel + panel.stride * (i - panel.first) + place(panel, j)});
    }
  }
  for (size_t p = 0; p < panels_.size(); ++p) {
    panels_[p].entries[0] = static_cast<int>(entries_of_matrix_.size());
    entries_of_matrix_.insert(entries_of_matrix_.end(), of[p].begin(), of[p].end());
    panels_[p].entries[1] = static_cast<int>(entries_of_matrix_.size());
  }
}

LdltShape Ldlt::shape() const {
  const std::vector<int>& down = branches_.count() == 1 ? rows_ : branches_.down_rows();
  return {panels_.data(), entries_of_matrix_.data(), updates_.data(), runs_.data(), rows_.data(),
          down.data()};
}

LdltNumbers Ldlt::numbers(const double* matrix) {
  return {matrix,          values_.data(), floor_.data(), pivots_.data(),
          inverse_.data(), nullptr,        factor_turn_};
}

void Ldlt::factor(const double* upper_values, Workers& workers) {
  ++factor_turn_;
  LdltNumbers io = numbers(upper_values);
  if (branches_.count() == 1) return kernels().factor_ldlt(shape(), io, branches_.part(0));
  io.done = done_.data();
  workers.share(branches_.tasks(),
                [&](int task) { kernels().factor_ldlt(shape(), io, branches_.task(task)); });
}

void Ldlt::go_down(int branch, const double* b) {
  for (const int child : branches_.children(branch)) await_flag(down_[child], solve_turn_);
  for (const auto& [first, last] : branches_.columns(branch))
    std::copy(b + first, b + last, x_.begin() + first);
  branches_.collect(branch, x_.data());
  kernels().solve_ldlt_down(shape(), numbers(nullptr), branches_.part(branch), x_.data());
  raise_flag(down_[branch], solve_turn_);
}

void Ldlt::go_up(int branch, double* b) {
  const int parent = branches_.parent(branch);
  await_flag(down_[branch], solve_turn_);
  if (parent >= 0) await_flag(up_[parent], solve_turn_);
  kernels().solve_ldlt_up(shape(), numbers(nullptr), branches_.part(branch), x_.data());
  for (const auto& [first, last] : branches_.columns(branch))
    std::copy(x_.begin() + first, x_.begin() + last, b + first);
  raise_flag(up_[branch], solve_turn_);
}

/// Down the subtrees and then the stem, up the stem and then the subtrees.
void Ldlt::solve(double* b, Workers& workers) {
  const int count = branches_.count(), subtrees = branches_.subtrees();
  if (count == 1) {
    kernels().solve_ldlt_down(shape(), numbers(nullptr), branches_.part(0), b);
    kernels().solve_ldlt_up(shape(), numbers(nullptr), branches_.part(0), b);
    return;
  }
  ++solve_turn_;
  workers.share(2 * count, [&](int task) {
    if (task < count) return go_down(task, b);
    const int back = task - count, stem = count - subtrees;
    go_up(back < stem ? count - 1 - back : back - stem, b);
  });
}

}  // namespace hawser

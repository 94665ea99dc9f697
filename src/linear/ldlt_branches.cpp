#include "linear/ldlt_branches.h"

#include <algorithm>
#include <numeric>

namespace hawser {
namespace {

/// A subtree has at most this part of the work: enough of them for eight threads.
constexpr double largest_subtree = 1.0 / 16;

}  // namespace

LdltBranches::LdltBranches(const std::vector<LdltShape::Panel>& panels,
                           const std::vector<LdltShape::Update>& updates,
                           const std::vector<int>& rows, const std::vector<int>& panel_of,
                           double least_work) {
  for (const LdltShape::Panel& s : panels)
    parent_.push_back(s.rows > 0 ? panel_of[rows[s.row_list]] : -1);
  measure(panels, updates);
  branch_of_.assign(panels.size(), 0);
  if (work_ < least_work) {
    branches_.resize(1);
    branches_[0].panels.resize(panels.size());
    std::iota(branches_[0].panels.begin(), branches_[0].panels.end(), 0);
    subtrees_ = 1;
  } else {
    find_branches(panels);
    order_branches();
    order_stem();
  }
  for (Branch& b : branches_)
    for (const int p : b.panels) {
      const int first = panels[p].first, last = first + panels[p].width;
      if (!b.columns.empty() && b.columns.back().last == first)
        b.columns.back().last = last;
      else
        b.columns.push_back({first, last});
    }
  find_places(panels, rows, panel_of);
}

/// The multiplications that are done when a panel is the one written to.
void LdltBranches::measure(const std::vector<LdltShape::Panel>& panels,
                           const std::vector<LdltShape::Update>& updates) {
  for (const LdltShape::Panel& t : panels) {
    double sum = 0.5 * t.width * t.width * (t.rows + t.width / 3.0);
    for (int u = t.updates[0]; u < t.updates[1]; ++u) {
      const LdltShape::Panel& s = panels[updates[u].from];
      sum += static_cast<double>(s.width) * updates[u].columns *
             (s.width + s.rows - updates[u].source);
    }
    own_.push_back(sum);
    work_ += sum;
  }
  below_ = own_;
  for (size_t p = 0; p < panels.size(); ++p)
    if (parent_[p] >= 0) below_[parent_[p]] += below_[p];
}

/// Parents come after their children: from the last panel on, each finds its parent placed. Small
/// subtrees at the same branch of the stem go together.
void LdltBranches::find_branches(const std::vector<LdltShape::Panel>& panels) {
  const double most = largest_subtree * work_;
  const auto in_stem = [&](int p) { return p >= 0 && below_[p] > most; };
  std::vector<int> forks(panels.size(), 0);  // children in the stem
  for (size_t p = 0; p < panels.size(); ++p)
    if (in_stem(static_cast<int>(p)) && parent_[p] >= 0) ++forks[parent_[p]];
  std::vector<int> open(1, -1);  // by branch it is at, then at none: a subtree that may take more
  for (int p = static_cast<int>(panels.size()) - 1; p >= 0; --p) {
    const int up = parent_[p], at = up < 0 ? -1 : branch_of_[up];
    int own;
    if (in_stem(p) ? up >= 0 && forks[up] == 1 : up >= 0 && !in_stem(up)) {
      own = at;
    } else {
      int& room = open[at + 1];
      if (in_stem(p) || room < 0 || branches_[room].work + below_[p] > most) {
        own = static_cast<int>(branches_.size());
        if (!in_stem(p)) room = own;
        branches_.emplace_back();
        branches_.back().parent = at;
        open.push_back(-1);
      } else {
        own = room;
      }
      if (!in_stem(p)) branches_[own].work += below_[p];
    }
    branch_of_[p] = own;
    branches_[own].panels.push_back(p);
  }
  for (Branch& b : branches_) std::reverse(b.panels.begin(), b.panels.end());
}

/// Those of the stem have no work of their own noted.
void LdltBranches::order_branches() {
  std::vector<int> order(branches_.size()), number(branches_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const Branch &x = branches_[a], &y = branches_[b];
    if (x.work != y.work) return x.work > y.work;
    return x.panels.back() < y.panels.back();
  });
  std::vector<Branch> sorted;
  for (size_t i = 0; i < order.size(); ++i) {
    number[order[i]] = static_cast<int>(i);
    sorted.push_back(std::move(branches_[order[i]]));
    subtrees_ += sorted.back().work > 0;
  }
  branches_ = std::move(sorted);
  for (int& b : branch_of_) b = number[b];
  for (size_t i = 0; i < branches_.size(); ++i)
    if (int& parent = branches_[i].parent; parent >= 0) {
      parent = number[parent];
      branches_[parent].children.push_back(static_cast<int>(i));
    }
}

void LdltBranches::order_stem() {
  std::vector<int> depth(parent_.size(), 0);
  for (int p = static_cast<int>(parent_.size()) - 1; p >= 0; --p) {
    if (parent_[p] >= 0) depth[p] = depth[parent_[p]] + 1;
    if (branch_of_[p] >= subtrees_) stem_.push_back(p);
  }
  std::stable_sort(stem_.begin(), stem_.end(), [&](int a, int b) { return depth[a] > depth[b]; });
}

void LdltBranches::find_places(const std::vector<LdltShape::Panel>& panels,
                               const std::vector<int>& rows, const std::vector<int>& panel_of) {
  const int columns = static_cast<int>(panel_of.size());
  places_ = columns;
  const auto is_own = [&](int branch, int row) { return branch_of_[panel_of[row]] == branch; };
  for (int b = 0; b < count(); ++b) {
    std::vector<int>& outside = branches_[b].outside;
    for (const int p : branches_[b].panels)
      for (int i = 0; i < panels[p].rows; ++i)
        if (const int row = rows[panels[p].row_list + i]; !is_own(b, row)) outside.push_back(row);
    std::sort(outside.begin(), outside.end());
    outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
    branches_[b].first_place = places_;
    places_ += static_cast<int>(outside.size());
  }
  const auto place = [&](int branch, int row) {
    if (is_own(branch, row)) return row;
    const Branch& b = branches_[branch];
    const auto at = std::lower_bound(b.outside.begin(), b.outside.end(), row);
    return b.first_place + static_cast<int>(at - b.outside.begin());
  };
  for (Branch& b : branches_)
    for (const int row : b.outside) b.to.push_back(place(b.parent, row));
  if (count() == 1) return;
  down_rows_.resize(rows.size());
  for (size_t p = 0; p < panels.size(); ++p)
    for (int i = panels[p].row_list; i < panels[p].row_list + panels[p].rows; ++i)
      down_rows_[i] = place(branch_of_[p], rows[i]);
}

LdltPart LdltBranches::part(int branch) const {
  const std::vector<int>& panels = branches_[branch].panels;
  return {panels.data(), static_cast<int>(panels.size())};
}

LdltPart LdltBranches::task(int number) const {
  return number < subtrees_ ? part(number) : LdltPart{&stem_[number - subtrees_], 1};
}

void LdltBranches::collect(int branch, double* x) const {
  const Branch& own = branches_[branch];
  std::fill_n(x + own.first_place, own.outside.size(), 0.0);
  for (const int c : own.children) {
    const Branch& child = branches_[c];
    const double* from = x + child.first_place;
    for (size_t i = 0; i < child.to.size(); ++i) x[child.to[i]] += from[i];
  }
}

}  // namespace hawser

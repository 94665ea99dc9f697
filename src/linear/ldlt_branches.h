// Which parts of a sparse L D L^T several threads can work on at a time. Panels form a tree: the
// parent of a panel is the one that its first row below belongs to, and a panel takes from its
// ancestors only. Branches are the subtrees that remain when panels with much below them are taken
// away, and the stretches without a fork of what was taken away, the stem. They depend on the
// matrix alone, never on the number of threads.
#pragma once

#include <vector>

#include "linear/ldlt_shape.h"

namespace hawser {

/// Subtrees come first, the largest before the others; then the stem from below. All lists are
/// found at construction.
class LdltBranches {
 public:
  LdltBranches() = default;
  /// `rows` and `updates` as in LdltShape, `panel_of` by column. Less than `least_work`
  /// multiplications are one branch.
  LdltBranches(const std::vector<LdltShape::Panel>& panels,
               const std::vector<LdltShape::Update>& updates, const std::vector<int>& rows,
               const std::vector<int>& panel_of, double least_work);

  [[nodiscard]] double work() const { return work_; }  ///< multiplications of a factorization
  [[nodiscard]] int count() const { return static_cast<int>(branches_.size()); }
  [[nodiscard]] int subtrees() const { return subtrees_; }
  [[nodiscard]] LdltPart part(int branch) const;
  /// The columns of a branch: from `first` to before `last`, ascending.
  struct Columns {
    int first, last;
  };
  [[nodiscard]] const std::vector<Columns>& columns(int branch) const {
    return branches_[branch].columns;
  }
  [[nodiscard]] int parent(int branch) const { return branches_[branch].parent; }

  /// The tasks of a factorization, each of which may wait for those before it: the subtrees, then
  /// the panels of the stem one by one, those with the longest way to the root first.
  [[nodiscard]] int tasks() const { return subtrees_ + static_cast<int>(stem_.size()); }
  [[nodiscard]] LdltPart task(int number) const;

  /// Going down, what a branch gives to rows that are not its own is kept apart, in places after
  /// all columns: LdltShape::down_rows.
  [[nodiscard]] int places() const { return places_; }
  [[nodiscard]] const std::vector<int>& down_rows() const { return down_rows_; }
  /// Clears the places of a branch, and adds what its children have left in theirs.
  void collect(int branch, double* x) const;
  [[nodiscard]] const std::vector<int>& children(int branch) const {
    return branches_[branch].children;
  }

 private:
  struct Branch {
    double work = 0;
    int parent = -1;
    std::vector<int> panels, children;
    std::vector<Columns> columns;
    std::vector<int> outside;  ///< rows of its panels that are not its own
    int first_place = 0;
    std::vector<int> to;  ///< by row outside: its place in the parent
  };
  void measure(const std::vector<LdltShape::Panel>& panels,
               const std::vector<LdltShape::Update>& updates);
  void find_branches(const std::vector<LdltShape::Panel>& panels);
  void order_branches();
  void order_stem();
  void find_places(const std::vector<LdltShape::Panel>& panels, const std::vector<int>& rows,
                   const std::vector<int>& panel_of);

  std::vector<int> parent_;          ///< by panel
  std::vector<double> own_, below_;  ///< by panel: multiplications, with all that is below it
  std::vector<int> branch_of_;       ///< by panel
  std::vector<Branch> branches_;
  std::vector<int> stem_;
  std::vector<int> down_rows_;
  int subtrees_ = 0, places_ = 0;
  double work_ = 0;
};

}  // namespace hawser

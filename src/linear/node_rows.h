// Rigid rows over a single node of a chain, as those that hold cable tangent to a pulley: they
// leave the system, and so do as many coordinates of the node. With x_s these coordinates and x_m
// all others,
//
//     G x = c:   x_s = t - S x_m,   t = Gs^-1 c,   S = Gs^-1 Gm
//
// the system over x_m is T^T H T with T = [I; -S], block-tridiagonal like H, and definite where H
// is along the motions that the rows allow. x_s are chosen anew for every matrix, row after row,
// where the entries are largest. Their rows of H are kept (HeldRows): from these come the
// multipliers,
//
//     Gs^T lambda = r_s - (H x)_s
#pragma once

#include <span>
#include <vector>

#include "linear/held_rows.h"
#include "linear/linear_solver.h"

namespace hawser {

class NodeRows {
 public:
  NodeRows() = default;
  /// All rows of the structure. To `held`, the coordinates that are held otherwise, as many are
  /// added as there are rows; it is sorted.
  NodeRows(const SystemStructure& structure, std::vector<int>& held);
  /// By row of the structure: whether it can be one. Others have coordinates that are held, more
  /// than one node, scalars, or too many companions at their node.
  static std::vector<char> eligible(const SystemStructure& structure);

  [[nodiscard]] bool any() const { return !groups_.empty(); }
  [[nodiscard]] double* values() { return values_.data(); }
  [[nodiscard]] double* compliance() { return compliance_.data(); }

  [[nodiscard]] bool finite() const;

  /// Chooses x_s and finds S, for rows as they are now; false: they depend on each other.
  bool choose(HeldRows& held);
  /// H -> T^T H T, after HeldRows::take_out().
  void transform(double* panels, const HeldRows& held);
  /// t of the right-hand sides c, which follow the coordinates in b.
  void begin(const double* b, HeldRows& held);
  /// r -> T^T r.
  void reduce(double* b) const;
  /// x_s, and the multipliers in place of c.
  void finish(double* x, const HeldRows& held) const;
  /// r_s of the last begin(); finish() reads them.
  [[nodiscard]] std::span<HeldForce> forces() { return forces_; }

 private:
  struct Group {
    int node = 0, rows = 0;
    int row[node_size] = {};                    ///< of the structure
    size_t first_entry = 0, entries = 0;        ///< of entries_
    size_t first = 0;                           ///< of its forces, and of its places
    int slave[node_size] = {};                  ///< by row: the coordinate of the node, 0 to 5
    double S[node_size][node_size] = {};        ///< by row, over the coordinates; 0 at those held
    bool alone[node_size] = {};                 ///< by row: S is 0 there, the coordinate is given
    double inverse[node_size][node_size] = {};  ///< of Gs
  };
  struct Entry {
    int row, column;  ///< in its group; of the node
    size_t value;     ///< place among the values
  };
  bool reduce_rows(Group& group);
  void before(const Group& group, const Group* left, const double* entry, double out[6]) const;

  int coordinates_ = 0;
  std::vector<Group> groups_;  ///< by node
  std::vector<Entry> entries_;
  std::vector<size_t> places_;  ///< of the slaves in HeldRows
  std::vector<HeldForce> forces_;
  std::vector<double> free_;         ///< by coordinate: 1, 0 where it is held
  std::vector<double> free_at_all_;  ///< the same without those that groups hold
  std::vector<double> values_, compliance_;
};

}  // namespace hawser

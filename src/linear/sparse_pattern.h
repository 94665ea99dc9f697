// Where the sparse solver keeps what: the order of the unknowns, the pattern of the matrix and the
// positions in its value array. Found once, at construction.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "linear/dissection.h"
#include "linear/sink.h"
#include "linear/structure.h"

namespace hawser {

/// `row` and `column` are places in the matrix; `unknown` counts coordinates, then conditions. The
/// fixed coordinates and those that are no unknowns (DofMap) come last: what is solved is the
/// leading square of `open` rows. What a sink writes to the latter goes to their diagonals, which
/// nothing reads.
struct SparsePattern {
  explicit SparsePattern(const SystemStructure& structure);
  /// Where an assembly adds to the values of a matrix of this pattern.
  [[nodiscard]] MatrixSink sink(double* values) const;

  struct ConditionEntry {
    int position;
    int mirrored;  ///< of G^T; -1 when symmetric
    int diagonal;  ///< which of condition_diagonals_of_h; -1 when fixed
    bool repeats;  ///< adds to an entry before it
  };
  struct FixedEntry {
    int which, position, coordinate;  ///< which: of the fixed coordinates
  };

  int coordinates, conditions, unknowns;
  int open;  ///< that are neither fixed nor idle
  bool symmetric;
  std::vector<int> idle;                    ///< coordinates that are no unknowns
  std::vector<DofMap::Shared> shared;       ///< followers have no place of their own
  std::vector<int> place;                   ///< row, by unknown
  std::vector<int> unknown;                 ///< by row
  std::vector<unsigned char> is_condition;  ///< by row
  Eigen::SparseMatrix<double> zero;         ///< the matrix: upper triangle when symmetric, else all
  std::vector<int> condition_places;        ///< row, by condition
  std::vector<int> condition_diagonals;     ///< position, by condition
  std::vector<int> element_positions, node_positions, pair_positions;  ///< see MatrixSink
  std::vector<int> condition_diagonals_of_h;      ///< position, by coordinate that conditions touch
  std::vector<ConditionEntry> condition_entries;  ///< in the order of the structure's
  std::vector<int> condition_begins;              ///< of each condition's entries, and the end
  std::vector<FixedEntry> fixed_entries;          ///< of the rows of H at the fixed coordinates

 private:
  std::vector<char> is_idle_, is_held_;  ///< by unknown: idle or a follower; these or fixed
  std::vector<int> owner_;               ///< by unknown: itself, of a follower its leader
  using Triplets = std::vector<Eigen::Triplet<double>>;
  [[nodiscard]] Triplets entries(const SystemStructure& structure) const;
  void order(const SystemStructure& structure, const Triplets& all);
  [[nodiscard]] Graph node_graph(const SystemStructure& structure,
                                 const Eigen::SparseMatrix<double>& full,
                                 const std::vector<int>& number) const;
  void dissect(const SystemStructure& structure, const Eigen::SparseMatrix<double>& full,
               std::vector<int>& rank) const;
  void delay_conditions(const SystemStructure& structure, std::vector<int>& rank) const;
  [[nodiscard]] int position(int row_unknown, int column_unknown) const;
  void find_nodes(const SystemStructure& structure);
  void find_elements(const SystemStructure& structure);
  void find_conditions(const SystemStructure& structure);
  void find_fixed(const SystemStructure& structure);
};

}  // namespace hawser

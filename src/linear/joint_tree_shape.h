// The shape and the numbers of trees of bodies that are eliminated: plain data, which the kernels
// of every instruction set read (linear/joint_tree_kernels.h).
#pragma once

namespace hawser {

inline constexpr int most_joint_rows = 8;  ///< of a body that is eliminated, with its joint
inline constexpr int tree_vector = 16;     ///< numbers of a body in vectors: six, then its rows

/// A body that is eliminated, and the rows that join it to the body above.
struct TreeJoint {
  int node;        ///< of the structure, for the report
  int rows;        ///< how many
  int first_row;   ///< among those of all joints
  bool has_below;  ///< others leave something at it
  bool is_top;     ///< there is nothing above but the ground: C, Gp and W are zero
  int packs;       ///< of four numbers that hold the six of the body above and those of the rows
  int block;       ///< where H begins among the values; then C, the body above over this one
  int panel;       ///< where its numbers begin among the panels
  int above, above_stride;  ///< where what it leaves goes among the panels, by columns
  bool adds;                ///< there is something already
  int y, y_above;           ///< where its numbers are in vectors, and those of the body above
  int scale, scale_above;   ///< where their inverse diagonals of H are

  /// Doubles from a column of the panel to the next: six rows of its own and two spare ones, then
  /// those of the body above and of the rows.
  [[nodiscard]] int stride() const { return 8 + 4 * packs; }
  /// Where the columns of the rows begin, every 4 packs; after them the inverse pivots.
  [[nodiscard]] int row_columns() const { return panel + 6 * stride(); }
  [[nodiscard]] int inverse() const { return row_columns() + 4 * packs * rows; }
  /// W^T (joint_tree_kernels.h), by coordinates of the body above, every 4 packs.
  [[nodiscard]] int transposed() const { return inverse() + 6 + most_joint_rows + 2; }
  [[nodiscard]] int end() const { return transposed() + 4 * packs * 6; }
};

/// A row of a joint: where its six entries over the body and over the one above begin.
struct TreeRow {
  int own, above;
  bool sharing;  ///< as SystemStructure::sharing
};

struct TreeNumbers {
  const TreeJoint* joints;
  int count;
  const TreeRow* rows;
  double* values;            ///< as assembled
  const double* entries;     ///< of the rows
  const double* compliance;  ///< by row of the joints
  double* yields;            ///< by row: compliance, that of sharing included
  const double* scales;      ///< inverse diagonals of H
  double* panels;
  char* curved;  ///< by joint: its block over the body above is not zero
};

/// Largest numbers of the residual, and of the terms that it is a sum of: beside a substitution of
/// some of them.
struct TreeResidual {
  double coordinates = 0, conditions = 0;
  double coordinate_terms = 0, condition_terms = 0;
  bool finite = true;
};

}  // namespace hawser

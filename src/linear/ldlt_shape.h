// The shape of a sparse L D L^T: columns of L with the same rows below stand side by side in dense
// panels (supernodes), so that the numeric work is that of small dense blocks. Plain data, which
// the kernels of every instruction set read.
#pragma once

namespace hawser {

inline constexpr int panel_width = 8;  ///< most columns of a panel
/// Doubles past the end of a panel that packs may read, of no meaning: none of them is another
/// panel's, which another thread may be writing.
inline constexpr int panel_padding = 4;

struct LdltShape {
  /// Columns `first` to `first + width`, kept column by column every `stride` (a multiple of 4)
  /// doubles from `panel` on: the panel's own square (lower triangle), then the `rows` below it.
  struct Panel {
    int first, width, rows, stride;
    int panel;       ///< where it begins among the values
    int row_list;    ///< where its rows begin in `rows`
    int entries[2];  ///< begin and end of what the matrix has in it
    int updates[2];  ///< begin and end of what earlier panels take from it, in their order
  };
  /// An entry of the matrix and its place among the values.
  struct Entry {
    int from, to;
  };
  /// What a panel `from` takes from a later one: of the columns of that from `target` on, one for
  /// each row of the panel from `source` on.
  struct Update {
    int from, source, columns, target;
    int runs[2];  ///< begin and end
  };
  /// Neighbouring rows of a panel, from `source` on, that are neighbours in the later one too,
  /// `target` rows from its top on.
  struct Run {
    int source, target, length;
  };

  const Panel* panels = nullptr;
  const Entry* entries = nullptr;
  const Update* updates = nullptr;
  const Run* runs = nullptr;
  const int* rows = nullptr;       ///< of the matrix, of all panels
  const int* down_rows = nullptr;  ///< where those stand while going down (LdltBranches)
};

/// The numbers of a factorization; see LdltShape.
struct LdltNumbers {
  const double* matrix;      ///< its entries
  double* values;            ///< panels: L
  const double* floor;       ///< by column: a pivot below this in size becomes -floor
  double *pivots, *inverse;  ///< D and D^-1, by column
  /// By panel: becomes `turn` when it is factored; whoever needs it waits. Null: one thread alone.
  unsigned* done;
  unsigned turn;
};

/// Some of the panels, in ascending order.
struct LdltPart {
  const int* panels;
  int count;
};

}  // namespace hawser

// The shape of a sparse L D L^T: columns of L with the same rows below stand side by side in dense
// panels (supernodes), so that the numeric work is that of small dense blocks. Plain data, which
// the kernels of every instruction set read.
#pragma once

namespace hawser {

inline constexpr int panel_width = 8;     ///< most columns of a panel
inline constexpr int panel_padding = 16;  ///< doubles past the end that packs may read

struct LdltShape {
  /// Columns `first` to `first + width`, kept column by column every `stride` (a multiple of 4)
  /// doubles from `panel` on: the panel's own square (lower triangle), then the `rows` below it.
  struct Panel {
    int first, width, rows, stride;
    int panel;       ///< where it begins among the values
    int row_list;    ///< where its rows begin in `rows`
    int updates[2];  ///< begin and end of what it takes from later panels
  };
  /// What a panel takes from a later one: columns of that from `target` (a position) on, one for
  /// each row of the panel from `source` on.
  struct Update {
    int source, columns, target, stride;
    int runs[2];  ///< begin and end
  };
  /// Neighbouring rows of a panel, from `source` on, that are neighbours in the later one too,
  /// `target` rows from its top on.
  struct Run {
    int source, target, length;
  };

  const Panel* panels = nullptr;
  int panel_count = 0;
  const Update* updates = nullptr;
  const Run* runs = nullptr;
  const int* rows = nullptr;
};

/// The numbers of a factorization; see LdltShape.
struct LdltNumbers {
  double* values;            ///< panels: the matrix before, L after
  const double* floor;       ///< by column: a pivot below this in size becomes -floor
  double *pivots, *inverse;  ///< D and D^-1, by column
  double* scratch;           ///< L D of one panel
};

}  // namespace hawser

// The rows of a block-tridiagonal matrix at coordinates whose motion is given: they leave the
// system and are kept for what they give to others and for the forces that hold them.
#pragma once

#include <span>
#include <vector>

#include "linear/sink.h"

namespace hawser {

class HeldRows {
 public:
  HeldRows() = default;
  /// `coordinates`: increasing; `nodes` of the panels.
  HeldRows(const std::vector<int>& coordinates, int nodes);

  /// Takes the rows and columns out of panels that are to be factored.
  void take_out(double* panels);
  /// b: known values in, which are remembered; out what they leave of a right-hand side.
  void begin(double* b);
  /// The known values go back into the solution.
  void finish(double* x) const;
  /// out[k] = row k times x.
  void times(const double* x, double* out) const;
  [[nodiscard]] bool any() const { return !rows_.empty(); }

 private:
  /// A row over the coordinates of the node before, its own and the one after.
  struct Row {
    int coordinate;
    double entry[3 * node_size];
  };
  struct Reach {
    int first, from, to;
  };
  [[nodiscard]] Reach reach(const Row& row) const;
  static void take_out(double* panels, Row& row);

  int nodes_ = 0;
  std::vector<Row> rows_;
  std::vector<double> known_;
};

}  // namespace hawser

// The rows of a block-tridiagonal matrix at coordinates whose motion is given: they leave the
// system and are kept for what they give to others and for the forces that hold them.
#pragma once

#include <cstddef>
#include <vector>

#include "linear/sink.h"

namespace hawser {

class HeldRows {
 public:
  HeldRows() = default;
  /// `coordinates`: increasing; `nodes` of the panels.
  HeldRows(const std::vector<int>& coordinates, int nodes);

  /// Row k is another one of its node from now on.
  void move(size_t k, int coordinate) { rows_[k].coordinate = coordinate; }
  /// Takes the rows and columns out of panels that are to be factored.
  void take_out(double* panels);
  /// b: known values in, which are remembered; out what they leave of a right-hand side.
  void begin(double* b) {
    note(b);
    subtract(b);
  }
  /// The parts of begin(). What is known of row k may also be given.
  void note(const double* b) {
    moved_ = false;
    for (size_t k = 0; k < rows_.size(); ++k) know(k, b[rows_[k].coordinate]);
  }
  void know(size_t k, double value) {
    known_[k] = value;
    moved_ |= value != 0;
  }
  void subtract(double* b) const;
  /// The known values go back into the solution.
  void finish(double* x) const;
  /// out[k] = row k times x.
  void times(const double* x, double* out) const {
    for (size_t k = 0; k < rows_.size(); ++k) out[k] = times(k, x);
  }
  [[nodiscard]] double times(size_t k, const double* x) const;
  /// Row k over the coordinates of the node before, its own and the one after.
  [[nodiscard]] const double* entries(size_t k) const { return rows_[k].entry; }
  [[nodiscard]] bool any() const { return !rows_.empty(); }

 private:
  /// A row over the coordinates of the node before, its own and the one after. Its entries `from`
  /// to `to` are within the system; the first of all stands for coordinate `first`.
  struct Row {
    int coordinate, node;
    int first, from, to;
    double entry[3 * node_size];
  };
  static void take_out(double* panels, Row& row);

  std::vector<Row> rows_;
  std::vector<double> known_;
  bool moved_ = false;  ///< not all of these are zero
};

}  // namespace hawser

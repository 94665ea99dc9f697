// Which forces have an account in the books (State::books), and where.
#pragma once

#include <cstddef>
#include <vector>

#include "hawser/state.h"
#include "model/model_data.h"

namespace hawser {

/// The accounts of a model: supports that move, conditions that move, rows of joints and massless
/// cables, and where anything drags or damps by the velocity all coordinates.
struct Accounts {
  explicit Accounts(const ModelData& model);

  std::vector<size_t> supports;    ///< of ModelData::fixed
  std::vector<size_t> conditions;  ///< of ModelData::conditions
  size_t rows = 0;                 ///< of the mechanism
  size_t coordinates = 0;          ///< all, or none

  [[nodiscard]] size_t first_row() const { return supports.size() + conditions.size(); }
  [[nodiscard]] size_t first_coordinate() const { return first_row() + rows; }
  [[nodiscard]] size_t size() const { return first_coordinate() + coordinates; }

  /// Books in which nothing is written yet.
  [[nodiscard]] Books blank() const;
  /// Into the books of a state: the forces of supports, conditions and rows, as all the forces have
  /// been at all times.
  void take_forces(const ModelData& model, State& state) const;
};

/// The books begin with this state.
void open_books(const ModelData& model, State& state);

/// What gains and losses are compared with: the largest energy in motion, or a thousandth of the
/// work, or `least` of what it takes to lift the whole by its size where next to nothing moves [J].
double energy_scale(const ModelData& model, const Books& books, double least);

}  // namespace hawser

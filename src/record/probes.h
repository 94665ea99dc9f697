// What channels are made of: each probe looks at a state and fills its columns. None allocates.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "record/measure_parts.h"
#include "terms/fields.h"

namespace hawser {

enum class Quantity { position, velocity, direction, tension, strain, curvature, moment };

/// Columns of x, y and z, or the first alone for a scalar; -1: not asked for.
using Columns = std::array<int, 3>;

/// A place of a cable: in an element, or the node where two meet.
struct Spot {
  struct Side {
    const Fields* part;
    int element;
    double xi;
  };
  std::vector<Side> sides;  ///< 1 or 2
};
/// The spot at an unstretched arc length [m] from the start of a cable.
Spot spot_at(CableFields cable, double s);

/// A quantity at one place.
struct PointProbe {
  Quantity quantity;
  Spot spot;
  double factor = 1;  ///< on scalars
  Columns columns;
  void sample(const State& state, std::span<double> out) const;
};

/// What takes a pass over a whole cable.
struct CableProbe {
  CableFields fields;
  /// The smallest or largest value of a scalar over the axial Gauss points.
  struct Extreme {
    Quantity quantity;
    bool largest;
    double factor;
    int column;
  };
  std::vector<Extreme> extremes;
  int length_column = -1;  ///< of the stretched length [m]; -1: not asked for
  /// The integral of |r'| [m].
  [[nodiscard]] double stretched_length(const State& state) const;
  void sample(const State& state, std::span<double> out) const;
};

/// The value of an input.
struct InputProbe {
  size_t input;
  int column;
  void sample(const State& state, std::span<double> out) const {
    out[static_cast<size_t>(column)] = state.inputs[input].at(state.t).value;
  }
};

struct EnergyProbe {
  std::vector<std::pair<double (*)(const Energy&), int>> items;  ///< part, column
  void sample(const Model& model, const State& state, std::span<double> out) const;
};

struct MomentumProbe {
  Columns linear{-1, -1, -1}, angular{-1, -1, -1};
  [[nodiscard]] bool wanted() const;
  void sample(const ModelData& model, Assembler& scratch, const State& state,
              std::span<double> out) const;
};

}  // namespace hawser

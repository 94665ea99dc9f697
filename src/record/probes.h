// What channels are made of: each probe looks at a state and fills its columns. None allocates.
#pragma once

#include <array>
#include <optional>
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
  Side sides[2];
  int count = 0;  ///< of sides, 1 or 2

  [[nodiscard]] std::span<const Side> all() const {
    return std::span(sides).first(static_cast<size_t>(count));
  }
  void add(const Side& side) { sides[count++] = side; }
};
/// The spot at an unstretched arc length [m] of a cable; what is beyond an end is at the end.
Spot spot_at(CableFields cable, const double* q, double s);

/// The spot at a distance along a cable as it is [m], from a node of it towards its end, or its
/// start. On pulleys the cable counts unstretched. `off`: the cable ends before it; the spot is
/// that end.
Spot spot_from(CableFields cable, const double* q, int node, bool after, double distance,
               bool& off);

/// A place of a cable as a channel names it. Where cable flows its spot changes: a length is that
/// of the material, a fraction that of the present length, a distance is in space.
struct NamedSpot {
  CableFields cable;           ///< of a distance: the part of it that is not cut off
  double s = 0, fraction = 0;  ///< [m], -
  bool is_length = false;
  bool flows = false;
  Spot still;  ///< where nothing flows
  /// A distance from a node; -1: the cable has run out of what it is counted from.
  struct Distance {
    int node = 0;
    bool after = true;
    double value = 0;  ///< [m]
  };
  std::optional<Distance> distance;

  NamedSpot(CableFields fields, const double* q, double at, double share, bool length);
  NamedSpot(CableFields fields, const Distance& from) : cable(fields), distance(from) {}
  /// `off`: there is no such place at the moment; the spot is the nearest end of the cable.
  [[nodiscard]] Spot at(const double* q, bool& off) const;
};

/// A quantity at one place.
struct PointProbe {
  Quantity quantity;
  NamedSpot place;
  double factor = 1;  ///< on scalars
  Columns columns;
  void sample(const State& state, std::span<double> out) const;
  [[nodiscard]] bool off_cable(const State& state) const;
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
  int rest_column = -1;    ///< of the unstretched length [m]; -1: not asked for
  int paid_column = -1;    ///< of what a winch has paid out of it [m]; -1: not asked for
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

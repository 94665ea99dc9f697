// What is kept of a run: channels (named numbers in time) and the shapes of the cables. SI units.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hawser/model.h"
#include "hawser/state.h"

namespace hawser {

/// A place where cables are held, under the name its scene gives it.
struct Support {
  std::string name;
  std::vector<Place> places;  ///< the nodes held there, one for every cable that reaches it
  bool holds_direction = false;
};

/// What a scene asks to be recorded.
struct Recording {
  double every = 0;         ///< between rows of the channels [s]; 0: a thousandth of the run
  double shapes_every = 0;  ///< between shapes [s]; 0: 25 a second, at most 1,000 in a run
  int points = 0;           ///< of a shape, for each element; 0: enough for a smooth curve
  std::vector<std::string> channels;  ///< empty: default_channels()
};

/// One number in time: a column of a table.
struct Column {
  std::string name;  ///< "tether.position.z@end"
  std::string unit;  ///< "m"; empty for a pure number
};

/// What channel names mean.
///
///   CABLE.QUANTITY@PLACE   position, velocity, direction (three columns, or one: position.z),
///                          tension, strain, curvature, moment, utilisation
///                          PLACE: start, end, a fraction (0.25), a length ("3.5 m"), min, max
///                          (min and max: over the whole cable; scalar quantities only)
///   CABLE.length           stretched length
///   SUPPORT.force, SUPPORT.moment    on the cables held there, all together: what carries a weight
///                          pushes up, force.z > 0 (three columns, or one: force.z)
///   SUPPORT.position       of its first place
///   reactions              the force of every support, and the moment of those that clamp
///   energy                 kinetic, axial, bending, potential, work, balance; or one: energy.work
///   momentum               linear and angular; or one: momentum.linear, momentum.angular.z
///
/// Position and velocity follow the cubic curve of the element. Tension and strain are known best
/// at the axial Gauss points: min and max are taken over those, and between them counts the
/// straight line nearest to the element's points. Where elements meet, tension, strain and
/// curvature are the mean of both sides. utilisation is tension by breaking load. A channel asked
/// for twice gives one column.
class Channels {
 public:
  /// Throws Error that names the channel, what was expected and the nearest name.
  Channels(const Model& model, const std::vector<Support>& supports,
           const std::vector<std::string>& names);
  ~Channels();
  Channels(Channels&&) noexcept;
  Channels& operator=(Channels&&) noexcept;

  [[nodiscard]] const std::vector<Column>& columns() const;
  /// One number a column. Does not allocate.
  void sample(const State& state, std::span<double> out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The channels of a scene that names none: for every cable the position of its free ends, the
/// tension at its ends and the largest one, its utilisation where the breaking load is known;
/// reactions; energy.
std::vector<std::string> default_channels(const Model& model, const std::vector<Support>& supports);

/// A cable at points along it, evenly over each element, both ends included. Arrays by point;
/// vectors are x, y, z point after point.
struct Shape {
  std::vector<double> s;                   ///< unstretched arc length [m]
  std::vector<double> position, velocity;  ///< [m], [m/s]
  std::vector<double> tension;             ///< [N]
  std::vector<double> strain;              ///< in the cable's measure [-]
  std::vector<double> curvature;           ///< in the cable's measure [1/m]
  [[nodiscard]] int points() const { return static_cast<int>(s.size()); }
};

/// Shapes of all cables; memory is taken once.
class Shapes {
 public:
  /// `points` for each element; 0: enough for a smooth curve, 1 where elements are many.
  Shapes(const Model& model, int points);
  ~Shapes();
  Shapes(Shapes&&) noexcept;
  Shapes& operator=(Shapes&&) noexcept;

  /// Does not allocate.
  void sample(const State& state);
  /// By cable, in the order of the scene.
  [[nodiscard]] const std::vector<Shape>& cables() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hawser

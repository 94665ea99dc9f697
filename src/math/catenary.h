// The elastic catenary: a cable that does not bend, of one section or several, hanging by its own
// weight between two points, where it is too long for that also lying on a level floor.
// docs/theory/catenary.md has the formulas.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "hawser/section.h"

namespace hawser {

/// Axial stiffness and strain measure: how far a tension stretches.
struct AxialLaw {
  double EA = 0;  ///< [N], > 0
  StrainMeasure strain = StrainMeasure::engineering;

  /// |r'| under a tension [N], >= 0.
  [[nodiscard]] double stretch(double tension) const;
  /// The tension of a stretch of at least 1 [N].
  [[nodiscard]] double tension(double stretch) const;
  /// Stored per unstretched metre under a tension [J/m].
  [[nodiscard]] double energy(double tension) const;
  /// (stretch - 1)/tension, also where there is none [1/N].
  [[nodiscard]] double give(double tension) const;
  /// The mean of the stretch over the tensions between two.
  [[nodiscard]] double mean_stretch(double first, double second) const;
};

/// A part of a cable with an axial law and a weight of its own.
struct CatenarySection {
  double length = 0;  ///< unstretched [m], > 0
  double weight = 0;  ///< per unstretched metre, along CatenaryProblem::weight; < 0: floats [N/m]
  AxialLaw law;
};

struct CatenaryProblem {
  Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();  ///< [m]
  double length = 0;                                 ///< unstretched [m], > 0
  Eigen::Vector3d weight = Eigen::Vector3d::Zero();  ///< per unstretched metre [N/m]
  AxialLaw law;
  /// From one end to the other, in sum `length`; empty: one, of `weight` and `law`. Of `weight`
  /// only the direction counts then; zero: none of them has any weight.
  std::vector<CatenarySection> sections;
  /// A level floor, neither end below it: height from the origin, against the weight [m]. A cable
  /// that reaches it must not float anywhere.
  std::optional<double> floor;
  /// To where it bows, as an arc without tension, when it has length to spare and no weight.
  Eigen::Vector3d side = -Eigen::Vector3d::UnitZ();

  /// The sections, also of a cable of one.
  [[nodiscard]] std::vector<CatenarySection> all_sections() const;
};

/// The plane in which a cable with weight hangs between its ends.
struct CatenaryPlane {
  explicit CatenaryPlane(const CatenaryProblem& problem);

  Eigen::Vector3d up, along;    ///< against the weight; level, towards the other end
  double height = 0, span = 0;  ///< from end to end: up, along [m]
  double taut = 0;              ///< about the largest tension [N]
};

/// A part of a catenary in a plane of its own: under a tension that its weight alone changes, or an
/// arc without tension.
struct CatenaryPart {
  AxialLaw law;
  double start = 0, length = 0;                      ///< unstretched [m]
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< where it starts [m]
  Eigen::Vector3d along = Eigen::Vector3d::UnitX();  ///< level, or along the chord of an arc
  Eigen::Vector3d up = Eigen::Vector3d::UnitZ();     ///< against the weight, or where it bows to
  double level = 0, rise = 0;                        ///< tension at its start: along, up [N]
  double weight = 0;                                 ///< per unstretched metre [N/m]
  bool arc = false;
  double half_angle = 0;  ///< that an arc spans [rad]
  bool lies = false;      ///< on the floor

  /// Along and up from its start; s: unstretched, from its start [m].
  [[nodiscard]] Eigen::Vector2d reach(double s) const;
  [[nodiscard]] Eigen::Vector2d slope(double s) const;
  [[nodiscard]] double tension(double s) const;
};

/// A solved one. Arguments s: unstretched arc length from `from` [m], 0 to length.
class Catenary {
 public:
  explicit Catenary(std::vector<CatenaryPart> parts) : parts_(std::move(parts)) {}

  [[nodiscard]] Eigen::Vector3d position(double s) const;  ///< [m]
  [[nodiscard]] Eigen::Vector3d slope(double s) const;     ///< r' = dr/ds, by unstretched length
  [[nodiscard]] double tension(double s) const;            ///< [N], >= 0
  [[nodiscard]] double stretch(double s) const;            ///< |r'|
  [[nodiscard]] double energy(double s) const;             ///< stored per unstretched metre [J/m]
  [[nodiscard]] double lying() const;                      ///< unstretched, on the floor [m]

 private:
  [[nodiscard]] const CatenaryPart& part_at(double s) const;
  std::vector<CatenaryPart> parts_;  // in order
};

/// For any ends, length and stiffness; position(0) and position(length) are the ends to rounding.
Catenary solve_catenary(const CatenaryProblem& problem);

/// Whether it would sink below the floor if that were not there.
bool reaches_floor(const CatenaryProblem& problem);

}  // namespace hawser

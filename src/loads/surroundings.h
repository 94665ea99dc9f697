// What surrounds a cable element: the ground under it and the fluid around it. Forces over the 12
// coordinates (r1, r1', r2, r2') of one element, integrated at Gauss points dense enough for a
// cable that touches down within the element.
#pragma once

#include <Eigen/Core>
#include <array>
#include <utility>
#include <vector>

#include "loads/drag.h"
#include "loads/ground.h"
#include "terms/term.h"

namespace hawser {

/// Shape functions at a quadrature point, by (r1, r1', r2, r2').
struct ShapePoint {
  double w;      ///< weight [m]
  double n[4];   ///< of r [-, m]
  double dn[4];  ///< of r' [1/m, -]
};

/// What all elements of a batch share.
struct Surroundings {
  static constexpr int point_count = 5;

  std::array<ShapePoint, point_count> points;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< of the ground, unit
  double height = 0;                                  ///< of the ground along the normal [m]
  GroundLaw ground;
  Eigen::Vector3d flow = Eigen::Vector3d::Zero();  ///< velocity of the fluid [m/s]
  DragLaw drag;
};

/// Points of an element of that unstretched length: cubic, or straight without slopes (np-fem).
std::array<ShapePoint, Surroundings::point_count> shape_points(double length, bool slopes);

/// Where an element is and how it moves, 12 numbers each. The force is linear about (q_ahead,
/// v_ahead): there drag is taken and its change with the velocity, and there it is decided whether
/// a point is on the ground. At a prediction both are one.
struct ElementMotion {
  const double *q, *v;
  const double *q_ahead, *v_ahead;
};

struct SurroundingsWeights {
  double position = 0, velocity = 0;  ///< in the matrix, of -df/dq and -df/dv
  double drag = 1;                    ///< times the drag, in force and matrix
  bool by_slope = false;              ///< also the unsymmetric -df/dr' of drag, by `position`
};
/// Adds the force of the surroundings. `block`, unless null: the weighted matrix, 12 x 12 by
/// columns; false, and nothing written to it, where that is zero.
bool add_surroundings(const Surroundings& s, const ElementMotion& at,
                      const SurroundingsWeights& weights, double force[12], double* block);
/// Of that force what has no potential: drag and the ground's viscous part.
void add_lossy_force(const Surroundings& s, const ElementMotion& at, double force[12]);

/// What the ground under the element stores: int k depth^2/2 [J].
double ground_energy(const Surroundings& s, const double* q);

/// A run of elements and what surrounds them.
struct SurroundedElements {
  int first_node = 0, elements = 0, first_element = 0;
  Surroundings surroundings;
};

/// The ground, or the fluid: a term each.
class SurroundingsTerm final : public Term {
 public:
  explicit SurroundingsTerm(std::vector<SurroundedElements> runs) : runs_(std::move(runs)) {}

  [[nodiscard]] Facts facts() const override;
  void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const override;
  void add_lossy(const Configuration& at, double* scratch, double* out) const override;
  void add_energy(const EnergyState& at, EnergyParts& out) const override;

 private:
  std::vector<SurroundedElements> runs_;
};

}  // namespace hawser

// What surrounds a cable element: the ground under it and the fluid around it. Forces over the 12
// coordinates (r1, r1', r2, r2') of one element, integrated at Gauss points dense enough for a
// cable that touches down within the element (element_surroundings.h).
#pragma once

#include "linear/sink.h"
#include "loads/drag.h"
#include "loads/ground.h"

namespace hawser {

struct Ground;

/// Shape functions at a quadrature point, by (r1, r1', r2, r2').
struct ShapePoint {
  double w;           ///< weight [m]
  double n[4];        ///< of r [-, m]
  double dn[4];       ///< of r' [1/m, -]
  double load[4];     ///< w n: force on the coordinates by a force per metre
  double pair[10];    ///< w n_i n_j, lower triangle by rows
  double quartic[5];  ///< w n_1^(4-k) n_2^k, for straight elements
};

/// What all elements of a batch share. Plain arrays: the batched kernels read it.
struct Surroundings {
  static constexpr int point_count = 5, straight_count = 3;

  ShapePoint points[point_count];
  /// For the drag on straight elements, exact while the fluid meets all of an element from one
  /// side.
  ShapePoint straight[straight_count];
  bool slopes = true;            ///< false: straight elements (np-fem), whose n1 and n3 are zero
  double normal[3] = {0, 0, 1};  ///< of the ground, unit
  double height = 0;             ///< of the ground along the normal [m]
  GroundLaw ground;
  double flow[3] = {0, 0, 0};  ///< velocity of the fluid [m/s]
  DragLaw drag;
  double added_mass = 0;  ///< across the cable (loads/added_mass.h) [kg/m]

  [[nodiscard]] bool pushes_or_drags() const { return ground.stiffness > 0 || drag.any(); }

  /// Of elements of that unstretched length.
  Surroundings(double length, bool with_slopes);
  void set_ground(const Ground& to);
};

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

/// What the kernels of the surroundings read and write; arrays by coordinate, of all nodes.
struct SurroundingsIo {
  const double *q = nullptr, *v = nullptr, *q_ahead = nullptr, *v_ahead = nullptr;  ///< padded
  SurroundingsWeights weights;
  double* force = nullptr;  ///< added to
  bool matrix = false;
  MatrixSink sink;
};

/// The same as the functions above, of a run of elements and four at a time.
struct LoadKernels {
  void (*surroundings)(const SurroundedElements&, const SurroundingsIo&);
  void (*lossy_surroundings)(const SurroundedElements&, const SurroundingsIo&);
  double (*ground_energy)(const SurroundedElements&, const double* q);
  /// By what the ground's push at (q, v) differs from the one linearized about (q_ahead, v_ahead);
  /// kept where it is larger than what is there.
  struct Misjudged {
    double error = 0, push = 0;  ///< largest of both, of any point [N/m]
  };
  void (*misjudged)(const SurroundedElements&, const SurroundingsIo&, Misjudged&);
  /// Added mass (added_mass.h): force += M_a(q) v, matrix += weights.velocity M_a(q).
  void (*added_mass)(const SurroundedElements&, const SurroundingsIo&);
};

}  // namespace hawser

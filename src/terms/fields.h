// What the elements of a cable tell of it: position, velocity, strain, tension and curvature along
// it, and what damping, modes and statics ask of a section. The one evaluation behind profiles,
// channels, shapes and watches.
//
// Position and velocity are the interpolation of the elements, slope r' and r'' its derivatives.
// The axial force is best known at the axial Gauss points. Inside an element it and the tension are
// the straight line nearest to those points, in the sense of their weights (the L2 projection): a
// cable hanging at rest then has the tension that it should have everywhere. Where two elements
// meet, what jumps (tension, strain, curvature) is the mean of both sides.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <span>

#include "hawser/state.h"

namespace hawser {

class Term;

inline constexpr int most_axial_points = 7;

/// A run of equal elements on consecutive nodes of one cable. Arrays by point hold four elements
/// side by side, point after point. Where cable flows, lengths, masses and loads are those of the
/// mesh that the model was compiled with; Fields::length() and arc() tell the present ones.
struct ElementRun {
  int cable = 0;
  int section = 0;  ///< of the cable's
  int first_node = 0, elements = 0;
  int first_element = 0;          ///< number of its first element among all
  double arc_start = 0;           ///< unstretched arc length to its first node [m]
  double length = 0;              ///< unstretched, of one element [m]
  double EA = 0, EI = 0;          ///< [N], [N m^2]
  bool flows = false;             ///< its length varies
  bool takes_along = false;       ///< its term does what that of the next run would
  bool curved = true;             ///< false: straight elements, whose nodes have no slope
  bool tension_only = false;      ///< goes slack instead of pushing
  double node_mass[2] = {0, 0};   ///< of an element, on the diagonal of r1 and r2 [kg]
  double load[4] = {0, 0, 0, 0};  ///< of 1 N/m on (r1, r1', r2, r2') [m, m^2]
  int axial_points = 0, bending_points = 0;
  double place[most_axial_points]{};         ///< xi of the axial points
  double axial_weight[most_axial_points]{};  ///< they add up to the length [m]
  /// Of the axial points: what they give to the ends of the line nearest to them.
  double line_start[most_axial_points]{}, line_end[most_axial_points]{};
  double bending_weight[most_axial_points]{};  ///< the same [m]
  int point_offset = 0;                        ///< in arrays by axial point
  int bending_offset = 0;                      ///< in arrays of vectors by bending point

  /// From places and weights.
  void find_line();

  [[nodiscard]] int packs() const { return (elements + 3) / 4; }
  [[nodiscard]] int point_size() const { return packs() * axial_points * 4; }
  [[nodiscard]] int bending_size() const { return packs() * bending_points * 12; }
  [[nodiscard]] double whole_length() const { return elements * length; }
  /// The place of an axial point of an element among those of its run.
  [[nodiscard]] int point(int element, int g) const {
    return 4 * (axial_points * (element / 4) + g) + element % 4;
  }
  /// The same of the first component of a bending point; the others are 4 apart.
  [[nodiscard]] int bending_point(int element, int g) const {
    return 12 * (bending_points * (element / 4) + g) + element % 4;
  }
};

/// Four elements side by side, as State::axial_force keeps them. Lanes past the end of a run hold
/// numbers without meaning.
using Lanes = Eigen::Array4d;

/// By axial point of four elements.
struct AxialPack {
  Lanes force[most_axial_points];    ///< N: the state of a mixed solve, else EA eps(q) [N]
  Lanes strain[most_axial_points];   ///< that the elastic part of N means; 0 where slack
  Lanes tension[most_axial_points];  ///< force along the tangent [N]
  Lanes stretch[most_axial_points];  ///< |r'|
};

/// A quantity that varies linearly over each element.
struct LinePack {
  Lanes start, end;
  [[nodiscard]] Lanes at(double xi) const { return start + xi * (end - start); }
};
/// The straight line nearest to the axial points; `values` is a member of an AxialPack.
LinePack nearest_line(const ElementRun& run, const Lanes* values);

/// Where strains go, by point of all runs; null: not asked for. Zero in lanes without an element.
struct StrainsOut {
  double* strain = nullptr;     ///< by axial point
  double* curvature = nullptr;  ///< as a vector in world axes, by component and bending point [1/m]
  double* tangent = nullptr;    ///< r'/|r'|, by component and bending point
};

/// What the material resists a small motion with: its part of x^T K x, without what tension adds.
struct StiffnessParts {
  double axial = 0;    ///< sum of w EA (eps_r' . x')^2; nothing where the cable is slack
  double bending = 0;  ///< second variation of the bending energy
};

/// Coordinates and their rates, or their accelerations with the velocities that go with them.
struct FlowRates {
  const double *q, *b;
  const double* v = nullptr;  ///< null: b are rates
};

class Fields {
 public:
  virtual ~Fields() = default;
  ElementRun run;

  /// Unstretched, of an element [m].
  [[nodiscard]] virtual double length(const double* /*q*/, int /*element*/) const {
    return run.length;
  }
  /// Unstretched arc length at xi of an element [m].
  [[nodiscard]] virtual double arc(const double* /*q*/, int element, double xi) const {
    return run.arc_start + (element + xi) * run.length;
  }
  /// r at xi of an element.
  [[nodiscard]] virtual Eigen::Vector3d position(const double* q, int element, double xi) const = 0;
  /// Velocity of the material there.
  [[nodiscard]] virtual Eigen::Vector3d velocity(const double* q, const double* v, int element,
                                                 double xi) const = 0;
  /// Where cable flows through a node, its coordinates change at a place and not with the material.
  /// Adds sign times what the material's rates or accelerations have beside, by coordinate.
  virtual void add_convected(const FlowRates& /*rates*/, double /*sign*/, double* /*out*/) const {}
  /// r' at xi of an element.
  [[nodiscard]] virtual Eigen::Vector3d slope(const double* q, int element, double xi) const = 0;
  /// Weights of (r1, r1', r2, r2') in r or, `derivative`, in r' at xi of an element.
  [[nodiscard]] virtual std::array<double, 4> weights(double xi, bool derivative) const = 0;
  /// Entry of the mass matrix of (r1, r1', r2, r2'), the same for x, y and z, of an element of the
  /// same kind and another length [kg, kg m, kg m^2].
  [[nodiscard]] virtual double mass(double length, int i, int j) const = 0;
  /// Strain in the cable's measure where the slope is r'.
  [[nodiscard]] virtual double strain(const Eigen::Vector3d& slope) const = 0;
  /// At xi of four elements, in the cable's measure [1/m].
  [[nodiscard]] virtual Lanes curvature(const double* q, int pack, double xi) const = 0;
  virtual void axial(const State& state, int pack, AxialPack& out) const = 0;

  virtual void strains(const double* q, const StrainsOut& out) const = 0;
  /// At q along x, both by coordinate.
  [[nodiscard]] virtual StiffnessParts stiffness(const double* q, const double* x) const = 0;
  /// Kinetic and elastic energy of one element [J].
  [[nodiscard]] virtual double energy(const double* q, const double* v, int element) const = 0;
  /// The same elements with another axial stiffness [N].
  [[nodiscard]] virtual std::shared_ptr<const Term> with_stiffness(double EA) const = 0;
};

/// The runs of a cable, from its start to its end.
using CableFields = std::span<const Fields* const>;

/// Unstretched length of a cable [m].
double length_of(CableFields cable, const double* q);
/// Unstretched arc length at its start: 0, but where a winch supplies it [m].
double start_of(CableFields cable, const double* q);

}  // namespace hawser

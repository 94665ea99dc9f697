// The terms of the equation of motion
//
//     M(q) a = Q(q, v, t) + G^T lambda
//
// A Term is a batch of one kind that contributes to M or Q: the elements of a cable, bodies, point
// masses, gravity, loads, ground, fluid. Whoever needs forces, energies or properties of the whole
// walks the list of terms (ModelData::terms) and names no kind.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "linear/sink.h"
#include "terms/configuration.h"
#include "terms/fields.h"
#include "terms/tangent.h"
#include "terms/viscous_terms.h"

namespace hawser {

/// Properties of a term; those of the whole are combined from them.
struct Facts {
  bool symmetric = true;      ///< its tangent is, as far as a step uses it
  bool by_velocity = false;   ///< its force depends on velocities
  bool lossy = false;         ///< and has no potential: Term::add_lossy() tells of it
  bool ahead = false;         ///< it is linearized about Configuration::q_ahead, v_ahead
  bool kinked = false;        ///< its force has kinks: Term::left_out() tells of them
  bool by_time = false;       ///< its force depends on time itself
  bool stiff = true;          ///< false: evaluated once a step, without a tangent
  bool load = false;          ///< it is a given load
  bool supplies = false;      ///< its work comes from outside and is not stored as energy
  bool constant_mass = true;  ///< what it adds to M does not depend on q
  /// Its force depends on State::contacts: Term::remember(). A step is taken only where what it
  /// used has settled (Term::left_out).
  bool remembers = false;
  /// Its force acts between parts that come close and part again: State::contacts names them, and
  /// the matrix has entries for those alone (Term::find_pairs).
  bool meets = false;

  void combine(const Facts& other) {
    symmetric = symmetric && other.symmetric;
    by_velocity = by_velocity || other.by_velocity;
    lossy = lossy || other.lossy;
    ahead = ahead || other.ahead;
    kinked = kinked || other.kinked;
    by_time = by_time || other.by_time;
    stiff = stiff && other.stiff;
    load = load || other.load;
    supplies = supplies || other.supplies;
    constant_mass = constant_mass && other.constant_mass;
    remembers = remembers || other.remembers;
    meets = meets || other.meets;
  }
};

using NodePairs = std::vector<std::pair<int, int>>;  ///< of each the smaller number first

/// The pairs of nodes that a matrix has entries for (SystemStructure::pairs): of the model, then
/// those that the step has added (Term::couple); both are sorted.
struct CoupledNodes {
  NodePairs pairs;
  size_t fixed = 0;  ///< of the model

  /// The number of a pair that is among them (add_pair_block).
  [[nodiscard]] int find(int a, int b) const {
    const std::pair both(std::min(a, b), std::max(a, b));
    const auto middle = pairs.begin() + static_cast<long>(fixed);
    auto at = std::lower_bound(middle, pairs.end(), both);
    if (at == pairs.end() || *at != both) at = std::lower_bound(pairs.begin(), middle, both);
    return static_cast<int>(at - pairs.begin());
  }
};

/// What an assembly asks of a term.
struct Wanted {
  const double* b = nullptr;  ///< multiplied by the mass matrix into Sums::inertia
  Tangent tangent = Tangent::none;
  double mass_weight = 1, stiffness_weight = 0;  ///< of M and K in the matrix
  double damping_weight = 0;                     ///< of -dQ/dv
  double load_factor = 1;                        ///< scales all loads (statics)
  /// Also what drag changes by with the cable's direction, which is unsymmetric: for a solver made
  /// so. A step does without: it is not stiff.
  bool full_tangent = false;
  bool symmetric_part = false;            ///< of the tangents of all terms, stiff or not (modes)
  bool non_stiff_tangent = false;         ///< that of terms that are not stiff, in statics too
  const CoupledNodes* coupled = nullptr;  ///< not null where a term meets (Facts::meets)

  // --- what elements carry beside the coordinates, by axial point ---
  const double* axial = nullptr;          ///< Tangent::mixed: force of the geometric stiffness [N]
  double* axial_star = nullptr;           ///< out, unless null: EA eps(q) [N]
  double* strain_r = nullptr;             ///< out, with axial_star: eps_r', three numbers a point
  const ViscousTerms* viscous = nullptr;  ///< what damping adds; null: nothing

  [[nodiscard]] bool matrix() const { return tangent != Tangent::none; }
};

/// Where a term adds to, by coordinate.
struct Sums {
  double* force;    ///< generalized force Q
  double* inertia;  ///< M b
  MatrixSink sink;  ///< mass_weight M + stiffness_weight K + damping_weight C
};

/// What a term is asked for its energy at.
struct EnergyState : Instant {
  const double *q, *v;
  const double* axial;          ///< by axial point: the state of a mixed solve; null: from q
  const double* viscous_force;  ///< the part of it that is not elastic; null: none
  const double* orientation = nullptr;  ///< of the bodies (Configuration); null: there are none
  const double* contacts = nullptr;     ///< State::contacts; null: nothing touches
};

struct EnergyParts {
  double kinetic = 0, axial = 0, bending = 0, twist = 0;  ///< [J]
  double gravity = 0;  ///< of weight, buoyancy and what the ground has taken up [J]
  double joints = 0;   ///< of compliant joints [J]
  [[nodiscard]] double elastic() const { return axial + bending + twist + joints; }
  [[nodiscard]] double total() const { return kinetic + elastic() + gravity; }
};

/// The linear update of what elements carry after a solve (Wanted::axial).
struct AxialUpdate {
  const double *q, *d;  ///< coordinates of the assembly, correction of them
  const double *axial_star, *strain_r;
  double* axial;                ///< out
  const ViscousTerms* viscous;  ///< as in the assembly
  double turned = 0;    ///< out: largest |component| by which an element without slopes turns
  bool pushes = false;  ///< out: a tension-only element is left compressed
  double missing = 0;   ///< out: largest force that the linear update leaves out, as a share
                        ///< of the largest force of the same elements
};

struct CloseSearch;  // contact/close_grid.h

class Term {
 public:
  virtual ~Term() = default;
  [[nodiscard]] virtual Facts facts() const = 0;
  /// Adds force, M b and the matrix. The elements of cables store the sums of their nodes instead:
  /// they come first, and nothing needs clearing before them.
  virtual void add(const Configuration& at, const Wanted& wanted, const Sums& sums) const = 0;
  /// out += M(q) b; elements of cables store.
  virtual void add_mass_times(const double* /*q*/, const double* /*b*/, double* /*out*/) const {}
  /// Forces that depend on the velocity and have no potential, of terms that have such
  /// (Facts::lossy), added to out. `scratch` by coordinate.
  virtual void add_lossy(const Configuration& /*at*/, double* /*scratch*/, double* /*out*/) const {}
  virtual void add_energy(const EnergyState& /*at*/, EnergyParts& /*out*/) const {}
  virtual void update_axial(AxialUpdate& /*update*/) const {}
  /// Largest force that its linearization about (q_ahead, v_ahead) leaves out at (q, v) because a
  /// kink lies between, as a share of its largest force there (Facts::kinked).
  [[nodiscard]] virtual double left_out(const Configuration& /*at*/) const { return 0; }
  /// How many numbers it has in State::contacts (Facts::remembers). One term of a model has any.
  [[nodiscard]] virtual int remembered() const { return 0; }
  /// A step ends at (q, v) and is accepted, or, without Configuration::contacts, a run starts
  /// there: writes what the next step is to know.
  virtual void remember(const Configuration& /*at*/, double* /*contacts*/) const {}
  /// A step of h begins at (q, v): writes to the end of State::contacts what may touch in it, with
  /// a margin for the steps after it. What is there stays where it has all of that, unless `anew`.
  /// One term of a model has any (Facts::meets).
  virtual void find_pairs(const Configuration& /*at*/, double /*h*/, bool /*anew*/,
                          CloseSearch& /*scratch*/, std::vector<double>& /*contacts*/) const {}
  /// Adds the nodes between which that has entries in the matrix (Wanted::coupled).
  virtual void couple(const double* /*contacts*/, NodePairs& /*out*/) const {}
  /// By coordinate: the length that makes a force of its generalized force, of slopes and turns
  /// [m], and what a correction is measured by: the smallest of all that touch it [m, -].
  virtual void set_scales(double* /*arm*/, double* /*size*/) const {}
  /// Largest angle by which a small motion turns a part of it, or relative stretch [rad].
  [[nodiscard]] virtual double turn(const double* /*q*/, const double* /*motion*/) const {
    return 0;
  }
  /// What it tells of a cable; null where it is none's elements.
  [[nodiscard]] virtual const Fields* fields() const { return nullptr; }
};

}  // namespace hawser

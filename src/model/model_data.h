// The compiled scene.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "constraints/constraint.h"
#include "hawser/error.h"
#include "hawser/mesh.h"
#include "hawser/scene.h"
#include "linear/structure.h"
#include "model/flows.h"
#include "model/frames.h"
#include "model/mechanism.h"
#include "model/route.h"
#include "terms/term.h"

namespace hawser {

/// A cable's part of the model: consecutive nodes, elements and runs of elements.
struct CableSpan {
  int first_node, nodes, elements, first_element, first_run, runs;
};

/// Where the slope of a cable jumps: two nodes that share their position.
struct SplitNode {
  int node = 0;        ///< the first of them
  int run = 0;         ///< the one that starts with the other
  bool flows = false;  ///< it is a hand-over
};

/// A stop of a route that holds a node of a cable.
struct Hold {
  int cable = 0, stop = 0;  ///< in the scene, in the route
  int node = 0;             ///< -1: none, an end of the cable has run out of it
  int slope = 0;            ///< the node whose direction it holds, if any
  FrameRef at;              ///< of a support or a body
  bool direction = false;   ///< also holds the direction of the cable
};

/// What a support holds.
struct SupportUse {
  std::vector<int> nodes;  ///< of cables
  bool clamps = false;     ///< the direction of one of them
  bool frame = false;      ///< joints or massless cables

  [[nodiscard]] bool any() const { return frame || !nodes.empty(); }
};

struct ModelData;

/// A kind of unknowns and forces that no scene describes: of a program's own. A model may be
/// compiled again with it, for statics: from the same scene with other stiffnesses.
class Guest {
 public:
  virtual ~Guest() = default;
  /// Adds its nodes, scalars and couplings (add_node, add_scalar, couple).
  virtual void declare(ModelData& model) = 0;
  /// Its part of q0 and v0.
  virtual void start(ModelData& model) const = 0;
  [[nodiscard]] virtual std::shared_ptr<const Term> term(const ModelData& model) const = 0;
  /// Adds its rows (add_row) and returns their constraint; null: none.
  [[nodiscard]] virtual std::shared_ptr<const Constraint> constrain(ModelData& /*model*/) const {
    return nullptr;
  }
};
using Guests = std::vector<std::shared_ptr<Guest>>;

struct ModelData {
  Scene scene;
  Guests guests;
  std::vector<InputMotion> inputs;  ///< at the start: of the scene, then two of every winch
  std::vector<char> rate_inputs;    ///< by input: it prescribes a rate or its slip
  bool has_feedback = false;        ///< some input has feedback
  int nodes = 0;                    ///< of the cables, of guests, then of the bodies
  Mechanism mechanism;
  Mesh mesh;
  Mesh own_mesh;  ///< of the scene
  /// By cable: where the nodes of `mesh` are laid in the scene's own, by arc length there [m].
  std::vector<std::vector<double>> laid_at;
  std::vector<CableSpan> cables;
  std::vector<SplitNode> splits;
  std::vector<HandOver> hand_overs;   ///< cable by cable, along the route
  std::vector<SplitNode> cuts;        ///< two nodes at a place that share nothing
  std::vector<Route> routes;          ///< by cable; massless: empty
  std::vector<Hold> holds;            ///< cable by cable, along the route
  std::vector<const Fields*> fields;  ///< of the terms that are elements of cables, in order
  int point_size = 0;                 ///< of arrays by axial point
  int bending_size = 0;               ///< of arrays of vectors by bending point
  SystemStructure structure;
  std::vector<double> q0, v0;  ///< padded
  /// The terms of the equation of motion: the elements of cables, as in `fields`, then all others.
  std::vector<std::shared_ptr<const Term>> terms;
  /// The constraints of it: supports and linear conditions, joints, massless cables, guests'.
  std::vector<std::shared_ptr<const Constraint>> constraints;
  std::vector<RowInfo> rows;  ///< of all constraints
  int contacts = 0;           ///< numbers of State::contacts
  int entries = 0;            ///< of G
  std::vector<RubInfo> rubs;  ///< between runs of massless cables
  std::vector<int> limited;   ///< rows that are (RowInfo::limited)
  std::vector<int> elastic;   ///< rows that hold a position and yield: they store energy
  Facts facts;                ///< of all terms together
  int stored = 0;  ///< coordinates of the cables: whole sums, stored by the elements' terms
  std::vector<double> kinks;  ///< times at which a prescribed rate jumps, increasing
  double total_mass = 0;
  double total_length = 0;
  double extent = 0;       ///< largest distance between things at the start [m]
  double body_extent = 0;  ///< twice the largest radius of gyration of a body [m]

  /// t = 0 with the inputs at their initial values.
  [[nodiscard]] Instant start() const { return {0, inputs}; }
  /// What a cable with elements tells of itself, from its start to its end.
  [[nodiscard]] CableFields fields_of(int cable) const {
    const CableSpan& span = cables.at(static_cast<size_t>(cable));
    return std::span(fields).subspan(static_cast<size_t>(span.first_run),
                                     static_cast<size_t>(span.runs));
  }
  [[nodiscard]] const Section& section_of(const ElementRun& run) const {
    return scene.cables[static_cast<size_t>(run.cable)].sections[static_cast<size_t>(run.section)];
  }
  [[nodiscard]] size_t padded() const {
    return static_cast<size_t>(structure.coordinates() + padding);
  }
};

/// The turn of a drum or a pulley is the first coordinate of this node, which is no place.
bool is_drum(const ModelData& model, int node);

/// The number of a new node, of six unknowns or, narrow, of three.
int add_node(ModelData& model, bool narrow);
/// The number of a new scalar unknown; its coordinate is structure.scalar(number).
int add_scalar(ModelData& model);
/// The matrix may have entries between two nodes that no element connects (add_pair_block).
void couple(ModelData& model, int a, int b);

/// The number of a new row over these coordinates.
int add_row(ModelData& model, RowInfo info, std::vector<int> coordinates);

/// Validates a scene and compiles it; throws Error on bad input. `mesh`: null for the scene's own.
std::shared_ptr<const ModelData> compile(Scene scene, const Guests& guests = {},
                                         const Mesh* mesh = nullptr);

/// Throws Error when the description is not physical; `compile` relies on it.
void validate(const Scene& scene);
void require_finite(const ErrorObject& where, const Vec3& v);

/// Numbers of cables and nodes, of two nodes the first; throw Error for places that do not exist or
/// have no node.
int find_cable(const Scene& scene, const std::string& name, const ErrorObject& who);
int find_node(const ModelData& model, const Place& place, const ErrorObject& who);
/// The node at an arc length of a cable; throws Error if the mesh has none there.
int node_at(const ModelData& model, int cable, double s, const ErrorObject& who);
/// The node whose slope moments and clamps at a node act on: where the slope jumps, of the first
/// side that resists bending.
int slope_node(const ModelData& model, int node);

SupportUse support_use(const ModelData& model, size_t support);

/// Throws Error when the node has a position only.
void require_slope(const ModelData& model, const Place& place, const ErrorObject& who);

/// Turns supports and conditions into constraints; throws when they
/// contradict each other or say the same thing twice in different words.
void compile_constraints(ModelData& model);

/// A node for every winch, whose first coordinate is the turn of its drum, and its two inputs.
void lay_winches(ModelData& model);
/// A node for every pulley under a cable with mass that turns on its mount.
void lay_wheels(ModelData& model);
/// Nodes for the bodies, after those of the cables.
void lay_bodies(ModelData& model);
/// Where the bodies are at the start and how they move.
void start_bodies(ModelData& model);
/// Fills `terms`; throws Error for loads at places that do not exist or cannot carry them.
void compile_terms(ModelData& model);
/// Elements with other axial stiffnesses, by run [N].
void change_stiffness(ModelData& model, const std::vector<double>& EA);
/// Rows of cables held by bodies, of joints, turning clamps, massless cables and winches.
void compile_mechanism(ModelData& model);
/// A scalar for the place of every sliding joint, after those of flows.
void lay_sliding_joints(ModelData& model);
/// Where they are on the cables at the start; throws Error where a body is not on its cable.
void start_sliding_joints(ModelData& model);
/// Rows of the sliding joints.
void constrain_sliding_joints(ModelData& model);
/// Rows of the winches, whose cables have theirs.
void constrain_winches(ModelData& model);
/// Rows of the bearings of pulleys.
void constrain_wheels(ModelData& model);
/// Couples cables and the bodies that they may touch; before the pairs of nodes are sorted.
void couple_contacts(ModelData& model);
/// The term of contacts, which needs the pairs of nodes. Throws Error where shapes overlap cables
/// at the start.
void add_contact_term(ModelData& model);
/// The term of contacts between cables; throws Error where they start in each other.
void add_meeting_term(ModelData& model);
/// The term of winches, which needs the routes of their cables and the pairs of nodes.
void add_winch_term(ModelData& model);

}  // namespace hawser

// The nodes of one cable along its length: of the scene's own mesh or of a given one.
#pragma once

#include <vector>

#include "hawser/mesh.h"
#include "hawser/scene.h"
#include "model/shape.h"

namespace hawser {

inline constexpr double shortest_element = 1e-6;  ///< of the cable's length

/// Consecutive elements of one length and section.
struct MeshRun {
  int elements = 0;
  double element_length = 0;  ///< unstretched [m]
  double length = 0;          ///< of all of them [m]
  int section = 0;            ///< of the cable's
  bool split = false;         ///< its first node is not the last one of the run before
  /// Flows at its ends (model/flows.h); -1: none. A run with one is a single element, unless cable
  /// runs through it: then they are those at the ends of its span.
  int flow[2] = {-1, -1};
  bool wraps = false;       ///< of a split: the cable lies on a pulley before it
  bool running = false;     ///< cable runs through it
  double span[2] = {0, 0};  ///< running: where its span begins and ends [m]

  [[nodiscard]] bool flows() const { return flow[0] >= 0 || flow[1] >= 0; }
};

struct CableMesh {
  std::vector<double> s;                    ///< Mesh::s of the cable
  std::vector<MeshRun> runs;                ///< from its start
  std::vector<int> wraps;                   ///< Mesh::wraps of the cable
  std::vector<Mesh::RunOut> run_outs = {};  ///< Mesh::run_outs of the cable

  /// The runs that start with a split, in order.
  [[nodiscard]] std::vector<const MeshRun*> splits() const;
  /// The runs before those, and the last.
  [[nodiscard]] std::vector<const MeshRun*> ends() const;
  [[nodiscard]] bool supplied() const { return !runs.empty() && runs.front().flow[0] >= 0; }
};

/// The mesh that a scene gives a cable with that route; empty if it is massless.
CableMesh own_mesh(const Cable& cable, const Route& route);

/// The mesh of a cable, whose own is `own`, as another one gives it. Throws Error if it does not
/// fit the cable. Elements that are in both meshes have the same length to the last bit.
CableMesh given_mesh(const Cable& cable, const CableMesh& own, const Mesh& mesh, size_t number);
/// The mesh of a state with one more cut (hawser/mesh.h). A cable that flows is cut at a material
/// coordinate, not nearer to a hand-over than a fifth of an element; throws Error on a pulley too,
/// and where cable runs through its elements.
Mesh with_cut(const Model& model, const State& state, size_t cable, double s);
/// Where there are two nodes [m].
std::vector<double> split_places(const std::vector<double>& s);
/// The cuts of a cable, and what it has run out of; none where the mesh has none at all.
const std::vector<double>& cuts_of(const Mesh& mesh, size_t cable);
const std::vector<Mesh::RunOut>& run_outs_of(const Mesh& mesh, size_t cable);

/// A material coordinate in a mesh: inside an element, or on its first node (xi = 0) or, at the end
/// of the cable, on its last one (xi = 1). Elements are numbered by their first nodes: what is
/// between two nodes at one place counts as one without length.
struct MeshSpot {
  int element = 0;
  double xi = 0;
  [[nodiscard]] bool on_node() const { return xi == 0 || xi == 1; }
  /// The number of the node it is on.
  [[nodiscard]] int node() const { return element + (xi == 1 ? 1 : 0); }
};
/// Nearer to a node than 1e-9 of the cable it is on that node, of two on the second.
MeshSpot locate(const std::vector<double>& s, double at);
/// The nodes of another mesh, one after the other: of two, the first on the first.
std::vector<MeshSpot> locate_nodes(const std::vector<double>& s, const std::vector<double>& nodes);

/// Where the nodes of a mesh are in the own mesh of their cable: hand-overs are the same places,
/// and what is between them lies evenly.
std::vector<double> own_arcs(const Cable& cable, const CableMesh& own, const CableMesh& mesh);

/// Nodes that are laid at `own`, at the nodes of another mesh: on the element's cubic, or if not
/// `cubic` on the straight line between its ends. Nodes of both meshes are unchanged.
std::vector<NodeStart> lay_on(const std::vector<NodeStart>& nodes, const std::vector<double>& own,
                              const std::vector<double>& s, bool cubic);

}  // namespace hawser

// The nodes of one cable along its length: of the scene's own mesh or of a given one.
#pragma once

#include <vector>

#include "hawser/scene.h"
#include "model/shape.h"

namespace hawser {

/// Consecutive elements of one length and section.
struct MeshRun {
  int elements = 0;
  double element_length = 0;  ///< unstretched [m]
  double length = 0;          ///< of all of them [m]
  int section = 0;            ///< of the cable's
  bool split = false;         ///< its first node is not the last one of the run before
};

struct CableMesh {
  std::vector<double> s;      ///< Mesh::s of the cable
  std::vector<MeshRun> runs;  ///< from its start
};

/// The mesh that a scene gives a cable with that route; empty if it is massless.
CableMesh own_mesh(const Route& route);

/// The mesh with nodes at s. Throws Error if it does not fit the cable, whose own mesh is `own`.
/// Elements that are in both meshes have the same length to the last bit.
CableMesh given_mesh(const Cable& cable, const CableMesh& own, const std::vector<double>& s);

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

/// Nodes that are laid at `own`, at the nodes of another mesh: on the element's cubic, or if not
/// `cubic` on the straight line between its ends. Nodes of both meshes are unchanged.
std::vector<NodeStart> lay_on(const std::vector<NodeStart>& nodes, const std::vector<double>& own,
                              const std::vector<double>& s, bool cubic);

}  // namespace hawser

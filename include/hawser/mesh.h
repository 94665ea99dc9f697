// The mesh of a model: the material coordinate of every node.
#pragma once

#include <vector>

namespace hawser {

struct Scene;

/// Where the nodes of the cables are. A scene has a mesh of its own, given by the routes and the
/// numbers of elements of its cables. `Model(scene, mesh)` compiles it with another one.
struct Mesh {
  /// Per cable, in scene order: unstretched arc length of its nodes from its start [m], increasing
  /// from 0 to the length of the cable; twice where the slope r' of an ancf cable jumps, which has
  /// two nodes there. Empty for a massless cable.
  std::vector<std::vector<double>> s;

  bool operator==(const Mesh&) const = default;
};

/// The scene's own mesh, with which Model(scene) is compiled. Throws Error on a bad scene.
Mesh default_mesh(const Scene& scene);

}  // namespace hawser

// The mesh of a model: the material coordinate of every node.
#pragma once

#include <optional>
#include <vector>

namespace hawser {

class Model;
struct Scene;
struct State;

/// Where the nodes of the cables are. A scene has a mesh of its own, given by the routes and the
/// numbers of elements of its cables. `Model(scene, mesh)` compiles it with another one.
struct Mesh {
  /// Per cable, in scene order: unstretched arc length of its nodes from its start [m], increasing
  /// from 0 to the length of the cable; twice where the slope r' of an ancf cable jumps, which has
  /// two nodes there. Empty for a massless cable. Cable that a winch pays out is before 0. Where
  /// cable flows, at eyelets and winches, the nodes are where they were when the model was
  /// compiled.
  std::vector<std::vector<double>> s;
  /// Per cable: nodes from which to the next one the cable lies on a pulley. No element is there.
  std::vector<std::vector<int>> wraps = {};

  bool operator==(const Mesh&) const = default;
};

/// The scene's own mesh, with which Model(scene) is compiled. Throws Error on a bad scene.
Mesh default_mesh(const Scene& scene);

/// Elements beside eyelets and winches become longer and shorter as cable flows. The mesh that
/// divides those above 2 times the length of an element and merges those below 0.8 with their
/// neighbours; nothing if there are none. Call it after every step, and change to the mesh it
/// returns (Integrator::change_mesh); `run` of hawser/run.h does both.
std::optional<Mesh> renewed_mesh(const Model& model, const State& state);

}  // namespace hawser

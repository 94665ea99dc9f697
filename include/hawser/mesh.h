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
  /// two nodes there. Empty for a massless cable: of one that changes when it is slack
  /// (Cable::when_slack) this says what it is at the moment. Cable that a winch pays out is before
  /// 0. Where cable flows, at eyelets and winches, the nodes are where they were when the model was
  /// compiled.
  std::vector<std::vector<double>> s;
  /// Per cable, by pulley: from this node to the next the cable lies on it; -1: it has come off.
  std::vector<std::vector<int>> wraps = {};
  /// Per cable: where it is cut, increasing arc lengths [m]: of a cable with elements two nodes
  /// that nothing holds together. A massless cable that is cut carries nothing any more. Empty:
  /// nothing is cut.
  std::vector<std::vector<double>> cuts{};

  /// A hand-over, an eyelet or a pulley, that an end of the cable has run out of.
  struct RunOut {
    int stop = 0;        ///< of the route
    bool after = false;  ///< what was handed over is after the stop now, else before it

    bool operator==(const RunOut&) const = default;
  };
  /// Per cable, by stop. Empty: no end has run out of anything.
  std::vector<std::vector<RunOut>> run_outs{};

  /// Where a massless cable lies on a shape that it has met (Contact).
  struct Bend {
    int after = 0;     ///< between this stop of its route and the next
    int shape = 0;     ///< of those that it may touch, in the order of the scene's contacts
    int part = -1;     ///< box, mesh: the edge; capsule: 0, 1: its round end at -z, +z
    double sense = 0;  ///< cylinder, edge: it wraps about the axis or edge, or (-1) against it
    double at[3] = {0, 0, 0};  ///< where it was met, axes of the shape [m]

    bool operator==(const Bend&) const = default;
  };
  /// Per cable, along it. Empty: none lies on any.
  std::vector<std::vector<Bend>> bends{};

  /// Where two massless cables lie on each other (Contact): a point that both go through.
  struct Crossing {
    int cable[2] = {0, 0};
    int stop[2] = {0, 0};  ///< of either cable: its place among all that it is led over, those of
                           ///< the route, bends and crossings
    double at[3] = {0, 0, 0};      ///< where they met, world axes [m]
    double normal[3] = {0, 0, 0};  ///< from the second to the first, as they met

    bool operator==(const Crossing&) const = default;
  };
  std::vector<Crossing> crossings{};
  /// Stiffness of the contacts of cables with shapes, as it was chosen for the mesh that the run
  /// began with [N/m^2]: by contact, shape, cable and section. Empty: this mesh is the first.
  std::vector<double> contact_stiffness{};

  bool operator==(const Mesh&) const = default;
};

/// The scene's own mesh, with which Model(scene) is compiled. Throws Error on a bad scene.
Mesh default_mesh(const Scene& scene);

/// Elements beside eyelets and winches become longer and shorter as cable flows. The mesh that
/// divides those above 2 times the length of an element and merges those below 0.8 with their
/// neighbours, that hands nothing over where a free end has run out of an eyelet or a pulley, on
/// which massless cables lie on the shapes and on each other as they have met in the last step, and
/// on which those with Cable::when_slack have nodes where they are slack; nothing if nothing
/// changes. Throws Error where a massless cable meets what is not modelled. Call it after every
/// step, and change to the mesh it returns (Integrator::change_mesh); `run` of hawser/run.h does
/// both.
std::optional<Mesh> renewed_mesh(const Model& model, const State& state);
/// The mesh with one more cut, at the arc length given [m] or, if that is nearer to a node than a
/// fifth of an element, at the node. The ends of a cable are no place to cut: a fifth of an element
/// is left of it. Throws Error if there is no such cable, if s is not on it, or if it is cut there
/// already.
Mesh with_cut(const Scene& scene, const Mesh& mesh, size_t cable, double s);

}  // namespace hawser

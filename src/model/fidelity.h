// Massless cables that become cables with elements while they are slack (Cable::when_slack,
// docs/theory/fidelity.md). Which of both a cable is at the moment is said by its mesh: with nodes
// or without. A change is a change of mesh: a new model, and a state that goes over to it.
#pragma once

#include <optional>
#include <vector>

#include "hawser/mesh.h"
#include "hawser/scene.h"
#include "model/shape.h"

namespace hawser {

struct ModelData;
struct State;

/// Throws Error where a cable cannot become what it is to be when slack.
void validate_when_slack(const Scene& scene, const Cable& cable);

/// The cable with elements that it becomes, and the same cable without.
Cable as_slack(Cable cable);
Cable as_taut(Cable cable);
/// The scene with each such cable as the mesh has it; null: as they start, massless.
Scene at_fidelity(Scene scene, const Mesh* mesh);
/// The scene's own mesh with every such cable as it is when slack.
Mesh slack_mesh(const Scene& scene);

/// A straight part of the way of a taut cable along its route, as things are in a state.
struct WayPart {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();            ///< [m]
  Vec3 from_velocity = Vec3::Zero(), to_velocity = from;  ///< of the stops there [m/s]
  double arc = 0;                                         ///< on the pulley at its end [m]
  double length = 0;                                      ///< of the cable, unstretched [m]
  double start = 0, start_rate = 0, end_rate = 0;  ///< its material coordinate [m], and the rates
                                                   ///< of that at both ends [m/s]
  [[nodiscard]] double chord() const { return (to - from).norm(); }
  [[nodiscard]] Vec3 direction() const { return (to - from) / chord(); }
  /// Of the material at both ends; between them it is linear [m/s].
  [[nodiscard]] Vec3 first_velocity() const { return from_velocity - start_rate * direction(); }
  [[nodiscard]] Vec3 last_velocity() const { return to_velocity - end_rate * direction(); }
};

/// The way of a cable, whose length is shared out among its straight parts by theirs.
struct CableWay {
  std::vector<WayPart> parts;
  double length = 0;  ///< of the cable, unstretched [m]

  CableWay(const ModelData& model, const State& state, size_t cable);
  [[nodiscard]] double span() const;  ///< of the way [m]
  /// Unstretched, without what is paid out [m].
  static double unpaid(const ModelData& model, size_t cable);
  /// Kinetic energy and potential of the cable's mass on its way [J].
  [[nodiscard]] double energy(const Scene& scene, const Section& section) const;
};

/// Nodes of a slack cable: arcs of the right length between the ends of the straight parts, with
/// the velocities of the way.
struct SlackShape {
  std::vector<double> s;   ///< Mesh::s
  std::vector<int> wraps;  ///< Mesh::wraps
  std::vector<NodeStart> nodes, rates;
  std::vector<double> flows, flow_rates;  ///< by flow of the cable: material coordinate [m]
};
SlackShape slack_shape(const ModelData& model, const State& state, size_t cable);

/// The mesh with cables that have gone slack with nodes, and those that have come taut without;
/// nothing if none has.
std::optional<Mesh> mesh_at_fidelity(const ModelData& model, const State& state);

/// By number in one model: the number in the model that a state comes from; -1: there is none.
struct StateNumbers {
  std::vector<int> rows, rubs, limited, twist, run_length, wrap, scalars;
  std::vector<size_t> slackened, tautened;  ///< cables

  StateNumbers(const ModelData& from, const ModelData& to);
  template <class T>
  static void take(const std::vector<int>& numbers, const std::vector<T>& from,
                   std::vector<T>& to) {
    for (size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i] >= 0) to[i] = from[static_cast<size_t>(numbers[i])];
  }
};
/// Whether some cable is massless in one of them only.
bool differ_in_fidelity(const ModelData& a, const ModelData& b);

}  // namespace hawser

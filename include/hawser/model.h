// A scene compiled for simulation. Constant during a run.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hawser/mesh.h"
#include "hawser/scene.h"

namespace hawser {

struct ModelData;  // src/model/model_data.h
struct State;

/// Validates and compiles a scene. Throws Error on bad input. Cheap to copy.
///
/// Coordinates: 6 per node, r (x, y, z) [m], then r' (x, y, z) [-], cable by cable; then scalars.
class Model {
 public:
  explicit Model(Scene scene);
  /// The same with another mesh, which must have a node at every place that the scene names:
  /// supports, attachments, junctions, conditions and loads. Numbers of nodes in the scene's places
  /// refer to its own mesh. The initial shape is that of the own mesh, interpolated.
  Model(Scene scene, const Mesh& mesh);
  /// Of a model compiled before (src/model/model_data.h).
  explicit Model(std::shared_ptr<const ModelData> data) : data_(std::move(data)) {}

  [[nodiscard]] const Scene& scene() const;
  [[nodiscard]] const Mesh& mesh() const;
  [[nodiscard]] int nodes() const;
  [[nodiscard]] int coordinates() const;
  [[nodiscard]] int elements() const;
  /// Index of a cable in scene().cables. Throws if there is none of that name.
  [[nodiscard]] int cable(const std::string& name) const;
  /// Global index of the node at a place of the scene. Throws if it does not exist.
  [[nodiscard]] int node(const Place& place) const;
  /// Global index of a cable's first node. The nodes of a cable are consecutive.
  [[nodiscard]] int first_node(int cable) const;

  /// Index of an input in scene().inputs. Throws if there is none of that name.
  [[nodiscard]] int input(const std::string& name) const;
  /// Sets an input of a state of this model from its time on, between steps, and returns the value
  /// applied: the one given, clamped to the range of the input. If the input prescribes a rate and
  /// has no smoothing, the next step begins with a jump of the velocities. Throws Error if the
  /// value is not finite or the input has feedback.
  double set_input(State& state, int input, double value) const;

  [[nodiscard]] const ModelData& data() const { return *data_; }

 private:
  std::shared_ptr<const ModelData> data_;
};

}  // namespace hawser

// A scene compiled for simulation: constant while stepping.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hawser/scene.h"

namespace hawser {

struct ModelData;  // src/model/model_data.h

/// Validates and compiles a scene; throws Error on bad input. Cheap to copy.
///
/// Coordinates: 6 a node, r (x, y, z) [m] then r' (x, y, z) [-], cable after cable.
class Model {
 public:
  explicit Model(Scene scene);

  [[nodiscard]] const Scene& scene() const;
  [[nodiscard]] int nodes() const;
  [[nodiscard]] int coordinates() const { return 6 * nodes(); }
  [[nodiscard]] int elements() const;
  /// Index of a cable in scene().cables; throws when there is none of that name.
  [[nodiscard]] int cable(const std::string& name) const;
  /// Global number of a node; throws when it does not exist.
  [[nodiscard]] int node(const Place& place) const;
  /// First global node of a cable; its nodes are consecutive.
  [[nodiscard]] int first_node(int cable) const;

  [[nodiscard]] const ModelData& data() const { return *data_; }

 private:
  std::shared_ptr<const ModelData> data_;
};

}  // namespace hawser

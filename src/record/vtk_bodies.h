// The bodies of a frame as VTK XML PolyData: the faces of their solids.
#pragma once

#include <string>

#include "record/sink.h"
#include "record/solid_mesh.h"

namespace hawser {

/// float32 points; cell data body (its number in the scene); field data TimeValue [s]. A body
/// without a shape is a cross of lines along its axes, 1 % of the extent of the scene.
class VtkBodies {
 public:
  explicit VtkBodies(const ResultLayout& layout);

  [[nodiscard]] bool empty() const { return meshes_.empty(); }
  /// The file of a frame.
  const std::string& image(double t, const std::vector<BodyPose>& bodies);

 private:
  std::vector<SolidMesh> meshes_;  ///< by body
  std::string image_;              ///< what does not change is filled in
  size_t time_ = 0, points_ = 0;   ///< of the data that change, in image_
};

}  // namespace hawser

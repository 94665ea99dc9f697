// Data for drawings of a run: shapes read from its results, and meshes of bodies. SI units.
#pragma once

#include <string>
#include <vector>

#include "hawser/record.h"
#include "hawser/scene.h"

namespace hawser {

/// Shapes of one cable.
struct CableFrames {
  std::string cable;
  int points = 0;
  std::vector<std::vector<float>> position;  ///< per frame: x, y, z point by point [m]
};

/// Poses of one body.
struct BodyFrames {
  std::string body;
  Solid shape;
  std::vector<BodyPose> pose;  ///< per frame
};

/// Cables and bodies of a run at some of the recorded times.
struct ShapeFrames {
  std::string title;
  std::vector<double> times;  ///< of the frames [s]
  std::vector<CableFrames> cables;
  std::vector<BodyFrames> bodies;
};

/// Reads results.h5 of a run: at most `most` frames, evenly distributed, including the first and
/// the last. Throws Error if the file is missing or is not a results file of Hawser.
ShapeFrames read_shape_frames(const std::string& path, int most);

/// A coarse mesh of a body in body axes, the centre of mass at the origin.
struct SolidMesh {
  std::vector<Vec3> points;             ///< [m]
  std::vector<std::vector<int>> faces;  ///< counterclockwise seen from outside
  std::vector<std::vector<int>> lines;  ///< of a body without a shape: a cross along its axes
};

/// `cross`: length of each arm of the cross [m].
SolidMesh mesh_of(const Solid& solid, double cross);

}  // namespace hawser

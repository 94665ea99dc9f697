// Shapes of cables and poses of bodies read back from results.h5.
#pragma once

#include <string>
#include <vector>

#include "hawser/record.h"

namespace hawser {

/// The shapes of one cable at some of the recorded times.
struct CableFrames {
  std::string cable;
  int points = 0;
  std::vector<std::vector<float>> position;  ///< by frame: x, y, z point after point [m]
};

/// A body at the same times.
struct BodyFrames {
  std::string body;
  Solid shape;
  std::vector<BodyPose> pose;  ///< by frame
};

struct ShapeFrames {
  std::string title;
  std::vector<double> times;  ///< of the frames read [s]
  std::vector<CableFrames> cables;
  std::vector<BodyFrames> bodies;
};

/// Reads at most `most` frames, evenly over the run, the first and the last among them. Throws
/// Error when the file is missing or is no result of Hawser's.
ShapeFrames read_shape_frames(const std::string& path, int most);

}  // namespace hawser

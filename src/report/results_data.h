// What a results file holds, read whole.
#pragma once

#include <string>
#include <vector>

#include "hawser/record.h"

namespace hawser {

struct ResultsData {
  std::vector<double> times;  ///< of the rows [s]
  std::vector<Column> columns;
  std::vector<std::vector<double>> values;  ///< by column

  /// A cable's shapes. Arrays hold frame after frame; vectors are x, y, z point by point.
  struct Cable {
    std::string name;
    std::vector<int> points;      ///< by frame
    std::vector<float> position;  ///< [m]
    std::vector<float> speed;     ///< [m/s]
    std::vector<float> tension, strain, curvature;
    std::vector<std::vector<int>> breaks;  ///< by frame: cut after these points
  };
  /// A body's poses, frame after frame.
  struct Body {
    std::string name;
    Solid shape;
    std::vector<double> position;     ///< x, y, z [m]
    std::vector<double> orientation;  ///< w, x, y, z
  };
  std::vector<double> frame_times;  ///< [s]
  std::vector<Cable> cables;
  std::vector<Body> bodies;
};

/// Throws Error if the file is missing or is not a results file of Hawser.
ResultsData read_results(const std::string& path);

}  // namespace hawser

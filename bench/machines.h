// Which machines `hawser bench machines` times.
#pragma once

#include <string>
#include <vector>

namespace hawser {

struct TimingOptions {
  std::vector<std::string> cases;  ///< names, or how they begin: "mooring"; empty: all
  std::vector<int> sizes;          ///< empty: all
  std::string folder;              ///< where their scenes are written; empty: nowhere
};

}  // namespace hawser

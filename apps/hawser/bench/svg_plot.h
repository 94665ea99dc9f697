// A log-log line plot as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hawser {

struct PlotLine {
  std::string label;
  std::vector<std::pair<double, double>> points;  ///< both above zero
  bool bold = false;
  std::string dashes;  ///< SVG dash pattern, empty for a full line
};

std::string log_log_svg(const std::string& title, const std::string& x_label,
                        const std::string& y_label, const std::vector<PlotLine>& lines);

}  // namespace hawser

// A line plot as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hawser {

struct PlotLine {
  std::string label;
  std::vector<std::pair<double, double>> points;
  bool bold = false;
  std::string dashes;  ///< SVG dash pattern, empty for a full line
  bool joined = true;  ///< false: dots alone
  bool dotted = true;  ///< false: no dots
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_x = true, log_y = true;  ///< by decades: all numbers are above zero
  std::vector<PlotLine> lines;      ///< at least two different points in all
};

std::string plot_svg(const Plot& plot);

/// A text as it stands in SVG: what would be markup is escaped.
std::string svg_text(const std::string& text);

}  // namespace hawser

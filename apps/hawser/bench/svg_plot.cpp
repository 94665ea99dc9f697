#include "bench/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

constexpr double left = 70, top = 46, width = 560, height = 420;

/// Whole decades that hold all values.
struct Axis {
  int low = 99, high = -99;
  void hold(double v) {
    low = std::min(low, static_cast<int>(std::floor(std::log10(v) + 1e-9)));
    high = std::max(high, static_cast<int>(std::ceil(std::log10(v) - 1e-9)));
  }
  [[nodiscard]] double at(double v) const { return (std::log10(v) - low) / (high - low); }
};

const char* color(size_t i) {
  constexpr const char* colors[] = {"#1b6ca8", "#d1495b", "#2e8b57", "#e08e0b", "#6a4c93",
                                    "#00798c", "#8d6e63", "#c2185b", "#5c6bc0", "#7cb342",
                                    "#3949ab", "#ad1457", "#37474f"};
  return colors[i % std::size(colors)];
}

std::string dashes(const PlotLine& line) {
  return line.dashes.empty() ? "" : fmt::format(" stroke-dasharray='{}'", line.dashes);
}

std::string grid(const Axis& x, const Axis& y) {
  std::string out;
  for (int d = x.low; d <= x.high; ++d) {
    const double px = left + width * (d - x.low) / (x.high - x.low);
    out += fmt::format(
        "<line x1='{0:.1f}' y1='{1}' x2='{0:.1f}' y2='{2}' stroke='#ddd'/>"
        "<text x='{0:.1f}' y='{3}' text-anchor='middle'>1e{4}</text>\n",
        px, top, top + height, top + height + 18, d);
  }
  for (int d = y.low; d <= y.high; ++d) {
    const double py = top + height * (1 - static_cast<double>(d - y.low) / (y.high - y.low));
    out += fmt::format(
        "<line x1='{0}' y1='{1:.1f}' x2='{2}' y2='{1:.1f}' stroke='#ddd'/>"
        "<text x='{3}' y='{4:.1f}' text-anchor='end'>1e{5}</text>\n",
        left, py, left + width, left - 6, py + 4, d);
  }
  return out;
}

}  // namespace

std::string log_log_svg(const std::string& title, const std::string& x_label,
                        const std::string& y_label, const std::vector<PlotLine>& lines) {
  Axis x, y;
  for (const PlotLine& line : lines)
    for (const auto& [px, py] : line.points) x.hold(px), y.hold(py);
  std::string out =
      "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='520' font-family='sans-serif' "
      "font-size='12'>\n<rect width='900' height='520' fill='white'/>\n";
  out += fmt::format("<text x='{}' y='26' font-size='16'>{}</text>\n", left, title);
  out += grid(x, y);
  out += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", left + width / 2,
                     top + height + 40, x_label);
  out +=
      fmt::format("<text transform='translate(20,{}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                  top + height / 2, y_label);
  for (size_t i = 0; i < lines.size(); ++i) {
    const PlotLine& line = lines[i];
    std::string path, dots;
    for (const auto& [px, py] : line.points) {
      const double sx = left + width * x.at(px), sy = top + height * (1 - y.at(py));
      path += fmt::format("{:.1f},{:.1f} ", sx, sy);
      dots += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{}'/>", sx, sy, line.bold ? 4 : 2.5);
    }
    const double ly = top + 14 + 22 * static_cast<double>(i);
    out += fmt::format(
        "<g stroke='{0}' fill='{0}'><polyline points='{1}' fill='none' stroke-width='{2}'{3}/>{4}"
        "<line x1='{5}' y1='{6}' x2='{7}' y2='{6}' stroke-width='{2}'{3}/></g>"
        "<text x='{8}' y='{9}'>{10}</text>\n",
        color(i), path, line.bold ? 3 : 1.5, dashes(line), dots, left + width + 20, ly - 4,
        left + width + 46, left + width + 52, ly, line.label);
  }
  return out + "</svg>\n";
}

}  // namespace hawser

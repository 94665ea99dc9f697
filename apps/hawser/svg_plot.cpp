#include "svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hawser {
namespace {

constexpr double left = 70, top = 46, width = 560, height = 420;

/// From the lowest to the highest tick: whole decades, or multiples of 1, 2 or 5 times a power of
/// ten.
class Axis {
 public:
  explicit Axis(bool log) : log_(log) {}

  void hold(double v) {
    low_ = std::min(low_, scaled(v));
    high_ = std::max(high_, scaled(v));
  }
  void round() {
    if (!log_) {
      const double rough = (high_ - low_) / 6;
      step_ = std::pow(10, std::floor(std::log10(rough)));
      for (const double factor : {2.0, 2.5, 2.0})
        if (step_ < rough) step_ *= factor;
    }
    low_ = std::floor(low_ / step_ + 1e-9) * step_;
    high_ = std::ceil(high_ / step_ - 1e-9) * step_;
  }
  /// Part of the axis at which a value stands.
  [[nodiscard]] double at(double v) const { return (scaled(v) - low_) / (high_ - low_); }

  struct Tick {
    double at;
    std::string text;
  };
  [[nodiscard]] std::vector<Tick> ticks() const {
    std::vector<Tick> out;
    const auto count = std::lround((high_ - low_) / step_);
    for (long i = 0; i <= count; ++i) {
      const double v = low_ + static_cast<double>(i) * step_;
      out.push_back({static_cast<double>(i) / static_cast<double>(count),
                     log_ ? fmt::format("1e{}", std::lround(v))
                          : fmt::format("{:.6g}", std::abs(v) < 1e-9 * step_ ? 0.0 : v)});
    }
    return out;
  }

 private:
  [[nodiscard]] double scaled(double v) const { return log_ ? std::log10(v) : v; }

  bool log_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_, step_ = 1;
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
  for (const Axis::Tick& tick : x.ticks()) {
    out += fmt::format(
        "<line x1='{0:.1f}' y1='{1}' x2='{0:.1f}' y2='{2}' stroke='#ddd'/>"
        "<text x='{0:.1f}' y='{3}' text-anchor='middle'>{4}</text>\n",
        left + width * tick.at, top, top + height, top + height + 18, tick.text);
  }
  for (const Axis::Tick& tick : y.ticks()) {
    const double py = top + height * (1 - tick.at);
    out += fmt::format(
        "<line x1='{0}' y1='{1:.1f}' x2='{2}' y2='{1:.1f}' stroke='#ddd'/>"
        "<text x='{3}' y='{4:.1f}' text-anchor='end'>{5}</text>\n",
        left, py, left + width, left - 6, py + 4, tick.text);
  }
  return out;
}

std::string drawn(const PlotLine& line, size_t i, const Axis& x, const Axis& y) {
  std::string path, dots;
  for (const auto& [px, py] : line.points) {
    const double sx = left + width * x.at(px), sy = top + height * (1 - y.at(py));
    if (line.joined) path += fmt::format("{:.1f},{:.1f} ", sx, sy);
    if (line.dotted)
      dots += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{}'/>", sx, sy, line.bold ? 4 : 2.5);
  }
  const double ly = top + 14 + 22 * static_cast<double>(i), lx = left + width + 20;
  const std::string key =
      line.joined ? fmt::format("<line x1='{}' y1='{}' x2='{}' y2='{}' stroke-width='{}'{}/>", lx,
                                ly - 4, lx + 26, ly - 4, line.bold ? 3 : 1.5, dashes(line))
                  : fmt::format("<circle cx='{}' cy='{}' r='2.5'/>", lx + 13, ly - 4);
  return fmt::format(
      "<g stroke='{0}' fill='{0}'><polyline points='{1}' fill='none' stroke-width='{2}'{3}/>{4}{5}"
      "</g><text x='{6}' y='{7}'>{8}</text>\n",
      color(i), path, line.bold ? 3 : 1.5, dashes(line), dots, key, lx + 32, ly,
      svg_text(line.label));
}

}  // namespace

std::string svg_text(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

std::string plot_svg(const Plot& plot) {
  Axis x(plot.log_x), y(plot.log_y);
  for (const PlotLine& line : plot.lines)
    for (const auto& [px, py] : line.points) x.hold(px), y.hold(py);
  x.round();
  y.round();
  std::string out =
      "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='520' font-family='sans-serif' "
      "font-size='12'>\n<rect width='900' height='520' fill='white'/>\n";
  out += fmt::format("<text x='{}' y='26' font-size='16'>{}</text>\n", left, svg_text(plot.title));
  out += grid(x, y);
  out += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", left + width / 2,
                     top + height + 40, svg_text(plot.x_label));
  out +=
      fmt::format("<text transform='translate(20,{}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                  top + height / 2, svg_text(plot.y_label));
  for (size_t i = 0; i < plot.lines.size(); ++i) out += drawn(plot.lines[i], i, x, y);
  return out + "</svg>\n";
}

}  // namespace hawser

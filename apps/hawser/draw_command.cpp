// `hawser draw`: a run as one picture, its shapes one over the other.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "commands.h"
#include "hawser/error.h"
#include "record/shape_file.h"

namespace hawser {
namespace {

struct DrawArguments {
  std::string directory, output, plane;
  int shapes = 40;
};

/// The part of space to be seen: two axes and their ranges [m].
struct View {
  int across = 0, up = 2;
  double low[2] = {0, 0}, high[2] = {1, 1};
};

View view_of(const ShapeFrames& frames, const std::string& plane) {
  double low[3], high[3];
  std::fill_n(low, 3, HUGE_VAL);
  std::fill_n(high, 3, -HUGE_VAL);
  for (const CableFrames& cable : frames.cables)
    for (const std::vector<float>& p : cable.position)
      for (size_t i = 0; i < p.size(); ++i) {
        low[i % 3] = std::min(low[i % 3], static_cast<double>(p[i]));
        high[i % 3] = std::max(high[i % 3], static_cast<double>(p[i]));
      }
  View view;
  if (!plane.empty()) {
    view.across = plane[0] - 'x';
    view.up = plane[1] - 'x';
  } else {  // leave out the axis along which least happens; z is up, and counts twice
    const double size[3] = {high[0] - low[0], high[1] - low[1], 2 * (high[2] - low[2])};
    const int least = static_cast<int>(std::min_element(size, size + 3) - size);
    view.across = least == 0 ? 1 : 0;
    view.up = least == 2 ? 1 : 2;
  }
  const int axes[2] = {view.across, view.up};
  const double size = std::max(high[axes[0]] - low[axes[0]], high[axes[1]] - low[axes[1]]);
  const double margin = std::max(0.04 * size, 1e-6);
  for (int k = 0; k < 2; ++k) {
    view.low[k] = low[axes[k]] - margin;
    view.high[k] = high[axes[k]] + margin;
  }
  return view;
}

/// Dark blue to yellow over the run (the colours of viridis, van der Walt & Smith 2015, at five
/// places, straight between).
std::string colour(double share) {
  constexpr std::array<std::array<double, 3>, 5> stops{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double x = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const auto i = std::min(static_cast<size_t>(x), stops.size() - 2);
  const double f = x - static_cast<double>(i);
  std::array<int, 3> c{};
  for (size_t k = 0; k < 3; ++k)
    c[k] = static_cast<int>(std::lround(stops[i][k] + f * (stops[i + 1][k] - stops[i][k])));
  return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

/// 1, 2 or 5 times a power of ten: a round length of about a fifth of the width.
double scale_length(double width) {
  const double power = std::pow(10.0, std::floor(std::log10(width / 5)));
  for (const double step : {5.0, 2.0})
    if (step * power <= width / 4) return step * power;
  return power;
}

std::string draw(const ShapeFrames& frames, const View& view) {
  constexpr double width = 960, top = 40, bottom = 44;
  const double scale =
      std::min(width / (view.high[0] - view.low[0]), 640 / (view.high[1] - view.low[1]));
  const double w = scale * (view.high[0] - view.low[0]);
  const double h = std::max(scale * (view.high[1] - view.low[1]), 60.0);
  const double left = (width - w) / 2;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"15\">\n<rect width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "fill=\"white\"/>\n<text x=\"16\" y=\"26\" font-size=\"18\">{2}</text>\n",
      width, h + top + bottom, escaped(frames.title));
  const double first = frames.times.front(), last = frames.times.back();
  for (size_t i = 0; i < frames.times.size(); ++i) {
    const double share = last > first ? (frames.times[i] - first) / (last - first) : 0;
    for (const CableFrames& cable : frames.cables) {
      const std::vector<float>& p = cable.position[i];
      out += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" points=\"",
                         colour(share));
      for (size_t k = 0; k + 2 < p.size(); k += 3)
        out += fmt::format("{:.1f},{:.1f} ",
                           left + scale * (p[k + static_cast<size_t>(view.across)] - view.low[0]),
                           top + scale * (view.high[1] - p[k + static_cast<size_t>(view.up)]));
      out += "\"/>\n";
    }
  }
  const double bar = scale_length(view.high[0] - view.low[0]), y = top + h + 18;
  out += fmt::format(
      "<path d=\"M16 {0:.0f}v8h{1:.1f}v-8\" fill=\"none\" stroke=\"black\"/>\n<text x=\"{2:.1f}\" "
      "y=\"{3:.0f}\">{4:g} m</text>\n",
      y - 8, scale * bar, 24 + scale * bar, y, bar);
  out += fmt::format(
      "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}, {} up; {:g} s (dark) to {:g} s "
      "(light), {} shapes</text>\n</svg>\n",
      width - 16, y, static_cast<char>('x' + view.across), static_cast<char>('x' + view.up), first,
      last, frames.times.size());
  return out;
}

void draw_results(const DrawArguments& a) {
  const ShapeFrames frames = read_shape_frames(a.directory + "/results.h5", a.shapes);
  const std::string path = a.output.empty() ? a.directory + "/motion.svg" : a.output;
  std::ofstream file(path);
  file << draw(frames, view_of(frames, a.plane));
  file.close();
  if (!file) throw Error("draw, --output", "'" + path + "'", "a file that can be written");
  std::fputs(fmt::format("{}\n", path).c_str(), stdout);
}

}  // namespace

void add_draw_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("draw", "Draw the shapes of a run, one over the other, as SVG");
  const auto a = std::make_shared<DrawArguments>();
  command->add_option("results", a->directory, "Folder of the results")
      ->required()
      ->type_name("DIR");
  command->add_option("-o,--output", a->output, "File to write; else motion.svg in the folder")
      ->type_name("FILE");
  command->add_option("--plane", a->plane, "What is across and up; else where most happens")
      ->check(CLI::IsMember({"xy", "xz", "yz", "yx", "zx", "zy"}));
  command->add_option("--shapes", a->shapes, "At most so many")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  command->footer("Browsers open the file; results.pvd is the motion itself, for ParaView.");
  command->callback([a] { draw_results(*a); });
}

}  // namespace hawser

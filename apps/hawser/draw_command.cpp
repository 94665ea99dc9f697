// `hawser draw`: a run as one picture, its shapes one over the other.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "hawser/draw.h"
#include "svg_plot.h"

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

/// Points of a body in the world at a frame [m].
std::vector<Vec3> points_of(const BodyFrames& body, size_t frame, double cross) {
  std::vector<Vec3> points = mesh_of(body.shape, cross).points;
  for (Vec3& p : points) p = body.pose[frame].position + body.pose[frame].orientation * p;
  return points;
}

View view_of(const ShapeFrames& frames, const std::string& plane) {
  double low[3], high[3];
  std::fill_n(low, 3, HUGE_VAL);
  std::fill_n(high, 3, -HUGE_VAL);
  const auto see = [&](size_t axis, double x) {
    low[axis] = std::min(low[axis], x);
    high[axis] = std::max(high[axis], x);
  };
  for (const CableFrames& cable : frames.cables)
    for (const std::vector<float>& p : cable.position)
      for (size_t i = 0; i < p.size(); ++i) see(i % 3, static_cast<double>(p[i]));
  for (const BodyFrames& body : frames.bodies)
    for (size_t i = 0; i < frames.times.size(); ++i)
      for (const Vec3& p : points_of(body, i, 0))
        for (int k = 0; k < 3; ++k) see(static_cast<size_t>(k), p[k]);
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

/// 1, 2 or 5 times a power of ten: a round length of about a fifth of the width.
double scale_length(double width) {
  const double power = std::pow(10.0, std::floor(std::log10(width / 5)));
  for (const double step : {5.0, 2.0})
    if (step * power <= width / 4) return step * power;
  return power;
}

using Flat = std::array<double, 2>;

/// The convex hull of some points, turning left (Andrew 1979, monotone chain).
std::vector<Flat> hull_of(std::vector<Flat> points) {
  std::sort(points.begin(), points.end());
  std::vector<Flat> hull;
  const auto add = [&](const Flat& p, size_t fixed) {
    const auto right = [&](const Flat& a, const Flat& b) {
      return (b[0] - a[0]) * (p[1] - a[1]) <= (b[1] - a[1]) * (p[0] - a[0]);
    };
    while (hull.size() > fixed && right(hull[hull.size() - 2], hull.back())) hull.pop_back();
    hull.push_back(p);
  };
  for (const Flat& p : points) add(p, 1);
  const size_t lower = hull.size();
  for (auto p = points.rbegin() + 1; p != points.rend(); ++p) add(*p, lower);
  hull.pop_back();  // the first again
  return hull;
}

/// The picture: where it lies on the page, and what is drawn into it.
class Picture {
 public:
  Picture(const View& view, const std::string& title) : view_(view) {
    scale_ = std::min(width / (view.high[0] - view.low[0]), 640 / (view.high[1] - view.low[1]));
    height_ = std::max(scale_ * (view.high[1] - view.low[1]), 60.0);
    left_ = (width - scale_ * (view.high[0] - view.low[0])) / 2;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"15\">\n<rect width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" fill=\"white\"/>\n<text x=\"16\" y=\"26\" font-size=\"18\">{2}"
        "</text>\n",
        width, height_ + top + bottom, svg_text(title));
  }

  template <class Point>
  [[nodiscard]] Flat flat(const Point& p) const {
    return {left_ + scale_ * (p[view_.across] - view_.low[0]),
            top + scale_ * (view_.high[1] - p[view_.up])};
  }
  void stroke(const char* shape, const std::vector<Flat>& points, const std::string& colour_name) {
    out_ += fmt::format("<{} fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" points=\"", shape,
                        colour_name);
    for (const Flat& p : points) out_ += fmt::format("{:.1f},{:.1f} ", p[0], p[1]);
    out_ += "\"/>\n";
  }
  void cable(const std::vector<float>& p, const std::string& colour_name) {
    std::vector<Flat> points;
    for (size_t k = 0; k + 2 < p.size(); k += 3) points.push_back(flat(p.data() + k));
    stroke("polyline", points, colour_name);
  }
  void body(const BodyFrames& body, size_t frame, const std::string& colour_name) {
    const double cross = 4 / scale_;  // a few pixels
    const std::vector<Vec3> points = points_of(body, frame, cross);
    const SolidMesh mesh = mesh_of(body.shape, cross);
    for (const std::vector<int>& line : mesh.lines)
      stroke(
          "polyline",
          {flat(points[static_cast<size_t>(line[0])]), flat(points[static_cast<size_t>(line[1])])},
          colour_name);
    if (!mesh.lines.empty()) return;
    std::vector<Flat> seen;
    for (const Vec3& p : points) seen.push_back(flat(p));
    stroke("polygon", hull_of(seen), colour_name);
  }
  std::string finish(double first, double last, size_t shapes) {
    const double bar = scale_length(view_.high[0] - view_.low[0]), y = top + height_ + 18;
    out_ += fmt::format(
        "<path d=\"M16 {0:.0f}v8h{1:.1f}v-8\" fill=\"none\" stroke=\"black\"/>\n<text "
        "x=\"{2:.1f}\" y=\"{3:.0f}\">{4:g} m</text>\n",
        y - 8, scale_ * bar, 24 + scale_ * bar, y, bar);
    out_ += fmt::format(
        "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}, {} up; {:g} s (dark) to {:g} s "
        "(light), {} shapes</text>\n</svg>\n",
        width - 16, y, static_cast<char>('x' + view_.across), static_cast<char>('x' + view_.up),
        first, last, shapes);
    return out_;
  }

 private:
  static constexpr double width = 960, top = 40, bottom = 44;
  View view_;
  double scale_ = 1, height_ = 0, left_ = 0;  ///< [pixel/m], [pixel], [pixel]
  std::string out_;
};

std::string draw(const ShapeFrames& frames, const View& view) {
  Picture picture(view, frames.title);
  const double first = frames.times.front(), last = frames.times.back();
  for (size_t i = 0; i < frames.times.size(); ++i) {
    const double share = last > first ? (frames.times[i] - first) / (last - first) : 0;
    for (const BodyFrames& body : frames.bodies) picture.body(body, i, colour(share));
    for (const CableFrames& cable : frames.cables) picture.cable(cable.position[i], colour(share));
  }
  return picture.finish(first, last, frames.times.size());
}

void draw_results(const DrawArguments& a) {
  const ShapeFrames frames = read_shape_frames(a.directory + "/results.h5", a.shapes);
  const std::string path = a.output.empty() ? a.directory + "/motion.svg" : a.output;
  write_whole_file(path, draw(frames, view_of(frames, a.plane)));
  std::fputs(fmt::format("{}\n", path).c_str(), stdout);
}

}  // namespace

void add_draw_command(Command& program) {
  Command& command = program.add("draw", "Draw the shapes of a run on top of each other, as SVG");
  const auto a = std::make_shared<DrawArguments>();
  command.option("results", &a->directory, "Results folder",
                 {.type_name = "DIR", .required = true});
  command.option("-o,--output", &a->output,
                 "Output file; default: motion.svg in the results folder", {.type_name = "FILE"});
  command.option("--plane", &a->plane,
                 "Horizontal and vertical axis; default: the plane of the largest motion",
                 {.one_of = {"xy", "xz", "yz", "yx", "zx", "zy"}});
  command.option("--shapes", &a->shapes, "Maximum number of shapes",
                 {.show_default = true, .range = {{2, 1000}}});
  command.footer("View the file in a browser. For an animation, open report.html.");
  command.does([a] {
    draw_results(*a);
    return exit_ok;
  });
}

}  // namespace hawser

// Error against CPU time: which integrator gives most for a second of work.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "bench/benches.h"
#include "bench/cases.h"
#include "bench/trajectory.h"
#include "hawser/error.h"
#include "svg_plot.h"

namespace hawser {
namespace {

struct ComparedMethod {
  const char* name;
  Method method;
  Scheme scheme;
  double alpha;
  bool bold;
};
constexpr ComparedMethod compared_methods[] = {
    {"mixed hht (default)", Method::mixed, Scheme::hht, -0.2, true},
    {"mixed3", Method::mixed3, Scheme::hht, -0.2, true},
    {"mixed newmark", Method::mixed, Scheme::newmark, 0, false},
    {"mixed bdf2", Method::mixed, Scheme::bdf2, 0, false},
    {"mixed generalized-alpha", Method::mixed, Scheme::generalized_alpha, 0, false},
    {"mixed backward-euler", Method::mixed, Scheme::backward_euler, 0, false},
    {"linearized hht (W&amp;I)", Method::linearized, Scheme::hht, -0.05, false},
    {"linearized newmark", Method::linearized, Scheme::newmark, 0, false},
    {"linearized bdf2", Method::linearized, Scheme::bdf2, 0, false},
    {"linearized backward-euler", Method::linearized, Scheme::backward_euler, 0, false},
    {"newton hht", Method::newton, Scheme::hht, -0.05, false},
    {"newton newmark", Method::newton, Scheme::newmark, 0, false},
    {"newton generalized-alpha", Method::newton, Scheme::generalized_alpha, 0, false},
};

struct Point {
  const ComparedMethod* entry;
  SolveOptions options;
  Comparison result;
  double cpu;  ///< of one simulated second [s]
};

SolveOptions options_of(const ComparedMethod& e, double h) {
  SolveOptions o;
  o.method = e.method;
  o.scheme = e.scheme;
  if (e.scheme == Scheme::hht) o.hht_alpha = e.alpha;
  o.step = h;
  return o;
}

std::string dashes(Method solve) {
  return solve == Method::linearized ? "5,4" : solve == Method::newton ? "1.5,3" : "";
}

}  // namespace

BenchReport bench_work_precision(const std::string& svg) {
  constexpr double until = 3;
  BenchReport report("work-precision", "hawser bench work-precision",
                     "Pendulum of Westin & Irani, E = 1e8 Pa, 10 elements, 3 s: error of the tip "
                     "height versus CPU time per simulated second.");
  std::ofstream file;
  if (!svg.empty()) {
    file.open(svg);
    if (!file)
      throw Error("bench work-precision, --svg", "'" + svg + "'", "a file that can be written");
  }
  const Model model(westin_irani_pendulum(1e8));
  const Trajectory reference = reference_tip(model, until);
  std::vector<Point> points;
  for (const ComparedMethod& e : compared_methods)
    for (const double h : {2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2e-2}) {
      points.push_back({&e, options_of(e, h), {}, 1e300});
      points.back().result = compare_tip(model, points.back().options, reference, until);
    }
  for (int round = 0; round < 4; ++round)  // spread over seconds: machines have slow spells
    for (Point& p : points)
      if (p.result.stable) p.cpu = std::min(p.cpu, run_seconds(model, p.options, until) / until);
  std::vector<PlotLine> lines;
  for (const Point& p : points) {
    if (lines.empty() || lines.back().label != p.entry->name)
      lines.push_back({p.entry->name, {}, p.entry->bold, dashes(p.entry->method)});
    BenchRow row;
    row.name = fmt::format("{} h={:g}", p.entry->name, p.options.step);
    row.quantity = "MAE of tip height, 3 s";
    row.unit = "mm";
    row.extra = {{"method", p.entry->name}, {"h", p.options.step}, {"stable", p.result.stable}};
    if (p.result.stable) {
      row.ours = 1e3 * p.result.mean_error;
      row.extra.emplace_back("cpu_per_second", p.cpu);
      row.source = fmt::format("{:.3g} ms of CPU a simulated second", 1e3 * p.cpu);
      lines.back().points.emplace_back(p.cpu, *row.ours);
    }
    report.add(row);
  }
  if (!svg.empty())
    file << plot_svg({"Flexible pendulum, E = 1e8 Pa, 10 elements: error against work",
                      "CPU time of one simulated second [s]", "mean error of the tip's height [mm]",
                      true, true, lines});
  return report;
}

}  // namespace hawser

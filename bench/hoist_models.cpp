// One hoist with every model of its rope: what they agree on, and what a step costs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "base/clock.h"
#include "bench/benches.h"
#include "bench/cases.h"
#include "hawser/integrator.h"
#include "hawser/record.h"

namespace hawser {
namespace {

struct Swing {
  double period = 0;   ///< [s]
  double stretch = 0;  ///< mean over two swings [m]
  double step = 0;     ///< CPU time, least over windows [us]
  int coordinates = 0;
};

Swing measure(const std::string& model_word) {
  const Model model(hoist_model(model_word));
  SolveOptions o;
  o.step = 1e-2;
  Integrator integrator(model, o);
  State state = integrator.start();
  Channels channels(model, {"load.hook.position.x", "fall.length"});
  std::vector<double> sample(2), lengths, crossings;
  double before = 2, best = 1e300;
  while (state.t < 41) {
    constexpr int window = 16;
    double spent = 0;
    for (int i = 0; i < window; ++i) {
      const double from = cpu_seconds();
      if (integrator.step(state) != Status::ok)
        throw std::runtime_error(integrator.failure().message());
      spent += cpu_seconds() - from;
      channels.sample(state, sample);
      lengths.push_back(sample[1]);
      if (before * sample[0] <= 0)
        crossings.push_back(state.t - o.step * sample[0] / (sample[0] - before));
      before = sample[0];
    }
    best = std::min(best, spent / window);
  }
  Swing out;
  out.period =
      2 * (crossings.back() - crossings.front()) / (static_cast<double>(crossings.size()) - 1);
  out.stretch =
      std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size()) -
      100;
  out.step = 1e6 * best;
  out.coordinates = model.coordinates();
  return out;
}

}  // namespace

BenchReport bench_hoist_models() {
  BenchReport report(
      "hoist-models", "hawser bench hoist-models",
      "10 t on 100 m of wire rope, 20 mm, swinging 2 m to either side: one scene "
      "(`scenes/hoist-models.yaml`) with each model of the rope; h = 10 ms, 10 elements. "
      "The massless rope has no weight, which changes the period by 0.14 %.");
  // k2 l^2 - (a + (a^2 + k2)/r) l + a/r = 0: a box hung by its top on a rope of length r.
  const double EA = 16.56e6, edge = 1.5, g = 9.81, k2 = edge * edge / 6, a = edge / 2;
  const double stretch = (10000 + 163.6 / 4) * g * 100 / EA, r = 100 + stretch;
  const double b = a + (a * a + k2) / r;
  const double l = (b - std::sqrt(b * b - 4 * k2 * a / r)) / (2 * k2);
  const double period = 2 * std::numbers::pi / std::sqrt(g * l);
  for (const char* word : {"massless", "np-fem", "ancf"}) {
    const Swing swing = measure(word);
    BenchRow row;
    row.name = word;
    row.quantity = "period of the swing";
    row.unit = "s";
    row.ours = swing.period;
    row.reference = period;
    row.tolerance = 0.01;
    row.source = "closed form, rope without mass";
    report.add(row);
    row.quantity = "stretch of the rope";
    row.unit = "m";
    row.ours = swing.stretch;
    row.reference = stretch;
    row.source = "weight L/EA, a quarter of the rope's counted";
    report.add(row);
    row = {};
    row.name = word;
    row.quantity = "CPU time of a step";
    row.unit = "us";
    row.extra = {{"us_per_step", swing.step}, {"coordinates", swing.coordinates}};
    row.ours = swing.step;
    report.add(row);
    row.quantity = "coordinates";
    row.unit = "-";
    row.ours = swing.coordinates;
    report.add(row);
  }
  return report;
}

}  // namespace hawser

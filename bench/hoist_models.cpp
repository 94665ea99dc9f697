// One hoist with every model of its rope: what they agree on, and what a step costs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "base/clock.h"
#include "bench/bar_scenes.h"
#include "bench/benches.h"
#include "bench/cases.h"
#include "bench/flow_scenes.h"
#include "hawser/integrator.h"
#include "hawser/record.h"

namespace hawser {
namespace {

struct HoistSwing {
  double period = 0;   ///< [s]
  double stretch = 0;  ///< mean over two swings [m]
  double step = 0;     ///< CPU time, least over windows [us]
  int coordinates = 0;
};

HoistSwing measure(const std::string& model_word) {
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
  HoistSwing out;
  out.period =
      2 * (crossings.back() - crossings.front()) / (static_cast<double>(crossings.size()) - 1);
  out.stretch =
      std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size()) -
      100;
  out.step = 1e6 * best;
  out.coordinates = model.coordinates();
  return out;
}

/// scenes/hoist-rope.yaml, a block on two falls over a sheave, after it is lowered by 4 m.
struct Lowered {
  double height = 0;   ///< of the block [m]
  double tension = 0;  ///< of the dead end [N]
};

Lowered lower(const std::string& model_word) {
  flowing::FlowRun run(shipped("hoist-rope", {"cables.rope.model=" + model_word}).scene,
                       flowing::by(5e-3));
  if (run.to(9) != Status::ok) throw std::runtime_error(run.integrator.failure().message());
  return {run.place("block").z(), run.read("rope.tension@end")};
}

/// The weight of 16 m of falls, 0.55 kg/m, is carried by their upper ends: half of it by the dead
/// end, 43 N, of which the massless rope knows nothing.
void add_falls(BenchReport& report) {
  const Lowered massless = lower("massless"), np_fem = lower("np-fem"), ancf = lower("ancf");
  const auto add = [&](const char* word, const char* quantity, const char* unit, double ours,
                       double reference, double tolerance, const char* source) {
    BenchRow row;
    row.name = fmt::format("two falls over a sheave, {}", word);
    row.quantity = quantity;
    row.unit = unit;
    row.ours = ours;
    row.reference = reference;
    row.tolerance = tolerance;
    row.kind = Tolerance::absolute;
    row.source = source;
    report.add(row);
  };
  const double half = 500 * 9.81 / 2;
  add("massless", "height of the block, lowered", "m", massless.height, 3, 0.03,
      "half of what is paid out");
  add("np-fem", "height of the block, lowered", "m", np_fem.height, massless.height, 0.03,
      "massless");
  add("ancf", "height of the block, lowered", "m", ancf.height, massless.height, 0.03, "massless");
  add("massless", "tension of the dead end", "N", massless.tension, half, 5, "half of the load");
  add("np-fem", "tension of the dead end", "N", np_fem.tension, massless.tension, 60,
      "massless, and the weight of the falls");
  add("ancf", "tension of the dead end", "N", ancf.tension, massless.tension, 60,
      "massless, and the weight of the falls");
}

/// One bar in three ways: how far the light load has risen, and the ratio of the tensions.
void add_loads_over_bar(BenchReport& report) {
  constexpr double until = 0.4;
  double rise = 0;  // of the massless rope
  for (const std::string way : {"massless", "flow", "contact"}) {
    flowing::FlowRun run(touching::loads_over_bar(way), touching::by(5e-4));
    const double start = run.place("light").z();
    if (run.to(until / 2) != Status::ok)
      throw std::runtime_error(run.integrator.failure().message());
    double first = 0, second = 0;
    while (run.state.t < until - 1e-6) {
      if (run.step() != Status::ok) throw std::runtime_error(run.integrator.failure().message());
      first += run.read("rope.tension@start");
      second += run.read("rope.tension@end");
    }
    BenchRow row;
    row.name = fmt::format("30 and 10 kg over a bar with friction, {}", way);
    row.quantity = "rise of the light load in 0.4 s";
    row.unit = "m";
    const double rises = run.place("light").z() - start;
    if (way == "massless") rise = rises;
    row.ours = rises;
    row.reference = rise;
    row.tolerance = 0.01;
    row.source = "massless";
    report.add(row);
    row.quantity = "mean ratio of the tensions, 0.2 to 0.4 s";
    row.unit = "-";
    row.ours = first / second;
    row.reference = std::exp(0.2 * std::numbers::pi);
    row.source = "Euler-Eytelwein";
    report.add(row);
  }
}

}  // namespace

BenchReport bench_hoist_models() {
  BenchReport report(
      "hoist-models", "hawser bench hoist-models",
      "10 t on 100 m of wire rope, 20 mm, swinging 2 m to either side: one scene "
      "(`scenes/hoist-models.yaml`) with each model of the rope; h = 10 ms, 10 elements. "
      "The massless rope has no weight, which changes the period by 0.14 %. Then two falls over a "
      "sheave (`scenes/hoist-rope.yaml`), lowered by a winch. Last, two loads over a fixed bar "
      "with "
      "friction, which the rope meets by its route without mass, by a flow of its elements, or by "
      "contact.");
  // k2 l^2 - (a + (a^2 + k2)/r) l + a/r = 0: a box hung by its top on a rope of length r.
  const double EA = 16.56e6, edge = 1.5, g = 9.81, k2 = edge * edge / 6, a = edge / 2;
  const double stretch = (10000 + 163.6 / 4) * g * 100 / EA, r = 100 + stretch;
  const double b = a + (a * a + k2) / r;
  const double l = (b - std::sqrt(b * b - 4 * k2 * a / r)) / (2 * k2);
  const double period = 2 * std::numbers::pi / std::sqrt(g * l);
  for (const char* word : {"massless", "np-fem", "ancf"}) {
    const HoistSwing swing = measure(word);
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
  add_falls(report);
  add_loads_over_bar(report);
  return report;
}

}  // namespace hawser

// What a massless cable costs: blocks hanging in the bights of one rope, stepped with the rope and
// without it.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/clock.h"
#include "bench/benches.h"
#include "bench/machines_scenes.h"
#include "hawser/integrator.h"
#include "hawser/scene_file.h"

namespace hawser {
namespace {

struct FestoonProbe {
  Integrator integrator;
  State state;
  double seconds = 1e300;

  FestoonProbe(int blocks, bool rope)
      : integrator(compile(read_scene_text(festoon(blocks, rope), "festoon")), options()),
        state(integrator.start()) {}

  static SolveOptions options() {
    SolveOptions o;
    o.method = Method::spook;
    o.step = 1e-3;
    return o;
  }

  void measure(int window) {
    const double start = cpu_seconds();
    for (int i = 0; i < window; ++i)
      if (integrator.step(state) != Status::ok)
        throw std::runtime_error(integrator.failure().message());
    seconds = std::min(seconds, (cpu_seconds() - start) / window);
  }
};

}  // namespace

BenchReport bench_massless(const std::vector<int>& bodies) {
  BenchReport report(
      "massless", "hawser bench massless",
      "CPU time per step (spook, h = 1e-3 s) of blocks hanging in the bights of one massless "
      "rope, with and without the rope; minimum over windows.");
  struct Pair {
    FestoonProbe with, without;
  };
  std::vector<Pair> pairs;
  pairs.reserve(bodies.size());
  for (const int n : bodies) pairs.push_back({FestoonProbe(n, true), FestoonProbe(n, false)});
  for (int round = 0; round < 64; ++round)
    for (size_t i = 0; i < pairs.size(); ++i) {
      const int window = std::max(4, 2000 / bodies[i]);
      pairs[i].with.measure(window);
      pairs[i].without.measure(window);
    }
  double per_body = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const double with = 1e6 * pairs[i].with.seconds, without = 1e6 * pairs[i].without.seconds;
    BenchRow row;
    row.name = fmt::format("{} bodies", bodies[i]);
    row.unit = "us";
    row.quantity = "step without the cable";
    row.ours = without;
    report.add(row);
    row.quantity = "step with it";
    row.ours = with;
    report.add(row);
    row.quantity = "what the cable adds";
    row.ours = with - without;
    row.extra = {{"bodies", bodies[i]}, {"us_added", with - without}};
    if (bodies[i] == 8) {
      row.reference = 1;
      row.source = "goal: at most";
    }
    report.add(row);
    row.extra.clear();
    row.reference.reset();
    row.source.clear();
    if (bodies[i] == 8) per_body = (with - without) / 8;
    if (bodies[i] > 8 && per_body > 0) {
      row.quantity = "what it adds a body, against 8 bodies";
      row.unit = "-";
      row.ours = (with - without) / bodies[i] / per_body;
      row.reference = 1;
      row.source = "linear growth";
      report.add(row);
    }
  }
  return report;
}

}  // namespace hawser

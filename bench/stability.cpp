// Random pendulums left to themselves: an integrator that gains energy on one is unstable there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <random>
#include <vector>

#include "bench/benches.h"
#include "bench/cases.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"

namespace hawser {
namespace {

struct Sample {
  Scene scene;
  double h, until;
};

Sample draw(std::mt19937_64& random) {
  // std distributions differ between libraries; this one does not.
  const auto uniform = [&random](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  const double E = std::pow(10.0, uniform(7, 10));
  const int elements = uniform(0, 1) < 0.5 ? 10 : 20;
  Sample out{westin_irani_pendulum(E, elements), std::pow(10.0, uniform(-3, std::log10(2e-2))), 5};
  const double angle = uniform(-1.5, 1.5);
  Cable& cable = out.scene.cables[0];
  cable.route.back() = {std::cos(angle), 0, std::sin(angle)};
  cable.angular_velocity = {uniform(-4, 4), uniform(-8, 8), uniform(-4, 4)};
  if (uniform(0, 1) < 0.75) out.scene.point_masses = {{Place::end("tether"), uniform(0, 20)}};
  return out;
}

bool gains(const Sample& sample, SolveOptions options) {
  const Model model(sample.scene);
  options.step = sample.h;
  options.energy_guard = 0;
  Integrator integrator(model, options);
  State state = integrator.start();
  const double start = energy(model, state).total();
  while (state.t < sample.until) {
    if (integrator.step(state) != Status::ok) return true;
    if (!(energy(model, state).total() - start <= 0.1)) return true;
  }
  return false;
}

int count_gains(const SolveOptions& options, const std::vector<Sample>& samples) {
  return static_cast<int>(std::count_if(samples.begin(), samples.end(), [&](const Sample& sample) {
    return gains(sample, options);
  }));
}

}  // namespace

BenchReport bench_stability(int runs, unsigned seed, bool every_method) {
  BenchReport report("stability", "hawser bench stability",
                     fmt::format("{} random pendulums (seed {}; E 1e7 to 1e10 Pa, 10 or 20 "
                                 "elements, tip 0 to 20 kg, spinning, h 1e-3 to 2e-2 s, 5 s): runs "
                                 "that gain more than 0.1 J.",
                                 runs, seed));
  struct Entry {
    const char* name;
    Method method;
    Scheme scheme;
    double alpha, prototype;  ///< share of runs in the prototype's campaign, -1: not in it
  };
  const auto is_default = [](const Entry& e) {
    return e.method == Method::mixed && e.scheme == Scheme::hht;
  };
  std::vector<Entry> entries = {
      {"linearized newmark", Method::linearized, Scheme::newmark, 0, -1},
      {"linearized hht", Method::linearized, Scheme::hht, -0.05, 255.0 / 420},
      {"linearized bdf2", Method::linearized, Scheme::bdf2, 0, -1},
      {"linearized generalized-alpha", Method::linearized, Scheme::generalized_alpha, 0, -1},
      {"linearized backward-euler", Method::linearized, Scheme::backward_euler, 0, -1},
      {"mixed newmark", Method::mixed, Scheme::newmark, 0, -1},
      {"mixed hht (default)", Method::mixed, Scheme::hht, -0.2, 1.0 / 420},
      {"mixed bdf2", Method::mixed, Scheme::bdf2, 0, -1},
      {"mixed generalized-alpha", Method::mixed, Scheme::generalized_alpha, 0, -1},
      {"mixed backward-euler", Method::mixed, Scheme::backward_euler, 0, -1},
      {"mixed3", Method::mixed3, Scheme::hht, -0.2, -1}};
  if (!every_method) entries = {*std::find_if(entries.begin(), entries.end(), is_default)};
  std::mt19937_64 random(seed);
  std::vector<Sample> samples;
  for (int i = 0; i < runs; ++i) samples.push_back(draw(random));
  std::vector<std::future<int>> counts;  // the methods know nothing of each other
  for (const Entry& e : entries) {
    SolveOptions o;
    o.method = e.method;
    o.scheme = e.scheme;
    if (e.scheme == Scheme::hht) o.hht_alpha = e.alpha;
    counts.push_back(std::async(std::launch::async, count_gains, o, std::cref(samples)));
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    const Entry& e = entries[i];
    const int count = counts[i].get();
    BenchRow row;
    row.name = e.name;
    row.quantity = "runs that gain more than 0.1 J";
    row.unit = fmt::format("of {}", runs);
    row.ours = count;
    if (e.prototype >= 0) {
      row.reference = std::round(e.prototype * runs);
      row.source = "prototype, its own 420 runs scaled";
    }
    if (is_default(e)) {
      row.reference = 0;
      row.tolerance = 0.01 * runs;
      row.kind = Tolerance::absolute;
      row.source = "goal: at most 1 %";
    }
    row.extra = {{"runs", runs}, {"seed", seed}};
    report.add(row);
  }
  return report;
}

}  // namespace hawser

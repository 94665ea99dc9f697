// CPU time of a step of a cable that is handed over at an eyelet or a pulley, beside the same cable
// between supports.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "base/clock.h"
#include "bench/benches.h"
#include "hawser/integrator.h"
#include "hawser/scene_file.h"

namespace hawser {
namespace {

constexpr long hand_over_window = 300;  ///< steps, the same ones again and again
constexpr int hand_over_windows = 40;

struct TimedHandOver {
  const char* name;
  const char* stop;  ///< between the supports
  const char* mesh;  ///< of the cable
  double goal[2];    ///< CPU time over that of the cable without, 10 and 100 elements
};
constexpr TimedHandOver hand_overs[] = {
    {"no hand-over", "", "material", {1, 1}},
    {"an eyelet", "{through: ring}, ", "material", {1.25, 1.1}},
    {"a pulley", "{over: ring, radius: 2 cm, axis: y}, ", "material", {1.25, 1.1}},
    {"an eyelet, all elements flow", "{through: ring}, ", "running", {2, 2}},
};

/// The cable of Westin & Irani's pendulum, a tenth of a metre an element, over a ring between two
/// supports, or straight from one to the other.
std::string scene_text(int elements, const TimedHandOver& at) {
  const double length = 0.1 * elements;
  return fmt::format(
      "variables: {{E: 100 MPa, d: 10 mm, area: pi * d^2 / 4}}\n"
      "sections:\n  soft: {{EA: E * area, EI: E * (1e-10 m^4), mass: 5000 kg/m^3 * area}}\n"
      "supports:\n"
      "  left: {{position: [{0}, 0, 0]}}\n"
      "  right: {{position: [{1}, 0, 0]}}\n"
      "  ring: {{position: [0, 0, {2}]}}\n"
      "cables:\n"
      "  cable: {{section: soft, strain: green, curvature: second-derivative, elements: {3}, "
      "mesh: {5}, route: [left, {4}right]}}\n"
      "solve: {{until: 1 s, step: 1 ms}}\n",
      -0.4 * length, 0.4 * length, *at.stop ? 0.3 * length : 0, elements, at.stop, at.mesh);
}

class FlowProbe {
 public:
  FlowProbe(int elements, const TimedHandOver& at) {
    const SceneFile file = read_scene_text(scene_text(elements, at), at.name, {});
    integrator_ = std::make_unique<Integrator>(compile(file), file.solve);
    first_ = integrator_->start();
  }

  void measure() {
    State state = first_;
    integrator_->resume(state);
    const double begin = cpu_seconds();
    for (long i = 0; i < hand_over_window; ++i)
      if (integrator_->step(state) != Status::ok)
        throw std::runtime_error(integrator_->failure().message());
    seconds = std::min(seconds, (cpu_seconds() - begin) / hand_over_window);
  }

  double seconds = 1e300;

 private:
  std::unique_ptr<Integrator> integrator_;
  State first_;
};

void add_rows(BenchReport& report, int elements, const TimedHandOver& at, double seconds,
              double without) {
  BenchRow row;
  row.name = fmt::format("{}, {} elements", at.name, elements);
  row.quantity = "CPU time of a step";
  row.unit = "us";
  row.ours = 1e6 * seconds;
  row.extra = {{"elements", elements}, {"us_per_step", 1e6 * seconds}};
  report.add(row);
  if (!*at.stop) return;
  row.quantity = "CPU time over that of the cable without";
  row.unit = "-";
  row.ours = seconds / without;
  row.reference = at.goal[elements < 100 ? 0 : 1];
  row.source = "goal: at most";
  report.add(row);
}

}  // namespace

BenchReport bench_step_flow() {
  BenchReport report("step", "hawser bench step --flow",
                     "CPU time per step of a cable with one hand-over, `mixed`, h = 1e-3 s, "
                     "minimum over windows.");
  for (const int elements : {10, 100}) {
    std::vector<std::unique_ptr<FlowProbe>> probes;
    for (const TimedHandOver& at : hand_overs)
      probes.push_back(std::make_unique<FlowProbe>(elements, at));
    for (int i = 0; i < hand_over_windows; ++i)  // in turn: machines have slow spells
      for (const auto& probe : probes) probe->measure();
    for (size_t i = 0; i < probes.size(); ++i)
      add_rows(report, elements, hand_overs[i], probes[i]->seconds, probes[0]->seconds);
  }
  return report;
}

}  // namespace hawser

// CPU time of a step of machines and nets: scenes that are more than one chain.
#include "bench/machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "base/clock.h"
#include "base/workers.h"
#include "bench/benches.h"
#include "bench/machines_scenes.h"
#include "hawser/integrator.h"
#include "hawser/record.h"
#include "hawser/scene_file.h"

namespace hawser {
namespace {

constexpr long steps_before = 20;    ///< steps before those that are timed
constexpr double timing_budget = 1;  ///< CPU time after which a machine is timed no further [s]
constexpr double ratio_goal = 1.6;   ///< mixed over spook
constexpr double share_goal = 0.2;   ///< of the fluid in a step of a mooring line
constexpr double growth_goal = 1.6;  ///< exponent of the cost of nets in knots

constexpr int shared_net = 80;  ///< meshes of the net that is also stepped on all cores

/// A machine stepped by one method. The same steps are timed again and again: what differs is the
/// noise of the computer, and the least counts.
class MachineProbe {
 public:
  MachineProbe(const TimedMachine& timed, const char* by, int on = 1)
      : machine(timed), method(by), threads(on) {
    try {
      for (int i = 0; i == 0 || (i < 3 && start_seconds < timing_budget); ++i) start();
    } catch (const std::runtime_error& error) {
      failure = error.what();
    }
  }

  /// Another window, unless it has had its time.
  void measure() {
    if (!failure.empty() || spent_ > timing_budget) return;
    State state = first_;
    integrator_->resume(state);
    const double cpu = cpu_seconds(), wall = wall_seconds();
    for (long i = 0; i < machine.steps; ++i)
      if (integrator_->step(state) != Status::ok) {
        failure = integrator_->failure().message();
        return;
      }
    const double taken = cpu_seconds() - cpu, steps = static_cast<double>(machine.steps);
    wall_seconds_a_step = std::min(wall_seconds_a_step, (wall_seconds() - wall) / steps);
    seconds_a_step = std::min(seconds_a_step, taken / steps);
    spent_ += taken;
    t = state.t;
    channels_->sample(state, position);
  }

  const TimedMachine& machine;
  const char* method;
  const int threads;  ///< 0: as many as the integrator chooses
  std::string failure;
  double start_seconds = HUGE_VAL;  ///< CPU time from the text to a state
  double seconds_a_step = HUGE_VAL, wall_seconds_a_step = HUGE_VAL;
  double t = 0;             ///< at the end of the window [s]
  double position[3] = {};  ///< recorded there [m]

 private:
  void start() {
    channels_.reset();  // it refers to the model
    const double begin = cpu_seconds();
    const SceneFile file = read_scene_text(
        machine.text, machine.name,
        {std::string("solve.method=") + method, fmt::format("solve.threads={}", threads)});
    integrator_ = std::make_unique<Integrator>(compile(file), file.solve);
    first_ = integrator_->start();
    start_seconds = std::min(start_seconds, cpu_seconds() - begin);
    channels_ = std::make_unique<Channels>(integrator_->model(), file.record.channels);
    for (long i = 0; i < steps_before; ++i)
      if (integrator_->step(first_) != Status::ok)
        throw std::runtime_error(integrator_->failure().message());
  }

  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Channels> channels_;
  State first_;
  double spent_ = 0;
};

using Probes = std::vector<std::unique_ptr<MachineProbe>>;

std::string row_name(const MachineProbe& p) {
  return p.machine.elements ? p.machine.title : fmt::format("{}, {}", p.machine.title, p.method);
}

void set_goal(BenchRow& row, const std::optional<double>& goal) {
  row.reference = goal;
  if (goal) row.source = "goal: at most";
}

void add_step(BenchReport& report, const MachineProbe& p) {
  BenchRow row;
  row.name = row_name(p);
  row.quantity = "CPU time of a step";
  row.unit = "us";
  const bool mixed = std::string(p.method) == "mixed";
  const std::optional<double> goal = mixed ? p.machine.goal : std::nullopt;
  set_goal(row, goal);
  row.extra = {{"machine", p.machine.name}, {"size", p.machine.size}, {"method", p.method}};
  if (p.failure.empty()) {
    const double us = 1e6 * p.seconds_a_step;
    row.ours = us;
    row.extra.insert(row.extra.end(), {{"us_per_step", us},
                                       {"wall_us_per_step", 1e6 * p.wall_seconds_a_step},
                                       {"us_per_part", us / p.machine.parts},
                                       {"start_seconds", p.start_seconds},
                                       {"steps", p.machine.steps},
                                       {"t", p.t},
                                       {"x", p.position[0]},
                                       {"y", p.position[1]},
                                       {"z", p.position[2]}});
  } else {
    row.source = p.failure;
    row.extra.emplace_back("us_per_step", nullptr);
    row.extra.emplace_back("failure", p.failure);
  }
  row.extra.emplace_back("goal", goal ? BenchValue(*goal) : BenchValue(nullptr));
  report.add(row);
}

/// Of two rows that are measured: a number without a unit.
void add_comparison(BenchReport& report, const std::string& name, const std::string& quantity,
                    double ours, std::optional<double> goal) {
  BenchRow row;
  row.name = name;
  row.quantity = quantity;
  row.unit = "-";
  row.ours = ours;
  set_goal(row, goal);
  report.add(row);
}

const MachineProbe* find(const Probes& probes, const std::string& name, int size,
                         const std::string& method) {
  for (const auto& p : probes)
    if (p->machine.name == name && p->machine.size == size && p->method == method &&
        p->failure.empty())
      return p.get();
  return nullptr;
}

void add_start(BenchReport& report, const MachineProbe& p) {
  BenchRow row;
  row.name = row_name(p);
  row.quantity = "CPU time of the start: reading, analysis, first accelerations";
  row.unit = "s";
  row.ours = p.start_seconds;
  set_goal(row, p.machine.start_goal);
  report.add(row);
}

/// Wall time counts here: it is the time of a computer that has nothing else to do.
void add_threads(BenchReport& report, const MachineProbe& one, const MachineProbe& all) {
  const auto add = [&](const MachineProbe& p, const std::string& with) {
    BenchRow row;
    row.name = p.machine.title + ", " + with;
    row.quantity = "wall time of a step";
    row.unit = "us";
    row.ours = 1e6 * p.wall_seconds_a_step;
    report.add(row);
  };
  add(one, "1 thread");
  add(all, fmt::format("{} threads", automatic_threads()));
  add_comparison(report, one.machine.title, "wall time of 1 thread over all",
                 one.wall_seconds_a_step / all.wall_seconds_a_step, std::nullopt);
}

/// Exponent of the cost in knots, from the smallest to the largest net that is measured.
void add_growth(BenchReport& report, const Probes& probes) {
  const MachineProbe *least = nullptr, *most = nullptr;
  for (const auto& p : probes) {
    if (p->machine.name != "net" || !p->failure.empty()) continue;
    if (least == nullptr) least = p.get();
    most = p.get();
  }
  if (least == most) return;
  const bool all = least->machine.size == 10 && most->machine.size == 80;
  add_comparison(
      report,
      fmt::format("nets of {0} x {0} to {1} x {1} meshes", least->machine.size, most->machine.size),
      "exponent of the cost of a step in knots",
      std::log(most->seconds_a_step / least->seconds_a_step) /
          std::log(static_cast<double>(most->machine.parts) / least->machine.parts),
      all ? std::optional(growth_goal) : std::nullopt);
}

void add_comparisons(BenchReport& report, const Probes& probes) {
  for (const auto& p : probes)
    if (const MachineProbe* spook = find(probes, p->machine.name, p->machine.size, "spook");
        spook != nullptr && p.get() != spook && p->failure.empty())
      add_comparison(report, p->machine.title, "mixed over spook",
                     p->seconds_a_step / spook->seconds_a_step, ratio_goal);
  const MachineProbe* dry = find(probes, "mooring-dry", 100, "mixed");
  const MachineProbe* wet = find(probes, "mooring-wet", 100, "mixed");
  if (dry != nullptr && wet != nullptr)
    add_comparison(report, "mooring line in water", "share of the fluid in a step",
                   1 - dry->seconds_a_step / wet->seconds_a_step, share_goal);
  add_growth(report, probes);
}

bool wanted(const TimedMachine& m, const TimingOptions& o) {
  const bool named = std::any_of(o.cases.begin(), o.cases.end(), [&](const std::string& name) {
    return m.name == name || m.name.starts_with(name + "-");
  });
  const bool sized = std::find(o.sizes.begin(), o.sizes.end(), m.size) != o.sizes.end();
  return (o.cases.empty() || named) && (o.sizes.empty() || sized);
}

}  // namespace

BenchReport bench_machines(const TimingOptions& options) {
  BenchReport report("machines", "hawser bench machines",
                     "CPU time per step of nets and machines, h = 1e-3 s, minimum over windows. "
                     "bench/peers runs the same cases with other programs.");
  const std::vector<TimedMachine> machines = timed_machines();
  Probes probes;
  std::unique_ptr<MachineProbe> shared;  // on all cores
  for (const TimedMachine& m : machines) {
    if (!wanted(m, options)) continue;
    if (!options.folder.empty()) {
      std::filesystem::create_directories(options.folder);
      write_whole_file(fmt::format("{}/{}-{}.yaml", options.folder, m.name, m.size), m.text);
    }
    for (const char* method : {"mixed", "spook"})
      if (!m.elements || std::string(method) == "mixed")
        probes.push_back(std::make_unique<MachineProbe>(m, method));
    if (m.name == "net" && m.size == shared_net)
      shared = std::make_unique<MachineProbe>(m, "mixed", 0);
  }
  for (int round = 0; round < 16; ++round)  // spread over seconds: machines have slow spells
    for (const auto& p : probes) {
      p->measure();
      if (shared && &p->machine == &shared->machine) shared->measure();
    }
  for (const auto& p : probes) {
    add_step(report, *p);
    if (p->machine.name == "net" && p->failure.empty()) add_start(report, *p);
  }
  if (shared)
    if (const MachineProbe* one = find(probes, "net", shared_net, "mixed");
        one != nullptr && shared->failure.empty())
      add_threads(report, *one, *shared);
  add_comparisons(report, probes);
  return report;
}

}  // namespace hawser

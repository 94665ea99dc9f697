// Factorization and solution of the linear system of a step, by our solver and by others.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "bench/benches.h"
#include "bench/linear_peers.h"
#include "bench/linear_system.h"
#include "bench/machines_scenes.h"
#include "bench/random_machines_scenes.h"
#include "scenes_command.h"

namespace hawser {
namespace {

constexpr unsigned machine_seed = 1;  ///< of the random machines

/// Over the systems of a group, by other solver: sums of the logarithm of our time over its.
struct Ratio {
  double factor = 0, solve = 0, both = 0;
  int count = 0;

  void add(const LinearCost& ours, const LinearCost& other) {
    factor += std::log(ours.factor / other.factor);
    solve += std::log(ours.solve / other.solve);
    both += std::log((ours.factor + ours.solve) / (other.factor + other.solve));
    ++count;
  }
  [[nodiscard]] double mean(double sum) const { return std::exp(sum / count); }
};
using Ratios = std::map<std::string, Ratio>;

BenchRow row_of(const std::string& name, const LinearSystem& system, const LinearCost& cost) {
  BenchRow row;
  row.name = name;
  row.unit = "us";
  row.source = cost.solver;
  row.extra = {{"rows", static_cast<long>(system.matrix.rows())},
               {"conditions", system.conditions},
               {"entries", static_cast<long>(system.matrix.nonZeros())},
               {"solver", cost.solver}};
  if (!cost.failure.empty()) {
    row.quantity = cost.failure;
    row.extra.emplace_back("failure", cost.failure);
    return row;
  }
  const double residual = system.residual(cost.x);
  row.quantity =
      fmt::format("{} rows: analysis {:.3g}, factor {:.4g}, solve {:.4g} us; L {}; residual {:.1e}",
                  system.matrix.rows(), 1e6 * cost.analysis, 1e6 * cost.factor, 1e6 * cost.solve,
                  cost.entries, residual);
  row.ours = 1e6 * (cost.factor + cost.solve);
  row.extra.insert(row.extra.end(), {{"analysis_us", 1e6 * cost.analysis},
                                     {"factor_us", 1e6 * cost.factor},
                                     {"solve_us", 1e6 * cost.solve},
                                     {"entries_of_l", cost.entries},
                                     {"residual", residual}});
  return row;
}

void add_system(BenchReport& report, Ratios& ratios, const std::string& name,
                const SceneFile& file) {
  LinearSystem system;
  try {
    system = linear_system_of(file, 20);
  } catch (const std::runtime_error& error) {
    BenchRow row;
    row.name = name;
    row.quantity = fmt::format("not measured: {}", error.what());
    row.unit = "us";
    report.add(row);
    return;
  }
  const LinearCost others[] = {eigen_cost(system), qdldl_cost(system)};
  report.add(row_of(name, system, system.ours));
  for (const LinearCost& other : others) {
    report.add(row_of(name, system, other));
    if (other.failure.empty()) ratios[other.solver].add(system.ours, other);
  }
}

void add_ratios(BenchReport& report, const char* group, const Ratios& ratios) {
  for (const auto& [solver, sums] : ratios) {
    const double factor = sums.mean(sums.factor), solve = sums.mean(sums.solve);
    BenchRow row;
    row.name = fmt::format("{} {}", sums.count, group);
    row.quantity = fmt::format("ours over {}: factor {:.2g}, solve {:.2g}, both (geometric means)",
                               solver, factor, solve);
    row.unit = "-";
    row.ours = sums.mean(sums.both);
    row.extra = {{"solver", solver}, {"factor_ratio", factor}, {"solve_ratio", solve}};
    report.add(row);
  }
}

}  // namespace

BenchReport bench_linear(const LinearOptions& options) {
  BenchReport report(
      "linear", "hawser bench linear",
      "The linear system of the 21st step: CPU time of factorization and solution by our solver, "
      "Eigen and QDLDL, minimum over windows. Others get a diagonal of 1e-10 of what a row of "
      "constraints needs, and do not refine; the residual is that of the true matrix.");
  if (!options.files.empty()) {
    Ratios ratios;
    for (const std::string& file : options.files)
      add_system(report, ratios, file, read_scene(find_scene(file)));
    add_ratios(report, "scenes", ratios);
    return report;
  }
  Ratios scenes, nets, machines;
  for (const ShippedScene& shipped : shipped_scenes())
    add_system(report, scenes, shipped.name, read_scene(shipped.path));
  for (const TimedMachine& m : timed_machines())
    if (m.name != "net" || m.size <= options.largest_net)
      add_system(report, nets, m.title, read_scene_text(m.text, m.name));
  for (int i = 0; i < options.machines; ++i) {
    const Machine machine = draw_machine(machine_seed, i);
    add_system(report, machines, fmt::format("random machine {} ({})", i, machine.family),
               read_scene_text(machine.text, "machine"));
  }
  add_ratios(report, "example scenes", scenes);
  add_ratios(report, "nets and machines of `hawser bench machines`", nets);
  add_ratios(report, "random machines", machines);
  return report;
}

}  // namespace hawser

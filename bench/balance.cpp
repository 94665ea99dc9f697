// The energy balance of the shipped scenes, or of others, at h, h/2 and h/4: what the scheme itself
// takes or adds, once everything else has booked its work.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/benches.h"
#include "hawser/integrator.h"
#include "hawser/measure.h"
#include "hawser/scene_file.h"
#include "scenes_command.h"

namespace hawser {
namespace {

struct Balance {
  double low = 0, high = 0, end = 0;  ///< of the balance [J]
  double scale = 0;                   ///< largest energy in motion [J]
  double reached = 0;                 ///< [s]
};

/// A run with every step divided by `parts`, the guard off.
Balance balance_of(const SceneFile& file, int parts) {
  SolveOptions options = file.solve;
  options.step /= parts;
  options.tolerance /= parts;
  options.energy_guard = 0;
  const Model model = compile(file);
  Integrator integrator(model, options);
  State state = integrator.start();
  Balance out;
  while (state.t < file.until - options.step / 2) {
    if (integrator.step(state) != Status::ok) break;
    const Energy e = energy(model, state);
    out.end = e.balance();
    out.low = std::min(out.low, out.end);
    out.high = std::max(out.high, out.end);
    out.scale = std::max(out.scale, e.total() - e.potential);
  }
  out.reached = state.t;
  return out;
}

void add_rows(BenchReport& report, const std::string& name, const SceneFile& file) {
  for (const int parts : {1, 2, 4}) {
    const Balance b = balance_of(file, parts);
    const double share = 100 / std::max(b.scale, 1e-300);
    BenchRow row;
    row.name = name;
    row.quantity = fmt::format("h/{}: lowest {:.3g}, highest {:.3g}, at {:.4g} s", parts,
                               share * b.low, share * b.high, b.reached);
    row.unit = "%";
    row.ours = share * b.end;
    row.extra = {{"parts", parts}, {"low", b.low},     {"high", b.high},
                 {"end", b.end},   {"scale", b.scale}, {"reached", b.reached}};
    report.add(row);
  }
}

}  // namespace

BenchReport bench_balance(const std::vector<std::string>& files) {
  BenchReport report("balance", "hawser bench balance",
                     "Change of energy minus work, relative to the largest energy in motion, at "
                     "the end of the run.");
  for (const std::string& path : files) add_rows(report, path, read_scene(path));
  if (files.empty())
    for (const ShippedScene& shipped : shipped_scenes())
      add_rows(report, shipped.name, read_scene(shipped.path));
  return report;
}

}  // namespace hawser

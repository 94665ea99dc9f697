// The scenes that ship with Hawser, against the values they say they must reach.
#include <fmt/format.h>

#include "bench/benches.h"
#include "hawser/run.h"
#include "scenes_command.h"

namespace hawser {

BenchReport bench_scenes() {
  BenchReport report("scenes", "hawser bench scenes",
                     "The example scenes and their expected values.");
  for (const ShippedScene& shipped : shipped_scenes()) {
    const RunReport run_report = run(read_scene(shipped.path), RunOptions{});
    if (run_report.end != RunEnd::finished) {
      BenchRow row;
      row.name = shipped.name;
      row.quantity = "end of the run: " + run_report.failure;
      row.unit = "s";
      row.ours = run_report.t;
      row.reference = run_report.until;
      row.tolerance = 0;
      row.kind = Tolerance::absolute;
      report.add(row);
    }
    for (const ExpectationReport& e : run_report.expectations) {
      BenchRow row;
      row.name = shipped.name;
      row.quantity = e.expected.channel;
      if (e.expected.time >= 0) row.quantity += fmt::format(" at {:g} s", e.expected.time);
      row.unit = e.unit.empty() ? "-" : e.unit;
      if (e.reached) row.ours = e.measured;
      row.reference = e.expected.value;
      row.tolerance = e.expected.within;
      row.kind = Tolerance::absolute;
      row.source = e.expected.source;
      report.add(row);
    }
  }
  return report;
}

}  // namespace hawser

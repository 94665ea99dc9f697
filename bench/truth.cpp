#include "bench/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/benches.h"
#include "hawser/error.h"

namespace hawser {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

TruthRun run_truth(const SceneFile& file) {
  TruthRun out;
  std::vector<double> balances;
  RunOptions options;
  options.progress_every = 0;
  options.progress = [&](const Progress& p) {
    balances.push_back(p.energy.balance());
    return true;
  };
  out.report = run(file, options);
  for (const double b : balances)
    out.gain = std::max(out.gain, b - out.report.energy_start.balance());
  return out;
}

std::function<double(const TruthRun&)> extreme(const std::string& cable,
                                               TensionExtreme CableReport::*which) {
  return [=](const TruthRun& run) {
    for (const CableReport& c : run.report.cables)
      if (c.cable == cable) return (c.*which).tension;
    return nothing;
  };
}

}  // namespace

std::function<double(const TruthRun&)> largest(const std::string& cable) {
  return extreme(cable, &CableReport::largest);
}

std::function<double(const TruthRun&)> smallest(const std::string& cable) {
  return extreme(cable, &CableReport::smallest);
}

std::function<double(const TruthRun&)> measured(const std::string& expectation) {
  return [=](const TruthRun& run) {
    for (const ExpectationReport& e : run.report.expectations)
      if (e.expected.name == expectation && e.reached) return e.measured;
    return nothing;
  };
}

SceneFile truth_file(const TruthScene& scene, double step) {
  std::vector<std::string> sets = scene.sets;
  sets.push_back(fmt::format("solve.step={:.12g} s", step));
  return read_scene_text(scene.text, scene.name, sets);
}

void add_truth_row(BenchReport& report, const std::string& name, double step, const TruthRow& row,
                   std::optional<double> value) {
  BenchRow out;
  out.name = fmt::format("{}, {:g} ms", name, 1e3 * step);
  out.quantity = row.quantity;
  out.unit = row.unit;
  out.ours = value;
  out.reference = row.reference;
  out.tolerance = row.tolerance;
  out.kind = row.kind;
  out.source = row.source;
  report.add(out);
}

void add_truth(BenchReport& report, const TruthScene& scene, const std::vector<TruthRow>& rows) {
  for (const double step : scene.steps) {
    std::optional<TruthRun> result;
    std::string why;
    try {
      result = run_truth(truth_file(scene, step));
      if (result->report.end != RunEnd::finished) why = result->report.failure;
    } catch (const Error& error) {
      why = error.what();
    }
    why = why.substr(0, why.find('\n'));
    for (const TruthRow& row : rows) {
      std::optional<double> value;
      if (why.empty()) value = row.value(*result);
      TruthRow now = row;
      if (!why.empty()) now.source = why;
      add_truth_row(report, scene.name, step, now, value);
    }
  }
}

BenchReport bench_truth() {
  BenchReport report(
      "truth", "hawser bench truth",
      "Regression cases of results that were once silently wrong, numbered by cause, at steps that "
      "resolve them and at steps that do not.");
  add_impacts(report);
  add_starts(report);
  add_kinks(report);
  add_kinked_starts(report);
  add_mass_ratios(report);
  add_elements(report);
  add_methods(report);
  return report;
}

}  // namespace hawser

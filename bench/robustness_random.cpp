#include "bench/robustness_random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "bench/robustness_random_scenes.h"
#include "bench/watched_run.h"
#include "hawser/error.h"

namespace hawser {
namespace {

constexpr double much = 0.05;  ///< of energy, by the largest that is exchanged
constexpr int mixed_refinement = 10;

/// A failure that says what happened, not which number was none.
bool has_cause(const std::string& failure) {
  return !failure.empty() && failure.find("nan") == std::string::npos &&
         failure.find("inf ") == std::string::npos;
}

/// Whether the default method runs it at a tenth of the step.
bool mixed_runs(const RandomScene& scene) {
  try {
    const SceneFile file =
        read_scene_text(scene.text, "scene",
                        {fmt::format("solve.step={:.12g} s", scene.step / mixed_refinement),
                         "solve.method=mixed", "solve.scheme=hht"});
    return run(file, {}).end == RunEnd::finished;
  } catch (const Error&) {
    return false;
  }
}

void judge(const RandomScene& scene, RandomResult& out) {
  const WatchedRun run = watch_run(read_scene_text(scene.text, "scene"));
  out.finished = run.report.end == RunEnd::finished;
  if (!out.finished) {
    out.said = run.report.failure;
    out.tells = has_cause(out.said);
    return;
  }
  // What is at rest exchanges rounding errors.
  const double scale = std::max(run.exchange, 1e-6 * run.weight);
  out.gain = run.finite ? run.gain / scale : HUGE_VAL;
  out.loss = run.loss / scale;
  for (const std::string& warning : run.report.warnings)
    if (out.said.empty() && about_energy(warning)) out.said = warning;
}

}  // namespace

bool RandomResult::silent_gain() const { return finished && said.empty() && gain > much; }
bool RandomResult::silent_loss() const { return finished && said.empty() && loss > much; }
bool RandomResult::bad() const {
  return refused || (!finished && mixed_runs) || !tells || silent_gain() || silent_loss();
}

RandomResult judge_random_scene(unsigned seed, int number) {
  const RandomScene scene = draw_random_scene(seed, number);
  RandomResult out;
  out.number = number;
  out.family = scene.family;
  out.method = scene.method;
  out.scheme = scene.scheme;
  out.step = scene.step;
  try {
    judge(scene, out);
  } catch (const Error& error) {
    out.refused = true;
    out.said = error.what();
  }
  if (!out.finished && !out.refused) out.mixed_runs = mixed_runs(scene);
  return out;
}

std::vector<RandomResult> run_random_scenes(const CampaignOptions& options) {
  std::vector<RandomResult> out;
  const int first = options.only < 0 ? 0 : options.only;
  const int last = options.only < 0 ? options.count : options.only + 1;
  for (int i = first; i < last; ++i) {
    out.push_back(judge_random_scene(options.seed, i));
    if (options.folder.empty() || !(out.back().bad() || options.only >= 0)) continue;
    std::filesystem::create_directories(options.folder);
    std::ofstream(fmt::format("{}/random-{}.yaml", options.folder, i))
        << draw_random_scene(options.seed, i).text;
  }
  return out;
}

namespace {

using Counts = std::function<bool(const RandomResult&)>;

/// How many scenes of a method, as a share of those that `of` counts; `most`: that may be, none
/// below zero.
void add_share(BenchReport& report, const std::vector<RandomResult>& results,
               const std::string& method, const char* what, double most, const Counts& counts,
               const Counts& of) {
  long all = 0, counted = 0;
  for (const RandomResult& r : results) {
    if (r.method != method) continue;
    all += of(r) ? 1 : 0;
    counted += counts(r) ? 1 : 0;
  }
  if (all == 0) return;
  BenchRow row;
  row.name = method;
  row.quantity = fmt::format("{} ({} of {})", what, counted, all);
  row.unit = "-";
  row.ours = static_cast<double>(counted) / static_cast<double>(all);
  if (most >= 0) {
    row.reference = 0;
    row.tolerance = most;
    row.kind = Tolerance::absolute;
    row.source = "goal";
  }
  row.extra = {{"count", counted}, {"of", all}};
  report.add(row);
}

void add_scene(BenchReport& report, const RandomResult& r) {
  const char* word = r.refused         ? "refused"
                     : !r.finished     ? "failed"
                     : r.silent_gain() ? "GAINS"
                     : r.silent_loss() ? "LOSES"
                                       : "finished";
  BenchRow row;
  row.name = fmt::format("{} {} ({}, {} {}, {:.4g} ms)", word, r.number, r.family, r.method,
                         r.scheme, 1e3 * r.step);
  if (r.finished) {
    row.quantity = r.silent_gain() ? "energy gained" : "energy lost";
    row.unit = "-";
    row.ours = r.silent_gain() ? r.gain : r.loss;
  }
  constexpr size_t widest = 120;
  row.source = r.said.size() > widest ? r.said.substr(0, widest) + " ..." : r.said;
  row.extra = {{"scene", static_cast<long>(r.number)},
               {"gain", r.gain},
               {"loss", r.loss},
               {"mixed_runs", r.mixed_runs},
               {"said", r.said}};
  report.add(row);
}

}  // namespace

void add_random_campaign(BenchReport& report, const CampaignOptions& options) {
  const std::vector<RandomResult> results = run_random_scenes(options);
  const Counts any = [](const RandomResult&) { return true; };
  const Counts can_run = [](const RandomResult& r) { return r.finished || r.mixed_runs; };
  for (const char* method : random_scene_methods) {
    add_share(
        report, results, method, "finished", -1, [](const RandomResult& r) { return r.finished; },
        any);
    add_share(
        report, results, method, "refused", 0, [](const RandomResult& r) { return r.refused; },
        any);
    add_share(
        report, results, method, "failed where mixed at h/10 does not", 0.05,
        [](const RandomResult& r) { return !r.finished && r.mixed_runs; }, can_run);
    add_share(
        report, results, method, "failed without a cause", 0,
        [](const RandomResult& r) { return !r.tells; }, any);
    add_share(report, results, method, "gains energy without a word", 0,
              std::mem_fn(&RandomResult::silent_gain), any);
    add_share(report, results, method, "loses energy without a word", 0,
              std::mem_fn(&RandomResult::silent_loss), any);
  }
  for (const RandomResult& r : results)
    if (r.bad() || options.only >= 0) add_scene(report, r);
}

}  // namespace hawser

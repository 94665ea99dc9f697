#include "bench/everyday.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "bench/everyday_scenes.h"
#include "bench/watched_run.h"
#include "hawser/error.h"

namespace hawser {
namespace {

constexpr double much_energy = 0.05;  ///< by the largest that is exchanged
constexpr double far_off = 2;         ///< between peaks
constexpr int finer = 10;

/// Weight of all that hangs, below a hundredth of which tensions and below a ten-thousandth of
/// which energies mean nothing [N].
double weight_of(const SceneFile& file) {
  double kg = 0;
  for (const Body& b : file.scene.bodies) kg += b.mass;
  for (const Cable& c : file.scene.cables) kg += c.length * c.sections[0].mass;
  for (const PointMass& m : file.scene.point_masses) kg += m.mass;
  return 9.81 * kg;
}

void compare_peaks(const RunReport& coarse, const RunReport& fine, double least,
                   EverydayResult& out) {
  for (size_t i = 0; i < fine.cables.size(); ++i) {
    const double a = std::max(coarse.cables[i].largest.tension, least),
                 b = std::max(fine.cables[i].largest.tension, least);
    const double ratio = a > b ? a / b : b / a;
    if (ratio <= out.peak_ratio) continue;
    out.peak_ratio = ratio;
    out.cable = fine.cables[i].cable;
    out.coarse_peak = coarse.cables[i].largest.tension;
    out.fine_peak = fine.cables[i].largest.tension;
  }
}

void judge(const EverydayScene& scene, EverydayResult& out) {
  const SceneFile file = read_scene_text(scene.text, "scene");
  const WatchedRun coarse = watch_run(file);
  out.finished = coarse.report.end == RunEnd::finished;
  if (!out.finished) {
    out.said = coarse.report.failure;
    return;
  }
  for (const std::string& warning : coarse.report.warnings)
    if (out.said_energy.empty() && about_energy(warning)) out.said_energy = warning;
  const double weight = weight_of(file);
  const double exchange = coarse.exchange + 1e-4 * weight;  // over a metre
  out.gain = coarse.finite ? coarse.gain / exchange : HUGE_VAL;
  out.loss = coarse.loss / exchange;
  const RunReport fine =
      run(read_scene_text(scene.text, "scene",
                          {fmt::format("solve.step={:.12g} s", scene.step / finer)}),
          {});
  out.fine_finished = fine.end == RunEnd::finished;
  if (!out.fine_finished) {
    out.said = "at h/10: " + fine.failure;
    return;
  }
  compare_peaks(coarse.report, fine, 0.01 * weight, out);
  out.said = warning_of_step(coarse.report, fine);
}

}  // namespace

bool EverydayResult::false_peak() const {
  return finished && fine_finished && said.empty() && peak_ratio > far_off;
}

bool EverydayResult::false_energy() const {
  return finished && said_energy.empty() && (gain > much_energy || loss > much_energy);
}

EverydayResult judge_everyday_scene(unsigned seed, int number) {
  const EverydayScene scene = draw_everyday_scene(seed, number);
  EverydayResult out;
  out.number = number;
  out.family = scene.family;
  out.step = scene.step;
  try {
    judge(scene, out);
  } catch (const Error& error) {
    out.refused = true;
    out.said = error.what();
  }
  return out;
}

std::vector<EverydayResult> run_everyday_scenes(const CampaignOptions& options) {
  std::vector<EverydayResult> out;
  const int first = options.only < 0 ? 0 : options.only;
  const int last = options.only < 0 ? options.count : options.only + 1;
  for (int i = first; i < last; ++i) {
    out.push_back(judge_everyday_scene(options.seed, i));
    if (options.folder.empty() || !(out.back().bad() || options.only >= 0)) continue;
    std::filesystem::create_directories(options.folder);
    std::ofstream(fmt::format("{}/everyday-{}.yaml", options.folder, i))
        << draw_everyday_scene(options.seed, i).text;
  }
  return out;
}

namespace {

/// How many scenes, as a share of all; `most`: that may be, none below zero.
void add_everyday_share(BenchReport& report, const std::vector<EverydayResult>& results,
                        const char* what, double most,
                        const std::function<bool(const EverydayResult&)>& counts) {
  const auto counted = std::count_if(results.begin(), results.end(), counts);
  BenchRow row;
  row.name = "everyday";
  row.quantity = fmt::format("{} ({} of {})", what, counted, results.size());
  row.unit = "-";
  row.ours = static_cast<double>(counted) / static_cast<double>(results.size());
  if (most >= 0) {
    row.reference = 0;
    row.tolerance = most;
    row.kind = Tolerance::absolute;
    row.source = "goal";
  }
  row.extra = {{"count", static_cast<long>(counted)}, {"of", static_cast<long>(results.size())}};
  report.add(row);
}

void add_everyday_scene(BenchReport& report, const EverydayResult& r) {
  const char* word = r.refused                    ? "refused"
                     : !r.finished                ? "stops"
                     : r.false_peak()             ? "FALSE PEAK"
                     : r.gain > r.loss && r.bad() ? "GAINS"
                     : r.bad()                    ? "LOSES"
                                                  : "fine";
  BenchRow row;
  row.name = fmt::format("{} {} ({}, {:.4g} ms)", word, r.number, r.family, 1e3 * r.step);
  if (r.finished && r.false_energy()) {
    row.quantity = r.gain > r.loss ? "energy gained" : "energy lost";
    row.unit = "-";
    row.ours = std::max(r.gain, r.loss);
  } else if (!r.cable.empty()) {
    row.quantity = fmt::format("largest tension of '{}'", r.cable);
    row.unit = "N";
    row.ours = r.coarse_peak;
    row.reference = r.fine_peak;
  }
  constexpr size_t widest = 160;
  row.source = r.said.size() > widest ? r.said.substr(0, widest) + " ..." : r.said;
  row.extra = {{"scene", static_cast<long>(r.number)},
               {"gain", r.gain},
               {"loss", r.loss},
               {"peak_ratio", r.peak_ratio},
               {"said", r.said}};
  report.add(row);
}

}  // namespace

void add_everyday_campaign(BenchReport& report, const CampaignOptions& options) {
  const std::vector<EverydayResult> results = run_everyday_scenes(options);
  add_everyday_share(report, results, "stop", 0.01, std::mem_fn(&EverydayResult::stops));
  add_everyday_share(report, results, "stop at h/10 alone", 0.01,
                     [](const EverydayResult& r) { return r.finished && !r.fine_finished; });
  add_everyday_share(report, results, "peaks off by more than 2 without a word", 0,
                     std::mem_fn(&EverydayResult::false_peak));
  add_everyday_share(report, results, "gain or lose 5 % of energy without a word", 0,
                     std::mem_fn(&EverydayResult::false_energy));
  add_everyday_share(report, results, "warn at h and not at h/10", -1,
                     [](const EverydayResult& r) { return r.finished && !r.said.empty(); });
  for (const EverydayResult& r : results)
    if (r.bad() || !r.fine_finished || options.only >= 0) add_everyday_scene(report, r);
}

}  // namespace hawser

// Random machines at h and at h/16: do they agree, or does the run say that they do not.
#include "bench/random_machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "bench/benches.h"
#include "bench/random_machines_scenes.h"
#include "bench/watched_run.h"
#include "hawser/error.h"
#include "model/route.h"

namespace hawser {
namespace {

constexpr double difference_allowed = 0.05;  ///< difference of tensions and places
constexpr double gain_allowed = 0.01;        ///< of energy, by the largest that is exchanged
constexpr int machine_refinement = 16;

struct MachineRun : WatchedRun {
  double size = 0;             ///< of the scene [m]
  double weight = 0;           ///< of all that moves [N]
  std::vector<double> masses;  ///< of the bodies [kg]
};

/// `unsure`: with the stiffness of cables and joints changed by that share, and gravity by a
/// hundredth of it.
MachineRun run_machine(const Machine& machine, int divisor, double until, double unsure = 0) {
  SceneFile file = read_scene_text(machine.text, "machine",
                                   {fmt::format("solve.step={:.12g} s", machine.step / divisor),
                                    fmt::format("solve.until={:.12g} s", until)});
  file.scene.gravity += 0.01 * unsure * 9.81 * Vec3(0.8, -0.6, 0);
  for (Cable& c : file.scene.cables) c.sections[0].EA *= 1 + unsure;
  for (Joint& j : file.scene.joints) j.compliance /= 1 + unsure;
  MachineRun out{watch_run(file), 0, 0, {}};
  Eigen::AlignedBox3d box;
  for (const Support& s : file.scene.supports) box.extend(s.position);
  for (const Body& b : file.scene.bodies) {
    box.extend(b.position);
    out.weight += 9.81 * b.mass;
    out.masses.push_back(b.mass);
  }
  for (const Cable& c : file.scene.cables)
    if (c.model != CableModel::massless) {
      for (const Vec3& point : route_points(file.scene, c)) box.extend(point);
      out.weight += 9.81 * c.length * c.sections[0].mass;
    }
  out.size = box.diagonal().norm();
  return out;
}

/// What differs the most.
struct Difference {
  double share = 0;  ///< of what it is compared with
  std::string quantity, unit;
  double coarse = 0, fine = 0;

  void look(double of, double scale, const std::string& what, const char* in, double a, double b) {
    const double now = std::isfinite(of) ? of / scale : HUGE_VAL;
    if (now <= share) return;
    *this = {now, what, in, a, b};
  }
};

/// Of the largest tensions, by the largest in the machine.
Difference tensions(const MachineRun& coarse, const MachineRun& fine) {
  double scale = 0.01 * fine.weight;
  for (const CableReport& c : fine.report.cables) scale = std::max(scale, c.largest.tension);
  Difference out;
  for (size_t i = 0; i < fine.report.cables.size(); ++i) {
    const double a = coarse.report.cables[i].largest.tension,
                 b = fine.report.cables[i].largest.tension;
    out.look(std::abs(a - b), scale,
             fmt::format("largest tension of '{}'", fine.report.cables[i].cable), "N", a, b);
  }
  return out;
}

/// Of the places at the end, by the way that the farthest has gone, or by the height to which the
/// exchanged energy lifts all of it: a load that bounces is back where it began. Weighed as energy
/// weighs them: a hook that is much lighter than its load swings faster than any step shows.
Difference places(const MachineRun& coarse, const MachineRun& fine) {
  double scale = std::max(0.01 * fine.size, fine.exchange / fine.weight);
  for (const BodyReport& b : fine.report.bodies)
    scale = std::max(scale, (b.pose.position - b.from).norm());
  double heaviest = 0;
  for (const double mass : fine.masses) heaviest = std::max(heaviest, mass);
  Difference out;
  for (size_t i = 0; i < fine.report.bodies.size(); ++i) {
    const Vec3 a = coarse.report.bodies[i].pose.position, b = fine.report.bodies[i].pose.position;
    int axis = 0;
    (a - b).cwiseAbs().maxCoeff(&axis);
    out.look((a - b).norm() * std::sqrt(fine.masses[i] / heaviest), scale,
             fmt::format("{} of '{}' at the end", "xyz"[axis], fine.report.bodies[i].body), "m",
             a[axis], b[axis]);
  }
  return out;
}

Difference larger_difference(const Difference& a, const Difference& b) {
  return a.share < b.share ? b : a;
}

/// A peak may fall on the end of one run and not of the other: what the fine run has reached two
/// steps before and what it reaches two steps later bound what the coarse one should show.
bool peak_at_end(const Machine& machine, const MachineRun& coarse, double until) {
  const double window = 2 * machine.step;
  if (until <= window) return true;
  const MachineRun before = run_machine(machine, machine_refinement, until - window);
  const MachineRun after = run_machine(machine, machine_refinement, until + window);
  double scale = 0.01 * after.weight;
  for (const CableReport& c : after.report.cables) scale = std::max(scale, c.largest.tension);
  for (size_t i = 0; i < coarse.report.cables.size(); ++i) {
    const double now = coarse.report.cables[i].largest.tension;
    if (now < before.report.cables[i].largest.tension - difference_allowed * scale ||
        now > after.report.cables[i].largest.tension + difference_allowed * scale)
      return false;
  }
  return true;
}

/// True where what nobody knows better, 1 % of all stiffness and 1e-4 of gravity, changes the
/// answer by half of what is allowed.
bool ill_conditioned(const Machine& machine, const MachineRun& fine, double until) {
  for (const double unsure : {0.01, -0.01}) {
    const MachineRun other = run_machine(machine, machine_refinement, until, unsure);
    if (other.report.end == RunEnd::finished &&
        larger_difference(tensions(other, fine), places(other, fine)).share >
            difference_allowed / 2)
      return true;
  }
  return false;
}

bool gains_energy(const MachineRun& run) {
  return run.gain > gain_allowed * run.exchange + 1e-5 * run.weight * run.size;
}

bool failed(const MachineRun& run, const char* which, MachineResult& out) {
  if (run.report.end == RunEnd::finished) return false;
  out.agreement = Agreement::failed;
  out.said = fmt::format("{}: {}", which, run.report.failure);
  return true;
}

/// Compares the two over `until`; false: the scene is ill-conditioned over that time.
bool compare(const Machine& machine, double until, MachineResult& out) {
  const MachineRun coarse = run_machine(machine, 1, until);
  if (failed(coarse, "at h", out)) return true;
  const MachineRun fine = run_machine(machine, machine_refinement, until);
  if (failed(fine, "at h/16", out)) return true;
  Difference tension = tensions(coarse, fine);
  const Difference place = places(coarse, fine);
  const bool gains = gains_energy(coarse) || gains_energy(fine);
  if (!gains && (tension.share > difference_allowed || place.share > difference_allowed)) {
    if (ill_conditioned(machine, fine, until)) return false;
    if (tension.share > difference_allowed && peak_at_end(machine, coarse, until))
      tension.share = 0;
  }
  Difference worst = larger_difference(tension, place);
  if (gains)
    worst = {std::max(coarse.gain / coarse.exchange, fine.gain / fine.exchange), "energy gained",
             "J", coarse.gain, fine.gain};
  out.difference = worst.share;
  out.quantity = worst.quantity;
  out.unit = worst.unit;
  out.coarse = worst.coarse;
  out.fine = worst.fine;
  out.until = until;
  out.said = warning_of_step(coarse.report, fine.report);
  if (out.said.empty() && gains_energy(fine))  // the run that gains says so
    out.said = warning_of_step(fine.report, coarse.report);
  const bool agrees = !gains && worst.share <= difference_allowed;
  out.agreement = agrees             ? Agreement::agrees
                  : out.said.empty() ? Agreement::silent
                                     : Agreement::warned;
  return true;
}

}  // namespace

MachineResult judge_machine(unsigned seed, int number) {
  const Machine machine = draw_machine(seed, number);
  MachineResult out;
  out.number = number;
  out.family = machine.family;
  out.method = machine.method;
  out.step = machine.step;
  try {
    for (long steps = machine.steps; steps >= machine.steps / 16 && steps > 4; steps /= 2) {
      if (compare(machine, static_cast<double>(steps) * machine.step, out)) return out;
      out.shortened = true;
    }
    out.agreement = Agreement::ill_conditioned;
  } catch (const Error& error) {
    out.agreement = Agreement::failed;
    out.said = error.what();
  }
  return out;
}

std::vector<MachineResult> run_machines(const MachineOptions& options) {
  std::vector<MachineResult> out;
  const int first = options.only < 0 ? 0 : options.only;
  const int last = options.only < 0 ? options.count : options.only + 1;
  for (int i = first; i < last; ++i) {
    out.push_back(judge_machine(options.seed, i));
    const Agreement a = out.back().agreement;
    if (options.folder.empty() || a == Agreement::agrees) continue;
    std::filesystem::create_directories(options.folder);
    std::ofstream(fmt::format("{}/machine-{}.yaml", options.folder, i))
        << draw_machine(options.seed, i).text;
  }
  return out;
}

namespace {

/// How many machines, as a share of all; `most`: that may be, none below zero.
void add_share(BenchReport& report, const std::vector<MachineResult>& results, const char* what,
               double most, const std::function<bool(const MachineResult&)>& counts) {
  BenchRow row;
  row.name = fmt::format("{} machines", results.size());
  row.quantity = what;
  row.unit = "-";
  row.ours = static_cast<double>(std::count_if(results.begin(), results.end(), counts)) /
             static_cast<double>(results.size());
  if (most >= 0) {
    row.reference = 0;
    row.tolerance = most;
    row.kind = Tolerance::absolute;
    row.source = "goal";
  }
  report.add(row);
}

void add_machine(BenchReport& report, const MachineResult& r) {
  static constexpr const char* words[] = {"agrees", "warned", "failed", "SILENT",
                                          "ill-conditioned"};
  BenchRow row;
  row.name = fmt::format("{} {} ({}, {}, {:.4g} ms)", words[static_cast<int>(r.agreement)],
                         r.number, r.family, r.method, 1e3 * r.step);
  if (!r.quantity.empty()) {
    row.quantity = fmt::format("{} to {:.3g} s", r.quantity, r.until);
    row.ours = r.coarse;
    row.reference = r.fine;
  }
  row.unit = r.unit;
  constexpr size_t widest = 120;
  row.source = r.said.size() > widest ? r.said.substr(0, widest) + " ..." : r.said;
  row.extra = {
      {"machine", static_cast<long>(r.number)}, {"difference", r.difference}, {"said", r.said}};
  report.add(row);
}

}  // namespace

BenchReport bench_random_machines(const MachineOptions& options) {
  BenchReport report(
      "random-machines", "hawser bench random-machines",
      fmt::format(
          "Random machines (seed {}) of bodies, joints, drives, winches and cables, run for up to "
          "2 s at a step of 1 to 20 ms and at a sixteenth of it. They agree if the largest "
          "tensions "
          "differ by at most 5 % of the overall maximum and the positions of bodies by 5 % of the "
          "distance travelled, and neither gains 1 % of the energy exchanged. If changes of 1 % in "
          "stiffness and 1e-4 in gravity alter the result by half of that, a shorter time is "
          "compared. Disagreements are listed, worst first: at h, and at h/16 as the reference.",
          options.seed));
  std::vector<MachineResult> results = run_machines(options);
  const auto is = [](Agreement which) {
    return [which](const MachineResult& r) { return r.agreement == which; };
  };
  add_share(report, results, "agree", -1, is(Agreement::agrees));
  add_share(report, results, "disagree and warn", 0.1, is(Agreement::warned));
  add_share(report, results, "fail and say why", 0.02, is(Agreement::failed));
  add_share(report, results, "disagree without a word", 0, is(Agreement::silent));
  add_share(report, results, "ill-conditioned from the start", 0.01,
            is(Agreement::ill_conditioned));
  add_share(report, results, "compared for a shorter time", -1,
            [](const MachineResult& r) { return r.shortened; });
  std::stable_sort(
      results.begin(), results.end(),
      [](const MachineResult& a, const MachineResult& b) { return a.difference > b.difference; });
  for (const MachineResult& r : results)
    if (r.agreement != Agreement::agrees || options.only >= 0) add_machine(report, r);
  return report;
}

}  // namespace hawser

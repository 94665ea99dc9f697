#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>

#include "bench/benches.h"
#include "commands.h"
#include "hawser/error.h"

namespace hawser {
namespace {

int show(const BenchReport& report, bool json) {
  const std::string text = json ? report.json().dump(1) + "\n" : report.table();
  std::fputs(text.c_str(), stdout);
  return report.ok() ? exit_ok : exit_failed;
}

struct BenchOptions {
  bool json = false, converged = false;
  int table = 0, runs = 420, scenes = 1000;
  unsigned seed = 1;
  double minutes = 10;
  long steps = 1000000;  ///< of bench memory
  std::vector<int> elements = {10, 100, 1000, 10000};
  std::vector<int> bodies = {2, 8, 32, 128};
  std::vector<Method> solves = {Method::linearized, Method::mixed, Method::mixed3};
  std::string svg, write;
};

std::vector<Method> solves_of(const std::vector<std::string>& names) {
  const std::map<std::string, Method> known = {{"linearized", Method::linearized},
                                               {"mixed", Method::mixed},
                                               {"mixed3", Method::mixed3},
                                               {"newton", Method::newton}};
  std::vector<Method> out;
  for (const std::string& name : names) {
    const auto at = known.find(name);
    if (at == known.end())
      throw Error("bench step, --solve", "'" + name + "'", "linearized, mixed, mixed3 or newton");
    out.push_back(at->second);
  }
  return out;
}

}  // namespace

void add_bench_command(CLI::App& app, int& exit_code) {
  CLI::App* bench =
      app.add_subcommand("bench", "Published cases and measurements, ours beside the reference");
  bench->require_subcommand(1);
  const auto o = std::make_shared<BenchOptions>();
  const auto add = [&](const char* name, const char* help, auto run) {
    CLI::App* sub = bench->add_subcommand(name, help);
    sub->add_flag("--json", o->json, "Print {\"bench\":..., \"rows\":[...]} instead of a table");
    sub->callback([o, run, &exit_code] { exit_code = show(run(*o), o->json); });
    return sub;
  };
  CLI::App* westin =
      add("westin-irani", "Flexible pendulum: their Tables 2 to 5 and the converged motion",
          [](const BenchOptions& b) {
            return bench_westin_irani(b.converged ? converged_rows : b.table);
          });
  CLI::Option* table = westin->add_option("--table", o->table, "Only this table: 2, 3, 4 or 5")
                           ->check(CLI::Range(2, 5));
  westin->add_flag("--converged", o->converged, "Only the converged tip heights")->excludes(table);
  add("gerstmayr-shabana", "Roll-up into a semicircle; soft pendulum in space",
      [](const BenchOptions&) { return bench_gerstmayr_shabana(); });
  add("catenary",
      "Hanging cables: the initial shape against closed forms, ancf in balance against it",
      [](const BenchOptions&) { return bench_catenary(); });
  add("servin-lacoursiere", "Massless cable: periods and energies of two boxes, every stiffness",
      [](const BenchOptions&) { return bench_servin_lacoursiere(); });
  add("tonin-braun", "Position elements: free fall, conical pendulum, cable and body",
      [](const BenchOptions&) { return bench_tonin_braun(); });
  add("gu", "Fractional viscosity: a stretched bar, a pendulum, a wire that lets go",
      [](const BenchOptions&) { return bench_gu(); });
  CLI::App* damping =
      add("damping", "Decays of one mode under each law of damping, stretched and bent",
          [](const BenchOptions& b) { return bench_damping(b.svg); });
  damping->add_option("--svg", o->svg, "Also draw it into this file");
  add("modes", "Natural frequencies and damping of strings, beams, chains, sagging cables, bodies",
      [](const BenchOptions&) { return bench_modes(true); });
  add("hoist-models", "One hoist with every model of its rope: agreement and cost",
      [](const BenchOptions&) { return bench_hoist_models(); });
  CLI::App* massless = add("massless", "CPU time that a massless cable over bodies adds to a step",
                           [](const BenchOptions& b) { return bench_massless(b.bodies); });
  massless->add_option("--bodies", o->bodies, "Numbers of bodies, separated by commas")
      ->delimiter(',')
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  add("scenes", "The shipped scenes, against what each must reach",
      [](const BenchOptions&) { return bench_scenes(); });
  CLI::App* stability =
      add("stability", "Random pendulums: how many gain energy, for every one-solve method",
          [](const BenchOptions& b) { return bench_stability(b.runs, b.seed); });
  stability->add_option("--runs", o->runs, "Number of pendulums")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  stability->add_option("--seed", o->seed, "Of the random numbers")->capture_default_str();
  CLI::App* statics =
      add("statics", "Random scenes brought to rest: how many, by which way, how well",
          [](const BenchOptions& b) { return bench_statics(b.scenes, b.seed); });
  statics->add_option("--scenes", o->scenes, "Number of scenes")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  statics->add_option("--seed", o->seed, "Of the random numbers")->capture_default_str();
  CLI::App* step = add("step", "CPU time of a step against the number of elements",
                       [](const BenchOptions& b) { return bench_step(b.elements, b.solves); });
  step->add_option("--elements", o->elements, "Numbers of elements, separated by commas")
      ->delimiter(',')
      ->check(CLI::Range(1, 10000000))
      ->capture_default_str();
  step->add_option_function<std::vector<std::string>>(
          "--solve", [o](const std::vector<std::string>& names) { o->solves = solves_of(names); },
          "linearized, mixed, mixed3, newton; separated by commas")
      ->delimiter(',');
  CLI::App* memory = add("memory", "Fractional damping with full memory: its cost and its error",
                         [](const BenchOptions& b) { return bench_memory(b.steps); });
  memory->add_option("--steps", o->steps, "Of each run")
      ->check(CLI::Range(1000L, 100'000'000L))
      ->capture_default_str();
  CLI::App* precision = add("work-precision", "Error against CPU time for every integrator",
                            [](const BenchOptions& b) { return bench_work_precision(b.svg); });
  precision->add_option("--svg", o->svg, "Also draw it into this file");
  CLI::App* recording = add("recording", "CPU time, memory and bytes that recording takes",
                            [](const BenchOptions& b) { return bench_recording(b.minutes); });
  recording->add_option("--minutes", o->minutes, "Simulated")
      ->check(CLI::Range(0.1, 1000.0))
      ->capture_default_str();
  CLI::App* validation = bench->add_subcommand(
      "validation", "Run every case that has a reference; exit code 1 when one is outside");
  validation->add_option("--write", o->write, "Write docs/validation.md")->required();
  validation->callback(
      [o, &exit_code] { exit_code = write_validation(o->write) ? exit_ok : exit_failed; });
}

}  // namespace hawser

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands.h"
#include "hawser/error.h"
#include "hawser/run.h"
#include "hawser/units.h"
#include "progress.h"
#include "run_summary.h"
#include "scenes_command.h"
#include "setup_display.h"

namespace hawser {
namespace {

volatile std::sig_atomic_t stop_signal = 0, stepping = 0;

/// Before the first step is done there is nothing to keep, and what is under way may take minutes.
void on_signal(int signal) {
  stop_signal = signal;
  if (stepping != 0) return;
  constexpr std::string_view text = "\nhawser: stopped before the first step\n";
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(exit_failed);
  _exit(exit_signal + signal);
}

/// The first Ctrl-C, SIGTERM or SIGHUP asks the run to stop; the second ends the program at once.
void watch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  struct sigaction old {};
  sigaction(SIGHUP, &action, &old);
  if (old.sa_handler == SIG_IGN) sigaction(SIGHUP, &old, nullptr);  // started with nohup
}

/// What the command line says, as it says it.
struct RunArguments {
  std::string scene = "flying-rope";
  std::string directory, until, step, threads, checkpoint_every, resume, replay;
  std::vector<std::string> sets, formats;
  bool overwrite = false, quiet = false, no_report = false;
};

std::vector<std::string> all_sets(const RunArguments& a) {
  std::vector<std::string> sets = a.sets;
  if (!a.until.empty()) sets.push_back("solve.until=" + a.until);
  if (!a.step.empty()) sets.push_back("solve.step=" + a.step);
  if (!a.threads.empty()) sets.push_back("solve.threads=" + a.threads);
  return sets;
}

RunOptions run_options(const RunArguments& a, const std::string& scene_path) {
  RunOptions o;
  o.overwrite = a.overwrite;
  o.report = !a.no_report;
  if (!a.formats.empty()) {
    const auto has = [&](const char* name) {
      return std::find(a.formats.begin(), a.formats.end(), name) != a.formats.end();
    };
    if (has("none") && a.formats.size() > 1)
      throw Error("run, --format", "none together with others",
                  "none alone, or some of csv, h5, vtk");
    o.csv = has("csv");
    o.hdf5 = has("h5");
    o.vtk = has("vtk");
  }
  if (!a.checkpoint_every.empty())
    o.checkpoint_every =
        parse_quantity(a.checkpoint_every, quantity::time, "run, --checkpoint-every");
  const bool nothing = !o.csv && !o.hdf5 && !o.vtk;
  o.directory = a.directory;
  if (o.directory.empty() && !nothing) {
    o.directory = "results/" + std::filesystem::path(scene_path).stem().string();
    if (!o.overwrite) o.directory = unused_directory(o.directory);
  }
  return o;
}

int finish(const RunReport& report, const std::string& directory) {
  std::fputs(run_summary(report, directory).c_str(), stdout);
  std::fflush(stdout);
  if (report.end == RunEnd::stopped) {
    if (!directory.empty())
      std::fputs(
          fmt::format("hawser: stopped; to continue: hawser run --resume {}\n", directory).c_str(),
          stderr);
    return exit_signal + stop_signal;
  }
  const bool fine = report.end == RunEnd::finished && report.expectations_met();
  return fine ? exit_ok : exit_failed;
}

int run_or_resume(const RunArguments& a) {
  ProgressDisplay display(progress_style(a.quiet), stderr);
  SetupDisplay setup(progress_style(a.quiet), stderr);
  const auto watch = [&](RunOptions& o) {
    o.warn = [&](const std::string& text) {
      setup.finish();
      display.say("hawser: warning: " + text);
    };
    o.stage = [&](const std::string& text) { setup.stage(text); };
    o.progress = [&](const Progress& progress) {
      if (stepping == 0) setup.finish();
      stepping = 1;
      display.show(progress);
      return stop_signal == 0;
    };
    watch_signals();
  };
  if (!a.resume.empty()) {
    RunOptions o;
    o.directory = a.resume;
    if (!a.replay.empty()) o.replay = read_settings(a.replay);
    o.report = !a.no_report;
    std::optional<double> until;
    if (!a.until.empty()) until = parse_quantity(a.until, quantity::time, "run, --until");
    watch(o);
    const RunReport report = resume(o, until);
    display.clear();
    return finish(report, o.directory);
  }
  const std::string path = find_scene(a.scene);
  std::vector<LoggedSetting> replay;
  if (!a.replay.empty()) replay = read_settings(a.replay);
  std::vector<std::string> sets = all_sets(a);
  if (uses_hand(replay)) sets.emplace_back("hand=true");
  const SceneFile file = read_scene(path, sets);
  RunOptions o = run_options(a, path);
  o.replay = std::move(replay);
  watch(o);
  const RunReport report = run(file, o);
  display.clear();
  return finish(report, o.directory);
}

}  // namespace

void add_run_command(Command& program) {
  Command& run = program.add("run", "Simulate a scene, write results and print a summary");
  const auto a = std::make_shared<RunArguments>();
  run.option("scene", &a->scene, "A scene file, or the name of an example scene (`hawser scenes`)",
             {.show_default = true});
  run.option("-o,--output", &a->directory,
             "Results folder; default: results/NAME, or NAME-2, ... if it exists",
             {.type_name = "DIR"});
  run.option("--until", &a->until, "End time, such as '10 s'", {.type_name = "TIME"});
  run.option("--step", &a->step, "Time step, such as '5 ms'", {.type_name = "TIME"});
  run.option("--threads", &a->threads,
             "Threads of a large scene; default: one per core, at most 8. Results are the same",
             {.type_name = "COUNT"});
  run.option("--set", &a->sets, "Override a value of the scene: --set 'cables.tether.length=20 m'",
             {.type_name = "PATH=VALUE", .one_value = true});
  run.option(
      "--format", &a->formats,
      "Output formats: csv, h5, vtk (for ParaView), separated by commas; or none. Default: csv,h5",
      {.type_name = "LIST",
       .one_value = true,
       .delimiter = ',',
       .one_of = {"csv", "h5", "vtk", "none"}});
  run.option("--overwrite", &a->overwrite, "Replace the results of an earlier run");
  run.option("--no-report", &a->no_report, "Do not write report.html");
  run.option("--checkpoint-every", &a->checkpoint_every,
             "Simulated time between checkpoints, such as '1 s'; there is always one at the end",
             {.type_name = "TIME"});
  run.option("--resume", &a->resume, "Resume the run in this results folder; --until extends it",
             {.type_name = "DIR",
              .not_with = {"scene", "--output", "--step", "--threads", "--set", "--format",
                           "--overwrite", "--checkpoint-every"},
              .not_with_reason = "a resumed run keeps its options: omit "});
  run.option(
      "--replay", &a->replay,
      "Repeat what was done in an earlier run or live view of the scene (inputs, pulls, cuts): "
      "its results folder, or inputs.csv in it",
      {.type_name = "LOG"});
  run.option("--quiet", &a->quiet, "Do not show progress");
  run.footer(
      "Examples:\n"
      "  hawser run                                   the first scene to try\n"
      "  hawser run mine.yaml -o out --until '30 s'   your own scene, results in out/\n"
      "  hawser run --resume out --until '60 s'       continue it\n"
      "Results: report.html (open it in a browser), channels.csv, results.h5, with --format vtk "
      "results.vtkhdf (ParaView 5.12 or newer), inputs.csv (settings of inputs), summary.json, the "
      "resolved scene (scene.yaml) "
      "and checkpoint.bin.\n"
      "Ctrl-C, SIGTERM or SIGHUP stop the run after the current step, with results and a "
      "checkpoint; "
      "a second one exits at once.\n"
      "Exit codes: 0 success, 1 the run failed or an expectation was not met, 2 bad input, 130 "
      "stopped "
      "by Ctrl-C (143 by SIGTERM, 129 by SIGHUP).");
  run.does([a] { return run_or_resume(*a); });
}

}  // namespace hawser

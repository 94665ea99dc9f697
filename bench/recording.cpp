// What the program around the steps costs: a run without files, with its tables, with VTK, and its
// report. CPU time, memory, bytes. Measured on run() itself.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "bench/benches.h"
#include "hawser/integrator.h"
#include "hawser/report.h"
#include "hawser/run.h"
#include "scenes_command.h"

namespace hawser {
namespace {

namespace fs = std::filesystem;

constexpr int recording_windows = 10, rounds = 5;

/// 10 m of steel wire rope hanging in 100 elements, its top shaken 0.1 m at 0.5 Hz; h = 1 ms.
SceneFile shaken_cable() {
  SceneFile file;
  file.title = "A hanging cable, shaken";
  Cable rope;
  rope.name = "rope";
  rope.sections = {Section::round(0.01, 1e9, 5000)};
  rope.route = {Stop::hold("top"), {0, 0, -10}};
  rope.elements = 100;
  rope.strain = StrainMeasure::green;
  file.scene.cables = {rope};
  Support top;
  top.name = "top";
  top.motion[0] = Signal::sine(0.1, 0.5);
  file.scene.supports = {top};
  file.until = 60;
  return file;
}

struct RecordedCase {
  std::string name;
  SceneFile file;
};

std::vector<RecordedCase> recorded_cases() {
  std::vector<RecordedCase> out = {{"shaken cable", shaken_cable()}};
  for (const char* name : {"flying-rope", "mooring-line", "tower-crane", "pendulum-westin-irani"})
    out.push_back({name, read_scene(find_scene(name))});
  return out;
}

enum class Variant { stepping, nothing, tables, vtk };
constexpr Variant variants[] = {Variant::stepping, Variant::nothing, Variant::tables, Variant::vtk};
constexpr const char* variant_names[] = {"bare stepping", "run without files",
                                         "run with CSV and HDF5", "run with VTK"};

/// Of one run, or the least of several. Plain data: it goes through a pipe.
struct Measured {
  double
      cpu[recording_windows + 2]{};  ///< before the first step, by window, after the last step [s]
  double report = 0;                 ///< of writing report.html [s]
  double memory[2]{};                ///< resident at 10 % and at the end [MB]
  double megabytes = 0;              ///< written

  [[nodiscard]] double total() const {
    double sum = 0;
    for (const double c : cpu) sum += c;
    return sum;
  }
  void take_least(const Measured& other) {
    for (size_t i = 0; i < std::size(cpu); ++i) cpu[i] = std::min(cpu[i], other.cpu[i]);
    report = std::min(report, other.report);
  }
};

/// Resident memory of this process [MB].
double resident() {
  std::ifstream in("/proc/self/statm");
  double size = 0, pages = 0;
  in >> size >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

double folder_megabytes(const fs::path& folder) {
  double bytes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
  return bytes / 1e6;
}

/// CPU time by windows, which are parts of the simulated time, so that each holds the same work in
/// every run; the time at their ends is interpolated between two looks.
class Windows {
 public:
  Windows(double until, Measured& out) : until_(until), out_(out) {}

  void start() {
    window_start_ = cpu_before_ = cpu_seconds();
    out_.cpu[0] = window_start_ - begin_;
  }
  void look(double t) {
    const double cpu = cpu_seconds();
    for (; window_ < recording_windows && t >= end() - 1e-9 * until_; ++window_) {
      const double share = t > t_before_ ? (end() - t_before_) / (t - t_before_) : 1;
      const double at_end = cpu_before_ + share * (cpu - cpu_before_);
      out_.cpu[1 + window_] = at_end - window_start_;
      window_start_ = at_end;
      if (window_ == 0) out_.memory[0] = resident();
    }
    t_before_ = t;
    cpu_before_ = cpu;
  }
  void finish() { out_.cpu[recording_windows + 1] = cpu_seconds() - window_start_; }

 private:
  [[nodiscard]] double end() const { return until_ * (window_ + 1) / recording_windows; }

  double until_;
  Measured& out_;
  int window_ = 0;
  double begin_ = cpu_seconds(), t_before_ = 0, cpu_before_ = 0, window_start_ = 0;
};

constexpr double look_every = 0.02;  ///< wall time [s]

/// The model, its start and its steps: what the rest comes on top of.
Measured measure_stepping(const SceneFile& file) {
  Measured out;
  Windows timer(file.until, out);
  const Model model = compile(file);
  Integrator integrator(model, file.solve);
  State state = integrator.start();
  timer.start();
  double next = wall_seconds() + look_every;
  const double end = file.until - file.solve.step / 2;
  while (state.t < end) {
    for (int i = 0; i < 16 && state.t < end; ++i)
      if (integrator.step(state) != Status::ok)
        throw std::runtime_error(integrator.failure().message());
    if (wall_seconds() < next) continue;
    timer.look(state.t);
    next = wall_seconds() + look_every;
  }
  timer.look(file.until);
  timer.finish();
  return out;
}

Measured measure_run(Variant variant, SceneFile file, const fs::path& folder) {
  Measured out;
  RunOptions options;
  options.csv = options.hdf5 = variant == Variant::tables;
  options.vtk = variant == Variant::vtk;
  file.record.every = file.record.shapes_every = 0.01;
  if (variant == Variant::vtk) file.record.shapes_every = 0;
  if (variant != Variant::nothing) options.directory = folder;
  options.overwrite = true;
  options.progress_every = look_every;
  Windows timer(file.until, out);
  options.stage = [&](const std::string& stage) {
    if (stage == "taking the first step") timer.start();
  };
  options.progress = [&](const Progress& p) {
    timer.look(p.t);
    if (p.t > 0.99 * file.until) out.memory[1] = resident();  // run() frees it when it returns
    return true;
  };
  const RunReport report = run(file, options);
  if (report.end != RunEnd::finished) throw std::runtime_error(report.failure);
  timer.look(file.until);
  timer.finish();
  if (variant == Variant::nothing) return out;
  out.megabytes = folder_megabytes(folder);
  if (variant != Variant::tables || file.resolved.empty() || !has_report_page()) return out;
  const double before = cpu_seconds();
  write_report(folder, folder / "report.html");
  out.report = cpu_seconds() - before;
  return out;
}

/// In a process of its own: what earlier runs left in memory must not be counted.
Measured measure_alone(Variant variant, const RecordedCase& one, const fs::path& folder) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("bench recording: no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("bench recording: no new process");
  if (child == 0) {
    try {
      const Measured result = variant == Variant::stepping ? measure_stepping(one.file)
                                                           : measure_run(variant, one.file, folder);
      _exit(write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
    } catch (const std::exception& error) {
      std::fputs(fmt::format("hawser: {}\n", error.what()).c_str(), stderr);
      _exit(1);
    }
  }
  close(ends[1]);
  Measured result;
  const bool whole = read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!whole) throw std::runtime_error(fmt::format("bench recording: '{}' failed", one.name));
  return result;
}

BenchRow row(const std::string& name, const std::string& quantity, const char* unit, double ours) {
  BenchRow out;
  out.name = name;
  out.quantity = quantity;
  out.unit = unit;
  out.ours = ours;
  return out;
}

/// A share that may be so many percent [%] or less.
BenchRow share_row(const std::string& name, const std::string& quantity, double share,
                   double most) {
  BenchRow out = row(name, quantity, "%", 100 * share);
  out.reference = 0;
  out.source = fmt::format("goal at most {:g} %", most);
  out.tolerance = most;
  out.kind = Tolerance::absolute;
  return out;
}

void add_rows(BenchReport& report, const RecordedCase& one, const Measured (&least)[4]) {
  const double bare = least[0].total(), plain = least[1].total();
  for (size_t v = 0; v < 4; ++v) {
    BenchRow time =
        row(one.name, fmt::format("{}, CPU time", variant_names[v]), "s", least[v].total());
    time.extra = {{"before_first_step", least[v].cpu[0]},
                  {"after_last_step", least[v].cpu[recording_windows + 1]},
                  {"ratio_to_bare_stepping", least[v].total() / bare}};
    report.add(time);
    if (v == 0) continue;
    const double of = v == 1 ? bare : plain;
    report.add(share_row(
        one.name, fmt::format("{}, above {}", variant_names[v], variant_names[v == 1 ? 0 : 1]),
        least[v].total() / of - 1, v == 1 ? 10 : 5));
    if (v > 1) report.add(row(one.name, "written", "MB", least[v].megabytes));
  }
  if (least[2].report > 0) report.add(row(one.name, "report.html, CPU time", "s", least[2].report));
}

}  // namespace

BenchReport bench_recording(double factor) {
  BenchReport report(
      "recording", "hawser bench recording",
      fmt::format("Cost of a run around its steps. Channels and shapes at 100 Hz; VTK at 25 Hz. "
                  "CPU time: minimum over {} rounds, window by window. Runs are {:g} times as long "
                  "as the scenes say.",
                  rounds, factor));
  const fs::path folder =
      fs::temp_directory_path() / fmt::format("hawser-bench-recording-{}", getpid());
  for (RecordedCase& one : recorded_cases()) {
    one.file.until *= factor;
    Measured least[std::size(variants)];
    for (int round = 0; round < rounds; ++round)
      for (size_t v = 0; v < std::size(variants); ++v) {
        const Measured now = measure_alone(variants[v], one, folder);
        if (round == 0) least[v] = now;
        least[v].take_least(now);
      }
    add_rows(report, one, least);
  }
  fs::remove_all(folder);
  return report;
}

}  // namespace hawser

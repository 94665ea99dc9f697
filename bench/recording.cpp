// What recording costs a run: CPU time, memory, bytes. Measured on run() itself.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "bench/benches.h"
#include "hawser/run.h"

namespace hawser {
namespace {

namespace fs = std::filesystem;

constexpr int windows = 10;

/// 10 m of steel wire rope hanging in 100 elements, its top shaken 0.1 m at 0.5 Hz; h = 1 ms,
/// channels and shapes recorded at 100 Hz.
SceneFile shaken_cable(double seconds) {
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
  file.until = seconds;
  file.record.every = file.record.shapes_every = 0.01;
  return file;
}

struct Variant {
  const char* name;
  bool tables, vtk;
};
constexpr Variant variants[] = {
    {"nothing recorded", false, false}, {"CSV and HDF5", true, false}, {"VTK alone", false, true}};

/// Of one run, or the least of several.
struct Measured {
  double cpu[windows];   ///< by window [s]
  double memory[2];      ///< resident at 10 % and at the end [MB]
  double megabytes = 0;  ///< written

  [[nodiscard]] double total() const {
    double sum = 0;
    for (const double c : cpu) sum += c;
    return sum;
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

/// One run. The windows are parts of the simulated time, so that each holds the same work in
/// every run; CPU time at their ends is interpolated between two looks.
Measured measure(const Variant& variant, double seconds, const fs::path& folder) {
  Measured out{};
  SceneFile file = shaken_cable(seconds);
  RunOptions options;
  options.csv = options.hdf5 = variant.tables;
  options.vtk = variant.vtk;
  if (variant.vtk) file.record.shapes_every = 0.04;
  if (variant.tables || variant.vtk) options.directory = folder;
  options.overwrite = true;
  options.progress_every = 0.01;
  int window = 0;
  double t_before = 0, cpu_before = cpu_seconds(), window_start = cpu_before;
  const auto look = [&](double t) {
    const double cpu = cpu_seconds();
    for (double end = seconds * (window + 1) / windows; window < windows && t >= end - 1e-9;
         end = seconds * (window + 1) / windows) {
      const double share = t > t_before ? (end - t_before) / (t - t_before) : 1;
      const double at_end = cpu_before + share * (cpu - cpu_before);
      out.cpu[window] = at_end - window_start;
      window_start = at_end;
      if (window == 0) out.memory[0] = resident();
      ++window;
    }
    t_before = t;
    cpu_before = cpu;
  };
  options.progress = [&](const Progress& p) {
    look(p.t);
    if (p.t > 0.99 * seconds) out.memory[1] = resident();  // run() frees it when it returns
    return true;
  };
  const RunReport report = run(file, options);
  if (report.end != RunEnd::finished) throw std::runtime_error(report.failure);
  look(seconds);
  if (!options.directory.empty()) out.megabytes = folder_megabytes(folder);
  return out;
}

/// The same in a process of its own: what earlier runs left in memory must not be counted.
Measured measure_alone(const Variant& variant, double seconds, const fs::path& folder) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("bench recording: no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("bench recording: no new process");
  if (child == 0) {
    try {
      const Measured result = measure(variant, seconds, folder);
      _exit(write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
    } catch (const std::exception& error) {
      std::fputs(fmt::format("hawser: {}\n", error.what()).c_str(), stderr);
      _exit(1);
    }
  }
  close(ends[1]);
  Measured result{};
  const bool whole = read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!whole) throw std::runtime_error(fmt::format("bench recording: '{}' failed", variant.name));
  return result;
}

BenchRow row(const std::string& name, const char* quantity, const char* unit, double ours) {
  BenchRow out;
  out.name = name;
  out.quantity = quantity;
  out.unit = unit;
  out.ours = ours;
  return out;
}

}  // namespace

BenchReport bench_recording(double minutes) {
  BenchReport report(
      "recording", "hawser bench recording",
      fmt::format("{:g} min of a hanging cable of 100 elements with a moving support, "
                  "h = 1 ms; channels and shapes at 100 Hz, VTK at 25 Hz. CPU time: "
                  "minimum over rounds, window by window.",
                  minutes));
  const fs::path folder =
      fs::temp_directory_path() / fmt::format("hawser-bench-recording-{}", getpid());
  Measured least[std::size(variants)];
  for (int round = 0; round < 3; ++round)
    for (size_t v = 0; v < std::size(variants); ++v) {
      const Measured now = measure_alone(variants[v], 60 * minutes, folder);
      if (round == 0) least[v] = now;
      for (int w = 0; w < windows; ++w) least[v].cpu[w] = std::min(least[v].cpu[w], now.cpu[w]);
    }
  fs::remove_all(folder);
  const double plain = least[0].total();
  for (size_t i = 0; i < std::size(variants); ++i) {
    const Measured& v = least[i];
    const std::string name = variants[i].name;
    report.add(row(name, "CPU time", "s", v.total()));
    if (i == 0) continue;
    BenchRow share = row(name, "share of the run without", "%", 100 * (v.total() / plain - 1));
    share.reference = 0;
    if (variants[i].tables) {
      share.source = "goal below 10 %";
      share.tolerance = 10;
      share.kind = Tolerance::absolute;
    }
    report.add(share);
    BenchRow growth =
        row(name, "memory at 100 % less that at 10 %", "MB", v.memory[1] - v.memory[0]);
    growth.extra = {{"resident_at_10_percent", v.memory[0]}, {"resident_at_end", v.memory[1]}};
    growth.reference = 0;
    growth.source = fmt::format("goal below 1 MB; {:.1f} MB at the end", v.memory[1]);
    growth.tolerance = 1;
    growth.kind = Tolerance::absolute;
    report.add(growth);
    report.add(row(name, "written", "MB", v.megabytes));
  }
  return report;
}

}  // namespace hawser

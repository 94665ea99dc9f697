// What recording costs a run: CPU time, memory, bytes. Measured on run() itself.
#include <fmt/format.h>
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
  rope.section = Section::round(0.01, 1e9, 5000);
  rope.end = {0, 0, -10};
  rope.elements = 100;
  file.scene.cables = {rope};
  const Coordinate axes[] = {Coordinate::x, Coordinate::y, Coordinate::z};
  for (const Coordinate axis : axes) {
    Motion motion;
    motion.at = {"rope", 0};
    motion.coordinate = axis;
    if (axis == Coordinate::x) motion.value = Signal::sine(0.1, 0.5);
    file.scene.motions.push_back(motion);
  }
  file.supports = {{"top", {{"rope", 0}}, false}};
  file.until = seconds;
  file.record.every = file.record.shapes_every = 0.01;
  return file;
}

struct Variant {
  const char* name;
  bool tables, vtk;
  double cpu[windows];   ///< least of all rounds, by window [s]
  double memory[2]{};    ///< resident at 10 % and at the end [MB]
  double megabytes = 0;  ///< written

  Variant(const char* n, bool with_tables, bool with_vtk)
      : name(n), tables(with_tables), vtk(with_vtk) {
    std::fill(std::begin(cpu), std::end(cpu), HUGE_VAL);
  }
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

/// One round. The windows are parts of the simulated time, so that each holds the same work in
/// every round; CPU time at their ends is interpolated between two looks.
void measure(Variant& variant, double seconds, const fs::path& folder) {
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
      variant.cpu[window] = std::min(variant.cpu[window], at_end - window_start);
      window_start = at_end;
      if (window == 0) variant.memory[0] = resident();
      ++window;
    }
    t_before = t;
    cpu_before = cpu;
  };
  options.progress = [&](const Progress& p) {
    look(p.t);
    return true;
  };
  const RunReport report = run(file, options);
  if (report.end != RunEnd::finished) throw std::runtime_error(report.failure);
  look(seconds);
  variant.memory[1] = resident();
  if (!options.directory.empty()) variant.megabytes = folder_megabytes(folder);
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
  BenchReport report("recording", "hawser bench recording",
                     fmt::format("{:g} min of a hanging cable of 100 elements shaken at its top, "
                                 "h = 1 ms; channels and shapes at 100 Hz, VTK at 25 Hz. CPU time: "
                                 "least over rounds, window by window.",
                                 minutes));
  Variant variants[] = {{"nothing recorded", false, false},
                        {"CSV and HDF5", true, false},
                        {"VTK alone", false, true}};
  const fs::path folder =
      fs::temp_directory_path() / fmt::format("hawser-bench-recording-{}", getpid());
  for (int round = 0; round < 3; ++round)
    for (Variant& variant : variants) measure(variant, 60 * minutes, folder);
  fs::remove_all(folder);
  const double plain = variants[0].total();
  for (const Variant& v : variants) {
    report.add(row(v.name, "CPU time", "s", v.total()));
    if (&v == variants) continue;
    BenchRow share = row(v.name, "share of the run without", "%", 100 * (v.total() / plain - 1));
    share.reference = 0;
    if (v.tables) {
      share.source = "goal below 10 %";
      share.tolerance = 10;
      share.kind = Tolerance::absolute;
    }
    report.add(share);
    BenchRow growth =
        row(v.name, "memory at 100 % less that at 10 %", "MB", v.memory[1] - v.memory[0]);
    growth.extra = {{"resident_at_10_percent", v.memory[0]}, {"resident_at_end", v.memory[1]}};
    growth.reference = 0;
    growth.source = fmt::format("goal below 1 MB; {:.1f} MB at the end", v.memory[1]);
    growth.tolerance = 1;
    growth.kind = Tolerance::absolute;
    report.add(growth);
    report.add(row(v.name, "written", "MB", v.megabytes));
  }
  return report;
}

}  // namespace hawser

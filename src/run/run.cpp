#include "hawser/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "hawser/error.h"
#include "hawser/report.h"
#include "run/checkpoint.h"
#include "run/driver.h"
#include "run/results_folder.h"
#include "run/summary.h"

namespace hawser {
namespace {

/// A report that cannot be written is no failure of the run.
void add_report(const std::string& directory, RunReport& report) {
  try {
    write_report(directory, directory + "/" + report_file);
    report.files.emplace_back(report_file);
  } catch (const Error& error) {
    report.warnings.push_back(std::string("no report: ") + error.what());
  }
}

RunReport drive(Driver& driver, const RunOptions& options) {
  RunReport report = driver.run();
  const std::string& directory = options.directory;
  if (directory.empty()) return report;
  report.files = files_of_run(directory);
  std::erase(report.files, report_file);  // of the run before it was resumed
  if (std::find(report.files.begin(), report.files.end(), summary_file) == report.files.end())
    report.files.emplace_back(summary_file);
  try {
    replace_file(directory + "/" + summary_file, summary_json(report));
  } catch (const Error& error) {
    if (report.end != RunEnd::failed) report.failure = error.what();
    report.end = RunEnd::failed;
    return report;
  }
  if (options.report && options.hdf5 && has_report_page()) add_report(directory, report);
  return report;
}

}  // namespace

bool RunReport::expectations_met() const {
  return std::all_of(expectations.begin(), expectations.end(),
                     [](const ExpectationReport& e) { return e.met || !e.reached; });
}

RunReport run(const SceneFile& file, const RunOptions& options) {
  Driver driver(file, options, nullptr);
  return drive(driver, options);
}

RunReport resume(const RunOptions& options, std::optional<double> until) {
  const FolderLock lock(options.directory);
  const Checkpoint checkpoint = read_checkpoint(options.directory + "/" + checkpoint_file);
  SceneFile file = read_scene_text(checkpoint.scene, checkpoint.file);
  file.until = checkpoint.until;
  if (until) {
    if (!(*until > checkpoint.snapshot.state.t))
      throw Error("the end of the resumed run", fmt::format("{:g} s", *until),
                  fmt::format("a time after {:g} s, which the run in {} has already reached",
                              checkpoint.snapshot.state.t, options.directory));
    file.until = *until;
  }
  RunOptions as_begun = options;
  as_begun.csv = checkpoint.csv;
  as_begun.hdf5 = checkpoint.hdf5;
  as_begun.vtk = checkpoint.vtk;
  as_begun.checkpoint_every = checkpoint.checkpoint_every;
  Driver driver(file, as_begun, &checkpoint);
  return drive(driver, as_begun);
}

}  // namespace hawser

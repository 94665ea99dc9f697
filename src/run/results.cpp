#include "run/results.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <optional>

#include "base/version.h"
#include "kernels/kernels.h"
#include "record/csv_sink.h"
#include "record/hdf5_sink.h"
#include "record/vtk_sink.h"
#include "run/results_folder.h"
#include "run/settings.h"

namespace hawser {
namespace {

std::string machine() {
  utsname name{};
  uname(&name);
  return fmt::format("{} {} {}", name.sysname, name.release, name.machine);
}

}  // namespace

std::vector<std::string> files_of_sinks(const Scene& scene, const RunOptions& options) {
  std::vector<std::string> out;
  if (!scene.inputs.empty() || !options.replay.empty()) out.emplace_back(settings_file);
  if (options.csv) out.emplace_back("channels.csv");
  if (options.hdf5) out.insert(out.end(), {"results.h5", report_file});
  if (options.vtk) out.emplace_back("results.vtkhdf");
  return out;
}

std::unique_ptr<Recorder> make_recorder(const SceneFile& file, const Model& model,
                                        const std::vector<std::string>& channels,
                                        const RunOptions& options, const RecorderProgress* from) {
  Recording recording = file.record;
  recording.channels = channels;
  // Controlled steps end on the times of samples: none is taken before its time.
  const double step = file.solve.step * (file.solve.error_control ? 1e-9 : 1);
  auto recorder = from != nullptr ? std::make_unique<Recorder>(model, recording, *from, step)
                                  : std::make_unique<Recorder>(model, recording, file.until, step);
  ResultLayout layout = recorder->layout();
  layout.title = file.title;
  layout.metadata = {{"scene", file.resolved},
                     {"hawser", program_version()},
                     {"kernels", kernels().name},
                     {"machine", machine()}};
  std::optional<SinkPosition> at;
  if (from != nullptr) at = from->written;
  if (options.csv) recorder->add(std::make_unique<CsvSink>(options.directory, layout, at));
  if (options.hdf5) recorder->add(std::make_unique<Hdf5Sink>(options.directory, layout, at));
  if (options.vtk) recorder->add(std::make_unique<VtkSink>(options.directory, layout, at));
  return recorder;
}

}  // namespace hawser

#include <algorithm>
#include <optional>

#include "hawser/run.h"
#include "record/recorder.h"
#include "run/compile.h"
#include "run/expectations.h"

namespace hawser {

RunPlan plan_run(const SceneFile& file, const Model& model) {
  LateErrors errors(file);
  Recording recording = file.record;
  std::optional<State> start;  // of a scene at rest it takes a search: a run's
  errors.attempt("solve", [&] {
    Integrator checked(model, file.solve);
    if (file.scene.initial != Initial::rest) start = checked.start();
  });
  errors.attempt("record", [&] { recording.channels = recorded_channels(file, model); });
  errors.attempt({}, [&] { check_slack(file, recording.channels); });
  errors.attempt("inputs", [&] { (void)feedback_of(file, model); });
  errors.attempt("expect", [&] { const Expectations checked(file, model); });
  errors.throw_if_any();
  const Recorder recorder(model, recording, file.until, file.solve.step);
  const ResultLayout layout = recorder.layout();
  const double step = file.solve.error_control ? 0 : file.solve.step;
  RunPlan out;
  out.channels = recording.channels;
  out.columns = layout.columns;
  out.every = std::max(recorder.progress().every, step);
  out.shapes_every = std::max(recorder.progress().shapes_every, step);
  for (const ResultLayout::Cable& cable : layout.cables)
    out.points += static_cast<int>(cable.s.size());
  out.warnings = warnings_before(file, model, start ? &*start : nullptr);
  return out;
}

}  // namespace hawser

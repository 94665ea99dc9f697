#include "run/driver.h"

#include <fmt/format.h>

#include <algorithm>

#include "hawser/error.h"
#include "integrate/march.h"
#include "model/model_data.h"
#include "run/compile.h"
#include "run/results.h"
#include "run/results_folder.h"

namespace hawser {

Driver::Driver(const SceneFile& file, const RunOptions& options, const Checkpoint* checkpoint)
    : file_(file),
      options_(options),
      model_(compile(file)),
      integrator_(model_, file.solve),
      tension_(model_),
      expectations_(file, model_),
      pace_(options.progress_every),
      slack_(file.solve.error_control ? 0 : file.solve.step / 2),
      wall_start_(wall_seconds()),
      cpu_start_(cpu_seconds()) {
  report_.title = file.title;
  report_.until = file.until;
  if (checkpoint != nullptr)
    go_on(*checkpoint);
  else
    begin();
  start_time_ = state_.t;
  if (options.checkpoint_every > 0)
    saved_ = static_cast<long>((state_.t + slack_) / options.checkpoint_every);
}

void Driver::begin() {
  const std::vector<std::string> channels = recorded_channels(file_, model_);
  state_ = integrator_.start();
  report_.energy_start = energy(model_, state_);
  if (!options_.directory.empty()) {  // from here on nothing is wrong with the scene
    prepare_folder(options_.directory, options_.overwrite);
    replace_file(options_.directory + "/" + scene_copy_file, file_.resolved);
    recorder_ = make_recorder(file_, model_, channels, options_, nullptr);
  }
  for (const std::string& text : file_.warnings) warn(text);
  look();
}

void Driver::go_on(const Checkpoint& checkpoint) {
  state_ = checkpoint.state;
  integrator_.resume(state_, checkpoint.counters);
  tension_.restore(checkpoint.tension);
  expectations_.restore(checkpoint.expectations);
  report_.energy_start = checkpoint.energy_start;
  report_.warnings = checkpoint.warnings;
  wall_before_ = checkpoint.wall;
  cpu_before_ = checkpoint.cpu;
  recorder_ = make_recorder(file_, model_, recorded_channels(file_, model_), options_,
                            &checkpoint.recorder);
}

RunReport Driver::run() {
  try {
    report_.end = step_to_the_end();
    if (report_.end == RunEnd::finished) warn_of_blows(true);
    // The checkpoint comes before the last row and the last expectations: a run that is extended
    // has neither.
    if (report_.end != RunEnd::failed) save();
    if (report_.end == RunEnd::finished) expectations_.finish(state_);
    if (recorder_ && report_.end != RunEnd::stopped) recorder_->finish(state_);
  } catch (const Error& error) {  // of the files: what is written stays
    report_.end = RunEnd::failed;
    report_.failure = error.what();
  }
  fill_report();
  return report_;
}

bool Driver::at_end() const { return state_.t >= file_.until - slack_; }

/// Where an error-controlled step must end at the latest: samples are taken at their very times.
double Driver::next_stop() const {
  double stop = std::min(file_.until, expectations_.next_time());
  if (recorder_) stop = std::min(stop, recorder_->next());
  return stop;
}

RunEnd Driver::step_to_the_end() {
  while (!at_end()) {
    if (integrator_.step(state_, next_stop()) != Status::ok) {
      report_.failure = integrator_.failure().message();
      return RunEnd::failed;
    }
    look();
    save_when_due();
    if (options_.progress && pace_.due() && !options_.progress(progress()))
      return at_end() ? RunEnd::finished : RunEnd::stopped;
  }
  return RunEnd::finished;
}

void Driver::look() {
  if (tension_.look(state_)) warn_of_overloads();
  warn_of_blows(false);
  expectations_.look(state_);
  if (recorder_) recorder_->sample(state_);
}

void Driver::save_when_due() {
  if (!recorder_ || options_.checkpoint_every <= 0) return;
  if (state_.t < static_cast<double>(saved_ + 1) * options_.checkpoint_every - slack_) return;
  saved_ = static_cast<long>((state_.t + slack_) / options_.checkpoint_every);
  save();
}

void Driver::save() {
  if (!recorder_) return;
  recorder_->flush();  // what the checkpoint counts on must be in the files
  Checkpoint c;
  c.scene = file_.resolved;
  c.file = file_.file;
  c.until = file_.until;
  c.csv = options_.csv;
  c.hdf5 = options_.hdf5;
  c.vtk = options_.vtk;
  c.checkpoint_every = options_.checkpoint_every;
  c.recorder = recorder_->progress();
  c.state = state_;
  c.counters = integrator_.counters();
  c.tension = tension_.seen();
  c.expectations = expectations_.reports();
  c.energy_start = report_.energy_start;
  c.warnings = report_.warnings;
  c.cpu = cpu_before_ + cpu_seconds() - cpu_start_;
  c.wall = wall_before_ + wall_seconds() - wall_start_;
  write_checkpoint(options_.directory + "/" + checkpoint_file, c);
}

Progress Driver::progress() const {
  Progress p;
  p.t = state_.t;
  p.until = file_.until;
  p.wall = wall_seconds() - wall_start_;
  p.real_time_factor = p.wall > 0 ? (state_.t - start_time_) / p.wall : 0;
  p.seconds_left =
      p.real_time_factor > 0 ? std::max(0.0, file_.until - state_.t) / p.real_time_factor : 0;
  p.energy = energy(model_, state_);
  return p;
}

void Driver::warn(const std::string& text) {
  report_.warnings.push_back(text);
  if (options_.warn) options_.warn(text);
}

void Driver::warn_of_overloads() {
  for (size_t i = 0; i < tension_.seen().size(); ++i) {
    const TensionExtreme& at = tension_.seen()[i].overload;
    if (at.t != state_.t) continue;  // said before, or never
    const Cable& cable = model_.scene().cables[i];
    warn(
        fmt::format("cable '{}' is loaded beyond its breaking load of {:.4g} N: {:.4g} N at "
                    "{:.4g} m, t = {:.4g} s. It is simulated as if it held",
                    cable.name, cable.section.breaking_load, at.tension, at.s, at.t));
  }
}

void Driver::warn_of_blows(bool at_end) {
  for (;;) {
    const int row = tension_.tell_blow(state_, at_end);
    if (row < 0) return;
    const Mechanism& m = model_.data().mechanism;
    const Blow& blow = state_.blows[static_cast<size_t>(row)];
    const auto& owner = m.rows[static_cast<size_t>(row)].owner;
    warn(
        fmt::format("{} came taut at {:.4g} s at {:.3g} m/s: peak {:.4g} N, computed beside the "
                    "steps, which show {:.4g} N and take {:.3g} J. A step of {:.2g} s shows it",
                    owner, blow.time, blow.speed, blow.peak, blow.shown, blow.energy,
                    resolved_angle / blow.omega));
  }
}

void Driver::fill_report() {
  report_.t = state_.t;
  for (size_t i = 0; i < tension_.seen().size(); ++i) {
    const TensionSeen& seen = tension_.seen()[i];
    const Cable& cable = model_.scene().cables[i];
    const double limit = cable.section.breaking_load;
    report_.cables.push_back({cable.name, seen.largest, seen.smallest, limit,
                              limit > 0 ? seen.largest.tension / limit : 0});
  }
  for (size_t i = 0; i < model_.scene().bodies.size(); ++i) {
    const double* o = state_.orientation.data() + 4 * i;
    report_.bodies.push_back({model_.scene().bodies[i].name,
                              {state_.position(model_.data().mechanism.bodies[i].node),
                               Eigen::Quaterniond(o[0], o[1], o[2], o[3])}});
  }
  report_.energy_end = energy(model_, state_);
  report_.counters = integrator_.counters();
  report_.linear_solver = integrator_.linear_solver();
  report_.expectations = expectations_.reports();
  report_.cpu = cpu_before_ + cpu_seconds() - cpu_start_;
  report_.wall = wall_before_ + wall_seconds() - wall_start_;
}

}  // namespace hawser

#include "run/driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "accounts/ledger.h"
#include "contact/cable_contact.h"
#include "hawser/error.h"
#include "impacts/impacts.h"
#include "model/fidelity.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "model/sections.h"
#include "run/compile.h"
#include "run/results.h"

namespace hawser {

Driver::Driver(const SceneFile& file, const RunOptions& options, const Checkpoint* checkpoint)
    : file_(file),
      options_(options),
      model_((tell_stage("compiling the model"),
              checkpoint != nullptr ? compile(file, checkpoint->snapshot.mesh) : compile(file))),
      integrator_((tell_stage("setting up the equations"), model_), file.solve),
      feedback_(feedback_of(file, model_)),
      control_(model_, state_, [this](const Setting& s) { take_setting(s); }),
      replay_(file.scene, options.replay),
      settings_(file.scene.inputs.size(), 0),
      tension_(model_),
      expectations_(file, model_),
      pace_(options.progress_every),
      slack_(file.solve.error_control ? 0 : file.solve.step / 2),
      rounding_(std::max(1e-6 * file.solve.step, 1e-9 * file.until)),
      wall_start_(wall_seconds()),
      cpu_start_(cpu_seconds()) {
  if (options.control && !options.replay.empty())
    throw Error("run options", "a controller and a replay", "one of them",
                "The replay repeats what the controller set.");
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

void Driver::tell_stage(const char* stage) const {
  if (options_.stage) options_.stage(stage);
}

void Driver::begin() {
  const std::vector<std::string> channels = recorded_channels(file_, model_);
  check_slack(file_, channels);
  tell_stage(file_.scene.initial == Initial::rest ? "searching for the equilibrium"
                                                  : "computing the initial state");
  state_ = integrator_.start();
  report_.energy_start = energy(model_, state_);
  places_start_ = places();
  if (!options_.directory.empty()) {  // from here on nothing is wrong with the scene
    lock_.emplace(prepare_folder(options_.directory, options_.overwrite));
    begin_folder(options_.directory, files_of_sinks(file_.scene, options_), file_.resolved);
    reserve_summary();
    recorder_ = make_recorder(file_, model_, channels, options_, nullptr);
    if (logs()) log_ = std::make_unique<SettingLog>(options_.directory, 0, false);
  }
  for (const std::string& text : warnings_before(file_, model_, &state_)) warn(text);
  find_pulleys();
  control();
  look();
}

void Driver::go_on(const Checkpoint& checkpoint) {
  tell_stage("opening the results");
  state_ = checkpoint.snapshot.state;
  integrator_.resume(state_, checkpoint.counters);
  tension_.restore(checkpoint.tension);
  expectations_.restore(checkpoint.expectations);
  report_.energy_start = checkpoint.energy_start;
  places_start_ = checkpoint.places_start;
  report_.warnings = checkpoint.warnings;
  report_.run_outs = checkpoint.run_outs;
  find_pulleys();
  wall_before_ = checkpoint.wall;
  cpu_before_ = checkpoint.cpu;
  reserve_summary();
  recorder_ = make_recorder(file_, model_, recorded_channels(file_, model_), options_,
                            &checkpoint.recorder);
  settings_ = checkpoint.settings;
  long lines = std::accumulate(settings_.begin(), settings_.end(), 0L);
  for (const std::vector<double>& cuts : model_.mesh().cuts)
    lines += static_cast<long>(cuts.size());
  if (logs()) log_ = std::make_unique<SettingLog>(options_.directory, lines, true);
  replay_.skip_to(state_);
}

/// A run that a full disk ends has its summary all the same.
void Driver::reserve_summary() const {
  constexpr size_t whole = 1 << 14, of_a_part = 1 << 9;  // [bytes]
  const Scene& scene = model_.scene();
  reserve_file(options_.directory + "/" + summary_file,
               whole + of_a_part * (scene.cables.size() + scene.bodies.size()));
}

RunReport Driver::run() {
  try {
    report_.end = step_to_the_end();
    // The checkpoint comes before the shortened steps, the last row and the last expectations: a
    // run that is extended has none of them.
    if (report_.end != RunEnd::failed) save();
    if (report_.end == RunEnd::finished) report_.end = take_last_steps();
    if (report_.end == RunEnd::finished) warn_of_impacts(true);
    if (report_.end != RunEnd::stopped) warn_of_waves();
    if (report_.end != RunEnd::stopped) warn_of_oscillations();
    if (report_.end == RunEnd::finished) warn_of_energy();
    if (report_.end == RunEnd::finished) warn_of_contact();
    if (report_.end == RunEnd::finished) warn_of_method();
    if (report_.end == RunEnd::finished) expectations_.finish(state_);
    if (recorder_ && report_.end != RunEnd::stopped) recorder_->finish(state_);
    if (log_) log_->flush();
    if (report_.end == RunEnd::finished && replay_.left() > 0)
      warn(fmt::format("{} settings of the replay are after the end of the run", replay_.left()));
  } catch (const Error& error) {  // of the files: what is written stays
    report_.end = RunEnd::failed;
    report_.failure = error.what();
  }
  fill_report();
  return report_;
}

/// At the end, or so near that whole steps do not lead there.
bool Driver::at_end() const {
  const double left = file_.until - state_.t, h = file_.solve.step;
  if (file_.solve.error_control) return left <= 0;
  return left < 1.5 * h - rounding_ && std::abs(left - h) > rounding_;
}

bool Driver::step(double stop) {
  if (integrator_.step(state_, stop) == Status::ok) {
    control();
    return true;
  }
  report_.failure = integrator_.failure().message();
  return false;
}

void Driver::control() {
  replay_.apply(state_, control_, [this](const LoggedSetting& cut) { take_cut(cut); });
  if (options_.control) options_.control(control_);
  feedback_.apply(state_);
}

void Driver::take_setting(const Setting& s) {
  const Input& input = file_.scene.inputs[s.input];
  ++settings_[s.input];
  if (log_) log_->add(state_, input.name, s.applied);
  if (s.asked == s.applied) return;
  const std::string clamped = fmt::format("input '{}' was set outside of its range", input.name);
  const auto said = [&](const std::string& text) { return text.starts_with(clamped); };
  if (std::none_of(report_.warnings.begin(), report_.warnings.end(), said))
    warn(fmt::format("{}, to {:g} {} at t = {:.4g} s, and clamped to {:g}", clamped, s.asked,
                     input.unit, state_.t, s.applied));
}

void Driver::take_cut(const LoggedSetting& cut) {
  const auto cable = static_cast<size_t>(model_.cable(cut.input));
  change_mesh(with_cut(model_, state_, cable, cut.value));
  if (log_) log_->add_cut(state_, cut.input, cut.value);
}

/// To the very end by a shortened step; by two where one would be shorter than half a step: forces
/// are changes of momentum over a step, and rounding shows in those of very short ones.
RunEnd Driver::take_last_steps() {
  const double left = file_.until - state_.t, h = file_.solve.step;
  if (file_.solve.error_control || left <= rounding_) return RunEnd::finished;
  const double half = left > h ? state_.t + left / 2 : state_.t;
  while (file_.until - state_.t > rounding_) {  // they may end early, where a free end runs out
    if (!step(half - state_.t > rounding_ ? half : file_.until)) return RunEnd::failed;
    look();
    if (file_.until - state_.t > rounding_) remesh();
  }
  return RunEnd::finished;
}

/// Where an error-controlled step must end at the latest: samples are taken at their very times.
/// Times that rounding has set apart are one: the later, so that no step leads from one to another.
double Driver::next_stop() const {
  if (!file_.solve.error_control) return std::numeric_limits<double>::infinity();
  const double times[] = {file_.until, expectations_.next_time(),
                          recorder_ ? recorder_->next() : file_.until};
  const double first = *std::min_element(std::begin(times), std::end(times));
  double stop = first;
  for (const double t : times)
    if (t <= first + rounding_) stop = std::max(stop, t);
  return stop;
}

RunEnd Driver::step_to_the_end() {
  tell_stage("taking the first step");
  for (bool first = true; !at_end(); first = false) {
    if (!step(next_stop())) return RunEnd::failed;
    look();
    remesh();
    save_when_due();
    if (options_.progress && (first || pace_.due()) && !options_.progress(progress()))
      return at_end() ? RunEnd::finished : RunEnd::stopped;
  }
  return RunEnd::finished;
}

void Driver::look() {
  if (tension_.look(state_)) warn_of_tensions();
  warn_of_lifted_cables();
  warn_of_winches();
  warn_of_fast_flow(FlowMesh::running);
  warn_of_impacts(false);
  expectations_.look(state_);
  if (recorder_) recorder_->sample(state_);
  warn_of_places();
}

/// Channels whose place is off its cable: the first time each.
void Driver::warn_of_places() {
  if (!recorder_) return;
  for (const std::string& channel : recorder_->off_cable(state_)) {
    const std::string start = fmt::format("channel '{}': its place is off the cable", channel);
    const auto said = [&](const std::string& text) { return text.starts_with(start); };
    if (std::none_of(report_.warnings.begin(), report_.warnings.end(), said))
      warn(
          fmt::format("{} at t = {:.4g} s. While it is, the channel has the value at the end of "
                      "the cable",
                      start, state_.t));
  }
}

/// The beginning of a warning, by which a resumed run knows that it was said.
static std::string lifted_text(const Cable& cable, size_t stop) {
  return fmt::format("cable '{}' comes off the pulley '{}'", cable.name, cable.route[stop].on);
}

/// What is recorded of the step just taken is of the mesh that it was taken with.
void Driver::remesh() {
  const std::optional<Mesh> mesh =
      options_.remesh ? options_.remesh(model_, state_) : renewed_mesh(model_, state_);
  if (!mesh || *mesh == model_.mesh()) return;
  warn_of_fast_flow(FlowMesh::material);
  tell_of_pulleys(*mesh);
  const Mesh before = model_.mesh();
  note_run_outs(before, change_mesh(*mesh));
}

/// Ends of cables that have run out of hand-overs in a change of mesh, which shares its energy
/// among them.
void Driver::note_run_outs(const Mesh& before, const MeshChange& change) {
  const size_t had = report_.run_outs.size();
  for (size_t c = 0; c < model_.scene().cables.size(); ++c) {
    const auto &was = run_outs_of(before, c), &is = run_outs_of(model_.mesh(), c);
    const Cable& cable = model_.scene().cables[c];
    for (const Mesh::RunOut& gone : is)
      if (std::find(was.begin(), was.end(), gone) == was.end())
        report_.run_outs.push_back({state_.t, cable.name,
                                    cable.route[static_cast<size_t>(gone.stop)].text(), gone.after,
                                    change.energy});
  }
  const auto count = static_cast<double>(report_.run_outs.size() - had);
  for (size_t i = had; i < report_.run_outs.size(); ++i) report_.run_outs[i].energy /= count;
}

/// Cables with mass that come off pulleys or land on them: the first time each.
void Driver::tell_of_pulleys(const Mesh& next) {
  const Mesh& mesh = model_.mesh();
  for (size_t c = 0; c < mesh.wraps.size(); ++c) {
    const Cable& cable = model_.scene().cables[c];
    const std::vector<size_t> stops = pulley_stops(cable);
    if (mesh.s[c].empty() != next.s[c].empty()) continue;  // its model changes (when_slack)
    for (size_t k = 0; k < mesh.wraps[c].size(); ++k) {
      const auto &was_out = run_outs_of(mesh, c), &is_out = run_outs_of(next, c);
      if (was_out.size() != is_out.size()) continue;  // reported as such
      const bool was_off = mesh.wraps[c][k] < 0, is_off = next.wraps[c][k] < 0;
      if (was_off == is_off) continue;
      const std::string start = is_off ? lifted_text(cable, stops[k])
                                       : fmt::format("cable '{}' lands on the pulley '{}'",
                                                     cable.name, cable.route[stops[k]].on);
      const auto said = [&](const std::string& text) { return text.starts_with(start); };
      if (std::none_of(report_.warnings.begin(), report_.warnings.end(), said))
        warn(fmt::format("{} at t = {:.4g} s", start, state_.t));
    }
  }
}

MeshChange Driver::change_mesh(const Mesh& mesh) {
  const Model next(model_.scene(), mesh);
  const MeshChange change = integrator_.change_mesh(next, state_);
  model_ = next;
  feedback_ = feedback_of(file_, model_);
  control_.change_mesh(model_);
  tension_.change_mesh(model_);
  expectations_.change_mesh(model_);
  pulleys_.clear();
  find_pulleys();
  if (recorder_) recorder_->change_mesh(model_);
  return change;
}

/// Elements that merge beside fast flows disturb what waves do; where cable flows as fast as its
/// waves, they do not run against it, and it has no stiffness against them (docs/theory/flow.md).
/// On a mesh of the material that matters where the mesh changes, on a running one always.
void Driver::warn_of_fast_flow(FlowMesh mesh) {
  const auto flows_so = [mesh](const Cable& c) { return c.mesh == mesh && flows(c); };
  const std::vector<Cable>& cables = model_.scene().cables;
  if (std::none_of(cables.begin(), cables.end(), flows_so)) return;
  constexpr double slow = 0.25;  // by the speed of transverse waves
  const auto warn_once = [&](const std::string& start, const std::string& rest) {
    const auto said = [&](const std::string& text) { return text.starts_with(start); };
    if (std::none_of(report_.warnings.begin(), report_.warnings.end(), said)) warn(start + rest);
  };
  for (const FlowSpeed& flow : flow_speeds(model_.data(), state_)) {
    const Cable& cable = cables[flow.cable];
    if (cable.mesh != mesh) continue;
    if (flow.speed >= flow.wave && flow.speed > 0 && flow.wave > 0)
      warn_once(fmt::format("cable '{}' flows as fast as its transverse waves", cable.name),
                fmt::format(" at t = {:.4g} s: {:.3g} m/s, waves {:.3g} m/s. A straight span is "
                            "unstable at that speed: what disturbs it grows",
                            state_.t, flow.speed, flow.wave));
    else if (mesh == FlowMesh::material && flow.speed > slow * flow.wave)
      warn_once(fmt::format("cable '{}' flows at", cable.name),
                fmt::format(" {:.3g} m/s at t = {:.4g} s, more than a quarter of the speed of its "
                            "transverse waves, {:.3g} m/s. Elements that merge there disturb its "
                            "motion: use `mesh: running`, or compare with twice the elements",
                            flow.speed, state_.t, flow.wave));
  }
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
  if (log_) log_->flush();
  Checkpoint c;
  c.scene = file_.resolved;
  c.file = file_.file;
  c.until = file_.until;
  c.csv = options_.csv;
  c.hdf5 = options_.hdf5;
  c.vtk = options_.vtk;
  c.checkpoint_every = options_.checkpoint_every;
  c.recorder = recorder_->progress();
  c.snapshot = {model_.mesh(), state_};
  c.counters = integrator_.counters();
  c.tension = tension_.seen();
  c.expectations = expectations_.reports();
  c.energy_start = report_.energy_start;
  c.places_start = places_start_;
  c.warnings = report_.warnings;
  c.run_outs = report_.run_outs;
  c.settings = settings_;
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

void Driver::warn_of_tensions() {
  for (size_t i = 0; i < tension_.seen().size(); ++i) {
    const TensionSeen& seen = tension_.seen()[i];
    const Cable& cable = model_.scene().cables[i];
    if (seen.overload.t == state_.t)  // else said before, or never
      warn(
          fmt::format("cable '{}' is loaded beyond its breaking load of {:.4g} N: {:.4g} N at "
                      "{:.4g} m, t = {:.4g} s. Breaking is not simulated",
                      cable.name, tension_.breaking_load(i, seen.overload.s), seen.overload.tension,
                      seen.overload.s, seen.overload.t));
  }
  warn_of_crushing();
  warn_of_pushing(CableModel::np_fem, "`tension_only: true` lets it go slack");
  warn_of_pushing(CableModel::ancf,
                  "Give its section an EI, or use `model: np-fem` with `tension_only: true`");
  warn_of_columns();
}

/// One warning for all cables that are first crushed in this step. Their laws end where the length
/// does: the direction of a tension is not known there.
void Driver::warn_of_crushing() {
  const Cable* most = nullptr;
  Crushing at;
  int others = -1;
  for (size_t i = 0; i < tension_.seen().size(); ++i) {
    const Crushing& first = tension_.seen()[i].crushing;
    if (first.t != state_.t) continue;
    ++others;
    if (most != nullptr && first.stretch >= at.stretch) continue;
    most = &model_.scene().cables[i];
    at = first;
  }
  if (most == nullptr) return;
  warn(fmt::format(
      "cable '{}' is compressed to {:.2g} of its length at {:.4g} m, t = {:.4g} s{}. From then "
      "on its motion depends on mesh and step. {}",
      most->name, at.stretch, at.s, at.t,
      others > 0 ? fmt::format(", as are {} others", others) : "",
      most->model == CableModel::np_fem ? "`tension_only: true` lets it go slack"
                                        : "With more elements it bends instead"));
}

/// One warning for all cables of a model that first push in this step: a net has many.
void Driver::warn_of_pushing(CableModel model, const char* remedy) {
  const Cable* most = nullptr;
  TensionExtreme at;
  int others = -1;
  for (size_t i = 0; i < tension_.seen().size(); ++i) {
    const TensionExtreme& first = tension_.seen()[i].compression;
    if (first.t != state_.t || model_.scene().cables[i].model != model || !tension_.limp(i))
      continue;
    ++others;
    if (most != nullptr && first.tension >= at.tension) continue;
    most = &model_.scene().cables[i];
    at = first;
  }
  if (most == nullptr) return;
  warn(fmt::format(
      "cable '{}' is in compression with {:.3g} N at {:.4g} m, t = {:.4g} s{}. It has no "
      "bending stiffness, so that buckling depends on the mesh. {}",
      most->name, -at.tension, at.s, at.t,
      others > 0 ? fmt::format(", as are {} others", others) : "", remedy));
}

/// Cables that should have buckled: those that are exactly straight do not.
void Driver::warn_of_columns() {
  for (size_t i = 0; i < tension_.seen().size(); ++i) {
    const TensionExtreme& at = tension_.seen()[i].compression;
    if (at.t != state_.t || tension_.limp(i)) continue;
    warn(fmt::format(
        "cable '{}' is compressed by {:.3g} N at {:.4g} m, t = {:.4g} s, for longer than its "
        "elements take to buckle (at {:.3g} N). A cable that is exactly straight does not buckle "
        "until something disturbs it, and bows shorter than an element are not resolved. Use more "
        "elements; if the cable is straight, start with an end slightly aside",
        model_.scene().cables[i].name, -at.tension, at.s, at.t, tension_.buckling_load(i, at.s)));
  }
}

void Driver::find_pulleys() {
  const ModelData& model = model_.data();
  for (const RouteData& route : model.mechanism.routes)
    for (size_t i = 0; i < route.stops.size(); ++i) {
      if (route.stops[i].wrap < 0 || route.stops[i].drum.winding) continue;
      const auto stop = static_cast<size_t>(route.stops[i].number);
      const std::string text =
          lifted_text(model.scene.cables[static_cast<size_t>(route.cable)], stop);
      const bool said =
          std::any_of(report_.warnings.begin(), report_.warnings.end(),
                      [&](const std::string& warning) { return warning.starts_with(text); });
      pulleys_.push_back(
          {static_cast<size_t>(route.cable), stop, static_cast<size_t>(route.stops[i].wrap), said});
    }
}

/// A cable never leaves its groove: where it would, the arc it lies on turns negative.
void Driver::warn_of_lifted_cables() {
  constexpr double least = 0.01;  // [rad]
  for (Pulley& p : pulleys_) {
    if (p.said || state_.wrap[p.wrap + 1] - state_.wrap[p.wrap] > -least) continue;
    p.said = true;
    warn(
        fmt::format("{} at t = {:.4g} s. It is simulated as if the groove held it, which pulls the "
                    "pulley in the wrong direction",
                    lifted_text(model_.scene().cables[p.cable], p.stop), state_.t));
  }
}

/// The first time that a drum is at a stop, and that a slack switch cuts a motor.
void Driver::warn_of_winches() {
  const auto say = [&](const std::string& text) {
    const bool said = std::any_of(report_.warnings.begin(), report_.warnings.end(),
                                  [&](const std::string& w) { return w.starts_with(text); });
    if (!said) warn(fmt::format("{} at t = {:.4g} s", text, state_.t));
  };
  const Mechanism& m = model_.data().mechanism;
  for (size_t i = 0; i < m.winches.size(); ++i) {
    const std::string& name = m.winches[i].name;
    const auto acts = [&](int row) {
      return row >= 0 && state_.activity[static_cast<size_t>(row)] != 0;
    };
    if (acts(m.winch_rows[i].full)) say(fmt::format("winch '{}': its drum is full", name));
    if (acts(m.winch_rows[i].empty))
      say(fmt::format("winch '{}': no more cable can be paid out, {:g} turns are kept", name,
                      model_.scene().winches[i].turns_kept));
    if (!(state_.inputs[m.winches[i].power].setting > 0))
      say(fmt::format("winch '{}': the slack switch has cut the motor and applied the brake",
                      name));
  }
}

std::vector<Vec3> Driver::places() const {
  std::vector<Vec3> out;
  Shapes shapes(model_, 1);
  shapes.sample(state_);
  for (const Shape& cable : shapes.cables()) {
    out.emplace_back(Eigen::Map<const Vec3>(cable.position.data()));
    out.emplace_back(Eigen::Map<const Vec3>(cable.position.data() + cable.position.size() - 3));
  }
  for (const BodyPose& body : shapes.bodies()) out.push_back(body.position);
  return out;
}

void Driver::warn_of_impacts(bool at_end) {
  for (;;) {
    const int row = tension_.tell_impact(state_, at_end);
    if (row < 0) return;
    const Impact& impact = state_.impacts[static_cast<size_t>(row)];
    const auto& owner = model_.data().rows[static_cast<size_t>(row)].owner;
    warn(fmt::format(
        "{} came taut at {:.4g} s at {:.3g} m/s: peak {:.4g} N, computed separately. The "
        "steps show {:.4g} N and dissipate {:.3g} J. A step of {:.2g} s resolves it",
        owner, impact.time, impact.speed, impact.peak, impact.shown, impact.energy,
        resolved_angle / impact.omega));
  }
}

/// The time in which an axial wave crosses the shortest element of a cable [s].
static double crossing_time(const ModelData& model, size_t cable) {
  double shortest = std::numeric_limits<double>::infinity();
  if (const Cable& c = model.scene.cables[cable]; c.when_slack)  // whether or not it is slack now
    shortest = CableWay::unpaid(model, cable) / c.elements *
               std::sqrt(c.sections[0].mass / c.sections[0].EA);
  for (const Fields* part : model.fields_of(static_cast<int>(cable))) {
    const Section& section = model.section_of(part->run);
    shortest = std::min(shortest, part->run.length * std::sqrt(section.mass / section.EA));
  }
  return shortest;
}

/// A step to try, of one digit and not above `most` [s].
static double round_step(double most) {
  const double digit = std::pow(10, std::floor(std::log10(most)));
  return digit * std::floor(most / digit);
}

/// Said when the run ends, once for all cables, and no part of its checkpoint: a run that goes on
/// says it at its own end. The step it names resolves the fastest waves of the mesh, of some 3 rad
/// in the time in which a wave crosses an element, by 20 steps a period.
void Driver::warn_of_waves() {
  if (file_.solve.error_control) return;  // steps of changing length follow their own estimate
  const std::vector<TensionSeen>& seen = tension_.seen();
  size_t most = seen.size();
  int others = -1;
  bool undamped = false;
  double crossing = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < seen.size(); ++i) {
    const double time = crossing_time(model_.data(), i);
    if (!seen[i].uneven() || file_.solve.step <= time / 10) continue;
    if (most == seen.size() || seen[i].largest.tension > seen[most].largest.tension) most = i;
    ++others;
    crossing = std::min(crossing, time);
    for (const Section& s : model_.scene().cables[i].sections) undamped |= !s.axial_damping.any();
  }
  if (most == seen.size()) return;
  warn(fmt::format(
      "cable '{}', largest tension: {:.4g} N is uncertain{}. It is due to axial waves "
      "that the step of {:.3g} s does not resolve: they cross an element in {:.2g} s. "
      "A step of {:.1g} s resolves them{}",
      model_.scene().cables[most].name, seen[most].largest.tension,
      others > 0 ? fmt::format(", as are those of {} others", others) : "", file_.solve.step,
      crossing, round_step(crossing / 10),
      undamped ? "; with `damping` in the section they decay and the peak converges" : ""));
}

/// Oscillations of massless cables and joints that yield, which the steps have shifted in time: two
/// of them together, or an impact in the middle of one, then come out differently. Said at the end,
/// as that of waves. Whoever takes Backward Euler has asked for its damping.
void Driver::warn_of_oscillations() {
  constexpr double much =
      0.025;  // of the largest force; the error is an estimate, good to a factor 2
  const std::vector<RowOscillation>& all = state_.oscillations;
  if (file_.solve.error_control || file_.solve.scheme == Scheme::backward_euler || all.empty())
    return;
  const auto most = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.largest_error < b.largest_error;
  });
  const double share = most->largest_error / state_.largest_force;
  if (!(share > much)) return;
  const auto row = static_cast<size_t>(most - all.begin());
  warn(fmt::format(
      "{} oscillates with a period of {:.2g} s, and the steps have a phase error. Forces and "
      "positions at a given time are uncertain, forces by up to {:.2g} N. A step of {:.1g} s, or "
      "`damping` in the sections of the cables, reduces this",
      model_.data().rows[row].owner, 2 * std::numbers::pi / state_.row_omega[row],
      most->largest_error, round_step(file_.solve.step * std::sqrt(much / share) / 2)));
}

NumericalDamping Driver::numerical_damping() const {
  const Books& b = state_.books;
  const double balance = energy(model_, state_).balance(), last = balance - b.balance;
  return {-balance,
          -b.by_steps - last,
          -b.by_fallbacks,
          -b.by_switches,
          -b.by_mesh,
          -b.by_fidelity,
          energy_scale(model_.data(), b, 1e-6)};
}

/// What to do about energy that the steps take or add.
static std::string remedy(const SolveOptions& solve, const char* does) {
  if (solve.error_control) return fmt::format("A smaller tolerance {} less", does);
  const bool euler = solve.scheme == Scheme::backward_euler && solve.method != Method::spook &&
                     solve.method != Method::mixed3;
  return fmt::format("A shorter step {}{} less", euler ? "or `scheme: hht` " : "", does);
}

/// Energy that the steps have taken or added beside all work that is booked, by what took most.
ContactReport Driver::contact_report() const {
  Tally tally;
  const int on_surfaces = model_.data().contacts;
  if (on_surfaces > 0) tally.add(Tally::read(state_.contacts.data()));
  if (model_.data().facts.meets) tally.add(Tally::read(state_.contacts.data() + on_surfaces));
  const Counters& n = integrator_.counters();
  return {tally.friction_work,
          tally.deepest,
          tally.courant,
          tally.sunk,
          static_cast<double>(n.factorizations) / static_cast<double>(std::max(n.steps, 1L)),
          n.fallbacks};
}

/// Massless cables that lie on shapes have no contact forces of their own.
bool Driver::touches() const { return model_.data().contacts > 0 || model_.data().facts.meets; }

/// A cable that passes its own points within a few steps meets a surface that is rough by them.
void Driver::warn_of_contact() {
  constexpr double largest_courant = 0.2;
  if (!touches()) return;
  const ContactReport c = contact_report();
  if (c.sunk > 1)
    warn(
        fmt::format("things sink into each other by {:.3g} m: a contact is too soft for forces or "
                    "speeds of which the start "
                    "does not tell. What is thin may pass through. Give contacts of cables a "
                    "larger `stiffness`, and things the "
                    "`velocity` with which they meet",
                    c.deepest));
  if (c.courant > largest_courant)
    warn(fmt::format(
        "a cable slides by {:.2g} of the distance of its touching points in one step: contact "
        "forces are coarse. Use steps of {:.2g} s or less, or longer elements",
        c.courant, file_.solve.step * largest_courant / c.courant));
}

void Driver::warn_of_energy() {
  constexpr double much_lost = 0.02, much_gained = 0.01;  // of the largest energy in motion
  const NumericalDamping d = numerical_damping();
  const double gained = std::max(state_.books.largest_gain, -d.taken - state_.books.lowest);
  const bool by_changes = -d.at_fidelity_changes > gained / 2;
  if (gained > much_gained * d.scale)
    warn(fmt::format("{} added {:.3g} J of energy, {:.2g} % of the largest energy in motion. {}",
                     by_changes ? "cables that went slack, which bend then (`when_slack`), have"
                                : "the steps have",
                     gained, 100 * gained / d.scale,
                     by_changes ? "A smaller EI, or `when_slack: np-fem`, adds less"
                                : remedy(file_.solve, "adds")));
  if (!(d.taken > much_lost * d.scale)) return;
  const Counters& n = integrator_.counters();
  const std::string taken = fmt::format(
      "{:.3g} J of energy, {:.2g} % of the largest energy in motion", d.taken, 100 * d.share());
  const std::string less = remedy(file_.solve, "dissipates");
  if (d.at_fidelity_changes >
      std::max({d.by_steps, d.at_switches, d.by_fallbacks, d.at_mesh_changes}))
    warn(fmt::format(
        "cables that went slack or came taut have dissipated {}, where their models changed "
        "(`when_slack`). A smaller `slack_limit`, or damping in their sections, reduces this",
        taken));
  else if (d.at_mesh_changes > std::max({d.by_steps, d.at_switches, d.by_fallbacks}))
    warn(fmt::format(
        "changes of the mesh have dissipated {}. Merge elements less often, or where the cable is "
        "straighter",
        taken));
  else if (d.by_fallbacks > std::max(d.by_steps, d.at_switches))
    warn(fmt::format(
        "numerical damping has dissipated {}, most of it in Backward Euler steps used where "
        "the scheme did not converge or resolve the motion ({} of {} steps). {}",
        taken, n.fallbacks, n.steps, less));
  else if (d.at_switches > d.by_steps)
    warn(fmt::format(
        "the steps have dissipated {}, most of it where cables come taut, limits are reached or "
        "speeds jump. {}",
        taken, less));
  else
    warn(fmt::format(
        "numerical damping has dissipated {}, in addition to damping, friction and impacts. "
        "{}",
        taken, less));
}

/// Said when the run ends, as that of waves. The other methods' own steps are divided, not
/// replaced.
void Driver::warn_of_method() {
  const Counters& c = integrator_.counters();
  if (file_.solve.method != Method::linearized || c.fallbacks == 0) return;
  warn(fmt::format(
      "method linearized is not stable with steps of {:.3g} s: {} of {} steps would have gained "
      "energy or given no finite result, and used method mixed instead. Use mixed, or a shorter "
      "step",
      file_.solve.step, c.fallbacks, c.steps));
}

void Driver::fill_report() {
  report_.t = state_.t;
  std::vector<Vec3> end = places_start_;
  try {
    end = places();
  } catch (const Error&) {  // where stops of a route have come together; the failure says so
  }
  const size_t bodies = 2 * model_.scene().cables.size();  // where they begin
  for (size_t i = 0; i < tension_.seen().size(); ++i) {
    const TensionSeen& seen = tension_.seen()[i];
    const Cable& cable = model_.scene().cables[i];
    const double limit = common_breaking_load(cable);
    report_.cables.push_back({cable.name,
                              seen.largest,
                              seen.smallest,
                              limit,
                              limit > 0 ? seen.largest.tension / limit : 0,
                              {places_start_[2 * i], places_start_[2 * i + 1]},
                              {end[2 * i], end[2 * i + 1]}});
  }
  for (size_t i = 0; i < model_.scene().bodies.size(); ++i) {
    const double* o = state_.orientation.data() + 4 * i;
    report_.bodies.push_back({model_.scene().bodies[i].name,
                              {end[bodies + i], Eigen::Quaterniond(o[0], o[1], o[2], o[3])},
                              places_start_[bodies + i]});
  }
  for (size_t i = 0; i < settings_.size(); ++i)
    if (const Input& input = file_.scene.inputs[i]; !input.hidden)
      report_.inputs.push_back(
          {input.name, input.unit, state_.inputs[i].at(state_.t).value, settings_[i]});
  report_.energy_end = energy(model_, state_);
  report_.damping = numerical_damping();
  report_.counters = integrator_.counters();
  if (touches()) report_.contact = contact_report();
  const auto& cables = model_.scene().cables;
  if (std::any_of(cables.begin(), cables.end(),
                  [](const Cable& c) { return c.when_slack.has_value(); }))
    report_.fidelity = {report_.counters.fidelity_changes, state_.books.largest_fidelity};
  report_.solver = solver_name(file_.solve);
  report_.linear_solver = integrator_.linear_solver();
  report_.expectations = expectations_.reports();
  report_.cpu = cpu_before_ + cpu_seconds() - cpu_start_;
  report_.wall = wall_before_ + wall_seconds() - wall_start_;
}

}  // namespace hawser

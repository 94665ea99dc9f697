#include "serve/live_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hawser/error.h"
#include "loads/hand.h"
#include "math/orientation.h"
#include "model/mesh.h"
#include "model/model_data.h"
#include "run/compile.h"

namespace hawser {
namespace {

constexpr double farthest = 1e6;  ///< of targets [m]

void require_fixed_step(const SceneFile& file) {
  if (!file.solve.error_control) return;
  throw Error("view", "a scene with `error_control`, whose steps vary", "a fixed step",
              "Set solve.error_control=false, with a suitable solve.step.");
}

/// Of a body, or of a cable by its place: "no such body 'lod'".
template <class Part>
size_t part_number(const std::vector<Part>& parts, const std::string& name, const char* kind) {
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].name == name) return i;
  throw Error("pull", fmt::format("unknown {} '{}'", kind, name),
              fmt::format("a {} of the scene", kind));
}

}  // namespace

LiveRun::LiveRun(SceneFile file, std::string directory)
    : file_((require_fixed_step(file), std::move(file))),
      directory_(std::move(directory)),
      model_(compile(file_)),
      integrator_(model_, file_.solve),
      state_(integrator_.start()),
      feedback_(feedback_of(file_, model_)),
      control_(model_, state_, [this](const Setting& s) {
        if (SettingLog* log = open_log())
          log->add(state_, file_.scene.inputs[s.input].name, s.applied);
      }) {
  warnings_ = warnings_before(file_, model_, &state_);
}

SettingLog* LiveRun::open_log() {
  if (log_ || directory_.empty()) return log_.get();
  directory_ = unused_directory(directory_);
  lock_.emplace(prepare_folder(directory_, false));
  begin_folder(directory_, {settings_file}, file_.resolved);
  log_ = std::make_unique<SettingLog>(directory_, 0, false);
  return log_.get();
}

std::string LiveRun::log() const { return log_ ? directory_ + "/" + settings_file : ""; }

void LiveRun::flush() {
  if (log_) log_->flush();
}

bool LiveRun::step() {
  if (!failure_.empty()) return false;
  try {
    feedback_.apply(state_);
    if (integrator_.step(state_) == Status::ok) {
      if (const auto mesh = renewed_mesh(model_, state_)) change_mesh(*mesh);
      return true;
    }
    failure_ = integrator_.failure().message();
  } catch (const Error& error) {
    failure_ = error.what();
  }
  return false;
}

double LiveRun::set(const std::string& input, double value) {
  if (input.starts_with("hand."))
    throw Error("input", fmt::format("'{}'", input), "an input of the scene itself");
  return control_.set(input, value);
}

double LiveRun::hand(HandInput which) const {
  const size_t first = file_.scene.inputs.size() - hand_inputs;
  return state_.inputs[first + static_cast<size_t>(which)].setting;
}

void LiveRun::set_hand(HandInput which, double value) {
  const size_t first = file_.scene.inputs.size() - hand_inputs;
  control_.set(file_.scene.inputs[first + static_cast<size_t>(which)].name, value);
}

double LiveRun::mass_of(const PullOrder& order) const {
  const Scene& scene = model_.scene();
  if (!order.body.empty()) return scene.bodies[part_number(scene.bodies, order.body, "body")].mass;
  double mass = 0;
  for (const Fields* part : model_.data().fields_of(model_.cable(order.cable)))
    mass += model_.data().section_of(part->run).mass * part->run.elements * part->run.length;
  return mass;
}

void LiveRun::pull(const PullOrder& order) {
  const Scene& scene = model_.scene();
  double on = 0;
  Vec3 at = order.at;
  if (!order.body.empty()) {
    on = static_cast<double>(part_number(scene.bodies, order.body, "body")) + 1;
  } else {
    const size_t cable = part_number(scene.cables, order.cable, "cable");
    if (scene.cables[cable].model == CableModel::massless)
      throw Error(ErrorObject("cable", order.cable), "a pull at a massless cable",
                  "a body, or a cable with elements",
                  "Pull at a body that it holds, or use the model np-fem or ancf.");
    on = -static_cast<double>(cable) - 1;
    at = Vec3(order.s, 0, 0);
  }
  if (!at.allFinite() || !order.target.allFinite() || order.target.norm() > farthest)
    throw Error("pull", "a place or a target that is not finite or far away",
                fmt::format("at most {:g} m", farthest));
  // Half a turn a second, well damped: a body is lifted by a spring stretched to 1 m.
  constexpr double rate = 3.1, damping_ratio = 0.7;
  const double mass = mass_of(order), stiffness = order.stiffness.value_or(rate * rate * mass);
  if (!(stiffness > 0 && stiffness <= 1e12))
    throw Error("pull", fmt::format("a stiffness of {:g} N/m", stiffness), "a positive one");
  set_hand(HandInput::on, on);
  for (int k = 0; k < 3; ++k) {
    set_hand(HandInput(static_cast<int>(HandInput::at_x) + k), at[k]);
    set_hand(HandInput(static_cast<int>(HandInput::to_x) + k), order.target[k]);
  }
  set_hand(HandInput::stiffness, stiffness);
  set_hand(HandInput::damping, 2 * damping_ratio * std::sqrt(stiffness * mass));
}

void LiveRun::release() {
  set_hand(HandInput::on, 0);
  set_hand(HandInput::stiffness, 0);
}

void LiveRun::change_mesh(const Mesh& mesh) {
  const Model next(model_.scene(), mesh);
  integrator_.change_mesh(next, state_);
  model_ = next;
  feedback_ = feedback_of(file_, model_);
  control_.change_mesh(model_);
  ++mesh_changes_;
}

void LiveRun::cut(const std::string& cable, double s) {
  const size_t number = part_number(model_.scene().cables, cable, "cable");
  change_mesh(with_cut(model_, state_, number, s));
  if (SettingLog* log = open_log()) log->add_cut(state_, cable, s);
}

std::optional<PullNow> LiveRun::pull_now() const {
  const auto on = static_cast<long>(hand(HandInput::on));
  if (on == 0 || !(hand(HandInput::stiffness) > 0)) return std::nullopt;
  const ModelData& data = model_.data();
  const auto number = static_cast<size_t>(std::abs(on)) - 1;
  if (on < 0 && data.mesh.s[number].empty()) return std::nullopt;  // it has come taut
  const auto vector = [&](HandInput first) {
    const int k = static_cast<int>(first);
    return Vec3(hand(first), hand(HandInput(k + 1)), hand(HandInput(k + 2)));
  };
  PullNow out;
  Vec3 velocity;
  if (on > 0) {
    out.body = data.scene.bodies[number].name;
    const int node = data.mechanism.bodies[number].node;
    const Eigen::Quaterniond R = orientation_at(state_.orientation.data() + 4 * number);
    const Vec3 arm = vector(HandInput::at_x), spin = Vec3(state_.v.data() + 6 * node + 3);
    out.point = state_.position(node) + R * arm;
    velocity = state_.velocity(node) + R * spin.cross(arm);
  } else {
    out.cable = data.scene.cables[number].name;
    out.s = hand(HandInput::at_x);
    const int node = nearest_node({data.cables[number].first_node, data.mesh.s[number]}, out.s);
    out.point = state_.position(node);
    velocity = state_.velocity(node);
  }
  out.force = hand(HandInput::stiffness) * (vector(HandInput::to_x) - out.point) -
              hand(HandInput::damping) * velocity;
  return out;
}

}  // namespace hawser

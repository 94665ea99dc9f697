#include "model/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hawser/error.h"
#include "hawser/model.h"

namespace hawser {

void add_hand(Scene& scene) {
  if (scene.hand) return;
  scene.hand = true;
  constexpr const char* names[] = {"on",   "at.x", "at.y",      "at.z",   "to.x",
                                   "to.y", "to.z", "stiffness", "damping"};
  constexpr const char* units[] = {"", "m", "m", "m", "m", "m", "m", "N/m", "N s/m"};
  for (size_t k = 0; k < hand_inputs; ++k) {
    Input input;
    input.name = std::string("hand.") + names[k];
    input.unit = units[k];
    if (k >= static_cast<size_t>(HandInput::stiffness)) input.from = 0;
    input.hidden = true;
    scene.inputs.push_back(std::move(input));
  }
}

size_t find_input(const Scene& scene, std::string_view name) {
  for (size_t i = 0; i < scene.inputs.size(); ++i)
    if (scene.inputs[i].name == name) return i;
  std::vector<std::string> known;
  for (const Input& input : scene.inputs) known.push_back(input.name);
  const std::string meant = nearest_name(std::string(name), known);
  throw Error("input", fmt::format("unknown input '{}'", name),
              known.empty() ? "an input, but the scene has none"
                            : fmt::format("one of {}", fmt::join(known, ", ")),
              meant.empty() ? "" : fmt::format("Did you mean '{}'?", meant));
}

double change_input(const ModelData& model, State& state, size_t k, double value) {
  const Input& input = model.scene.inputs[k];
  if (!std::isfinite(value))
    throw Error(ErrorObject("input", input.name),
                fmt::format("a setting of {} at t = {:g} s", value, state.t), "a finite number");
  const double applied = std::clamp(value, input.from, input.to);
  InputMotion& motion = state.inputs[k];
  if (applied == motion.setting) return applied;
  motion.set(state.t, applied);
  state.factored.cq = 0;  // the loads of that matrix are not known any more
  if (motion.smoothing == 0 && model.rate_inputs[k] != 0) state.rates_jumped = true;
  return applied;
}

void require_free(const Input& input) {
  if (input.feedback)
    throw Error(ErrorObject("input", input.name), "a setting of an input that has feedback",
                "an input without feedback", "The feedback of the scene sets it after every step.");
}

int Model::input(const std::string& name) const {
  return static_cast<int>(find_input(data_->scene, name));
}

double Model::set_input(State& state, int input, double value) const {
  const auto count = data_->scene.inputs.size(), k = static_cast<size_t>(input);
  if (input < 0 || k >= count || state.inputs.size() < count)
    throw Error("input", fmt::format("number {} of {}", input, state.inputs.size()),
                fmt::format("a number from 0, less than {}, and a state of this model", count));
  require_free(data_->scene.inputs[k]);
  return change_input(*data_, state, k, value);
}

}  // namespace hawser

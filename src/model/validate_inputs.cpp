#include <fmt/format.h>

#include <cmath>
#include <set>

#include "hawser/units.h"
#include "model/signals.h"
#include "model/validate.h"

namespace hawser {
namespace {

void validate_input(const Input& input) {
  const ErrorObject who("input", input.name);
  if (input.name.empty()) throw Error("an input", "no name", "a name", "Name every input.");
  if (!std::isfinite(input.value))
    throw Error(who.at("value"), fmt::format("{}", input.value), "a finite number");
  if (!(input.from <= input.to))
    throw Error(who, fmt::format("a range from {:g} to {:g}", input.from, input.to),
                "the lower limit first");
  if (!(input.value >= input.from && input.value <= input.to))
    throw Error(
        who.at("value"), fmt::format("{:g}", input.value),
        fmt::format("a value from {:g} to {:g}, the range of the input", input.from, input.to));
  constexpr double least = 1e-9;  // its filter computes with the square of 1/smoothing
  require_not_negative(who.at("smoothing"), input.smoothing, "s");
  if (input.smoothing > 0 && input.smoothing < least)
    throw Error(who.at("smoothing"), fmt::format("{:g} s", input.smoothing),
                fmt::format("0, or at least {:g} s", least));
  if (!input.unit.empty()) (void)dimension_of(input.unit);  // throws when there is none
}

/// Names that an expression would take for something else.
void validate_symbols(const Input& input) {
  if (!input.feedback) return;
  for (const FeedbackLaw::Symbol& s : input.feedback->channels)
    if (s.name.empty() || s.name == "t" || s.name == "pi" || find_unit(s.name).factor != 0)
      throw Error(ErrorObject("input", input.name).at("feedback"),
                  fmt::format("the name '{}' for channel '{}'", s.name, s.channel),
                  "a name other than a unit, t or pi");
}

/// A slip is not negative at either end of the range of any input that it uses.
void validate_slip(const Scene& scene, const Signal& slip, const ErrorObject& who) {
  for (const size_t k : slip.inputs())
    for (const double bound : {scene.inputs[k].from, scene.inputs[k].to}) {
      std::vector<InputMotion> inputs = initial_inputs(scene);
      inputs[k] = InputMotion::at_rest(bound);
      const double value = slip.at({0, inputs}).value;
      if (value >= 0 && std::isfinite(value)) continue;
      throw Error(who,
                  fmt::format("{:g} where input '{}' is {:g}", value, scene.inputs[k].name, bound),
                  "a slip of zero or more over the range of the input",
                  "Change `from` and `to` of the input.");
    }
}

}  // namespace

std::vector<InputMotion> initial_inputs(const Scene& scene) {
  std::vector<InputMotion> out;
  for (const Input& i : scene.inputs) out.push_back(InputMotion::at_rest(i.value, i.smoothing));
  return out;
}

double start_value(const Scene& scene, const Signal& signal) {
  return signal.at({0, initial_inputs(scene)}).value;
}

void validate_inputs(const Scene& scene) {
  std::set<std::string> names;
  for (const Input& input : scene.inputs) {
    validate_input(input);
    validate_symbols(input);
    if (!names.insert(input.name).second)
      throw Error(ErrorObject("input", input.name), "the same name twice", "a unique name");
  }
  const size_t count = scene.inputs.size();
  if (scene.hand && (count < hand_inputs || scene.inputs[count - hand_inputs].name != "hand.on"))
    throw Error("hand", "a hand without its inputs", "the inputs of HandInput as the last ones",
                "Use add_hand() after all other inputs.");
  visit_signals(scene, [&](SignalUse use, const Signal& signal, const auto& who) {
    if (!signal.fault().empty()) return;  // refused with the part it belongs to
    for (const size_t k : signal.inputs()) {
      if (k >= scene.inputs.size())
        throw Error(who(), fmt::format("input number {}", k),
                    scene.inputs.empty() ? "an input, but the scene has none"
                                         : fmt::format("0 to {}", scene.inputs.size() - 1));
      if (use == SignalUse::position && scene.inputs[k].smoothing == 0)
        throw Error(who(),
                    fmt::format("input '{}' without smoothing, which would make the position jump",
                                scene.inputs[k].name),
                    "an input with smoothing",
                    fmt::format("Give input '{}' a smoothing time, such as `smoothing: 0.2 s`.",
                                scene.inputs[k].name));
    }
    if (use == SignalUse::slip) validate_slip(scene, signal, who());
  });
}

}  // namespace hawser

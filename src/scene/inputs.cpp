#include "scene/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/writer.h"

namespace hawser {
namespace {

/// The dimension of an input is that of the first of its values that has a unit. False when it has
/// no initial value that can be read.
bool read_start(const ReadContext& c, const Node& input, Amount& out) {
  bool any = false;
  for (const char* key : {"value", "from", "to"}) {
    const Node* node = input.find(key);
    if (!node || node->kind != Node::Kind::scalar) continue;
    try {
      const Expression e = Expression::parse(node->text, c.variables);
      if (unit_of(out.dimension).empty()) out.dimension = e.dimension();
      if (std::string_view(key) != "value") continue;
      out.value = e.value();
      any = true;
    } catch (const ExpressionError&) {  // told when the field is read
    }
  }
  return any;
}

class InputBuilder {
 public:
  InputBuilder(ReadContext& context, Named<InputText>::Entry& entry, const std::string& unit)
      : c_(context), text_(entry.value), path_("inputs." + entry.name) {
    out_.name = entry.name;
    out_.unit = unit;
  }

  Input run() {
    out_.value = number(text_.value, "value");
    if (text_.from.given) out_.from = number(text_.from, "from");
    if (text_.to.given) out_.to = number(text_.to, "to");
    out_.smoothing = *text_.smoothing;
    if (sound_) check_range();
    if (text_.feedback.given) set_feedback();
    return out_;
  }

 private:
  [[nodiscard]] std::string in_unit(double value) const { return quantity_text(value, out_.unit); }

  double number(const Given<FreeQuantity>& given, const char* field) {
    if (!given.value) return 0;  // told already
    const std::string path = path_ + "." + field;
    const size_t before = c_.problems.count();
    if (!given->unit.empty() && given->unit != out_.unit)
      c_.problems.add(given.at, path, "a value in " + given->unit,
                      "a value in " + out_.unit + ", like the others of the input");
    else if (!(std::abs(given->value) <= largest_quantity))
      c_.problems.add(given.at, path, in_unit(given->value),
                      "at most " + in_unit(largest_quantity));
    sound_ = sound_ && c_.problems.count() == before;
    return given->value;
  }

  void check_range() {
    if (!(out_.from <= out_.to))
      c_.problems.add(text_.from.at, path_ + ".from",
                      fmt::format("{}, above `to`, {}", in_unit(out_.from), in_unit(out_.to)),
                      "the lower limit");
    else if (!(out_.value >= out_.from && out_.value <= out_.to))
      c_.problems.add(text_.value.at, path_ + ".value", in_unit(out_.value),
                      out_.value < out_.from
                          ? fmt::format("at least {}, `from`", in_unit(out_.from))
                          : fmt::format("at most {}, `to`", in_unit(out_.to)));
  }

  void set_feedback() {
    FeedbackText& text = *text_.feedback.value;
    if (!text.channels.value || !text.law.value) return;  // told already
    FeedbackLaw law;
    for (const NamedChannel& channel : *text.channels)
      law.channels.push_back({channel.name, channel.channel});
    text.law.value = with_variables(*text.law, c_.variables);
    law.law = *text.law;
    out_.feedback = std::move(law);
  }

  ReadContext& c_;
  InputText& text_;
  std::string path_;
  bool sound_ = true;  ///< its values are
  Input out_;
};

}  // namespace

void read_inputs(ReadContext& c, const Node& root) {
  const Node* inputs = root.find("inputs");
  if (!inputs || inputs->kind != Node::Kind::map) return;  // told when it is read
  for (const auto& [key, value] : inputs->entries) {
    if (!check_symbol(c, key, "inputs")) continue;
    Amount start;
    if (!read_start(c, value, start)) c.broken_variables.insert(key.text);
    c.symbols.push_back({key.text, start.dimension});
    c.inputs.push_back(InputMotion::at_rest(start.value));
  }
}

void add_inputs(ReadContext& c, SceneText& text, Scene& scene) {
  for (size_t i = 0; i < text.inputs.entries.size(); ++i)
    scene.inputs.push_back(
        InputBuilder(c, text.inputs.entries[i], unit_of(c.symbols[i].dimension)).run());
  if (*text.hand) add_hand(scene);
}

}  // namespace hawser

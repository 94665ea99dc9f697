#include <fmt/format.h>

#include <algorithm>

#include "base/expression.h"
#include "hawser/control.h"
#include "hawser/error.h"
#include "model/inputs.h"
#include "record/one_column.h"

namespace hawser {

struct Feedback::Impl {
  struct Law {
    size_t input;
    Expression law;
    std::vector<std::string> names;    ///< of the columns
    std::vector<size_t> columns;       ///< by symbol, among the channels
    std::vector<InputMotion> symbols;  ///< the channels of the moment
  };

  explicit Impl(const Model& m)
      : model(m), channels(m, read_laws()), values(channels.columns().size()) {
    const std::vector<Column>& all = channels.columns();
    for (Law& law : laws)
      for (const std::string& name : law.names) {
        const auto at = std::find_if(all.begin(), all.end(),
                                     [&](const Column& column) { return column.name == name; });
        law.columns.push_back(static_cast<size_t>(at - all.begin()));
      }
  }

  /// Fills `laws`; returns the channels that they use.
  std::vector<std::string> read_laws() {
    std::vector<std::string> out;
    const auto& inputs = model.scene().inputs;
    for (size_t k = 0; k < inputs.size(); ++k) {
      if (!inputs[k].feedback) continue;
      Law law = read_law(inputs[k]);
      law.input = k;
      out.insert(out.end(), law.names.begin(), law.names.end());
      laws.push_back(std::move(law));
    }
    return out;
  }

  [[nodiscard]] Law read_law(const Input& input) const {
    const ErrorObject who("input", input.name, fmt::format("feedback of input '{}'", input.name));
    Law out;
    std::vector<Symbol> symbols;
    for (const FeedbackLaw::Symbol& s : input.feedback->channels) {
      try {
        const Column column = one_column(model, s.channel).columns().front();
        out.names.push_back(column.name);
        symbols.push_back({s.name, column.unit.empty() ? Dimension{} : dimension_of(column.unit)});
      } catch (const Error& e) {
        throw Error(who.at(e.where()), e.found(), e.expected(), e.remedy());
      }
    }
    out.symbols.resize(symbols.size());
    try {
      out.law = Expression::parse(input.feedback->law, {}, true, symbols);
    } catch (const ExpressionError& e) {
      throw Error(who.at("law"), fmt::format("'{}', {}", input.feedback->law, e.problem),
                  e.expected.empty() ? "an expression of the channels named and t" : e.expected,
                  e.remedy);
    }
    require_unit(input, out.law.dimension(), who);
    return out;
  }

  /// A pure number counts as SI, as in functions of time.
  static void require_unit(const Input& input, const Dimension& d, const ErrorObject& who) {
    const Dimension wanted = input.unit.empty() ? Dimension{} : dimension_of(input.unit);
    const bool number = same_kind(d, {}) && d.rad == 0;
    const bool rate = same_kind(d, quantity::frequency.dimension);
    if (number || (same_kind(d, wanted) && (!rate || d.rad == wanted.rad))) return;
    throw Error(who.at("law"), fmt::format("'{}', which is {}", input.feedback->law, describe(d)),
                describe(wanted) + ", like the value of the input",
                "Give the gains their units, such as `0.5 s^-1`.");
  }

  void apply(State& state) {
    if (!laws.empty()) channels.sample(state, values);
    for (Law& law : laws) {
      for (size_t i = 0; i < law.columns.size(); ++i)
        law.symbols[i] = InputMotion::at_rest(values[law.columns[i]]);
      change_input(model.data(), state, law.input, law.law.at({state.t, law.symbols}).value);
    }
    state.feedback_time = state.t;
  }

  Model model;
  std::vector<Law> laws;
  Channels channels;
  std::vector<double> values;
};

Feedback::Feedback(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
Feedback::~Feedback() = default;
Feedback::Feedback(Feedback&&) noexcept = default;
Feedback& Feedback::operator=(Feedback&&) noexcept = default;

void Feedback::apply(State& state) { impl_->apply(state); }

}  // namespace hawser

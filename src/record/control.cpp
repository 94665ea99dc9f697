#include "hawser/control.h"

#include <algorithm>

#include "model/inputs.h"
#include "record/one_column.h"

namespace hawser {

struct Control::Impl {
  Impl(const Model& m, State& of, std::function<void(const Setting&)> told)
      : model(m), state(of), on_set(std::move(told)) {}

  double read(std::string_view channel) {
    auto at = std::find_if(channels.begin(), channels.end(),
                           [&](const auto& known) { return known.first == channel; });
    if (at == channels.end()) {
      const std::string name(channel);
      channels.emplace_back(name, one_column(model, name));
      at = channels.end() - 1;
    }
    double value = 0;
    at->second.sample(state, {&value, 1});
    return value;
  }

  double set(std::string_view input, double value) {
    const size_t k = find_input(model.scene(), input);
    require_free(model.scene().inputs[k]);
    const double before = state.inputs[k].setting;
    const double applied = change_input(model.data(), state, k, value);
    if (on_set && applied != before) on_set({k, value, applied});
    return applied;
  }

  void change_mesh(const Model& next) {
    model = next;
    for (auto& [name, known] : channels) known = one_column(model, name);
  }

  Model model;
  State& state;
  const std::function<void(const Setting&)> on_set;
  std::vector<std::pair<std::string, Channels>> channels;  ///< those read so far, by name
};

Control::Control(const Model& model, State& state, std::function<void(const Setting&)> on_set)
    : impl_(std::make_unique<Impl>(model, state, std::move(on_set))) {}
Control::~Control() = default;

void Control::change_mesh(const Model& model) { impl_->change_mesh(model); }
double Control::t() const { return impl_->state.t; }
double Control::read(std::string_view channel) { return impl_->read(channel); }
double Control::set(std::string_view input, double value) { return impl_->set(input, value); }

}  // namespace hawser

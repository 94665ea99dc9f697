#include <fmt/format.h>

#include <algorithm>

#include "hawser/error.h"
#include "hawser/record.h"
#include "record/channel_name.h"
#include "record/probes.h"

namespace hawser {

struct Channels::Impl {
  Impl(const Model& m, const std::vector<Support>& supports, const std::vector<std::string>& names)
      : model(m), assembler(model.data()) {
    for (const std::string& name : expand_channels(supports, names)) {
      const ChannelName channel = read_channel(model, supports, name);
      const Columns places = add_columns(channel);
      if (places == Columns{-1, -1, -1}) continue;
      switch (channel.subject) {
        case ChannelName::Subject::cable:
          add_cable(channel, places);
          break;
        case ChannelName::Subject::support:
          add_support(channel, supports[static_cast<size_t>(channel.index)], places);
          break;
        case ChannelName::Subject::energy:
          add_energy(channel, places[0]);
          break;
        case ChannelName::Subject::momentum:
          add_momentum(channel, places);
          break;
      }
    }
  }

  /// Columns that are there already are not added again.
  Columns add_columns(const ChannelName& channel) {
    Columns out{-1, -1, -1};
    for (int c = 0; c < (channel.is_vector ? 3 : 1); ++c) {
      if (channel.component >= 0 && channel.component != c) continue;
      const Column column{channel.column(channel.is_vector ? c : -1), channel.unit};
      const auto same = [&](const Column& other) { return other.name == column.name; };
      if (std::any_of(columns.begin(), columns.end(), same)) continue;
      out[static_cast<size_t>(c)] = static_cast<int>(columns.size());
      columns.push_back(column);
    }
    return out;
  }

  void add_cable(const ChannelName& channel, const Columns& places) {
    const std::span<const AncfBatch> batches = model.data().batches_of(channel.index);
    if (channel.quantity == "length") {
      probe_of(batches).length_column = places[0];
      return;
    }
    constexpr const char* names[] = {"position", "velocity",  "direction", "tension",
                                     "strain",   "curvature", "moment"};
    double factor = 1;
    auto quantity = Quantity::tension;
    if (channel.quantity == "utilisation") {
      factor = 1 / breaking_load(channel);
    } else {
      const auto* found = std::find(std::begin(names), std::end(names), channel.quantity);
      quantity = static_cast<Quantity>(found - std::begin(names));
    }
    if (channel.at == ChannelName::At::spot) {
      points.push_back({quantity, spot_at(batches, channel.s), factor, places});
      return;
    }
    probe_of(batches).extremes.push_back(
        {quantity, channel.at == ChannelName::At::max, factor, places[0]});
  }

  CableProbe& probe_of(std::span<const AncfBatch> batches) {
    for (CableProbe& probe : cables)
      if (probe.batches.data() == batches.data()) return probe;
    cables.push_back({batches, {}});
    return cables.back();
  }

  [[nodiscard]] double breaking_load(const ChannelName& channel) const {
    const double load =
        model.scene().cables[static_cast<size_t>(channel.index)].section.breaking_load;
    if (!(load > 0))
      throw Error(fmt::format("channel '{}'", channel.column(-1)),
                  fmt::format("cable '{}' without a breaking load", channel.owner),
                  "a section whose breaking load is known",
                  "Give the section's breaking load, or record the tension.");
    return load;
  }

  void add_support(const ChannelName& channel, const Support& support, const Columns& places) {
    if (support.places.empty())
      throw Error(fmt::format("channel '{}'", channel.column(-1)),
                  fmt::format("support '{}', which holds no cable", support.name),
                  "a support that holds one");
    using What = SupportProbe::What;
    SupportProbe probe{channel.quantity == "force"    ? What::force
                       : channel.quantity == "moment" ? What::moment
                                                      : What::position,
                       {},
                       model.node(support.places.front()),
                       places};
    for (const Place& place : support.places)
      probe.places.emplace_back(model.data(), model.node(place));
    reactions.push_back(std::move(probe));
  }

  void add_energy(const ChannelName& channel, int column) {
    using Part = double (*)(const Energy&);
    constexpr std::pair<const char*, Part> parts[] = {
        {"kinetic", [](const Energy& e) { return e.kinetic; }},
        {"axial", [](const Energy& e) { return e.axial; }},
        {"bending", [](const Energy& e) { return e.bending; }},
        {"potential", [](const Energy& e) { return e.potential; }},
        {"work", [](const Energy& e) { return e.work; }},
        {"balance", [](const Energy& e) { return e.balance(); }}};
    for (const auto& [name, part] : parts)
      if (channel.quantity == name) energy.items.emplace_back(part, column);
  }

  void add_momentum(const ChannelName& channel, const Columns& places) {
    Columns& into = channel.quantity == "linear" ? momentum.linear : momentum.angular;
    for (size_t c = 0; c < 3; ++c)
      if (places[c] >= 0) into[c] = places[c];
  }

  void sample(const State& state, std::span<double> out) {
    for (const PointProbe& probe : points) probe.sample(state, out);
    for (const CableProbe& probe : cables) probe.sample(state, out);
    for (const SupportProbe& probe : reactions) probe.sample(state, out);
    if (!energy.items.empty()) energy.sample(model, state, out);
    if (momentum.wanted()) momentum.sample(model.data(), assembler, state, out);
  }

  Model model;
  Assembler assembler;  ///< scratch for the momentum
  std::vector<Column> columns;
  std::vector<PointProbe> points;
  std::vector<CableProbe> cables;  ///< at most one a cable
  std::vector<SupportProbe> reactions;
  EnergyProbe energy;
  MomentumProbe momentum;
};

Channels::Channels(const Model& model, const std::vector<Support>& supports,
                   const std::vector<std::string>& names)
    : impl_(std::make_unique<Impl>(model, supports, names)) {}
Channels::~Channels() = default;
Channels::Channels(Channels&&) noexcept = default;
Channels& Channels::operator=(Channels&&) noexcept = default;

const std::vector<Column>& Channels::columns() const { return impl_->columns; }

void Channels::sample(const State& state, std::span<double> out) {
  if (out.size() != columns().size())
    throw Error("sample of channels", fmt::format("room for {} numbers", out.size()),
                fmt::format("{}, one a column", columns().size()));
  impl_->sample(state, out);
}

std::vector<std::string> default_channels(const Model& model,
                                          const std::vector<Support>& supports) {
  std::vector<std::string> out;
  for (const Cable& cable : model.scene().cables) {
    for (const auto& [place, node] : {std::pair("start", 0), std::pair("end", -1)}) {
      const int number = model.node({cable.name, node});
      const auto holds = [&](const Support& support) {
        return std::any_of(support.places.begin(), support.places.end(),
                           [&](const Place& held) { return model.node(held) == number; });
      };
      if (std::none_of(supports.begin(), supports.end(), holds))
        out.push_back(fmt::format("{}.position@{}", cable.name, place));
    }
    for (const char* place : {"start", "end", "max"})
      out.push_back(fmt::format("{}.tension@{}", cable.name, place));
    if (cable.section.breaking_load > 0)
      out.push_back(fmt::format("{}.utilisation@max", cable.name));
  }
  out.emplace_back("reactions");
  out.emplace_back("energy");
  return out;
}

}  // namespace hawser

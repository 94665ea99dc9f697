#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hawser/error.h"
#include "hawser/record.h"
#include "model/sections.h"
#include "record/channel_name.h"
#include "record/mechanism_probes.h"
#include "record/probes.h"

namespace hawser {

namespace {

/// Place of a word in a list that holds it, as the enum of that order.
template <class Enum, size_t n>
Enum chosen(const char* const (&names)[n], const std::string& word) {
  return static_cast<Enum>(std::find(std::begin(names), std::end(names), word) - std::begin(names));
}

/// Columns of the components, of a scalar the first alone; -1: not asked for.
using Places = std::array<int, 4>;
Columns three(const Places& places) { return {places[0], places[1], places[2]}; }

}  // namespace

struct Channels::Impl {
  Impl(const Model& m, const std::vector<std::string>& names)
      : model(m), assembler(model.data()), now(model.data()) {
    for (const std::string& name : expand_channels(model, names)) {
      const ChannelName channel = read_channel(model, name);
      const Places places = add_columns(channel);
      if (places == Places{-1, -1, -1, -1}) continue;
      switch (channel.subject) {
        case ChannelName::Subject::cable:
          add_cable(channel, three(places));
          break;
        case ChannelName::Subject::body:
          add_body(channel, places);
          break;
        case ChannelName::Subject::frame:
          add_frame(channel, three(places));
          break;
        case ChannelName::Subject::joint:
          add_joint(channel, three(places));
          break;
        case ChannelName::Subject::winch:
          add_winch(channel, places[0]);
          break;
        case ChannelName::Subject::sliding_joint:
          add_slide(channel, three(places));
          break;
        case ChannelName::Subject::support:
          add_support(channel, three(places));
          break;
        case ChannelName::Subject::contact:
          contacts.emplace_back(model.data(), channel.index, channel.place, three(places));
          break;
        case ChannelName::Subject::energy:
          add_energy(channel, places[0]);
          break;
        case ChannelName::Subject::momentum:
          add_momentum(channel, three(places));
          break;
        case ChannelName::Subject::input:
          inputs.push_back({static_cast<size_t>(channel.index), places[0]});
          break;
      }
    }
  }

  /// Columns that are there already are not added again.
  Places add_columns(const ChannelName& channel) {
    Places out{-1, -1, -1, -1};
    const int components = static_cast<int>(channel.components.size());
    for (int c = 0; c < std::max(components, 1); ++c) {
      if (channel.component >= 0 && channel.component != c) continue;
      const Column column{channel.column(components > 0 ? c : -1), channel.unit};
      const auto same = [&](const Column& other) { return other.name == column.name; };
      if (std::any_of(columns.begin(), columns.end(), same)) continue;
      out[static_cast<size_t>(c)] = static_cast<int>(columns.size());
      columns.push_back(column);
    }
    return out;
  }

  /// What a cable does where it slides over a stop: angle and speed.
  void add_stop(const ChannelName& channel, int column) {
    using What = StopProbe::What;
    const ModelData& data = model.data();
    StopProbe probe{channel.quantity == "wrap" ? What::wrap : What::slip, -1, nullptr, -1, column};
    for (const ArcData& arc : data.mechanism.arcs)
      if (arc.cable == channel.index && arc.stop == channel.stop)
        probe.arc = &arc, probe.rub = arc.rub;
    if (const RouteData* route = route_of_cable(data, channel.index)) {
      for (size_t r = 0; r + 1 < route->runs.size(); ++r)
        if (route->runs[r].last_stop == channel.stop)
          probe.rub = route->first_rub + static_cast<int>(r);
      probe.wrap = route->stops[static_cast<size_t>(channel.stop)].wrap;
    }
    if (probe.what == What::slip ? probe.rub < 0 : !probe.arc && probe.wrap < 0 && probe.rub < 0)
      throw Error(fmt::format("channel '{}'", channel.column(-1)),
                  fmt::format("'{}', {}", channel.place,
                              probe.what == What::slip ? "which has no friction"
                                                       : "an eyelet without friction"),
                  probe.what == What::slip ? "a stop with `friction`, `grip` or `inertia`"
                                           : "a pulley, or an eyelet with `friction`");
    slides_over.push_back(probe);
  }

  void add_cable(const ChannelName& channel, const Columns& places) {
    if (channel.stop >= 0) return add_stop(channel, places[0]);
    if (const RouteData* route = route_of_cable(model.data(), channel.index))
      return add_route(channel, *route, places);
    const CableFields fields = model.data().fields_of(channel.index);
    if (channel.quantity == "length") {
      probe_of(fields).length_column = places[0];
      return;
    }
    if (channel.quantity == "rest_length") {
      probe_of(fields).rest_column = places[0];
      return;
    }
    if (channel.quantity == "paid_out") {
      probe_of(fields).paid_column = places[0];
      return;
    }
    constexpr const char* names[] = {"position", "velocity",  "direction", "tension",
                                     "strain",   "curvature", "moment"};
    const bool utilisation = channel.quantity == "utilisation";
    const double factor = utilisation ? 1 / breaking_load(channel) : 1;
    const auto quantity =
        utilisation ? Quantity::tension : chosen<Quantity>(names, channel.quantity);
    if (channel.from_stop) {
      names_of_places.emplace_back(points.size(), channel.column(channel.component));
      points.push_back({quantity, spot_at_distance(channel), factor, places});
      return;
    }
    if (channel.at == ChannelName::At::spot) {
      if (channel.is_length)
        names_of_places.emplace_back(points.size(), channel.column(channel.component));
      const double* q = model.data().q0.data();
      points.push_back(
          {quantity, {fields, q, channel.s, channel.fraction, channel.is_length}, factor, places});
      return;
    }
    probe_of(fields).extremes.push_back(
        {quantity, channel.at == ChannelName::At::max, factor, places[0]});
  }

  /// Along the part of the cable that is at the stop: not beyond a cut.
  [[nodiscard]] NamedSpot spot_at_distance(const ChannelName& channel) const {
    const ModelData& data = model.data();
    const ChannelName::FromStop& from = *channel.from_stop;
    const CableSpan& span = data.cables[static_cast<size_t>(channel.index)];
    int node = from.stop == 0 ? span.first_node : span.first_node + span.nodes - 1;
    for (const HandOver& h : data.hand_overs)
      if (h.cable == channel.index && h.stop == from.stop && h.kind != HandOver::Kind::supply)
        node = !h.here() ? -1 : from.after ? h.node + 1 : h.node;
    int first = span.first_run, last = span.first_run + span.runs;
    for (const SplitNode& cut : data.cuts) {
      if (cut.run <= first || cut.run >= last || node < 0) continue;
      (cut.node < node ? first : last) = cut.run;
    }
    return {std::span(data.fields)
                .subspan(static_cast<size_t>(first), static_cast<size_t>(last - first)),
            NamedSpot::Distance{node, from.after, from.distance}};
  }

  void add_route(const ChannelName& channel, const RouteData& route, const Columns& places) {
    using What = RouteProbe::What;
    using At = RouteProbe::At;
    constexpr const char* names[] = {"position",    "velocity", "direction", "tension",
                                     "strain",      "bending",  "mean",      "length",
                                     "rest_length", "paid_out", "twist",     "torque"};
    const std::string& quantity = channel.quantity;
    const What what = quantity == "utilisation"                         ? What::tension
                      : quantity == "curvature" || quantity == "moment" ? What::bending
                      : quantity == "strain" && channel.place.empty()
                          ? What::mean_strain
                          : chosen<What>(names, quantity);
    if (what <= What::direction && channel.fraction != 0 && channel.fraction != 1)
      throw Error(fmt::format("channel '{}'", channel.column(-1)),
                  fmt::format("{} inside massless cable '{}'", quantity, channel.owner),
                  "'@start' or '@end'",
                  "Cables of the models ancf and np-fem have it along their length.");
    if ((what == What::twist || what == What::torque) && route.twist_row < 0)
      throw Error(fmt::format("channel '{}'", channel.column(-1)),
                  fmt::format("cable '{}' without torsional stiffness", channel.owner),
                  "a section with GJ above zero", "Set GJ in the section.");
    const At at = channel.at == ChannelName::At::max   ? At::max
                  : channel.at == ChannelName::At::min ? At::min
                                                       : At::spot;
    const auto& stops = model.scene().cables[static_cast<size_t>(route.cable)].route;
    const auto frame = [&](const Stop& stop) {
      return find_stop(model.scene(), stop, channel.owner);
    };
    routes.push_back({what, &route, frame(stops.front()), frame(stops.back()), at, channel.fraction,
                      quantity == "utilisation" ? 1 / breaking_load(channel) : 1, places});
  }

  void add_body(const ChannelName& channel, const Places& places) {
    constexpr const char* names[] = {"position", "velocity", "acceleration", "angular_velocity",
                                     "orientation"};
    bodies.push_back({chosen<BodyProbe::What>(names, channel.quantity), channel.index, places});
  }

  void add_frame(const ChannelName& channel, const Columns& places) {
    constexpr const char* names[] = {"position", "velocity"};
    frames.push_back({chosen<FrameProbe::What>(names, channel.quantity),
                      find_frame(model.scene(), channel.owner, channel.owner), places});
  }

  void add_joint(const ChannelName& channel, const Columns& places) {
    constexpr const char* names[] = {"force", "torque", "turn", "travel"};
    joints.push_back({chosen<JointProbe::What>(names, channel.quantity),
                      static_cast<size_t>(channel.index), places});
  }

  void add_winch(const ChannelName& channel, int column) {
    constexpr const char* names[] = {"turn", "speed", "torque", "wound", "layer", "brake_torque"};
    const auto index = static_cast<size_t>(channel.index);
    winches.push_back({chosen<WinchProbe::What>(names, channel.quantity),
                       &model.data().mechanism.winches[index],
                       &model.data().mechanism.winch_rows[index], column});
  }

  void add_slide(const ChannelName& channel, const Columns& places) {
    constexpr const char* names[] = {"place", "speed", "friction", "force"};
    slides.push_back({chosen<SlideProbe::What>(names, channel.quantity),
                      &model.data().mechanism.slides[static_cast<size_t>(channel.index)], places});
  }

  CableProbe& probe_of(CableFields fields) {
    for (CableProbe& probe : cables)
      if (probe.fields.data() == fields.data()) return probe;
    cables.push_back({fields, {}});
    return cables.back();
  }

  [[nodiscard]] double breaking_load(const ChannelName& channel) const {
    const Cable& cable = model.scene().cables[static_cast<size_t>(channel.index)];
    const double load = common_breaking_load(cable);
    if (!(load > 0))
      throw Error(fmt::format("channel '{}'", channel.column(-1)),
                  fmt::format("cable '{}' without a breaking load{}", channel.owner,
                              cable.sections.size() > 1 ? " that all its sections share" : ""),
                  "a section with a breaking load",
                  "Set the breaking load in the section, or record the tension.");
    return load;
  }

  void add_support(const ChannelName& channel, const Columns& places) {
    const SupportUse use = support_use(model.data(), static_cast<size_t>(channel.index));
    if (!use.any())
      throw Error(fmt::format("channel '{}'", channel.column(-1)),
                  fmt::format("support '{}', which holds nothing", channel.owner),
                  "a support that holds a cable or a body");
    constexpr const char* names[] = {"force", "moment", "position"};
    SupportProbe probe{chosen<SupportProbe::What>(names, channel.quantity), {}, -1, {}, {}, places};
    for (const int node : use.nodes) probe.places.emplace_back(model.data(), node);
    if (!use.nodes.empty()) probe.first_node = use.nodes.front();
    if (use.frame) {
      probe.ground.emplace(model.data(), channel.owner);
      probe.frame = find_frame(model.scene(), channel.owner, channel.owner);
    }
    reactions.push_back(std::move(probe));
  }

  void add_energy(const ChannelName& channel, int column) {
    using Part = double (*)(const Energy&);
    constexpr std::pair<const char*, Part> parts[] = {
        {"kinetic", [](const Energy& e) { return e.kinetic; }},
        {"axial", [](const Energy& e) { return e.axial; }},
        {"bending", [](const Energy& e) { return e.bending; }},
        {"twist", [](const Energy& e) { return e.twist; }},
        {"joints", [](const Energy& e) { return e.joints; }},
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
    const auto all = [&](const auto& probes, const auto& of) {
      for (const auto& probe : probes) probe.sample(of, out);
    };
    all(points, state);
    all(cables, state);
    all(inputs, state);
    all(winches, state);
    all(slides, state);
    all(contacts, state);
    if (looks_at_mechanism()) {
      now.look(state);
      all(bodies, now);
      all(frames, now);
      all(joints, now);
      all(routes, now);
      all(slides_over, now);
      all(reactions, now);
    }
    if (!energy.items.empty()) energy.sample(model, state, out);
    if (momentum.wanted()) momentum.sample(model.data(), assembler, state, out);
  }

  [[nodiscard]] bool looks_at_mechanism() const {
    return !(bodies.empty() && frames.empty() && joints.empty() && routes.empty() &&
             slides_over.empty() && reactions.empty());
  }

  Model model;
  Assembler assembler;  ///< scratch for the momentum
  MechanismNow now;     ///< of the sample being taken
  std::vector<Column> columns;
  std::vector<PointProbe> points;
  /// Of those whose place may be off the cable: number among them, column.
  std::vector<std::pair<size_t, std::string>> names_of_places;
  std::vector<CableProbe> cables;  ///< at most one a cable
  std::vector<BodyProbe> bodies;
  std::vector<FrameProbe> frames;
  std::vector<JointProbe> joints;
  std::vector<RouteProbe> routes;
  std::vector<StopProbe> slides_over;
  std::vector<SupportProbe> reactions;
  std::vector<InputProbe> inputs;
  std::vector<WinchProbe> winches;
  std::vector<SlideProbe> slides;
  std::vector<ContactProbe> contacts;
  EnergyProbe energy;
  MomentumProbe momentum;
};

Channels::Channels(const Model& model, const std::vector<std::string>& names)
    : impl_(std::make_unique<Impl>(model, names)) {}
Channels::~Channels() = default;
Channels::Channels(Channels&&) noexcept = default;
Channels& Channels::operator=(Channels&&) noexcept = default;

const std::vector<Column>& Channels::columns() const { return impl_->columns; }

std::vector<std::string> Channels::off_cable(const State& state) const {
  std::vector<std::string> out;
  for (const auto& [point, name] : impl_->names_of_places)
    if (impl_->points[point].off_cable(state)) out.push_back(name);
  return out;
}

void Channels::sample(const State& state, std::span<double> out) {
  if (out.size() != columns().size())
    throw Error("sample of channels", fmt::format("space for {} numbers", out.size()),
                fmt::format("{}, one per column", columns().size()));
  impl_->sample(state, out);
}

namespace {

constexpr size_t few_joints = 8;  ///< whose forces are recorded unasked

void add_defaults(const Cable& cable, std::vector<std::string>& out) {
  if (cable.route.front().kind == Stop::Kind::free) out.push_back(cable.name + ".position@start");
  if (cable.route.back().kind == Stop::Kind::free) out.push_back(cable.name + ".position@end");
  for (const char* place : {"start", "end", "max"})
    out.push_back(fmt::format("{}.tension@{}", cable.name, place));
}

}  // namespace

std::vector<std::string> default_channels(const Model& model) {
  std::vector<std::string> out;
  const Scene& scene = model.scene();
  for (const Body& body : scene.bodies) out.push_back(body.name + ".position");
  for (size_t i = 0; i < scene.cables.size(); ++i) {
    const Cable& cable = scene.cables[i];
    const RouteData* route = route_of_cable(model.data(), static_cast<int>(i));
    if (route != nullptr || cable.when_slack) {  // the same whether it is slack or taut
      out.push_back(cable.name + ".tension@start");
      if (route != nullptr && route->runs.size() > 1) out.push_back(cable.name + ".tension@end");
      out.push_back(cable.name + ".length");
    } else {
      add_defaults(cable, out);
    }
    if (common_breaking_load(cable) > 0)
      out.push_back(fmt::format("{}.utilisation@max", cable.name));
  }
  if (scene.joints.size() <= few_joints) {
    out.emplace_back("reactions");
  } else {
    for (const std::string& name : reactions_of(model)) out.push_back(name);
  }
  for (const Winch& winch : scene.winches)
    for (const char* what : {"turn", "speed", "torque", "wound"})
      out.push_back(fmt::format("{}.{}", winch.name, what));
  for (const SlidingJoint& joint : scene.sliding_joints)
    for (const char* what : {"place", "speed", "force"})
      out.push_back(fmt::format("{}.{}", joint.name, what));
  for (const Input& input : scene.inputs)
    if (!input.hidden) out.push_back("input." + input.name);
  out.emplace_back("energy");
  return out;
}

}  // namespace hawser

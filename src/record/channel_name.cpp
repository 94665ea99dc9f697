#include "record/channel_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "hawser/error.h"
#include "model/flows.h"
#include "record/mechanism_now.h"

namespace hawser {
namespace {

using Subject = ChannelName::Subject;

struct Known {
  const char *name, *unit;
  const char* components = "";
  /// On the cable; a stop of its route; a shape of a contact.
  enum class Place { none, needed, optional, stop, shape } place = Place::none;
};
constexpr const char* vector = "xyz";
constexpr auto at_place = Known::Place::needed;

constexpr Known cable_quantities[] = {{"position", "m", vector, at_place},
                                      {"velocity", "m/s", vector, at_place},
                                      {"direction", "", vector, at_place},
                                      {"tension", "N", "", at_place},
                                      {"strain", "", "", at_place},
                                      {"curvature", "1/m", "", at_place},
                                      {"moment", "N m", "", at_place},
                                      {"utilisation", "", "", at_place},
                                      {"length", "m"},
                                      {"rest_length", "m"},
                                      {"paid_out", "m"},
                                      {"wrap", "rad", "", Known::Place::stop},
                                      {"slip", "m/s", "", Known::Place::stop}};
constexpr Known massless_quantities[] = {{"position", "m", vector, at_place},
                                         {"velocity", "m/s", vector, at_place},
                                         {"direction", "", vector, at_place},
                                         {"tension", "N", "", at_place},
                                         {"strain", "", "", Known::Place::optional},
                                         {"curvature", "1/m", "", at_place},
                                         {"moment", "N m", "", at_place},
                                         {"utilisation", "", "", at_place},
                                         {"length", "m"},
                                         {"rest_length", "m"},
                                         {"paid_out", "m"},
                                         {"wrap", "rad", "", Known::Place::stop},
                                         {"slip", "m/s", "", Known::Place::stop},
                                         {"twist", "rad"},
                                         {"torque", "N m"}};
constexpr Known body_quantities[] = {{"position", "m", vector},
                                     {"velocity", "m/s", vector},
                                     {"acceleration", "m/s^2", vector},
                                     {"orientation", "", "wxyz"},
                                     {"angular_velocity", "rad/s", vector}};
constexpr Known frame_quantities[] = {{"position", "m", vector}, {"velocity", "m/s", vector}};
/// A joint has the first two, and turn or travel or both.
constexpr Known joint_quantities[] = {
    {"turn", "rad"}, {"force", "N", vector}, {"torque", "N m", vector}, {"travel", "m"}};
constexpr Known winch_quantities[] = {{"turn", "rad"}, {"speed", "rad/s"}, {"torque", "N m"},
                                      {"wound", "m"},  {"layer", ""},      {"brake_torque", "N m"}};
constexpr Known sliding_quantities[] = {
    {"place", "m"}, {"speed", "m/s"}, {"friction", "N"}, {"force", "N", vector}};
constexpr Known support_quantities[] = {
    {"force", "N", vector}, {"moment", "N m", vector}, {"position", "m", vector}};
constexpr Known contact_quantities[] = {{"force", "N", vector, Known::Place::shape}};
constexpr Known energy_parts[] = {{"kinetic", "J"}, {"axial", "J"},  {"bending", "J"},
                                  {"twist", "J"},   {"joints", "J"}, {"potential", "J"},
                                  {"work", "J"},    {"balance", "J"}};
constexpr Known momentum_parts[] = {{"linear", "kg m/s", vector}, {"angular", "kg m^2/s", vector}};

using Names = std::vector<std::string>;

Names names_of(std::span<const Known> known) {
  Names out;
  for (const Known& k : known) out.emplace_back(k.name);
  return out;
}

std::span<const Known> joint_quantities_of(JointKind kind) {
  const std::span<const Known> all = joint_quantities;
  switch (kind) {
    case JointKind::hinge:
      return all.first(3);
    case JointKind::slider:
    case JointKind::distance:
      return all.last(3);
    case JointKind::cylinder:
      return all;
    default:
      return all.subspan(1, 2);
  }
}

std::span<const Known> quantities_of(const Scene& scene, Subject subject, size_t index) {
  switch (subject) {
    case Subject::cable:
      if (scene.cables[index].model == CableModel::massless) return massless_quantities;
      return cable_quantities;
    case Subject::body:
      return body_quantities;
    case Subject::frame:
      return frame_quantities;
    case Subject::joint:
      return joint_quantities_of(scene.joints[index].kind);
    case Subject::winch:
      return winch_quantities;
    case Subject::sliding_joint:
      return sliding_quantities;
    case Subject::support:
      return support_quantities;
    case Subject::contact:
      return contact_quantities;
    case Subject::energy:
      return energy_parts;
    default:
      return momentum_parts;
  }
}

[[noreturn]] void refuse(const std::string& channel, const char* what, const std::string& word,
                         const Names& known, const std::string& also = {}) {
  const std::string meant = nearest_name(word, known);
  throw Error(fmt::format("channel '{}'", channel),
              word.empty() ? fmt::format("no {}", what) : fmt::format("{} '{}'", what, word),
              fmt::format("one of {}{}", fmt::join(known, ", "), also),
              meant.empty() ? "" : fmt::format("Did you mean '{}'?", meant));
}

/// What follows "owner." in the channel, where it starts so.
std::optional<std::string> rest_after(const std::string& channel, const std::string& owner) {
  const std::string start = owner + ".";
  if (!channel.starts_with(start)) return std::nullopt;
  return channel.substr(start.size());
}

/// Whether a subject has such a quantity, with a place or without as it is written.
bool fits(std::span<const Known> known, const std::string& rest) {
  const std::string quantity = rest.substr(0, rest.find_first_of(".@"));
  const auto unwanted =
      rest.find('@') == std::string::npos ? Known::Place::needed : Known::Place::none;
  return std::any_of(known.begin(), known.end(),
                     [&](const Known& k) { return quantity == k.name && k.place != unwanted; });
}

/// Finds whose channel it is; returns what follows the owner. Names may have dots: the longest
/// owner that fits is meant. Owners of different kinds may share a name: the first that has such a
/// quantity is meant.
std::string read_owner(const Scene& scene, const std::string& channel, ChannelName& out) {
  std::string rest;
  Names known;
  bool fitting = false;
  const auto offer = [&](Subject subject, size_t index, const std::string& owner) {
    if (std::find(known.begin(), known.end(), owner) == known.end()) known.push_back(owner);
    const auto after = rest_after(channel, owner);
    if (!after || owner.size() < out.owner.size()) return;
    const bool fits_here = fits(quantities_of(scene, subject, index), *after);
    if (owner.size() == out.owner.size() && (fitting || !fits_here)) return;
    out.subject = subject, out.index = static_cast<int>(index), out.owner = owner;
    rest = *after;
    fitting = fits_here;
  };
  const auto offer_all = [&](Subject subject, const auto& items) {
    for (size_t i = 0; i < items.size(); ++i) offer(subject, i, items[i].name);
  };
  offer_all(Subject::cable, scene.cables);
  offer_all(Subject::support, scene.supports);
  offer_all(Subject::body, scene.bodies);
  offer_all(Subject::joint, scene.joints);
  offer_all(Subject::winch, scene.winches);
  offer_all(Subject::sliding_joint, scene.sliding_joints);
  offer_all(Subject::contact, scene.contacts);
  offer_all(Subject::frame, scene.frames);
  offer_all(Subject::frame, scene.supports);
  offer(Subject::energy, 0, "energy");
  offer(Subject::momentum, 0, "momentum");
  known.emplace_back("reactions");
  if (!scene.inputs.empty()) known.emplace_back("input");
  if (out.owner.empty())
    refuse(channel, "subject", channel.substr(0, channel.find_first_of(".@")), known);
  return rest;
}

/// The channel of an input; false when the name is that of another.
bool read_input(const Scene& scene, const std::string& channel, ChannelName& out) {
  const auto name = rest_after(channel, "input");
  if (!name || scene.inputs.empty()) return false;
  Names known;
  for (const Input& input : scene.inputs) known.push_back(input.name);
  const auto at = std::find(known.begin(), known.end(), *name);
  if (at == known.end()) refuse(channel, "input", *name, known);
  out.subject = Subject::input;
  out.index = static_cast<int>(at - known.begin());
  out.owner = "input";
  out.quantity = *name;
  out.unit = scene.inputs[static_cast<size_t>(out.index)].unit;
  return true;
}

std::string without_spaces(const std::string& text) {
  const size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// QUANTITY or QUANTITY.COMPONENT.
const Known& read_quantity(const Scene& scene, const std::string& channel, const std::string& text,
                           ChannelName& out) {
  const size_t dot = text.find('.');
  out.quantity = text.substr(0, dot);
  const std::span<const Known> known =
      quantities_of(scene, out.subject, static_cast<size_t>(out.index));
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const Known& k) { return out.quantity == k.name; });
  if (found == known.end()) refuse(channel, "quantity", out.quantity, names_of(known));
  out.unit = found->unit;
  out.components = found->components;
  if (dot == std::string::npos) return *found;
  const std::string component = text.substr(dot + 1);
  if (out.components.empty())
    throw Error(fmt::format("channel '{}'", channel),
                fmt::format("component '{}' of the scalar {}", component, out.quantity),
                fmt::format("'{}' without a component", out.quantity));
  Names letters;
  for (const char letter : out.components) letters.emplace_back(1, letter);
  const auto at = std::find(letters.begin(), letters.end(), component);
  if (at == letters.end()) refuse(channel, "component", component, letters);
  out.component = static_cast<int>(at - letters.begin());
  return *found;
}

/// Unstretched, at the start [m].
double length_of_cable(const Model& model, int cable) {
  const RouteData* route = route_of_cable(model.data(), cable);
  if (!route) return model.data().own_mesh.s[static_cast<size_t>(cable)].back();
  double sum = 0;
  for (const RunData& run : route->runs) sum += run.free_length;
  return sum;
}

/// "1.5 m after ring", "2 m before end"; false where the place is of another kind.
bool read_distance(const Model& model, const std::string& channel, double length,
                   ChannelName& out) {
  const size_t after = out.place.find(" after "), before = out.place.find(" before ");
  if (after == std::string::npos && before == std::string::npos) return false;
  const auto who = fmt::format("channel '{}'", channel);
  const Cable& cable = model.scene().cables[static_cast<size_t>(out.index)];
  if (cable.model == CableModel::massless)
    throw Error(who, fmt::format("a distance on massless cable '{}'", out.owner),
                "a cable of the model ancf or np-fem");
  ChannelName::FromStop from;
  from.after = after != std::string::npos;
  const size_t word = from.after ? after : before;
  const std::string distance = out.place.substr(0, word),
                    name = without_spaces(out.place.substr(word + (from.after ? 7 : 8)));
  const char* const last = distance.data() + distance.size();
  const auto [stop, error] = std::from_chars(distance.data(), last, from.distance);
  if (error != std::errc() || without_spaces({stop, last}) != "m" || !(from.distance >= 0))
    throw Error(who, fmt::format("the distance '{}'", distance),
                "a length of 0 m or more: '1.5 m'");
  Names known{from.after ? "start" : "end"};
  from.stop = -1;
  if (name == known[0]) from.stop = from.after ? 0 : static_cast<int>(cable.route.size()) - 1;
  for (size_t k = 1; k + 1 < cable.route.size(); ++k) {
    if (cable.route[k].kind != Stop::Kind::over) continue;
    known.push_back(cable.route[k].on);
    if (cable.route[k].on == name) from.stop = static_cast<int>(k);
  }
  if (from.stop < 0) refuse(channel, "stop", name, known);
  if (std::count(known.begin(), known.end(), name) > 1)
    throw Error(who, fmt::format("several stops of the route over '{}'", name), "one",
                "Give each a support or a frame of its own.");
  if (!is_supplied(cable) && !(from.distance <= length))
    throw Error(who, fmt::format("point '{}'", out.place),
                fmt::format("a point on cable '{}', which is {} m long", out.owner, length));
  out.from_stop = from;
  return true;
}

void read_place(const Model& model, const std::string& channel, ChannelName& out) {
  const double length = length_of_cable(model, out.index);
  const Names known = {"start", "end", "min", "max"};
  const std::string also = fmt::format(
      ", a fraction of the cable from 0 to 1 ('0.25'), a length from 0 m to {} m ('{} m'), or a "
      "distance ('{} m before end')",
      length, length / 4, length / 4);
  using At = ChannelName::At;
  out.at = out.place == "min" ? At::min : out.place == "max" ? At::max : At::spot;
  if (out.at != At::spot) {
    if (!out.components.empty())
      throw Error(fmt::format("channel '{}'", channel),
                  fmt::format("'{}' of {}, which is a vector", out.place, out.quantity),
                  "min and max of a scalar", "Use a point: '@end', '@0.5'.");
    return;
  }
  if (read_distance(model, channel, length, out)) return;
  if (out.place == "start" || out.place == "end") {
    out.fraction = out.place == "start" ? 0 : 1;
    out.s = out.fraction * length;
    return;
  }
  const char* const last = out.place.data() + out.place.size();
  double number = -1;
  const auto [stop, error] = std::from_chars(out.place.data(), last, number);
  const std::string unit = without_spaces({stop, last});
  if (error != std::errc() || !(unit.empty() || unit == "m"))
    refuse(channel, "point", out.place, known, also);
  out.s = unit.empty() ? number * length : number;
  out.is_length = !unit.empty();
  if (!(out.s >= 0) || !(out.s <= length * (1 + 1e-12)))
    throw Error(fmt::format("channel '{}'", channel), fmt::format("point '{}'", out.place),
                fmt::format("a point on cable '{}', which is {} m long", out.owner, length));
  out.fraction = std::min(out.s / length, 1.0);
}

/// A stop that the cable slides over, by the name of what it is on.
void read_stop(const Scene& scene, const std::string& channel, ChannelName& out) {
  const std::vector<Stop>& route = scene.cables[static_cast<size_t>(out.index)].route;
  Names known;
  for (size_t k = 1; k + 1 < route.size(); ++k) {
    if (route[k].kind != Stop::Kind::over) continue;
    known.push_back(route[k].on);
    if (route[k].on == out.place) out.stop = static_cast<int>(k);
  }
  if (std::count(known.begin(), known.end(), out.place) == 0)
    refuse(channel, "stop", out.place, known);
  if (std::count(known.begin(), known.end(), out.place) > 1)
    throw Error(fmt::format("channel '{}'", channel),
                fmt::format("several stops of the route over '{}'", out.place), "one",
                "Give each a support or a frame of its own.");
}

/// A shape that a contact names, and that something with a force of its own touches.
void read_contact_shape(const Scene& scene, const std::string& channel, ChannelName& out) {
  const Contact& contact = scene.contacts[static_cast<size_t>(out.index)];
  Names known = contact.shapes;
  for (const Stop& pulley : contact.pulleys) known.push_back(pulley.on);
  const std::string who = fmt::format("channel '{}'", channel);
  if (known.empty())
    throw Error(who, fmt::format("contact '{}', of cables alone", out.owner),
                "a contact with a body, a support or the ground");
  if (std::count(known.begin(), known.end(), out.place) == 0)
    refuse(channel, "shape", out.place, known);
  for (const std::string& name : contact.cables)
    if (scene
            .cables[static_cast<size_t>(find_cable(scene, name, ErrorObject("contact", out.owner)))]
            .model == CableModel::massless)
      throw Error(who, fmt::format("contact '{}', of massless cable '{}'", out.owner, name),
                  "a contact of bodies or of cables with elements",
                  "The channel SUPPORT.force has what massless cables press with.");
}

}  // namespace

std::string ChannelName::column(int c) const {
  std::string name = owner + "." + quantity;
  if (c >= 0) name += std::string(".") + components[static_cast<size_t>(c)];
  return place.empty() ? name : name + "@" + place;
}

std::vector<std::string> reactions_of(const Model& model) {
  Names out;
  for (size_t i = 0; i < model.scene().supports.size(); ++i) {
    const SupportUse use = support_use(model.data(), i);
    if (!use.any()) continue;
    const std::string& name = model.scene().supports[i].name;
    out.push_back(name + ".force");
    if (use.clamps) out.push_back(name + ".moment");
  }
  return out;
}

std::vector<std::string> expand_channels(const Model& model, const Names& names) {
  const Scene& scene = model.scene();
  Names out;
  const auto react = [&] {
    for (const std::string& name : reactions_of(model)) out.push_back(name);
    for (const Joint& j : scene.joints) {
      out.push_back(j.name + ".force");
      if (j.kind != JointKind::pin && j.kind != JointKind::distance)
        out.push_back(j.name + ".torque");
    }
  };
  for (const std::string& name : names) {
    if (name == "reactions") {
      react();
    } else if (name == "energy" || name == "momentum") {
      const Subject subject = name == "energy" ? Subject::energy : Subject::momentum;
      for (const Known& part : quantities_of(scene, subject, 0))
        out.push_back(name + "." + part.name);
    } else {
      out.push_back(name);
    }
  }
  return out;
}

ChannelName read_channel(const Model& model, const std::string& name) {
  ChannelName out;
  if (read_input(model.scene(), name, out)) return out;
  const std::string rest = read_owner(model.scene(), name, out);
  const size_t at = rest.find('@');
  const Known& known = read_quantity(model.scene(), name, rest.substr(0, at), out);
  const bool has_place = at != std::string::npos;
  if (has_place) out.place = without_spaces(rest.substr(at + 1));
  if (has_place && known.place == Known::Place::stop) {
    read_stop(model.scene(), name, out);
  } else if (known.place == Known::Place::stop) {
    throw Error(fmt::format("channel '{}'", name), "no stop of the route",
                "'@' and the name of a pulley or an eyelet");
  } else if (known.place == Known::Place::shape) {
    if (!has_place)
      throw Error(fmt::format("channel '{}'", name), "no shape",
                  "'@' and the name of what is touched: a body, a support or ground");
    read_contact_shape(model.scene(), name, out);
  } else if (has_place && known.place != Known::Place::none) {
    read_place(model, name, out);
  } else if (known.place == Known::Place::needed) {
    throw Error(fmt::format("channel '{}'", name), "no point on the cable",
                "'@' and start, end, a fraction, a length, min or max",
                fmt::format("Write '{}@end'.", name));
  } else if (has_place) {
    throw Error(fmt::format("channel '{}'", name), fmt::format("a point ('@{}')", out.place),
                fmt::format("'{}' without one", name.substr(0, name.find('@'))));
  }
  return out;
}

}  // namespace hawser

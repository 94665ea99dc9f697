#include "record/channel_name.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/nearest.h"
#include "hawser/error.h"
#include "record/cable_fields.h"

namespace hawser {
namespace {

struct Known {
  const char *name, *unit;
  bool is_vector;
};
constexpr Known cable_quantities[] = {
    {"position", "m", true},  {"velocity", "m/s", true},  {"direction", "", true},
    {"tension", "N", false},  {"strain", "", false},      {"curvature", "1/m", false},
    {"moment", "N m", false}, {"utilisation", "", false}, {"length", "m", false}};
constexpr Known support_quantities[] = {
    {"force", "N", true}, {"moment", "N m", true}, {"position", "m", true}};
constexpr Known energy_parts[] = {{"kinetic", "J", false}, {"axial", "J", false},
                                  {"bending", "J", false}, {"potential", "J", false},
                                  {"work", "J", false},    {"balance", "J", false}};
constexpr Known momentum_parts[] = {{"linear", "kg m/s", true}, {"angular", "kg m^2/s", true}};

using Names = std::vector<std::string>;

Names names_of(std::span<const Known> known) {
  Names out;
  for (const Known& k : known) out.emplace_back(k.name);
  return out;
}

std::span<const Known> quantities_of(ChannelName::Subject subject) {
  switch (subject) {
    case ChannelName::Subject::cable:
      return cable_quantities;
    case ChannelName::Subject::support:
      return support_quantities;
    case ChannelName::Subject::energy:
      return energy_parts;
    default:
      return momentum_parts;
  }
}

[[noreturn]] void refuse(const std::string& channel, const char* what, const std::string& word,
                         const Names& known, const std::string& also = {}) {
  const std::string meant = nearest(word, known);
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

/// Finds whose channel it is; returns what follows the owner. Names may have dots: the longest
/// owner that fits is meant. A cable and a support may share a name: a cable's channels are those
/// with a place, and its length.
std::string read_owner(const Model& model, const std::vector<Support>& supports,
                       const std::string& channel, ChannelName& out) {
  const bool of_cable = channel.find('@') != std::string::npos || channel.ends_with(".length");
  std::string rest;
  Names known;
  const auto offer = [&](ChannelName::Subject subject, size_t index, const std::string& owner,
                         bool preferred) {
    known.push_back(owner);
    const auto after = rest_after(channel, owner);
    const bool better = out.owner.empty() || owner.size() > out.owner.size() ||
                        (owner.size() == out.owner.size() && preferred);
    if (!after || !better) return;
    out.subject = subject, out.index = static_cast<int>(index), out.owner = owner;
    rest = *after;
  };
  const std::vector<Cable>& cables = model.scene().cables;
  for (size_t i = 0; i < cables.size(); ++i)
    offer(ChannelName::Subject::cable, i, cables[i].name, of_cable);
  for (size_t i = 0; i < supports.size(); ++i)
    offer(ChannelName::Subject::support, i, supports[i].name, !of_cable);
  offer(ChannelName::Subject::energy, 0, "energy", false);
  offer(ChannelName::Subject::momentum, 0, "momentum", false);
  known.emplace_back("reactions");
  if (out.owner.empty())
    refuse(channel, "subject", channel.substr(0, channel.find_first_of(".@")), known);
  return rest;
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// QUANTITY or QUANTITY.COMPONENT.
void read_quantity(const std::string& channel, const std::string& text, ChannelName& out) {
  const size_t dot = text.find('.');
  out.quantity = text.substr(0, dot);
  const std::span<const Known> known = quantities_of(out.subject);
  const Known* found = nullptr;
  for (const Known& k : known)
    if (out.quantity == k.name) found = &k;
  if (!found) refuse(channel, "quantity", out.quantity, names_of(known));
  out.unit = found->unit;
  out.is_vector = found->is_vector;
  if (dot == std::string::npos) return;
  const std::string component = text.substr(dot + 1);
  if (!out.is_vector)
    throw Error(fmt::format("channel '{}'", channel),
                fmt::format("component '{}' of the scalar {}", component, out.quantity),
                fmt::format("'{}' alone", out.quantity));
  for (int c = 0; c < 3; ++c)
    if (component == std::string(1, "xyz"[c])) out.component = c;
  if (out.component < 0) refuse(channel, "component", component, {"x", "y", "z"});
}

void read_place(const Model& model, const std::string& channel, ChannelName& out) {
  const double length = length_of(model.data().batches_of(out.index));
  const Names known = {"start", "end", "min", "max"};
  const std::string also = fmt::format(
      ", a fraction of the cable from 0 to 1 ('0.25'), a length from 0 m to {} m ('{} m')", length,
      length / 4);
  using At = ChannelName::At;
  out.at = out.place == "min" ? At::min : out.place == "max" ? At::max : At::spot;
  if (out.at != At::spot) {
    if (out.is_vector)
      throw Error(fmt::format("channel '{}'", channel),
                  fmt::format("'{}' of {}, which has a direction", out.place, out.quantity),
                  "min and max of a scalar", "Ask for a place: '@end', '@0.5'.");
    return;
  }
  if (out.place == "start" || out.place == "end") {
    out.s = out.place == "start" ? 0 : length;
    return;
  }
  const char* const last = out.place.data() + out.place.size();
  double number = -1;
  const auto [stop, error] = std::from_chars(out.place.data(), last, number);
  const std::string unit = trimmed({stop, last});
  if (error != std::errc() || !(unit.empty() || unit == "m"))
    refuse(channel, "place", out.place, known, also);
  out.s = unit.empty() ? number * length : number;
  if (!(out.s >= 0) || !(out.s <= length * (1 + 1e-12)))
    throw Error(fmt::format("channel '{}'", channel), fmt::format("place '{}'", out.place),
                fmt::format("a place on cable '{}', which is {} m long", out.owner, length));
}

}  // namespace

std::string ChannelName::column(int c) const {
  std::string name = owner + "." + quantity;
  if (c >= 0) name += std::string(".") + "xyz"[c];
  return place.empty() ? name : name + "@" + place;
}

std::vector<std::string> expand_channels(const std::vector<Support>& supports, const Names& names) {
  Names out;
  for (const std::string& name : names) {
    if (name == "reactions") {
      for (const Support& s : supports) {
        out.push_back(s.name + ".force");
        if (s.holds_direction) out.push_back(s.name + ".moment");
      }
    } else if (name == "energy" || name == "momentum") {
      const auto parts = quantities_of(name == "energy" ? ChannelName::Subject::energy
                                                        : ChannelName::Subject::momentum);
      for (const Known& part : parts) out.push_back(name + "." + part.name);
    } else {
      out.push_back(name);
    }
  }
  return out;
}

ChannelName read_channel(const Model& model, const std::vector<Support>& supports,
                         const std::string& name) {
  ChannelName out;
  const std::string rest = read_owner(model, supports, name, out);
  const size_t at = rest.find('@');
  read_quantity(name, rest.substr(0, at), out);
  const bool has_place = at != std::string::npos;
  if (has_place) out.place = trimmed(rest.substr(at + 1));
  const bool takes_place = out.subject == ChannelName::Subject::cable && out.quantity != "length";
  if (takes_place) {
    if (!has_place)
      throw Error(fmt::format("channel '{}'", name), "no place on the cable",
                  "'@' and start, end, a fraction, a length, min or max",
                  fmt::format("Write '{}@end'.", name));
    read_place(model, name, out);
  } else if (has_place) {
    throw Error(fmt::format("channel '{}'", name), fmt::format("a place ('@{}')", out.place),
                fmt::format("'{}' without one", name.substr(0, name.find('@'))));
  }
  return out;
}

}  // namespace hawser

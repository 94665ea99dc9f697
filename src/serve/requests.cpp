#include "serve/requests.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "hawser/error.h"

namespace hawser {
namespace {

using LiveJson = nlohmann::json;
constexpr size_t most_channels = 64, longest_name = 200, longest_value = 4000;
constexpr int deepest_message = 8;  ///< nesting of a message

[[noreturn]] void refuse_request(const std::string& found, const std::string& expected) {
  throw Error("a message of a page", found, expected);
}

const LiveJson& field_of(const LiveJson& message, const char* key) {
  const auto at = message.find(key);
  if (at == message.end()) refuse_request(fmt::format("no '{}'", key), "all fields");
  return *at;
}

double json_number(const LiveJson& message, const char* key) {
  const LiveJson& value = field_of(message, key);
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    refuse_request(fmt::format("'{}' that is no number", key), "a finite number");
  return value.get<double>();
}

long json_whole(const LiveJson& message, const char* key, long least, long most) {
  const double value = json_number(message, key);
  if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)) ||
      value != std::floor(value))
    refuse_request(fmt::format("{} as '{}'", value, key),
                   fmt::format("a whole number from {} to {}", least, most));
  return static_cast<long>(value);
}

std::string json_text(const LiveJson& value, const char* key, size_t longest) {
  if (!value.is_string()) refuse_request(fmt::format("'{}' that is no text", key), "a text");
  auto text = value.get<std::string>();
  if (text.size() > longest) refuse_request(fmt::format("'{}' that is too long", key), "less");
  return text;
}

std::string field_text(const LiveJson& message, const char* key, size_t longest = longest_name) {
  return json_text(field_of(message, key), key, longest);
}

Vec3 json_vector(const LiveJson& message, const char* key) {
  const LiveJson& value = field_of(message, key);
  Vec3 out;
  if (!value.is_array() || value.size() != 3)
    refuse_request(fmt::format("'{}' that is no vector", key), "three numbers");
  for (size_t k = 0; k < 3; ++k) {
    if (!value[k].is_number() || !std::isfinite(value[k].get<double>()))
      refuse_request(fmt::format("'{}' that is no vector", key), "three finite numbers");
    out[static_cast<Eigen::Index>(k)] = value[k].get<double>();
  }
  return out;
}

PullOrder pull_of(const LiveJson& message) {
  PullOrder out;
  if (message.contains("body") == message.contains("cable"))
    refuse_request("a pull at nothing, or at two things", "'body' or 'cable'");
  if (message.contains("body")) {
    out.body = field_text(message, "body");
    out.at = json_vector(message, "at");
  } else {
    out.cable = field_text(message, "cable");
    out.s = json_number(message, "s");
  }
  out.target = json_vector(message, "target");
  if (message.contains("stiffness")) out.stiffness = json_number(message, "stiffness");
  return out;
}

void read_subscription(const LiveJson& message, PageRequest& out) {
  out.id = static_cast<uint32_t>(json_whole(message, "id", 1, 4'000'000'000));
  const LiveJson& list = field_of(message, "channels");
  if (!list.is_array() || list.size() > most_channels)
    refuse_request("'channels' that is no list, or too long",
                   fmt::format("at most {} names", most_channels));
  for (const LiveJson& name : list)
    out.channels.push_back(json_text(name, "channels", longest_name));
}

constexpr std::array request_kinds = {"play",      "pause", "step", "reset",   "speed", "input",
                                      "subscribe", "seen",  "pull", "release", "cut",   "edit"};

void read_fields(const LiveJson& message, PageRequest& out) {
  using Kind = PageRequest::Kind;
  switch (out.kind) {
    case Kind::play:
    case Kind::pause:
    case Kind::reset:
    case Kind::release:
      break;
    case Kind::step:
      out.steps = message.contains("steps") ? json_whole(message, "steps", 1, 1000) : 1;
      break;
    case Kind::speed:
      out.value = json_number(message, "value");
      break;
    case Kind::input:
      out.subject = field_text(message, "name");
      out.value = json_number(message, "value");
      break;
    case Kind::subscribe:
      read_subscription(message, out);
      break;
    case Kind::seen:
      out.id = static_cast<uint32_t>(json_whole(message, "frame", 1, 4'294'967'295));
      break;
    case Kind::pull:
      out.pull = pull_of(message);
      break;
    case Kind::cut:
      out.subject = field_text(message, "cable");
      out.value = json_number(message, "s");
      break;
    case Kind::edit:
      out.subject = field_text(message, "path");
      out.text = field_text(message, "value", longest_value);
      break;
  }
}

}  // namespace

PageRequest read_request(std::string_view text) {
  const auto shallow = [](int depth, LiveJson::parse_event_t, LiveJson&) {
    if (depth > deepest_message) refuse_request("a message that is nested too deep", "a request");
    return true;
  };
  const LiveJson message = LiveJson::parse(text, shallow, false);
  if (!message.is_object()) refuse_request("no JSON object", "a request");
  PageRequest out;
  out.name = field_text(message, "type");
  for (size_t k = 0; k < request_kinds.size(); ++k)
    if (out.name == request_kinds[k]) {
      out.kind = static_cast<PageRequest::Kind>(k);
      read_fields(message, out);
      return out;
    }
  refuse_request(fmt::format("an unknown request '{}'", out.name), "one of the protocol");
}

}  // namespace hawser

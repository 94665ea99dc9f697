#include "serve/messages.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hawser/measure.h"
#include "hawser/scene_file.h"
#include "report/drawing.h"

namespace hawser {
namespace {

using LiveJson = nlohmann::json;

std::string dumped(const LiveJson& message) {
  return message.dump(-1, ' ', false, LiveJson::error_handler_t::replace);
}

LiveJson energy_json(const LiveRun& run) {
  const Energy e = energy(run.model(), run.state());
  return {{"kinetic", e.kinetic},
          {"potential", e.potential},
          {"elastic", e.axial + e.bending + e.twist + e.joints},
          {"work", e.work},
          {"total", e.total()},
          {"balance", e.balance()}};
}

LiveJson place_json(const LiveRun& run, const Greatest& at) {
  if (at.cable < 0) return {};
  return {{"value", at.value},
          {"cable", run.model().scene().cables[static_cast<size_t>(at.cable)].name},
          {"s", at.s}};
}

LiveJson tension_json(const LiveRun& run, const FrameMaker& frames) {
  const Greatest most = frames.tension();
  LiveJson out = place_json(run, most);
  if (out.is_null()) return out;
  const Cable& cable = run.model().scene().cables[static_cast<size_t>(most.cable)];
  const double strength = diameter_and_strength(cable).second;
  out["utilisation"] = strength > 0 ? LiveJson(most.value / strength) : LiveJson();
  return out;
}

LiveJson pull_json(const LiveRun& run) {
  const std::optional<PullNow> pull = run.pull_now();
  if (!pull) return {};
  LiveJson out = {{"force", vector_json(pull->force)}, {"magnitude", pull->force.norm()}};
  if (!pull->body.empty()) {
    out["body"] = pull->body;
  } else {
    out["cable"] = pull->cable;
    out["s"] = pull->s;
  }
  return out;
}

LiveJson settings_json(const LiveRun& run) {
  LiveJson out = LiveJson::array();
  const auto& inputs = run.model().scene().inputs;
  const State& state = run.state();
  for (size_t k = 0; k < inputs.size() && !inputs[k].hidden; ++k)
    out.push_back({{"name", inputs[k].name},
                   {"setting", state.inputs[k].setting},
                   {"value", state.inputs[k].at(state.t).value}});
  return out;
}

/// "file:12:5: text", of which the line and the column are numbers.
bool read_place(const std::string& text, LiveJson& out, size_t& rest) {
  for (size_t colon = text.find(':'); colon != std::string::npos;
       colon = text.find(':', colon + 1)) {
    int line = 0, column = 0;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data() + colon + 1, end, line);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') continue;
    const auto second = std::from_chars(first.ptr + 1, end, column);
    if (second.ec != std::errc() || second.ptr == end || *second.ptr != ':') continue;
    out["file"] = text.substr(0, colon);
    out["line"] = line;
    out["column"] = column;
    rest = static_cast<size_t>(second.ptr - text.data()) + 1;
    return true;
  }
  return false;
}

/// A problem as scene/problems.h writes it: a sentence, the line of the file, a mark below it, a
/// remedy.
LiveJson problem_json(const std::string& problem, const std::string& file) {
  LiveJson out = {{"file", file}, {"line", 0}, {"column", 0}, {"source", ""}};
  const size_t end = problem.find('\n');
  std::string head = problem.substr(0, end), message;
  size_t rest = 0;
  message = read_place(head, out, rest) ? head.substr(std::min(rest + 1, head.size())) : head;
  for (size_t at = end; at != std::string::npos;) {
    const size_t next = problem.find('\n', at + 1);
    const std::string line = problem.substr(at + 1, next - at - 1);
    const size_t bar = line.find(" | ");
    if (bar == std::string::npos && line.find_first_not_of(" |^") != std::string::npos)
      message += " " + line.substr(line.find_first_not_of(' '));
    else if (bar != std::string::npos && line.find_first_of("0123456789") < bar)
      out["source"] = line.substr(bar + 3);
    at = next;
  }
  out["message"] = message;
  return out;
}

}  // namespace

std::string status_text(const LiveRun& run, const FrameMaker& frames, const StatusFacts& facts) {
  const State& state = run.state();
  const std::string log = run.log();
  return dumped({{"type", "status"},
                 {"t", state.t},
                 {"steps", state.steps},
                 {"paused", facts.paused},
                 {"speed", facts.speed},
                 {"real_time_factor", facts.real_time_factor},
                 {"step_time", facts.step_time},
                 {"keeps_up", facts.keeps_up},
                 {"energy", energy_json(run)},
                 {"tension", tension_json(run, frames)},
                 {"utilisation", place_json(run, frames.utilisation())},
                 {"inputs", settings_json(run)},
                 {"pull", pull_json(run)},
                 {"pages", facts.pages},
                 {"failure", run.failure().empty() ? LiveJson() : LiveJson(run.failure())},
                 {"warnings", run.warnings()},
                 {"log", log.empty() ? LiveJson() : LiveJson(log)}});
}

std::vector<std::string> problems_of(const Error& error) {
  if (const auto* scene = dynamic_cast<const SceneError*>(&error)) return scene->problems();
  return {error.what()};
}

std::string problem_text(const std::vector<std::string>& problems, const std::string& file) {
  LiveJson list = LiveJson::array();
  for (const std::string& problem : problems) list.push_back(problem_json(problem, file));
  return dumped({{"type", "problem"}, {"problems", list}});
}

std::string subscribed_text(uint32_t id, const std::vector<Column>& columns) {
  LiveJson list = LiveJson::array();
  for (const Column& column : columns)
    list.push_back({{"name", column.name}, {"unit", column.unit}});
  return dumped({{"type", "subscribed"}, {"id", id}, {"columns", list}});
}

std::string refused_text(const std::string& request, const std::string& message) {
  return dumped({{"type", "refused"}, {"request", request}, {"message", message}});
}

std::string edited_text(const std::string& path, const std::string& value) {
  return dumped({{"type", "edited"}, {"path", path}, {"value", value}});
}

}  // namespace hawser

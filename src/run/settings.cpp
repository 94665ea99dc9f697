#include "run/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "hawser/error.h"
#include "model/inputs.h"

namespace hawser {
namespace {

constexpr std::string_view settings_header = "step,time [s],event,name,value\n";
constexpr size_t settings_buffer = 1 << 16;  ///< [bytes] after which lines are written

/// Where the line after the header and the first `lines` starts.
size_t end_of_settings(const File& file, long lines) {
  const std::string text = file.read_at(0, file.size());
  size_t at = settings_header.size();
  for (long i = 0; i < lines && at != 0; ++i) at = text.find('\n', at) + 1;
  if (text.starts_with(settings_header) && at != 0) return at;
  throw Error(file.path(), "other lines", fmt::format("the {} settings of the run", lines),
              "The results were changed: start the run again.");
}

/// The fields of a line.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (size_t at = 0;;) {
    const size_t comma = line.find(',', at);
    out.push_back(line.substr(at, comma - at));
    if (comma == std::string_view::npos) return out;
    at = comma + 1;
  }
}

void check_setting(const Scene& scene, const LoggedSetting& s, const ErrorObject& who) {
  const Input& input = scene.inputs[find_input(scene, s.input)];
  require_free(input);
  if (!(s.value >= input.from && s.value <= input.to))
    throw Error(who, fmt::format("{} at t = {:g} s", s.value, s.t),
                fmt::format("a value from {:g} to {:g}", input.from, input.to),
                "Replay the settings with the scene of their run.");
}

template <class Number>
bool read_number(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::vector<LoggedSetting> read_settings(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path file = fs::is_directory(path) ? fs::path(path) / settings_file : fs::path(path);
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw Error(file.string(), "no such file", "the inputs.csv of a run",
                "A run of a scene with inputs writes it to its results folder.");
  std::vector<LoggedSetting> out;
  std::string line;
  std::getline(in, line);
  if (line + "\n" != settings_header)
    throw Error(file.string() + ":1", fmt::format("'{}'", line.substr(0, 80)),
                fmt::format("'{}'", settings_header.substr(0, settings_header.size() - 1)),
                "Give the inputs.csv of a run.");
  for (int number = 2; std::getline(in, line); ++number) {
    const std::vector<std::string_view> parts = fields_of(line);
    LoggedSetting s;
    const bool good = parts.size() == 5 && read_number(parts[0], s.step) &&
                      read_number(parts[1], s.t) && (parts[2] == "set" || parts[2] == "cut") &&
                      read_number(parts[4], s.value);
    if (!good)
      throw Error(fmt::format("{}:{}", file.string(), number),
                  fmt::format("'{}'", line.substr(0, 80)),
                  "a step, a time, `set` or `cut`, the name of an input or a cable, and a value",
                  "The file was changed, or is of another version of Hawser.");
    s.input = parts[3];
    if (parts[2] == "cut") s.event = LoggedSetting::Event::cut;
    out.push_back(std::move(s));
  }
  return out;
}

bool uses_hand(const std::vector<LoggedSetting>& settings) {
  return std::any_of(settings.begin(), settings.end(), [](const LoggedSetting& s) {
    return s.event == LoggedSetting::Event::set && s.input.starts_with("hand.");
  });
}

SettingLog::SettingLog(const std::string& directory, long lines, bool goes_on)
    : file_(directory + "/" + settings_file, goes_on ? File::Mode::change : File::Mode::create) {
  buffer_.reserve(2 * settings_buffer);
  if (goes_on)
    file_.cut(end_of_settings(file_, lines));
  else
    file_.append(settings_header);
}

SettingLog::~SettingLog() {
  try {
    flush();
  } catch (const Error&) {  // whoever must know has called flush
  }
}

void SettingLog::add(const State& state, const std::string& input, double value) {
  fmt::format_to(std::back_inserter(buffer_), "{},{},set,{},{}\n", state.steps, state.t, input,
                 value);
  if (buffer_.size() >= settings_buffer) flush();
}

void SettingLog::add_cut(const State& state, const std::string& cable, double s) {
  fmt::format_to(std::back_inserter(buffer_), "{},{},cut,{},{}\n", state.steps, state.t, cable, s);
}

void SettingLog::flush() {
  file_.append(buffer_);
  buffer_.clear();
}

Replay::Replay(const Scene& scene, std::vector<LoggedSetting> settings)
    : settings_(std::move(settings)) {
  const LoggedSetting* before = nullptr;
  for (const LoggedSetting& s : settings_) {
    const bool cut = s.event == LoggedSetting::Event::cut;
    const ErrorObject who = ErrorObject(cut ? "cable" : "input", s.input).at("replay");
    if (cut)
      (void)find_cable(scene, s.input, who);
    else
      check_setting(scene, s, who);
    if (before && (s.step < before->step || s.t < before->t))
      throw Error(who,
                  fmt::format("a setting of step {} after one of step {}", s.step, before->step),
                  "settings in the order of their steps");
    before = &s;
  }
}

void Replay::skip_to(const State& state) {
  while (next_ < settings_.size() && settings_[next_].t <= state.t) ++next_;
}

void Replay::apply(const State& state, Control& control,
                   const std::function<void(const LoggedSetting&)>& cut) {
  for (; next_ < settings_.size(); ++next_) {
    const LoggedSetting& s = settings_[next_];
    if (s.step == state.steps && s.t == state.t) {
      if (s.event == LoggedSetting::Event::cut)
        cut(s);
      else
        control.set(s.input, s.value);
      continue;
    }
    if (s.step > state.steps || (s.step == state.steps && s.t > state.t)) return;
    throw Error(ErrorObject("input", s.input).at("replay"),
                fmt::format("step {} at t = {} s", state.steps, state.t),
                fmt::format("step {} at t = {} s, where the earlier run set it", s.step, s.t),
                "Replay the settings with the scene and the options of their run.");
  }
}

}  // namespace hawser

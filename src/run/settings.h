// The settings of inputs in a run: their log, and the replay of an earlier one.
//
// inputs.csv has a line for each event between steps: step and time, what happened, to what, and
// the value, with all digits. Events: `set` an input, `cut` a cable at an arc length.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hawser/run.h"
#include "record/file.h"

namespace hawser {

inline constexpr const char* settings_file = "inputs.csv";

/// Appends to inputs.csv of a results folder.
class SettingLog {
 public:
  /// A new file, or with `lines` the first of that many events of one that goes on.
  SettingLog(const std::string& directory, long lines, bool goes_on);
  ~SettingLog();
  SettingLog(const SettingLog&) = delete;
  SettingLog& operator=(const SettingLog&) = delete;

  /// A setting of an input at the time of the state.
  void add(const State& state, const std::string& input, double value);
  /// A cut of a cable at an arc length.
  void add_cut(const State& state, const std::string& cable, double s);
  void flush();

 private:
  File file_;
  std::string buffer_;
};

/// Repeats the settings of an earlier run.
class Replay {
 public:
  /// Throws Error where a setting does not fit the scene.
  Replay(const Scene& scene, std::vector<LoggedSetting> settings);

  /// What the earlier run set up to the state's time was set before.
  void skip_to(const State& state);
  /// Sets what the earlier run set at this step, and calls cut(event) where it cut. Throws Error
  /// where this run has left it behind.
  void apply(const State& state, Control& control,
             const std::function<void(const LoggedSetting&)>& cut);
  /// Settings that are not repeated yet.
  [[nodiscard]] size_t left() const { return settings_.size() - next_; }

 private:
  std::vector<LoggedSetting> settings_;
  size_t next_ = 0;
};

}  // namespace hawser

// What a command is doing before it has anything to show: large nets take minutes to set up.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

#include "progress.h"

namespace hawser {

/// Says the stage and the time that has passed: every second on a terminal, elsewhere after 2 s, 4
/// s, 8 s and so on. Quick set-ups show nothing.
class SetupDisplay {
 public:
  SetupDisplay(ProgressDisplay::Style style, std::FILE* out);
  ~SetupDisplay() { finish(); }
  SetupDisplay(const SetupDisplay&) = delete;
  SetupDisplay& operator=(const SetupDisplay&) = delete;

  /// "compiling the model"
  void stage(const std::string& text);
  /// Says no more, and takes the line on a terminal away.
  void finish();

 private:
  void watch();
  void say(const std::string& text);

  const ProgressDisplay::Style style_;
  std::FILE* const out_;
  std::mutex mutex_;  ///< of all below
  std::condition_variable changed_;
  std::string stage_;
  bool finished_ = false, drawn_ = false;
  std::thread watcher_;
};

}  // namespace hawser

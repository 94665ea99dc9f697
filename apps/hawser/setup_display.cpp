#include "setup_display.h"

#include <fmt/format.h>

#include <chrono>

namespace hawser {

SetupDisplay::SetupDisplay(ProgressDisplay::Style style, std::FILE* out)
    : style_(style), out_(out) {
  if (style_ != ProgressDisplay::Style::none) watcher_ = std::thread([this] { watch(); });
}

void SetupDisplay::stage(const std::string& text) {
  const std::lock_guard lock(mutex_);
  stage_ = text;
}

void SetupDisplay::finish() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  if (watcher_.joinable()) watcher_.join();
}

void SetupDisplay::watch() {
  std::unique_lock lock(mutex_);
  const bool bar = style_ == ProgressDisplay::Style::bar;
  int passed = 0, next = bar ? 1 : 2;  // [s]
  while (!changed_.wait_for(lock, std::chrono::seconds(1), [&] { return finished_; })) {
    if (++passed < next) continue;
    say(fmt::format("setting up: {}, {} so far", stage_, duration(passed)));
    next = bar ? passed + 1 : 2 * passed;
  }
  if (drawn_) std::fputs("\r\x1b[K", out_), std::fflush(out_);
}

void SetupDisplay::say(const std::string& text) {
  const bool bar = style_ == ProgressDisplay::Style::bar;
  std::fputs((bar ? "\r" + text + "\x1b[K" : text + "\n").c_str(), out_);
  std::fflush(out_);
  drawn_ = bar;
}

}  // namespace hawser

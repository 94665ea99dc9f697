#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace hawser {
namespace {

double share(const Progress& p) { return p.until > 0 ? std::clamp(p.t / p.until, 0.0, 1.0) : 1.0; }

int percent(const Progress& p) { return static_cast<int>(100 * share(p)); }

std::string speed(const Progress& p) {
  return fmt::format("{:.3g} x real time", p.real_time_factor);
}

std::string energy_text(const Progress& p) {
  return fmt::format("energy {:.4g} J", p.energy.total());
}

std::string time_left(const Progress& p) { return duration(p.seconds_left) + " left"; }

int terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string duration(double seconds) {
  if (!(seconds < 1e9)) return "very long";
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

std::string progress_bar(const Progress& p, int width) {
  constexpr int cells = 20;
  const int full = static_cast<int>(cells * share(p));
  std::string bar = fmt::format("{:3d} % [{:#<{}}{:.<{}}]", percent(p), "", full, "", cells - full);
  const std::vector<std::string> parts = {fmt::format("  {:.3f} of {:g} s", p.t, p.until),
                                          "   " + speed(p), "   " + time_left(p),
                                          "   " + energy_text(p)};
  for (const std::string& part : parts) {
    if (static_cast<int>(bar.size() + part.size()) > width) break;
    bar += part;
  }
  return bar.substr(0, static_cast<size_t>(std::max(width, 0)));
}

std::string progress_line(const Progress& p) {
  return fmt::format("{:3d} %: t = {:.4g} s, {}, {}, {}", percent(p), p.t, speed(p), energy_text(p),
                     time_left(p));
}

void ProgressDisplay::show(const Progress& p) {
  if (style_ == Style::bar) {
    // Carriage return, text, erase to the end of the line: no flicker. A full line would wrap.
    const std::string text = "\r" + progress_bar(p, terminal_width() - 1) + "\x1b[K";
    std::fputs(text.c_str(), out_);
    std::fflush(out_);
    drawn_ = true;
  } else if (style_ == Style::lines && share(p) >= next_line_) {
    std::fputs((progress_line(p) + "\n").c_str(), out_);
    std::fflush(out_);
    next_line_ = std::floor(10 * share(p) + 1) / 10;
  }
}

void ProgressDisplay::say(const std::string& line) {
  clear();
  std::fputs((line + "\n").c_str(), out_);
  std::fflush(out_);
}

void ProgressDisplay::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", out_);
  std::fflush(out_);
  drawn_ = false;
}

ProgressDisplay::Style progress_style(bool quiet) {
  if (quiet) return ProgressDisplay::Style::none;
  return isatty(STDERR_FILENO) != 0 ? ProgressDisplay::Style::bar : ProgressDisplay::Style::lines;
}

}  // namespace hawser

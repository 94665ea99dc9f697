// How a run tells how far it is: a bar on a terminal, lines elsewhere.
#pragma once

#include <cstdio>
#include <string>

#include "hawser/run.h"

namespace hawser {

/// "42 % [####......]  4.2 of 10 s   120 x real time   energy 1.5 J   8 s left", at most `width`
/// characters: what does not fit is left out from the end.
std::string progress_bar(const Progress& progress, int width);

/// "40 %: t = 4 s, 120 x real time, energy 1.5 J, 8 s left"
std::string progress_line(const Progress& progress);

/// A time for people: "0.4 s", "12 s", "3 min 20 s", "2 h 5 min".
std::string duration(double seconds);

class ProgressDisplay {
 public:
  enum class Style {
    none,
    lines,  ///< one for every tenth of the run
    bar     ///< redrawn in place
  };
  ProgressDisplay(Style style, std::FILE* out) : style_(style), out_(out) {}
  ~ProgressDisplay() { clear(); }
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const Progress& progress);
  /// A line that stays, above the bar.
  void say(const std::string& line);
  /// Takes the bar away.
  void clear();

 private:
  Style style_;
  std::FILE* out_;
  bool drawn_ = false;
  double next_line_ = 0.1;  ///< share of the run
};

/// The style for stderr: a bar on a terminal, else lines.
ProgressDisplay::Style progress_style(bool quiet);

}  // namespace hawser

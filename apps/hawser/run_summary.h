// What `hawser run` says at the end.
#pragma once

#include <string>

#include "hawser/run.h"

namespace hawser {

/// A few aligned lines: what moved, tension, energy, work, speed, expectations, warnings, files.
/// `directory` is where the files are; empty: nothing was written.
std::string run_summary(const RunReport& report, const std::string& directory);

/// One line of a summary: a label in a column of its own, then the text. The label of lines that
/// continue is empty.
std::string summary_line(const std::string& label, const std::string& text);

/// 12345.6 N as "12.35 kN": four digits with the prefix that suits; 0 without one.
std::string with_prefix(double value, const std::string& unit);

}  // namespace hawser

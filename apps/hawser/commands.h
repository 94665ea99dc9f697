// The subcommands of the program. Each returns the exit code.
#pragma once

#include <CLI/CLI.hpp>

namespace hawser {

enum ExitCode {
  exit_ok = 0,
  exit_failed = 1,     ///< a run stopped early, or a benchmark row is outside its tolerance
  exit_bad_input = 2,  ///< nothing was run
};

void add_run_command(CLI::App& app, int& exit_code);
void add_bench_command(CLI::App& app, int& exit_code);
void add_sections_command(CLI::App& app, int& exit_code);

}  // namespace hawser

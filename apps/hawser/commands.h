// The subcommands of the program.
#pragma once

#include <CLI/CLI.hpp>

namespace hawser {

enum ExitCode {
  exit_ok = 0,
  exit_failed = 1,     ///< a run stopped early, an expectation or a tolerance was missed
  exit_bad_input = 2,  ///< nothing was run
  exit_signal = 128,   ///< plus the number of the signal that stopped a run: Ctrl-C gives 130
};

void add_run_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app);
/// `scenes`, and what they are written in: `schema` and `reference`.
void add_scenes_command(CLI::App& app);
void add_draw_command(CLI::App& app);
/// Natural frequencies and shapes.
void add_modes_command(CLI::App& app, int& exit_code);
void add_bench_command(CLI::App& app, int& exit_code);
/// Exit code 1 when no equilibrium is found.
void add_static_command(CLI::App& app, int& exit_code);
void add_sections_command(CLI::App& app, int& exit_code);
void add_fit_command(CLI::App& app);
/// Add it last: it knows the commands added before it.
void add_completion_command(CLI::App& app);

}  // namespace hawser

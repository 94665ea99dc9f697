// The subcommands of the program.
#pragma once

#include "command.h"

namespace hawser {

void add_run_command(Command& program);
void add_check_command(Command& program);
/// `scenes`, and what they are written in: `schema` and `reference`.
void add_scenes_command(Command& program);
void add_draw_command(Command& program);
void add_report_command(Command& program);
void add_view_command(Command& program);
void add_render_command(Command& program);
/// Natural frequencies and shapes.
void add_modes_command(Command& program);
/// Starts hawser-bench, the program beside this one, with the arguments after `bench`.
void add_bench_command(Command& program, const char* const* argv);
/// Exit code 1 when no equilibrium is found.
void add_static_command(Command& program);
void add_sections_command(Command& program);
void add_fit_command(Command& program);
/// Add it last: it knows the commands added before it.
void add_completion_command(Command& program);

}  // namespace hawser

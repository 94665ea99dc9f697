// `hawser bench`: the benchmarks are a program of their own, so that a first build does not wait
// for them. This program knows their names and options and starts the other.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "bench_arguments.h"
#include "commands.h"
#include "program_path.h"

namespace hawser {
namespace {

namespace fs = std::filesystem;

/// What to do when there is no hawser-bench in `folder`. Only a build tree can make one.
std::string how_to_build(const fs::path& folder) {
  if (fs::exists(folder / "CMakeCache.txt"))
    return fmt::format(
        "hawser: the benchmarks are not built. Build them with:\n"
        "  cmake --build {} --target hawser-bench\n",
        fs::proximate(folder).string());
  return "hawser: the benchmarks are not installed. Build them in the source tree of "
         "Hawser with:\n  cmake --preset release && cmake --build build --target "
         "hawser-bench\n"
         "and run build/hawser bench there, or install that build.\n";
}

int start_bench(const char* const* argv) {
  const fs::path folder = program_folder(), program = folder / "hawser-bench";
  execv(program.c_str(), const_cast<char* const*>(argv + 1));
  const int reason = errno;
  std::fputs(reason == ENOENT ? how_to_build(folder).c_str()
                              : fmt::format("hawser: cannot start {}: {}\n", program.string(),
                                            std::strerror(reason))
                                    .c_str(),
             stderr);
  return exit_failed;
}

}  // namespace

void add_bench_command(Command& program, const char* const* argv) {
  const auto options = std::make_shared<BenchOptions>();
  Command& bench = program.add("bench", "Run benchmarks: published cases and measurements");
  // The name of a bench is argv[2] at the earliest; argv + 1 makes "bench" the program's name.
  add_bench_arguments(bench, options, [argv](const std::string&) { return start_bench(argv); });
}

}  // namespace hawser

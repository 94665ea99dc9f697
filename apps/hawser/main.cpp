#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "commands.h"
#include "hawser/error.h"

int main(int argc, char** argv) {
  int exit_code = hawser::exit_ok;
  try {
    CLI::App app{"Hawser simulates flexible cables and the machines built on them.", "hawser"};
    app.set_version_flag("--version", "hawser " HAWSER_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Start with `hawser run`. Exit codes: 0 fine, 1 a run failed or a benchmark row is outside "
        "its tolerance, 2 bad input.");
    hawser::add_run_command(app, exit_code);
    hawser::add_bench_command(app, exit_code);
    hawser::add_sections_command(app, exit_code);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return app.exit(error) == 0 ? hawser::exit_ok : hawser::exit_bad_input;
    }
  } catch (const hawser::Error& error) {
    std::fputs(fmt::format("hawser: {}\n", error.what()).c_str(), stderr);
    return hawser::exit_bad_input;
  } catch (const std::exception& error) {
    std::fputs(fmt::format("hawser: {}\n", error.what()).c_str(), stderr);
    return hawser::exit_failed;
  }
  return exit_code;
}

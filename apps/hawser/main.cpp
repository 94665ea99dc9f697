#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "commands.h"
#include "hawser/scene_file.h"

namespace {

constexpr const char* teaching = R"(Try first:
  hawser run                          simulate the first scene; results go to results/
  hawser scenes                       the other scenes that ship with Hawser
  hawser check mine.yaml              read a scene and say what it describes
  hawser static mine.yaml             where it is at rest, and what holds it
  hawser run mine.yaml -o out         simulate it
  hawser draw out                     its motion as a picture
  hawser modes mine.yaml              its natural frequencies about rest
  hawser run mine.yaml --set 'cables.tether.length=20 m' --until '5 s'
  hawser reference                    every field a scene may have
  hawser COMMAND --help               more about a command
Exit codes: 0 fine, 1 a run failed or missed an expectation or a benchmark its tolerance, or
no equilibrium was found, 2 bad input, 130 stopped by Ctrl-C.)";

}  // namespace

int main(int argc, char** argv) {
  int exit_code = hawser::exit_ok;
  try {
    CLI::App app{"Hawser simulates flexible cables and the machines built on them.", "hawser"};
    app.set_version_flag("--version", "hawser " HAWSER_VERSION);
    app.require_subcommand(1);
    app.footer(teaching);
    hawser::add_run_command(app, exit_code);
    hawser::add_check_command(app);
    hawser::add_static_command(app, exit_code);
    hawser::add_draw_command(app);
    hawser::add_modes_command(app, exit_code);
    hawser::add_scenes_command(app);
    hawser::add_bench_command(app, exit_code);
    hawser::add_sections_command(app, exit_code);
    hawser::add_fit_command(app);
    hawser::add_completion_command(app);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return app.exit(error) == 0 ? hawser::exit_ok : hawser::exit_bad_input;
    }
  } catch (const hawser::SceneError& error) {  // begins with file:line:column, as editors like it
    std::fputs(fmt::format("{}\n", error.what()).c_str(), stderr);
    return hawser::exit_bad_input;
  } catch (const hawser::Error& error) {
    std::fputs(fmt::format("hawser: {}\n", error.what()).c_str(), stderr);
    return hawser::exit_bad_input;
  } catch (const std::exception& error) {
    std::fputs(fmt::format("hawser: {}\n", error.what()).c_str(), stderr);
    return hawser::exit_failed;
  }
  return exit_code;
}

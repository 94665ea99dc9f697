#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "commands.h"
#include "hawser/error.h"

namespace {

constexpr const char* teaching = R"(Getting started:
  hawser run                          simulate an example; results go to results/
  hawser scenes                       list the example scenes
  hawser check mine.yaml              check a scene and print a summary
  hawser static mine.yaml             compute static equilibrium and reactions
  hawser run mine.yaml -o out         simulate the scene
  hawser report out                   replay it in a browser: out/report.html
  hawser view mine.yaml               run it live in a browser, and drive it
  hawser render out -o movie.mp4      make a movie of a run
  hawser modes mine.yaml              natural frequencies about equilibrium
  hawser run mine.yaml --set 'cables.tether.length=20 m' --until '5 s'
  hawser reference                    print the reference of scene files
  hawser COMMAND --help               help on a command
Exit codes: 0 success, 1 a run failed, an expectation or a benchmark's tolerance was not met, no
equilibrium was found, or the disk is full, 2 bad input, 130 stopped by Ctrl-C.)";

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ,
              SIG_IGN);  // past a limit on the size of files a write fails, as on a full disk
  try {
    hawser::Command program("hawser",
                            "Hawser simulates flexible cables and the machines built on them.",
                            "hawser " HAWSER_VERSION);
    program.footer(teaching);
    hawser::add_run_command(program);
    hawser::add_check_command(program);
    hawser::add_static_command(program);
    hawser::add_report_command(program);
    hawser::add_view_command(program);
    hawser::add_render_command(program);
    hawser::add_draw_command(program);
    hawser::add_modes_command(program);
    hawser::add_scenes_command(program);
    hawser::add_bench_command(program, argv);
    hawser::add_sections_command(program);
    hawser::add_fit_command(program);
    hawser::add_completion_command(program);
    return program.run(argc, argv);
  } catch (const hawser::SceneError& error) {  // begins with file:line:column, as editors like it
    std::fputs(fmt::format("{}\n", error.what()).c_str(), stderr);
    return hawser::exit_bad_input;
  } catch (const hawser::WriteError& error) {
    std::fputs(fmt::format("hawser: {}\n", error.what()).c_str(), stderr);
    return hawser::exit_failed;
  } catch (const hawser::Error& error) {
    std::fputs(fmt::format("hawser: {}\n", error.what()).c_str(), stderr);
    return hawser::exit_bad_input;
  } catch (const std::exception& error) {
    std::fputs(fmt::format("hawser: {}\n", error.what()).c_str(), stderr);
    return hawser::exit_failed;
  }
}

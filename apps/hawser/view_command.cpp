// `hawser view`: a scene live in the browser, or the replay of a run.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "hawser/error.h"
#include "hawser/report.h"
#include "hawser/run.h"
#include "hawser/view.h"
#include "scenes_command.h"

namespace hawser {
namespace {

volatile std::sig_atomic_t view_ends = 0;

void end_view(int) { view_ends = 1; }

struct ViewArguments {
  std::string scene, host = "127.0.0.1", output;
  int port = 0;
  std::vector<std::string> sets;
  bool paused = false, no_browser = false, no_log = false, has_page = false;
};

bool has_desktop() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

/// Shows an address in the browser of the desktop, if there is one. The browser outlives the
/// program.
void open_browser(const std::string& address) {
  const pid_t child = fork();
  if (child < 0) return;
  if (child > 0) {
    waitpid(child, nullptr, 0);
    return;
  }
  if (fork() != 0) _exit(0);
  setsid();
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) dup2(nothing, stream);
  execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
  _exit(1);
}

void show(const std::string& address, const ViewArguments& a) {
  std::fputs(fmt::format("{}\n", address).c_str(), stdout);
  std::fflush(stdout);
  if (!a.no_browser && has_desktop()) open_browser(address);
}

/// A results folder: its report.
int view_results(const ViewArguments& a) {
  namespace fs = std::filesystem;
  const std::string path = a.scene + "/report.html";
  if (!fs::exists(path)) write_report(a.scene, path);
  show("file://" + fs::absolute(path).lexically_normal().string(), a);
  return exit_ok;
}

int view_scene(const ViewArguments& a) {
  if (!has_live_page())
    throw Error("view", "a program that was built without its page",
                "one built with Node.js 18 or newer",
                "Install nodejs and npm, and build Hawser again.");
  const std::string path = find_scene(a.scene);
  ViewOptions options;
  options.host = a.host;
  options.port = static_cast<unsigned short>(a.port);
  options.sets = a.sets;
  options.paused = a.paused;
  if (!a.no_log)
    options.directory = a.output.empty()
                            ? "results/" + std::filesystem::path(path).stem().string() + "-live"
                            : a.output;
  LiveView view(path, options);
  if (a.host != "127.0.0.1" && a.host != "::1")
    std::fputs(
        "hawser: warning: the page can be reached from other machines, without encryption. Whoever "
        "has the address controls the simulation and may change values in the scene file\n",
        stderr);
  show(view.address(), a);
  std::fputs("hawser: running live; Ctrl-C ends\n", stderr);
  struct sigaction action {};
  action.sa_handler = end_view;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  view.run([] { return view_ends != 0; });
  return exit_ok;
}

}  // namespace

void add_view_command(Command& program) {
  Command& command = program.add("view", "Run a scene live in the browser, or replay a run");
  const auto a = std::make_shared<ViewArguments>();
  command.option("scene", &a->scene,
                 "A scene file, the name of an example scene, or a results folder",
                 {.type_name = "SCENE|DIR"});
  command.option("--port", &a->port, "Port; default: any that is free",
                 {.type_name = "PORT", .range = {{0, 65535}}});
  command.option("--host", &a->host,
                 "Address to listen on. Others than 127.0.0.1 let other machines in",
                 {.type_name = "ADDRESS", .show_default = true});
  command.option("--set", &a->sets, "Override a value of the scene, as in `hawser run`",
                 {.type_name = "PATH=VALUE", .one_value = true});
  command.option("-o,--output", &a->output,
                 "Folder for the log of what is done; default: results/NAME-live, or with a number",
                 {.type_name = "DIR"});
  command.option("--no-log", &a->no_log, "Keep no log");
  command.option("--paused", &a->paused, "Start paused");
  command.option("--no-browser", &a->no_browser, "Print the address only");
  command.option("--has-page", &a->has_page,
                 "Only tell by the exit code whether the page is built in");
  command.footer(
      "Prints the address of the page, and opens it where there is a desktop. The address contains "
      "a secret: whoever has it controls the simulation.\n"
      "What is done in the page (inputs, pulls, cuts) is logged in inputs.csv; `hawser run SCENE "
      "--replay DIR` repeats it with the same results, bit for bit.\n"
      "Saving the scene file reloads it. A results folder is replayed from its report.html.");
  command.does([a] {
    if (a->has_page) return has_live_page() ? exit_ok : exit_failed;
    if (a->scene.empty())
      throw Error("view", "no scene", "a scene or a results folder", "Try: hawser view site-crane");
    return static_cast<ExitCode>(std::filesystem::is_directory(a->scene) ? view_results(*a)
                                                                         : view_scene(*a));
  });
}

}  // namespace hawser

// `hawser render`: pictures and movies of a run, drawn by its report in a headless browser.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "browser.h"
#include "commands.h"
#include "hawser/error.h"
#include "hawser/record.h"
#include "hawser/report.h"
#include "hawser/units.h"

namespace hawser {
namespace {

namespace fs = std::filesystem;

struct RenderArguments {
  std::string directory, output, from, to, at, size = "1280x720", theme, view;
  double fps = 25, speed = 1;
};

/// ffmpeg, which takes pictures one after the other.
class MovieWriter {
 public:
  MovieWriter(const std::string& path, double fps) : path_(path) {
    const std::string program = find_program("ffmpeg");
    if (program.empty())
      throw Error("render", "no ffmpeg", "ffmpeg, which makes movies of pictures",
                  "Install it: sudo apt-get install ffmpeg. Pictures need none: -o frames/");
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw Error("render", "no pipe", "a pipe to ffmpeg");
    const std::string rate = fmt::format("{:g}", fps);
    process_ = fork();
    if (process_ == 0) {
      dup2(ends[0], 0);
      execl(program.c_str(), "ffmpeg", "-loglevel", "error", "-y", "-f", "image2pipe", "-framerate",
            rate.c_str(), "-c:v", "png", "-i", "-", "-pix_fmt", "yuv420p", path.c_str(),
            static_cast<char*>(nullptr));
      _exit(127);
    }
    ::close(ends[0]);
    to_ = ends[1];
  }
  ~MovieWriter() {
    if (to_ >= 0) ::close(to_);
    if (process_ > 0) waitpid(process_, nullptr, 0);
  }
  MovieWriter(const MovieWriter&) = delete;
  MovieWriter& operator=(const MovieWriter&) = delete;

  void add(const std::string& png) {
    for (size_t at = 0; at < png.size();) {
      const ssize_t n = ::write(to_, png.data() + at, png.size() - at);
      if (n <= 0) return finish();  // it has ended, and has said why
      at += static_cast<size_t>(n);
    }
  }
  void finish() {
    ::close(to_);
    to_ = -1;
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    if (status != 0) throw Error("render", "ffmpeg failed", "a movie " + path_, "See its message.");
  }

 private:
  std::string path_;
  pid_t process_ = -1;
  int to_ = -1;
};

std::pair<int, int> size_of(const std::string& text) {
  int width = 0, height = 0, used = 0;
  if (std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &used) != 2 ||
      static_cast<size_t>(used) != text.size() || width < 64 || height < 64 || width > 7680 ||
      height > 4320)
    throw Error("render, --size", text, "width and height in pixels, such as 1280x720");
  return {width / 2 * 2, height / 2 * 2};  // as movies need them
}

/// The report in a browser, ready to show times.
class Studio {
 public:
  explicit Studio(const RenderArguments& a)
      : browser_(size_of(a.size).first, size_of(a.size).second) {
    const std::string report = a.directory + "/report.html";
    if (!fs::exists(report)) write_report(a.directory, report);
    std::string fragment = "#bare&t=0";
    if (!a.theme.empty()) fragment += "&" + a.theme;
    if (!a.view.empty()) fragment += "&view=" + a.view;
    browser_.open("file://" + fs::absolute(report).lexically_normal().string() + fragment);
    browser_.wait_for("typeof window.hawserReport === 'object'");
    from = std::stod(browser_.evaluate("hawserReport.from"));
    to = std::stod(browser_.evaluate("hawserReport.to"));
  }
  std::string picture(double t) {
    browser_.evaluate(fmt::format("hawserReport.show({}).then(() => 0)", t));
    return browser_.screenshot();
  }
  double from = 0, to = 0;  ///< of the run [s]

 private:
  Browser browser_;
};

double time_or(const std::string& text, double otherwise, const char* option) {
  return text.empty() ? otherwise
                      : parse_quantity(text, quantity::time, std::string("render, ") + option);
}

void render_frames(const RenderArguments& a, Studio& studio, const std::string& extension) {
  const double from = time_or(a.from, studio.from, "--from"), to = time_or(a.to, studio.to, "--to");
  if (!(to >= from)) throw Error("render, --to", fmt::format("{:g} s", to), "a time after --from");
  const auto count = static_cast<long>((to - from) / a.speed * a.fps + 1e-9) + 1;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  std::optional<MovieWriter> movie;
  if (extension.empty())
    fs::create_directories(a.output);
  else
    movie.emplace(a.output, a.fps);
  for (long i = 0; i < count; ++i) {
    const std::string png = studio.picture(from + static_cast<double>(i) * a.speed / a.fps);
    if (movie)
      movie->add(png);
    else
      write_whole_file(fmt::format("{}/frame-{:05}.png", a.output, i), png);
    if (terminal) std::fputs(fmt::format("\rframe {} of {}", i + 1, count).c_str(), stderr);
  }
  if (terminal) std::fputs("\n", stderr);
  if (movie) movie->finish();
}

int render(const RenderArguments& a) {
  const std::string extension = fs::path(a.output).extension().string();
  Studio studio(a);
  if (extension == ".png")
    write_whole_file(a.output, studio.picture(time_or(a.at, studio.to, "--at")));
  else
    render_frames(a, studio, extension);
  std::fputs(fmt::format("{}\n", a.output).c_str(), stdout);
  return exit_ok;
}

}  // namespace

void add_render_command(Command& program) {
  Command& command = program.add("render", "Draw a run: a movie, pictures or one picture");
  const auto a = std::make_shared<RenderArguments>();
  command.option("results", &a->directory, "Results folder",
                 {.type_name = "DIR", .required = true});
  command.option("-o,--output", &a->output,
                 "FILE.mp4, .webm or .gif: a movie; FILE.png: one picture; a folder: pictures",
                 {.type_name = "PATH", .required = true});
  command.option("--at", &a->at, "Time of one picture; default: the end", {.type_name = "TIME"});
  command.option("--from", &a->from, "Start of a movie", {.type_name = "TIME"});
  command.option("--to", &a->to, "End of a movie", {.type_name = "TIME"});
  command.option("--fps", &a->fps, "Pictures per second",
                 {.show_default = true, .range = {{0.1, 240}}});
  command.option("--speed", &a->speed, "Simulated time / time of the movie",
                 {.show_default = true, .range = {{0.001, 1000}}});
  command.option("--size", &a->size, "Width and height in pixels",
                 {.type_name = "WxH", .show_default = true});
  command.option("--theme", &a->theme, "light or dark", {.one_of = {"light", "dark"}});
  command.option("--view", &a->view, "A named view of the report, such as front",
                 {.type_name = "NAME"});
  command.footer(
      "Needs Chromium, and for movies ffmpeg: sudo apt-get install chromium ffmpeg. The pictures "
      "are "
      "those of the 3D view of report.html.");
  command.does([a] { return render(*a); });
}

}  // namespace hawser

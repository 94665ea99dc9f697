#include "browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "hawser/error.h"

namespace hawser {
namespace {

using BrowserJson = nlohmann::json;
namespace fs = std::filesystem;

constexpr int answer_within = 60'000;  // [ms]

std::string from_base64(const std::string& text) {
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) continue;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    if ((count += 6) >= 8) out += static_cast<char>(bits >> (count -= 8) & 255);
  }
  return out;
}

std::string chromium() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (const std::string path = find_program(name); !path.empty()) return path;
  throw Error("render", "no Chromium", "Chromium, which draws the report",
              "Install it: sudo apt-get install chromium");
}

}  // namespace

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "";
  for (size_t at = 0; at <= folders.size();) {
    const size_t end = std::min(folders.find(':', at), folders.size());
    const std::string file = folders.substr(at, end - at) + "/" + name;
    if (end > at && access(file.c_str(), X_OK) == 0 && !fs::is_directory(file)) return file;
    at = end + 1;
  }
  return {};
}

struct Browser::Impl {
  pid_t process = -1;
  int to = -1, from = -1;
  int last = 0;         ///< number of the last call
  std::string session;  ///< of the page
  std::string received;
  std::string profile;

  void start(int width, int height);
  BrowserJson call(const std::string& method, const BrowserJson& parameters);
  void write_all(const std::string& bytes) const;
  /// The next message, which ends with a zero.
  std::string next();
};

/// Chromium reads calls from descriptor 3 and writes answers to 4.
void Browser::Impl::start(int width, int height) {
  const std::string program = chromium(), size = fmt::format("--window-size={},{}", width, height);
  profile = (fs::temp_directory_path() / "hawser-render-XXXXXX").string();
  if (mkdtemp(profile.data()) == nullptr)
    throw Error("render", "no temporary folder", "a folder that can be written");
  std::vector<std::string> words = {program,
                                    "--headless=new",
                                    "--remote-debugging-pipe",
                                    "--user-data-dir=" + profile,
                                    size,
                                    "--hide-scrollbars",
                                    "--mute-audio",
                                    "--no-first-run",
                                    "--use-angle=swiftshader",
                                    "--enable-unsafe-swiftshader"};
  if (geteuid() == 0)
    words.emplace_back("--no-sandbox");  // Chromium does not start as root with it
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int calls[2], answers[2];
  if (pipe2(calls, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
    throw Error("render", "no pipe", "a pipe to Chromium");
  process = fork();
  if (process == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) dup2(nothing, stream);
    const int in = fcntl(calls[0], F_DUPFD, 10), out = fcntl(answers[1], F_DUPFD, 10);
    dup2(in, 3);
    dup2(out, 4);
    execv(program.c_str(), arguments.data());
    _exit(127);
  }
  ::close(calls[0]);
  ::close(answers[1]);
  to = calls[1];
  from = answers[0];
}

void Browser::Impl::write_all(const std::string& bytes) const {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(to, bytes.data() + at, bytes.size() - at);
    if (n <= 0) throw Error("render", "Chromium has ended", "a browser that runs");
    at += static_cast<size_t>(n);
  }
}

std::string Browser::Impl::next() {
  size_t end = 0, looked = 0;
  while ((end = received.find('\0', looked)) == std::string::npos) {
    looked = received.size();
    pollfd wait{from, POLLIN, 0};
    char bytes[65536];
    const ssize_t n = poll(&wait, 1, answer_within) > 0 ? ::read(from, bytes, sizeof bytes) : 0;
    if (n <= 0)
      throw Error("render", "no answer of Chromium", "a browser that runs",
                  "Try `chromium --headless=new --dump-dom about:blank`.");
    received.append(bytes, static_cast<size_t>(n));
  }
  std::string out = received.substr(0, end);
  received.erase(0, end + 1);
  return out;
}

BrowserJson Browser::Impl::call(const std::string& method, const BrowserJson& parameters) {
  BrowserJson message = {{"id", ++last}, {"method", method}, {"params", parameters}};
  if (!session.empty()) message["sessionId"] = session;
  write_all(message.dump() + '\0');
  for (;;) {
    BrowserJson answer = BrowserJson::parse(next());
    if (answer.value("id", 0) != last) continue;  // an event
    if (answer.contains("error"))
      throw Error("render", answer["error"].value("message", ""), "an answer to " + method);
    return answer["result"];
  }
}

Browser::Browser(int width, int height) : impl_(std::make_unique<Impl>()) {
  std::signal(SIGPIPE, SIG_IGN);
  impl_->start(width, height);
  const BrowserJson target = impl_->call("Target.createTarget", {{"url", "about:blank"}});
  const BrowserJson attached =
      impl_->call("Target.attachToTarget", {{"targetId", target["targetId"]}, {"flatten", true}});
  impl_->session = attached["sessionId"];
  impl_->call("Emulation.setDeviceMetricsOverride",
              {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
}

Browser::~Browser() {
  if (impl_->process > 0) {
    ::close(impl_->to);  // ends it
    ::close(impl_->from);
    kill(impl_->process, SIGTERM);
    waitpid(impl_->process, nullptr, 0);
  }
  std::error_code ignored;
  for (int i = 0; i < 20 && fs::exists(impl_->profile, ignored);
       ++i) {  // its helpers end a little later
    fs::remove_all(impl_->profile, ignored);
    if (ignored) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

void Browser::open(const std::string& address) { impl_->call("Page.navigate", {{"url", address}}); }

std::string Browser::evaluate(const std::string& expression) {
  const BrowserJson result =
      impl_->call("Runtime.evaluate",
                  {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (result.contains("exceptionDetails"))
    throw Error("render", result["exceptionDetails"].value("text", "an error of the page"),
                "a report of this version", "Write it anew: hawser report DIR");
  return result["result"].contains("value") ? result["result"]["value"].dump() : "null";
}

void Browser::wait_for(const std::string& expression) {
  for (int i = 0; i < 600; ++i) {
    if (evaluate(expression) == "true") return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  throw Error("render", "a report that does not come up", "a report of this version",
              "Write it anew: hawser report DIR");
}

std::string Browser::screenshot() {
  return from_base64(impl_->call("Page.captureScreenshot", {{"format", "png"}})["data"]);
}

}  // namespace hawser

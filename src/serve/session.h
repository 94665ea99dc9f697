// A live run and its pages: takes what pages ask for, steps, and tells them what happens. One
// thread simulates; the server calls in from its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "hawser/view.h"
#include "serve/frame_clock.h"
#include "serve/hello.h"
#include "serve/messages.h"
#include "serve/requests.h"
#include "serve/scene_watch.h"
#include "serve/server.h"

namespace hawser {

class Session final : public ServerEvents {
 public:
  /// Throws Error if the scene cannot be run.
  Session(std::string path, const ViewOptions& options);

  void run(Server& server, const std::function<bool()>& stop);
  [[nodiscard]] const LiveRun& live() const { return *run_; }

  void opened(int page) override;
  void received(int page, std::string text) override;
  void closed(int page) override;

 private:
  struct Event {
    enum class Kind { opened, received, closed } kind;
    int page;
    std::string text;
  };
  struct Page {
    uint32_t subscription = 0;
    std::vector<std::string> names;
    std::optional<Channels> channels;
    std::vector<double> values;
    std::deque<uint32_t> unseen;  ///< numbers of frames that were sent and not acknowledged
    bool wants_frame = true;      ///< there is a newer one than it was sent
    bool jumps = true;            ///< the next one does not continue the last

    /// What a page has not read yet waits in the browser, and what it shows lags behind.
    [[nodiscard]] bool takes_frame() const { return wants_frame && unseen.size() < 2; }
  };

  // --- what happens ---
  void push(Event event);
  void take_events();
  void handle(const Event& event);
  void handle(int page, const PageRequest& request);
  void act(const PageRequest& request);
  void take_steps(long steps);
  void follow_mesh();
  void subscribe(int page, const PageRequest& request);
  void edit(const PageRequest& request);

  // --- the run ---
  [[nodiscard]] SceneFile read() const;
  void begin(std::unique_ptr<LiveRun> run, const char* reason);
  void change_layout(const char* reason);
  void reset();
  void reload();
  void watch_files(const SceneFile* file);
  void pace();
  void advance(double until);

  // --- what pages are told ---
  void send(int page, std::string text);
  void tell_all(const std::string& text);
  [[nodiscard]] std::string hello(const char* reason) const;
  [[nodiscard]] std::string status() const;
  void renew_frames();
  [[nodiscard]] bool some_page_takes_a_frame() const;
  void publish(double wall);
  void publish_frame();
  void wait(double until);

  const std::string path_;
  const ViewOptions options_;
  std::unique_ptr<LiveRun> run_;
  std::unique_ptr<FrameMaker> frames_;
  std::string text_;  ///< of the scene file
  Server* server_ = nullptr;
  std::map<int, Page> pages_;
  std::vector<std::string> problems_;
  SceneWatch watch_;
  Pacer pacer_;

  bool paused_ = false;
  bool new_status_ = true;  ///< pages do not know yet
  double speed_ = 1;
  uint32_t layout_ = 0, frame_ = 0;
  FrameClock frame_clock_;
  double next_status_ = 0, next_watch_ = 0;  ///< wall time [s]
  double step_time_ = 0;                     ///< mean [s]
  long mesh_changes_ = 0;                    ///< that pages know of
  mutable std::string open_hello_;           ///< of the layout; empty: not made

  std::mutex mutex_;  ///< of what follows
  std::condition_variable wake_;
  std::deque<Event> events_;
  size_t waiting_ = 0;  ///< in events_ [bytes]
};

}  // namespace hawser

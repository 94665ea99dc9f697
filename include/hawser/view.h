// Runs a scene live and shows it in a browser, as `hawser view` does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hawser {

/// False if this library was built without Node.js, which builds the page.
bool has_live_page();

struct ViewOptions {
  std::string host = "127.0.0.1";  ///< address to listen on: by default this machine only
  unsigned short port = 0;         ///< 0: any that is free
  /// Results folder of the log of all that is done, inputs.csv; made when something is done, with
  /// another name if it exists. Empty: no log.
  std::string directory;
  std::vector<std::string> sets;  ///< overrides of the scene, as read_scene() takes them
  bool paused = false;            ///< starts paused
};

/// A scene that runs live, and the server of its page. docs/theory/live.md describes the protocol.
class LiveView {
 public:
  /// Reads the scene and listens. Throws Error if the scene cannot be run or the address not used.
  LiveView(const std::string& scene, const ViewOptions& options);
  ~LiveView();
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  /// Of the page, with the token that it needs: keep it to yourself.
  [[nodiscard]] std::string address() const;
  /// Simulates in this thread, paced to real time, until `stop` returns true, which is asked at
  /// least ten times a second. Throws nothing of the scene: pages are told.
  void run(const std::function<bool()>& stop);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hawser

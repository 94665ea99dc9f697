// HTTP and WebSocket for the pages of a live view. Nothing but the page and its script is served,
// to those who have the token. Nobody is waited for: a page that does not read is disconnected.
#pragma once

#include <memory>
#include <span>
#include <string>

namespace hawser {

/// What happens to pages, by the number of their connection. Called in the thread of the server.
class ServerEvents {
 public:
  virtual ~ServerEvents() = default;
  virtual void opened(int page) = 0;
  virtual void received(int page, std::string text) = 0;
  virtual void closed(int page) = 0;
};

struct ServerOptions {
  std::string host = "127.0.0.1";         ///< address to listen on
  unsigned short port = 0;                ///< 0: any that is free
  std::string token;                      ///< that requests must have
  std::string title;                      ///< of the page
  std::span<const unsigned char> script;  ///< of the page: a zlib stream
  size_t most_pages = 16;
  size_t most_idle = 32;               ///< connections that are no pages; more drop the oldest
  size_t largest_message = 64 * 1024;  ///< of a page [bytes]
  size_t most_waiting = 64 << 20;      ///< for one page [bytes]; beyond, it is disconnected
  int patience = 10;                   ///< for requests and for pages that do not read [s]
};

class Server {
 public:
  /// Listens from now on, and answers in a thread of its own. Throws Error if the address cannot be
  /// used.
  Server(const ServerOptions& options, ServerEvents& events);
  /// Disconnects all pages.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] unsigned short port() const;
  /// Of the page: "http://127.0.0.1:40123/?token=...".
  [[nodiscard]] std::string address() const;

  /// May be called from any thread; pages that are gone are none.
  void send_text(int page, std::shared_ptr<const std::string> text);
  /// A frame that still waits is replaced by this one.
  void send_frame(int page, std::shared_ptr<const std::string> frame);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// 128 random bits of the system, in hexadecimal digits. Throws Error if it has none.
std::string random_token();

}  // namespace hawser

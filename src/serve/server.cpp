// The only file that reads Boost.Beast: it takes long to compile.
#include "serve/server.h"

#define BOOST_ASIO_NO_DEPRECATED
#define BOOST_ASIO_DISABLE_BOOST_COROUTINE
#include <fmt/format.h>
#include <sys/random.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>
#include <list>
#include <map>
#include <thread>

#include "hawser/error.h"
#include "serve/request_check.h"

namespace hawser {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using boost::system::error_code;
using Context = asio::io_context;
/// With the executor of a context itself, not of any: less to compile.
using Tcp = asio::ip::tcp;
using Socket = asio::basic_stream_socket<Tcp, Context::executor_type>;
using Acceptor = asio::basic_socket_acceptor<Tcp, Context::executor_type>;
using Timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                         asio::wait_traits<std::chrono::steady_clock>,
                                         Context::executor_type>;
using Request = http::request<http::string_body>;
using Text = std::shared_ptr<const std::string>;

std::string_view view_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

constexpr const char* policy =
    "default-src 'none'; script-src 'self'; worker-src blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:; connect-src 'self' ws://{}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

constexpr const char* live_page = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title>
</head>
<body>
<noscript>The live view needs JavaScript.</noscript>
<script src="/live.js?token={}"></script>
</body>
</html>
)";

std::string title_text(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

}  // namespace

struct Server::Impl {
  class Page;
  class Visitor;

  Impl(ServerOptions given, ServerEvents& to)
      : options(std::move(given)), events(to), acceptor(context), pause(context) {
    error_code error;
    const auto address = asio::ip::make_address(options.host, error);
    if (error)
      throw Error("view, --host", options.host, "an address of this machine, such as 127.0.0.1");
    const Tcp::endpoint endpoint(address, options.port);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error)
      throw Error("view",
                  fmt::format("{} port {}: {}", options.host, options.port, error.message()),
                  "an address and a port that can be listened on", "Choose another with --port.");
    port = acceptor.local_endpoint().port();
  }

  void accept();
  void rest();
  void forget(int page);
  void drop_oldest();

  ServerOptions options;
  ServerEvents& events;
  Context context{1};
  Acceptor acceptor;
  Timer pause;
  unsigned short port = 0;
  int last_page = 0;
  std::map<int, std::shared_ptr<Page>> pages;
  std::list<std::weak_ptr<Visitor>> visitors;  ///< the oldest first
  std::thread thread;
};

/// A WebSocket. Text waits in line, of frames only the newest.
class Server::Impl::Page : public std::enable_shared_from_this<Page> {
 public:
  Page(Impl& server, Socket socket, int number)
      : server_(server), stream_(std::move(socket)), clock_(server.context), number_(number) {
    stream_.read_message_max(server.options.largest_message);
    stream_.auto_fragment(false);
  }

  void start(Request request) {
    request_ = std::move(request);
    guard();
    stream_.async_accept(request_, [self = shared_from_this()](error_code error) {
      if (error) return self->close();
      self->clock_.cancel();
      self->open_ = true;
      self->server_.events.opened(self->number_);
      self->read();
    });
  }

  void send(Text text, bool frame) {
    if (closed_) return;
    if (frame) {
      frame_ = std::move(text);
    } else {
      waiting_ += text->size();
      texts_.push_back(std::move(text));
      if (waiting_ > server_.options.most_waiting) return close();
    }
    write();
  }

  void close() {
    if (std::exchange(closed_, true)) return;
    error_code ignored;
    clock_.cancel();
    stream_.next_layer().close(ignored);
    if (open_) server_.events.closed(number_);
    asio::post(server_.context,
               [self = shared_from_this()] { self->server_.forget(self->number_); });
  }

 private:
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, size_t) {
      if (error || self->closed_) return self->close();
      const auto data = self->buffer_.data();
      std::string text(static_cast<const char*>(data.data()), data.size());
      self->buffer_.consume(data.size());
      if (!self->stream_.got_text()) return self->close();
      self->server_.events.received(self->number_, std::move(text));
      self->read();
    });
  }

  void write() {
    if (busy_ || !open_ || closed_ || (texts_.empty() && !frame_)) return;
    busy_ = true;
    const bool text = !texts_.empty();
    if (text) {
      writing_ = std::move(texts_.front());
      texts_.pop_front();
      waiting_ -= writing_->size();
    } else {
      writing_ = std::move(frame_);
      frame_.reset();
    }
    stream_.text(text);
    guard();
    stream_.async_write(asio::buffer(*writing_),
                        [self = shared_from_this()](error_code error, size_t) {
                          self->busy_ = false;
                          self->clock_.cancel();
                          if (error) return self->close();
                          self->write();
                        });
  }

  /// What is under way must be done in time.
  void guard() {
    clock_.expires_after(std::chrono::seconds(server_.options.patience));
    clock_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->close();
    });
  }

  Impl& server_;
  websocket::stream<Socket, false> stream_;
  Timer clock_;
  int number_;
  Request request_;
  boost::beast::flat_buffer buffer_;
  std::deque<Text> texts_;
  Text frame_, writing_;
  size_t waiting_ = 0;  ///< in texts_ [bytes]
  bool open_ = false, busy_ = false, closed_ = false;
};

/// A connection that has not become a page: one request, one answer.
class Server::Impl::Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(Impl& server, Socket socket)
      : server_(server), socket_(std::move(socket)), clock_(server.context) {
    parser_.header_limit(8 * 1024);
    parser_.body_limit(0);
  }

  void start() {
    clock_.expires_after(std::chrono::seconds(server_.options.patience));
    clock_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->close();
    });
    http::async_read(socket_, buffer_, parser_,
                     [self = shared_from_this()](error_code error, size_t) {
                       if (error) return self->close();
                       self->answer();
                     });
  }

  void close() {
    error_code ignored;
    clock_.cancel();
    socket_.close(ignored);
  }

 private:
  void answer() {
    const Request& request = parser_.get();
    const auto field = [&](http::field name) { return view_of(request[name]); };
    const ServerOptions& allowed = server_.options;
    const bool upgrade = websocket::is_upgrade(request);
    RequestCheck check =
        request.count(http::field::host) > 1
            ? RequestCheck{Asset::none, 400}
            : check_request({view_of(request.method_string()), view_of(request.target()),
                             field(http::field::host), field(http::field::origin), upgrade},
                            allowed.host, server_.port, allowed.token);
    if (check.asset != Asset::socket) return reply(check);
    if (server_.pages.size() >= allowed.most_pages) return reply({Asset::none, 503});
    clock_.cancel();
    const int number = ++server_.last_page;
    const auto page = std::make_shared<Page>(server_, std::move(socket_), number);
    server_.pages.emplace(number, page);
    page->start(parser_.release());
  }

  void reply(const RequestCheck& check) {
    const ServerOptions& served = server_.options;
    response_.version(11);
    response_.result(static_cast<unsigned>(check.status));
    response_.keep_alive(false);
    response_.set(http::field::content_type, check.asset == Asset::page ? "text/html; charset=utf-8"
                                             : check.asset == Asset::script
                                                 ? "text/javascript; charset=utf-8"
                                                 : "text/plain; charset=utf-8");
    const std::string host(view_of(parser_.get()[http::field::host]));
    response_.set("Content-Security-Policy", fmt::format(policy, host));
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Cross-Origin-Opener-Policy", "same-origin");
    response_.set(http::field::cache_control, "no-store");
    if (check.asset == Asset::page) {
      response_.body() = fmt::format(live_page, title_text(served.title), served.token);
    } else if (check.asset == Asset::script) {
      response_.set(http::field::content_encoding, "deflate");
      response_.body().assign(served.script.begin(), served.script.end());
    } else {
      response_.body() = fmt::format("{}\n", view_of(response_.reason()));
    }
    response_.prepare_payload();
    http::async_write(socket_, response_, [self = shared_from_this()](error_code, size_t) {
      error_code ignored;
      self->socket_.shutdown(Tcp::socket::shutdown_send, ignored);
      self->close();
    });
  }

  Impl& server_;
  Socket socket_;
  Timer clock_;
  boost::beast::flat_buffer buffer_{16 * 1024};
  http::request_parser<http::string_body> parser_;
  http::response<http::string_body> response_;
};

void Server::Impl::accept() {
  acceptor.async_accept([this](error_code error, Socket socket) {
    if (!acceptor.is_open()) return;
    if (error) return rest();
    error_code ignored;
    socket.set_option(Tcp::no_delay(true), ignored);
    drop_oldest();
    const auto visitor = std::make_shared<Visitor>(*this, std::move(socket));
    visitors.push_back(visitor);
    visitor->start();
    accept();
  });
}

/// Where there are no descriptors left, for example.
void Server::Impl::rest() {
  pause.expires_after(std::chrono::milliseconds(100));
  pause.async_wait([this](error_code error) {
    if (!error && acceptor.is_open()) accept();
  });
}

/// Those that come last are the ones that ask for something.
void Server::Impl::drop_oldest() {
  visitors.remove_if([](const auto& visitor) { return visitor.expired(); });
  while (visitors.size() >= options.most_idle) {
    if (const auto visitor = visitors.front().lock()) visitor->close();
    visitors.pop_front();
  }
}

void Server::Impl::forget(int page) { pages.erase(page); }

Server::Server(const ServerOptions& options, ServerEvents& events)
    : impl_(std::make_unique<Impl>(options, events)) {
  impl_->accept();
  impl_->thread = std::thread([this] { impl_->context.run(); });
}

Server::~Server() {
  asio::post(impl_->context, [this] {
    error_code ignored;
    impl_->acceptor.close(ignored);
    impl_->pause.cancel();
    for (const auto& [number, page] : std::map(impl_->pages)) page->close();
    for (const auto& visitor : impl_->visitors)
      if (const auto there = visitor.lock()) there->close();
  });
  impl_->thread.join();
}

unsigned short Server::port() const { return impl_->port; }

std::string Server::address() const {
  const std::string& host = impl_->options.host;
  const bool any = host == "0.0.0.0" || host == "::";
  const std::string shown = any                                   ? "127.0.0.1"
                            : host.find(':') != std::string::npos ? "[" + host + "]"
                                                                  : host;
  return fmt::format("http://{}:{}/?token={}", shown, impl_->port, impl_->options.token);
}

void Server::send_text(int page, Text text) {
  asio::post(impl_->context, [this, page, text = std::move(text)]() mutable {
    const auto at = impl_->pages.find(page);
    if (at != impl_->pages.end()) at->second->send(std::move(text), false);
  });
}

void Server::send_frame(int page, Text frame) {
  asio::post(impl_->context, [this, page, frame = std::move(frame)]() mutable {
    const auto at = impl_->pages.find(page);
    if (at != impl_->pages.end()) at->second->send(std::move(frame), true);
  });
}

std::string random_token() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    throw Error("view", "no random numbers of the system", "a system with getrandom()");
  std::string out;
  for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

}  // namespace hawser

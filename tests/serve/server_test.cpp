// Who is answered, and who is not: docs/theory/live.md.
#include "serve/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <random>

#include "hawser/error.h"
#include "serve/request_check.h"
#include "serve/requests.h"
#include "serve/socket_client.h"

namespace hawser::HAWSER_FILE {
namespace {

const std::string token = "0123456789abcdef0123456789abcdef";

/// Answers every message of a page, and counts.
class Echo final : public ServerEvents {
 public:
  Server* server = nullptr;
  std::atomic<int> pages = 0, messages = 0, closings = 0;
  void opened(int) override { count(pages); }
  void received(int page, std::string text) override {
    ++messages;
    server->send_text(page, std::make_shared<const std::string>(R"({"type":"echo","size":)" +
                                                                std::to_string(text.size()) + "}"));
  }
  void closed(int) override { count(closings); }
  void count(std::atomic<int>& what) {
    const std::lock_guard lock(mutex);
    ++what;
    changed.notify_all();
  }
  void wait_for(const std::atomic<int>& what, int least) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return what >= least; });
  }
  std::mutex mutex;
  std::condition_variable changed;
};

struct Served {
  explicit Served(ServerOptions options = {}) {
    options.token = token;
    options.title = "A <title>";
    options.script = script;
    server = std::make_unique<Server>(options, events);
    events.server = server.get();
    host = "127.0.0.1:" + std::to_string(server->port());
  }
  [[nodiscard]] std::string get(const std::string& target, const std::string& headers) const {
    SocketClient client(server->port());
    client.send("GET " + target + " HTTP/1.1\r\n" + headers + "\r\n");
    return client.read_all();
  }
  [[nodiscard]] int status(const std::string& target, const std::string& headers) const {
    const std::string answer = get(target, headers);
    return answer.size() > 12 ? std::stoi(answer.substr(9, 3)) : 0;
  }
  [[nodiscard]] SocketClient page() const {
    SocketClient client(server->port());
    EXPECT_EQ(client.upgrade("/live?token=" + token, host, "http://" + host), 101);
    return client;
  }
  /// A page still gets its answers.
  void expect_alive() const {
    SocketClient client = page();
    client.send_frame("hello");
    EXPECT_EQ(client.read_type("echo")["size"], 5);
  }

  const std::vector<unsigned char> script = {1, 2, 3};
  Echo events;
  std::unique_ptr<Server> server;
  std::string host;
};

TEST(Server, ServesItsPageAndNothingElse) {
  const Served s;
  const std::string own = "Host: " + s.host + "\r\n";
  const std::string page = s.get("/?token=" + token, own);
  EXPECT_TRUE(page.starts_with("HTTP/1.1 200")) << page;
  EXPECT_NE(page.find("A &lt;title&gt;"), std::string::npos);
  EXPECT_NE(page.find("/live.js?token=" + token), std::string::npos);
  EXPECT_NE(page.find("Content-Security-Policy: default-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("Referrer-Policy: no-referrer"), std::string::npos);
  const std::string script = s.get("/live.js?token=" + token, own);
  EXPECT_TRUE(script.ends_with("\r\n\r\n\x01\x02\x03")) << script;
  for (const char* target : {"/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
                             "/live.js/../../etc/passwd", "//etc/passwd", "/etc/passwd",
                             "/index.html", "/live.js.map", "/scene.yaml"})
    EXPECT_EQ(s.status(std::string(target) + "?token=" + token, own), 404) << target;
  EXPECT_EQ(s.status("http://" + s.host + "/?token=" + token, own), 404);
  EXPECT_EQ(s.status("/live?token=" + token, own), 426);
  SocketClient post(s.server->port());
  post.send("POST /?token=" + token + " HTTP/1.1\r\n" + own + "Content-Length: 0\r\n\r\n");
  EXPECT_TRUE(post.read_all().starts_with("HTTP/1.1 405"));
}

TEST(Server, RefusesStrangers) {
  const Served s;
  const std::string own = "Host: " + s.host + "\r\n", port = std::to_string(s.server->port());
  for (const std::string& wrong :
       {std::string(), std::string("?token="), "?token=" + token.substr(1), "?token=" + token + "0",
        "?token=" + std::string(32, '0'), "?other=1&token=" + token})
    EXPECT_EQ(s.status("/" + wrong, own), 403) << wrong;
  for (const std::string& host :
       {std::string("evil.example"), "evil.example:" + port, std::string("127.0.0.1"),
        "127.0.0.1:1" + port, "127.0.0.1.evil.example:" + port, std::string()})
    EXPECT_EQ(s.status("/?token=" + token, "Host: " + host + "\r\n"), 403) << host;
  EXPECT_EQ(s.status("/?token=" + token, ""), 403);
  EXPECT_EQ(s.status("/?token=" + token, own + "Host: evil.example\r\n"), 400);
  EXPECT_EQ(s.status("/?token=" + token, "Host: localhost:" + port + "\r\n"), 200);
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), "https://" + s.host,
        std::string("http://127.0.0.1"), "http://localhost:" + port, std::string()}) {
    SocketClient client(s.server->port());
    EXPECT_EQ(client.upgrade("/live?token=" + token, s.host, origin), 403) << origin;
  }
  SocketClient client(s.server->port());
  EXPECT_EQ(client.upgrade("/live?token=wrong", s.host, "http://" + s.host), 403);
  EXPECT_EQ(s.events.pages, 0);
  s.expect_alive();
}

TEST(Server, OnAnyAddressTakesAddressesButNoNames) {
  const auto status = [](const char* host) {
    return check_request({"GET", "/?token=t", host, "", false}, "0.0.0.0", 80, "t").status;
  };
  EXPECT_EQ(status("192.168.1.7:80"), 200);
  EXPECT_EQ(status("[fe80::1]:80"), 200);
  EXPECT_EQ(status("localhost:80"), 200);
  EXPECT_EQ(status("evil.example:80"), 403);
  EXPECT_EQ(status("1.2.3.4.evil.example:80"), 403);
}

TEST(Server, DisconnectsOversizedAndBinaryMessages) {
  const Served s;
  SocketClient large = s.page();
  large.send_frame(std::string(64 * 1024 + 1, 'x'));
  large.read_to_the_end();
  SocketClient binary = s.page();
  binary.send_frame("x", 2);
  binary.read_to_the_end();
  SocketClient unmasked = s.page();
  unmasked.send_frame("x", 1, false);
  unmasked.read_to_the_end();
  SocketClient announced = s.page();  // a length that would exhaust the memory
  announced.send(std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\1\2\3\4", 14));
  announced.read_to_the_end();
  EXPECT_EQ(s.events.messages, 0);
  SocketClient header(s.server->port());
  header.send("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n");
  EXPECT_EQ(header.read_all(), "");
  s.expect_alive();
}

TEST(Server, SurvivesRandomBytes) {
  const Served s;
  std::mt19937 random(1);
  const auto noise = [&](size_t size) {
    std::string out(size, ' ');
    for (char& c : out) c = static_cast<char>(random() & 255);
    return out;
  };
  for (int i = 0; i < 60; ++i) {
    SocketClient raw(s.server->port());
    raw.send(noise(random() % 300) + "\r\n\r\n");
    SocketClient page = s.page();
    std::string bytes = noise(2 + random() % 60);
    if (i % 2 == 0)
      bytes[0] = static_cast<char>(0x80 | random() % 16),
      bytes[1] = static_cast<char>(0x80 | random() % 128);
    page.send(bytes);
  }
  s.expect_alive();
}

TEST(Server, IdleConnectionsDoNotKeepPagesOut) {
  const Served s;
  SocketClient before = s.page();
  std::vector<SocketClient> idle;
  for (int i = 0; i < 200; ++i) idle.emplace_back(s.server->port());
  s.expect_alive();
  before.send_frame("still here");
  EXPECT_EQ(before.read_type("echo")["size"], 10);
  EXPECT_EQ(idle.front().read_all(), "");  // the oldest were dropped
}

TEST(Server, LimitsPages) {
  ServerOptions options;
  options.most_pages = 3;
  const Served s(options);
  std::vector<SocketClient> pages;
  for (int i = 0; i < 3; ++i) pages.push_back(s.page());
  SocketClient one_more(s.server->port());
  EXPECT_EQ(one_more.upgrade("/live?token=" + token, s.host, "http://" + s.host), 503);
  pages[0].send_frame("x");
  EXPECT_EQ(pages[0].read_type("echo")["size"], 1);
}

TEST(Server, DropsAPageThatDoesNotRead) {
  ServerOptions options;
  options.most_waiting = 1 << 20;
  Served s(options);
  SocketClient slow = s.page();
  s.events.wait_for(s.events.pages, 1);
  const auto text = std::make_shared<const std::string>(100'000, 'x');
  for (int i = 0; i < 400; ++i) s.server->send_text(1, text);  // 40 MB, more than any socket buffer
  s.events.wait_for(s.events.closings, 1);
  s.expect_alive();
}

TEST(Server, KeepsOnlyTheNewestFrame) {
  Served s;
  SocketClient slow = s.page();
  s.events.wait_for(s.events.pages, 1);
  for (int i = 1; i <= 500; ++i)
    s.server->send_frame(1,
                         std::make_shared<const std::string>(100'000, static_cast<char>(i % 200)));
  s.server->send_frame(1, std::make_shared<const std::string>("last"));
  int frames = 0;
  for (;;) {
    ++frames;
    if (slow.read_binary() == "last") break;
  }
  EXPECT_LT(frames, 500);
}

TEST(Server, SaysWhyAnAddressCannotBeUsed) {
  const Served s;
  ServerOptions options;
  options.port = s.server->port();
  Echo events;
  EXPECT_THROW(Server(options, events), Error);
  options.host = "not an address";
  EXPECT_THROW(Server(options, events), Error);
  EXPECT_NE(random_token(), random_token());
  EXPECT_EQ(random_token().size(), 32U);
}

TEST(Requests, AreReadOrRefused) {
  const PageRequest pull =
      read_request(R"({"type":"pull","body":"load","at":[0,0,1],"target":[1,2,3],"stiffness":5})");
  EXPECT_EQ(pull.pull.body, "load");
  EXPECT_EQ(pull.pull.target, Vec3(1, 2, 3));
  EXPECT_EQ(read_request(R"({"type":"step"})").steps, 1);
  for (const char* bad :
       {"",
        "{",
        "[]",
        "null",
        "{}",
        R"({"type":7})",
        R"({"type":"dance"})",
        R"({"type":"step","steps":0})",
        R"({"type":"step","steps":1.5})",
        R"({"type":"step","steps":1e9})",
        R"({"type":"input","name":"x"})",
        R"({"type":"input","name":"x","value":"1"})",
        R"({"type":"input","name":"x","value":1e999})",
        R"({"type":"subscribe","id":0,"channels":[]})",
        R"({"type":"subscribe","id":1,"channels":[1]})",
        R"({"type":"pull","target":[1,2,3]})",
        R"({"type":"pull","body":"a","at":[1,2],"target":[1,2,3]})",
        R"({"type":"pull","body":"a","cable":"b","at":[1,2,3],"s":1,"target":[1,2,3]})",
        "{\"type\":\"pl\xff\"}",
        R"({"type":{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{}}}}}}}}}})"})
    EXPECT_THROW(read_request(bad), Error) << bad;
  EXPECT_THROW(read_request(std::string(60'000, '[')), Error);
}

/// Mutated requests are read or refused with an Error, nothing else.
TEST(Requests, SurviveMutation) {
  const std::vector<std::string> seeds = {
      R"({"type":"pull","body":"load","at":[0,0,1],"target":[1,2,3],"stiffness":5})",
      R"({"type":"subscribe","id":3,"channels":["a.position","b"]})",
      R"({"type":"edit","path":"bodies.load.mass","value":"4 t"})",
      R"({"type":"cut","cable":"rope","s":3.5})"};
  std::mt19937 random(7);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = seeds[random() % seeds.size()];
    for (unsigned k = random() % 4; k > 0; --k) {
      const size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, random() % 5);
      else
        text[at] = static_cast<char>(random() & 255);
      if (text.empty()) text = " ";
    }
    try {
      (void)read_request(text);
      ++read;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

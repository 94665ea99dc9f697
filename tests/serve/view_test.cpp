// A live view as a page sees it: one server, real sockets.
#include "hawser/view.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "hawser/record.h"
#include "hawser/run.h"
#include "serve/frame_clock.h"
#include "serve/pacer.h"
#include "serve/socket_client.h"
#include "temporary_folder.h"

namespace hawser::HAWSER_FILE {
namespace {

using nlohmann::json;

constexpr const char* hoist = R"(# a crane
inputs:
  hoist: {value: 0 m/s, from: -1 m/s, to: 1 m/s, smoothing: 0.1 s}
sections: {wire: {EA: 1 MN, mass: 1 kg/m, diameter: 10 mm}}
supports: {jib: {position: [0, 0, 10 m]}}
bodies:
  load: {shape: {box: [1 m, 1 m, 1 m]}, mass: 100 kg, position: [0, 0, 4 m]}  # heavy
cables: {rope: {section: wire, model: massless, route: [jib, load], speed: hoist}}
solve: {until: 10 s, step: 5 ms}
record: {channels: [load.position.z, rope.tension@start]}
)";

/// A view of a scene in a folder of its own, which runs as long as this lives.
struct Running {
  explicit Running(bool paused = true) {
    write_whole_file(folder / "crane.yaml", hoist);
    ViewOptions options;
    options.paused = paused;
    options.directory = folder / "live";
    view = std::make_unique<LiveView>(folder / "crane.yaml", options);
    const std::string address = view->address();  // http://127.0.0.1:PORT/?token=TOKEN
    host = address.substr(7, address.find('/', 7) - 7);
    port = static_cast<unsigned short>(std::stoi(host.substr(host.find(':') + 1)));
    token = address.substr(address.find('=') + 1);
    thread = std::thread([this] { view->run([this] { return stop.load(); }); });
  }
  ~Running() {
    stop = true;
    thread.join();
  }
  [[nodiscard]] SocketClient page() const {
    SocketClient client(port);
    client.acknowledges = true;
    EXPECT_EQ(client.upgrade("/live?token=" + token, host, "http://" + host), 101);
    return client;
  }

  TemporaryFolder folder;
  std::unique_ptr<LiveView> view;
  std::string host, token;
  unsigned short port = 0;
  std::atomic<bool> stop = false;
  std::thread thread;
};

struct FrameView {
  uint32_t layout = 0, number = 0, flags = 0, subscription = 0;
  double t = 0;
  std::vector<float> values;
};

FrameView frame_of(const std::string& bytes) {
  FrameView out;
  EXPECT_GE(bytes.size(), 24U);
  std::memcpy(&out.layout, bytes.data(), 4);
  std::memcpy(&out.number, bytes.data() + 4, 4);
  std::memcpy(&out.t, bytes.data() + 8, 8);
  std::memcpy(&out.flags, bytes.data() + 16, 4);
  std::memcpy(&out.subscription, bytes.data() + 20, 4);
  out.values.resize((bytes.size() - 24) / 4);
  std::memcpy(out.values.data(), bytes.data() + 24, 4 * out.values.size());
  return out;
}

/// Steps and returns the frame after them.
FrameView step(SocketClient& page, int steps, double from) {
  page.send_json({{"type", "step"}, {"steps", steps}});
  for (;;) {
    const FrameView frame = frame_of(page.read_binary());
    if (frame.t > from + (steps - 0.5) * 0.005) return frame;
  }
}

TEST(View, DescribesTheSceneAndItsFrames) {
  const Running r;
  SocketClient page = r.page();
  const json hello = page.read_type("hello");
  EXPECT_EQ(hello["protocol"], 1);
  EXPECT_EQ(hello["reason"], "open");
  EXPECT_EQ(hello["scene"], hoist);
  EXPECT_EQ(hello["editable"], true);
  ASSERT_EQ(hello["cables"].size(), 1U);
  EXPECT_EQ(hello["cables"][0]["model"], "massless");
  EXPECT_EQ(hello["bodies"][0]["shape"], "box");
  ASSERT_EQ(hello["inputs"].size(), 1U);  // without those of the hand
  EXPECT_EQ(hello["inputs"][0]["rate"], true);
  EXPECT_EQ(hello["plots"], json({"load.position.z", "rope.tension@start"}));
  EXPECT_EQ(hello["diagram"]["lines"].size(), 2U);
  EXPECT_EQ(hello["winches"].size(), 1U);
  EXPECT_EQ(page.read_type("status")["paused"], true);
  const FrameView frame = frame_of(page.read_binary());
  EXPECT_EQ(frame.layout, hello["layout"]);
  EXPECT_EQ(frame.flags & 1U, 1U);
  const size_t points = hello["cables"][0]["points"];
  ASSERT_EQ(frame.values.size(), 8 * points + 7 + 3 + 6);
  EXPECT_FLOAT_EQ(frame.values[2], 10);               // the cable begins at the jib
  EXPECT_FLOAT_EQ(frame.values[8 * points + 2], 4);   // the load
  EXPECT_FLOAT_EQ(frame.values[8 * points + 9], 10);  // the support
}

TEST(View, StepsPausesAndResets) {
  const Running r;
  SocketClient page = r.page();
  EXPECT_NEAR(step(page, 10, 0).t, 0.05, 1e-12);
  page.send_json({{"type", "play"}});
  while (frame_of(page.read_binary()).t < 0.1) {
  }
  page.send_json({{"type", "pause"}});
  while (!page.read_type("status")["paused"].get<bool>()) {
  }
  page.send_json({{"type", "reset"}});
  const json hello = page.read_type("hello");
  EXPECT_EQ(hello["reason"], "reset");
  FrameView frame;
  do frame = frame_of(page.read_binary());
  while (frame.layout != hello["layout"]);
  EXPECT_EQ(frame.t, 0);
  EXPECT_EQ(frame.flags & 4U, 4U);
}

TEST(View, AnInputOfOnePageIsSeenByTheOther) {
  const Running r;
  SocketClient one = r.page(), other = r.page();
  (void)other.read_type("hello");
  one.send_json({{"type", "input"}, {"name", "hoist"}, {"value", -5}});
  for (;;) {
    const json inputs = other.read_type("status")["inputs"];
    if (inputs[0]["setting"] == -1) break;  // clamped
  }
  (void)step(one, 400, 0);
  one.send_json(
      {{"type", "subscribe"}, {"id", 7}, {"channels", {"load.position.z", "rope.tension@start"}}});
  EXPECT_EQ(one.read_type("subscribed")["columns"][1]["unit"], "N");
  FrameView plotted;
  do plotted = frame_of(one.read_binary());
  while (plotted.subscription != 7);
  const float z = plotted.values[plotted.values.size() - 2];
  EXPECT_NEAR(z, 4 + 1.9, 0.02);  // 1 m/s upwards for 2 s less the delay of its smoothing
  one.send_json({{"type", "input"}, {"name", "hoost"}, {"value", 1}});
  EXPECT_NE(one.read_type("refused")["message"].get<std::string>().find("Did you mean 'hoist'"),
            std::string::npos);
}

TEST(View, PullsCutsAndReplays) {
  Running r;
  SocketClient page = r.page();
  double t = step(page, 4, 0).t;
  page.send_json({{"type", "pull"}, {"body", "load"}, {"at", {0, 0, 0.5}}, {"target", {3, 0, 5}}});
  const FrameView pulled = step(page, 100, t);
  EXPECT_EQ(pulled.flags & 2U, 2U);
  const size_t end = pulled.values.size();
  const Eigen::Vector3f force(pulled.values.data() + end - 3);
  EXPECT_GT(force.norm(), 10);  // on the load
  t = pulled.t;
  page.send_json({{"type", "release"}});
  t = step(page, 2, t).t;
  page.send_json({{"type", "cut"}, {"cable", "rope"}, {"s", 2.0}});
  const json hello = page.read_type("hello");
  EXPECT_EQ(hello["reason"], "cut");
  EXPECT_EQ(hello["cables"][0]["can_cut"], false);
  page.send_json({{"type", "cut"}, {"cable", "rope"}, {"s", 2.0}});
  EXPECT_EQ(page.read_type("refused")["request"], "cut");
  page.send_json({{"type", "subscribe"}, {"id", 1}, {"channels", {"load.position"}}});
  (void)page.read_type("subscribed");
  FrameView last = step(page, 50, t);
  page.send_json({{"type", "pause"}});  // a status may go out before the frame, but follows this
  const std::string log = page.read_type("status")["log"];
  RunOptions options;
  options.replay = read_settings(log);
  bool compared = false;
  options.remesh = [&](const Model& model, const State& state) {
    if (state.t == last.t) {
      compared = true;
      Channels channels(model, {"load.position"});
      std::vector<double> values(3);
      channels.sample(state, values);
      for (size_t k = 0; k < 3; ++k)
        EXPECT_EQ(static_cast<float>(values[k]), last.values[last.values.size() - 3 + k]);
    }
    return std::optional<Mesh>();
  };
  const RunReport report =
      run(read_scene(r.folder / "crane.yaml", {"hand=true", "solve.until=1 s"}), options);
  EXPECT_EQ(report.end, RunEnd::finished) << report.failure;
  EXPECT_TRUE(compared);
}

TEST(View, ReloadsWhatIsSavedAndTellsOfErrors) {
  Running r;
  SocketClient page = r.page();
  (void)page.read_type("hello");
  std::string text = hoist;
  text.replace(text.find("mass: 100 kg"), 12, "mass: 100 tt");
  write_whole_file(r.folder / "crane.yaml", text);
  const json problem = page.read_type("problem")["problems"][0];
  EXPECT_EQ(problem["line"], 7);
  EXPECT_NE(problem["source"].get<std::string>().find("100 tt"), std::string::npos);
  EXPECT_NE(problem["message"].get<std::string>().find("bodies.load.mass"), std::string::npos);
  SocketClient late = r.page();  // is told, too
  EXPECT_EQ(late.read_type("problem")["problems"].size(), 1U);
  EXPECT_NEAR(step(page, 3, 0).t, 0.015, 1e-12);  // the last good version goes on
  text.replace(text.find("mass: 100 tt"), 12, "mass: 200 kg");
  write_whole_file(r.folder / "crane.yaml", text);
  const json hello = page.read_type("hello");
  EXPECT_EQ(hello["reason"], "reload");
  EXPECT_EQ(hello["bodies"][0]["mass"], 200);
  EXPECT_EQ(page.read_type("problem")["problems"].size(), 0U);
}

TEST(View, EditsAValueInPlace) {
  Running r;
  SocketClient page = r.page();
  const json fields = page.read_type("hello")["fields"];
  EXPECT_NE(std::find(fields.begin(), fields.end(),
                      json({{"path", "bodies.load.mass"}, {"value", "100 kg"}, {"line", 7}})),
            fields.end());
  page.send_json({{"type", "edit"}, {"path", "bodies.load.mass"}, {"value", "0.3 t"}});
  EXPECT_EQ(page.read_type("edited")["path"], "bodies.load.mass");
  EXPECT_EQ(page.read_type("hello")["bodies"][0]["mass"], 300);
  std::string text = hoist;
  text.replace(text.find("100 kg"), 6, "0.3 t");
  EXPECT_EQ(read_text(r.folder / "crane.yaml"), text);
  page.send_json({{"type", "edit"}, {"path", "bodies.load.mas"}, {"value", "1 t"}});
  EXPECT_EQ(page.read_type("refused")["request"], "edit");
  page.send_json({{"type", "edit"}, {"path", "bodies.load.mass"}, {"value", "1 t\nx: 1"}});
  EXPECT_EQ(page.read_type("refused")["request"], "edit");
}

TEST(View, SurvivesAPageThatDoesNotReadAndOneThatTalksNonsense) {
  const Running r(false);
  SocketClient slow(r.port, 4096);
  EXPECT_EQ(slow.upgrade("/live?token=" + r.token, r.host, "http://" + r.host), 101);
  SocketClient page = r.page();
  for (int i = 0; i < 200; ++i) page.send_frame(i % 2 == 0 ? "nonsense" : "{\"type\":[]}");
  EXPECT_EQ(page.read_type("refused")["request"], "?");
  const double from = frame_of(page.read_binary()).t;
  double now = from;
  while (now < from + 0.5) now = frame_of(page.read_binary()).t;  // time passes all the same
}

TEST(View, SendsNoMoreThanTwoFramesThatAPageHasNotSeen) {
  const Running r(false);
  SocketClient quick = r.page(), slow = r.page();
  slow.acknowledges = false;
  const auto wait_until = [&](double t) {
    while (frame_of(quick.read_binary()).t < t) {
    }
  };
  wait_until(0.5);  // dozens of frames
  slow.send_json({{"type", "subscribe"}, {"id", 9}, {"channels", {"load.position.z"}}});
  std::vector<std::string> frames;  // all that came before the answer
  for (;;) {
    const auto frame = slow.read_frame();
    ASSERT_TRUE(frame);
    if (frame->opcode == 2) frames.push_back(frame->payload);
    if (frame->opcode == 1 && json::parse(frame->payload)["type"] == "subscribed") break;
  }
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_LT(frame_of(frames[1]).t, 0.5);
  wait_until(frame_of(quick.read_binary()).t + 0.2);
  const double now = frame_of(quick.read_binary()).t;
  slow.acknowledge(frames[1]);  // and all before it
  const FrameView next = frame_of(slow.read_binary());
  EXPECT_GE(next.t, now);  // the newest, not the next
  EXPECT_EQ(next.subscription, 9U);
  EXPECT_GT(next.number, frame_of(frames[1]).number + 1);
}

TEST(FrameClock, DoesNotDriftAndMakesUpForNothing) {
  FrameClock clock;
  clock.set_interval(0.25);
  clock.made(100);
  EXPECT_DOUBLE_EQ(clock.next(), 100.25);
  int frames = 0;
  for (int i = 0; i < 100; ++i) {  // looks at the clock every tenth of a second: often late
    const double wall = 100 + i / 10.0;
    if (!clock.due(wall)) continue;
    clock.made(wall);
    ++frames;
  }
  EXPECT_EQ(frames, 39);
  clock.made(120);
  EXPECT_DOUBLE_EQ(clock.next(), 120.25);
  EXPECT_FALSE(clock.due(120.2));
}

TEST(Pacer, KeepsTimeAndSaysWhenItCannot) {
  Pacer pacer;
  pacer.start(100, 2, 0.5);
  EXPECT_DOUBLE_EQ(pacer.due(104), 4);
  EXPECT_DOUBLE_EQ(pacer.wall_of(4), 104);
  pacer.reached(101, 2.5);
  EXPECT_DOUBLE_EQ(pacer.factor(), 0.5);
  EXPECT_TRUE(pacer.keeps_up());
  pacer.reached(103, 2.75);  // a second and a half too late
  EXPECT_FALSE(pacer.keeps_up());
  EXPECT_DOUBLE_EQ(pacer.factor(), 0.125);
  EXPECT_DOUBLE_EQ(pacer.due(103), 2.75);  // what was missed is not made up for
  pacer.reached(104, 3.25);
  EXPECT_TRUE(pacer.keeps_up());
}

}  // namespace
}  // namespace hawser::HAWSER_FILE

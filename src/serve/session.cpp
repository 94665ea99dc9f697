#include "serve/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

#include "base/clock.h"
#include "scene/edit.h"

namespace hawser {
namespace {

constexpr double frame_every = 1.0 / 60, status_every = 0.25, watch_every = 0.3;  // [s]
constexpr double most_bytes_a_second = 25e6;  ///< of frames to a page
constexpr size_t most_events = 256;           ///< taken before the next step
constexpr size_t most_waiting = 16 << 20;     ///< from all pages [bytes]; what is beyond is lost

std::string whole_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace

Session::Session(std::string path, const ViewOptions& options)
    : path_(std::move(path)), options_(options), paused_(options.paused) {
  text_ = whole_text(path_);
  begin(std::make_unique<LiveRun>(read(), options_.directory), "open");
  watch_files(&run_->file());
}

SceneFile Session::read() const {
  std::vector<std::string> sets = options_.sets;
  sets.emplace_back("hand=true");
  return read_scene(path_, sets);
}

void Session::watch_files(const SceneFile* file) {
  std::set<std::string> files{path_};
  if (file != nullptr)
    for (const auto& [part, source] : file->sources)
      if (source.file != "--set") files.insert(source.file);
  watch_.watch(files);
}

// --- what happens ---

void Session::opened(int page) { push({Event::Kind::opened, page, {}}); }
void Session::received(int page, std::string text) {
  push({Event::Kind::received, page, std::move(text)});
}
void Session::closed(int page) { push({Event::Kind::closed, page, {}}); }

void Session::push(Event event) {
  {
    const std::lock_guard lock(mutex_);
    if (event.kind == Event::Kind::received && waiting_ + event.text.size() > most_waiting) return;
    waiting_ += event.text.size();
    events_.push_back(std::move(event));
  }
  wake_.notify_one();
}

void Session::take_events() {
  for (size_t taken = 0; taken < most_events; ++taken) {
    Event event{Event::Kind::closed, 0, {}};
    {
      const std::lock_guard lock(mutex_);
      if (events_.empty()) break;
      event = std::move(events_.front());
      events_.pop_front();
      waiting_ -= event.text.size();
    }
    handle(event);
  }
  run_->flush();
}

void Session::handle(const Event& event) {
  if (event.kind == Event::Kind::closed) {
    pages_.erase(event.page);
    new_status_ = true;
  } else if (event.kind == Event::Kind::opened) {
    pages_[event.page];
    if (open_hello_.empty()) open_hello_ = hello("open");
    send(event.page, open_hello_);
    send(event.page, status());
    if (!problems_.empty()) send(event.page, problem_text(problems_, path_));
    new_status_ = true;
  } else if (pages_.contains(event.page)) {
    std::string name = "?";
    try {
      const PageRequest request = read_request(event.text);
      name = request.name;
      handle(event.page, request);
    } catch (const Error& error) {
      send(event.page, refused_text(name, error.what()));
    }
  }
}

void Session::handle(int page, const PageRequest& request) {
  if (request.kind == PageRequest::Kind::seen) {
    std::deque<uint32_t>& unseen = pages_[page].unseen;
    while (!unseen.empty() && unseen.front() <= request.id) unseen.pop_front();
    return;
  }
  new_status_ = true;
  if (request.kind == PageRequest::Kind::subscribe) return subscribe(page, request);
  act(request);
  renew_frames();
}

void Session::act(const PageRequest& request) {
  using Kind = PageRequest::Kind;
  switch (request.kind) {
    case Kind::play:
    case Kind::pause:
      paused_ = request.kind == Kind::pause;
      break;
    case Kind::step:
      return take_steps(request.steps);
    case Kind::reset:
      return reset();
    case Kind::speed:
      speed_ = std::clamp(request.value, 0.1, 10.0);
      break;
    case Kind::input:
      run_->set(request.subject, request.value);
      return;
    case Kind::pull:
      return run_->pull(request.pull);
    case Kind::release:
      return run_->release();
    case Kind::cut:
      run_->cut(request.subject, request.value);
      return change_layout("cut");
    case Kind::edit:
      return edit(request);
    case Kind::subscribe:
    case Kind::seen:
      return;
  }
  pacer_.start(wall_seconds(), run_->state().t, speed_);
}

void Session::take_steps(long steps) {
  paused_ = true;
  for (long i = 0; i < steps && run_->step();) ++i;
  follow_mesh();
}

/// Cable that flows has other elements after a while.
void Session::follow_mesh() {
  if (run_->mesh_changes() != mesh_changes_) change_layout("mesh");
}

void Session::subscribe(int page, const PageRequest& request) {
  Page& to = pages_[page];
  Channels channels(run_->model(), request.channels);
  to.values.assign(channels.columns().size(), 0);
  send(page, subscribed_text(request.id, channels.columns()));
  to.channels = std::move(channels);
  to.names = request.channels;
  to.subscription = request.id;
  to.wants_frame = true;
}

void Session::edit(const PageRequest& request) {
  const std::string text = edit_scene(whole_text(path_), request.subject, request.text);
  write_whole_file(path_, text);
  tell_all(edited_text(request.subject, request.text));
  reload();
}

// --- the run ---

void Session::begin(std::unique_ptr<LiveRun> run, const char* reason) {
  run_ = std::move(run);
  change_layout(reason);
}

/// Pages learn what is in the frames from now on.
void Session::change_layout(const char* reason) {
  frames_ = std::make_unique<FrameMaker>(*run_);
  mesh_changes_ = run_->mesh_changes();
  const size_t bytes = frames_->frame(*run_, {}).size();
  frame_clock_.set_interval(
      std::max(frame_every, static_cast<double>(bytes) / most_bytes_a_second));
  ++layout_;
  open_hello_.clear();
  new_status_ = true;
  renew_frames();
  pacer_.start(wall_seconds(), run_->state().t, speed_);
  if (!pages_.empty()) tell_all(hello(reason));
  for (auto& [number, page] : pages_) {
    page.jumps = true;
    if (!page.channels) continue;
    try {
      page.channels = Channels(run_->model(), page.names);
      page.values.assign(page.channels->columns().size(), 0);
    } catch (const Error& error) {
      page.channels.reset();
      page.subscription = 0;
      send(number, refused_text("subscribe", error.what()));
    }
  }
}

void Session::reset() {
  begin(std::make_unique<LiveRun>(run_->file(), options_.directory), "reset");
}

void Session::reload() {
  const std::string text = whole_text(path_);
  try {
    const SceneFile file = read();
    auto next = std::make_unique<LiveRun>(file, options_.directory);
    text_ = text;
    begin(std::move(next), "reload");
    watch_files(&file);
    if (!problems_.empty()) tell_all(problem_text({}, path_));
    problems_.clear();
  } catch (const Error& error) {
    problems_ = problems_of(error);
    watch_files(&run_->file());
    tell_all(problem_text(problems_, path_));
  }
}

/// Takes the steps that are due, until the next frame is.
void Session::pace() {
  const double wall = wall_seconds();
  advance(pacer_.due(wall));
  pacer_.reached(wall_seconds(), run_->state().t);
}

void Session::advance(double until) {
  const double h = run_->file().solve.step, start = wall_seconds();
  double now = start;
  long steps = 0;
  while (run_->state().t + h <= until && run_->step()) {
    ++steps;
    now = wall_seconds();
    if (frame_clock_.due(now)) break;
  }
  if (steps == 0) return;
  follow_mesh();
  renew_frames();
  const double each = (now - start) / static_cast<double>(steps);
  step_time_ = step_time_ > 0 ? 0.9 * step_time_ + 0.1 * each : each;
}

// --- what pages are told ---

void Session::send(int page, std::string text) {
  if (server_ != nullptr)
    server_->send_text(page, std::make_shared<const std::string>(std::move(text)));
}

void Session::tell_all(const std::string& text) {
  const auto shared = std::make_shared<const std::string>(text);
  for (const auto& [number, page] : pages_)
    if (server_ != nullptr) server_->send_text(number, shared);
}

std::string Session::hello(const char* reason) const {
  const bool editable = access(path_.c_str(), W_OK) == 0;
  return hello_text(*run_, *frames_, {layout_, reason, text_, editable});
}

std::string Session::status() const {
  const bool runs = !paused_ && run_->failure().empty();
  return status_text(
      *run_, *frames_,
      {paused_, speed_, runs ? pacer_.factor() : 0, step_time_, pacer_.keeps_up(), pages_.size()});
}

void Session::renew_frames() {
  for (auto& [number, page] : pages_) page.wants_frame = true;
}

bool Session::some_page_takes_a_frame() const {
  return std::any_of(pages_.begin(), pages_.end(),
                     [](const auto& entry) { return entry.second.takes_frame(); });
}

void Session::publish_frame() {
  frames_->look(*run_);
  const std::string frame = frames_->frame(*run_, {layout_, ++frame_, paused_});
  for (auto& [number, page] : pages_) {
    if (!page.takes_frame()) continue;
    if (page.channels) page.channels->sample(run_->state(), page.values);
    server_->send_frame(number, std::make_shared<const std::string>(addressed(
                                    frame, std::exchange(page.jumps, false), page.subscription,
                                    page.channels ? page.values : std::vector<double>())));
    page.unseen.push_back(frame_);
    page.wants_frame = false;
  }
}

void Session::publish(double wall) {
  if (pages_.empty()) return;
  if (frame_clock_.due(wall) && some_page_takes_a_frame()) {
    publish_frame();
    frame_clock_.made(wall);
  }
  const bool passes = !paused_ && run_->failure().empty();
  if (wall >= next_status_ && (new_status_ || passes)) {
    tell_all(status());
    new_status_ = false;
    next_status_ = wall + (passes ? status_every : 0.05);
  }
}

void Session::wait(double until) {
  std::unique_lock lock(mutex_);
  if (!events_.empty()) return;
  const double left = until - wall_seconds();
  if (left > 0) wake_.wait_for(lock, std::chrono::duration<double>(left));
}

void Session::run(Server& server, const std::function<bool()>& stop) {
  server_ = &server;
  pacer_.start(wall_seconds(), run_->state().t, speed_);
  while (!stop()) {
    take_events();
    const bool runs = !paused_ && run_->failure().empty();
    if (runs) {
      pace();
      if (!run_->failure().empty()) new_status_ = true;
    }
    const double wall = wall_seconds();
    if (wall >= next_watch_) {
      if (watch_.changed()) reload();
      next_watch_ = wall + watch_every;
    }
    publish(wall);
    double next = wall + 0.05;
    if (runs) next = std::min(next, pacer_.wall_of(run_->state().t + run_->file().solve.step));
    if (some_page_takes_a_frame()) next = std::min(next, frame_clock_.next());
    wait(next);
  }
  server_ = nullptr;
}

}  // namespace hawser

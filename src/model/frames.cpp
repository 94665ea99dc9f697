#include "model/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/signals.h"

namespace hawser {
namespace {

int find_body(const Scene& scene, const std::string& name) {
  const auto at = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                               [&](const Body& b) { return b.name == name; });
  return at == scene.bodies.end() ? -1 : static_cast<int>(at - scene.bodies.begin());
}

}  // namespace

FrameRef find_frame(const Scene& scene, const std::string& name, const ErrorObject& who) {
  for (size_t i = 0; i < scene.supports.size(); ++i)
    if (scene.supports[i].name == name)
      return {-1, static_cast<int>(i), scene.supports[i].position};
  for (const Frame& f : scene.frames) {
    if (f.name != name) continue;
    const int body = find_body(scene, f.body);
    if (body < 0)
      throw Error(ErrorObject("frame", name), fmt::format("unknown body '{}'", f.body),
                  "a body of the scene", "Use a support for a point of the world.");
    return {body, -1, f.position};
  }
  if (const int body = find_body(scene, name); body >= 0) return {body, -1, Vec3::Zero()};
  std::vector<std::string> known;
  for (const Support& s : scene.supports) known.push_back(s.name);
  for (const Frame& f : scene.frames) known.push_back(f.name);
  for (const Body& b : scene.bodies) known.push_back(b.name);
  const std::string meant = nearest_name(name, known);
  throw Error(who, fmt::format("unknown frame '{}'", name),
              known.empty() ? "a frame, but the scene has neither supports nor bodies"
                            : fmt::format("one of {}", fmt::join(known, ", ")),
              meant.empty() ? "" : fmt::format("Did you mean '{}'?", meant));
}

FrameRef find_stop(const Scene& scene, const Stop& stop, const ErrorObject& who) {
  if (stop.kind == Stop::Kind::free) return {-1, -1, stop.point};
  return find_frame(scene, mount_of(scene, stop, who), who);
}

int find_winch(const Scene& scene, const std::string& name, const ErrorObject& who) {
  for (size_t i = 0; i < scene.winches.size(); ++i)
    if (scene.winches[i].name == name) return static_cast<int>(i);
  std::vector<std::string> known;
  for (const Winch& w : scene.winches) known.push_back(w.name);
  throw Error(who, fmt::format("unknown winch '{}'", name),
              known.empty() ? "a winch, but the scene has none"
                            : fmt::format("one of {}", fmt::join(known, ", ")));
}

const std::string& mount_of(const Scene& scene, const Stop& stop, const ErrorObject& who) {
  if (stop.kind != Stop::Kind::wind) return stop.on;
  return scene.winches[static_cast<size_t>(find_winch(scene, stop.on, who))].on;
}

Vec3 frame_start(const Scene& scene, const FrameRef& ref) {
  if (ref.body >= 0) {
    const Body& body = scene.bodies[static_cast<size_t>(ref.body)];
    return body.position + body.orientation.normalized() * ref.position;
  }
  Vec3 at = ref.position;
  if (ref.support >= 0)
    for (int k = 0; k < 3; ++k)
      at[k] += start_value(
          scene, scene.supports[static_cast<size_t>(ref.support)].motion[static_cast<size_t>(k)]);
  return at;
}

bool moves(const Support& support) {
  return std::any_of(support.motion.begin(), support.motion.end(),
                     [](const Signal& s) { return !s.is_constant(); });
}

bool turns(const Support& support) { return support.turn && !support.turn->angle.is_constant(); }

std::string Stop::text() const {
  return kind == Kind::free ? fmt::format("[{:g}, {:g}, {:g}]", point.x(), point.y(), point.z())
                            : on;
}

}  // namespace hawser

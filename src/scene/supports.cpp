#include "scene/supports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hawser {
namespace {

const Support* support_of(const Scene& scene, const std::string& name) {
  const auto at = std::find_if(scene.supports.begin(), scene.supports.end(),
                               [&](const Support& s) { return s.name == name; });
  return at == scene.supports.end() ? nullptr : &*at;
}

class MotionReader {
 public:
  MotionReader(ReadContext& context, Scene& scene) : c_(context) {
    for (Support& s : scene.supports) supports_[s.name].support = &s;
  }

  void take(const Named<MotionText>::Entry& m) {
    const std::string path = "motions." + m.name;
    if (!m.value.of.value || !supports_.contains(*m.value.of)) return;
    Moved& moved = supports_.at(*m.value.of);
    const Given<TimeFunction>* parts[] = {&m.value.x, &m.value.y, &m.value.z};
    for (int k = 0; k < 3; ++k)
      if (parts[k]->given) move(moved, k, *parts[k], path);
    if (m.value.turn.given) turn(*moved.support, m.value.turn, path);
    constexpr const char* fields[] = {".x", ".y", ".z", ".turn"};
    const bool any = std::any_of(std::begin(fields), std::end(fields), [&](const char* field) {
      return c_.places.contains(path + field);  // even one that could not be read
    });
    if (!any) c_.problems.add(m.at, path, "no motion", "x, y, z or turn");
  }

 private:
  struct Moved {
    Support* support = nullptr;
    bool along[3] = {};
  };

  void move(Moved& moved, int axis, const Given<TimeFunction>& part, const std::string& path) {
    if (moved.along[axis])
      c_.problems.add(part.at, path, "a second motion of the same support",
                      "at most one motion along each axis");
    const std::optional<Vec3>& slides = moved.support->slides;
    if (slides && std::abs((*slides)[axis]) > 1e-12)
      c_.problems.add(part.at, path, "a motion in a direction in which the support slides freely",
                      "a motion perpendicular to `slides`");
    moved.along[axis] = true;
    moved.support->motion[static_cast<size_t>(axis)] = part->signal;
  }

  void turn(Support& support, const Given<TurnText>& text, const std::string& path) {
    if (support.turn)
      c_.problems.add(text.at, path, "a second turn of the same support", "at most one");
    support.turn = Support::Turn{};
    if (text->axis.given) support.turn->axis = *text->axis;
    const Given<TimeFunction>& angle = text->angle;
    if (!angle.given) return;
    support.turn->angle = angle->signal;
    if (const double start = angle->signal.at(c_.start_of_run()).value; std::abs(start) > 1e-9)
      c_.problems.add(angle.at, path + ".turn.angle", fmt::format("{:g} rad at t = 0", start),
                      "0 at the start",
                      "The angle is measured from the initial direction of the route.");
  }

  ReadContext& c_;
  std::map<std::string, Moved> supports_;
};

}  // namespace

void add_supports(ReadContext& c, const SceneText& text, Scene& scene) {
  for (const auto& entry : text.supports.entries) {
    Support& s = scene.supports.emplace_back();
    s.name = entry.name;
    if (entry.value.position.value) s.position = *entry.value.position;
    if (entry.value.slides.value) s.slides = *entry.value.slides;
    if (entry.value.normal.value) s.normal = *entry.value.normal;
  }
  MotionReader motions(c, scene);
  for (const auto& m : text.motions.entries) motions.take(m);
}

void check_fixed(ReadContext& c, const Scene& scene, const std::string& name, UsedAt used) {
  const Support* support = support_of(scene, name);
  if (support && support->slides)
    c.problems.add(used.at, used.path, fmt::format("'{}', which slides freely", name),
                   "a support that is fixed in every direction",
                   "Use a body on a slider joint instead.");
}

void check_still(ReadContext& c, const Scene& scene, const std::string& name, UsedAt used) {
  check_fixed(c, scene, name, used);
  const Support* support = support_of(scene, name);
  if (support && support->turn)
    c.problems.add(used.at, used.path, fmt::format("'{}', which turns", name),
                   "a support without `turn`",
                   "`turn` acts on clamped ancf cables only. Use a hinge to rotate bodies.");
}

void check_turned(ReadContext& c, const Scene& scene, const Stop& stop, bool bends, UsedAt used) {
  const Support* support = support_of(scene, stop.on);
  if (!support || !support->turn || (stop.kind == Stop::Kind::clamp && bends)) return;
  c.problems.add(used.at, used.path, fmt::format("a cable that is free to rotate at '{}'", stop.on),
                 fmt::format("{{clamp: {}}} of an ancf cable, on which the `turn` of the motion "
                             "can act",
                             stop.on));
}

std::vector<std::string> idle_supports(const Scene& scene) {
  std::set<std::string> used;
  for (const Cable& cable : scene.cables)
    for (const Stop& stop : cable.route) {
      used.insert(stop.on);
      if (stop.along) used.insert(stop.along->on);
    }
  for (const Joint& joint : scene.joints) used.insert({joint.first, joint.second});
  for (const Winch& winch : scene.winches) used.insert(winch.on);
  for (const Contact& contact : scene.contacts)
    used.insert(contact.shapes.begin(), contact.shapes.end());
  std::vector<std::string> out;
  for (const Support& s : scene.supports)
    if (!used.contains(s.name)) out.push_back(s.name);
  return out;
}

}  // namespace hawser

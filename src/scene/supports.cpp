#include "scene/supports.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace hawser {
namespace {

/// n . (x, y, z)
Signal projected(const Vec3& n, const std::array<Signal, 3>& parts) {
  const auto sum = [n, parts](const Instant& now) {
    Signal::Sample out{0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      const Signal::Sample s = parts[static_cast<size_t>(k)].at(now);
      out.value += n[k] * s.value;
      out.rate += n[k] * s.rate;
      out.acceleration += n[k] * s.acceleration;
    }
    return out;
  };
  std::vector<double> kinks;
  std::vector<size_t> inputs;
  bool constant = true;
  for (const Signal& s : parts) {
    constant = constant && s.is_constant();
    kinks.insert(kinks.end(), s.kinks().begin(), s.kinks().end());
    inputs.insert(inputs.end(), s.inputs().begin(), s.inputs().end());
  }
  return constant ? Signal(sum({0, {}}).value) : Signal::of_inputs(sum, inputs, kinks);
}

}  // namespace

bool Supports::Motion::moves() const {
  return displacement[0] || displacement[1] || displacement[2];
}

Signal Supports::Motion::along(int axis) const {
  const double base = position[axis];
  if (!displacement[axis]) return base;
  const Signal& d = displacement[axis]->signal;
  if (d.is_constant()) return base + d.at({0, {}}).value;
  return Signal::of_inputs(
      [base, d](const Instant& now) {
        Signal::Sample s = d.at(now);
        s.value += base;
        return s;
      },
      d.inputs(), d.kinks());
}

Supports::Supports(ReadContext& context, const SceneText& text) : c_(context) {
  for (const auto& s : text.supports.entries) {
    Motion& m = supports_[s.name];
    if (s.value.position.value) m.position = *s.value.position;
    if (s.value.slides.value) m.slides = &*s.value.slides;
    m.index = held_.size();
    held_.push_back({s.name, {}, false});
  }
  for (const auto& m : text.motions.entries) take_motion(m);
}

void Supports::take_motion(const Named<MotionText>::Entry& m) {
  const std::string path = "motions." + m.name;
  if (!m.value.of.value || !supports_.contains(*m.value.of)) return;
  Motion& motion = supports_.at(*m.value.of);
  constexpr const char* fields[] = {".x", ".y", ".z", ".turn"};
  const Given<TimeFunction>* parts[] = {&m.value.x, &m.value.y, &m.value.z};
  for (int k = 0; k < 3; ++k) {
    if (!parts[k]->given) continue;
    if (motion.displacement[k])
      c_.problems.add(parts[k]->at, path, "a second motion of the same support",
                      "at most one motion along each axis");
    if (motion.slides && std::abs((*motion.slides)[k]) > 1e-12)
      c_.problems.add(parts[k]->at, path,
                      "a motion in a direction in which the support slides freely",
                      "a motion perpendicular to `slides`");
    motion.displacement[k] = &**parts[k];
  }
  if (m.value.turn.given) {
    if (motion.turn)
      c_.problems.add(m.value.turn.at, path, "a second turn of the same support", "at most one");
    motion.turn = &*m.value.turn;
    const Given<TimeFunction>& angle = m.value.turn->angle;
    const double start = angle.given ? angle->signal.at(c_.start_of_run()).value : 0;
    if (std::abs(start) > 1e-9)
      c_.problems.add(angle.at, path + ".turn.angle", fmt::format("{:g} rad at t = 0", start),
                      "0 at the start",
                      "The angle is measured from the initial direction of the route.");
  }
  const bool any = std::any_of(std::begin(fields), std::end(fields), [&](const char* field) {
    return c_.places.contains(path + field);  // even one that could not be read
  });
  if (!any) c_.problems.add(m.at, path, "no motion", "x, y, z or turn");
}

Vec3 Supports::start(const std::string& name) const {
  const Motion& m = supports_.at(name);
  const Instant start = c_.start_of_run();
  return {m.along(0).at(start).value, m.along(1).at(start).value, m.along(2).at(start).value};
}

bool Supports::is_idle(const Support& support) const {
  return support.places.empty() && !supports_.at(support.name).is_frame;
}

void Supports::add_frame(const std::string& name, const Mark& at, const std::string& path,
                         Scene& scene) {
  Motion& motion = supports_.at(name);
  if (motion.slides)
    c_.problems.add(at, path, fmt::format("'{}', which slides freely", name),
                    "a support that is fixed in every direction",
                    "Use a body on a slider joint instead.");
  if (motion.turn)
    c_.problems.add(at, path, fmt::format("'{}', which turns", name), "a support without `turn`",
                    "`turn` acts on clamped ancf cables only. Use a hinge to rotate bodies.");
  if (motion.is_frame) return;
  motion.is_frame = true;
  Frame frame;
  frame.name = name;
  frame.position = motion.position;
  for (size_t k = 0; k < 3; ++k)
    if (motion.displacement[k]) frame.motion[k] = motion.displacement[k]->signal;
  scene.frames.push_back(std::move(frame));
}

void Supports::attach(const Stop& stop, const Place& place, bool bends, Scene& scene) {
  const Motion& motion = supports_.at(stop.name);
  const bool clamp = stop.kind == Stop::Kind::clamp && bends;
  Support& named = held_[motion.index];
  named.places.push_back(place);
  named.holds_direction = named.holds_direction || clamp;
  if (motion.slides)
    slide(stop.name, place, motion, scene);
  else
    hold(place, motion, scene);
  if (motion.turn && !clamp)
    c_.problems.add(stop.at, "cables." + place.cable,
                    fmt::format("a cable that is free to rotate at '{}'", stop.name),
                    fmt::format("{{clamp: {}}} of an ancf cable, on which the `turn` of the motion "
                                "can act",
                                stop.name));
  if (!clamp) return;
  Clamp held{place, false};
  if (motion.turn) {
    held.axis = *motion.turn->axis;
    held.turn = motion.turn->angle->signal;
  }
  scene.clamps.push_back(held);
}

void Supports::hold(const Place& place, const Motion& motion, Scene& scene) {
  if (!motion.moves()) {
    scene.pins.push_back({place});
    return;
  }
  for (int k = 0; k < 3; ++k)
    scene.motions.push_back({place, static_cast<Coordinate>(k), motion.along(k)});
}

/// Held across a direction only: two coordinates, or two conditions n . r = n . position.
void Supports::slide(const std::string& name, const Place& place, const Motion& motion,
                     Scene& scene) {
  const Vec3& d = *motion.slides;
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(std::abs(d[axis]) - 1) < 1e-12) {
      for (int k = 0; k < 3; ++k)
        if (k != axis)
          scene.motions.push_back({place, static_cast<Coordinate>(k), motion.along(k)});
      return;
    }
  const Vec3 first = d.unitOrthogonal(), second = d.cross(first);
  int number = 0;
  for (const Vec3& n : {first, second}) {
    LinearCondition condition;
    condition.name = fmt::format("{} of {}, {}", name, place.cable, ++number);
    for (int k = 0; k < 3; ++k)
      condition.terms.push_back({place, static_cast<Coordinate>(k), n[k]});
    condition.value = projected(n, {motion.along(0), motion.along(1), motion.along(2)});
    scene.conditions.push_back(std::move(condition));
  }
}

}  // namespace hawser

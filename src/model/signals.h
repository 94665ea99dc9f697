// The functions of time and inputs of a scene: where they are and what they prescribe.
#pragma once

#include <vector>

#include "hawser/error.h"
#include "hawser/scene.h"

namespace hawser {

/// What a function of time prescribes. Positions must not jump; a jump of a rate or of its slip is
/// one of velocities; loads may jump.
enum class SignalUse { position, rate, slip, load };

/// Calls visit(SignalUse, signal, who) for all functions of time of a scene; who() is the
/// ErrorObject that a message about it names.
template <class AnyScene, class Visit>
void visit_signals(AnyScene& scene, const Visit& visit) {
  using enum SignalUse;
  const auto drive = [&](auto& d, const ErrorObject& owner) {
    visit(d.kind == Drive::Kind::velocity ? rate : position, d.value, [&] { return owner; });
    visit(slip, d.slip, [&] { return owner.at("slip"); });
  };
  for (auto& s : scene.supports) {
    for (auto& motion : s.motion)
      visit(position, motion, [&] { return ErrorObject("support", s.name).at("motion"); });
    if (s.turn)
      visit(position, s.turn->angle, [&] { return ErrorObject("support", s.name).at("turn"); });
  }
  for (auto& j : scene.joints) {
    drive(j.travel, ErrorObject("joint", j.name).at("travel"));
    drive(j.turn, ErrorObject("joint", j.name).at("turn"));
  }
  const auto on = [](const char* what, const std::string& cable) {
    return [what, &cable] { return ErrorObject("cable", cable, what + (" '" + cable + "'")); };
  };
  for (auto& c : scene.cables) {
    visit(position, c.payout, [&] { return ErrorObject("cable", c.name).at("payout"); });
    drive(c.drive, ErrorObject("cable", c.name).at("speed"));
    if (c.tension)
      visit(load, *c.tension, [&] { return ErrorObject("cable", c.name).at("tension"); });
  }
  for (auto& w : scene.winches) {
    visit(w.motor.kind == Motor::Kind::rate ? rate : load, w.motor.value,
          [&] { return ErrorObject("winch", w.name).at("motor"); });
    if (w.brake) visit(rate, w.brake->on, [&] { return ErrorObject("winch", w.name).at("brake"); });
  }
  for (auto& c : scene.conditions)
    visit(position, c.value, [&] { return ErrorObject("condition", c.name); });
  for (auto& f : scene.body_forces)
    visit(load, f.strength, [&] { return ErrorObject("force on '" + f.frame + "'"); });
  for (auto& f : scene.point_forces) visit(load, f.strength, on("force on", f.at.cable));
  for (auto& f : scene.distributed_forces) visit(load, f.strength, on("force on", f.cable));
  for (auto& m : scene.moments) visit(load, m.strength, on("moment on", m.at.cable));
}

/// The inputs of a scene with their initial values.
std::vector<InputMotion> initial_inputs(const Scene& scene);

/// A function of time at t = 0 with these inputs.
double start_value(const Scene& scene, const Signal& signal);

}  // namespace hawser

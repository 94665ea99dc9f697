#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "elements/winding.h"
#include "hawser/error.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/validate.h"

namespace hawser {
namespace {

void validate_drum(const ErrorObject& who, const Drum& drum) {
  require_positive(who.at("radius"), drum.radius, "m");
  require_not_negative(who.at("cable"), drum.cable, "m");
  require_not_negative(who.at("pitch"), drum.pitch, "m");
  if (drum.layers < 1 || drum.layers > 1000)
    throw Error(who.at("layers"), std::to_string(drum.layers), "1 to 1000");
  if (std::isinf(drum.width) && drum.width > 0) {
    if (drum.layers > 1)
      throw Error(who, fmt::format("{} layers without a width", drum.layers),
                  "the width between the flanges, at which a layer ends");
    return;
  }
  require_positive(who.at("width"), drum.width, "m");
  const double pitch = drum.pitch > 0 ? drum.pitch : drum.cable;
  if (!(pitch > 0))
    throw Error(who, "a width, but neither a pitch nor the diameter of the cable", "one of them");
  if (!(drum.width >= pitch))
    throw Error(who.at("width"), fmt::format("{:g} m", drum.width),
                fmt::format("at least the pitch of {:g} m: one turn", pitch));
  if (drum.layers > 1 && !(drum.cable > 0))
    throw Error(who, fmt::format("{} layers without the diameter of the cable", drum.layers),
                "the diameter, by which layers rise");
}

void validate_wound(const ErrorObject& who, const Winch& winch) {
  const Winding winding(winch.drum);
  const double turn = 2 * std::numbers::pi, start = winding.angle(winch.wound);
  require_not_negative(who.at("turns_kept"), winch.turns_kept, "");
  if (!(start <= winding.capacity() * (1 + 1e-12)))
    throw Error(who.at("wound"), fmt::format("{:g} m", winch.wound),
                fmt::format("at most {:.6g} m, the capacity of the drum",
                            winding.length(winding.capacity())),
                "Use more layers or a wider drum.");
  if (!(start >= turn * winch.turns_kept * (1 - 1e-12)))
    throw Error(who.at("wound"), fmt::format("{:g} m, {:.4g} turns", winch.wound, start / turn),
                fmt::format("at least the {:g} turns that are kept, {:.6g} m", winch.turns_kept,
                            winding.length(turn * winch.turns_kept)));
}

void validate_motor(const ErrorObject& who, const Motor& motor) {
  require_sound(who, motor.value);
  if (!(motor.most_torque > 0))
    throw Error(who.at("most_torque"), fmt::format("{:g} N m", motor.most_torque),
                "a torque above zero");
  if (motor.kind != Motor::Kind::curve) return;
  if (motor.curve.size() < 2)
    throw Error(who.at("curve"), fmt::format("{} points", motor.curve.size()), "two or more");
  for (size_t i = 0; i < motor.curve.size(); ++i) {
    const Motor::Point& point = motor.curve[i];
    if (!std::isfinite(point.rate) || !std::isfinite(point.torque))
      throw Error(who.at("curve"), "a number that is not finite", "finite rates and torques");
    if (i > 0 && !(point.rate > motor.curve[i - 1].rate))
      throw Error(who.at("curve"),
                  fmt::format("{:g} rad/s after {:g} rad/s", point.rate, motor.curve[i - 1].rate),
                  "increasing turn rates");
  }
}

void validate_brake(const ErrorObject& who, const Brake& brake) {
  if (!(brake.torque >= 0))
    throw Error(who.at("torque"), fmt::format("{:g} N m", brake.torque), "zero or more");
  require_sound(who.at("on"), brake.on);
  require_not_negative(who.at("delay"), brake.delay, "s");
  require_not_negative(who.at("release_delay"), brake.release_delay, "s");
}

/// A body contains the drum.
void validate_mount(const ErrorObject& who, const Scene& scene, const Winch& winch, double mass) {
  require_still(scene, winch.on, who);
  const FrameRef frame = find_frame(scene, winch.on, who);
  if (frame.body < 0) return;
  const Body& body = scene.bodies[static_cast<size_t>(frame.body)];
  const Vec3 axis = body.orientation.normalized().conjugate() * winch.axis.normalized();
  const Winding winding(winch.drum);
  const double full = std::isfinite(winding.capacity()) ? winding.capacity() : 0;
  const double wound = std::max(winding.angle(winch.wound), full);
  const double drum = winch.inertia + mass * winding.at(wound).inertia,
               whole = axis.dot(body.inertia * axis);
  if (!(whole > drum))
    throw Error(who.at("inertia"),
                fmt::format("{:.6g} kg m^2 with the cable on a full drum, on body '{}', which has "
                            "{:.6g} kg m^2 about that axis",
                            drum, body.name, whole),
                "less than that of the body, which contains the drum",
                "Add the mass and the inertia of the drum to those of the body.");
}

}  // namespace

void validate_winches(const Scene& scene) {
  for (const Winch& winch : scene.winches) {
    const ErrorObject who("winch", winch.name);
    require_finite(who.at("axis"), winch.axis);
    if (!(winch.axis.norm() > 0)) throw Error(who.at("axis"), "no axis", "a vector other than 0");
    validate_drum(who.at("drum"), winch.drum);
    require_positive(who.at("inertia"), winch.inertia, "kg m^2");
    require_not_negative(who.at("wound"), winch.wound, "m");
    validate_wound(who, winch);
    validate_motor(who.at("motor"), winch.motor);
    if (winch.brake) validate_brake(who.at("brake"), *winch.brake);
    int cables = 0;
    double mass = 0;
    for (const Cable& c : scene.cables)
      for (const Stop& stop : c.route)
        if (stop.kind == Stop::Kind::wind && stop.on == winch.name) {
          ++cables;
          mass = (&stop == &c.route.front() ? c.sections.front() : c.sections.back()).mass;
        }
    if (cables != 1)
      throw Error(who, cables == 0 ? "a winch without a cable" : "a winch of several cables",
                  "one cable whose route starts or ends at it");
    validate_mount(who, scene, winch, mass);
  }
}

}  // namespace hawser

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hawser/error.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/sections.h"
#include "model/signals.h"
#include "model/validate.h"

namespace hawser {
namespace {

void validate_stop(const ErrorObject& who, const Scene& scene, const Stop& c, bool end) {
  if (c.kind == Stop::Kind::free && end)
    throw Error(who, "a point at an end of a massless cable",
                "a support, a body or a frame of a body", "A point does not hold the cable.");
  if (c.kind == Stop::Kind::clamp && !end)
    throw Error(who, "a clamp between the ends of a massless cable",
                fmt::format("{}, over which it slides", c.on), "To hold it there, use two cables.");
  if (c.kind == Stop::Kind::wind) {
    if (!end)
      throw Error(who, fmt::format("winch '{}' between the ends of a cable", c.on),
                  "a winch at an end: the cable is wound on its drum");
    find_winch(scene, c.on, who);
  }
  if (c.along)
    throw Error(who.at("along"), "a massless cable that lies on a plane", "the model ancf");
  if (c.kind == Stop::Kind::free) require_finite(who, c.point);
  require_still(scene, mount_of(scene, c, who), who);
  require_not_negative(who.at("radius"), c.radius, "m");
  require_not_negative(who.at("friction"), c.friction, "");
  require_finite(who.at("axis"), c.axis);
  if (c.radius > 0 && end)
    throw Error(who, fmt::format("a pulley of {:g} m at an end", c.radius), "a point, radius 0",
                "Use a winch to wind the cable on a drum, or end it at a point.");
  if (c.inertia > 0)
    throw Error(who.at("inertia"), "the `inertia` of a pulley under a massless cable",
                "a body for the pulley",
                "Put a body on a hinge, and let the cable `grip` it: {over: BODY, grip: true}.");
  if (c.bearing_torque > 0)
    throw Error(who.at("bearing torque"), "the `bearing_torque` of a pulley under a massless cable",
                "a cable with elements: ancf or np-fem",
                "A massless cable slides over its pulleys without friction in their bearings.");
  if (c.kind != Stop::Kind::over && (c.radius > 0 || c.friction > 0 || c.grip))
    throw Error(who, "a radius, friction or grip where the cable is held", "a stop `over`");
  if (c.radius > 0 && !(c.axis.norm() > 0))
    throw Error(who, "a pulley without an axis",
                "the axis about which the cable wraps by the right-hand rule",
                "The opposite axis routes the cable over the other side.");
}

/// The shortest straight way between two grooves: the tangent that crosses between them.
double shortest_span(double distance, double radius_a, double radius_b) {
  const double radii = radius_a + radius_b;
  return std::sqrt(std::max(0.0, distance * distance - radii * radii));
}

/// The shortest that the route can be, arcs on pulleys not counted [m].
double shortest_route(const Scene& scene, const Cable& cable) {
  double route = 0;
  Vec3 before = Vec3::Zero();
  for (size_t k = 0; k < cable.route.size(); ++k) {
    const Stop& c = cable.route[k];
    const ErrorObject who =
        ErrorObject("cable", cable.name).at(fmt::format("route point {}", k + 1));
    const Vec3 here = frame_start(scene, find_stop(scene, c, who));
    if (k > 0) {
      const Stop& last = cable.route[k - 1];
      const double gap = (here - before).norm();
      if (!(gap > 1e-9 * (here.norm() + before.norm())))
        throw Error(
            ErrorObject("cable", cable.name).at(fmt::format("route points {} and {}", k, k + 1)),
            fmt::format("'{}' and '{}' at the same position", last.text(), c.text()),
            "two different positions");
      route += shortest_span(gap, last.radius, c.radius);
    }
    before = here;
  }
  return route;
}

void validate_length(const Scene& scene, const ErrorObject& who, const Cable& cable, double route) {
  if (stated_length(cable) == 0) return;  // that of the route
  constexpr double largest_strain = 0.2;
  const double paid = start_value(scene, cable.payout), stated = stated_length(cable),
               length = stated + paid;
  if (!(length > 0))
    throw Error(
        who.at("payout"),
        fmt::format("{:g} m at t = 0 with a length of {:g} m: no cable is left", paid, stated),
        fmt::format("more than {:g} m", -stated), "Start it at 0 m.");
  if (route > (1 + largest_strain) * length)
    throw Error(who.at("length"),
                fmt::format("{:g} m on a route of {:g} m, which is too short", length, route),
                fmt::format("at least {:.6g} m, {:g} % strain", route / (1 + largest_strain),
                            100 * largest_strain),
                "Increase it, or remove it to use the length of the route.");
}

}  // namespace

void validate_massless(const Scene& scene, const Cable& cable) {
  const ErrorObject who("cable", cable.name);
  const size_t count = cable.route.size();
  if (count < 2)
    throw Error(who.at("route"), fmt::format("{} stops", count), "two or more, including the ends");
  for (size_t k = 0; k < count; ++k)
    validate_stop(who.at(fmt::format("route point {}", k + 1)), scene, cable.route[k],
                  k == 0 || k + 1 == count);
  require_sound(who.at("payout"), cable.payout);
  validate_drive(scene, who.at("drive"), cable.drive, "m/s/N");
  if (cable.drive.kind == Drive::Kind::position)
    throw Error(who.at("drive"), "a position", "a velocity: the rate of its length",
                "Use `payout` to prescribe the length itself.");
  validate_length(scene, who, cable, shortest_route(scene, cable));
  const bool parts = std::any_of(cable.route.begin(), cable.route.end(),
                                 [](const Stop& s) { return s.friction > 0 || s.grip; });
  const auto winds = [](const Stop& s) { return s.kind == Stop::Kind::wind; };
  if (std::any_of(cable.route.begin(), cable.route.end(), winds) &&
      (!cable.payout.is(0) || cable.drive.kind != Drive::Kind::none))
    throw Error(who, "`payout` or `speed` on a cable that a winch pays out", "one of them",
                "Drive the motor of the winch.");
  if (winds(cable.route.back()) && cable.sections.size() > 1)
    throw Error(who.at("sections"),
                fmt::format("{} sections on a cable that ends on a winch", cable.sections.size()),
                "one section, or a route that starts at the winch");
  if (parts && cable.sections.size() > 1)
    throw Error(who.at("sections"),
                fmt::format("{} sections on a route with friction or grip", cable.sections.size()),
                "one section: parts of the cable pass from one run to the next",
                "Use a cable for each section, or a route without friction.");
}

}  // namespace hawser

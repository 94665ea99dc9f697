#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hawser/error.h"
#include "model/frames.h"
#include "model/model_data.h"
#include "model/signals.h"
#include "model/validate.h"

namespace hawser {
namespace {

void validate_contact(const ErrorObject& who, const Contact& c, bool end) {
  require_not_negative(who.at("radius"), c.radius, "m");
  require_not_negative(who.at("friction"), c.friction, "");
  require_finite(who.at("axis"), c.axis);
  if (c.radius > 0 && end)
    throw Error(who, fmt::format("a pulley of {:g} m at an end", c.radius), "a point, radius 0",
                "Drums are not supported: end the cable at a point and change its length by "
                "payout or speed.");
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
  for (size_t k = 0; k < cable.contacts.size(); ++k) {
    const Contact& c = cable.contacts[k];
    const ErrorObject who =
        ErrorObject("cable", cable.name).at(fmt::format("route point {}", k + 1));
    const Vec3 here = frame_start(scene, find_frame(scene, c.frame, who));
    if (k > 0) {
      const Contact& last = cable.contacts[k - 1];
      const double gap = (here - before).norm();
      if (!(gap > 1e-9 * (here.norm() + before.norm())))
        throw Error(
            ErrorObject("cable", cable.name).at(fmt::format("route points {} and {}", k, k + 1)),
            fmt::format("'{}' and '{}' at the same position", last.frame, c.frame),
            "two different positions");
      route += shortest_span(gap, last.radius, c.radius);
    }
    before = here;
  }
  return route;
}

void validate_length(const Scene& scene, const ErrorObject& who, const Cable& cable, double route) {
  if (cable.length == 0) return;  // that of the route
  constexpr double largest_strain = 0.2;
  const double paid = start_value(scene, cable.payout), length = cable.length + paid;
  if (!(length > 0))
    throw Error(who.at("payout"),
                fmt::format("{:g} m at t = 0 with a length of {:g} m: no cable is left", paid,
                            cable.length),
                fmt::format("more than {:g} m", -cable.length), "Start it at 0 m.");
  if (route > (1 + largest_strain) * length)
    throw Error(who.at("length"),
                fmt::format("{:g} m on a route of {:g} m, which is too short", length, route),
                fmt::format("at least {:.6g} m, {:g} % strain", route / (1 + largest_strain),
                            100 * largest_strain),
                "Increase it, or remove it to use the length of the route.");
}

}  // namespace

void validate_contacts(const Scene& scene, const Cable& cable) {
  const ErrorObject who("cable", cable.name);
  const size_t count = cable.contacts.size();
  if (count < 2)
    throw Error(who.at("contacts"), fmt::format("{}", count), "two or more, including the ends",
                "A massless cable runs from frame to frame.");
  for (size_t k = 0; k < count; ++k)
    validate_contact(who.at(fmt::format("route point {}", k + 1)), cable.contacts[k],
                     k == 0 || k + 1 == count);
  require_sound(who.at("payout"), cable.payout);
  validate_drive(scene, who.at("drive"), cable.drive, "m/s/N");
  if (cable.drive.kind == Drive::Kind::position)
    throw Error(who.at("drive"), "a position", "a velocity: the rate of its length",
                "Use `payout` to prescribe the length itself.");
  validate_length(scene, who, cable, shortest_route(scene, cable));
}

}  // namespace hawser

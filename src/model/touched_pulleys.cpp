#include "model/touched_pulleys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hawser/error.h"
#include "model/flows.h"
#include "model/frames.h"
#include "model/tangents.h"

namespace hawser {
namespace {

bool is_pulley(const Stop& stop) { return stop.kind == Stop::Kind::over && stop.radius > 0; }

double length_of(const std::vector<TangentSpan>& way) {
  double sum = 0;
  for (const TangentSpan& span : way) sum += (span.to - span.from).norm() + span.arc;
  return sum;
}

/// The largest radius of a cable [m].
double cable_radius(const Cable& cable) {
  double most = 0;
  for (const Section& section : cable.sections) most = std::max(most, section.diameter / 2);
  return most;
}

void validate_pulley(const ErrorObject& who, const Cable& cable, const Stop& stop) {
  if (stop.grip)
    throw Error(who.at("grip"), "`grip` with `pulleys: contact`", "`friction`",
                "By contact a cable is held by friction alone.");
  if (stop.inertia > 0)
    throw Error(who.at("inertia"), "`inertia` with `pulleys: contact`", "none",
                "For a pulley that turns, route the cable over a body on a hinge.");
  if (!(stop.radius > cable_radius(cable)))
    throw Error(who.at("radius"), fmt::format("{:g} m", stop.radius),
                fmt::format("more than the radius of the cable, {:g} m", cable_radius(cable)),
                "It is that of the centre line of the cable.");
}

/// The cable lies in the planes of its pulleys, and its elements follow their circles.
void validate_way(const Scene& scene, const Cable& cable) {
  constexpr double aside = 0.02;  // sine of the angle to the plane
  const std::vector<TangentSpan> way = tangent_spans(scene, cable);
  const double element = length_of(way) / cable.elements;
  const ErrorObject who("cable", cable.name);
  for (size_t k = 1; k + 1 < cable.route.size(); ++k) {
    const Stop& stop = cable.route[k];
    if (!is_pulley(stop)) continue;
    const Vec3 axis = stop.axis.normalized();
    for (const TangentSpan& span : {way[k - 1], way[k]}) {
      const double sine = std::abs(axis.dot((span.to - span.from).normalized()));
      if (sine > aside)
        throw Error(who.at(fmt::format("route[{}]", k)),
                    fmt::format("a cable that leaves the plane of the pulley '{}' by {:.2g} deg",
                                stop.on, std::asin(sine) * 180 / M_PI),
                    "with `pulleys: contact` at most 1 deg: the pulley is a cylinder without a "
                    "groove",
                    "Use `pulleys: flow`, or move the points of the route into one plane.");
    }
    if (element > stop.radius)
      throw Error(
          who.at("elements"),
          fmt::format("{}, of {:.3g} m on a pulley of {:g} m", cable.elements, element,
                      stop.radius),
          fmt::format("{} or more: a fifth of the radius each",
                      static_cast<int>(std::ceil(5 * element / stop.radius)) * cable.elements),
          "Use more elements, or `pulleys: flow`, which needs no more than without them.");
  }
}

/// Points of the way of a cable, about one per element, and its stops but the pulleys.
std::vector<Stop> points_along(const Scene& scene, const Cable& cable) {
  const std::vector<TangentSpan> way = tangent_spans(scene, cable);
  const double spacing = length_of(way) / cable.elements;
  const auto parts = [&](double length, int least) {
    return std::max(least, static_cast<int>(length / spacing));
  };
  std::vector<Stop> out{cable.route.front()};
  for (size_t k = 0; k < way.size(); ++k) {
    const TangentSpan& span = way[k];
    const Stop& next = cable.route[k + 1];
    const int straight = parts((span.to - span.from).norm(), 1);
    for (int i = 1; i < straight; ++i)
      out.emplace_back(span.from + (span.to - span.from) * i / straight);
    if (!is_pulley(next)) {
      out.push_back(next);
      continue;
    }
    const Vec3 centre =
        frame_start(scene, find_stop(scene, next, ErrorObject("cable", cable.name)));
    const int around = parts(span.arc, 2);
    for (int i = 0; i <= around; ++i)
      out.emplace_back(
          centre + Eigen::AngleAxisd(span.arc / next.radius * i / around, next.axis.normalized()) *
                       (span.to - centre));
  }
  return out;
}

void touch_pulleys(Scene& scene, size_t number) {
  Cable& cable = scene.cables[number];
  for (const Stop& stop : cable.route) {
    if (!is_pulley(stop)) continue;
    Contact contact;
    contact.name = fmt::format("{} over {}", cable.name, stop.on);
    contact.cables = {cable.name};
    contact.pulleys = {stop};
    contact.friction = stop.friction;
    scene.contacts.push_back(std::move(contact));
  }
  cable.route = points_along(scene, cable);
  cable.initial = Initial::points;
  cable.pulleys = PulleyMeeting::flow;
  const auto spans = static_cast<int>(cable.route.size()) - 1;
  if (cable.elements < spans)
    throw Error(ErrorObject("cable", cable.name).at("elements"), std::to_string(cable.elements),
                fmt::format("{} or more to follow its pulleys", spans), "Use more elements.");
}

}  // namespace

void validate_touched_pulleys(const Scene& scene, const Cable& cable) {
  if (cable.pulleys == PulleyMeeting::flow) return;
  const ErrorObject who("cable", cable.name);
  const auto refuse = [&](bool found, const char* what, const char* remedy) {
    if (found) throw Error(who, fmt::format("{} with `pulleys: contact`", what), "none", remedy);
  };
  refuse(cable.model == CableModel::massless, "the model massless",
         "Its pulleys are points of a route. Use ancf or np-fem.");
  refuse(is_supplied(cable), "cable that is paid out",
         "Use `pulleys: flow`, or pull at the end of the cable.");
  const auto any = [&](auto condition) {
    return std::any_of(cable.route.begin(), cable.route.end(), condition);
  };
  refuse(any([](const Stop& s) { return s.kind == Stop::Kind::wind; }), "a winch",
         "Hold the cable at a body on a hinge, whose shape is the drum.");
  refuse(any([](const Stop& s) { return s.kind == Stop::Kind::over && !(s.radius > 0); }),
         "an eyelet", "Give it a radius and an axis, or use `pulleys: flow`.");
  refuse(any([](const Stop& s) { return s.along.has_value(); }), "a plane (`along`)",
         "Let it touch the `ground`.");
  const Initial initial = cable.initial.value_or(scene.initial);
  refuse(initial == Initial::catenary || initial == Initial::points, "another initial shape",
         "The cable starts straight from pulley to pulley. Leave out `initial`.");
  for (size_t k = 0; k < cable.route.size(); ++k)
    if (is_pulley(cable.route[k]))
      validate_pulley(who.at(fmt::format("route[{}]", k)), cable, cable.route[k]);
  validate_way(scene, cable);
}

Scene with_touched_pulleys(Scene scene) {
  for (size_t i = 0; i < scene.cables.size(); ++i)
    if (scene.cables[i].pulleys == PulleyMeeting::contact) touch_pulleys(scene, i);
  return scene;
}

}  // namespace hawser

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hawser/error.h"
#include "model/fidelity.h"
#include "model/validate.h"

namespace hawser {
namespace {

/// Stops that a slack cable can be led over as it is when taut.
void validate_slack_stops(const ErrorObject& who, const Cable& cable) {
  for (size_t k = 0; k < cable.route.size(); ++k) {
    const Stop& stop = cable.route[k];
    const ErrorObject at = who.at(fmt::format("route point {}", k + 1));
    if (stop.kind == Stop::Kind::wind && k > 0)
      throw Error(at, "a winch at the end of a cable with `when_slack`",
                  "a winch at its start: cables with mass leave drums there", "Reverse the route.");
    if (stop.kind == Stop::Kind::clamp)
      throw Error(at, "a clamp and `when_slack`", "a stop that does not hold the direction",
                  "A massless cable has no direction that a clamp could hold.");
    if (stop.kind == Stop::Kind::free)
      throw Error(at, fmt::format("the point {} and `when_slack`", stop.text()),
                  "a support, a body or a frame over which the cable slides");
    if (stop.friction > 0 || stop.grip)
      throw Error(at, fmt::format("`{}` and `when_slack`", stop.grip ? "grip" : "friction"),
                  "a route without friction",
                  "How a cable that rubs shares its slack among the parts of its route is not "
                  "modelled.");
  }
}

}  // namespace

void validate_when_slack(const Scene& scene, const Cable& cable) {
  if (!cable.when_slack) return;
  const ErrorObject who = ErrorObject("cable", cable.name).at("when_slack");
  const WhenSlack& slack = *cable.when_slack;
  if (slack.model == CableModel::massless)
    throw Error(who, "massless", "ancf or np-fem: a cable with elements");
  if (!(slack.limit > 0) || !(slack.limit <= 0.1))
    throw Error(who.at("limit"), fmt::format("{}", slack.limit),
                "a share of the length above 0, at most 0.1");
  if (cable.sections.size() > 1)
    throw Error(who, fmt::format("{} sections", cable.sections.size()), "one section");
  const Section& section = cable.sections.front();
  if (!(section.mass > 0))
    throw Error(who, "a section without mass", "a mass per metre above zero",
                "A cable with elements has mass: add `mass` to the section.");
  if (slack.model == CableModel::ancf && !(section.EI > 0))
    throw Error(who, "ancf with a section without bending stiffness", "EI above zero",
                "Add `EI` to the section, or use `when_slack: np-fem`.");
  if (cable.pushes)
    throw Error(who, "a cable that pushes", "one that goes slack", "Remove `pushes`.");
  if (cable.drive.kind != Drive::Kind::none)
    throw Error(who, "`speed`", "`payout`, which gives the length of the cable when it is slack");
  validate_slack_stops(who, cable);
  for (const Contact& contact : scene.contacts)
    if (std::count(contact.cables.begin(), contact.cables.end(), cable.name) > 0)
      throw Error(ErrorObject("contact", contact.name),
                  fmt::format("cable '{}', which has `when_slack`", cable.name),
                  "a cable that does not change when it is slack",
                  "Remove `when_slack`, or the cable from the contact.");
}

}  // namespace hawser

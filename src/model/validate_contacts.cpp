#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hawser/error.h"
#include "model/flows.h"
#include "model/model_data.h"
#include "model/validate.h"

namespace hawser {
namespace {

/// Massless cables slide over each other without friction (met_cables.h).
void validate_massless_crossing(const Scene& scene, const ErrorObject& who, const Contact& contact,
                                const Cable& c) {
  const std::string cable = fmt::format("'{}', a massless cable", c.name);
  if (std::count(contact.cables.begin(), contact.cables.end(), c.name) > 1)
    throw Error(who, cable + ", that touches itself", "two cables",
                "Use the model ancf or np-fem.");
  for (const std::string& name : contact.cables)
    if (scene.cables[static_cast<size_t>(find_cable(scene, name, who))].model !=
        CableModel::massless)
      throw Error(who, fmt::format("{} and '{}', a cable with elements", cable, name),
                  "cables that are all massless, or all with elements",
                  "Use the same model for both.");
  for (const Section& section : c.sections)
    if (section.GJ > 0)
      throw Error(who, cable + ", with torsional stiffness", "a section without `GJ`",
                  "How twist passes a place where cables cross is not modelled: leave out `GJ`.");
  if (c.drive.kind != Drive::Kind::none)
    throw Error(who, cable + ", whose speed is given", "cables of given length",
                "Use `payout` for the cable.");
  if (std::any_of(c.route.begin(), c.route.end(),
                  [](const Stop& stop) { return stop.friction > 0; }))
    throw Error(who, cable + ", with friction on its route", "a route without friction",
                "How much cable slips past a stop depends on where the cables cross, which is not "
                "modelled: leave out `friction`, or use the model np-fem.");
  if (std::any_of(c.route.begin(), c.route.end(),
                  [](const Stop& stop) { return stop.kind == Stop::Kind::wind; }))
    throw Error(who, cable + ", that a winch pays out", "cables that end elsewhere",
                "Use `payout` for the cable, or the model np-fem.");
}

/// Massless cables slide over shapes without friction (meetings.h).
void validate_massless_meeting(const Scene& scene, const ErrorObject& who, const Contact& contact,
                               const Cable& c) {
  const std::string cable = fmt::format("'{}', a massless cable", c.name);
  if (contact.shapes.empty()) validate_massless_crossing(scene, who, contact, c);
  if (contact.friction > 0 || contact.restitution > 0 ||
      contact.friction_law == FrictionLaw::hollars || contact.stiffness > 0)
    throw Error(who, fmt::format("friction, restitution or stiffness of {}", cable),
                "none: massless cables slide over shapes and each other without friction",
                "Use the model ancf or np-fem, or an entry of its own for this cable.");
  if (c.pushes)
    throw Error(who, cable + ", that pushes", "a cable that goes slack", "Leave out `pushes`.");
  for (const std::string& name : contact.shapes) {
    if (name == "ground")
      throw Error(who, cable + " and the ground", "bodies and supports with a shape",
                  "Use the model ancf or np-fem.");
    for (const Support& s : scene.supports)
      if (s.name == name && s.turn)
        throw Error(who, fmt::format("{} and '{}', a support that turns", cable, name),
                    "a support that does not, or a body on a hinge");
  }
}

/// Of cables alone, those that flow.
void validate_touching(const ErrorObject& who, const Cable& c) {
  const bool flows = c.pulleys == PulleyMeeting::flow &&
                     std::any_of(c.route.begin(), c.route.end(), [](const Stop& stop) {
                       return stop.kind == Stop::Kind::over || stop.kind == Stop::Kind::wind;
                     });
  if (flows || is_supplied(c))
    throw Error(
        who, fmt::format("'{}', a cable that slides through its route or is paid out", c.name),
        "a cable that is held where its route says",
        "A cable that flows over pulleys and from winches may touch shapes and the ground, but no "
        "cables.");
}

/// Cables touch each other at their surfaces.
void require_thickness(const ErrorObject& who, const Cable& cable) {
  for (const Section& section : cable.sections)
    if (!(section.diameter > 0))
      throw Error(who, fmt::format("'{}', whose section has no diameter", cable.name),
                  "cables with a diameter", "Add `diameter` to the section.");
}

/// That the name is that of something with a surface.
void validate_touched(const Scene& scene, const ErrorObject& who, const std::string& name) {
  const auto shaped = [&](const Solid& solid) {
    if (solid.kind == Solid::Kind::none)
      throw Error(who, fmt::format("'{}', which has no shape", name),
                  "a body or support with a shape",
                  "Add `shape: {cylinder: {radius: ..., length: ...}}` or another one.");
    if (solid.kind == Solid::Kind::plate)
      throw Error(who, fmt::format("'{}', a plate, which has no thickness", name),
                  "box, sphere, cylinder, capsule or mesh",
                  "Use a box with the thickness of the plate.");
    if (solid.kind == Solid::Kind::mesh && !solid.mesh)
      throw Error(who, fmt::format("'{}', a mesh without a surface", name), "one by solid_of()");
    if (!(solid.size.x() > 0 && (solid.kind == Solid::Kind::sphere || solid.size.y() > 0) &&
          (solid.kind != Solid::Kind::box || solid.size.z() > 0)))
      throw Error(who, fmt::format("'{}', whose shape has no size", name), "sizes above zero");
  };
  if (name == "ground") {
    if (!scene.ground) throw Error(who, "the ground", "a scene with a ground", "Add `ground: {}`.");
    return;
  }
  require_fixed(scene, name, who);
  for (const Support& s : scene.supports)
    if (s.name == name) return shaped(s.shape);
  for (const Body& b : scene.bodies)
    if (b.name == name) return shaped(b.shape);
  throw Error(who, fmt::format("unknown name '{}'", name), "a body, a support or `ground`");
}

/// What contacts of cables with cables do not have.
void validate_of_shapes(const ErrorObject& who, const Contact& contact) {
  const char* const where = "none between cables alone";
  if (!contact.shapes.empty() || !contact.pulleys.empty()) return;
  if (contact.restitution > 0)
    throw Error(who.at("restitution"), fmt::format("{:g}", contact.restitution), where,
                "It is for cables with shapes or the ground, and for bodies.");
  if (contact.friction_law == FrictionLaw::hollars)
    throw Error(who.at("friction law"), "hollars", where,
                "It is for cables with shapes or the ground, and for bodies.");
}

void validate_contact(const Scene& scene, const Contact& contact) {
  const ErrorObject who("contact", contact.name);
  const auto is_body = [&](const std::string& name) {
    return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                       [&](const Body& b) { return b.name == name; });
  };
  const bool bodies = std::any_of(contact.shapes.begin(), contact.shapes.end(), is_body);
  if (contact.cables.empty() && !bodies)
    throw Error(who, "no cable and no body", "one or more cables, or bodies");
  if (contact.cables.empty() && contact.shapes.size() < 2)
    throw Error(who, "nothing that the body touches",
                "another body, a support with a shape, or `ground`");
  const bool cables_alone = contact.shapes.empty() && contact.pulleys.empty();
  if (cables_alone && contact.cables.size() < 2)
    throw Error(who, "nothing that the cable touches",
                "another cable, a body or support with a shape, or `ground`",
                fmt::format("A cable that touches itself is named twice: `between: [{0}, {0}]`.",
                            contact.cables.front()));
  if (contact.cables.empty() && contact.stiffness > 0)
    throw Error(who.at("stiffness"), "a stiffness per metre of cable", "none between bodies",
                "It is chosen by their weights and speeds.");
  if (contact.cables.empty() && contact.points != Contact{}.points)
    throw Error(who.at("points"), "points per element of a cable", "none between bodies",
                "Remove it.");
  for (const std::string& name : contact.cables) {
    const Cable& cable = scene.cables[static_cast<size_t>(find_cable(scene, name, who))];
    if (cable.model == CableModel::massless)
      validate_massless_meeting(scene, who, contact, cable);
    else if (cables_alone)
      validate_touching(who, cable);
    if (cables_alone && cable.model != CableModel::massless) require_thickness(who, cable);
  }
  for (const std::string& name : contact.shapes) validate_touched(scene, who, name);
  require_not_negative(who.at("friction"), contact.friction, "");
  const double kinetic = contact.kinetic_friction.value_or(contact.friction);
  require_not_negative(who.at("kinetic friction"), kinetic, "");
  if (kinetic > contact.friction)
    throw Error(who.at("kinetic friction"), fmt::format("{:g}", kinetic),
                fmt::format("at most the static friction, {:g}", contact.friction));
  require_not_negative(who.at("stiffness"), contact.stiffness, "N/m^2");
  require_not_negative(who.at("damping time"), contact.damping_time, "s");
  if (!(contact.restitution >= 0 && contact.restitution <= 1))
    throw Error(who.at("restitution"), fmt::format("{:g}", contact.restitution), "0 to 1");
  if (!(contact.transition_speed > 0))
    throw Error(who.at("transition speed"), fmt::format("{:g} m/s", contact.transition_speed),
                "above 0");
  validate_of_shapes(who, contact);
  if (contact.points < 1 || contact.points > 16)
    throw Error(who.at("points"), fmt::format("{}", contact.points), "1 to 16 per element");
}

/// Two laws for one pair would add up.
void require_one_each(const Scene& scene) {
  std::vector<std::pair<std::string, std::string>> seen;
  const auto add = [&](const Contact& contact, const std::string& a, const std::string& b) {
    const std::pair both(std::min(a, b), std::max(a, b));
    if (a == b || std::find(seen.begin(), seen.end(), both) != seen.end())
      throw Error(ErrorObject("contact", contact.name),
                  a == b ? fmt::format("'{}' twice", a)
                         : fmt::format("'{}' and '{}', which another entry names, too", a, b),
                  "each pair once");
    seen.push_back(both);
  };
  for (const Contact& contact : scene.contacts) {
    for (const std::string& cable : contact.cables)
      for (const std::string& shape : contact.shapes) add(contact, cable, shape);
    if (!contact.cables.empty()) continue;
    for (size_t i = 0; i < contact.shapes.size(); ++i)
      for (size_t j = i + 1; j < contact.shapes.size(); ++j)
        add(contact, contact.shapes[i], contact.shapes[j]);
  }
}

/// The same of two cables. Within one entry a cable may be named twice.
void require_one_law(const Scene& scene) {
  std::map<std::pair<std::string, std::string>, std::string> seen;
  for (const Contact& contact : scene.contacts) {
    if (!contact.shapes.empty()) continue;
    for (size_t i = 0; i < contact.cables.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        const auto [low, high] = std::minmax(contact.cables[i], contact.cables[j]);
        const auto at = seen.try_emplace({low, high}, contact.name).first;
        if (at->second != contact.name)
          throw Error(ErrorObject("contact", contact.name),
                      fmt::format("'{}' and '{}', which '{}' names, too", low, high, at->second),
                      "each two cables in one entry");
      }
  }
}

}  // namespace

void validate_contacts(const Scene& scene) {
  for (const Contact& contact : scene.contacts) validate_contact(scene, contact);
  require_one_each(scene);
  require_one_law(scene);
}

}  // namespace hawser

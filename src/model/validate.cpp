#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/ancf.h"
#include "hawser/error.h"
#include "model/along.h"
#include "model/fidelity.h"
#include "model/flows.h"
#include "model/model_data.h"
#include "model/route.h"
#include "model/sections.h"
#include "model/shape.h"
#include "model/touched_pulleys.h"
#include "model/validate.h"

namespace hawser {

void require_positive(const ErrorObject& where, double value, const char* unit) {
  if (!(value > 0) || !std::isfinite(value))
    throw Error(where, fmt::format("{}{}{}", value, *unit ? " " : "", unit),
                "a finite number above zero", "Give the physical value in SI units.");
}

void require_not_negative(const ErrorObject& where, double value, const char* unit) {
  if (!(value >= 0) || !std::isfinite(value))
    throw Error(where, fmt::format("{}{}{}", value, *unit ? " " : "", unit),
                "a finite number, zero or above");
}

void require_sound(const ErrorObject& where, const Signal& signal) {
  if (const std::string fault = signal.fault(); !fault.empty())
    throw Error(where, fault, "a valid function of time");
}

namespace {

void validate_damping(const ErrorObject& where, const Damping& d) {
  require_not_negative(where.at("viscosity"), d.viscosity, "s");
  for (const Relaxation& r : d.relaxations) {
    require_positive(where.at("share of a relaxation"), r.share, "");
    require_positive(where.at("time of a relaxation"), r.time, "s");
  }
  const Fractional& f = d.fractional;
  require_not_negative(where.at("tau"), f.tau, "s^order");
  require_not_negative(where.at("memory"), f.memory, "s");
  if (f.tau > 0 && !(f.order > 0 && f.order < 1))
    throw Error(where.at("order"), fmt::format("{}", f.order), "a number between 0 and 1",
                f.order == 1 ? "Order 1 is a viscosity." : "");
}

void validate_section_damping(const ErrorObject& cable, const Section& s, CableModel model) {
  validate_damping(cable.at("axial damping"), s.axial_damping);
  validate_damping(cable.at("bending damping"), s.bending_damping);
  require_not_negative(cable.at("mass damping"), s.mass_damping, "1/s");
  if (model != CableModel::ancf && s.bending_damping.any())
    throw Error(cable.at("bending damping"),
                fmt::format("damping with the model {}, which has no bending",
                            model == CableModel::massless ? "massless" : "np-fem"),
                "none", "Use the model ancf, or remove it.");
  if (model == CableModel::massless && s.mass_damping > 0)
    throw Error(cable.at("mass damping"), fmt::format("{} 1/s without a mass", s.mass_damping),
                "no mass damping with the model massless",
                "Use axial damping, or the model np-fem.");
}

void validate_section(const ErrorObject& cable, const Section& s, bool massless) {
  require_positive(cable.at("EA"), s.EA, "N");
  if (massless)
    require_not_negative(cable.at("mass per metre"), s.mass, "kg/m");
  else
    require_positive(cable.at("mass per metre"), s.mass, "kg/m");
  require_not_negative(cable.at("EI"), s.EI, "N m^2");
  require_not_negative(cable.at("GJ"), s.GJ, "N m^2");
  if (!(s.breaking_load >= 0) || !std::isfinite(s.breaking_load))
    throw Error(cable.at("breaking load"), fmt::format("{} N", s.breaking_load),
                "a finite number above zero, or 0 if unknown");
  require_not_negative(cable.at("diameter"), s.diameter, "m");
  require_not_negative(cable.at("drag"), s.drag, "");
  require_not_negative(cable.at("tangential drag"), s.tangential_drag, "");
  require_not_negative(cable.at("added mass"), s.added_mass, "");
}

void validate_sections(const ErrorObject& cable, const Cable& c) {
  if (c.sections.empty()) throw Error(cable.at("sections"), "none", "one or more");
  const Section& first = c.sections[0];
  for (size_t k = 0; k < c.sections.size(); ++k) {
    const SectionPart& s = c.sections[k];
    const ErrorObject who =
        c.sections.size() == 1 ? cable : cable.at(fmt::format("section {}", k + 1));
    require_not_negative(who.at("length"), s.length, "m");
    validate_section(who, s, c.model == CableModel::massless);
    validate_section_damping(who, s, c.when_slack ? c.when_slack->model : c.model);
    if (s.mass_damping != first.mass_damping)
      throw Error(who.at("mass damping"), fmt::format("{} 1/s", s.mass_damping),
                  fmt::format("{} 1/s, as in the first section", first.mass_damping),
                  "It is one for the whole cable; other damping may differ.");
    if (c.model == CableModel::massless && !(s.axial_damping == first.axial_damping))
      throw Error(who.at("axial damping"), "damping that differs from that of the first section",
                  "the same in all sections of a massless cable",
                  "Use the model np-fem, or one damping.");
  }
}

void validate_surroundings(const Scene& scene) {
  if (scene.ground) {
    const Ground& g = *scene.ground;
    if (!std::isfinite(g.height))
      throw Error("ground, height", fmt::format("{} m", g.height), "a finite number");
    require_finite("ground, normal", g.normal);
    if (!(g.normal.norm() > 0))
      throw Error("ground, normal", "[0, 0, 0]", "a direction away from the ground");
    require_positive("ground, stiffness", g.stiffness, "N/m^2");
    require_not_negative("ground, damping", g.damping, "s");
  }
  if (!scene.fluid) return;
  require_positive("fluid, density", scene.fluid->density, "kg/m^3");
  require_finite("fluid, velocity", scene.fluid->velocity);
  for (const Cable& c : scene.cables) {
    if (c.model == CableModel::massless) continue;
    const ErrorObject who("cable", c.name);
    for (const Section& section : c.sections)
      if (!(section.diameter > 0) || !std::isfinite(section.diameter))
        throw Error(who.at("diameter of its section"), fmt::format("{} m", section.diameter),
                    "a finite number above zero: the scene has a fluid",
                    "Buoyancy and drag depend on the outer diameter.");
  }
}

void validate_initial(const ErrorObject& who, const Cable& c) {
  if (!c.initial) return;
  if (c.model == CableModel::massless)
    throw Error(who.at("initial"), "an initial shape of a massless cable", "none",
                "It is always straight between its stops.");
  if (*c.initial == Initial::rest)
    throw Error(who.at("initial"), "rest, which applies to the whole scene",
                "straight, catenary or points", "Set it for the scene.");
}

void validate_closed(const ErrorObject& who, const Cable& c) {
  if (!c.closed) return;
  if (c.model == CableModel::massless)
    throw Error(who.at("closed"), "a closed massless cable",
                "a cable with elements: ancf or np-fem");
  const Stop &first = c.route.front(), &last = c.route.back();
  const bool free = first.kind == Stop::Kind::free && last.kind == Stop::Kind::free;
  if (!free || c.route.size() < 4)
    throw Error(who.at("route"),
                free ? fmt::format("{} points of a closed cable", c.route.size())
                     : "a closed cable that is held at its ends",
                "four or more points, the first and the last free and the same",
                "Hold it at a point between, or by contact.");
  double size = 0;
  for (const Stop& stop : c.route) size = std::max(size, (stop.point - first.point).norm());
  if (!((first.point - last.point).norm() <= 1e-9 * size))
    throw Error(who.at("route"),
                fmt::format("a closed cable from {} to {}", first.text(), last.text()),
                "a route that ends where it starts");
}

void validate_cable(const Scene& scene, const Cable& c) {
  const ErrorObject who("cable", c.name);
  if (c.name.empty()) throw Error("a cable", "no name", "a name", "Name every cable.");
  validate_sections(who, c);
  if (!(c.length >= 0) || !std::isfinite(c.length))
    throw Error(who.at("length"), fmt::format("{} m", c.length),
                "a number above zero, or 0 for the length of the route");
  validate_initial(who, c);
  validate_closed(who, c);
  if (c.model == CableModel::massless) {
    validate_massless(scene, c);
    validate_touched_pulleys(scene, c);
    return;
  }
  validate_route(scene, c);
  validate_section_lengths(c, route_length(scene, c));
  validate_holds(scene, c);
  validate_shape(scene, c);
  if (c.pulleys == PulleyMeeting::flow) validate_flow(scene, c);
  validate_touched_pulleys(scene, c);
  validate_along(scene, c);
  require_finite(who.at("velocity"), c.velocity);
  require_finite(who.at("angular velocity"), c.angular_velocity);
  if (c.axial_points < 3 || c.axial_points > max_gauss_points)
    throw Error(who.at("axial points"), std::to_string(c.axial_points),
                fmt::format("3 to {}", max_gauss_points),
                "With 2 points an element has deformations without axial force.");
  if (c.bending_points < 2 || c.bending_points > max_gauss_points)
    throw Error(who.at("bending points"), std::to_string(c.bending_points),
                fmt::format("2 to {}", max_gauss_points));
}

}  // namespace

void require_finite(const ErrorObject& where, const Vec3& v) {
  if (!v.allFinite())
    throw Error(where, fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()), "three finite numbers");
}

Section Section::round(double diameter, double youngs_modulus, double density) {
  require_positive("section, diameter", diameter, "m");
  require_positive("section, Young's modulus", youngs_modulus, "Pa");
  require_positive("section, density", density, "kg/m^3");
  const double pi = 3.14159265358979323846, d2 = diameter * diameter, area = pi * d2 / 4;
  Section section;
  section.EA = youngs_modulus * area;
  section.EI = youngs_modulus * pi * d2 * d2 / 64;
  section.mass = density * area;
  section.diameter = diameter;
  return section;
}

void validate(const Scene& scene) {
  require_finite("gravity", scene.gravity);
  if (scene.cables.empty() && scene.bodies.empty())
    throw Error("scene", "no cable and no body", "at least one of them",
                "Add a cable to scene.cables or a body to scene.bodies.");
  validate_inputs(scene);
  validate_bodies(scene);
  validate_joints(scene);
  validate_winches(scene);
  std::set<std::string> names;  // by which channels tell things apart
  const auto name = [&](const char* kind, const std::string& own) {
    if (!names.insert(own).second)
      throw Error(ErrorObject(kind, own), "the same name twice", "a unique name");
  };
  for (const Support& s : scene.supports) name("support", s.name);
  for (const Body& b : scene.bodies) name("body", b.name);
  for (const Joint& j : scene.joints) name("joint", j.name);
  for (const Winch& w : scene.winches) name("winch", w.name);
  for (const SlidingJoint& j : scene.sliding_joints) name("sliding joint", j.name);
  for (const Cable& c : scene.cables) {
    if (c.when_slack) {
      validate_when_slack(scene, c);
      validate_cable(scene, as_taut(c));
      validate_cable(scene, as_slack(c));
    } else {
      validate_cable(scene, c);
    }
    name("cable", c.name);
  }
  validate_places(scene);
  validate_sliding_joints(scene);
  validate_contacts(scene);
  validate_surroundings(scene);
  const auto on = [](const char* what, const std::string& cable) {
    return ErrorObject("cable", cable, fmt::format("{} '{}'", what, cable));
  };
  for (const LinearCondition& c : scene.conditions) {
    require_sound(ErrorObject("condition", c.name), c.value);
    const bool any =
        std::any_of(c.terms.begin(), c.terms.end(), [](const auto& t) { return t.factor != 0; });
    const bool finite = std::all_of(c.terms.begin(), c.terms.end(),
                                    [](const auto& t) { return std::isfinite(t.factor); });
    if (!any || !finite)
      throw Error(ErrorObject("condition", c.name), "no valid factors",
                  "finite factors, at least one of them nonzero");
  }
  for (const PointForce& f : scene.point_forces) {
    require_finite(on("point force on", f.at.cable), f.force);
    require_sound(on("point force on", f.at.cable), f.strength);
  }
  for (const DistributedForce& f : scene.distributed_forces) {
    require_finite(on("distributed force on", f.cable), f.force);
    require_sound(on("distributed force on", f.cable), f.strength);
    if (!f.along.fault().empty())
      throw Error(on("distributed force on", f.cable), f.along.fault(), "a valid function of s");
  }
  for (const Moment& m : scene.moments) {
    require_finite(on("moment on", m.at.cable), m.moment);
    require_sound(on("moment on", m.at.cable), m.strength);
  }
  for (const PointMass& m : scene.point_masses)
    require_positive(on("point mass on", m.at.cable), m.mass, "kg");
}

}  // namespace hawser

#include "scene/cables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hawser/error.h"
#include "math/curve.h"
#include "model/route.h"
#include "model/sections.h"
#include "model/tangents.h"

namespace hawser {
namespace {

/// Straight from point to point, and around pulleys [m].
double way_length(const Scene& scene, const Cable& cable) {
  double length = 0;
  for (const TangentSpan& span : tangent_spans(scene, cable))
    length += (span.to - span.from).norm() + span.arc;
  return length;
}

Damping damping_of(const DampingLawText& t) {
  Damping out;
  out.viscosity = *t.viscosity;
  for (const RelaxationText& r : t.relaxations) out.relaxations.push_back({*r.share, *r.time});
  if (t.fractional.value)
    out.fractional = {*t.fractional->order, *t.fractional->tau, *t.fractional->memory,
                      *t.fractional->form};
  return out;
}

}  // namespace

CableBuilder::CableBuilder(ReadContext& context, const SceneText& text, SceneFile& out)
    : c_(context), out_(out) {
  for (const auto& entry : text.sections.entries) sections_[entry.name] = &entry.value;
}

Section CableBuilder::section(const std::string& name, CableModel model) const {
  const SectionText& s = *sections_.at(name);
  Section out{*s.EA, *s.EI, *s.mass, *s.GJ, s.breaking_load.value.value_or(0)};
  if (s.displaced > 0) {
    const double scale = *s.diameter / s.displaced;  // the same drag on the circle it displaces
    out.diameter = s.displaced;
    out.drag = *s.drag * scale;
    out.tangential_drag = *s.tangential_drag * scale;
    out.added_mass = *s.added_mass;
  }
  if (!s.damping.value) return out;
  const DampingText& d = *s.damping;
  if (d.axial.value) out.axial_damping = damping_of(*d.axial);
  if (d.bending.value) out.bending_damping = damping_of(*d.bending);
  if (!d.rayleigh.value) return out;
  out.mass_damping = *d.rayleigh->mass;
  out.axial_damping.viscosity += *d.rayleigh->stiffness;
  // What does not bend has no stiffness of bending for it to be by.
  if (model == CableModel::ancf) out.bending_damping.viscosity += *d.rayleigh->stiffness;
  return out;
}

void CableBuilder::check_model(const Named<CableText>::Entry& entry) {
  const CableText& t = entry.value;
  const std::string path = "cables." + entry.name;
  const auto only = [&](bool given, const Mark& at, const char* key, CableModel model) {
    if (!given || *t.model == model) return;
    std::string own, other;
    for (const auto& w : model_words.words) {
      if (w.value == *t.model) own = w.word;
      if (w.value == model) other = w.word;
    }
    c_.problems.add(at, path + "." + key, fmt::format("`{}` with the model {}", key, own),
                    fmt::format("`model: {}`, which supports it", other));
  };
  if (t.when_slack.value != CableModel::np_fem) {
    only(*t.lumped_mass, t.lumped_mass.at, "lumped_mass", CableModel::np_fem);
    only(*t.tension_only, t.tension_only.at, "tension_only", CableModel::np_fem);
  }
  only(*t.pushes, t.pushes.at, "pushes", CableModel::massless);
  if (*t.model == CableModel::massless) {
    only(t.tension.given, t.tension.at, "tension", CableModel::ancf);
    only(*t.pulleys != PulleyMeeting::flow, t.pulleys.at, "pulleys", CableModel::ancf);
    if (!t.when_slack.given)
      only(t.element_length.given, t.element_length.at, "element_length", CableModel::ancf);
  }
  only(*t.mesh != FlowMesh::material, t.mesh.at, "mesh", CableModel::ancf);
  if (t.initial.given && *t.model == CableModel::massless)
    c_.problems.add(t.initial.at, path + ".initial", "`initial` with the model massless",
                    "`model: ancf` or `model: np-fem`, which support it",
                    "A massless cable is straight between the points of its route.");
  only(t.when_slack.given, t.when_slack.at, "when_slack", CableModel::massless);
  if (t.slack_limit.given && !t.when_slack.given)
    c_.problems.add(t.slack_limit.at, path + ".slack_limit", "`slack_limit` without `when_slack`",
                    "`when_slack` with it: the model of the slack cable");
  if (t.elements.given && *t.model == CableModel::massless && !t.when_slack.given)
    out_.warnings.push_back(fmt::format(
        "cable '{}': `elements` has no effect, a massless cable has none. Remove it, or use "
        "`model: ancf` or `model: np-fem`",
        entry.name));
  if (t.slip.given && !t.speed.given)
    c_.problems.add(t.slip.at, path + ".slip", "a slip without a rate", "`speed` with it");
  if (t.payout.given && t.speed.given)
    c_.problems.add(
        t.speed.at, path, "both `payout` and `speed`", "one of them",
        "With payout the cable stretches according to EA; speed prescribes its length.");
  if (*t.model != CableModel::massless && t.payout.given && t.payout->signal.is_constant() &&
      !t.payout->signal.is(0))
    c_.problems.add(t.payout.at, path + ".payout", "a constant payout of a cable with mass",
                    "a function of time that starts at 0 m", "Add it to `length` instead.");
  if (t.tension.given && (t.payout.given || t.speed.given))
    c_.problems.add(t.tension.at, path, "`tension` beside `payout` or `speed`", "one of them",
                    "A winch that holds a tension pays out what it takes.");
}

void CableBuilder::add_cable(const Named<CableText>::Entry& entry) {
  check_model(entry);
  const CableText& t = entry.value;
  Cable cable;
  cable.name = entry.name;
  cable.model = *t.model;
  cable.sections.clear();
  for (const SectionUse& use : *t.section)
    cable.sections.emplace_back(section(use.name, t.when_slack.value.value_or(*t.model)),
                                use.length);
  cable.route = *t.route;
  for (Stop& stop : cable.route)
    if (stop.kind == Stop::Kind::hold && is_winch(stop.on)) stop.kind = Stop::Kind::wind;
  cable.initial = t.initial.value;
  cable.length = *t.length;
  cable.elements = t.elements.value.value_or(cable.elements);
  cable.element_length = t.element_length.value.value_or(0);
  cable.mesh = *t.mesh;
  cable.pulleys = *t.pulleys;
  cable.strain = *t.strain;
  cable.curvature = *t.curvature;
  cable.axial_points = *t.axial_points;
  cable.bending_points = *t.bending_points;
  cable.closed = *t.closed;
  cable.lumped_mass = *t.lumped_mass;
  cable.pushes = *t.pushes;
  if (t.when_slack.given)
    cable.when_slack = {*t.when_slack, t.slack_limit.value.value_or(WhenSlack{}.limit)};
  cable.tension_only = *t.tension_only;
  cable.velocity = *t.velocity;
  cable.angular_velocity = *t.angular_velocity;
  for (const SectionUse& use : *t.section)
    warn_of_twist(fmt::format("cable '{}'", cable.name), use.name, cable.model);
  if (t.payout.given) cable.payout = t.payout->signal;
  if (t.tension.given) cable.tension = t.tension->signal;
  if (t.speed.given)
    cable.drive = {Drive::Kind::velocity, t.speed->signal,
                   t.slip.given ? t.slip->signal : Signal(0.0)};
  const size_t before = c_.problems.count();
  for (size_t k = 0; k < cable.route.size(); ++k) {
    const std::string path = fmt::format("cables.{}.route[{}]", entry.name, k);
    check_stop(cable, k, {c_.places.at(path), path});
  }
  if (cable.model != CableModel::massless && c_.problems.count() == before) check_led(entry, cable);
  out_.scene.cables.push_back(std::move(cable));
}

bool CableBuilder::is_winch(const std::string& name) const {
  const auto& winches = out_.scene.winches;
  return std::any_of(winches.begin(), winches.end(),
                     [&](const Winch& winch) { return winch.name == name; });
}

/// Problems of a stop at a winch.
void CableBuilder::check_winch(const Cable& cable, size_t k, UsedAt used) {
  const std::string& name = cable.route[k].on;
  if (k != 0 && k + 1 != cable.route.size())
    c_.problems.add(used.at, used.path, fmt::format("winch '{}' between the ends of a cable", name),
                    "a winch at an end: the cable is wound on its drum");
}

void CableBuilder::check_stop(const Cable& cable, size_t k, UsedAt used) {
  const Stop& stop = cable.route[k];
  if (stop.kind == Stop::Kind::wind) return check_winch(cable, k, used);
  if (cable.model != CableModel::massless) {
    check_turned(c_, out_.scene, stop, cable.model == CableModel::ancf,
                 {used.at, "cables." + cable.name});
    if (stop.kind == Stop::Kind::over && stop.radius > 0)
      check_fixed(c_, out_.scene, stop.on, used);
    return;
  }
  const bool end = k == 0 || k + 1 == cable.route.size();
  if (stop.kind == Stop::Kind::free && end)
    c_.problems.add(used.at, used.path, "a point at an end of a massless cable",
                    "a support, a body or a frame of a body", "A point does not hold the cable.");
  if (stop.kind == Stop::Kind::clamp && !end)
    c_.problems.add(used.at, used.path, "a clamp between the ends of a massless cable",
                    fmt::format("{}, over which it slides", stop.on),
                    "To hold it there, use two cables.");
  check_still(c_, out_.scene, stop.on, used);
}

void CableBuilder::check_led(const Named<CableText>::Entry& entry, const Cable& cable) {
  try {
    validate_route(out_.scene, cable);
  } catch (const Error& error) {
    c_.problems.add(entry.value.route.at, error.where(), error.found(), error.expected(),
                    error.remedy());
    return;
  }
  const std::vector<Vec3> points = route_points(out_.scene, cable);
  if (cable.model == CableModel::ancf) warn_of_corners(cable, points);
  warn_of_length(cable, points);
}

Initial CableBuilder::shape_of(const Cable& cable) const {
  return cable.initial.value_or(out_.scene.initial);
}

/// An ancf cable is smooth: a corner of its route is a bend of the elements beside it, and
/// stressed. A curve through the points has none, and one that starts in balance is bent as it
/// must be.
void CableBuilder::warn_of_corners(const Cable& cable, const std::vector<Vec3>& points) {
  if (shape_of(cable) == Initial::points || shape_of(cable) == Initial::rest) return;
  constexpr double sharp = 3.0 / 180 * std::numbers::pi;
  for (size_t k = 1; k + 1 < points.size(); ++k) {
    if (cable.route[k].kind == Stop::Kind::over) continue;
    const Vec3 before = points[k] - points[k - 1], after = points[k + 1] - points[k];
    const double turn = std::atan2(before.cross(after).norm(), before.dot(after));
    if (turn > sharp)
      out_.warnings.push_back(fmt::format(
          "cable '{}' has a corner of {:.3g} deg at point {} of its route: it starts with a "
          "tight, stressed bend there",
          cable.name, turn * 180 / std::numbers::pi, k + 1));
  }
}

/// Only what the file itself asks for: the library has a GJ for every rope.
void CableBuilder::warn_of_twist(const std::string& owner, const std::string& section,
                                 CableModel model) {
  const SectionText& s = *sections_.at(section);
  if (model == CableModel::massless || !s.own_GJ || *s.GJ == 0) return;
  out_.warnings.push_back(fmt::format(
      "{} ignores the GJ of section '{}': {} cables have no torsion, only massless cables do",
      owner, section, model == CableModel::ancf ? "ancf" : "np-fem"));
}

/// What a cable may push with at its start and stay as it is: its weight, or Euler's load where
/// both ends are held in direction [N].
static double harmless_push(const Section& section, CableModel model, double length,
                            double gravity) {
  constexpr double pi = std::numbers::pi;
  const double EI = model == CableModel::ancf ? section.EI : 0;
  return section.mass * length * gravity + 4 * pi * pi * EI / (length * length);
}

/// One that hangs is never compressed.
void CableBuilder::warn_of_length(const Cable& cable, const std::vector<Vec3>& points) {
  const bool smooth = shape_of(cable) == Initial::points;
  const bool hangs = !smooth && shape_of(cable) != Initial::straight;
  const double route = smooth ? SmoothCurve(points).length() : way_length(out_.scene, cable);
  const double length = stated_length(cable), strain = length > 0 ? route / length - 1 : 0;
  const Section section = mean_section(cable, length > 0 ? length : route);
  const char* way = smooth ? "curve" : "route";
  const double gravity = out_.scene.gravity.norm(), push = -section.EA * strain;
  const bool pushes =
      strain < -1e-3 ||
      (gravity > 0 && strain < 0 && push > harmless_push(section, cable.model, length, gravity));
  if (pushes && !cable.tension_only && !hangs)
    out_.warnings.push_back(fmt::format(
        "cable '{}' is {:.6g} m long on a {} of {:.6g} m: it starts compressed by "
        "{:.3g} %, with a compressive force of {:.3g} N, and buckles. {}",
        cable.name, length, way, route, -100 * strain, push,
        gravity > 0 ? "Use `initial: catenary` to let it hang"
                    : fmt::format("Use a `length` of {:.6g} m to start unstretched", route)));
  if (strain > 0.05)
    out_.warnings.push_back(
        fmt::format("cable '{}' is {:g} m long on a {} of {:g} m: it starts stretched by {:.3g} %",
                    cable.name, length, way, route, 100 * strain));
}

}  // namespace hawser

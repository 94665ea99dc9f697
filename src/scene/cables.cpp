#include "scene/cables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hawser/error.h"
#include "math/curve.h"
#include "model/route.h"

namespace hawser {
namespace {

double length_of(const std::vector<Vec3>& points) {
  double length = 0;
  for (size_t k = 1; k < points.size(); ++k) length += (points[k] - points[k - 1]).norm();
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

CableBuilder::CableBuilder(ReadContext& context, const SceneText& text, Anchors& anchors,
                           SceneFile& out)
    : c_(context), anchors_(anchors), out_(out) {
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
  only(*t.lumped_mass, t.lumped_mass.at, "lumped_mass", CableModel::np_fem);
  only(*t.tension_only, t.tension_only.at, "tension_only", CableModel::np_fem);
  only(*t.pushes, t.pushes.at, "pushes", CableModel::massless);
  only(t.payout.given, t.payout.at, "payout", CableModel::massless);
  only(t.speed.given, t.speed.at, "speed", CableModel::massless);
  only(t.slip.given, t.slip.at, "slip", CableModel::massless);
  if (t.initial.given && *t.model == CableModel::massless)
    c_.problems.add(t.initial.at, path + ".initial", "`initial` with the model massless",
                    "`model: ancf` or `model: np-fem`, which support it",
                    "A massless cable is straight between the points of its route.");
  if (t.elements.given && *t.model == CableModel::massless)
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
}

void CableBuilder::add_cable(const Named<CableText>::Entry& entry) {
  check_model(entry);
  const CableText& t = entry.value;
  Cable cable;
  cable.name = entry.name;
  cable.model = *t.model;
  cable.section = section(*t.section, *t.model);
  cable.initial = t.initial.value;
  cable.length = *t.length;
  cable.elements = t.elements.value.value_or(cable.elements);
  cable.strain = *t.strain;
  cable.curvature = *t.curvature;
  cable.axial_points = *t.axial_points;
  cable.bending_points = *t.bending_points;
  cable.lumped_mass = *t.lumped_mass;
  cable.pushes = *t.pushes;
  cable.tension_only = *t.tension_only;
  cable.velocity = *t.velocity;
  cable.angular_velocity = *t.angular_velocity;
  warn_of_twist(fmt::format("cable '{}'", cable.name), *t.section, cable.model);
  if (cable.model == CableModel::massless)
    add_massless(entry, std::move(cable));
  else
    add_led(entry, std::move(cable));
}

// --- massless cables ---

void CableBuilder::add_massless(const Named<CableText>::Entry& entry, Cable cable) {
  const CableText& t = entry.value;
  for (size_t k = 0; k < t.route->size(); ++k) cable.contacts.push_back(contact(entry, k));
  const auto place = [&](const Stop& s) {
    return s.kind == Stop::Kind::point ? s.point : anchors_.start(s.name);
  };
  cable.start = place(t.route->front());
  cable.end = place(t.route->back());
  if (t.payout.given) cable.payout = t.payout->signal;
  if (t.speed.given)
    cable.drive = {Drive::Kind::velocity, t.speed->signal,
                   t.slip.given ? t.slip->signal : Signal(0.0)};
  out_.scene.cables.push_back(std::move(cable));
}

Contact CableBuilder::contact(const Named<CableText>::Entry& entry, size_t k) {
  const std::vector<Stop>& route = *entry.value.route;
  const Stop& stop = route[k];
  const bool end = k == 0 || k + 1 == route.size();
  const std::string path = fmt::format("cables.{}.route[{}]", entry.name, k);
  Contact contact;
  if (stop.kind == Stop::Kind::point) {
    if (end)
      c_.problems.add(stop.at, path, "a point at an end of a massless cable",
                      "a support, a body or a frame of a body", "A point does not hold the cable.");
    Frame frame;
    frame.name = contact.frame = fmt::format("{}.stop-{}", entry.name, k + 1);
    frame.position = stop.point;
    out_.scene.frames.push_back(std::move(frame));
    return contact;
  }
  if (stop.kind == Stop::Kind::clamp && !end)
    c_.problems.add(stop.at, path, "a clamp between the ends of a massless cable",
                    fmt::format("{}, over which it slides", stop.name),
                    "To hold it there, use two cables.");
  anchors_.need_frame(stop.name, stop.at, path);
  contact.frame = stop.name;
  contact.radius = stop.radius;
  contact.axis = stop.axis;
  contact.friction = stop.friction;
  contact.grip = stop.grip;
  return contact;
}

// --- cables with nodes ---

void CableBuilder::add_led(const Named<CableText>::Entry& entry, Cable cable) {
  const CableText& t = entry.value;
  std::vector<Vec3> points;
  for (size_t k = 0; k < t.route->size(); ++k) {
    const Stop& stop = (*t.route)[k];
    if (stop.kind == Stop::Kind::over)
      c_.problems.add(stop.at, fmt::format("cables.{}.route[{}]", entry.name, k),
                      "`over` on a cable that cannot slide", "`model: massless`");
    points.push_back(stop.kind == Stop::Kind::point ? stop.point : anchors_.start(stop.name));
  }
  cable.start = points.front();
  cable.end = points.back();
  cable.via.assign(points.begin() + 1, points.end() - 1);
  try {
    validate_route(cable, PointNames::route);
  } catch (const Error& error) {
    c_.problems.add(t.route.at, error.where(), error.found(), error.expected(), error.remedy());
    return;
  }
  const std::vector<int> spans = span_elements(cable);
  const bool bends = cable.model == CableModel::ancf;
  if (bends) warn_of_corners(cable, points);
  warn_of_length(cable, points);
  int node = 0;
  for (size_t k = 0; k < points.size(); ++k) {
    if ((*t.route)[k].kind != Stop::Kind::point)
      anchors_.attach((*t.route)[k], {cable.name, node}, bends);
    if (k < spans.size()) node += spans[k];
  }
  out_.scene.cables.push_back(std::move(cable));
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
static double harmless_push(const Cable& cable, double gravity) {
  constexpr double pi = std::numbers::pi;
  const double EI = cable.model == CableModel::ancf ? cable.section.EI : 0;
  return cable.section.mass * cable.length * gravity +
         4 * pi * pi * EI / (cable.length * cable.length);
}

/// One that hangs is never compressed.
void CableBuilder::warn_of_length(const Cable& cable, const std::vector<Vec3>& points) {
  const bool smooth = shape_of(cable) == Initial::points;
  const bool hangs = !smooth && shape_of(cable) != Initial::straight;
  const double route = smooth ? SmoothCurve(points).length() : length_of(points);
  const double strain = cable.length > 0 ? route / cable.length - 1 : 0;
  const char* way = smooth ? "curve" : "route";
  const double gravity = out_.scene.gravity.norm(), push = -cable.section.EA * strain;
  const bool pushes =
      strain < -1e-3 || (gravity > 0 && strain < 0 && push > harmless_push(cable, gravity));
  if (pushes && !cable.tension_only && !hangs)
    out_.warnings.push_back(fmt::format(
        "cable '{}' is {:.6g} m long on a {} of {:.6g} m: it starts compressed by "
        "{:.3g} %, with a compressive force of {:.3g} N, and buckles. {}",
        cable.name, cable.length, way, route, -100 * strain, push,
        gravity > 0 ? "Use `initial: catenary` to let it hang"
                    : fmt::format("Use a `length` of {:.6g} m to start unstretched", route)));
  if (strain > 0.05)
    out_.warnings.push_back(
        fmt::format("cable '{}' is {:g} m long on a {} of {:g} m: it starts stretched by {:.3g} %",
                    cable.name, cable.length, way, route, 100 * strain));
}

}  // namespace hawser

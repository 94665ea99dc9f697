#include "bench/statics_scenes.h"

#include <fmt/format.h>

#include <cmath>

#include "bench/draw.h"
#include "bench/routes.h"

namespace hawser {
namespace {

class SceneDraw : public Draw {
 public:
  using Draw::Draw;

  Section section() {
    Section s;
    s.EA = decades(1e3, 1e10);
    s.EI = chance(0.3) ? 0 : decades(1e-3, 1e3);
    s.mass = decades(0.02, 10);
    return s;
  }

  /// From place to place, straight or in zigzag; `ratio`: its length over the distance.
  Cable cable(const std::string& name, const Vec3& from, const Vec3& to, double ratio,
              int most_elements = 60) {
    Cable c;
    c.name = name;
    c.sections = {section()};
    c.model = chance(0.4) ? CableModel::np_fem : CableModel::ancf;
    if (c.model == CableModel::np_fem) {
      c.sections[0].EI = 0;
      c.tension_only = chance(0.5);
      c.lumped_mass = chance(0.5);
    } else {
      c.strain = chance(0.3) ? StrainMeasure::engineering : StrainMeasure::green;
      c.curvature = static_cast<CurvatureMeasure>(integer(0, 2));
    }
    c.route = {from};
    const double span = (to - from).norm();
    if (chance(0.4)) {
      const int bends = integer(1, 4);
      for (int i = 1; i <= bends; ++i)
        c.route.emplace_back(from + (to - from) * i / (bends + 1) +
                             uniform(0.05, 0.5) * span * direction());
    }
    c.route.emplace_back(to);
    c.elements = std::max<int>(integer(4, most_elements), static_cast<int>(c.route.size()) - 1);
    c.length = ratio * span;
    return c;
  }

  /// Lengths over spans: short and stretched to very slack.
  double slack() { return decades(0.3, 50); }
};

Support ground(const std::string& name, const Vec3& position) {
  Support s;
  s.name = name;
  s.position = position;
  return s;
}

Frame frame(const std::string& name, const std::string& body, const Vec3& position) {
  Frame f;
  f.name = name;
  f.body = body;
  f.position = position;
  return f;
}

Body box(SceneDraw& draw, const std::string& name, const Vec3& at, double mass) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.shape = {Solid::Kind::box,
             Vec3(draw.uniform(0.1, 1), draw.uniform(0.1, 1), draw.uniform(0.1, 1))};
  b.inertia = b.shape.inertia(mass);
  b.position = at;
  return b;
}

Scene span(SceneDraw& draw, bool vertical) {
  Scene s;
  const double length = draw.decades(0.5, 200);
  Vec3 along = vertical ? Vec3(0, 0, draw.chance(0.5) ? 1 : -1) : draw.direction();
  s.cables = {draw.cable("line", Vec3::Zero(), length * along, draw.slack())};
  if (s.cables[0].model == CableModel::ancf && draw.chance(0.2))
    clamp(s, "line", 0);
  else
    hold(s, "line", 0);
  hold(s, "line", -1);
  return s;
}

Scene loaded_span(SceneDraw& draw) {
  Scene s = span(draw, false);
  const int n = s.cables[0].elements;
  const double weight = 9.81 * s.cables[0].sections[0].mass * s.cables[0].length;
  for (int i = draw.integer(1, 3); i > 0; --i) {
    const Place at = Place::fraction("line", static_cast<double>(draw.integer(1, n - 1)) / n);
    if (draw.chance(0.5))
      s.point_forces.push_back({at, draw.decades(0.1, 20) * weight * draw.direction()});
    else
      s.point_masses.push_back({at, draw.decades(0.1, 20) * weight / 9.81});
  }
  return s;
}

/// One end held, the other free: from any direction, straight up among them.
Scene hanging(SceneDraw& draw) {
  Scene s;
  const double length = draw.decades(0.5, 100);
  const Vec3 along = draw.chance(0.2) ? Vec3(0, 0, 1) : draw.direction();
  s.cables = {draw.cable("line", Vec3::Zero(), length * along, draw.uniform(0.9, 1.1))};
  hold(s, "line", 0);
  if (draw.chance(0.5))
    s.point_masses.push_back(
        {Place::end("line"), draw.decades(0.1, 100) * s.cables[0].sections[0].mass});
  return s;
}

Scene cantilever(SceneDraw& draw) {
  Scene s;
  const double length = draw.decades(0.5, 20);
  Cable c = draw.cable("beam", Vec3::Zero(), length * draw.direction(), 1);
  c.model = CableModel::ancf;
  c.tension_only = c.lumped_mass = false;
  lead_through(c, {});
  c.sections[0].EI = draw.decades(1e-2, 1e4);
  s.cables = {c};
  clamp(s, "beam", 0);
  if (draw.chance(0.5))
    s.point_forces.push_back({Place::end("beam"), draw.decades(0.1, 10) * c.sections[0].EI /
                                                      (length * length) * draw.direction()});
  return s;
}

/// Cables from a ring of supports to one node.
Scene star(SceneDraw& draw) {
  Scene s;
  const int arms = draw.integer(3, 5);
  const double radius = draw.decades(1, 50);
  const Vec3 middle(0, 0, draw.uniform(-0.5, 0.5) * radius);
  for (int i = 0; i < arms; ++i) {
    const double angle = 2 * std::numbers::pi * (i + draw.uniform(-0.3, 0.3)) / arms;
    const Vec3 at(radius * std::cos(angle), radius * std::sin(angle),
                  draw.uniform(-0.3, 0.3) * radius);
    const std::string name = fmt::format("arm{}", i);
    s.cables.push_back(draw.cable(name, at, middle, draw.decades(0.7, 3), 20));
    hold(s, name, 0);
    if (i > 0) s.junctions.push_back({Place::end("arm0"), Place::end(name)});
  }
  if (draw.chance(0.7)) s.point_masses.push_back({Place::end("arm0"), draw.decades(0.1, 1000)});
  return s;
}

/// Cables along and across, joined where they cross, pinned at the rim.
Scene net(SceneDraw& draw) {
  Scene s;
  const int n = draw.integer(2, 4);
  const double mesh = draw.decades(0.2, 2), slack = draw.decades(0.9, 1.5);
  Cable like = draw.cable("like", Vec3::Zero(), Vec3::UnitX(), 1);
  lead_through(like, {});
  for (int i = 1; i <= n; ++i)
    for (int way = 0; way < 2; ++way) {
      Cable c = like;
      c.name = fmt::format("{}{}", way == 0 ? "along" : "across", i);
      c.route.front() = way == 0 ? Vec3(0, i * mesh, 0) : Vec3(i * mesh, 0, 0);
      c.route.back() =
          way == 0 ? Vec3((n + 1) * mesh, i * mesh, 0) : Vec3(i * mesh, (n + 1) * mesh, 0);
      c.elements = 2 * (n + 1);
      c.length = slack * (n + 1) * mesh;
      s.cables.push_back(c);
      hold(s, c.name, 0);
      hold(s, c.name, -1);
    }
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= n; ++j)
      s.junctions.push_back(
          {nth(fmt::format("along{}", i), j, n + 1), nth(fmt::format("across{}", j), i, n + 1)});
  const Place knot = nth("along1", draw.integer(1, n), n + 1);
  s.point_masses.push_back({knot, draw.decades(0.1, 500)});
  return s;
}

/// A body on one to four cables, of elements or massless.
Scene hung_body(SceneDraw& draw) {
  Scene s;
  const double drop = draw.decades(0.5, 30);
  s.bodies = {box(draw, "load", {0, 0, -drop}, draw.decades(1, 1e4))};
  if (draw.chance(0.3))
    s.bodies[0].orientation = Eigen::Quaterniond(draw.uniform(-1, 1), draw.uniform(-1, 1),
                                                 draw.uniform(-1, 1), draw.uniform(-1, 1))
                                  .normalized();
  const int cables = draw.integer(1, 4);
  for (int i = 0; i < cables; ++i) {
    const std::string name = fmt::format("sling{}", i), eye = name + ".eye", hook = name + ".hook";
    const Vec3 arm = 0.5 * Vec3(draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(-0.2, 1))
                               .cwiseProduct(s.bodies[0].shape.size);
    const Vec3 top(draw.uniform(-0.5, 0.5) * drop, draw.uniform(-0.5, 0.5) * drop,
                   draw.uniform(0, 0.3) * drop);
    s.frames.push_back(frame(eye, "load", arm));
    s.supports.push_back(ground(hook, top));
    const Vec3 at = s.bodies[0].position + s.bodies[0].orientation * arm;
    const double ratio = draw.decades(0.85, 2);  // a massless one stretches by 20 % at most
    if (draw.chance(0.5)) {
      Cable c;
      c.name = name;
      c.model = CableModel::massless;
      c.sections[0].EA = draw.decades(1e3, 1e10);
      c.route = {Stop::hold(hook), Stop::hold(eye)};
      c.length = ratio * (at - top).norm();
      s.cables.push_back(c);
    } else {
      s.cables.push_back(draw.cable(name, top, at, ratio, 20));
      s.cables.back().route.front() = Stop::hold(hook);
      attach(s.cables.back(), -1, eye);
    }
  }
  return s;
}

/// A load on two to four legs with elements from one hook, on the ground or on a crane's rope: it
/// slews about the hook freely.
Scene sling(SceneDraw& draw) {
  Scene s;
  const double drop = draw.decades(0.5, 20);
  s.bodies = {box(draw, "load", {0, 0, -drop}, draw.decades(1, 1e4))};
  s.bodies[0].shape.size *= drop;
  s.bodies[0].inertia = s.bodies[0].shape.inertia(s.bodies[0].mass);
  const bool hoisted = draw.chance(0.4);
  if (hoisted) {
    s.bodies.push_back(box(draw, "hook", {0, 0, 0}, draw.decades(1, 100)));
    s.supports = {ground("crane", {0, 0, drop})};
    Cable fall;
    fall.name = "fall";
    fall.model = CableModel::massless;
    fall.sections[0].EA = draw.decades(1e5, 1e10);
    fall.route = {Stop::hold("crane"), Stop::hold("hook")};
    s.cables = {fall};
  }
  const int legs = draw.integer(2, 4);
  const double even = draw.decades(0.9, 1.3);
  for (int i = 0; i < legs; ++i) {
    const std::string name = fmt::format("leg{}", i), eye = name + ".eye";
    const double angle = 2 * std::numbers::pi * (i + draw.uniform(-0.2, 0.2)) / legs;
    const Vec3 arm =
        0.5 * Vec3(std::cos(angle), std::sin(angle), 1).cwiseProduct(s.bodies[0].shape.size);
    s.frames.push_back(frame(eye, "load", arm));
    const double ratio = draw.chance(0.5) ? even : draw.decades(0.9, 1.3);
    s.cables.push_back(draw.cable(name, Vec3::Zero(), s.bodies[0].position + arm, ratio, 20));
    attach(s.cables.back(), -1, eye);
    if (hoisted)
      attach(s.cables.back(), 0, "hook");
    else
      hold(s, name, 0);
  }
  return s;
}

/// Two loads over a fixed pulley, and sometimes one of them in the bight of a second rope.
Scene pulley(SceneDraw& draw) {
  Scene s;
  const double drop = draw.decades(1, 20), radius = draw.uniform(0.1, 0.5);
  s.bodies = {box(draw, "left", {-radius, 0, -drop}, draw.decades(1, 1000))};
  s.supports = {ground("wheel", {0, 0, 0})};
  s.frames = {frame("left.eye", "left", {0, 0, 0.3})};
  Cable c;
  c.name = "rope";
  c.model = CableModel::massless;
  c.sections[0].EA = draw.decades(1e3, 1e10);
  Stop wheel = Stop::over("wheel", radius, Vec3::UnitY());
  if (draw.chance(0.4)) wheel.friction = draw.uniform(0.05, 0.5);
  c.route = {Stop::hold("left.eye"), wheel};
  if (draw.chance(0.5)) {  // the other end on the ground
    s.supports.push_back(ground("cleat", {radius + draw.uniform(0, 1), 0, -draw.uniform(0.5, 3)}));
    c.route.push_back(Stop::hold("cleat"));
  } else {  // down to a movable pulley and up again to a beam
    s.bodies.push_back(box(draw, "right", {2 * radius, 0, -draw.uniform(0.5, 1) * drop - 1}, 1));
    s.bodies[1].mass = s.bodies[0].mass * (draw.chance(0.7) ? 2 : 1.5);
    s.bodies[1].inertia = s.bodies[1].shape.inertia(s.bodies[1].mass);
    s.supports.push_back(ground("beam", {3 * radius, 0, 0}));
    c.route.push_back(Stop::over("right", radius, -Vec3::UnitY()));
    c.route.push_back(Stop::hold("beam"));
    if (draw.chance(0.5)) {  // holds the left load when the weights do not balance
      Joint guide;
      guide.name = "guide";
      guide.kind = JointKind::slider;
      s.supports.push_back(ground("rail", s.bodies[0].position));
      guide.first = "rail";
      guide.second = "left";
      guide.travel_limits = {-0.5, 0.5};
      s.joints.push_back(guide);
    } else {
      s.supports.push_back(ground("stay.foot", {-radius, 0, -2 * drop}));
      Cable stay;
      stay.name = "stay";
      stay.model = CableModel::massless;
      stay.sections[0].EA = draw.decades(1e3, 1e8);
      stay.route = {Stop::hold("stay.foot"), Stop::hold("left")};
      stay.length = draw.uniform(0.85, 1.2) * drop;
      s.cables.push_back(stay);
      s.supports.push_back(ground("right.foot", {2 * radius, 0, -3 * drop}));
      stay.name = "other stay";
      stay.route = {Stop::hold("right.foot"), Stop::hold("right")};
      stay.length =
          draw.uniform(0.85, 1.2) * (s.supports.back().position - s.bodies[1].position).norm();
      s.cables.push_back(stay);
    }
  }
  s.cables.push_back(c);
  return s;
}

/// Bodies joined one to the next by pins, hinges and universal joints, from any start.
Scene chain(SceneDraw& draw) {
  Scene s;
  const int links = draw.integer(1, 6);
  Vec3 at = Vec3::Zero();
  s.supports.push_back(ground("anchor", at));
  std::string last = "anchor";
  for (int i = 0; i < links; ++i) {
    const Vec3 half = draw.uniform(0.2, 1) * draw.direction();
    const std::string name = fmt::format("link{}", i);
    s.bodies.push_back(box(draw, name, at + half, draw.decades(0.1, 100)));
    s.frames.push_back(frame(name + ".near", name, -half));
    s.frames.push_back(frame(name + ".far", name, half));
    Joint joint;
    joint.name = fmt::format("joint{}", i);
    const double kind = draw.uniform(0, 1);
    joint.kind = kind < 0.5 ? JointKind::pin : kind < 0.8 ? JointKind::hinge : JointKind::universal;
    joint.axis = draw.direction();
    joint.second_axis = joint.axis.cross(draw.direction()).normalized();
    joint.first = last;
    joint.second = name + ".near";
    s.joints.push_back(joint);
    last = name + ".far";
    at += 2 * half;
  }
  if (draw.chance(0.3)) {  // closed by a cable
    s.cables.push_back(draw.cable("tail", at, at + 3 * draw.direction(), draw.decades(0.8, 3), 20));
    attach(s.cables.back(), 0, last);
    hold(s, "tail", -1);
  }
  return s;
}

/// A closed loop of cable over one pin, or through two.
Scene loop(SceneDraw& draw) {
  Scene s;
  const double size = draw.decades(0.5, 10);
  Cable c = draw.cable("loop", Vec3::Zero(), Vec3::UnitX(), 1, 60);
  lead_through(c, {{size, 0, 0}, {size, 0, size}, {0, 0, size}});
  c.route.front() = c.route.back() = Vec3::Zero();
  c.length = draw.uniform(0.9, 1.5) * 4 * size;
  c.elements = std::max(8, c.elements);
  s.cables = {c};
  s.junctions = {{Place::start("loop"), Place::end("loop")}};
  hold(s, "loop", 0);
  if (draw.chance(0.5)) hold(s, "loop", 2);
  return s;
}

}  // namespace

StaticCase draw_static_case(std::mt19937_64& random) {
  SceneDraw draw(random);
  switch (draw.integer(0, 12)) {
    case 0:
    case 1:
      return {"span", span(draw, false)};
    case 2:
      return {"vertical span", span(draw, true)};
    case 3:
      return {"loaded span", loaded_span(draw)};
    case 4:
      return {"hanging", hanging(draw)};
    case 5:
      return {"cantilever", cantilever(draw)};
    case 6:
      return {"star", star(draw)};
    case 7:
      return {"net", net(draw)};
    case 8:
      return {"body", hung_body(draw)};
    case 9:
      return {"pulley", pulley(draw)};
    case 10:
      return {"chain", chain(draw)};
    case 11:
      return {"sling", sling(draw)};
    default:
      return {"loop", loop(draw)};
  }
}

}  // namespace hawser

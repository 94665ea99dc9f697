#include "bench/statics_scenes.h"

#include <fmt/format.h>

#include <cmath>

#include "bench/draw.h"

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
    c.section = section();
    c.model = chance(0.4) ? CableModel::np_fem : CableModel::ancf;
    if (c.model == CableModel::np_fem) {
      c.section.EI = 0;
      c.tension_only = chance(0.5);
      c.lumped_mass = chance(0.5);
    } else {
      c.strain = chance(0.3) ? StrainMeasure::engineering : StrainMeasure::green;
      c.curvature = static_cast<CurvatureMeasure>(integer(0, 2));
    }
    c.start = from;
    c.end = to;
    const double span = (to - from).norm();
    if (chance(0.4)) {
      const int bends = integer(1, 4);
      for (int i = 1; i <= bends; ++i)
        c.via.push_back(from + (to - from) * i / (bends + 1) +
                        uniform(0.05, 0.5) * span * direction());
    }
    c.elements = std::max<int>(integer(4, most_elements), static_cast<int>(c.via.size()) + 1);
    c.length = ratio * span;
    return c;
  }

  /// Lengths over spans: short and stretched to very slack.
  double slack() { return decades(0.3, 50); }
};

Contact stop(const std::string& frame) {
  Contact contact;
  contact.frame = frame;
  return contact;
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
    s.clamps = {{{"line", 0}}};
  else
    s.pins = {{{"line", 0}}};
  s.pins.push_back({{"line", -1}});
  return s;
}

Scene loaded_span(SceneDraw& draw) {
  Scene s = span(draw, false);
  const int n = s.cables[0].elements;
  const double weight = 9.81 * s.cables[0].section.mass * s.cables[0].length;
  for (int i = draw.integer(1, 3); i > 0; --i) {
    const Place at{"line", draw.integer(1, n - 1)};
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
  s.pins = {{{"line", 0}}};
  if (draw.chance(0.5))
    s.point_masses.push_back({{"line", -1}, draw.decades(0.1, 100) * s.cables[0].section.mass});
  return s;
}

Scene cantilever(SceneDraw& draw) {
  Scene s;
  const double length = draw.decades(0.5, 20);
  Cable c = draw.cable("beam", Vec3::Zero(), length * draw.direction(), 1);
  c.model = CableModel::ancf;
  c.tension_only = c.lumped_mass = false;
  c.via.clear();
  c.section.EI = draw.decades(1e-2, 1e4);
  s.cables = {c};
  s.clamps = {{{"beam", 0}}};
  if (draw.chance(0.5))
    s.point_forces.push_back(
        {{"beam", -1},
         draw.decades(0.1, 10) * c.section.EI / (length * length) * draw.direction()});
  return s;
}

/// Cables from a ring of pins to one node.
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
    s.pins.push_back({{name, 0}});
    if (i > 0) s.junctions.push_back({{"arm0", -1}, {name, -1}});
  }
  if (draw.chance(0.7)) s.point_masses.push_back({{"arm0", -1}, draw.decades(0.1, 1000)});
  return s;
}

/// Cables along and across, joined where they cross, pinned at the rim.
Scene net(SceneDraw& draw) {
  Scene s;
  const int n = draw.integer(2, 4);
  const double mesh = draw.decades(0.2, 2), slack = draw.decades(0.9, 1.5);
  Cable like = draw.cable("like", Vec3::Zero(), Vec3::UnitX(), 1);
  like.via.clear();
  for (int i = 1; i <= n; ++i)
    for (int way = 0; way < 2; ++way) {
      Cable c = like;
      c.name = fmt::format("{}{}", way == 0 ? "along" : "across", i);
      c.start = way == 0 ? Vec3(0, i * mesh, 0) : Vec3(i * mesh, 0, 0);
      c.end = way == 0 ? Vec3((n + 1) * mesh, i * mesh, 0) : Vec3(i * mesh, (n + 1) * mesh, 0);
      c.elements = 2 * (n + 1);
      c.length = slack * (n + 1) * mesh;
      s.cables.push_back(c);
      s.pins.push_back({{c.name, 0}});
      s.pins.push_back({{c.name, -1}});
    }
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= n; ++j)
      s.junctions.push_back(
          {{fmt::format("along{}", i), 2 * j}, {fmt::format("across{}", j), 2 * i}});
  s.point_masses.push_back({{"along1", 2 * draw.integer(1, n)}, draw.decades(0.1, 500)});
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
    s.frames.push_back(frame(hook, "", top));
    const Vec3 at = s.bodies[0].position + s.bodies[0].orientation * arm;
    const double ratio = draw.decades(0.85, 2);  // a massless one stretches by 20 % at most
    if (draw.chance(0.5)) {
      Cable c;
      c.name = name;
      c.model = CableModel::massless;
      c.section.EA = draw.decades(1e3, 1e10);
      c.contacts = {stop(hook), stop(eye)};
      c.length = ratio * (at - top).norm();
      s.cables.push_back(c);
    } else {
      s.cables.push_back(draw.cable(name, top, at, ratio, 20));
      s.pins.push_back({{name, 0}});
      s.attachments.push_back({{name, -1}, eye});
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
    s.frames = {frame("crane", "", {0, 0, drop})};
    Cable fall;
    fall.name = "fall";
    fall.model = CableModel::massless;
    fall.section.EA = draw.decades(1e5, 1e10);
    fall.contacts = {stop("crane"), stop("hook")};
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
    if (hoisted)
      s.attachments.push_back({{name, 0}, "hook"});
    else
      s.pins.push_back({{name, 0}});
    s.attachments.push_back({{name, -1}, eye});
  }
  return s;
}

/// Two loads over a fixed pulley, and sometimes one of them in the bight of a second rope.
Scene pulley(SceneDraw& draw) {
  Scene s;
  const double drop = draw.decades(1, 20), radius = draw.uniform(0.1, 0.5);
  s.bodies = {box(draw, "left", {-radius, 0, -drop}, draw.decades(1, 1000))};
  s.frames = {frame("wheel", "", {0, 0, 0}), frame("left.eye", "left", {0, 0, 0.3})};
  Cable c;
  c.name = "rope";
  c.model = CableModel::massless;
  c.section.EA = draw.decades(1e3, 1e10);
  Contact wheel = stop("wheel");
  wheel.radius = radius;
  wheel.axis = Vec3::UnitY();
  if (draw.chance(0.4)) wheel.friction = draw.uniform(0.05, 0.5);
  c.contacts = {stop("left.eye"), wheel};
  if (draw.chance(0.5)) {  // the other end on the ground
    s.frames.push_back(frame("cleat", "", {radius + draw.uniform(0, 1), 0, -draw.uniform(0.5, 3)}));
    c.contacts.push_back(stop("cleat"));
  } else {  // down to a movable pulley and up again to a beam
    s.bodies.push_back(box(draw, "right", {2 * radius, 0, -draw.uniform(0.5, 1) * drop - 1}, 1));
    s.bodies[1].mass = s.bodies[0].mass * (draw.chance(0.7) ? 2 : 1.5);
    s.bodies[1].inertia = s.bodies[1].shape.inertia(s.bodies[1].mass);
    s.frames.push_back(frame("beam", "", {3 * radius, 0, 0}));
    Contact block = stop("right");
    block.radius = radius;
    block.axis = -Vec3::UnitY();
    c.contacts.push_back(block);
    c.contacts.push_back(stop("beam"));
    if (draw.chance(0.5)) {  // holds the left load when the weights do not balance
      Joint guide;
      guide.name = "guide";
      guide.kind = JointKind::slider;
      s.frames.push_back(frame("rail", "", s.bodies[0].position));
      guide.first = "rail";
      guide.second = "left";
      guide.travel_limits = {-0.5, 0.5};
      s.joints.push_back(guide);
    } else {
      s.frames.push_back(frame("stay.foot", "", {-radius, 0, -2 * drop}));
      Cable stay;
      stay.name = "stay";
      stay.model = CableModel::massless;
      stay.section.EA = draw.decades(1e3, 1e8);
      stay.contacts = {stop("stay.foot"), stop("left")};
      stay.length = draw.uniform(0.85, 1.2) * drop;
      s.cables.push_back(stay);
      s.frames.push_back(frame("right.foot", "", {2 * radius, 0, -3 * drop}));
      stay.name = "other stay";
      stay.contacts = {stop("right.foot"), stop("right")};
      stay.length =
          draw.uniform(0.85, 1.2) * (s.frames.back().position - s.bodies[1].position).norm();
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
  s.frames.push_back(frame("anchor", "", at));
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
    s.attachments.push_back({{"tail", 0}, last});
    s.pins.push_back({{"tail", -1}});
  }
  return s;
}

/// A closed loop of cable over one pin, or through two.
Scene loop(SceneDraw& draw) {
  Scene s;
  const double size = draw.decades(0.5, 10);
  Cable c = draw.cable("loop", Vec3::Zero(), Vec3::UnitX(), 1, 60);
  c.via = {{size, 0, 0}, {size, 0, size}, {0, 0, size}};
  c.start = c.end = Vec3::Zero();
  c.length = draw.uniform(0.9, 1.5) * 4 * size;
  c.elements = std::max(8, c.elements);
  s.cables = {c};
  s.junctions = {{{"loop", 0}, {"loop", -1}}};
  s.pins = {{{"loop", 0}}};
  if (draw.chance(0.5)) s.pins.push_back({{"loop", c.elements / 2}});
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
